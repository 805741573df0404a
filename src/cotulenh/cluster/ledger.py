"""The ledger of a run: which units there are, which are done, and with what result.

One SQLite file in WAL mode. A result is written once, in one transaction that is on the disk when
it returns; a second result of the same unit changes nothing. Success beats failure.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cotulenh.cluster.errors import RunError

__all__ = ["Counts", "Ledger", "Outcome", "Unit"]

APPLICATION = 0x4354_4C52  # "CTLR": tells a ledger from any other SQLite file
VERSION = 1
SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE units (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    payload TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'todo' CHECK (state IN ('todo', 'done', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0,
    result TEXT,
    error TEXT,
    seconds REAL
);
CREATE INDEX units_by_state ON units (state, number);
"""
TRIES = 3  # how often a unit may fail before it is given up
LOST_TRIES = 10  # and how often its worker may die with it, which need not be its fault
_FILE = re.compile(r'"file":"[0-9a-f.a-z-]*",')
LITTLE = 1 << 18  # bytes free on a disk that is as good as full
CHUNK = 1000  # units read or written at a time: memory stays flat however many there are


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work: its place in the order, its name, and what is to be done as JSON."""

    number: int
    name: str
    payload: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a unit: its result as JSON, or an error in one line.

    ``fatal`` errors are not the unit's fault (a full disk, another version): the run ends.
    ``lost`` means that the worker died with it.
    """

    name: str
    result: str | None = None
    error: str = ""
    seconds: float = 0.0
    fatal: bool = False
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Counts:
    """How many units a run has, and how far it is."""

    total: int = 0
    done: int = 0
    failed: int = 0

    @property
    def todo(self) -> int:
        """What is neither done nor given up."""
        return self.total - self.done - self.failed


class Ledger:
    """The units of a run. ``sqlite3.Error`` becomes :class:`RunError` with the file's name."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        self._new = create and not path.exists()
        if not self._new and not path.is_file():
            raise RunError(f"{path.parent} holds no run: there is no {path.name}")
        with self._explained():
            if self._new:
                _make(path)
            self._database = sqlite3.connect(path, isolation_level=None)
        try:
            with self._explained():
                self._open()
        except RunError:
            self._database.close()
            raise

    def _open(self) -> None:
        run = self._database.execute
        if self._new:
            run("PRAGMA journal_mode=WAL")
        if run("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise RunError(f"{self.path} is not the ledger of a run")
        found = run("PRAGMA user_version").fetchone()[0]
        if found != VERSION:
            raise RunError(f"{self.path} is a ledger of version {found}; expected {VERSION}")
        run("PRAGMA synchronous=FULL")
        problem = run("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise RunError(f"{self.path} is damaged: {problem}")

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    # Facts about the run --------------------------------------------------------------------------

    def get(self, name: str) -> str | None:
        """A fact of the run, or ``None``."""
        with self._explained():
            row = self._database.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set(self, name: str, value: str) -> None:
        """Writes a fact down."""
        with self._transaction():
            self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    # Units ----------------------------------------------------------------------------------------

    def add_units(self, units: Iterable[tuple[str, str]]) -> None:
        """Writes all units (name and payload) in order. Begun and not ended, it is begun again."""
        if self.get("units") is not None:
            return
        numbered = ((number, *unit) for number, unit in enumerate(units))
        sql = "INSERT OR IGNORE INTO units (number, name, payload) VALUES (?, ?, ?)"
        number = 0
        while rows := list(islice(numbered, CHUNK)):
            with self._transaction():
                self._database.executemany(sql, rows)
            number = rows[-1][0] + 1
        if self.counts().total != number:
            raise RunError("two units of this run are the same")
        self.set("units", str(number))

    def todo(self) -> Iterator[Unit]:
        """The units that have no result yet, in order; those failed before are not among them."""
        last = -1
        sql = "SELECT number, name, payload FROM units WHERE state='todo' AND number>? LIMIT ?"
        while rows := self._rows(sql, (last, CHUNK)):
            for row in rows:
                yield Unit(*row)
            last = rows[-1][0]

    def try_failed_again(self) -> int:
        """Failed units become ordinary ones again; how many they were."""
        with self._transaction():
            sql = "UPDATE units SET state='todo', attempts=0, error=NULL WHERE state='failed'"
            return self._database.execute(sql).rowcount

    def record(self, outcomes: Iterable[Outcome]) -> list[str]:
        """Writes what became of units, all or nothing; the names of those to be tried again."""
        again = []
        with self._transaction():
            for one in outcomes:
                if one.result is not None:
                    self._done(one)
                elif self._failed(one):
                    again.append(one.name)
        return again

    def _done(self, one: Outcome) -> None:
        sql = (
            "UPDATE units SET state='done', result=?, seconds=?, error=NULL, attempts=attempts+1"
            " WHERE name=? AND state<>'done'"
        )
        self._database.execute(sql, (one.result, one.seconds, one.name))

    def _failed(self, one: Outcome) -> bool:
        """Whether the unit has tries left."""
        tries = LOST_TRIES if one.lost else TRIES
        sql = (
            "UPDATE units SET attempts=attempts+1, error=?,"
            " state=CASE WHEN attempts+1>=? THEN 'failed' ELSE 'todo' END"
            " WHERE name=? AND state<>'done' RETURNING state"
        )
        rows = self._database.execute(sql, (one.error, tries, one.name)).fetchall()
        return rows == [("todo",)]

    def unit(self, name: str) -> Unit:
        """A unit by its name."""
        sql = "SELECT number, name, payload FROM units WHERE name=?"
        return Unit(*self._rows(sql, (name,))[0])

    def result(self, number: int) -> str | None:
        """The result of the unit at a place, if it has one."""
        rows = self._rows("SELECT result FROM units WHERE number=? AND state='done'", (number,))
        return rows[0][0] if rows else None

    def results(self, most: int | None = None) -> Iterator[tuple[Unit, str]]:
        """Units with their results, in order; those without one are passed over."""
        last, end = -1, 1 << 62 if most is None else most
        sql = (
            "SELECT number, name, payload, result FROM units"
            " WHERE state='done' AND number>? AND number<? LIMIT ?"
        )
        while rows := self._rows(sql, (last, end, CHUNK)):
            for *unit, result in rows:
                yield Unit(*unit), result
            last = rows[-1][0]

    def failures(self, most: int = 10) -> list[tuple[str, str]]:
        """Units that were given up, with the reason."""
        sql = "SELECT name, error FROM units WHERE state='failed' ORDER BY number LIMIT ?"
        return [(str(name), str(error)) for name, error in self._rows(sql, (most,))]

    def counts(self) -> Counts:
        """How far the run is."""
        rows = dict(self._rows("SELECT state, count(*) FROM units GROUP BY state"))
        return Counts(sum(rows.values()), rows.get("done", 0), rows.get("failed", 0))

    def seconds(self) -> float:
        """The time all units took together."""
        return float(self._rows("SELECT total(seconds) FROM units")[0][0])

    def hash(self, most: int | None = None) -> str:
        """Of all units (or the first so many) and results in their order.

        The names of data files do not count: each attempt at a unit has its own.
        """
        found = hashlib.sha256()
        for unit, result in self.results(most):
            nameless = _FILE.sub("", result)
            found.update(f"{unit.number} {unit.name} {nameless}\n".encode())
        return found.hexdigest()

    # SQLite ---------------------------------------------------------------------------------------

    def _rows(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._explained():
            return self._database.execute(sql, values).fetchall()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turns SQLite's errors into one line with the file's name."""
        try:
            yield
        except sqlite3.Error as error:
            raise RunError(f"{self.path}: {_reason(error, self.path)}") from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All that is written inside is on the disk afterwards, or none of it."""
        with self._explained():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise


def _make(path: Path) -> None:
    """An empty ledger is there whole or not at all, whatever happens meanwhile."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    database = sqlite3.connect(part)
    try:
        database.executescript(
            f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; {SCHEMA}"
        )
    finally:
        database.close()
    part.replace(path)


def _reason(error: sqlite3.Error, path: Path) -> str:
    text = str(error)
    # Where SQLite cannot enlarge its shared memory, it speaks of input and output.
    if "full" in text or ("I/O" in text and shutil.disk_usage(path.parent).free < LITTLE):
        return "the disk is full; what was done is kept"
    if "malformed" in text or "not a database" in text:
        return "the ledger is damaged, or no ledger"
    return text

"""The tables of the store, their versions, and the checks before anything is served.

A new version is reached by the steps in ``_STEPS``; before the first of them a copy of the file is
made beside it. ``games.id`` holds the number that the database carries too: a database that was
emptied or exchanged does not start as a new one.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
import time
import zlib
from contextlib import closing
from pathlib import Path

__all__ = [
    "VERSION",
    "DamageError",
    "adopt",
    "broken_games",
    "check_identity",
    "open_checked",
    "problems",
    "version_of",
]

log = logging.getLogger("cotulenh.web")

_GAMES = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    setup BLOB NOT NULL,
    state BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS moves (
    game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    text TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seats (
    key TEXT NOT NULL,
    game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    PRIMARY KEY (key, game)
) STRICT, WITHOUT ROWID;
"""
_COUNTED = """
ALTER TABLE games ADD COLUMN length INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
CREATE TABLE chat (
    game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    at REAL NOT NULL,
    side INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    preset TEXT NOT NULL,
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    version INTEGER NOT NULL,
    title TEXT NOT NULL,
    owner TEXT NOT NULL,
    edit TEXT NOT NULL
) STRICT;
CREATE INDEX studies_of ON studies(owner, updated);
CREATE TABLE chapters (
    study TEXT NOT NULL REFERENCES studies(id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    n INTEGER NOT NULL,
    version INTEGER NOT NULL,
    title TEXT NOT NULL,
    tree BLOB NOT NULL,
    PRIMARY KEY (study, id)
) STRICT;
CREATE TABLE solvers (
    key TEXT NOT NULL,
    variant TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    streak INTEGER NOT NULL,
    best INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    tried INTEGER NOT NULL,
    PRIMARY KEY (key, variant)
) STRICT, WITHOUT ROWID;
CREATE TABLE puzzles (
    variant TEXT NOT NULL,
    id TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    tried INTEGER NOT NULL,
    PRIMARY KEY (variant, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tries (
    key TEXT NOT NULL,
    at REAL NOT NULL,
    variant TEXT NOT NULL,
    id TEXT NOT NULL,
    won INTEGER NOT NULL,
    rating REAL NOT NULL
) STRICT;
CREATE INDEX tries_of ON tries(key, at);
CREATE TABLE openings (
    variant TEXT NOT NULL,
    key INTEGER NOT NULL,
    move TEXT NOT NULL,
    first INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    second INTEGER NOT NULL,
    PRIMARY KEY (variant, key, move)
) STRICT, WITHOUT ROWID;
CREATE TABLE visits (
    variant TEXT NOT NULL,
    key INTEGER NOT NULL,
    game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    PRIMARY KEY (variant, key, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


class DamageError(Exception):
    """What is on the disk does not fit together; the text says what."""


def _count_moves(base: sqlite3.Connection) -> None:
    """Games of the first version get their length and checksum."""
    lists: dict[str, list[str]] = {}
    for game, text in base.execute("SELECT game, text FROM moves ORDER BY game, n"):
        lists.setdefault(game, []).append(text)
    rows = [(len(t), zlib.crc32(" ".join(t).encode()), game) for game, t in lists.items()]
    base.executemany("UPDATE games SET length=?, checksum=? WHERE id=?", rows)


def _first(base: sqlite3.Connection) -> None:
    _run(base, _GAMES)


def _second(base: sqlite3.Connection) -> None:
    _run(base, _COUNTED)
    _count_moves(base)
    base.execute("INSERT INTO facts VALUES ('id', ?)", (secrets.token_hex(16),))


def _run(base: sqlite3.Connection, script: str) -> None:
    """Statement by statement: ``executescript`` would end the transaction."""
    for statement in script.split(";"):
        if statement.strip():
            base.execute(statement)


_STEPS = (_first, _second)
VERSION = len(_STEPS)


def open_checked(path: Path) -> sqlite3.Connection:
    """The database at its present version, after its integrity was checked."""
    base = sqlite3.connect(path, isolation_level=None)
    try:
        check_identity(base, path)
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=FULL")
        base.execute("PRAGMA foreign_keys=ON")
        base.execute("PRAGMA busy_timeout=5000")
        found = problems(base)
        if found:
            raise DamageError(f"the database is damaged: {found[0]}")
        _migrate(base, path)
        _mark(base, path)
        for line in broken_games(base):
            log.error("damaged: %s", line)
    except BaseException:
        base.close()
        raise
    return base


def adopt(base: sqlite3.Connection, path: Path) -> None:
    """Makes content that came from a backup this server's own."""
    _migrate(base, path)
    _mark(base, path)


def reading(path: Path) -> sqlite3.Connection:
    """Opens a database to read it only, whatever signs its path has."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def version_of(base: sqlite3.Connection) -> int:
    """0 for an empty file, 1 for the tables before versions were counted."""
    version = int(base.execute("PRAGMA user_version").fetchone()[0])
    tables = base.execute("SELECT count(*) FROM sqlite_master WHERE name='games'").fetchone()[0]
    if version > VERSION:
        raise DamageError(f"made by a newer program (version {version}, expected {VERSION})")
    if version and not tables:
        raise DamageError("the database has no games table")
    return version or int(tables > 0)


def problems(base: sqlite3.Connection) -> list[str]:
    """What SQLite's own checks find; nothing if all is well."""
    found = [row[0] for row in base.execute("PRAGMA quick_check(10)") if row[0] != "ok"]
    if not found and version_of(base) > 0:
        for table, *_ in base.execute("PRAGMA foreign_key_check"):
            found.append(f"a row of {table} belongs to nothing")
    return found


def broken_games(base: sqlite3.Connection) -> list[str]:
    """The games whose moves are not all there; each is refused when it is asked for."""
    return [
        f"game {game} has {count} of its {length} moves"
        for game, length, count in base.execute(
            "SELECT g.id, g.length, count(m.n) AS c FROM games g LEFT JOIN moves m ON m.game=g.id"
            " GROUP BY g.id HAVING c != g.length OR coalesce(max(m.n), -1) != g.length - 1"
        )
    ]


def _migrate(base: sqlite3.Connection, path: Path) -> None:
    old = version_of(base)
    if old == VERSION:
        return
    if old:
        backup(base, path, old)
    base.execute("BEGIN IMMEDIATE")
    try:
        for step in _STEPS[old:]:
            step(base)
        base.execute(f"PRAGMA user_version={VERSION}")
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise


def backup(base: sqlite3.Connection, path: Path, version: int) -> Path:
    """A copy of the database beside it."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    target = path.with_name(f"{path.stem}-version{version}-{stamp}.backup.sqlite")
    part = target.with_name(target.name + ".part")  # half a copy must not look like a whole one
    try:
        with closing(sqlite3.connect(part)) as copy:
            base.backup(copy)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return target


def check_identity(base: sqlite3.Connection, path: Path) -> None:
    """:class:`DamageError` if this is not the database that served here before."""
    marker = path.with_suffix(".id")
    known = marker.read_text().strip() if marker.exists() else ""
    if not known:
        return
    if version_of(base) == 0:
        raise DamageError(
            "the database was emptied or lost; put a backup in its place, "
            f"or remove {marker.name} to begin anew"
        )
    if version_of(base) >= 2 and known != _own_id(base):
        raise DamageError(
            f"this is not the database that {marker.name} knows; put the right one in its place, "
            f"or remove {marker.name} to use this one"
        )


def _own_id(base: sqlite3.Connection) -> str:
    row = base.execute("SELECT value FROM facts WHERE name='id'").fetchone()
    return str(row[0]) if row else ""


def _mark(base: sqlite3.Connection, path: Path) -> None:
    """Writes down which database serves here."""
    marker = path.with_suffix(".id")
    if not marker.exists() or marker.read_text().strip() != _own_id(base):
        marker.write_text(_own_id(base) + "\n")

"""What is kept, in SQLite. What was acknowledged is on the disk: a killed process loses nothing.

One connection, one thread: every call goes through ``Store.do``, which runs it there and waits. The
journal is a write-ahead log, and each commit is synced (``synchronous=FULL``). A change that cannot
be written is refused with ``not_saved`` and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import msgspec

from cotulenh.web import schema
from cotulenh.web.messages import Refusal

__all__ = [
    "BusyError",
    "GameRow",
    "Store",
    "StoreError",
    "Write",
    "checksum",
    "create_game",
    "explain",
    "read_game",
]

T = TypeVar("T")
#: Something to be written inside a transaction.
Write = Callable[[sqlite3.Connection], None]
log = logging.getLogger("cotulenh.web")


class StoreError(Exception):
    """The directory cannot be served; the text says why in one line."""


class BusyError(StoreError):
    """Another server uses the directory."""


class GameRow(msgspec.Struct):
    """A game as it is kept: how it was set up, its state beside the board, its moves."""

    id: str
    created: float
    updated: float
    setup: bytes
    state: bytes
    moves: list[str]


def checksum(moves: Sequence[str]) -> int:
    """What is kept beside a game to notice moves that were lost or changed."""
    return zlib.crc32(" ".join(moves).encode())


def lock(path: Path) -> sqlite3.Connection:
    """Keeps a second server away: each would hold its own idea of the same games.

    The lock is SQLite's, so it works everywhere and falls with the process, however that ends.
    """
    held = None
    try:
        held = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if held is not None:
            held.close()
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise BusyError(f"{path.parent}: another server uses these games") from None
        raise StoreError(f"{path.parent}: {explain(error)}") from None
    return held


def explain(error: sqlite3.Error) -> str:
    """What went wrong, in words people know."""
    words = {
        sqlite3.SQLITE_FULL: "the disk is full",
        sqlite3.SQLITE_IOERR: "the disk cannot be read or written (it may be full)",
        sqlite3.SQLITE_READONLY: "this directory cannot be written",
        sqlite3.SQLITE_CANTOPEN: "the file cannot be opened or created",
        sqlite3.SQLITE_NOTADB: "the file is not a database",
        sqlite3.SQLITE_CORRUPT: "the database is damaged",
    }
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return f"{words[code]} ({error})" if code in words else str(error)


class Store:
    """The games, studies and ratings of one data directory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = lock(path.with_suffix(".lock"))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self.done, self.failed, self.spent = 0, 0, 0.0
        try:
            self._base = self._thread.submit(schema.open_checked, path).result()
        except sqlite3.Error as error:
            self._give_up()
            raise StoreError(f"{path}: {explain(error)}") from None
        except (schema.DamageError, OSError) as problem:
            self._give_up()
            raise StoreError(f"{path}: {problem}") from None

    def _give_up(self) -> None:
        self._thread.shutdown()
        self._lock.close()

    async def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs work in one transaction on the store's thread; it is on the disk on return."""
        began = time.monotonic()
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._transaction, work)
        except sqlite3.Error as error:
            self.failed += 1
            log.error("not saved: %s", explain(error))
            text = "this could not be saved, so it has not happened"
            raise Refusal("not_saved", text, 503, reason=explain(error)) from None
        finally:
            self.done += 1
            self.spent += time.monotonic() - began

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        base = self._base
        try:
            base.execute("BEGIN IMMEDIATE")
            answer = work(base)
        except BaseException:
            self._roll_back()
            raise
        try:
            base.execute("COMMIT")
        except BaseException:
            self._roll_back()
            self._bury()
            raise
        return answer

    def _roll_back(self) -> None:
        if self._base.in_transaction:
            self._base.execute("ROLLBACK")

    def _bury(self) -> None:
        """Writes over what a failed commit may have left in the journal.

        When only the sync has failed the journal holds the whole change, and a server that dies now
        would find it there at its next start. The next transaction is written at the same place,
        so one that changes nothing takes it away, whether it can be synced or not.
        """
        try:
            self._base.execute("BEGIN IMMEDIATE")
            self._base.execute("INSERT OR REPLACE INTO facts VALUES ('buried', ?)", (time.time(),))
            self._base.execute("COMMIT")
        except sqlite3.Error:
            self._roll_back()

    async def restore(self, source: Path, aside: Path) -> None:
        """Takes over the content of a backup; what was here goes to ``aside`` first."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._restore, source, aside)

    def _restore(self, source: Path, aside: Path) -> None:
        try:
            with closing(sqlite3.connect(aside)) as copy:
                self._base.backup(copy)
        except sqlite3.Error:
            aside.unlink(missing_ok=True)  # half a copy must not look like a whole one
            raise
        with closing(schema.reading(source)) as base:
            base.backup(self._base)
        schema.adopt(self._base, self.path)

    def close(self) -> None:
        """Ends the thread after what is under way."""
        self._thread.submit(self._base.close).result()
        self._thread.shutdown()
        self._lock.close()

    # Games ----------------------------------------------------------------------------------------

    async def save(
        self,
        game: str,
        state: bytes,
        moves: Sequence[str],
        *,
        keep: int,
        seat: tuple[str, bytes] | None = None,
        also: Sequence[Write] = (),
    ) -> None:
        """The game as it is now; its first ``keep`` moves are on the disk already.

        ``seat`` is the key of a player who sat down, and the setup with that player in it; ``also``
        writes more in the same transaction.
        """

        def work(base: sqlite3.Connection) -> None:
            now = time.time()
            base.execute(
                "UPDATE games SET updated=?, state=?, length=?, checksum=? WHERE id=?",
                (now, state, len(moves), checksum(moves), game),
            )
            base.execute("DELETE FROM moves WHERE game=? AND n>=?", (game, keep))
            rows = [(game, n, moves[n], now) for n in range(keep, len(moves))]
            base.executemany("INSERT INTO moves VALUES (?, ?, ?, ?)", rows)
            if seat is not None:
                base.execute("UPDATE games SET setup=? WHERE id=?", (seat[1], game))
                if seat[0]:
                    base.execute("INSERT OR IGNORE INTO seats VALUES (?, ?)", (seat[0], game))
            for write in also:
                write(base)

        await self.do(work)

    async def load(self, game: str) -> GameRow | None:
        """A game by its id; refused if what is kept of it does not fit together."""

        def work(base: sqlite3.Connection) -> GameRow | None:
            return read_game(base, game)

        try:
            return await self.do(work)
        except schema.DamageError as damage:
            log.error("game %s: %s", game, damage)
            raise Refusal(
                "damaged", f"this game is damaged on the disk: {damage}", 500, reason=damage
            ) from None

    async def delete(self, game: str) -> None:
        """A game that never began goes."""
        await self.do(lambda base: base.execute("DELETE FROM games WHERE id=?", (game,)))

    async def count(self) -> int:
        """How many games are kept."""
        return await self.do(
            lambda base: int(base.execute("SELECT count(*) FROM games").fetchone()[0])
        )

    async def of_key(self, key: str, most: int = 30) -> list[tuple[str, float, bytes, bytes, int]]:
        """The games of a player, the latest first: id, time, setup, state, number of moves."""

        def work(base: sqlite3.Connection) -> list[tuple[str, float, bytes, bytes, int]]:
            return base.execute(
                "SELECT g.id, g.updated, g.setup, g.state, g.length"
                " FROM seats s JOIN games g ON g.id = s.game WHERE s.key=?"
                " ORDER BY g.updated DESC LIMIT ?",
                (key, most),
            ).fetchall()

        return await self.do(work)


def create_game(game: str, setup: bytes, state: bytes, keys: list[str]) -> Write:
    """A new game."""

    def write(base: sqlite3.Connection) -> None:
        now = time.time()
        base.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, 0, 0)", (game, now, now, setup, state)
        )
        base.executemany("INSERT INTO seats VALUES (?, ?)", [(key, game) for key in keys])

    return write


def read_game(base: sqlite3.Connection, game: str) -> GameRow | None:
    """A game with all its moves, or :class:`schema.DamageError`."""
    row = base.execute("SELECT * FROM games WHERE id=?", (game,)).fetchone()
    if row is None:
        return None
    name, created, updated, setup, state, length, crc = row
    rows = base.execute("SELECT n, text FROM moves WHERE game=? ORDER BY n", (game,)).fetchall()
    moves = [text for _, text in rows]
    if [n for n, _ in rows] != list(range(length)):
        raise schema.DamageError(f"expected moves 1 to {length}, got {len(rows)} of them")
    if checksum(moves) != crc:
        raise schema.DamageError("its moves are not those that were saved")
    return GameRow(name, created, updated, setup, state, moves)

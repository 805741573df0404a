"""Games in SQLite. What was acknowledged is on the disk: a killed process loses nothing.

One connection, one thread: every call goes through ``Store.do``, which runs it there and waits. The
journal is a write-ahead log, and each commit is synced (``synchronous=FULL``).
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import msgspec

__all__ = ["GameRow", "MoveRow", "Store"]

T = TypeVar("T")

_SCHEMA = """
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


class MoveRow(msgspec.Struct):
    """One single move as it is kept."""

    text: str
    at: float


class GameRow(msgspec.Struct):
    """A game as it is kept: how it was set up, its state beside the board, its moves."""

    id: str
    created: float
    updated: float
    setup: bytes
    state: bytes
    moves: list[MoveRow]


def _locked(path: Path) -> sqlite3.Connection:
    """Keeps a second server away: each would hold its own idea of the same games.

    The lock is SQLite's, so it works everywhere and falls with the process, however that ends.
    """
    lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        raise OSError(f"{path.parent}: another server uses these games ({error})") from None
    return lock


class Store:
    """The games of one data directory."""

    def __init__(self, path: Path) -> None:
        self._lock = _locked(path.with_suffix(".lock"))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._base = self._thread.submit(self._open, path).result()

    @staticmethod
    def _open(path: Path) -> sqlite3.Connection:
        base = sqlite3.connect(path, isolation_level=None)
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=FULL")
        base.execute("PRAGMA foreign_keys=ON")
        base.execute("PRAGMA busy_timeout=5000")
        base.executescript(_SCHEMA)
        return base

    async def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs work in one transaction on the store's thread; it is on the disk on return."""

        def run() -> T:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                answer = work(self._base)
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")
            return answer

        return await asyncio.get_running_loop().run_in_executor(self._thread, run)

    def close(self) -> None:
        """Ends the thread after what is under way."""
        self._thread.submit(self._base.close).result()
        self._thread.shutdown()
        self._lock.close()

    # What is asked of it --------------------------------------------------------------------------

    async def create(self, game: str, setup: bytes, state: bytes, keys: list[str]) -> None:
        """A new game."""

        def work(base: sqlite3.Connection) -> None:
            now = time.time()
            base.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", (game, now, now, setup, state))
            base.executemany("INSERT INTO seats VALUES (?, ?)", [(key, game) for key in keys])

        await self.do(work)

    async def save(
        self,
        game: str,
        state: bytes,
        *,
        keep: int,
        texts: tuple[str, ...] = (),
        key: str | None = None,
        setup: bytes | None = None,
    ) -> None:
        """The game after ``keep`` old moves and some new ones, with a new state beside."""

        def work(base: sqlite3.Connection) -> None:
            now = time.time()
            base.execute("UPDATE games SET updated=?, state=? WHERE id=?", (now, state, game))
            if setup is not None:
                base.execute("UPDATE games SET setup=? WHERE id=?", (setup, game))
            base.execute("DELETE FROM moves WHERE game=? AND n>=?", (game, keep))
            rows = [(game, keep + i, text, now) for i, text in enumerate(texts)]
            base.executemany("INSERT INTO moves VALUES (?, ?, ?, ?)", rows)
            if key is not None:
                base.execute("INSERT OR IGNORE INTO seats VALUES (?, ?)", (key, game))

        await self.do(work)

    async def load(self, game: str) -> GameRow | None:
        """A game by its id."""

        def work(base: sqlite3.Connection) -> GameRow | None:
            row = base.execute("SELECT * FROM games WHERE id=?", (game,)).fetchone()
            if row is None:
                return None
            moves = base.execute("SELECT text, at FROM moves WHERE game=? ORDER BY n", (game,))
            name, created, updated, setup, state = row
            kept = [MoveRow(*move) for move in moves]
            return GameRow(name, created, updated, setup, state, kept)

        return await self.do(work)

    async def count(self) -> int:
        """How many games are kept."""
        return await self.do(
            lambda base: int(base.execute("SELECT count(*) FROM games").fetchone()[0])
        )

    async def of_key(self, key: str, most: int = 30) -> list[tuple[str, float, bytes, bytes, int]]:
        """The games of a player, the latest first: id, time, setup, state, number of moves."""

        def work(base: sqlite3.Connection) -> list[tuple[str, float, bytes, bytes, int]]:
            return base.execute(
                "SELECT g.id, g.updated, g.setup, g.state,"
                " (SELECT count(*) FROM moves m WHERE m.game = g.id)"
                " FROM seats s JOIN games g ON g.id = s.game WHERE s.key=?"
                " ORDER BY g.updated DESC LIMIT ?",
                (key, most),
            ).fetchall()

        return await self.do(work)

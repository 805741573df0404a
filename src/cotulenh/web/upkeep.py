"""Backups and their return, while the server runs.

A backup is made by SQLite from beside the server, in one consistent piece. To bring one back a
running server is handed the file (``restore.sqlite`` in its directory): it sends its visitors
away, whose pages come back by themselves, and takes the content over in one transaction. Before
that it keeps a copy of what it had.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from cotulenh.web import schema
from cotulenh.web.check import check
from cotulenh.web.hall import Hall
from cotulenh.web.socket import Connections
from cotulenh.web.store import BusyError, Store, StoreError, explain, lock

__all__ = ["Upkeep", "backup", "restore"]

log = logging.getLogger("cotulenh.web")
#: Where a running server looks for a backup to take over, and says why it did not.
HANDED, REFUSED = "restore.sqlite", "restore.refused"
#: Seconds that who hands a backup over waits for the server to take it.
PATIENCE = 60.0


def backup(data: Path, target: Path) -> int:
    """Copies all that is kept to a file, whether a server runs or not; how many games it holds."""
    source = data / "games.sqlite"
    if not source.exists():
        raise StoreError(f"{source}: there is nothing to back up")
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        _copy(source, part)
        count = _games(part)
        os.replace(part, target)
    except sqlite3.Error as error:
        raise StoreError(f"{target}: {explain(error)}") from None
    finally:
        part.unlink(missing_ok=True)
    return count


def restore(data: Path, source: Path) -> int:
    """Brings a backup back, into a running server too; how many games it holds."""
    report = check(source)
    wrong = [text for text in report.problems if "older program" not in text]
    if wrong:
        raise StoreError(f"{source}: {wrong[0]}")
    try:
        games = _games(source)
    except sqlite3.Error:
        raise StoreError(f"{source}: this is no backup of a server") from None
    data.mkdir(parents=True, exist_ok=True)
    path = data / "games.sqlite"
    try:
        held = lock(path.with_suffix(".lock"))
    except BusyError:
        _hand_over(data, source)
    else:
        try:
            _put(path, source)
        finally:
            held.close()
    return games


def _copy(source: Path, target: Path) -> None:
    """SQLite's own copy: consistent although others write, and one file without a journal."""
    base = schema.reading(source)
    try:
        copy = sqlite3.connect(target)
        try:
            base.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            found = schema.problems(copy)
        finally:
            copy.close()
    finally:
        base.close()
    if found:
        raise StoreError(f"{source}: the database is damaged: {found[0]}")


def _games(path: Path) -> int:
    base = schema.reading(path)
    try:
        return int(base.execute("SELECT count(*) FROM games").fetchone()[0])
    finally:
        base.close()


def kept_aside(path: Path) -> Path:
    """The name for what stood there before a restoration."""
    return path.with_name(f"{path.stem}-before-{time.strftime('%Y%m%d-%H%M%S')}.backup.sqlite")


def _put(path: Path, source: Path) -> None:
    """Without a server: the old file goes aside, damaged or not, the new one in its place.

    Only when the new one is whole on the disk: a full disk must leave the old one where it was.
    """
    part = _part(path.parent, source)
    if path.exists():
        aside = kept_aside(path)
        os.replace(path, aside)
        for ending in ("-wal", "-shm"):
            old = path.with_name(path.name + ending)
            if old.exists():
                os.replace(old, aside.with_name(aside.name + ending))
    os.replace(part, path)
    path.with_suffix(".id").unlink(missing_ok=True)  # the next start writes the new one


def _part(data: Path, source: Path) -> Path:
    """A copy of the backup in the server's directory, synced; nothing is left if it fails."""
    part = data / "restore.part"
    try:
        shutil.copyfile(source, part)
        with part.open("rb") as file:
            os.fsync(file.fileno())
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{data}: not restored: {error.strerror}") from None
    return part


def _hand_over(data: Path, source: Path) -> None:
    handed, refused = data / HANDED, data / REFUSED
    refused.unlink(missing_ok=True)
    os.replace(_part(data, source), handed)
    end = time.monotonic() + PATIENCE
    while handed.exists():
        if time.monotonic() > end:
            handed.unlink(missing_ok=True)
            raise StoreError(f"{data}: the server did not take the backup")
        time.sleep(0.1)
    if refused.exists():
        reason = refused.read_text() or "the server could not take it over; its log says why"
        refused.unlink()
        raise StoreError(f"{source}: {reason}")


class Upkeep:
    """The running server's side: it looks for a backup that was handed over."""

    def __init__(self, store: Store, hall: Hall, connections: Connections) -> None:
        self._store, self._hall, self._connections = store, hall, connections
        self._data = store.path.parent

    async def watch(self, pause: float = 0.5) -> None:
        """Looks until it is cancelled."""
        while True:
            await asyncio.sleep(pause)
            handed = self._data / HANDED
            if handed.exists():
                await self._take(handed)

    async def _take(self, handed: Path) -> None:
        log.warning("restoring a backup")
        self._connections.close_all("restored")
        await self._connections.wait_for_none(5.0)
        await self._hall.forget_all()
        try:
            await self._store.restore(handed, kept_aside(self._store.path))
        except (sqlite3.Error, schema.DamageError, OSError) as error:
            text = explain(error) if isinstance(error, sqlite3.Error) else str(error)
            log.error("not restored: %s", text)
            with suppress(OSError):  # a full disk may have room for the name alone
                (self._data / REFUSED).write_text(text)
        finally:  # whatever happened: the visitors may come back
            await self._hall.forget_all()
            handed.unlink(missing_ok=True)
            self._connections.reopen()

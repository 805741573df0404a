"""Whole files in blocks of whole games: the core works on each without the interpreter's lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from cotulenh._core import pgn as _core
from cotulenh.pgn._file import Source, open_source
from cotulenh.pgn._read import MOST_BYTES, Problem, Where

__all__ = ["Block", "blocks", "game_of", "on_threads", "problems_of"]

T = TypeVar("T")
SIZE = 1 << 22


class Block(NamedTuple):
    """Some whole games of a file: their text, where it begins, and what was wrong before it."""

    text: bytes
    offset: int
    line: int  # lines that ended before it
    problems: tuple[Problem, ...] = ()


def blocks(where: Where | Source, encoding: str | None = None, size: int = SIZE) -> Iterator[Block]:
    """A file in pieces of about so many bytes that begin and end between games.

    A game of more than 64 MiB is cut there, and the problem reported with the next block.
    """
    source = where if isinstance(where, Source) else open_source(where, encoding)
    try:
        yield from _cut(source, size)
    finally:
        source.close()


def _cut(source: Source, usual: int) -> Iterator[Block]:
    buffer, offset, line, size = b"", 0, 0, usual
    problems: list[Problem] = []
    skipping = ended = False
    while not ended or (buffer and not skipping):  # games may follow one that was passed over
        while len(buffer) < size and not ended:
            more, failed = _read(source, size)
            if failed:
                lines, column = buffer.count(b"\n"), len(buffer) - buffer.rfind(b"\n")
                at = offset + len(buffer)
                problems.append(Problem(source.name, 0, line + lines + 1, column, at, failed, True))
            buffer += more
            ended = not more
        if skipping:  # on to the next game that begins with an Event
            end = buffer.find(b"\n[Event ") + 1
            skipping = not end
            end = end or max(0, len(buffer) - 8)
        elif not ended and len(buffer) > MOST_BYTES:
            end, skipping = len(buffer), True
            reason = f"a game of more than {MOST_BYTES >> 20} MiB"
            problems.append(Problem(source.name, 0, line + 1, 1, offset, reason, True))
        else:
            end = len(buffer) if ended else _core.whole_games(buffer)
            if end or problems:
                yield Block(buffer[:end], offset, line, tuple(problems))
                problems = []
        line += buffer.count(b"\n", 0, end)
        buffer, offset = buffer[end:], offset + end
        # One long game: the more there is, the more is read, so that the work stays linear.
        size = usual if end else 2 * len(buffer)
    if problems:
        yield Block(b"", offset, line, tuple(problems))


def _read(source: Source, size: int) -> tuple[bytes, str]:
    """The next bytes, or none and why."""
    try:
        return source.read(size), ""
    except (OSError, EOFError, ValueError) as error:
        return b"", f"the file cannot be read on: {error}"


def game_of(block: Block, table: _core.Variants) -> str | None:
    """The name of the first game's game; nothing if there is no game."""
    end = 0
    while True:
        status, start, _, end = _core.find(block.text, end, True)
        if status:
            return None
        reading = _core.read_game(table, block.text, start, end)
        if reading[9]:
            return reading[2] or "chess"


def on_threads(
    work: Callable[[Block], T], parts: Iterator[Block], threads: int = 1
) -> Iterator[tuple[Block, T]]:
    """The work done on each block, in the file's order, on so many threads at a time."""
    if threads <= 1:
        for block in parts:
            yield block, work(block)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[tuple[Block, Future[T]]] = deque()
        try:
            for block in parts:
                waiting.append((block, pool.submit(work, block)))
                if len(waiting) > threads + 1:
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        finally:
            for _, future in waiting:
                future.cancel()


def problems_of(
    name: str, block: Block, notes: list[tuple[int, int, str, bool]], games: int
) -> Iterator[Problem]:
    """The problems of a block's games; ``games`` came before it in the file."""
    line, counted = block.line, 0
    for game, at, reason, fatal in sorted(notes, key=lambda note: note[1]):
        line += block.text.count(b"\n", counted, at)
        counted = at
        start = block.text.rfind(b"\n", 0, at) + 1
        yield Problem(
            name, games + game + 1, line + 1, at - start + 1, block.offset + at, reason, fatal
        )

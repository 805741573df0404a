"""Files of games on the command line: which they are, and a bar over the work on them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TypeVar

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cotulenh._core import pgn as _core
from cotulenh.cli._games import errors_console
from cotulenh.games import check_name
from cotulenh.pgn._blocks import Block, blocks, on_threads
from cotulenh.pgn._read import variants

__all__ = ["Files", "files_argument", "game_option", "watching"]

T = TypeVar("T")
_EVERY = 0.1  # seconds between two looks at the bar


def _game(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    return value if value is None else check_name(value)


game_option = click.option(
    "-g",
    "--game",
    callback=_game,
    metavar="NAME",
    help="Which game it is when the tags do not say: chess or a rule set.",
)
files_argument = click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    metavar="FILE...",
)


class Files:
    """The files a verb was given, read in blocks; "-" is standard input."""

    def __init__(self, names: tuple[str, ...], game: str | None, encoding: str | None) -> None:
        self.names, self.encoding = names, encoding
        self.variants, self.rules = variants(game)
        #: The name of the game, of the first game if nobody said it.
        self.game: str | None = game

    def each(
        self, work: Callable[[Block], T], threads: int = 1
    ) -> Iterator[tuple[str, Iterator[tuple[Block, T]]]]:
        """Each file and the work done on its blocks in order, under a bar if somebody watches."""
        for name in self.names:
            with click.open_file(name, "rb") as file, watching(file) as look:
                shown = getattr(file, "name", "-")
                yield (
                    (shown if isinstance(shown, str) else "-"),
                    self._work(file, work, threads, look, name),
                )

    def _blocks(self, file: IO[bytes]) -> Iterator[Block]:
        for block in blocks(file, self.encoding):
            if self.game is None:
                _, start, _, end = _core.find(block.text, 0, True)
                self.game = _core.read_game(self.variants, block.text, start, end)[2] or "chess"
            yield block

    def _work(
        self,
        file: IO[bytes],
        work: Callable[[Block], T],
        threads: int,
        look: Callable[[int], None],
        name: str,
    ) -> Iterator[tuple[Block, T]]:
        try:
            for block, done in on_threads(work, self._blocks(file), threads):
                look(len(block.text))
                yield block, done
        except ImportError as error:  # Zstandard is an extra
            raise click.ClickException(f"{name}: {error}") from None


@contextmanager
def watching(file: IO[bytes]) -> Iterator[Callable[[int], None]]:
    """A bar over the bytes of a file, with rate and time left; nothing if nobody watches."""
    if not sys.stderr.isatty():
        yield lambda _bytes: None
        return
    total = file.seek(0, 2) if file.seekable() else None
    if total is not None:
        file.seek(0)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=10),
        TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[rate]:.1f} MB/s"),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    # Only a terminal's standard output may be led through the bar, which keeps the two apart there.
    mixed = sys.stdout.isatty()
    with Progress(*columns, console=errors_console(), transient=True, redirect_stdout=mixed) as bar:
        task = bar.add_task(_short(str(getattr(file, "name", "-"))), total=total, rate=0.0)
        started = last = time.perf_counter()
        done = 0

        def look(more: int) -> None:
            nonlocal done, last
            done += more
            now = time.perf_counter()
            if now - last >= _EVERY:
                last = now
                at = file.tell() if total is not None else 0  # packed files: the packed bytes
                bar.update(task, completed=at, rate=done / 1e6 / (now - started))

        yield look


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"…{name[-23:]}"

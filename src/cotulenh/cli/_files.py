"""Files of games on the command line: which they are, and a bar over the work on them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TypeAlias, TypeVar

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cotulenh import pgn
from cotulenh.cli._games import errors_console
from cotulenh.game import Game
from cotulenh.games import check_name
from cotulenh.pgn import Problem
from cotulenh.pgn._blocks import Block, blocks, game_of, on_threads
from cotulenh.pgn._file import Source, open_source
from cotulenh.pgn._read import variants
from cotulenh.rules import Rules

__all__ = ["Files", "check_output", "files_argument", "game_option", "threads_option"]

T = TypeVar("T")
Look: TypeAlias = "Callable[[int, int, int], None]"
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
threads_option = click.option(
    "-j",
    "--threads",
    type=click.IntRange(1, 256),
    default=lambda: os.cpu_count() or 1,
    help="Threads; without it, one for each processor.",
)
files_argument = click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    metavar="FILE...",
)


class Files:
    """The files a verb was given, read in blocks or game by game; "-" is standard input."""

    def __init__(self, names: tuple[str, ...], game: str | None, encoding: str | None) -> None:
        self.names, self.encoding, self._rules = names, encoding, game
        self.variants, _ = variants(game)
        #: The name of the game, of the first game if nobody said it; a rules file has one too.
        self.game = Rules.load(game).name if game not in (None, "chess") else game
        #: Whether a file could not be read to its end.
        self.damaged = False

    def each(
        self,
        work: Callable[[Block], T],
        threads: int = 1,
        tell: Callable[[Problem], None] | None = None,
    ) -> Iterator[tuple[str, Iterator[tuple[Block, T]]]]:
        """Each file and the work done on its blocks in order, under a bar if somebody watches.

        What is wrong with a file itself is told, on standard error if nobody else wants it.
        """
        for name in self.names:
            with self._open(name) as (file, look):
                source = open_source(file, self.encoding)
                yield source.name, self._work(source, work, threads, tell or self._tell, look)

    def games(self) -> Iterator[Game]:
        """All games, kept as far as they could be read."""
        for name in self.names:
            with self._open(name) as (file, look):
                reader = pgn.read(
                    file,
                    rules=self._rules,
                    errors="keep",
                    encoding=self.encoding,
                    on_problem=lambda problem: None if problem.game else self._tell(problem),
                )
                for count, game in enumerate(reader, 1):
                    yield game
                    look(*reader.progress, count)

    def _tell(self, problem: Problem) -> None:
        self.damaged = True
        click.echo(str(problem), err=True)

    @contextmanager
    def _open(self, name: str) -> Iterator[tuple[IO[bytes], Look]]:
        try:
            with click.open_file(name, "rb") as file, watching(file) as look:
                yield file, look
        except ImportError as error:  # Zstandard is an extra
            raise click.ClickException(f"{name}: {error}") from None

    def _blocks(self, source: Source) -> Iterator[Block]:
        for block in blocks(source):
            if self.game is None:
                self.game = game_of(block, self.variants)
            yield block

    def _work(
        self,
        source: Source,
        work: Callable[[Block], T],
        threads: int,
        tell: Callable[[Problem], None],
        look: Look,
    ) -> Iterator[tuple[Block, T]]:
        for block, done in on_threads(work, self._blocks(source), threads):
            for problem in block.problems:
                tell(problem)
            yield block, done
            look(block.offset + len(block.text), source.given, 0)


def check_output(output: str, files: tuple[str, ...]) -> None:
    """Nobody wants the file overwritten that is being read."""
    if output == "-" or not os.path.exists(output):
        return
    for name in files:
        if name != "-" and os.path.samefile(name, output):
            raise click.UsageError(f"{output}: expected another file than the one that is read")


@contextmanager
def watching(file: IO[bytes]) -> Iterator[Look]:
    """A bar over the bytes of a file, with rate and time left; nothing if nobody watches."""
    if not sys.stderr.isatty():
        yield lambda _done, _given, _games: None
        return
    total = file.seek(0, 2) if file.seekable() else None
    if total is not None:
        file.seek(0)
    columns = [TextColumn("{task.description}"), BarColumn(bar_width=10)]
    if total is not None:
        columns.append(TextColumn("{task.percentage:>3.0f}%"))
    columns.append(TextColumn("{task.fields[rate]}"))
    if total is not None:
        columns += [TimeRemainingColumn(compact=True), TextColumn("left")]
    # Only a terminal's standard output may be led through the bar, which keeps the two apart there.
    mixed = sys.stdout.isatty()
    with Progress(*columns, console=errors_console(), transient=True, redirect_stdout=mixed) as bar:
        task = bar.add_task(_short(str(getattr(file, "name", "-"))), total=total, rate="")
        started = last = time.perf_counter()

        def look(done: int, given: int, games: int) -> None:
            """So many bytes are done of those that were given, unpacked; so many games, or 0."""
            nonlocal last
            now = time.perf_counter()
            if now - last >= _EVERY:
                last = now
                # Of a packed file the packed bytes count, of any the part that is done.
                at = file.tell() * done // max(1, given) if total is not None else 0
                bar.update(task, completed=at, rate=_rate(done, games, now - started))

        yield look


def _rate(done: int, games: int, seconds: float) -> str:
    rate = f"{done / 1e6 / seconds:.1f} MB/s"
    return f"{games / seconds:.1f} games/s, {rate}" if games else rate


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"…{name[-23:]}"

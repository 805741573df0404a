"""``cotulenh pgn``: what is in files of games, and what is wrong with them."""

from __future__ import annotations

import codecs
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import IO, Any

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cotulenh import pgn
from cotulenh.board import Board
from cotulenh.cli._common import as_json, print_json
from cotulenh.cli._games import errors_console
from cotulenh.game import Game
from cotulenh.games import names
from cotulenh.rules import Rules

__all__ = ["verb"]

_EVERY = 0.1  # seconds between two looks at the bar
_COMMON = 5  # how many first moves are listed


@click.group("pgn")
def verb() -> None:
    """Check and count the games of PGN files, of any size, .gz and .zst included.

    \b
    cotulenh pgn check games.pgn more.pgn.zst
    cotulenh pgn stats games.pgn --json
    zcat games.pgn.gz | cotulenh pgn stats -
    """  # noqa: D301  (click reads the sign)


def _game(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and value not in names():
        Rules.load(value)  # a file of one's own: refused here with its reason
    return value


def _encoding(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> str | None:
    try:
        return value if value is None else codecs.lookup(value).name
    except LookupError:
        raise click.BadParameter(f"no such encoding: {value!r}") from None


def _file_options(function: Any) -> Any:
    for option in (
        as_json,
        click.option("--encoding", callback=_encoding, help="Of the files; without it, UTF-8."),
        click.option(
            "-g",
            "--game",
            callback=_game,
            metavar="NAME",
            help="Which game it is when the tags do not say: chess or a rule set.",
        ),
        click.argument(
            "files",
            nargs=-1,
            required=True,
            type=click.Path(exists=True, dir_okay=False, allow_dash=True),
            metavar="FILE...",
        ),
    ):
        function = option(function)
    return function


@verb.command("check")
@_file_options
def check(files: tuple[str, ...], game: str | None, encoding: str | None, as_json: bool) -> int:
    """Report every problem of FILEs as file:line:column: reason.

    A bad game is passed over and reading goes on with the next. "-" is standard input. Exit
    status 1 if there is any problem.
    """
    found: list[pgn.Problem] = []

    def tell(problem: pgn.Problem) -> None:
        found.append(problem)
        if not as_json:
            click.echo(str(problem))

    started, games = time.perf_counter(), 0
    for _ in _games(files, game, encoding, tell):
        games += 1
    seconds = time.perf_counter() - started
    if as_json:
        problems = [asdict(problem) for problem in found]
        print_json({"games": games, "problems": problems, "seconds": round(seconds, 6)})
    else:
        rate = games / max(seconds, 1e-9)
        summary = f"{_many(games, 'good game')}, {_many(len(found), 'problem')}"
        click.echo(f"{summary}; {seconds:.2f} s, {rate:.0f} games/s", err=True)
    return 1 if found else 0


@verb.command("stats")
@_file_options
def stats(files: tuple[str, ...], game: str | None, encoding: str | None, as_json: bool) -> None:
    """Count the games of FILEs: results, lengths, players, first moves.

    Bad games are passed over and counted; "cotulenh pgn check" tells what is wrong with them.
    """
    totals = _Totals()
    problems = 0

    def tell(_problem: pgn.Problem) -> None:
        nonlocal problems
        problems += 1

    for one in _games(files, game, encoding, tell):
        totals.add(one)
    values = {**totals.values(), "problems": problems}
    if as_json:
        print_json(values)
        return
    for name, value in values.items():
        click.echo(f"{name.replace('_', ' '):<12}{_shown(value, totals.games)}")


@dataclass
class _Totals:
    """What the games of all files add up to."""

    games: int = 0
    turns: int = 0
    shortest: int | None = None
    longest: int = 0
    variants: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    players: Counter[str] = field(default_factory=Counter)
    firsts: Counter[str] = field(default_factory=Counter)

    def add(self, game: Game) -> None:
        """One more game."""
        turns = len(game)
        self.games += 1
        self.turns += turns
        self.shortest = turns if self.shortest is None else min(self.shortest, turns)
        self.longest = max(self.longest, turns)
        self.results[game.result] += 1
        board = game.board()
        self.variants[board.rules.name if isinstance(board, Board) else "chess"] += 1
        for tag in ("Red", "Blue") if isinstance(board, Board) else ("White", "Black"):
            if (name := game.tags.get(tag, "?")) not in ("", "?"):
                self.players[name] += 1
        if turns and "FEN" not in game.tags:
            self.firsts[_first(game, board)] += 1

    def values(self) -> dict[str, Any]:
        """The totals as plain values."""
        return {
            "games": self.games,
            "variants": dict(self.variants.most_common()),
            "results": dict(self.results.most_common()),
            "turns": self.turns,
            "mean": round(self.turns / self.games, 1) if self.games else 0,
            "shortest": self.shortest or 0,
            "longest": self.longest,
            "players": len(self.players),
            "first_moves": dict(self.firsts.most_common(_COMMON)),
        }


def _first(game: Game, board: Any) -> str:
    """The first turn in short notation."""
    steps = game.turns()[0]
    if len(steps) == 1:
        return str(board.san(steps[0]))
    for move in steps:
        board.push(move)
    return str(board.history()[0])


def _games(
    files: tuple[str, ...],
    game: str | None,
    encoding: str | None,
    tell: Callable[[pgn.Problem], None],
) -> Iterator[Game]:
    """The games of all files, under a bar that shows how far the reading is."""
    for name in files:
        with click.open_file(name, "rb") as file, _watching(file) as look:

            def report(problem: pgn.Problem, look: Callable[[int], None] = look) -> None:
                look(0)
                tell(problem)

            try:
                reader = pgn.read(file, rules=game, encoding=encoding, on_problem=report)
            except ImportError as error:  # Zstandard is an extra
                raise click.ClickException(f"{name}: {error}") from None
            for one in reader:
                look(1)
                yield one


@contextmanager
def _watching(file: IO[bytes]) -> Iterator[Callable[[int], None]]:
    """A bar over the bytes of a file with games and their rate; nothing if nobody watches."""
    if not sys.stderr.isatty():
        yield lambda _more: None
        return
    total = file.seek(0, 2) if file.seekable() else None
    if total is not None:
        file.seek(0)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=10),
        TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[games]} games {task.fields[rate]:.0f}/s"),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    # Only a terminal's standard output may be led through the bar, which keeps the two apart there.
    mixed = sys.stdout.isatty()
    with Progress(*columns, console=errors_console(), transient=True, redirect_stdout=mixed) as bar:
        task = bar.add_task(_short(str(getattr(file, "name", "-"))), total=total, games=0, rate=0.0)
        started = last = time.perf_counter()
        games = 0

        def look(more: int) -> None:
            nonlocal games, last
            games += more
            now = time.perf_counter()
            if now - last >= _EVERY:
                last = now
                done = file.tell() if total is not None else 0
                bar.update(task, completed=done, games=games, rate=games / (now - started))

        yield look


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"…{name[-23:]}"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _shown(value: Any, games: int) -> str:
    if not isinstance(value, dict):
        return str(value)
    parts = (f"{name} {count} ({100 * count / games:.0f} %)" for name, count in value.items())
    return ", ".join(parts) or "-"

"""``cotulenh pgn``: what is in files of games, what is wrong with them, and work on them."""

from __future__ import annotations

import codecs
import time
from collections import Counter
from dataclasses import asdict
from typing import Any

import click

from cotulenh._core import pgn as _core
from cotulenh.cli import pgn_tools
from cotulenh.cli._common import as_json, print_json
from cotulenh.cli._files import Files, files_argument, game_option, threads_option
from cotulenh.pgn import Problem
from cotulenh.pgn._blocks import Block, problems_of

__all__ = ["verb"]

_COMMON = 5  # how many first moves are listed


@click.group("pgn")
def verb() -> None:
    """Check, count, filter and convert the games of PGN files, .gz and .zst included.

    \b
    cotulenh pgn check games.pgn more.pgn.zst
    cotulenh pgn stats games.pgn --json
    zcat games.pgn.gz | cotulenh pgn stats -
    cotulenh pgn filter games.pgn --tag White=Anna --result 1-0 -o won.pgn
    """  # noqa: D301  (click reads the sign)


for _tool in pgn_tools.TOOLS:
    verb.add_command(_tool)


def _encoding(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> str | None:
    try:
        return value if value is None else codecs.lookup(value).name
    except LookupError:
        raise click.BadParameter(f"expected an encoding, got {value!r}") from None


def _file_options(function: Any) -> Any:
    for option in (
        as_json,
        threads_option,
        click.option("--encoding", callback=_encoding, help="Of the files; without it, UTF-8."),
        game_option,
        files_argument,
    ):
        function = option(function)
    return function


@verb.command("check")
@_file_options
def check(
    files: tuple[str, ...], game: str | None, encoding: str | None, threads: int, as_json: bool
) -> int:
    """Report every problem of FILEs as file:line:column: reason.

    What can be understood all the same is read; a game whose moves cannot be played is passed
    over. "-" is standard input. Exit status 1 if there is any problem.
    """
    found: list[Problem] = []
    problems = 0

    def tell(problem: Problem) -> None:
        nonlocal problems
        problems += 1
        if as_json:
            found.append(problem)
        else:
            click.echo(str(problem))

    started = time.perf_counter()
    totals = _scan(Files(files, game, encoding), threads, tell)
    seconds = time.perf_counter() - started
    if as_json:
        listed = [_place(problem) for problem in found]
        print_json(
            {
                "games": totals.games,
                "good": totals.good,
                "lost": totals.lost,
                "problems": listed,
                "seconds": round(seconds, 6),
            }
        )
    else:
        rate = (totals.games + totals.lost) / max(seconds, 1e-9)
        summary = f"{_many(totals.good, 'good game')}, {_many(problems, 'problem')}"
        click.echo(f"{summary}; {seconds:.2f} s, {rate:.0f} games/s", err=True)
    return 1 if problems else 0


@verb.command("stats")
@_file_options
def stats(
    files: tuple[str, ...], game: str | None, encoding: str | None, threads: int, as_json: bool
) -> int:
    """Count the games of FILEs: results, lengths, players, first moves.

    Bad games are passed over and counted; "cotulenh pgn check" tells what is wrong with them.
    Exit status 1 if a file could not be read to its end.
    """
    problems = status = 0

    def tell(problem: Problem) -> None:
        nonlocal problems, status
        problems += 1
        if problem.game == 0:
            status = 1
            click.echo(str(problem), err=True)

    totals = _scan(Files(files, game, encoding), threads, tell)
    values = {**_values(totals), "problems": problems}
    if as_json:
        print_json(values)
    else:
        for name, value in values.items():
            click.echo(f"{name.replace('_', ' '):<12}{_shown(value, totals.games)}")
    return status


def _scan(files: Files, threads: int, tell: Any) -> _core.Totals:
    """What the games of all files add up to, counted in the core."""
    totals = _core.Totals()

    def work(block: Block) -> tuple[_core.Totals, int, list[tuple[int, int, str, bool]]]:
        return _core.scan(files.variants, block.text)

    for name, results in files.each(work, threads, tell):
        games = 0
        for block, (part, count, notes) in results:
            for problem in problems_of(name, block, notes, games):
                tell(problem)
            games += count
            totals.merge(part)
    return totals


def _values(totals: _core.Totals) -> dict[str, Any]:
    """The totals as plain values."""
    return {
        "games": totals.games,
        "variants": _common(totals.variants),
        "results": _common(totals.results),
        "turns": totals.turns,
        "mean": round(totals.turns / totals.games, 1) if totals.games else 0,
        "shortest": totals.shortest,
        "longest": totals.longest,
        "players": totals.players,
        "first_moves": _common({k: sum(v) for k, v in totals.openings.items()}, _COMMON),
    }


def _common(counts: dict[str, int], most: int | None = None) -> dict[str, int]:
    return dict(Counter(counts).most_common(most))


def _place(problem: Problem) -> dict[str, Any]:
    """Where and why; whether it is fatal shows in the number of games that were lost."""
    values = asdict(problem)
    del values["fatal"]
    return values


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _shown(value: Any, games: int) -> str:
    if not isinstance(value, dict):
        return str(value)
    parts = (f"{name} {count} ({100 * count / games:.0f} %)" for name, count in value.items())
    return ", ".join(parts) or "-"

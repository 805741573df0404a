"""``cotulenh puzzles``: finds tactics in games and proves them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cotulenh import games
from cotulenh.cli._common import as_json
from cotulenh.cli._games import game_option_of
from cotulenh.cli._runs import cluster_option, drive, run_option, workers_option

if TYPE_CHECKING:
    from cotulenh.engine.puzzles import Puzzle

__all__ = ["verb"]


@click.command("puzzles")
@click.argument("source", metavar="[GAMES.pgn]", required=False, type=click.Path(path_type=Path))
@game_option_of("official")
@click.option("--games", "count", type=click.IntRange(1), default=10, show_default=True)
@click.option("--first", type=click.IntRange(0), default=0, help="Number of the first game.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the engine's own games.")
@click.option("--check", is_flag=True, help="Prove a file of puzzles anew.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Append to this file.")
@run_option
@cluster_option
@workers_option
@as_json
def verb(
    source: Path | None,
    game: str,
    count: int,
    first: int,
    seed: int,
    check: bool,
    output: Path | None,
    directory: Path | None,
    cluster: str,
    workers: int | None,
    as_json: bool,
) -> int:
    """Find positions with one best turn by a clear margin, and prove them by search.

    Without a file the engine plays against itself. One JSON line a puzzle: FEN, goal, the solution
    turn by turn, themes, a first rating. A seed gives the same puzzles everywhere.
    """
    name = games.check_name(game)
    if check and source is None:
        raise click.UsageError("--check needs a file of puzzles")
    if directory is not None:
        return _run(source, name, directory, cluster, workers, as_json=as_json)
    if source is None:
        found = _self_play(name, seed, range(first, first + count))
    else:
        found = _anew(source, name) if check else _of_file(source, name)
    with click.open_file(str(output or "-"), "a" if output else "w") as lines:
        for puzzle in found:
            lines.write(puzzle.to_json() + "\n")
            lines.flush()
    return 0


def _run(
    source: Path | None,
    name: str,
    directory: Path,
    cluster: str,
    workers: int | None,
    *,
    as_json: bool,
) -> int:
    from cotulenh.cluster import PuzzlesJob, game_name

    if source is None:
        raise click.UsageError("--run needs a file of games")
    job = PuzzlesJob(game_name(name), str(source))
    return drive(
        job,
        directory,
        cluster,
        workers,
        as_json=as_json,
        tell=lambda found: f"{found['count']} puzzles in {directory}",
    )


def _self_play(name: str, seed: int, numbers: range) -> Iterator[Puzzle]:
    from cotulenh.engine.tactics import Finder

    finder = Finder(name, seed)
    try:
        for number in numbers:
            yield from finder.game(number)
    finally:
        finder.close()


def _of_file(source: Path, name: str) -> Iterator[Puzzle]:
    from cotulenh import pgn
    from cotulenh.engine.tactics import find

    for game in pgn.read(source, rules=name):
        known = "chess" if game.rules is None else game.rules.name
        fen: Any = game.tags.get("FEN")
        yield from find(known, fen, _texts(game))


def _texts(game: Any) -> list[str]:
    """The single moves of the main line as protocols write them."""
    return games.line_text(game.board(), game.moves())


def _anew(source: Path, name: str) -> Iterator[Puzzle]:
    from cotulenh.engine.puzzles import read_line
    from cotulenh.engine.tactics import Finder

    finder = Finder(name, 0)
    try:
        for number, line in enumerate(source.read_bytes().splitlines(), 1):
            try:
                puzzle = finder.prove(read_line(name, line.decode("utf-8")).fen)
            except ValueError as error:
                raise ValueError(f"{source}:{number}: {error}") from None
            if puzzle is not None:
                yield puzzle
    finally:
        finder.close()

"""``cotulenh analyse``: what the engine thinks of a position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.live import Live
from rich.table import Table

from cotulenh.cli._common import as_json, print_json
from cotulenh.cli._games import (
    board_of,
    fen_option,
    game_option,
    hash_option,
    limit_of,
    limit_options,
    threads_option,
)
from cotulenh.cli._runs import cluster_option, drive, run_option, workers_option
from cotulenh.engine import Engine, Info, Score
from cotulenh.games import AnyBoard, AnyMove, end, end_text, line_text, side_name

__all__ = ["verb"]


@click.command("analyse")
@click.argument("moves", nargs=-1)
@fen_option
@game_option
@limit_options
@click.option("-n", "--multipv", "lines", type=click.IntRange(1, 500), default=1, show_default=True)
@threads_option
@hash_option
@run_option
@cluster_option
@workers_option
@as_json
def verb(
    moves: tuple[str, ...],
    fen: str | None,
    game: str,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    lines: int,
    threads: int,
    hash_mb: int,
    directory: Path | None,
    cluster: str,
    workers: int | None,
    as_json: bool,
) -> int:
    """Analyse the position after MOVES: best lines, scores, depth.

    With --run every turn of every game of a file is judged: cotulenh analyse GAMES.pgn --run DIR
    --nodes 20000 writes evaluations and marks as PGN and JSON lines.

    Scores are in hundredths of a pawn (of an Infantry) for the side to move, or turns to mate.
    Exit status 1: the game is over, there is nothing to analyse.
    """
    if directory is not None:
        limits = {"nodes": nodes, "depth": depth, "seconds": seconds}
        return _run(moves, game, limits, hash_mb, directory, cluster, workers, as_json=as_json)
    board = board_of(game, fen, moves)
    over = end(board)
    if over is not None:
        reason = end_text(over)
        if as_json:
            print_json({"fen": board.fen(), "result": over.result, "reason": reason})
        else:
            click.echo(f"the game is over: {over.result} ({reason})")
        return 1
    limit = limit_of(seconds, depth, nodes, 3.0)
    with Engine(threads=threads, hash_mb=hash_mb) as engine:
        infos: Any = engine.analyse(board, limit, lines)
        if as_json:
            for info in infos:
                print_json(for_machines(board, info))
        else:
            _show(board, infos)
    return 0


def _run(
    sources: tuple[str, ...],
    game: str,
    limits: dict[str, Any],
    hash_mb: int,
    directory: Path,
    cluster: str,
    workers: int | None,
    *,
    as_json: bool,
) -> int:
    from cotulenh.cluster import AnalyseJob, game_name

    if len(sources) != 1:
        raise ValueError(
            "expected one file of games with --run, got " + (" ".join(sources) or "none")
        )
    if not any(limits.values()):
        limits["nodes"] = 20_000
    job = AnalyseJob(game_name(game), sources[0], **limits, hash_mb=hash_mb)
    return drive(
        job,
        directory,
        cluster,
        workers,
        as_json=as_json,
        tell=lambda found: f"{found['games']} games, {found['turns']} turns in {directory}",
    )


def _show(board: AnyBoard, infos: Any) -> None:
    """A table that grows on a terminal, and is printed once where nobody watches."""
    console = Console()
    found: dict[int, Info[AnyMove]] = {}
    if console.is_terminal:
        with Live(console=console, auto_refresh=False) as live:
            for info in infos:
                _keep(found, info)
                live.update(_table(board, found), refresh=True)
        return
    for info in infos:
        _keep(found, info)
    click.echo(f"{side_name(board)} to move  {board.fen()}")
    for number, info in sorted(found.items()):
        line = " ".join(line_text(board, info.pv, "san"))
        words = f"depth {info.depth}  {score_text(info.score)}  {info.nodes} nodes"
        click.echo(f"{number}. {words}  {info.nps} nodes/s  {line}")


def _keep(found: dict[int, Info[AnyMove]], info: Info[AnyMove]) -> None:
    if info.bound is None or info.multipv not in found:
        found[info.multipv] = info


def _table(board: AnyBoard, found: dict[int, Info[AnyMove]]) -> Table:
    best = found[min(found)]
    title = f"{side_name(board)} to move · {best.nodes:,} nodes · {best.nps:,} nodes/s"
    table = Table(title=f"{title} · {best.time:.1f} s", box=None, title_justify="left")
    for heading in ("depth", "score", "line"):
        table.add_column(heading, justify="left" if heading == "line" else "right")
    for _, info in sorted(found.items()):
        pv = " ".join(line_text(board, info.pv, "san"))
        table.add_row(str(info.depth), score_text(info.score), pv)
    return table


def score_text(score: Score) -> str:
    """A score for people: +1.25, or #3."""
    return f"{(score.cp or 0) / 100:+.2f}" if score.mate is None else f"#{score.mate}"


def for_machines(board: AnyBoard, info: Info[AnyMove]) -> dict[str, Any]:
    """An info as JSON values."""
    return {
        "depth": info.depth,
        "seldepth": info.seldepth,
        "multipv": info.multipv,
        "cp": info.score.cp,
        "mate": info.score.mate,
        "bound": info.bound,
        "nodes": info.nodes,
        "nps": info.nps,
        "seconds": round(info.time, 3),
        "hashfull": info.hashfull,
        "pv": line_text(board, info.pv),
    }

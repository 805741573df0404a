"""``cotulenh analyse``: what the engine thinks of a position."""

from __future__ import annotations

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
    as_json: bool,
) -> int:
    """Analyse the position after MOVES: best lines, scores, depth.

    Scores are in hundredths of a pawn (of an Infantry) for the side to move, or turns to mate.
    Exit status 1: the game is over, there is nothing to analyse.
    """
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

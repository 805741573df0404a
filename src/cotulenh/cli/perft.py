"""``cotulenh perft``: counts the sequences of legal moves."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import click

from cotulenh.cli._common import as_json, print_json
from cotulenh.cli._games import board_of, fen_option, game_option, progress
from cotulenh.cli._runs import cluster_option, drive, run_option, workers_option
from cotulenh.cluster import PerftJob, game_name
from cotulenh.games import AnyBoard, move_text

__all__ = ["verb"]


@click.command("perft")
@click.argument("depth", type=click.IntRange(0, 30))
@click.argument("moves", nargs=-1)
@fen_option
@game_option
@click.option("--divide", is_flag=True, help="Also the count after each first move.")
@click.option("-t", "--threads", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option(
    "--hash",
    "hash_mb",
    type=click.IntRange(0, 65536),
    default=0,
    show_default=True,
    help="MiB for counts already known; 0: count everything.",
)
@click.option("--expect", type=int, help="Exit with status 1 unless this is the count.")
@run_option
@cluster_option
@workers_option
@click.option(
    "--split",
    type=click.IntRange(0, 6),
    help="A run lists the positions after so many moves, each once, and shares them out.",
)
@click.option("--twice", is_flag=True, help="A run counts each unit again with another hash seed.")
@as_json
def verb(
    depth: int,
    moves: tuple[str, ...],
    fen: str | None,
    game: str,
    divide: bool,
    threads: int,
    hash_mb: int,
    expect: int | None,
    directory: Path | None,
    cluster: str,
    workers: int | None,
    split: int | None,
    twice: bool,
    as_json: bool,
) -> int:
    """Count the sequences of DEPTH legal moves, after MOVES if any are given.

    A step of a deployment and the commit that ends it count as moves.
    """
    board = board_of(game, fen, moves)
    if directory is not None:
        job = PerftJob(
            game=game_name(game),
            depth=depth,
            split=min(2, depth) if split is None else split,
            fen=board.fen() if fen or moves else None,
            twice=twice,
            hash_mb=hash_mb or 64,
        )
        return _run(job, directory, cluster, workers, expect, as_json=as_json)
    started = time.perf_counter()
    counts = _by_move(board, depth, threads, hash_mb) if divide or _watched(depth) else None
    total = sum(counts.values()) if counts is not None else _count(board, depth, threads, hash_mb)
    seconds = time.perf_counter() - started
    if as_json:
        found: dict[str, object] = {"fen": board.fen(), "depth": depth, "nodes": total}
        found["seconds"] = round(seconds, 6)
        if divide:
            found["divide"] = counts
        print_json(found)
    else:
        for text, nodes in (counts or {}).items() if divide else ():
            click.echo(f"{text}: {nodes}")
        rate = total / max(seconds, 1e-9) / 1e6
        click.echo(f"{total} sequences of {depth} moves, {seconds:.3f} s, {rate:.1f} million/s")
    return _verdict(expect, total)


def _verdict(expect: int | None, total: int) -> int:
    """Status 1, and both numbers, unless the count is the expected one."""
    if expect is None or expect == total:
        return 0
    click.echo(f"cotulenh: expected {expect}, counted {total}", err=True)
    return 1


def _run(
    job: PerftJob,
    directory: Path,
    cluster: str,
    workers: int | None,
    expect: int | None,
    *,
    as_json: bool,
) -> int:
    def tell(found: dict[str, Any]) -> str:
        words = f"{found['nodes']} sequences of {job.depth} moves, ledger {found['ledger']}"
        return "" if found["failed"] else words

    return drive(
        job,
        directory,
        cluster,
        workers,
        as_json=as_json,
        tell=tell,
        verdict=lambda found: _verdict(expect, int(found["nodes"])),
    )


def _watched(depth: int) -> bool:
    return depth > 1 and sys.stderr.isatty()


def _count(board: AnyBoard, depth: int, threads: int, hash_mb: int) -> int:
    return board.perft(depth, threads, hash_mb)


def _by_move(board: AnyBoard, depth: int, threads: int, hash_mb: int) -> dict[str, int]:
    if depth == 0:
        return {}
    counts, moves = {}, list(board.legal_moves)
    with progress("moves") as bar:
        task = bar.add_task("", total=len(moves))
        for move in moves:
            text = move_text(board, move)
            board.push(move)
            counts[text] = _count(board, depth - 1, threads, hash_mb)
            board.pop()
            bar.update(task, advance=1, description=text)
    return counts

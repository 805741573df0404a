"""``cotulenh bench``: a signature of the search, and its speed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from dataclasses import asdict
from typing import Any

import click

from cotulenh.cli._common import as_json, print_json
from cotulenh.engine import MAX_THREADS
from cotulenh.engine.bench import bench
from cotulenh.games import check_name, names

__all__ = ["verb"]

#: Programs of Debian to stand beside: their own bench of the same length.
OTHERS = ("stockfish", "fairy-stockfish")


@click.command("bench")
@click.argument("more", nargs=-1, metavar="[GAMES]...")
@click.option(
    "-g",
    "--game",
    "--rules",
    "games",
    metavar="NAME",
    multiple=True,
    help=f"{', '.join(names())}, or the path of a rules file. May be given again.",
)
@click.option(
    "-t",
    "--threads",
    type=click.IntRange(1, MAX_THREADS),
    multiple=True,
    help="May be given several times.  [default: 1]",
)
@click.option("--others", is_flag=True, help="Also Stockfish and fairy-stockfish, if installed.")
@click.option("--expect", help="Exit with status 1 unless this is the signature of one thread.")
@as_json
def verb(
    more: tuple[str, ...],
    games: tuple[str, ...],
    threads: tuple[int, ...],
    others: bool,
    expect: str | None,
    as_json: bool,
) -> int:
    """Search fixed positions of games (official and chess): node signature and nodes a second.

    With one thread the same nodes are searched on every machine, until the search is changed.
    """
    wanted = [check_name(name) for name in (*more, *games)] or ["official", "chess"]
    rows: list[dict[str, Any]] = []
    for count in threads or (1,):
        for found in bench(wanted, count):
            rows.append({**asdict(found), "nps": found.nps, "threads": count})
            if not as_json:
                _print(rows[-1])
    if others:
        for row in filter(None, map(_other, OTHERS)):
            rows.append(row)
            if not as_json:
                _print(row)
    if as_json:
        print_json(rows)
    single = [str(row["signature"]) for row in rows if row["threads"] == 1]
    if expect is None or expect in single:
        return 0
    click.echo(f"cotulenh: expected {expect}, got {', '.join(single)}", err=True)
    return 1


def _print(row: dict[str, Any]) -> None:
    head = f"{row['game']:<16} {row['threads']:>2} threads  {row['nodes']:>12,} nodes"
    speed = f"{row['nps']:>12,} nodes/s  {row['seconds']:>8.2f} s"
    click.echo(f"{head}  {speed}  signature {row['signature']}")


def _other(name: str) -> dict[str, Any] | None:
    """The bench of another program: it prints nodes and nodes a second to standard error."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/games")
    if path is None:
        return None
    started = time.perf_counter()
    try:
        done = subprocess.run(
            [path, "bench", "16", "1", "11"], capture_output=True, text=True, timeout=300
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    seconds = time.perf_counter() - started
    text = done.stderr + done.stdout
    nodes = re.search(r"Nodes searched\s*:\s*(\d+)", text)
    speed = re.search(r"Nodes/second\s*:\s*(\d+)", text)
    if nodes is None or speed is None:
        return None
    return {
        "game": name,
        "nodes": int(nodes[1]),
        "seconds": round(seconds, 3),
        "signature": nodes[1],
        "nps": int(speed[1]),
        "threads": 1,
    }

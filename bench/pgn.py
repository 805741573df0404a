"""MB and games per second of PGN files, beside the `chess` package, in one run for both games.

    python bench/pgn.py [--mb 8] [--file games.pgn] [--json]

Without a file, games of random moves are made: plain ones, and rich ones with clocks, evaluations
and a variation. `check` and `stats` are the commands' own work, in the core, on one thread and on
two; the other rows read the games in Python. One thread is measured in seconds of processor, two in
seconds of the clock, which says something on a quiet machine only. Memory is the most that a
process of its own needed beyond what it has when it is loaded.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cotulenh import Board, chess, pgn
from cotulenh._core import pgn as core
from cotulenh.game import Game
from cotulenh.pgn._blocks import blocks, on_threads
from cotulenh.pgn._read import variants

TIMES = 3


def random_game(seed, board, plies=80, rich=True):
    """A game of random legal moves; `rich` adds clocks, evaluations and a variation."""
    dice = random.Random(seed)
    start = board.copy()
    while len(board.history()) < plies and not board.is_game_over():
        board.push(dice.choice(list(board.legal_moves)))
    tags = {"Event": f"Random {seed}", "Site": "bench", "Round": str(seed), "Result": "*"}
    game = Game.from_board(board, tags)
    if rich:
        nodes = list(game.mainline())
        for i, node in enumerate(nodes):
            node.clock = max(0, 600 - 7 * i)
            node.eval = dice.randint(-300, 300)
        if nodes:
            turn = dice.choice(list(start.legal_moves))
            game.root.add(turn).nags.append(dice.randint(1, 6))
    return game


def write_games(path, kind, megabytes):
    """A few hundred games, again and again until the file is so large."""
    name, _, rich = kind.partition(" ")
    make = chess.Board if name == "chess" else Board
    some = [pgn.dumps(random_game(i, make(), rich=bool(rich))) + "\n" for i in range(200)]
    text = "".join(some).encode()
    with open(path, "wb") as file:
        for _ in range(max(1, round(megabytes * 1e6 / len(text)))):
            file.write(text)


def scan(path, threads):
    table, _ = variants()
    totals = core.Totals()
    for _, (part, _, _) in on_threads(lambda b: core.scan(table, b.text), blocks(path), threads):
        totals.merge(part)
    return totals.games


def read(path):
    return sum(1 for _ in pgn.read(path))


def read_nodes(path):
    return sum(1 for game in pgn.read(path) if game.root is not None)


def headers(path):
    return sum(1 for _ in pgn.headers(path))


def read_theirs(path):
    """The `chess` package, not bench/chess.py, which stands first in the path of this script."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != here]
    import chess.pgn

    games = 0
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors
            games += 1
    return games


#: What is measured: the work, and whether the chess package can do it too.
WORK = {
    "check/stats, 1 thread": lambda path: scan(path, 1),
    "check/stats, 2 threads": lambda path: scan(path, 2),
    "pgn.read": read,
    "pgn.read, tree of nodes": read_nodes,
    "pgn.headers": headers,
    "chess package": read_theirs,
}


def measure(name, path):
    """The best of a few runs: games, seconds."""
    clock = time.perf_counter if "2 threads" in name else time.process_time
    best, games = float("inf"), 0
    for _ in range(1 if name == "chess package" else TIMES):
        began = clock()
        games = WORK[name](path)
        best = min(best, clock() - began)
    return games, best


def peak():
    """The most MB this process had; what its parent had does not count."""
    for line in Path("/proc/self/status").read_text("ascii", "replace").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def memory_of(name, path):
    """MB that a process needs for the work beyond being loaded."""
    command = [sys.executable, __file__, "--memory", name, "--file", path]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def rows_of(kind, path, small):
    size = Path(path).stat().st_size / 1e6
    for name in WORK:
        theirs = name == "chess package"
        if theirs and kind.startswith("ctl"):
            continue
        file = small if theirs else path
        games, seconds = measure(name, file)
        mega = Path(file).stat().st_size / 1e6 if theirs else size
        yield {
            "file": kind,
            "work": name,
            "MB/s": round(mega / seconds, 2),
            "games/s": round(games / seconds),
            "memory MB": round(memory_of(name, file), 1),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mb", type=float, default=8)
    parser.add_argument("--file", help="a PGN file of chess games to read instead")
    parser.add_argument("--memory", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.memory:
        before = peak()
        WORK[options.memory](options.file)
        print(peak() - before)
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        kinds = [options.file] if options.file else ["chess", "chess rich", "ctl", "ctl rich"]
        for kind in kinds:
            path = small = kind
            if not options.file:
                path = str(Path(folder) / f"{kind}.pgn")
                small = str(Path(folder) / f"{kind}-small.pgn")
                write_games(path, kind, options.mb)
                write_games(small, kind, min(0.5, options.mb))
            rows += rows_of(kind, path, small)
    if options.json:
        print(json.dumps(rows))
        return
    print(f"{'file':12}{'work':26}{'MB/s':>9}{'games/s':>10}{'memory MB':>11}")
    for row in rows:
        print(
            f"{row['file'][-11:]:12}{row['work']:26}{row['MB/s']:9.2f}{row['games/s']:10}"
            f"{row['memory MB']:11.1f}"
        )


if __name__ == "__main__":
    main()

"""Nodes per second of the search, beside other engines on the same chess positions.

    python bench/search.py [--seconds 2] [--json] [--instructions] [--network FILE]
    python bench/search.py --wheels ONE.whl OTHER.whl [--pairs 12]

Both games with one and two threads; Stockfish and Fairy-Stockfish are asked over UCI if they are
installed. Each gets the same positions and the same time, one after the other in one run, so that
a busy machine slows all of them alike. ``cpu`` is the share of one core that we got meanwhile.
Last, what it costs to begin a search after so many plies of a game: a search of depth 1.
``--network`` judges Cờ Tư Lệnh by a network of one's own.

``--instructions`` counts the instructions of a node with valgrind instead: nothing that runs beside
it changes that number. ``--wheels`` compares two builds for this Python: the searches of `cotulenh
bench`, four plies deeper (chess one), by each in turn, in seconds of processor.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

from cotulenh import Board
from cotulenh import chess as our_chess
from cotulenh.engine import Engine, Limit
from cotulenh.engine import network as networks
from cotulenh.engine.bench import _BENCH

OTHERS = ("stockfish", "fairy-stockfish")


def positions(game):
    return _BENCH[game][1].strip().splitlines()


def ours(game, threads, seconds, network=None):
    """Nodes, seconds and processor time over all positions of a game."""
    nodes, spent, cpu = 0, 0.0, time.process_time()
    with Engine(threads=threads, hash_mb=64, network=network) as engine:
        for fen in positions(game):
            board = our_chess.Board(fen) if game == "chess" else Board(fen)
            engine.new_game()
            last = list(engine.analyse(board, Limit(time=seconds)))[-1]
            nodes += last.nodes
            spent += last.time
    return {
        "engine": "cotulenh",
        "game": game,
        "threads": threads,
        "nodes": nodes,
        "seconds": round(spent, 2),
        "nps": int(nodes / spent),
        "cpu": round((time.process_time() - cpu) / spent, 2),
    }


def other(command, threads, seconds):
    """The same of a UCI engine, by its last info line for each position."""
    with subprocess.Popen(
        [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as engine:

        def send(line):
            engine.stdin.write(line + "\n")

        send("uci")
        send(f"setoption name Threads value {threads}")
        send("setoption name Hash value 64")
        nodes, spent = 0, 0.0
        for fen in positions("chess"):
            send("ucinewgame")
            send(f"position fen {fen}")
            send(f"go movetime {int(seconds * 1000)}")
            seen = {}
            for line in engine.stdout:
                words = line.split()
                if words[:1] == ["bestmove"]:
                    break
                if words[:1] == ["info"] and "nodes" in words and "time" in words:
                    seen = {k: int(words[words.index(k) + 1]) for k in ("nodes", "time")}
            nodes += seen.get("nodes", 0)
            spent += seen.get("time", 0) / 1000
        send("quit")
    return {
        "engine": command.rsplit("/", 1)[-1],
        "game": "chess",
        "threads": threads,
        "nodes": nodes,
        "seconds": round(spent, 2),
        "nps": int(nodes / max(spent, 1e-3)),
    }


def after(game, plies):
    """A board with so many plies behind it: two knights, or two ships, go forth and back."""
    board = our_chess.Board() if game == "chess" else Board()
    lines = {"chess": "g1f3 g8f6 f3g1 f6g8", "official": "Nb2b3 Nb11b10 Nb3b2 Nb10b11"}
    while board.ply < plies:
        for text in lines[game].split():
            board.push(board.parse_uci(text) if game == "chess" else board.parse_lan(text))
    return board


def beginning(game, plies, times=300):
    """Microseconds from the call to the answer of a search of depth 1."""
    behind = after(game, plies)
    fresh = type(behind)(behind.fen())
    spent = {0: [], plies: []}
    with Engine(hash_mb=4) as engine:
        for _ in range(times):  # in turn, so that a busy machine slows both alike
            for depth, board in ((0, fresh), (plies, behind)):
                began = time.perf_counter()
                engine.play(board, Limit(depth=1))
                spent[depth].append(time.perf_counter() - began)
    return {
        "game": game,
        "plies": plies,
        "after_none_us": round(1e6 * statistics.median(spent[0])),
        "after_plies_us": round(1e6 * statistics.median(spent[plies])),
    }


#: Searches the positions of `cotulenh bench` less deeply by so many plies, and tells the nodes and
#: the seconds of processor.
SEARCHES = """
import os, sys
from cotulenh.engine import Engine, Limit
from cotulenh.engine.bench import _positions
depth, boards = _positions(sys.argv[1])
nodes = 0
with Engine(hash_mb=16) as engine:
    for board in boards:
        engine.new_game()
        nodes += engine.play(board, Limit(depth=depth - int(sys.argv[2]))).info.nodes
print(nodes, os.times().user)
"""


def instructions(game):
    """Instructions of a node: what the last plies of the bench take, without all that is around."""
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}"]
    taken, nodes = [], []
    for less in ("5", "0"):
        command = [*tool, sys.executable, "-c", SEARCHES, game, less]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        nodes.append(int(done.stdout.split()[0]))
        taken.append(int(re.search(r"Collected : (\d+)", done.stderr)[1]))
    per_node = (taken[1] - taken[0]) // (nodes[1] - nodes[0])
    return {"game": game, "nodes": nodes[1], "instructions_per_node": per_node}


def compare(wheels, pairs, game, less):
    """How many times as fast the other wheel searches: mean of all pairs and its error."""
    taken, nodes = ([], []), set()
    with tempfile.TemporaryDirectory() as folder:
        for i, wheel in enumerate(wheels):
            zipfile.ZipFile(wheel).extractall(f"{folder}/{i}")
        for number in range(2 * pairs):
            i = (number ^ number >> 1) & 1  # 0 1 1 0: neither is always the first
            command = [sys.executable, "-S", "-c", SEARCHES, game, less]  # not what is installed
            env = os.environ | {"PYTHONPATH": f"{folder}/{i}"}
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
            counted, seconds = done.stdout.split()
            nodes.add(int(counted))
            taken[i].append(float(seconds))
    if len(nodes) > 1:
        sys.exit(f"{game}: the wheels search other trees, of {sorted(nodes)} nodes")
    ratios = [one / other for one, other in zip(*taken, strict=True)]
    error = statistics.stdev(ratios) / len(ratios) ** 0.5
    return {"game": game, "nodes": nodes.pop(), "times": statistics.mean(ratios), "error": error}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="for each position")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--instructions", action="store_true", help="of a node, by valgrind")
    parser.add_argument("--network", metavar="FILE", help="that judges Cờ Tư Lệnh")
    parser.add_argument("--wheels", nargs=2, metavar="WHEEL", help="two builds to compare")
    parser.add_argument("--pairs", type=int, default=12, help="of runs, at least two")
    args = parser.parse_args()
    if args.network:
        try:
            judges = networks.load(args.network).game
        except networks.NetworkError as error:
            parser.error(str(error))
        if judges != "cotulenh":
            parser.error(f"{args.network}: expected a network of cotulenh, got one of {judges}")
    if args.wheels:
        for game, less in (("official", "-4"), ("chess", "-1")):
            row = compare(args.wheels, args.pairs, game, less)
            print(f"{game:9} {row['times']:.3f} times as fast, error {row['error']:.3f}")
        return
    if args.instructions:
        rows = [instructions(game) for game in ("official", "chess")]
        for row in () if args.json else rows:
            print(f"{row['game']:9} {row['instructions_per_node']:>6} instructions a node")
        if args.json:
            print(json.dumps(rows, indent=1))
        return
    rows = []
    for threads in (1, 2):
        rows.append(ours("official", threads, args.seconds, args.network))
        rows.append(ours("chess", threads, args.seconds))
        for name in OTHERS:
            command = shutil.which(name) or shutil.which(f"/usr/games/{name}")
            if command:
                rows.append(other(command, threads, args.seconds))
    starts = [beginning(game, 3000) for game in ("official", "chess")]
    if args.json:
        print(json.dumps([*rows, *starts], indent=1))
        return
    for row in rows:
        name = f"{row['engine']:16} {row['game']:9} {row['threads']} threads"
        share = f"  cpu {row['cpu']:.2f}" if "cpu" in row else ""
        print(f"{name} {row['nps']:>9} n/s{share}")
    for row in starts:
        none, many = row["after_none_us"], row["after_plies_us"]
        print(f"{row['game']:9} a search begins: {none} µs, after {row['plies']} plies {many} µs")


if __name__ == "__main__":
    main()

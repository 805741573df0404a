"""Games per second from a PGN file, against the `chess` package on the same file.

    python bench/pgn.py [--games 500] [--file games.pgn] [--json]

Without a file, games of random moves are made, with clocks in their comments and a variation now
and then. Both readers play every move of every line and keep comments and marks. This package
builds the objects of moves when they are asked for; the third line asks for them all.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from cotulenh import Board, chess, pgn
from cotulenh.game import Game

TIMES = 3


def random_game(seed, board, plies=80, rich=True):
    """A game of random legal moves; `rich` adds clocks, marks and a variation."""
    dice = random.Random(seed)
    start = board.copy()
    while len(board.history()) < plies and not board.is_game_over():
        board.push(dice.choice(list(board.legal_moves)))
    game = Game.from_board(board, {"Event": f"Random {seed}", "Round": str(seed)})
    if rich:
        nodes = list(game.mainline())
        for i, node in enumerate(nodes):
            node.clock = max(0, 600 - 7 * i)
        if nodes:
            turn = dice.choice(list(start.legal_moves))
            game.root.add(turn).nags.append(dice.randint(1, 6))
    return game


def measure(read):
    """The best of a few runs: games, seconds of this process (the machine may be busy)."""
    best, games = float("inf"), 0
    for _ in range(TIMES):
        began = time.process_time()
        games = read()
        best = min(best, time.process_time() - began)
    return games, best


def read_ours(path):
    return sum(1 for _ in pgn.read(path))


def read_ours_moves(path):
    return sum(1 for game in pgn.read(path) if game.moves() is not None)


def read_ours_nodes(path):
    return sum(1 for game in pgn.read(path) if game.root is not None)


def read_headers(path):
    return sum(1 for _ in pgn.headers(path))


def their_reader():
    """The `chess` package, not bench/chess.py, which stands first in the path of this script."""
    sys.path[:] = [
        p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent
    ]
    import chess.pgn

    return chess.pgn.read_game


def read_theirs(path):
    read_game, games = their_reader(), 0
    with open(path, encoding="utf-8") as file:
        while (game := read_game(file)) is not None:
            assert not game.errors
            games += 1
    return games


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--file", help="a PGN file of chess games to read instead")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or str(Path(folder) / "chess.pgn")
        if not options.file:
            pgn.write((random_game(i, chess.Board()) for i in range(options.games)), path)
        ctl = str(Path(folder) / "ctl.pgn")
        pgn.write((random_game(i, Board()) for i in range(min(options.games, 200))), ctl)
        rows = [
            ("chess package", measure(lambda: read_theirs(path))),
            ("cotulenh", measure(lambda: read_ours(path))),
            ("cotulenh, moves as objects", measure(lambda: read_ours_moves(path))),
            ("cotulenh, tree of nodes", measure(lambda: read_ours_nodes(path))),
            ("cotulenh, headers only", measure(lambda: read_headers(path))),
            ("cotulenh, Cờ Tư Lệnh", measure(lambda: read_ours(ctl))),
        ]
    theirs = rows[0][1][0] / rows[0][1][1]
    if options.json:
        print(json.dumps({name: games / seconds for name, (games, seconds) in rows}))
        return
    for name, (games, seconds) in rows:
        rate = games / seconds
        against = "" if name.endswith("Lệnh") else f"{rate / theirs:8.1f} ×"
        print(f"{name:28} {games:6} games {seconds:8.3f} s {rate:10.0f} games/s {against}")


if __name__ == "__main__":
    main()

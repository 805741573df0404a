"""Chess beside Stockfish and the `chess` package, in one run: prints a table of ratios.

    python bench/chess.py [--stockfish PATH] [--depth 6] [--rounds 5]

Times are seconds of processor, not of the clock, and the best round of each counts: on a shared
machine that says most about the code. The engines take turns, each in its own process. Needs the
development extra; without a stockfish binary that row is left out.
"""

import argparse
import platform
import shutil
import sys
from pathlib import Path

from beside import REPORT, seconds, stockfish_perft

sys.path.pop(0)  # this file is called chess, too
import chess as package

import cotulenh.chess as ours

MIDDLE = "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
GAME = """e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7
O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"""
ASKED = {"perft 5": 200, "legal moves": 20, "push + pop": 10, "FEN parse": 10, "SAN of games": 20}


def beside_stockfish(path, depth, rounds):
    best, theirs, nodes = float("inf"), float("inf"), None
    for took, counted in stockfish_perft(path, depth, rounds):
        theirs, nodes = min(theirs, took), counted
        best = min(best, seconds(lambda: ours.Board().perft(depth)))
    assert ours.Board().perft(depth) == nodes, "the counts differ"
    print(f"perft {depth} of the start, one thread: {nodes} nodes")
    print(f"  cotulenh  {best:8.3f} s  {nodes / best / 1e6:7.0f} Mn/s")
    print(f"  stockfish {theirs:8.3f} s  {nodes / theirs / 1e6:7.0f} Mn/s")
    print(f"  ratio {theirs / best:.2f} (asked: 1)\n")
    speed, other = nodes / best / 1e6, nodes / theirs / 1e6
    REPORT.add(
        *("chess-perft", f"perft {depth} of the start, one thread", speed, "Mn/s", "more"),
        beside=other,
        ratio=theirs / best,
        asked=1,
    )


def package_perft(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += package_perft(board, depth - 1)
        board.pop()
    return nodes


def push_pop(board, move):
    def work():
        board.push(move)
        board.pop()

    return work


def package_game():
    board = package.Board()
    for san in GAME.split():
        board.push_san(san)


def rows():
    """Name, our work and how often, the package's work and how often."""
    mine, other = ours.Board(MIDDLE), package.Board(MIDDLE)
    move, same = mine.parse_san("O-O"), other.parse_san("O-O")
    yield "perft 5", lambda: ours.Board().perft(5), 3, lambda: package_perft(package.Board(), 4), 1
    yield "legal moves", lambda: mine.legal_moves, 20000, lambda: list(other.legal_moves), 200
    yield "push + pop", push_pop(mine, move), 20000, push_pop(other, same), 2000
    yield "FEN parse", lambda: ours.Board(MIDDLE), 20000, lambda: package.Board(MIDDLE), 1000
    yield "SAN of games", lambda: ours.Board().push_sans(GAME), 2000, package_game, 20
    yield "FEN write", mine.fen, 20000, other.fen, 1000
    yield "SAN write", lambda: mine.san(move), 20000, lambda: other.san(same), 1000
    yield "is_legal", lambda: mine.is_legal(move), 20000, lambda: other.is_legal(same), 1000
    yield "new board", ours.Board, 20000, package.Board, 2000


# The package needs minutes for perft 5: it counts perft 4 and is charged per node.
SCALE = {"perft 5": 4865609 / 197281}


def beside_package(rounds):
    print(f"{'through Python':14} {'cotulenh':>12} {'chess package':>14} {'ratio':>8} {'asked':>6}")
    for name, mine, times, other, other_times in rows():
        best = theirs = float("inf")
        for _ in range(rounds):
            best = min(best, seconds(mine, times))
            theirs = min(theirs, seconds(other, other_times))
        theirs *= SCALE.get(name, 1)
        ratio, cost, other_cost = theirs / best, f"{best * 1e6:.2f} us", f"{theirs * 1e6:.1f} us"
        print(f"{name:14} {cost:>12} {other_cost:>14} {ratio:8.0f} {ASKED.get(name, ''):>6}")
        more = {"beside": theirs * 1e6, "ratio": ratio, "asked": ASKED.get(name)}
        REPORT.add("chess-python", name, best * 1e6, "µs", **more)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="Write the rows to this file.")
    options = parser.parse_args()
    print(
        f"{platform.machine()}, Python {platform.python_version()}, chess {package.__version__}\n"
    )
    if Path(options.stockfish).exists():
        beside_stockfish(options.stockfish, options.depth, options.rounds)
    else:
        print("no stockfish binary: its row is left out\n")
    beside_package(options.rounds)
    REPORT.write(options.json)


if __name__ == "__main__":
    main()

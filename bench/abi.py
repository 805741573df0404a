"""What the stable ABI costs: the calls that Python programs make most, in nanoseconds.

    python bench/abi.py [--json FILE]

Measures the package that is installed. For a comparison install two wheels into two environments
of the same interpreter, one of them built with ``pip wheel -C wheel.py-api= .`` (which is not of
the stable ABI), and run this in both in turn. Seconds of processor, the best of fifteen rounds.
"""

import argparse

from beside import REPORT, seconds

import cotulenh
from cotulenh import _core, chess

MIDDLE = (
    "5fc4/2n2h1hf2/6s2a1/2a1gt1tg2/2(ni)e2m4/9e1/10i/2I1E1MF1E1/1N2GT1TG1I/2NA5A1/4(FC)HSH3/11"
    " r - - 22 12"
)
CHESS = "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"


def push_pop(board, move):
    def work():
        board.push(move)
        board.pop()

    return work


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="Write the rows to this file.")
    args = parser.parse_args()
    ours, theirs = cotulenh.Board(MIDDLE), chess.Board(CHESS)
    works = {
        "official: push + pop": (push_pop(ours, ours.legal_moves[20]), 3000),
        "chess: push + pop": (push_pop(theirs, theirs.parse_san("O-O")), 5000),
        "official: list(legal_moves)": (lambda: list(ours.legal_moves), 300),
        "chess: legal_moves": (lambda: theirs.legal_moves, 5000),
        "official: occupied()": (ours.occupied, 2000),
    }
    print(f"stable ABI: {'abi3' in _core.__file__}")
    for name, (work, times) in works.items():
        best = min(seconds(work, times) for _ in range(15)) * 1e9
        print(f"{name:28} {best:7.0f} ns")
        REPORT.add("abi", name, best, "ns")
    REPORT.write(args.json)


if __name__ == "__main__":
    main()

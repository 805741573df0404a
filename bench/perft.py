"""Cờ Tư Lệnh's perft beside Stockfish's on chess, and the board through Python, in one run.

    python bench/perft.py [--stockfish PATH] [--depth 4] [--rounds 5]

Times are seconds of processor, the best round of each; only the comparison of two threads with one
goes by the clock. Without a stockfish binary its row is left out.
"""

import argparse
import shutil
import time

from beside import REPORT, seconds, stockfish_perft

import cotulenh
from cotulenh import _core

MIDDLE = (
    "5fc4/2n2h1hf2/6s2a1/2a1gt1tg2/2(ni)e2m4/9e1/10i/2I1E1MF1E1/1N2GT1TG1I/2NA5A1/4(FC)HSH3/11"
    " r - - 22 12"
)
ASKED = {"len(legal_moves)": 15, "push + pop": 1.5, "Board(fen)": 4, "fen()": 2}


def one_thread(rules, depth, rounds):
    """The best round's million nodes a second."""
    board = cotulenh.Board(rules=rules)
    nodes = board.perft(depth)
    return nodes / min(seconds(lambda: board.perft(depth)) for _ in range(rounds)) / 1e6


def beside_stockfish(path, depth, rounds):
    theirs = 0.0
    for took, nodes in stockfish_perft(path, 6, rounds) if path else ():
        theirs = max(theirs, nodes / took / 1e6)
    if path:
        print(f"stockfish, chess, go perft 6    {theirs:7.0f} Mn/s")
    for rules in cotulenh.Rules.names():
        ours = one_thread(rules, depth, rounds)
        ratio = f"  ratio {ours / theirs:.2f} (asked of official: 0.5)" if path else ""
        print(f"{rules + f', perft {depth}':30}  {ours:7.0f} Mn/s{ratio}")
        more = {"beside": theirs, "ratio": ours / theirs} if path else {}
        more["asked"] = 0.5 if rules == "official" else None
        REPORT.add("ctl-perft", f"{rules}, perft {depth}", ours, "Mn/s", "more", **more)


def two_threads(depth, rounds):
    board = cotulenh.Board()
    best = dict.fromkeys((1, 2), float("inf"))
    for _ in range(rounds):
        for threads in best:
            began = time.perf_counter()
            board.perft(depth, threads=threads)
            best[threads] = min(best[threads], time.perf_counter() - began)
    print(f"two threads against one, by the clock: {best[1] / best[2]:.2f} (asked: 1.8)")
    ratio = best[1] / best[2]
    REPORT.add("ctl-perft", "two threads against one", ratio, "times", "more", asked=1.8)


def through_python(rounds):
    board = cotulenh.Board(MIDDLE)
    move = board.legal_moves[20]

    def push_pop():
        board.push(move)
        board.pop()

    works = {
        "len(legal_moves)": lambda: len(board.legal_moves),
        "push + pop": push_pop,
        "Board(fen)": lambda: cotulenh.Board(MIDDLE),
        "fen()": board.fen,
        "list(legal_moves)": lambda: list(board.legal_moves),
        "san(move)": lambda: board.san(move),
        "is_check()": board.is_check,
        "outcome()": board.outcome,
        "copy()": board.copy,
        "tables of a rule set": lambda: _core.Rules(board.rules.spec),
    }
    print(f"\nthrough Python, a middle game with {len(board.legal_moves)} legal moves:")
    for name, work in works.items():
        times = 20 if name.startswith("tables") else 2000
        took = min(seconds(work, times) for _ in range(rounds)) * 1e6
        asked = f"  (asked: at most {ASKED[name]})" if name in ASKED else ""
        print(f"  {name:20} {took:7.2f} µs{asked}")
        REPORT.add("ctl-python", name, took, "µs", asked=ASKED.get(name))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument(
        "--stockfish", default=shutil.which("stockfish", path="/usr/games:/usr/bin")
    )
    options.add_argument("--depth", type=int, default=4)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", help="Write the rows to this file.")
    chosen = options.parse_args()
    beside_stockfish(chosen.stockfish, chosen.depth, chosen.rounds)
    two_threads(chosen.depth, chosen.rounds)
    through_python(chosen.rounds)
    REPORT.write(chosen.json)


if __name__ == "__main__":
    main()

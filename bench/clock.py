"""How well the engine keeps to its clock: overshoot of every move, and games lost on time.

python bench/clock.py [--games 200] [--base 1] [--increment 0.01] [--game official] [--threads 1]

Two UCI programs play each other by the clock of this one, which counts from the line that asks to
the line that answers, as a GUI does. Prints how long moves took beyond what was left (time losses),
and beyond the time that a single ``go movetime`` allows.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

from cotulenh.games import new_board, push_text, side

MOVETIMES = (1, 5, 10, 50, 100, 500)  # milliseconds
MOST_MOVES = 400


class Program:
    def __init__(self, game: str, threads: int) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-m", "cotulenh", "uci", "--game", game],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.say(f"setoption name Hash value 16\nsetoption name Threads value {threads}\nisready")
        self.until("readyok")

    def say(self, line: str) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def until(self, word: str) -> str:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            if line.startswith(word):
                return line.strip()
        raise EOFError("the program has ended")

    def ask(self, position: str, go: str) -> tuple[str, float]:
        """The move and the seconds from asking to the answer."""
        self.say(position + "\nisready")
        self.until("readyok")
        began = time.perf_counter()
        self.say(go)
        best = self.until("bestmove")
        return best.split()[1], time.perf_counter() - began

    def close(self) -> None:
        self.say("quit")
        self.child.wait()


def overshoot(program: Program, repeats: int) -> None:
    print("movetime: median and greatest overshoot in ms")
    for milliseconds in MOVETIMES:
        beyond = []
        for _ in range(repeats):
            _, took = program.ask("position startpos", f"go movetime {milliseconds}")
            beyond.append(1000 * took - milliseconds)
        print(f"{milliseconds:>6} {statistics.median(beyond):>8.2f} {max(beyond):>8.2f}")


def play(programs: list[Program], game: str, base: float, increment: float) -> tuple[int, float]:
    """One game: times the clock fell (0 or 1), and the least time that was ever left."""
    board, clocks, moves, least = new_board(game), [base, base], [], base
    for program in programs:
        program.say("ucinewgame")
    while board.legal_moves and not board.is_game_over() and len(moves) < MOST_MOVES:
        mover = side(board)
        left = [int(1000 * clock) for clock in clocks]
        step = int(1000 * increment)
        go = f"go wtime {left[0]} btime {left[1]} winc {step} binc {step}"
        words = f" moves {' '.join(moves)}" if moves else ""
        move, took = programs[mover].ask(f"position startpos{words}", go)
        clocks[mover] -= took
        least = min(least, clocks[mover])
        if clocks[mover] < 0:
            return 1, least
        push_text(board, move)
        moves.append(move)
        if side(board) != mover:
            clocks[mover] += increment
    return 0, least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--base", type=float, default=1)
    parser.add_argument("--increment", type=float, default=0.01)
    parser.add_argument("--game", default="official")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=20)
    given = parser.parse_args()
    programs = [Program(given.game, given.threads) for _ in range(2)]
    overshoot(programs[0], given.repeats)
    lost, least = 0, given.base
    for _ in range(given.games):
        fell, left = play(programs, given.game, given.base, given.increment)
        lost, least = lost + fell, min(least, left)
    print(f"{given.games} games at {given.base} + {given.increment} s: {lost} lost on time,")
    print(f"least time left {1000 * least:.0f} ms")
    for program in programs:
        program.close()


if __name__ == "__main__":
    main()

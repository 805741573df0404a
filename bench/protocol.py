"""How soon the UCI program lets go of a count: `go perft N` stopped, quit, or its input closed.

    python bench/protocol.py [--rounds 3] [--wait 0.3]

Prints, for both games and several depths, the longest time in milliseconds from the word to the
answer: to `readyok` after `stop`, to the end of the process after `quit` or the end of the input.
"""

import argparse
import subprocess
import sys
import time

ASKED = 100  # milliseconds
DEPTHS = (5, 8, 20, 60)
POSITIONS = {
    "official": ("startpos",),
    "chess": ("startpos", "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
}


def started(game, position, depth):
    """A program that has begun to count."""
    command = [sys.executable, "-m", "cotulenh", "uci", "--rules", game]
    program = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    program.stdin.write(f"position {position}\nisready\n")
    wait_for(program, "readyok")
    program.stdin.write(f"go perft {depth}\n")
    return program


def wait_for(program, text):
    while line := program.stdout.readline():
        if line.strip() == text:
            return
    raise SystemExit("the program ended before it answered")


def stop(program):
    program.stdin.write("stop\nisready\n")
    wait_for(program, "readyok")


def leave(program):
    program.stdin.write("quit\n")
    program.wait()


def close(program):
    program.stdin.close()
    program.wait()


def took(way, game, position, depth, wait):
    program = started(game, position, depth)
    time.sleep(wait)
    began = time.perf_counter()
    way(program)
    seconds = time.perf_counter() - began
    program.kill()
    program.wait()
    program.stdout.close()
    return seconds * 1000


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--wait", type=float, default=0.3, help="seconds before the word")
    chosen = options.parse_args()
    print(f"{'':28} {'stop':>8} {'quit':>8} {'closed':>8}   (asked: {ASKED} ms)")
    for game, positions in POSITIONS.items():
        for number, position in enumerate(positions):
            for depth in DEPTHS:
                longest = [
                    max(took(way, game, position, depth, chosen.wait) for _ in range(chosen.rounds))
                    for way in (stop, leave, close)
                ]
                name = f"{game}{' (218 moves)' if number else ''}, perft {depth}"
                print(f"{name:28} " + " ".join(f"{ms:5.0f} ms" for ms in longest))


if __name__ == "__main__":
    main()

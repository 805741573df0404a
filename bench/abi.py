"""What the stable ABI costs: the calls that Python programs make most, in nanoseconds.

    python bench/abi.py [--json FILE]                    the package that is installed
    python bench/abi.py --compare [--python PYTHON]      two wheels, one of the stable ABI

--compare builds both wheels from this checkout with an interpreter of 3.12 or newer ($ABI_PYTHON,
or the newest on the path), puts each into an environment of its own and measures them in turn,
three times each; a call counts by the best of its rounds. Seconds of processor. Building takes
minutes.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from beside import REPORT, seconds

ROOT = Path(__file__).parent.parent
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


def measured(rounds):
    """Nanoseconds of each call, in the package that is installed."""
    import cotulenh
    from cotulenh import _core, chess

    ours, theirs = cotulenh.Board(MIDDLE), chess.Board(CHESS)
    works = {
        "official: push + pop": (push_pop(ours, ours.legal_moves[20]), 3000),
        "chess: push + pop": (push_pop(theirs, theirs.parse_san("O-O")), 5000),
        "official: list(legal_moves)": (lambda: list(ours.legal_moves), 300),
        "chess: legal_moves": (lambda: theirs.legal_moves, 5000),
        "official: occupied()": (ours.occupied, 2000),
    }
    print(f"Python {sys.version.split()[0]}, stable ABI: {'abi3' in _core.__file__}")
    for name, (work, times) in works.items():
        best = min(seconds(work, times) for _ in range(rounds)) * 1e9
        print(f"{name:28} {best:7.0f} ns", flush=True)
        yield name, best


def interpreter(wanted):
    """The one that was asked for, or the newest that knows the stable ABI this package uses."""
    names = [wanted] if wanted else [f"python3.{minor}" for minor in range(15, 11, -1)]
    for name in names:
        path = shutil.which(name)
        said = path and subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        found = re.match(r"Python 3\.(\d+)", said or "")
        if found and int(found[1]) >= 12:
            return path
    return None


def environment(python, folder, *options):
    """An environment with a wheel of this checkout, built with these options of pip."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    own = str(Path(folder, "bin", "python"))
    pip = [own, "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", *options, "-w", folder, str(ROOT)], check=True)
    wheel = next(Path(folder).glob("cotulenh-*.whl"))
    subprocess.run([*pip, "install", "--no-deps", str(wheel)], check=True)
    return own


def compared(python, rounds):
    """Adds a row a call: the stable ABI, beside it one version's own."""
    with tempfile.TemporaryDirectory() as folder:
        stable = environment(python, f"{folder}/stable")
        own = environment(python, f"{folder}/own", "-C", "wheel.py-api=")
        best = {stable: {}, own: {}}
        for turn in range(6):
            which = (stable, own)[turn % 2]
            rows = Path(folder, "rows.json")
            command = [which, str(Path(__file__)), "--rounds", str(rounds), "--json", str(rows)]
            subprocess.run(command, check=True, cwd=folder)
            for row in json.loads(rows.read_text("utf-8")):
                known = best[which].get(row["name"], row["value"])
                best[which][row["name"]] = min(known, row["value"])
    for name, value in best[stable].items():
        beside = best[own][name]
        more = {"beside": beside, "costs": f"{100 * value / beside - 100:+.0f} %"}
        REPORT.add("abi", name, value, "ns", **more)
        print(f"{name:28} {value:7.0f} {beside:7.0f} ns")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="Write the rows to this file.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--compare", action="store_true", help="Build two wheels and compare.")
    parser.add_argument("--python", default=os.environ.get("ABI_PYTHON"), help="For --compare.")
    args = parser.parse_args()
    if args.compare:
        python = interpreter(args.python)
        if python is None:
            sys.exit("Python 3.12 or newer is needed: --python PATH, or ABI_PYTHON")
        compared(python, args.rounds)
    else:
        for name, best in measured(args.rounds):
            REPORT.add("abi", name, best, "ns")
    REPORT.write(args.json)


if __name__ == "__main__":
    main()

"""Writes tests/perft/{official,online,blueprint}.perft: positions and their perft numbers.

Positions: the start, set-ups with a theme, random set-ups and positions of random play, those in
the middle of a deployment included, all from fixed seeds. The core counts; the oracle of the tests,
which shares no code with it, counts again as deep as it gets in reasonable time, and this program
stops at the first difference. Run it at the root of the project: python tools/make_perft.py
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from oracle import Oracle  # noqa: E402
from positions import random_fen, start_positions  # noqa: E402

import cotulenh  # noqa: E402

RULES = ("official", "online", "blueprint")
RANDOM, PLAYED, LIVE = 28, 28, 12  # positions of each sort
DEEPEST = 6
MOST = 3_000_000  # nodes of the deepest number of a position
START_DEPTH, START_ORACLE = 4, 3
ORACLE_MOST = 500  # positions in which the oracle lists the moves, for one number


class Entry(NamedTuple):
    """A position and how deep to count: by nodes, or to a stated depth."""

    name: str
    fen: str
    depth: int | None = None


def positions(rules: str) -> list[Entry]:
    """All positions of a suite."""
    start, *themes = start_positions(rules)
    rng = random.Random(f"perft suite {rules}")
    found = [Entry("start", start, START_DEPTH)]
    found += [Entry(f"theme {n}", fen) for n, fen in enumerate(themes, 1)]
    found += [Entry(f"set-up {n}", random_fen(rng, rules)) for n in range(1, RANDOM + 1)]
    for n in range(1, PLAYED + 1):
        fen = played(rng, rules, deploying=n % 3 == 0)
        found.append(Entry(f"played {n}" + (", deploying" if n % 3 == 0 else ""), fen))
    found += [Entry(f"live set-up {n}", fen) for n, fen in enumerate(live(rules), 1)]
    return found


def live(rules: str) -> list[str]:
    """Random set-ups in which the side to move can move: among the others some are ends."""
    rng = random.Random(f"perft suite {rules}, live")
    found: list[str] = []
    while len(found) < LIVE:
        fen = random_fen(rng, rules)
        if len(cotulenh.Board(fen, rules=rules).legal_moves) > 20:
            found.append(fen)
    return found


def played(rng: random.Random, rules: str, deploying: bool) -> str:
    """A position of random play in which the game goes on, in mid-deployment if wanted."""
    while True:
        board = cotulenh.Board(rng.choice([None, random_fen(rng, rules)]), rules=rules)
        for _ in range(rng.randint(6, 60)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        while deploying and board.deployment is None and not board.is_game_over():
            steps = [m for m in board.legal_moves if m.is_deploy]
            board.push(rng.choice(steps or list(board.legal_moves)))
        if not board.is_game_over() and deploying == (board.deployment is not None):
            return board.fen()


def count(rules: str, entry: Entry) -> tuple[dict[int, int], int]:
    """The numbers of a position, and to which depth the oracle found the same."""
    board, oracle = cotulenh.Board(entry.fen, rules=rules), Oracle(entry.fen, rules)
    nodes: dict[int, int] = {}
    checked, before, two_before = 0, 1, 1
    for depth in range(1, (entry.depth or DEEPEST) + 1):
        if entry.depth is None and depth > 1 and before * before > MOST * max(1, two_before):
            break  # the next number would be too large
        nodes[depth] = board.perft(depth)
        wanted = depth <= START_ORACLE if entry.depth else before <= ORACLE_MOST
        if checked == depth - 1 and wanted:
            theirs = oracle.perft(depth)
            if theirs != nodes[depth]:
                sys.exit(f"{rules}: {entry.fen}\nperft {depth}: {nodes[depth]}, oracle {theirs}")
            checked = depth
        two_before, before = before, nodes[depth]
        if nodes[depth] == 0:
            break
    return nodes, checked


def write(rules: str) -> None:
    """Writes one suite."""
    lines = [
        f"# Positions of the rule set `{rules}` and their perft numbers:",
        "# id / epd / perft depth nodes. Deploy steps and commits count as moves.",
        "# Made by tools/make_perft.py. The numbers are the core's; to the depth that the comment",
        "# of each position tells, the oracle of the tests, which shares no code with the core,",
        "# counted too and found the same.",
    ]
    for entry in positions(rules):
        nodes, checked = count(rules, entry)
        lines += ["", f"id {entry.name}", f"epd {entry.fen}", f"# oracle to depth {checked}"]
        lines += [f"perft {depth} {n}" for depth, n in nodes.items()]
    text = "\n".join(lines) + "\n"
    (ROOT / "tests" / "perft" / f"{rules}.perft").write_text(text, "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or RULES:
        write(name)

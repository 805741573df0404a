"""Finds positions with a mate in one to three turns and proves them: ``data/mates/*.jsonl``.

    python tools/find_mates.py official --seed 1 --want 90 100 50

Set-ups are drawn at random round a Commander under pressure, or made from an earlier find by moving
a piece or two: near a mate there are often longer ones. A quick search (checks only) finds
candidates, then everything is tried: that no shorter mate exists, and which first moves keep it.
Only proofs are written. Half of the mates in one come from random games.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

from cotulenh import BLUE, RED, Board, Color, PositionError, Rules
from cotulenh.engine.mates import (
    OutOfWorkError,
    Prover,
    Puzzle,
    line_of,
    moves_that_mate,
    shortest_mate,
)

HERE = Path(__file__).resolve().parent.parent / "src" / "cotulenh" / "data" / "mates"
SINGLES = "IIMMEETTTAAGSSFFFNNNH"
STACKS = ("NF", "NT", "NFT", "NI", "FT", "FI", "FM", "TI", "TM", "EA", "EG", "ES")
MOST_FIRST_MOVES = {1: 6, 2: 3, 3: 2}  # a puzzle with a dozen answers is none
BUDGET = {1: 30_000, 2: 300_000, 3: 1_500_000}  # moves tried
QUICK_BUDGET = 60_000
MOST_CHILDREN = 3  # finds made from one earlier find


def set_up(rng: random.Random, rules: Rules) -> Board | None:
    """A random position: a bare-ish Commander, attackers near it, some defenders."""
    squares: dict[tuple[int, int], str] = {}
    attacker = rng.choice((RED, BLUE))
    land = [(s.file, s.rank) for s in rules.terrain.land_accessible]
    home = rng.choice(land)
    lodging = rng.choice(("c", "c", "c", "(hc)", "(tc)", "(nc)", "(fc)"))
    squares[home] = colored(lodging, attacker.other)
    far = [s for s in land if s[0] != home[0] and s[1] != home[1]] or land
    squares[rng.choice(far)] = colored("c", attacker)
    for _ in range(rng.randint(2, 5)):
        place(rng, rules, squares, attacker, home, 4)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 4))):
        place(rng, rules, squares, attacker.other, home, rng.choice((2, 9)))
    return position(squares, rules, attacker)


def position(squares: dict[tuple[int, int], str], rules: Rules, turn: Color) -> Board | None:
    """The board of a set-up, if there is one and the game is not over on it."""
    fen = f"{placement(squares, rules)} {turn.value} - - 0 1"
    try:
        board = Board(fen, rules)
    except (PositionError, ValueError):
        return None
    return None if board.problems or board.is_game_over() else board


def colored(text: str, color: Color) -> str:
    """A stack's letters in a side's case."""
    return text.upper() if color is RED else text.lower()


def place(
    rng: random.Random,
    rules: Rules,
    squares: dict[tuple[int, int], str],
    color: Color,
    home: tuple[int, int],
    spread: int,
) -> None:
    """Puts a piece or a stack somewhere near the attacked Commander."""
    kinds = {kind.letter for kind in rules.kinds}
    stack = rng.choice(STACKS) if rng.random() < 0.3 else rng.choice(SINGLES)
    if not set(stack) <= kinds:
        return
    ground = rules.terrain.navy_accessible if stack[0] == "N" else rules.terrain.land_accessible
    spread = 6 if stack[0] == "N" else spread
    free = [
        (s.file, s.rank)
        for s in ground
        if (s.file, s.rank) not in squares
        and abs(s.file - home[0]) <= spread
        and abs(s.rank - home[1]) <= spread
    ]
    if not free:
        return
    text = "".join(("+" if rng.random() < 0.12 else "") + letter for letter in stack)
    text = f"({text})" if len(stack) > 1 else text
    squares[rng.choice(free)] = colored(text, color)


def placement(squares: dict[tuple[int, int], str], rules: Rules) -> str:
    """The first field of a FEN."""
    rows = []
    for rank in reversed(range(rules.ranks)):
        row, empty = "", 0
        for file in range(rules.files):
            if (file, rank) not in squares:
                empty += 1
                continue
            row += (str(empty) if empty else "") + squares[file, rank]
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)


def from_game(rng: random.Random, rules: Rules) -> Board | None:
    """A position of a random game in which the side to move can mate at once."""
    board = Board(rules=rules)
    for _ in range(160):
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            return None
        takes = [move for move in moves if move.is_take]
        board.push(rng.choice(takes if takes and rng.random() < 0.3 else moves))
        if board.deployment is None and board.ply > 20 and mates_in(board, 1):
            placed, side = board.fen().split()[:2]
            return Board(f"{placed} {side} - - 0 1", rules)
    return None


def changed(rng: random.Random, parent: Board) -> Board | None:
    """An earlier find with one or two stacks moved somewhere near, or one taken off."""
    rules = parent.rules
    squares = {(s.file, s.rank): str(parent.stack_at(s)) for s in parent.occupied()}
    home = parent.commander(parent.turn.other)
    assert home is not None
    if len(squares) > 12:  # from a game: thin it out
        for key in rng.sample(sorted(squares), len(squares) - 9):
            if "c" not in squares[key].lower():
                del squares[key]
    for _ in range(rng.choice((1, 1, 2))):
        key = rng.choice(sorted(squares))
        stack = squares.pop(key)
        if rng.random() < 0.15 and "c" not in stack.lower():
            continue
        reach = rng.choice((1, 2, 4))
        target = (key[0] + rng.randint(-reach, reach), key[1] + rng.randint(-reach, reach))
        inside = 0 <= target[0] < rules.files and 0 <= target[1] < rules.ranks
        if target in squares or not inside:
            return None
        squares[target] = stack
    if rng.random() < 0.3:
        side = rng.choice((parent.turn, parent.turn.other))
        place(rng, rules, squares, side, (home.file, home.rank), 4)
    return position(squares, rules, parent.turn)


def mates_in(board: Board, turns: int, *, quick: bool = False) -> bool:
    """Whether the side to move mates in so many turns."""
    budget = QUICK_BUDGET if quick else BUDGET[turns]
    return Prover(board.turn, checks_only=quick, budget=budget).wins(board, turns)


def examine(board: Board, wanted: dict[int, int], rng: random.Random) -> Puzzle | None:
    """The proven puzzle of a position, if it is one that is still wanted."""
    if mates_in(board, 1):
        turns = 1
    elif wanted[2] and mates_in(board, 2, quick=rng.random() < 0.9):
        turns = 2
    elif wanted[3] and mates_in(board, 3, quick=True):
        if mates_in(board, 2):  # a quiet first move was quicker
            return None
        turns = 3
    else:
        return None
    if not wanted[turns]:
        return None
    moves = moves_that_mate(board, turns, BUDGET[turns])
    if len(moves) > MOST_FIRST_MOVES[turns]:
        return None
    line = line_of(board, turns, BUDGET[turns])
    return Puzzle(board.rules.name, board.fen(), turns, tuple(moves), tuple(line))


def renewed(puzzle: Puzzle) -> Puzzle | None:
    """A stored mate, proven again under the law of today; ``None`` if it is none any more."""
    board, turns = puzzle.board(), puzzle.turns
    if shortest_mate(board, turns) != turns:
        return None
    moves = moves_that_mate(board, turns, BUDGET[turns])
    if len(moves) > MOST_FIRST_MOVES[turns]:
        return None
    line = line_of(board, turns, BUDGET[turns])
    return Puzzle(puzzle.rules, puzzle.fen, turns, tuple(moves), tuple(line))


def renew(path: Path, puzzles: list[Puzzle]) -> None:
    """Writes the file anew with what still holds."""
    kept = [new for new in map(renewed, puzzles) if new is not None]
    path.write_text("".join(one.to_json() + "\n" for one in kept), "utf-8")
    print(f"{len(kept)} of {len(puzzles)} mates hold")


def main() -> None:
    """Searches until enough is found; what the file holds already is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", choices=Rules.names())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--want", type=int, nargs=3, default=(90, 100, 50), metavar="N")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--renew", action="store_true", help="prove the stored mates anew")
    options = parser.parse_args()
    path = options.out or HERE / f"{options.rules}.jsonl"
    rng, rules = random.Random(options.seed), Rules.load(options.rules)
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    found = {one.fen: one for one in (Puzzle.from_json(rules.name, line) for line in lines)}
    if options.renew:
        renew(path, list(found.values()))
        return
    wanted = {n: options.want[n - 1] - sum(p.turns == n for p in found.values()) for n in (1, 2, 3)}
    started, tried = time.monotonic(), 0
    children: Counter[str] = Counter()
    while any(number > 0 for number in wanted.values()):
        tried += 1
        games = wanted[1] > options.want[0] // 2
        parent = None
        if games:
            board = from_game(rng, rules)
        elif found and rng.random() < 0.8:
            pool = [one for one in found.values() if children[one.fen] < MOST_CHILDREN]
            long = [one for one in pool if one.turns > 1]
            parent = rng.choice(
                long if long and rng.random() < 0.7 else pool or list(found.values())
            )
            board = changed(rng, parent.board())
        else:
            board = set_up(rng, rules)
        if board is None:
            continue
        try:
            puzzle = examine(board, {n: max(0, w) for n, w in wanted.items()}, rng)
        except OutOfWorkError:
            continue
        if puzzle is None or puzzle.fen in found:
            continue
        found[puzzle.fen] = puzzle
        wanted[puzzle.turns] -= 1
        if parent is not None:
            children[parent.fen] += 1
        rows = sorted(found.values(), key=lambda one: one.turns)
        path.write_text("".join(one.to_json() + "\n" for one in rows), "utf-8")
        took = time.monotonic() - started
        print(f"\r{rules.name}: {tried} tried, still {wanted}, {took:.0f} s", end="", flush=True)
    print(file=sys.stdout)


if __name__ == "__main__":
    main()

"""The core against the oracle: what the two say of a position, of random games and of perft.

Used by tests/law/test_oracle_agrees.py and, for as many positions as one likes, by
tools/differential.py.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from oracle import Oracle
from oracle_tables import OTHER, square_name
from positions import random_fen, start_positions, themed_fen

import cotulenh

RULES = ("official", "online", "blueprint")
GAME = 25  # moves played from one set-up
MARKS = re.compile(r"[^x_@&><]")  # all but the marks of 12.1
SAMPLE = 10  # every so many positions, the FEN after every legal move is compared


def outcome(board: cotulenh.Board) -> tuple[str | None, str] | None:
    """The core's outcome in the oracle's words."""
    found = board.outcome()
    if found is None:
        return None
    winner = None if found.winner is None else "r" if found.winner == cotulenh.RED else "b"
    return winner, found.reason.name.lower()


def lans(board: cotulenh.Board) -> list[str]:
    return [board.lan(move) for move in board.legal_moves]


def compare(board: cotulenh.Board, oracle: Oracle, rules: str) -> None:
    """All that the two say about one position."""
    where = f"{rules}\n{oracle.fen()}"
    assert board.fen() == oracle.fen(), where
    ours, theirs = lans(board), oracle.legal_moves()
    extra, missing = sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))
    assert (extra, missing) == ([], []), f"{where}\nextra {extra}\nmissing {missing}"
    assert len(ours) == len(theirs), f"{where}\nduplicates in {sorted(ours)}"
    assert board.is_check() == oracle.is_check(), f"{where}\ncheck: not {board.is_check()}"
    assert outcome(board) == oracle.outcome(), where
    points = board.points(cotulenh.RED), board.points(cotulenh.BLUE)
    assert points == (oracle.points("r"), oracle.points("b")), f"{where}\npoints {points}"


def compare_after_each(board: cotulenh.Board, oracle: Oracle, rules: str) -> None:
    """The FEN after every legal move, and taking it back."""
    before = board.fen()
    for lan in oracle.legal_moves():
        other = oracle.copy()
        other.push(lan)
        board.push_lan(lan)
        assert board.fen() == other.fen(), f"{rules}\n{before}\nafter {lan}"
        board.pop()
    assert board.fen() == before, rules


def compare_attackers(board: cotulenh.Board, oracle: Oracle, rules: str) -> None:
    """6.4, for every stack on the board."""
    for point, (owner, _) in oracle.pos.board.items():
        name = square_name(point)
        color = cotulenh.BLUE if owner == "r" else cotulenh.RED
        ours = {(src.name, kind.letter) for src, kind in board.attackers(color, name)}
        theirs = set(oracle.attackers(OTHER[owner], name))
        where = f"{rules}\n{oracle.fen()}\nattackers of {name}"
        assert ours == theirs, f"{where}: extra {ours - theirs}, missing {theirs - ours}"


def choose(rng: random.Random, moves: list[str]) -> str:
    """Any move, or any way of moving (taking, boarding, deploying ...) and then a move of it."""
    if rng.random() < 0.4:
        return rng.choice(moves)
    ways = sorted({MARKS.sub("", lan) for lan in moves})
    way = rng.choice(ways)
    return rng.choice([lan for lan in moves if MARKS.sub("", lan) == way])


def games(rng: random.Random, rules: str, positions: int) -> Iterator[tuple[str, int]]:
    """Set-ups and the number of positions to see from each."""
    starts = start_positions(rules)
    while positions > 0:
        fen = rng.choice(starts) if rng.random() < 0.2 else random_fen(rng, rules)
        yield fen, min(GAME, positions)
        positions -= GAME


def agree(seed: int, rules: str, positions: int) -> int:
    """Plays random games on both sides; tells how many positions were compared."""
    rng = random.Random(f"{rules} {seed}")
    seen = 0
    while seen < positions:
        for fen, length in games(rng, rules, positions - seen):
            seen += agree_in_game(rng, rules, fen, length)
    return seen


def agree_in_game(rng: random.Random, rules: str, fen: str, length: int) -> int:
    """One game; tells how many positions were compared."""
    board, oracle = cotulenh.Board(fen, rules=rules), Oracle(fen, rules)
    for number in range(length):
        compare(board, oracle, rules)
        if rng.randrange(SAMPLE) == 0:
            compare_after_each(board, oracle, rules)
            compare_attackers(board, oracle, rules)
        moves = sorted(oracle.legal_moves())
        if not moves:
            return number + 1
        lan = choose(rng, moves)
        where = f"{rules}\n{oracle.fen()}\nafter {lan}"
        oracle.push(lan)
        board.push_lan(lan)
        assert board.fen() == oracle.fen(), where
    return length


def agree_on_perft(seed: int, rules: str, positions: int) -> None:
    """perft of small positions to depth 2, and to depth 3 where the oracle gets there soon."""
    rng = random.Random(f"perft {rules} {seed}")
    while positions > 0:
        fen = random_fen(rng, rules)
        board, oracle = cotulenh.Board(fen, rules=rules), Oracle(fen, rules)
        if not 0 < len(oracle.legal_moves()) <= 40:
            continue
        positions -= 1
        counts = [oracle.perft(depth) for depth in (1, 2)]
        if counts[1] <= 250:
            counts.append(oracle.perft(3))
        for depth, nodes in enumerate(counts, 1):
            assert board.perft(depth) == nodes, f"{rules}\n{fen}\nperft {depth}"


def agree_on_set_ups(seed: int, rules: str, theme: str, positions: int) -> int:
    """Arbitrary set-ups of a theme and a few moves from each; tells how many were compared."""
    rng = random.Random(f"{theme} {rules} {seed}")
    seen = 0
    while seen < positions:
        seen += agree_in_game(rng, rules, themed_fen(rng, rules, theme), 1 + rng.randrange(4))
    return seen

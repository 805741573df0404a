"""The example rule sets load, and a game can be played by them."""

import random
from pathlib import Path

import pytest

from cotulenh import Board, Rules
from cotulenh.rules import check

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_loads_and_plays(path):
    assert check(path) == []
    board = Board(rules=Rules.load(path))
    rng = random.Random(path.stem)
    for _ in range(300):
        moves = board.legal_moves
        if not moves:
            break
        board.push(moves[rng.randrange(len(moves))])
    assert board.fen()


def test_armoured_changes_what_it_says():
    rules, official = Rules.load(EXAMPLES[0]), Rules.load("official")
    assert rules.name == "armoured"
    changed = {kind.letter for kind in official.rows if rules.rows[kind] != official.rows[kind]}
    assert changed == {"T", "E"}
    assert rules.spec["bridge_files"] == official.spec["bridge_files"] | 1 << 9
    assert rules.switches["shelter"] is False


def test_small_boards(tmp_path):
    """Any size up to 12×12 plays."""
    path = tmp_path / "small.toml"
    path.write_text(
        'extends = "official"\nname = "small"\nfiles = 5\nranks = 6\n'
        'start = "4c/2t2/5/5/2T2/3C1 r - - 0 1"\n'
        '[terrain]\nriver = false\ncorners = false\nmap = """\n' + "WMLLL\n" * 6 + '"""\n'
    )
    board = Board(rules=Rules.load(path))
    assert board.legal_moves
    assert {move.to_square.file for move in board.legal_moves} <= set(range(5))
    assert {move.to_square.rank for move in board.legal_moves} <= set(range(6))

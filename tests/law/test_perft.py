"""The published perft numbers of the three rule sets (tests/perft, made by tools/make_perft.py)."""

from __future__ import annotations

import pytest
import suites
from oracle import Oracle

from cotulenh import Board

RULES = ("official", "online", "blueprint")
QUICK = 150_000  # nodes of the deepest number a quick run asks of a position
START = 2_000_000


def numbers(entry: suites.Entry, most: int) -> dict[int, int]:
    """Those that are not too large: always the first."""
    return {d: n for d, n in entry.nodes.items() if n <= most or d == 1}


@pytest.mark.parametrize("rules", RULES)
def test_every_position(rules: str) -> None:
    for entry in suites.read(rules):
        board = Board(entry.fen, rules=rules)
        for depth, nodes in numbers(entry, START if entry.name == "start" else QUICK).items():
            assert board.perft(depth) == nodes, f"{entry.name}: {entry.fen}, depth {depth}"
        assert board.fen() == entry.fen


@pytest.mark.parametrize("rules", RULES)
def test_the_oracle_counts_the_same(rules: str) -> None:
    for entry in suites.read(rules):
        assert Oracle(entry.fen, rules).perft(1) == entry.nodes[1], f"{entry.name}: {entry.fen}"


@pytest.mark.parametrize("rules", RULES)
def test_the_suite_holds_what_was_asked_for(rules: str) -> None:
    start, *others = suites.read(rules)
    assert start.fen == Board(rules=rules).fen()
    assert max(start.nodes) >= 4
    assert len(others) >= 60
    assert len({entry.fen for entry in others}) == len(others)
    assert sum(" - - " in entry.fen and ":" in entry.fen for entry in others) >= 8  # deploying


@pytest.mark.parametrize("rules", RULES)
def test_threads_table_and_divide_change_nothing(rules: str) -> None:
    start = suites.read(rules)[0]
    board = Board(rules=rules)
    assert board.perft(3, threads=2) == board.perft(3, hash_mb=4) == start.nodes[3]
    assert sum(board.divide(2).values()) == start.nodes[2]


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_every_number(rules: str) -> None:
    for entry in suites.read(rules):
        board = Board(entry.fen, rules=rules)
        for depth, nodes in entry.nodes.items():
            assert board.perft(depth) == nodes, f"{entry.name}: {entry.fen}, depth {depth}"


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_the_oracle_counts_the_same_at_length(rules: str) -> None:
    for entry in suites.read(rules):
        if len(entry.nodes) > 1 and entry.nodes[1] <= 150:
            assert Oracle(entry.fen, rules).perft(2) == entry.nodes[2], entry.fen

"""Perft equals the published numbers: start 6, Kiwipete 5, positions 3-6, Chess960."""

import pytest
import suites

from cotulenh.chess import Board

MOST = 200_000_000  # the slowest published number that is asked for


def board(entry):
    return Board(entry.fen, chess960=entry.name.startswith("chess960"))


CASES = [
    pytest.param(entry, depth, id=f"{entry.name}: {depth}")
    for entry in suites.read("chess")
    for depth, nodes in entry.nodes.items()
    if nodes <= MOST
]


@pytest.mark.parametrize(("entry", "depth"), CASES)
def test_perft(entry, depth):
    assert board(entry).perft(depth) == entry.nodes[depth]


def test_the_suite_holds_what_was_asked_for():
    deepest = {entry.name: max(entry.nodes.items()) for entry in suites.read("chess")}
    assert deepest["start"] == (6, 119_060_324)
    assert deepest["kiwipete"] == (5, 193_690_690)
    assert deepest["position 3"] == (6, 11_030_083)
    assert deepest["position 4"] == (5, 15_833_292)
    assert deepest["position 5"] == (5, 89_941_194)
    assert deepest["position 6"] == (5, 164_075_551)
    assert sum(name.startswith("chess960") for name in deepest) == 10


def test_threads_and_hash_table_change_nothing():
    kiwipete = board(suites.read("chess")[1])
    assert kiwipete.perft(4) == kiwipete.perft(4, threads=3) == 4085603
    assert kiwipete.perft(4, threads=2, hash_mb=1) == 4085603


def test_divide_sums_to_perft():
    kiwipete = board(suites.read("chess")[1])
    parts = kiwipete.divide(3)
    assert tuple(parts) == kiwipete.legal_moves
    assert sum(parts.values()) == 97862
    assert set(Board().divide(1).values()) == {1}


@pytest.mark.parametrize("arguments", [(-1,), (100,), (3, 0), (3, 2000), (3, 1, -1)])
def test_bad_arguments_are_refused(arguments):
    with pytest.raises(ValueError, match="must be"):
        Board().perft(*arguments)


def test_depth_zero_is_one_position():
    assert Board().perft(0) == 1
    with pytest.raises(ValueError, match="depth"):
        Board().divide(0)

"""Turns of several moves in the search, counted on positions rich in stacks; the counters."""

from __future__ import annotations

import random

import pytest

from cotulenh import Board
from cotulenh.engine import Engine, Limit

TAKES = {"CAPTURE", "STAY", "EXCHANGE", "BREACH"}


def rich_in_stacks(seed, stacks=3):
    """Random play in which pieces join whenever they can, until both sides have some stacks."""
    rng, board = random.Random(seed), Board()
    while board.ply < 200:
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            return rich_in_stacks(seed + 1000, stacks)
        joining = [move for move in moves if move.kind.name == "COMBINE"]
        board.push(rng.choice(joining or moves))
        if board.deployment is None and board.fen().count("(") >= stacks and board.ply > 20:
            return board
    return rich_in_stacks(seed + 1000, stacks)


def counted(boards, nodes=8000, sample_every=0):
    with Engine(hash_mb=8) as engine:
        engine._core.collect_statistics(sample_every)
        for board in boards:
            engine.play(board, Limit(nodes=nodes))
        return engine._core.statistics()


@pytest.fixture(scope="module")
def counts():
    return counted([rich_in_stacks(seed) for seed in range(12)])["counts"]


def test_there_are_steps_to_count(counts):
    assert counts["mid_turn_nodes"] > 1000
    assert counts["step_cuts"] > 50


def test_a_step_does_not_swap_the_roles(counts):
    """A child of the same side is a cut node if its parent is one."""
    assert counts["same_side_children"] > 300
    assert counts["same_side_other_role"] == 0


def test_improving_compares_the_starts_of_two_turns_of_one_side(counts):
    assert counts["improving_compared"] > 10_000
    assert counts["improving_other_side"] == 0


def test_late_steps_are_pruned(counts):
    """Fewer than half of the moves of a half-made turn are searched."""
    assert counts["mid_turn_pruned"] > 100
    assert counts["mid_turn_searched"] < 0.6 * counts["mid_turn_generated"]


def test_in_quiescence_the_commit_goes_before_quiet_steps(counts):
    assert counts["commits_possible"] > 300
    assert counts["steps_before_commit"] == 0


@pytest.mark.parametrize("rules", ["official", "online", "blueprint"])
def test_takes_and_quiet_moves_together_are_all_legal_moves(rules):
    """The move picker asks for them one after the other."""
    rng = random.Random(7)
    for _ in range(12):
        board = Board(rules=rules)
        while board.ply < 120 and board.legal_moves:
            takes, quiets = (list(part) for part in board._takes_and_quiets())
            assert sorted(map(int, takes + quiets)) == sorted(map(int, board.legal_moves))
            assert {move.kind.name for move in takes} <= TAKES
            assert not {move.kind.name for move in quiets} & TAKES
            board.push(rng.choice(takes or quiets if rng.random() < 0.3 else takes + quiets))


def test_counters_add_up(counts):
    assert counts["first_cuts"] <= counts["cuts"] <= counts["cut_index"]
    kinds = ("hash", "good_take", "bad_take", "killer", "quiet")
    assert sum(counts[f"{kind}_cuts"] for kind in kinds) == counts["cuts"]
    assert counts["searched"] < counts["generated"]
    assert counts["null_cuts"] <= counts["null_tries"]
    assert counts["lmr_confirmed"] <= counts["lmr_fail_highs"] <= counts["lmr_tries"]


def test_guesses_are_checked_by_samples():
    """Some are wrong, most are right; and without samples the search is what it always is."""
    boards = [rich_in_stacks(seed) for seed in range(2)]
    samples = counted(boards, 20_000, sample_every=5)["samples"]
    for name in ("reverse_futility", "late_move_pruning"):
        checked, wrong = samples[name]
        assert checked > 50
        assert wrong < checked / 4
    board = boards[0]
    with Engine(hash_mb=8) as plain, Engine(hash_mb=8) as counting:
        counting._core.collect_statistics(0)
        wanted = plain.play(board, Limit(depth=6)).info.nodes
        assert counting.play(board, Limit(depth=6)).info.nodes == wanted

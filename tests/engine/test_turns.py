"""Turns of several moves in the search, counted on positions rich in stacks; the counters."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from positions import random_fen

from cotulenh import Board, _core
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


def counted(boards, nodes=8000, sample_every=0, without=()):
    with Engine(hash_mb=8, without=without) as engine:
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


# The order of steps ------------------------------------------------------------------------------


def set_ups(count, rules="official"):
    """Positions of random play rich in stacks, and random set-ups."""
    rng = random.Random(11)
    boards = [rich_in_stacks(seed) for seed in range(count if rules == "official" else 0)]
    return [*boards, *(Board(random_fen(rng, rules), rules=rules) for _ in range(8 * count))]


def steps_of(board):
    """The legal moves that begin or go on with a deployment."""
    return [move for move in board.legal_moves if move.is_deploy and move.kind.name != "COMMIT"]


def pairs_of_steps(board):
    """Pairs of consecutive steps; the board stands after the first of them."""
    if board.is_game_over():
        return
    side = board.turn
    for first in steps_of(board):
        board.push(first)
        if board.turn is side:
            yield from ((first, second) for second in steps_of(board))
            yield from pairs_of_steps(board)
        board.pop()


def test_steps_that_commute_lead_to_the_same_position_in_the_other_order():
    found = 0
    for board in set_ups(12):
        for first, second in pairs_of_steps(board):
            if not _core.commute(board, int(first), int(second)):
                continue
            found += 1
            board.push(second)
            wanted = board.fen()
            board.pop()
            other = board.copy()
            other.pop()
            other.push(second)  # raises if it is not legal
            other.push(first)
            assert other.fen() == wanted
    assert found > 10_000


@pytest.mark.parametrize("rules", ["online", "blueprint"])
def test_where_each_step_is_judged_by_itself_none_commute(rules):
    """Heroes after each step (S11), or steps that must be safe (14.3): the order may tell."""
    pairs = 0
    for board in set_ups(3, rules):
        for first, second in pairs_of_steps(board):
            pairs += 1
            assert not _core.commute(board, int(first), int(second))
    assert pairs > 100


def ends(board, *, once, before=(), last=None):
    """The positions after all turns, walked as the search walks them if `once`."""
    side, walked = board.turn, []
    for move in board.legal_moves:
        if once and move in before and _core.commute(board, int(last), int(move)):
            continue
        board.push(move)
        if board.turn is side and not board.is_game_over():
            yield from ends(board, once=once, before=tuple(walked), last=move)
        else:
            yield board.key
        board.pop()
        if move.is_deploy:
            walked.append(move)


def test_one_order_of_the_steps_reaches_the_end_of_every_turn():
    spared = 0
    for board in set_ups(8):
        if board.is_game_over():
            continue
        every, once = (list(ends(board, once=once)) for once in (False, True))
        assert set(once) == set(every)
        spared += len(every) - len(once)
    assert spared > 1000


def test_steps_in_another_order_are_not_searched_again(counts):
    assert counts["steps_repeated"] > 100
    boards = [rich_in_stacks(seed) for seed in range(2)]
    assert counted(boards, without=["step_order"])["counts"]["steps_repeated"] == 0


def end_of_turn(board, line):
    """The position after the first turn of a line."""
    board, side = board.copy(), board.turn
    for move in line:
        board.push(move)
        if board.turn is not side:
            return board.key
    raise AssertionError("the line ends in the middle of a turn")


def test_lines_begin_with_different_turns():
    """Not with the same steps in another order, nor with what leaves together or one by one."""
    with Engine(hash_mb=8) as engine:
        for seed in range(12):
            board = rich_in_stacks(seed)
            infos = [i for i in engine.analyse(board, Limit(depth=4), multipv=8) if i.depth == 4]
            lines = [info for info in infos if info.bound is None]
            assert [info.multipv for info in lines] == list(range(1, 9))
            assert len({end_of_turn(board, info.pv) for info in lines}) == 8
            assert all(a.score >= b.score for a, b in pairwise(lines))


def test_where_there_are_fewer_turns_than_moves_every_move_has_its_line():
    in_check = "11/11/9f1/8m2/5(tc)5/11/11/3C1t5/3(ft)1a5/2T(FI)7/6(EA)1T2/5t5 r - - 0 13"
    board = Board(in_check)
    count = len(board.legal_moves)
    assert len(set(ends(board, once=False))) < count
    with Engine(hash_mb=4) as engine:
        infos = [i for i in engine.analyse(board, Limit(depth=2), multipv=count) if i.depth == 2]
    assert len({info.pv[0] for info in infos}) == count

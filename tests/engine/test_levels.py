"""Levels: what they overlook, what they see, and the ladder they stand on."""

import random

import pytest

from cotulenh import Board, Move, chess
from cotulenh.engine import Engine, Limit
from cotulenh.engine.levels import FULL, MAX_ELO, RUNGS, Weakness, difficulty, rating, skill_of

STACK = "6c4/11/11/11/11/11/11/2I1(TI)6/11/11/11/6C4 r - - 0 1"


def noticed(skill, board, times=200):
    """How often each move comes to mind."""
    weakness = Weakness(skill, random.Random(5))
    counts = dict.fromkeys(board.legal_moves, 0)
    for _ in range(times):
        for move in weakness.noticed(board, list(board.legal_moves)):
            counts[move] += 1
    return {move: count / times for move, count in counts.items()}


def test_near_moves_are_always_seen_and_deployments_are_missed():
    seen = noticed(0, Board(STACK))
    steps = [share for move, share in seen.items() if move.is_deploy]
    near = [share for move, share in seen.items() if difficulty(move) == 0]
    assert steps
    assert max(steps) < 0.3
    assert near
    assert min(near) == 1


def test_the_farther_the_easier_to_miss():
    seen = noticed(3, Board())
    by_difficulty = {}
    for move, share in seen.items():
        by_difficulty.setdefault(difficulty(move), []).append(share)
    means = [sum(shares) / len(shares) for _, shares in sorted(by_difficulty.items())]
    assert len(means) > 2
    assert means == sorted(means, reverse=True)


def test_better_levels_miss_less_and_the_best_nothing():
    means = [sum(noticed(skill, Board(), 40).values()) for skill in (0, 6, 12, 19)]
    assert means == sorted(means)
    assert set(noticed(19, Board(), 5).values()) == {1}


def test_within_a_deployment_the_next_step_is_no_surprise():
    board = Board(STACK)
    step = next(move for move in board.legal_moves if move.is_deploy)
    assert difficulty(step) >= 1
    assert difficulty(step, under_way=True) < 1


def test_if_nothing_comes_to_mind_everything_does():
    blind = Weakness(0, random.Random(1))
    blind.blindness = 1.0
    moves = [Move.from_lan("Fe2e6")]
    assert blind.noticed(Board(), moves) == moves


def test_a_piece_that_hangs_nearby_is_taken_even_by_the_lowest_level():
    chess_board = chess.Board("7k/8/8/3q4/4P3/8/8/K7 w - - 0 1")
    with Engine(hash_mb=4, skill=0) as engine:
        found = [engine.play(chess_board, Limit(nodes=500)).move.uci() for _ in range(10)]
    assert found.count("e4d5") >= 9


@pytest.mark.parametrize("game", ["official", "blueprint", "chess"])
def test_ratings_and_skills_are_each_others_inverse(game):
    ratings = [rating(skill, game) for skill in range(FULL)]
    assert ratings == sorted(ratings)
    for skill in RUNGS:
        assert skill_of(rating(skill, game), game) == pytest.approx(skill)
    assert skill_of(MAX_ELO, game) < FULL


def test_with_a_seed_levels_play_the_same_game_again():
    def game(seed):
        board = Board()
        with Engine(hash_mb=4, skill=2) as engine:
            engine.new_game(seed)
            for _ in range(12):
                board.push(engine.play(board, Limit(nodes=300)).move)
        return board.fen()

    assert game(7) == game(7)


@pytest.mark.parametrize("board", [Board(), chess.Board()], ids=["official", "chess"])
@pytest.mark.parametrize("skill", [0, 6, 12])
def test_every_level_has_finished_its_first_iteration(board, skill):
    """Few positions are no excuse: without a score for every move nothing could be chosen."""
    with Engine(skill=skill) as engine:
        info = engine.play(board, Limit(depth=2)).info
    assert info is not None
    assert info.score is not None


def test_where_everything_hangs_the_limit_of_nodes_holds():
    """Found by fuzzing: the exchanges of the first iteration alone are 93 000 positions."""
    board = Board(
        "10G/8(es)2/1+N2g5F/1(NI)+F6(FI)1/4c5a/7fA2/4(nm)6/(NFF)1n8/(nt)1a8/2(FI)3(HC)4/7+F1F1/"
        "1(NFT)2At5 r - - 1 37"
    )
    with Engine(hash_mb=4) as engine:
        assert engine.play(board, Limit(nodes=1)).move in board.legal_moves
        engine.new_game()
        played = engine.play(board, Limit(nodes=20_000))
    assert played.info is not None
    assert played.info.bound == "lower"  # of what was looked at until then
    assert played.info.nodes <= 20_000

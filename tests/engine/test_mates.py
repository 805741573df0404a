"""The suite of mates: every stored proof holds, and the engine finds what is stored."""

from collections import Counter

import pytest

from cotulenh import RED, Board, _core
from cotulenh.engine import Engine, Limit
from cotulenh.engine.mates import Prover, load, moves_that_mate, shortest_mate
from cotulenh.rules import Rules

RULES = Rules.names()
SAMPLE = {1: 5, 2: 15, 3: 25}  # of so many stored mates one is proven again on every run


def sample(rules, everything=False):
    for turns, step in SAMPLE.items():
        listed = [one for one in load(rules) if one.turns == turns]
        yield from listed[:: 1 if everything else step]


@pytest.mark.parametrize("rules", RULES)
def test_there_are_enough(rules):
    count = Counter(one.turns for one in load(rules))
    assert sum(count.values()) >= 200
    assert min(count[1], count[2], count[3]) >= 25
    assert len({one.fen for one in load(rules)}) == sum(count.values())


def prove(puzzle):
    board = puzzle.board()
    assert shortest_mate(board, puzzle.turns) == puzzle.turns, puzzle
    assert sorted(moves_that_mate(board, puzzle.turns)) == sorted(puzzle.moves), puzzle


@pytest.mark.parametrize("rules", RULES)
def test_stored_proofs_hold(rules):
    for puzzle in sample(rules):
        prove(puzzle)


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_all_stored_proofs_hold(rules):
    for puzzle in load(rules):
        prove(puzzle)


@pytest.mark.parametrize("rules", RULES)
def test_the_stored_lines_are_legal_and_mate(rules):
    for puzzle in load(rules):
        board = puzzle.board()
        attacker, turns = board.turn, 0
        for text in puzzle.line:
            mover = board.turn
            board.push_lan(text)
            turns += mover is attacker and (board.turn is not mover or board.is_game_over())
        assert board.outcome().winner is attacker, puzzle
        assert turns == puzzle.turns, puzzle
        assert puzzle.line[0] in puzzle.moves


# The prover -------------------------------------------------------------------------------------


def slow_mate(board, attacker, turns):
    """The same question, asked without memory, order or shortcuts."""
    end = board.outcome()
    if end is not None:
        return end.winner is attacker
    if turns == 0 and board.turn is attacker:
        return False

    def follow(move):
        board.push(move)
        spent = board.turn is not attacker and mover is attacker
        found = slow_mate(board, attacker, turns - spent)
        board.pop()
        return found

    mover = board.turn
    return (any if mover is attacker else all)(map(follow, board.legal_moves))


@pytest.mark.parametrize("rules", RULES)
def test_the_prover_equals_plain_minimax(rules):
    small = [one for one in load(rules) if len(one.board().legal_moves) < 40]
    for puzzle in small[:25]:
        board = puzzle.board()
        for turns in range(1, min(puzzle.turns, 2) + 1):
            wanted = slow_mate(board, board.turn, turns) if turns == 1 else puzzle.turns <= turns
            assert Prover(board.turn).wins(board, turns) is wanted, puzzle


def test_a_bare_commander_mates_nobody():
    board = Board("6c4/11/11/11/11/11/11/11/11/11/3I7/3C7 r - - 0 1")
    assert shortest_mate(board, 2) is None
    assert not Prover(RED, checks_only=True).wins(board, 2)


def test_the_board_is_left_as_it_was():
    puzzle = load("official")[-1]
    board = puzzle.board()
    shortest_mate(board, 2)
    assert board.fen() == puzzle.fen
    assert board.ply == 0


# The engine -------------------------------------------------------------------------------------


# Parts of the search that prune moves (core/engine/features.hpp): a mate that begins
# with a quiet move may be found only later with them, so they are off where mates are proven.
PRUNING = sum(
    _core.features()[name]
    for name in (
        *("null_move", "reductions", "reverse_futility", "futility", "late_moves", "exchanges"),
        *("singular", "internal_reduction", "razoring"),
    )
)


def solve(engine, puzzle):
    board = puzzle.board()
    engine.new_game()
    found = engine.play(board, Limit(mate=puzzle.turns, time=30))
    assert found.info.score.mate == puzzle.turns, (puzzle, found)
    assert board.lan(found.move) in puzzle.moves, (puzzle, board.lan(found.move))


@pytest.fixture
def careful():
    with Engine(hash_mb=16) as engine:
        engine._core.features &= ~PRUNING
        yield engine


@pytest.mark.parametrize("rules", RULES)
def test_the_engine_finds_the_mates(rules, careful):
    for puzzle in load(rules)[::4]:
        solve(careful, puzzle)


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_the_engine_finds_all_mates(rules, careful):
    for puzzle in load(rules):
        solve(careful, puzzle)


@pytest.mark.parametrize("rules", RULES)
def test_at_full_speed_most_mates_are_found_at_once(rules):
    """With all pruning on, in 20 000 nodes: a mate, if not always the shortest."""
    puzzles, found = load(rules)[::8], 0
    with Engine(hash_mb=16) as engine:
        for puzzle in puzzles:
            engine.new_game()
            score = engine.play(puzzle.board(), Limit(nodes=20_000)).info.score
            found += score.mate is not None and score.mate > 0
    assert found >= 0.6 * len(puzzles)


@pytest.mark.parametrize("rules", RULES)
def test_the_engine_claims_no_mate_that_is_not_there(rules):
    """A mate in fewer turns than proven is false, and one in as many by another first move."""
    with Engine(hash_mb=16) as engine:
        for puzzle in load(rules)[::2]:
            board = puzzle.board()
            engine.new_game()
            for info in engine.analyse(board, Limit(depth=5)):
                if info.bound is None and info.score.mate is not None:
                    assert info.score.mate >= puzzle.turns, puzzle
                    if info.score.mate == puzzle.turns:
                        assert board.lan(info.pv[0]) in puzzle.moves, puzzle

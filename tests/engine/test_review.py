"""What turns were worth, and the puzzles that games hold."""

import pytest

from cotulenh import Board, chess
from cotulenh.engine import Engine, Limit, Score
from cotulenh.engine.review import Tally, best_turn, end_score, judge, steps_of, turns_of
from cotulenh.engine.tactics import Finder, Proof, find

STACK = "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1"


def loss(before, after):
    return judge(Score(cp=before), Score(cp=after), "chess").loss


def test_what_a_turn_gave_away():
    assert loss(100, -300) == 400
    assert loss(-300, 100) == 0
    assert loss(9_000, 2_000) == 0  # still won
    marks = [judge(Score(cp=0), Score(cp=-n), "chess").mark for n in (0, 80, 200, 500)]
    assert marks == ["", "?!", "?", "??"]
    assert judge(Score(mate=3), Score(mate=-2), "chess").mark == "??"


def test_accuracy_is_of_the_expected_score():
    def accuracy(before, after, game="chess"):
        return judge(Score(cp=before), Score(cp=after), game).accuracy

    assert accuracy(0, 0) == pytest.approx(100, abs=0.1)
    assert accuracy(0, -1000) < 20
    assert accuracy(0, 1000) == pytest.approx(100, abs=0.1)
    assert accuracy(0, -100, "official") > accuracy(0, -100)


def test_one_blunder_weighs_more_than_its_share():
    tally = Tally()
    for _ in range(9):
        tally.add(0, judge(Score(cp=0), Score(cp=0), "chess"))
    tally.add(0, judge(Score(cp=0), Score(cp=-2000), "chess"))
    assert tally.counts(0) == [0, 0, 1]
    assert tally.accuracy(0) < 90
    assert tally.accuracy(1) == 100.0
    assert tally.loss(0) == 150


def test_a_deployment_is_one_turn():
    board = Board(STACK)
    board.push(next(m for m in board.legal_moves if m.is_deploy and m.kind.name == "NORMAL"))
    board.push(next(m for m in board.legal_moves if m.kind.name == "COMMIT"))
    board.push(board.legal_moves[0])
    turns = turns_of(Board(STACK), board.move_stack)
    assert [len(turn) for turn in turns] == [2, 1]
    steps = steps_of(Board(STACK), turns[0])
    assert [step.code for step in steps] == ["move", "commit"]
    assert steps[0].deploy


def test_a_best_turn_is_whole():
    with Engine(hash_mb=8) as engine:
        for fen in (STACK, None):
            board = Board(fen)
            _, turn = best_turn(engine, board, Limit(nodes=3000))
            for move in turn:
                board.push(move)
            assert board.turn is not Board(fen).turn or board.is_game_over()


def test_steps_of_chess():
    board = chess.Board("r3k3/1P6/8/8/8/8/8/4K2R w K - 0 1")
    codes = {
        text: steps_of(board, [board.parse_uci(text)])[0]
        for text in ("b7a8q", "e1g1", "h1h8", "e1e2")
    }
    assert [step.code for step in codes.values()] == ["promote", "castle", "move", "move"]
    assert codes["b7a8q"].taken == "R"


def test_the_end_has_a_score():
    mated = chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert end_score(mated) == Score(mate=-1)
    assert end_score(chess.Board()) is None


# Puzzles of games -----------------------------------------------------------------------------

QUICK = Proof(screen=3_000, first=6_000, final=12_000)


def test_a_lost_queen_is_found_in_a_game():
    """After 4... Ke7?? of the scholar's mate the queen mates; before it nothing is to be found."""
    moves = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
    found = find("chess", None, moves, QUICK)
    assert [(p.goal, p.line) for p in found][-1] == ("mate", (("h5f7",),))
    assert "mate1" in found[-1].themes


def test_a_quiet_position_holds_no_puzzle():
    finder = Finder("chess", 1, QUICK)
    try:
        assert finder.prove(chess.STARTING) is None
    finally:
        finder.close()


def test_a_seed_gives_the_same_puzzles():
    finder = Finder("chess", 3, QUICK)
    try:
        one = list(finder.game(0, most=1))
        two = list(finder.game(0, most=1))
    finally:
        finder.close()
    assert one
    assert one == two

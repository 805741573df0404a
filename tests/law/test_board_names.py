"""The board's other names: setting up, looking, moving, as people of python-chess expect them."""

import pickle
import random

import pytest

from cotulenh import BLUE, RED, Board, IllegalMoveError, Kind, Move, Piece, PositionError, Square
from cotulenh.engine import Engine, Limit


def walk(rules, plies, seed):
    rng = random.Random(seed)
    board = Board(rules=rules)
    for _ in range(plies):
        if board.is_game_over():
            return
        yield board
        board.push(rng.choice(list(board.legal_moves)))


@pytest.mark.parametrize("rules", ["official", "online", "blueprint"])
def test_moves_read_back_from_their_repr(rules):
    for board in walk(rules, 120, 5):
        for move in board.legal_moves:
            assert eval(repr(move)) == move
            assert pickle.loads(pickle.dumps(move)) == move


def test_the_repr_of_a_move_is_its_text():
    assert repr(Board().parse_san("Mg6")) == "Move.from_lan('Mg5g6')"
    with pytest.raises(ValueError, match="expected a move with the point it comes from"):
        Move.from_lan("Mg6")


@pytest.mark.parametrize("rules", ["official", "online", "blueprint"])
def test_looking_agrees_with_the_law(rules):
    """attacks is attackers turned round, and a move gives check if it leaves one."""
    for number, board in enumerate(walk(rules, 60, 6)):
        if number % 12:
            continue
        for square in board.occupied():
            color = board.color_at(square)
            attacked = board.attacks(square)
            assert all(
                (square in [one for one, _ in board.attackers(color, target)])
                == (target in attacked)
                for target in board.rules.terrain.all_accessible
            )
        for move in list(board.legal_moves)[:20]:
            after = board.copy()
            after.push(move)
            if after.turn is not board.turn:
                assert board.gives_check(move) == after.is_check()


def test_a_position_is_set_up_stack_by_stack():
    board = Board.empty()
    assert board.status() == {"missing_commander"}
    board.set_piece_at("g1", Piece(Kind.COMMANDER, RED))
    board.set_piece_at("f12", "c")
    board.set_stack_at("b3", "(NFT)")
    assert board.status() == frozenset()
    assert str(board.stack_at("b3")) == "(NFT)"
    assert board.piece_at("b3") == Piece(Kind.NAVY, RED)
    assert board.legal_moves
    assert str(board.remove_stack_at("b3")) == "(NFT)"
    assert board.remove_piece_at("b3") is None


@pytest.mark.parametrize(
    ("square", "stack", "problem"),
    [
        ("g5", "N", "cannot_stand"),
        ("c3", "(TI)", None),
        ("c3", "(IT)", None),
        ("c3", "(II)", "invalid_stack"),
        ("c4", "C", "too_many_commanders"),
    ],
)
def test_what_cannot_be_played_is_kept_and_named(square, stack, problem):
    board = Board()
    board.set_stack_at(square, stack)
    assert (problem in board.status()) == (problem is not None)
    assert board.is_valid() == (problem is None)
    if problem is None:
        return
    for use in (
        lambda: board.legal_moves,
        lambda: board.push_san("Mg6"),
        lambda: board.push_null(),
        lambda: board.perft(1),
        lambda: board.outcome(),
        lambda: board.is_legal(Move.from_lan("Mg5g6")),
    ):
        with pytest.raises(PositionError, match=f"unfinished: .*{problem}"):
            use()
    with Engine() as engine, pytest.raises(PositionError, match="unfinished"):
        engine.play(board, Limit(depth=1))
    assert "<svg" in board._repr_svg_()
    board.reset()
    assert board == Board()


def test_a_stack_that_no_text_can_be_is_refused():
    board = Board()
    for wrong in ("(NFTT)", "Q", "()", "N)"):
        with pytest.raises(ValueError, match=r"stack|piece|expected"):
            board.set_stack_at("c3", wrong)
    assert board == Board()


def test_the_null_move_passes_the_turn():
    board = Board()
    board.push_null()
    assert board.turn is BLUE
    assert board.peek() == Move.null()
    assert not Move.null()
    assert board.history() == ["--"]
    board.pop()
    assert board == Board()
    check = Board("6c4/11/11/11/11/11/11/11/11/6t4/11/6C4 r - - 0 1")
    assert check.is_check()
    with pytest.raises(IllegalMoveError):
        check.push_null()


def test_nobody_passes_in_the_middle_of_a_deployment():
    board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    board.push_san("T>d3")
    with pytest.raises(IllegalMoveError, match="deploy"):
        board.push_null()


def test_find_move_names_the_candidates():
    board = Board("6c4/11/11/11/11/11/4t6/11/11/4F6/11/5C5 r - - 0 1")
    with pytest.raises(ValueError, match=r"Fe3xe6, Fe3_e6|Fe3_e6, Fe3xe6"):
        board.find_move("e3", "e6")
    with pytest.raises(IllegalMoveError, match="no legal move goes from e3 to k12"):
        board.find_move("e3", "k12")
    assert Board().find_move("g5", "g6") == Move.from_lan("Mg5g6")


@pytest.mark.parametrize("rules", ["official", "online"])
def test_a_mirror_has_the_same_moves(rules):
    for number, board in enumerate(walk(rules, 60, 7)):
        if number % 10 == 0:
            mirrored = board.mirror()
            assert len(mirrored.legal_moves) == len(board.legal_moves)
            assert mirrored.mirror() == board


def test_a_stack_that_shields_its_commander_is_pinned():
    facing = Board("6c4/11/11/11/11/11/11/11/6T4/11/11/6C4 r - - 0 1")
    assert facing.is_pinned(RED, "g4")
    assert not facing.is_pinned(RED, "g1")
    tank = Board("5c5/11/11/11/11/11/11/11/11/6t4/6I4/6C4 r - - 0 1")
    assert tank.is_pinned(RED, "g2")
    assert Square("g3") in tank.pin(RED, "g2")
    assert Square("h2") not in tank.pin(RED, "g2")


def test_variation_san_keeps_deployments_together():
    board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 7")
    played = board.copy()
    line = [played.push_san("T>d3"), played.push_lan("c3<")]
    assert board.variation_san(line) == "7. (NF)<T>d3"


@pytest.mark.parametrize("blanks", ["  {}", "{} \n", "\t{}\r\n"])
def test_blanks_around_a_fen_do_not_matter(blanks):
    assert Board(blanks.format(Board().fen())) == Board()


def test_what_an_engine_found_travels():
    with Engine() as engine:
        found = engine.play(Board(), Limit(depth=2))
    again = pickle.loads(pickle.dumps(found))
    assert again.move == found.move
    assert again.info.pv == found.info.pv

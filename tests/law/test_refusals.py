"""A refused move says what stands against it: the article, the attacker, the candidates."""

from __future__ import annotations

import pytest
from picture import board

from cotulenh import AmbiguousMoveError, Board, IllegalMoveError, Move, ParseError, chess

FACING = """
       e f
    12 c .
     5 T .
     1 C .
"""
AIMED = """
       e h k
    12 . . c
     9 . . i
     6 . t .
     5 C . .
"""
WATCHED = """
       e f h
    12 . c .
     5 C . .
"""

REASONS = [
    (FACING, "Tf5", "the Commanders would face each other (6.1)"),
    (AIMED, "Ch5", "the Commander would be attacked by T h6 (6.5)"),
    (WATCHED, "Cg5", "the Commander would face the other on the way (6.2)"),
    ("d e\n6 . .\n5 M .", "Md7", "M does not reach d7 (3)"),
    ("d e\n6 . .\n5 T .", "Mg7", "there is no M to move"),
    ("d e\n6 . .\n5 T .", "T1e6", "there is no T to move"),
    ("d e f\n6 . . .\n5 T M .", "Tf5", "a piece stands in the way (3)"),
    ("d e\n5 T T", "T&e5", "T and T form no stack (7.2)"),
    ("c d\n5 (NFT) I", "I&c5", "I and (NFT) form no stack (7.2)"),
    ("d e\n5 T M", "Te5", "e5 is not empty"),
    ("d e\n5 T M", "Txe6", "there is nothing to take on e6"),
    ("g\n6 A", "Ag7", "heavy pieces cross the river on bridges only (2.4)"),
    ("b c\n5 . T", "Tb5", "T cannot stand on b5 (2.2)"),
    ("a b c\n5 N . T", "T&a5", "the way to a5 leads over water (2.6)"),
    ("c d\n6 . .\n5 N .", "Nd6", "a ship needs sea all the way (2.5)"),
    ("d e f g\n5 F . . .\n4 . . . g", "Fg5", "air defence covers the way (5.2)"),
    ("d\n5 (TI)", "Id5d6", "d5 holds (TI), which moves whole or deploys (8.1)"),
    ("d\n5 (TI)", "<", "no deployment is under way (8.2)"),
    ("c d\n5 N F", "N&d5", "(NF) cannot stand on d5 (7.1)"),
    ("d e\n12 c .\n5 . T", "Te6", "the game is over (10.1)"),
]


@pytest.mark.parametrize(("drawing", "text", "reason"), REASONS)
def test_an_illegal_text_names_its_article(drawing: str, text: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        board(drawing).push_san(text)
    assert str(refused.value) == f"illegal move: '{text}', {reason}"


def test_an_illegal_move_names_its_article() -> None:
    b = board(FACING)
    move = next(m for m in b.pseudo_legal_moves if m.lan() == "Te5f5")
    for push in (b.push, b.san, b.lan):
        with pytest.raises(IllegalMoveError, match=r"face each other \(6\.1\)"):
            push(move)
    with pytest.raises(IllegalMoveError, match="nothing stands on a1"):
        Board().push(Move.from_int(int(Board().legal_moves[0]) & ~0xFF))


def test_in_a_deployment_only_its_pieces_step() -> None:
    b = board("""
           c     f k
        12 .     . c
         5 (NF)  T .
         1 .     C .
    """)
    b.push_lan("Fc5>d5")
    with pytest.raises(IllegalMoveError, match=r"steps are written with > \(8\.3, 12\.1\)"):
        b.push_san("Tf6")
    with pytest.raises(IllegalMoveError, match=r"only N of c5 may step \(8\.3\)"):
        b.push_san("T>f6")


def test_steps_and_the_end_of_a_deployment_begin_where_it_began() -> None:
    b = board("""
           c     f k
        12 .     . c
         5 (NFT) . .
         1 .     C .
    """)
    b.push_lan("Fc5>d5")
    for text in ("Td5>c7", "Tc6>c7"):
        with pytest.raises(IllegalMoveError):
            b.push_san(text)
    for text in ("d5<", "c6<"):
        with pytest.raises(IllegalMoveError, match=r"the deployment began elsewhere \(8\.2\)"):
            b.push_san(text)
    with pytest.raises(ParseError, match="a commit is written like c3<"):
        b.push_san("c5x<")


def test_pieces_that_form_no_stack_do_not_step_together() -> None:
    """8.1: two aircraft share a ship (7.2), but not a flight."""
    b = board("c\n5 (NFF)")
    with pytest.raises(IllegalMoveError):
        b.push_lan("(FF)c5>c7")
    meant = Move.from_lan("(FF)c5>c7")
    assert not b.is_legal(meant)
    with pytest.raises(IllegalMoveError):
        b.push(meant)


def test_in_a_study_without_commanders_what_is_left_must_stay_too() -> None:
    """8.2, 10.1."""
    b = board("a\n5 (NFT)")
    b.push_lan("Na5>a9")
    with pytest.raises(IllegalMoveError, match=r"left on a5 could not stay there \(8\.2\)"):
        b.push_lan("a5<")


def test_a_finished_game_has_no_moves_of_any_kind() -> None:
    """10.1: not even pseudo-legal ones."""
    b = board("d e\n12 c .\n5 . T")
    assert not list(b.pseudo_legal_moves)
    assert not b.is_legal(Move.from_lan("Te5e6"))


def test_of_many_candidates_four_are_named() -> None:
    b = board("d e f\n6 M . M\n5 M . M\n4 M . .")
    with pytest.raises(AmbiguousMoveError, match=r"it could be (\S+, ){4}…$"):
        b.push_san("Me5")


def test_what_is_left_must_be_able_to_stay() -> None:
    """8.2: a tank does not stay at sea when its ship has left."""
    b = board("""
           a     j k
        12 .     . c
         5 (NT)  . .
         1 .     C .
    """)
    with pytest.raises(IllegalMoveError, match=r"left on a5 could not stay there \(8\.2\)"):
        b.push_lan("Na5>a9")


def test_an_ambiguous_text_names_the_candidates() -> None:
    b = board("d e f\n5 T . T")
    with pytest.raises(AmbiguousMoveError) as refused:
        b.push_san("Te5")
    assert str(refused.value) == "ambiguous move: 'Te5', it could be Td5e5, Tf5e5"


def test_the_reason_is_that_of_the_piece_the_text_names() -> None:
    """12.2: the square a move comes from may be cut to its file or its rank."""
    b = board("""
           e f
         7 . .
         6 . I
         5 T T
         2 . T
    """)
    in_the_way, too_far = "a piece stands in the way (3)", "T does not reach f7 (3)"
    for text, reason in (("Tf5f7", in_the_way), ("Tf2f7", too_far), ("Te5f7", too_far)):
        with pytest.raises(IllegalMoveError) as refused:
            b.push_san(text)
        assert str(refused.value) == f"illegal move: '{text}', {reason}"


@pytest.mark.parametrize("drawing", ["b f\n6 N t", "b f\n6 . t\n2 N ."])
def test_a_navy_takes_on_land_at_three_points_and_sails_four(drawing: str) -> None:
    """3: ships 4/4, others 3/3, straight and on diagonals."""
    b = board(drawing)
    with pytest.raises(IllegalMoveError, match=r"N does not reach f6 \(3\)"):
        b.push_san("Nxf6")


@pytest.mark.parametrize("make", [Board, chess.Board])
def test_an_ellipsis_says_that_something_is_left_out(make: type) -> None:
    for length in range(1, 40):
        text = "?" * length
        with pytest.raises(ParseError) as refused:
            make().push_san(text)
        shown = str(refused.value).split("'")[1]
        left_out = shown.endswith("…")
        assert shown.rstrip("…") == text[: len(shown) - left_out]
        assert left_out == (len(shown) - left_out < length)
        assert len(shown) < 30


def test_what_is_no_part_of_a_move_is_shown() -> None:
    """12.1: between the piece and its point there is room for an origin and a mark alone."""
    for text, at in (("Tf5*f6", 3), ("T*f5", 1)):
        with pytest.raises(ParseError, match=r"unexpected '\*'") as refused:
            board("f\n5 T").push_san(text)
        assert refused.value.offset == at


@pytest.mark.parametrize("make", [Board, chess.Board])
def test_arguments_of_the_wrong_kind_are_named(make: type) -> None:
    with pytest.raises(TypeError, match=r"^expected a FEN, got 5$"):
        make(5)
    for wrong in ("Mg7", None, 7):
        with pytest.raises(TypeError, match=f"^expected a Move, got {wrong!r}"):
            make().push(wrong)


CHESS = [
    ("8/8/8/8/8/8/8/K6k w - - 0 1", "Qe4", "there is no such piece to move"),
    (None, "Ke3", "the king on e1 cannot go to e3"),
    (None, "e5", "the pawn on e2 cannot go to e5"),
    ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", "the king would be attacked by the rook on e8"),
    ("k4r2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "the king may not castle out of, through or into"),
    ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "must say what it becomes"),
    ("3q3k/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1", "the king would be attacked by the queen on d8"),
    ("4r2k/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "exd6", "the king would be attacked by the rook on e8"),
    (None, "Rxa2", "the rook on a1 cannot go to a2"),
    ("7k/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e4", "the pawn on e2 cannot go to e4"),
    ("7k/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e4", "the pawn on e2 cannot go to e4"),
]


@pytest.mark.parametrize(("fen", "text", "reason"), CHESS)
def test_chess_says_why(fen: str | None, text: str, reason: str) -> None:
    b = chess.Board() if fen is None else chess.Board(fen)
    with pytest.raises(IllegalMoveError) as refused:
        b.push_san(text)
    assert str(refused.value).startswith(f"illegal move: '{text}', ")
    assert reason in str(refused.value)


def test_chess_names_the_candidates() -> None:
    with pytest.raises(AmbiguousMoveError, match=r"'Ne3', it could be c4e3, g4e3$"):
        chess.Board("7k/8/8/8/2N3N1/8/8/4K3 w - - 0 1").push_san("Ne3")


QUEENS = "6k1/8/8/8/8/Q1Q5/8/Q1Q1K3 w - - 0 1"


@pytest.mark.parametrize(
    ("text", "candidates"),
    [("Qab2", "a1b2, a3b2"), ("Q1b2", "a1b2, c1b2"), ("Qb2", "a1b2, c1b2, a3b2, c3b2")],
)
def test_chess_names_the_candidates_that_the_text_allows(text: str, candidates: str) -> None:
    with pytest.raises(AmbiguousMoveError, match=f"it could be {candidates}$"):
        chess.Board(QUEENS).push_san(text)


def test_chess_names_no_pinned_piece_among_the_candidates() -> None:
    """The rook on e4 must stay on its file."""
    b = chess.Board("4r2k/2R5/8/8/R3R3/8/8/2R1K3 w - - 0 1")
    with pytest.raises(AmbiguousMoveError, match=r"it could be c1c4, a4c4, c7c4$"):
        b.push_san("Rc4")

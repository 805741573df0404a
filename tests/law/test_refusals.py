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
    ("d e f\n6 . . .\n5 T M .", "Tf5", "a piece stands in the way (3)"),
    ("d e\n5 T T", "T&e5", "T and T form no stack (7.2)"),
    ("d e\n5 T M", "Te5", "e5 is not empty"),
    ("d e\n5 T M", "Txe6", "there is nothing to take on e6"),
    ("g\n6 A", "Ag7", "heavy pieces cross the river on bridges only (2.4)"),
    ("b c\n5 . T", "Tb5", "T cannot stand on b5 (2.2)"),
    ("a b c\n5 N . T", "T&a5", "the way to a5 leads over water (2.6)"),
    ("c d\n6 . .\n5 N .", "Nd6", "a ship needs sea all the way (2.5)"),
    ("d e f g\n5 F . . .\n4 . . . g", "Fg5", "air defence covers the way (5.2)"),
    ("d\n5 (TI)", "Id5d6", "d5 holds (TI), which moves whole or deploys (8.1)"),
    ("d\n5 (TI)", "<", "no deployment is under way (8.2)"),
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

"""§12 Moves as text."""

from __future__ import annotations

import pytest
from picture import board, lans, then

from cotulenh import (
    BLUE,
    RED,
    AmbiguousMoveError,
    Board,
    IllegalMoveError,
    Move,
    MoveKind,
    Outcome,
    ParseError,
    Reason,
)

# 12.1


def test_12_1_the_examples_of_the_law() -> None:
    b = board("""
          b     c     d e h
        6 .     .     . . i
        3 .     (NFT) . i .
        2 (NF)  .     F . .
    """)
    for text, kind in (
        ("(NF)b2b5", MoveKind.NORMAL),
        ("Fd2_h6", MoveKind.STAY),
        ("Tc3>xe3", MoveKind.CAPTURE),
    ):
        move = b.parse_lan(text)
        assert (b.lan(move), move.kind, move.is_deploy) == (text, kind, ">" in text)
    tank = board("c d\n3 T .")
    assert tank.lan(tank.parse_lan("Tc3d3")) == "Tc3d3"
    assert "c3<" in lans(then(b, "Tc3>xe3"))


def test_12_1_a_sub_stack_may_board() -> None:
    b = board("""
          b     e
        5 .     I
        2 (NFT) .
    """, rules="blueprint")  # fmt: skip
    move = b.parse_lan("(FT)b2>&e5")
    assert (b.lan(move), move.kind) == ("(FT)b2>&e5", MoveKind.COMBINE)


def test_12_1_heroic_marks_and_exchanges() -> None:
    b = board("""
          d e f  g
        5 . . +T g
        4 F . .  .
    """)
    assert "+Tf5xg5" in lans(b)
    c = board("""
          d e f
        4 F . g
    """)
    assert "Fd4@f4" in lans(c)


def test_12_1_lan_is_unique() -> None:
    b = board("""
          c       d e k
        3 (N+FF)  . i .
        2 T       . T (FT)
    """)
    assert len(lans(b)) == len(b.legal_moves)


# 12.2


def test_12_2_the_origin_is_left_out() -> None:
    b = board("c d\n3 T .")
    assert b.san(b.parse_lan("Tc3d3")) == "Td3"
    f = board("""
          d h
        6 . i
        2 F .
    """)
    assert f.san(f.parse_lan("Fd2_h6")) == "F_h6"


def test_12_2_or_cut_to_file_rank_or_square() -> None:
    files = board("""
          d e f
        4 T . T
    """)
    assert files.san(files.parse_lan("Td4e4")) == "Tde4"
    ranks = board("""
          e
        5 T
        4 .
        3 T
    """)
    assert ranks.san(ranks.parse_lan("Te5e4")) == "T5e4"
    squares = board("""
          d e f
        4 T . T
        3 . . .
        2 . T .
    """)
    assert squares.san(squares.parse_lan("Td4e4")) == "Tde4"
    assert squares.san(squares.parse_lan("Te2e4")) == "Tee4"
    corner = board("""
          d e f
        5 M . M
        4 . . .
        3 M . .
    """)
    assert corner.san(corner.parse_lan("Md5e4")) == "Md5e4"
    assert corner.san(corner.parse_lan("Mf5e4")) == "Mfe4"
    assert corner.san(corner.parse_lan("Md3e4")) == "M3e4"


def test_12_2_a_whole_deployment_is_one_token() -> None:
    """The law's own example."""
    b = board("""
          c     d e
        6 i     . .
        4 (NFT) . .
    """)
    played = then(b, "Fc4>xc6", "Tc4>e4", "c4<")
    assert played.history() == ["N<F>xc6,T>e4"]
    again = b.copy()
    again.push_san("N<F>xc6,T>e4")
    assert again.fen() == played.fen()


def test_12_2_just_the_steps_when_nothing_stays() -> None:
    b = board("c k\n4 (NT) .\n9 . i")
    played = then(b, "Tc4>e4", "Nc4>c8")
    assert played.history() == ["T>e4,N>c8"]
    again = b.copy()
    again.push_san("T>e4,N>c8")
    assert again.fen() == played.fen()


def test_12_2_suffixes() -> None:
    check = board("""
           d e k
        12 c . i
        11 . . i
         9 . T .
         1 . C I
    """)
    assert check.san(check.parse_lan("Te9e10")) == "Te10"
    near = board("""
           d e k
        12 c . i
        11 . . i
        10 . T .
         1 . C I
    """)
    assert near.san(near.parse_lan("Te10d10")) == "Td10^"
    mate = board("""
           d e g j k
        12 . . . g c
        11 . . . . g
         4 . . F . .
         1 C I . . .
    """)
    assert mate.san(mate.parse_lan("Fg4g8")) == "Fg8#"


# 12.3

PLAIN = """
      c     d e
    3 (NFT) . i
    2 .     . .
    1 +M    . .
"""


@pytest.mark.parametrize(
    "text",
    ["Tc3>xe3", "tc3>xe3", "TC3>XE3", "T>xe3", "t>xe3", "Tc3>xe3^", "T>xe3#", "Tc>xe3", "T3>xe3"],
)
def test_12_3_either_notation_either_case_suffixes_or_not(text: str) -> None:
    b = board(PLAIN)
    assert b.lan(b.parse_lan(text)) == "Tc3>xe3"
    assert b.lan(b.parse_san(text)) == "Tc3>xe3"


@pytest.mark.parametrize("text", ["+Mc1d2", "Mc1d2", "mc1d2", "+md2", "Md2"])
def test_12_3_with_or_without_heroic_marks(text: str) -> None:
    b = board(PLAIN)
    assert b.lan(b.parse_san(text)) == "+Mc1d2"


def test_12_3_marks_tell_apart_where_they_must() -> None:
    b = board("c\n3 (N+FF)")
    assert b.lan(b.parse_lan("Fc3>f6")) == "Fc3>f6"
    assert b.lan(b.parse_lan("+Fc3>f6")) == "+Fc3>f6"


def test_12_3_three_different_errors() -> None:
    b = board("""
          d e f
        4 T . T
    """)
    with pytest.raises(AmbiguousMoveError):
        b.parse_san("Te4")
    with pytest.raises(IllegalMoveError):
        b.parse_san("Td9")
    with pytest.raises(ParseError) as refused:
        b.parse_san("T??")
    assert refused.value.offset <= 3
    assert {AmbiguousMoveError, IllegalMoveError, ParseError} <= set(ValueError.__subclasses__())


@pytest.mark.parametrize(
    ("text", "reason", "offset"),
    [
        ("^", "no move", 0),
        ("()d5", "a move begins with the letters of its pieces", 1),
        ("Tl5", "a move ends with the point it goes to", 3),
        ("T@5", "a move ends with the point it goes to", 3),
        ("Tz5", "a move ends with the point it goes to", 3),
        ("Td13", "a move ends with the point it goes to", 4),
        ("T13d5", "expected a rank of the board", 1),
    ],
)
def test_12_3_what_is_no_move_says_why_and_where(text: str, reason: str, offset: int) -> None:
    """The files end with k, the ranks with 12."""
    with pytest.raises(ParseError) as refused:
        board("d\n4 T").parse_san(text)
    assert (refused.value.reason, refused.value.offset) == (f"{text!r}: {reason}", offset)


@pytest.mark.parametrize("text", ["", "e4", "Q", "Td4e99", "T", "(TT", "Td4>>e4", "d4<x"])
def test_12_3_unparsable(text: str) -> None:
    b = board("""
          d e f
        4 T . T
    """)
    before = b.fen()
    for read in (b.parse_lan, b.parse_san, b.push_lan, b.push_san):
        with pytest.raises(ParseError):
            read(text)
    assert b.fen() == before


# 12.4


def test_12_4_results() -> None:
    assert Outcome(RED, Reason.CHECKMATE).result == "1-0"
    assert Outcome(BLUE, Reason.CHECKMATE).result == "0-1"
    assert Outcome(None, Reason.CLOCK).result == "1/2-1/2"


def test_12_4_a_game_can_be_told_in_san_and_played_again() -> None:
    """What a PGN's move text needs: every turn one token, read back in the same position."""
    b = Board()
    for lan in ("Mg5g6", "Mg8g7", "Mg6xg7", "Tf9f7", "Ic5c6"):
        b.push_lan(lan)
    again = Board()
    for token in b.history():
        again.push_san(token)
    assert again.fen() == b.fen()


@pytest.mark.parametrize("text", ["h4<^", "h4<", "<^", "<", "H4<^"])
def test_12_3_a_commit_that_gives_check_is_read(text: str) -> None:
    """The Tank that stays on h4 attacks the Commander: the commit carries the sign of check."""
    there = then(board("h\n12 h\n6 c\n4 (FT)\n1 C"), "Fh4>j6")
    commit = next(move for move in there.legal_moves if move.kind is MoveKind.COMMIT)
    assert there.san(commit) == "<^"
    assert there.parse_san(text) == commit
    if len(text) > 2:
        assert there.parse_lan(text) == commit
    there.push_san(text)
    assert there.is_check()
    assert there.deployment is None


# Turn texts that are none.

NO_TURN = ["<", "<#", "<^", "++<^", "+<", "^", "#", "", ",", "N<", "c3<", "<,", "Mg6,", "<Mg6"]


@pytest.mark.parametrize("text", NO_TURN)
def test_12_2_outside_a_deployment_a_commit_is_no_turn(text: str) -> None:
    for push in (Board.push_san, Board.push_lan):
        b = Board()
        with pytest.raises((ParseError, IllegalMoveError)):
            push(b, text)
        assert b.ply == 0
        assert b.fen() == Board().fen()


def test_12_2_a_turn_ends_with_its_movers_last_step() -> None:
    """Two turns are no text of one."""
    with pytest.raises(IllegalMoveError):
        Board().push_san("Mg6,Mg7")


@pytest.mark.parametrize("text", ["<", "h4<", "<^", "h4<^", "F<", "F<^"])
def test_12_2_a_commit_that_gives_check_is_read(text: str) -> None:
    """h4<^: the tank has left, the Air Force stays and attacks the Commander."""
    b = board("""
          d h
        8 . c
        4 . (FT)
        1 C .
    """)
    b.push_lan("Th4>g4")
    assert b.deployment is not None
    b.push_san(text)
    assert b.deployment is None
    assert b.is_check()


def test_12_2_what_stands_before_the_sign_must_be_there() -> None:
    """Nothing is left on c3 when all three have gone."""
    b = board("c\n3 (NFT)")
    whole = "T>d3,F>g3,N>c5"
    with pytest.raises(IllegalMoveError, match=r"not what stays \(12\.2\)"):
        b.copy().push_san(f"N<{whole}")
    b.push_san(whole)
    assert b.deployment is None


@pytest.mark.parametrize("text", ["Txe5", "TXe5", "TXE5", "tXe5"])
def test_12_3_the_mark_of_a_capture_in_either_case(text: str) -> None:
    assert board("d e\n5 T i").parse_san(text).lan() == "Td5xe5"


def test_12_1_a_move_by_itself_names_its_origin() -> None:
    assert Move.from_lan("0000").lan() == "0000"
    assert Move.from_lan("Td5xe5").lan() == "Td5xe5"
    for text, reason in (
        ("Te5", "the point it comes from"),
        ("Tde5", "the point it comes from"),
        ("nonsense", "ends with the point"),
        ("(NFTI)c3c4", "more than three pieces"),
    ):
        with pytest.raises(ParseError, match=reason):
            Move.from_lan(text)


def test_12_2_a_turn_that_is_passed() -> None:
    b = Board()
    b.push_null()
    b.push_san("Mg7")
    assert (b.history("san"), b.history("lan")) == (["--", "Mg7"], ["0000", "Mg8g7"])


@pytest.mark.parametrize("rest", ["+N", "N", "n"])
def test_12_2_what_stays_with_or_without_heroic_marks(rest: str) -> None:
    b = board("c\n3 (+NF)")
    b.push_san(f"{rest}<F>d3")
    assert b.history() == ["+N<F>d3"]

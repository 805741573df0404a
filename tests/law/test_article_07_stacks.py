"""§7 Stacks."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from picture import after, board, fen, goes, lans, words

from cotulenh import ParseError, PositionError

VALID = words(
    "NFF NTT NFT NFC NFI NFM NF NT NC NI NM",
    "FT FC FI FM  TC TI TM  EA EG ES  HC",
)


# 7.1


def test_7_1_either_may_be_the_carrier() -> None:
    b = board("""
          g
        5 I
        4 T
    """)
    assert after(b, "Tg4&g5") == fen("g\n5 (TI)", "b", 1)
    assert after(b, "Ig5&g4") == fen("g\n4 (TI)", "b", 1)


def test_7_1_whole_stacks_combine() -> None:
    b = board("""
          b c
        4 N (FT)
    """)
    assert after(b, "(FT)c4&b4") == fen("b\n4 (NFT)", "b", 1)
    assert after(b, "Nb4&c4") == fen("c\n4 (NFT)", "b", 1)


def test_7_1_only_into_a_valid_stack() -> None:
    b = board("""
          f g    h
        5 . I    .
        4 T (TI) M
        3 . E    .
    """)
    assert not {lan for lan in lans(b) if "&" in lan and ">" not in lan}


def test_7_1_within_the_reach_of_a_quiet_move() -> None:
    b = board("""
          e f g h i
        4 I . T H I
    """)
    assert {text for text in goes(b, "Tg4") if "&" in text} == words("&e4")  # h4 blocks the way
    assert {text for text in goes(b, "Ie4") if "&" in text} == set()  # a tank is two away


def test_7_1_on_the_last_point_only_the_result_must_stand() -> None:
    """[R] this side of the line: a tank and an aircraft board a ship at sea."""
    b = board("""
          b c d e
        4 N . . F
        3 . . . .
        2 N T . .
    """)
    assert "Tc2&b2" in lans(b)
    assert "Fe4&b4" in lans(b)
    assert after(b, "Tc2&b2") == fen("""
          b    c d e
        4 N    . . F
        2 (NT) . . .
    """, "b", 1)  # fmt: skip


def test_7_1_the_result_must_stand_and_intermediate_points_are_the_mover_s() -> None:
    """[R] the other side: a ship may not fetch a tank inland, nor a tank wade to a ship."""
    inland = board("""
          c d e
        4 N T .
    """)
    assert "Nc4&d4" not in lans(inland)
    assert "Td4&c4" in lans(inland)
    wading = board("""
          a b c
        4 N . T
    """)
    assert "Tc4&a4" not in lans(wading)


# 7.2


@pytest.mark.parametrize("size", [2, 3])
def test_7_2_valid_stacks_and_no_others(size: int) -> None:
    for letters in combinations_with_replacement("NFTEHCIMAGS", size):
        text = "".join(letters)
        if text in VALID:
            assert str(board(f"c\n3 ({text})").stack_at("c3")) == f"({text})"
        else:
            with pytest.raises(PositionError) as refused:
                board(f"c\n3 ({text})")
            assert "invalid_stack" in refused.value.problems, text


def test_7_2_never_more_than_three() -> None:
    with pytest.raises((PositionError, ParseError)):
        board("c\n3 (NFTI)")
    b = board("""
          b     c
        3 (NFT) I
    """)
    assert "Ic3&b3" not in lans(b)


def test_7_2_two_equal_passengers() -> None:
    b = board("""
          b    c d
        3 (NF) . F
        2 (NT) T .
    """)
    assert after(b, "Fd3&b3") == fen("""
          b     c d
        3 (NFF) . .
        2 (NT)  T .
    """, "b", 1)  # fmt: skip
    assert after(b, "Tc2&b2") == fen("""
          b     c d
        3 (NF)  . F
        2 (NTT) . .
    """, "b", 1)  # fmt: skip


@pytest.mark.parametrize("stack", sorted(VALID))
def test_7_2_the_carrier_is_the_first_of_n_f_t_e_h(stack: str) -> None:
    turned = "".join(reversed(stack))
    b = board(f"c\n3 ({turned})")
    carrier = next(letter for letter in "NFTEH" if letter in stack)
    assert b.stack_at("c3").carrier.kind.letter == carrier
    assert str(b.stack_at("c3")) == f"({stack})"


# 7.3


def test_7_3_a_stack_moves_as_its_carrier() -> None:
    b = board("g\n4 (TM)")
    assert goes(b, "(TM)g4") == words("g5 g6 g3 g2 f4 e4 h4 i4")


def test_7_3_takes_as_its_carrier() -> None:
    b = board("""
          f    g
        5 .    i
        4 (TM) .
        2 i    .
    """)
    assert {text for text in goes(b, "(TM)f4") if "x" in text} == words("xf2")
    assert {text for text in goes(b, "Mf4>") if "x" in text} == words("xg5")


def test_7_3_stands_as_its_carrier() -> None:
    for stack in ("(NT)", "(NFI)"):
        board(f"a\n3 {stack}")
        with pytest.raises(PositionError):
            board(f"f\n3 {stack}")
    with pytest.raises(PositionError):
        board("a\n3 (FT)")


def test_7_3_carried_pieces_keep_their_own_heroic_mark() -> None:
    b = board("""
          f g
        4 T +M
    """)
    assert after(b, "Tf4&g4") == fen("g\n4 (T+M)", "b", 1)
    plain_carrier = board("g\n4 (T+M)")
    assert goes(plain_carrier, "(T+M)g4") == words("g5 g6 g3 g2 f4 e4 h4 i4")
    assert "f5" in goes(plain_carrier, "+Mg4>")
    hero = board("g\n4 (+TM)")
    assert words("g7 j4 j7 d4") <= goes(hero, "(+TM)g4")

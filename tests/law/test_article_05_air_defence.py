"""§5 Air defence."""

from __future__ import annotations

from picture import after, board, fen, goes, star, then, words

from cotulenh import BLUE, RED, Board


def cover(b: Board) -> set[str]:
    return {square.name for square in b.air_defence(RED)}


def takes(texts: set[str]) -> set[str]:
    return {text for text in texts if text[0] in "x_@"}


# 5.1


def test_5_1_the_discs() -> None:
    assert cover(board("e\n5 G")) == words("e5 e4 e6 d5 f5")
    assert cover(board("b\n5 N")) == words("b5 b4 b6 a5 c5")
    assert cover(board("g\n5 S")) == star("g5", 2, 1) | words("g5")
    assert cover(board("g\n5 T")) == cover(board("g\n5 F")) == set()


def test_5_1_a_disc_is_round() -> None:
    """dx² + dy² ≤ 9 holds (2, 2), not (3, 1)."""
    disc = cover(board("g\n5 +S"))
    assert {"i7", "g8", "j5", "h7", "i6"} <= disc
    assert not {"j6", "h8", "j8"} & disc


def test_5_1_carried_defenders_cover_nothing() -> None:
    """[R] this side of the line."""
    assert cover(board("e\n5 (EG)")) == cover(board("e\n5 (ES)")) == set()
    past = board("""
          d e f    g h
        4 F . (eg) . .
    """)
    assert words("e4 g4 h4 xf4 _f4") <= goes(past, "Fd4")


def test_5_1_carrying_defenders_cover() -> None:
    """[R] the other side."""
    assert cover(board("b\n5 (NF)")) == words("b5 b4 b6 a5 c5")
    assert cover(board("b\n5 (+NFT)")) == star("b5", 2, 1) | words("b5")


def test_5_1_rings_are_the_enemy_s_only() -> None:
    b = board("""
          d e f g h
        4 F . G . .
    """)
    assert words("e4 g4 h4") <= goes(b, "Fd4")
    assert len(b.air_defence(BLUE)) == 0


# 5.2


def test_5_2_quiet_flights_avoid_every_covered_point() -> None:
    b = board("""
          d e f g h
        6 . . g . .
        5 . . . . .
        4 F . . . .
    """)
    assert goes(b, "Fd4") == words(
        "d5 d6 d7 d8  e4 f4 g4 h4  d3 d2 d1  c4  c5 c3  e3 f2 g1",
        "e5 @f6",  # f6 is covered: no quiet flight beyond it
    )


def test_5_2_boarding_is_a_quiet_flight() -> None:
    b = board("""
          d e f g h
        5 . . . g .
        4 F . T T T
    """)
    # The gun covers g4 only: the tank on f4 can be boarded, those behind the ring cannot.
    assert {text for text in goes(b, "Fd4") if "&" in text} == words("&f4")


def test_5_2_an_uncovered_way_takes_as_ever() -> None:
    b = board("""
          d e f g
        6 . . . g
        5 . . t .
        4 F . t .
    """)
    assert takes(goes(b, "Fd4")) == words("xf4 _f4")


def test_5_2_a_covered_target_is_an_exchange() -> None:
    b = board("""
          d    e f g
        5 .    . . g
        4 (FT) . . t
    """)
    assert takes(goes(b, "(FT)d4")) == words("@g4")
    # Both go, the aircraft with all it carries.
    assert after(b, "(FT)d4@g4") == fen("""
          g
        5 g
    """, "b")  # fmt: skip


def test_5_2_several_rings_over_the_target_are_allowed() -> None:
    """[R] this side of the line."""
    b = board("""
          d e f g
        6 . g i g
        5 . . . .
        4 F . . .
    """)
    # On e5 the gun of e6 hits; it covers f6 too, as does the gun of g6.
    assert "@f6" in goes(b, "Fd4")


def test_5_2_a_ring_that_hits_before_the_target_is_not() -> None:
    """[R] the other side."""
    b = board("""
          d e f g
        7 . . . i
        6 . g . .
        5 . . . .
        4 F . . .
    """)
    # The gun of e6 covers e5 and f6 on the way, but not g7.
    assert takes(goes(b, "Fd4")) == set()
    both = board("""
          d e f g
        7 . . . g
        6 . g . .
        5 . . . .
        4 F . . .
    """)
    assert takes(goes(both, "Fd4")) == set()  # that g7 is covered by its own ring does not help


# 5.3


def test_5_3_cover_is_judged_before_the_move() -> None:
    b = board("""
          d e f
        4 F . g
    """)
    assert takes(goes(b, "Fd4")) == words("@f4")  # the gun it takes still shoots


def test_5_3_the_point_of_departure_does_not_count() -> None:
    b = board("""
          e f g
        5 . g .
        4 . F .
    """)
    assert words("e4 g4 e3 g3 f3 d4") <= goes(b, "Ff4")
    assert "e5" not in goes(b, "Ff4")


def test_5_3_an_aircraft_with_its_own_commander_does_not_exchange() -> None:
    drawing = """
           d    e f c  k
        12 .    . . .  i
        11 .    . . h  c
         8 .    . . .  h
         6 .    . g .  .
         4 {F}  . . .  .
         1 {C}  . . .  I
    """
    with_him = board(drawing.format(F="(FC)", C="."))
    assert takes(goes(with_him, "(FC)d4")) == set()
    assert takes(goes(with_him, "Fd4>")) == words("@f6")  # he may be left behind
    without = board(drawing.format(F="(FI)", C="C"))
    assert takes(goes(without, "(FI)d4")) == words("@f6")


def test_5_3_heroes_made_by_a_turn_defend_from_the_next() -> None:
    """9 and 5.3 together: the ring on the board is the ring that counts."""
    b = board("""
           d e f g k
        12 . . c . i
        11 . . . . .
        10 . . G . .
         1 C . . . I
    """)
    assert cover(then(b, "Gf10f11")) == star("f11", 2, 1) | words("f11")

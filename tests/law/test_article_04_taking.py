"""§4 Taking."""

from __future__ import annotations

import pytest
from picture import after, board, fen, goes, lans, then, words

from cotulenh import BLUE, RED, MoveKind, Reason


def takes(texts: set[str]) -> set[str]:
    return {text for text in texts if text[0] in "x_@"}


# 4.1


def test_4_1_who_can_stand_there_replaces() -> None:
    b = board("""
          c d e f
        3 T . i .
    """)
    assert takes(goes(b, "Tc3")) == words("xe3")
    assert after(b, "Tc3xe3") == fen("""
          c d e f
        3 . . T .
    """, "b")  # fmt: skip


@pytest.mark.parametrize("piece", ["I", "M", "E", "T", "A", "G"])
def test_4_1_land_pieces_take_ships_at_sea_by_staying(piece: str) -> None:
    b = board(f"""
          b c
        3 n {piece}
    """)
    assert takes(goes(b, f"{piece}c3")) == words("_b3")
    assert after(b, f"{piece}c3_b3") == fen(f"""
          b c
        3 . {piece}
    """, "b")  # fmt: skip


def test_4_1_land_pieces_replace_ships_on_mixed_points() -> None:
    b = board("""
          c d e
        6 . n T
    """)
    assert takes(goes(b, "Te6")) == words("xd6")


def test_4_1_ships_take_inland_by_staying_and_replace_on_mixed_points() -> None:
    b = board("""
          b c d
        4 . i .
        3 N . t
    """)
    assert takes(goes(b, "Nb3")) == words("_d3 xc4")
    assert after(b, "Nb3_d3") == fen("""
          b c d
        4 . i .
        3 N . .
    """, "b")  # fmt: skip


def test_4_1_a_stack_is_taken_whole() -> None:
    b = board("""
          e f    g
        4 T (fi) .
    """)
    assert after(b, "Te4xf4") == fen("""
          e f g
        4 . T .
    """, "b")  # fmt: skip


# 4.2


def test_4_2_a_ship_without_a_way_takes_by_staying() -> None:
    """[R] this side of the line: a land corner, then a land point on the way."""
    corner = board("""
          c d
        6 . i
        5 N .
    """)
    assert takes(goes(corner, "Nc5")) == words("_d6")
    point = board("""
          c d e
        6 . . i
        5 . . .
        4 N . .
    """)
    assert takes(goes(point, "Nc4")) == words("_e6")


def test_4_2_a_ship_with_a_way_replaces() -> None:
    """[R] the other side."""
    b = board("""
          c d e
        7 . . i
        6 N i .
    """)
    assert takes(goes(b, "Nc6")) == words("xd6")
    c = board("""
          d e
        7 . i
        6 N .
    """)
    assert takes(goes(c, "Nd6")) == words("xe7")


# 4.3


def test_4_3_air_force_may_replace_or_return() -> None:
    b = board("""
          d e f
        4 F . t
    """)
    assert takes(goes(b, "Fd4")) == words("xf4 _f4")
    assert after(b, "Fd4_f4") == fen("""
          d e f
        4 F . .
    """, "b")  # fmt: skip


def test_4_3_against_aircraft_it_replaces() -> None:
    b = board("""
          d e f
        6 . . (ft)
        5 . . .
        4 F . f
    """)
    assert takes(goes(b, "Fd4")) == words("xf4 xf6")


def test_4_3_a_carried_aircraft_does_not_lead_its_stack() -> None:
    b = board("""
          c    d e
        4 (nf) . +F
    """)
    assert takes(goes(b, "+Fe4")) == words("xc4 _c4")


def test_4_3_over_water_it_can_only_return() -> None:
    b = board("""
          b c d e
        4 n . . +F
    """)
    assert takes(goes(b, "+Fe4")) == words("_b4")


def test_4_3_rings_first() -> None:
    b = board("""
          b c d
        4 n . F
    """)
    assert takes(goes(b, "Fd4")) == words("@b4")


def test_4_3_while_deploying_there_is_no_choice() -> None:
    """[R] this side of the line: a step replaces where the aircraft can land, else it stays."""
    b = board("""
          b     c d
        7 n     . .
        4 (N+F) . t
    """)
    assert takes(goes(b, "+Fb4>")) == words("xd4 _b7")


def test_4_3_not_deploying_there_is_one() -> None:
    """[R] the other side: the same aircraft on its own, and leading its stack."""
    b = board("""
          c d
        4 F t
    """)
    assert takes(goes(b, "Fc4")) == words("xd4 _d4")
    stack = board("""
          c    d
        4 (FT) t
    """)
    assert takes(goes(stack, "(FT)c4")) == words("xd4 _d4")
    assert takes(goes(stack, "Fc4>")) == words("xd4")


# 4.4. More pieces on file k keep the last guard (9.2) out of the picture.

SHELTER = """
       c d e f    k
    12 . . . .    i
    11 . . . .    i
     8 {N} . . (hc) .
     7 . . . {T}  .
     5 . . . {A}  .
     1 . C . .    I
"""


def sheltered(turn: str = "r", **pieces: str) -> tuple[str, str]:
    return SHELTER.format(**({"N": ".", "T": ".", "A": "."} | pieces)), turn


@pytest.mark.parametrize("piece", ["I", "M", "E", "T", "G", "S", "+H"])
def test_4_4_direct_fire_does_not_attack_the_sheltered_commander(piece: str) -> None:
    b = board(*sheltered("b", T=piece))
    assert not b.is_check()
    assert b.attackers(RED, "f8") == []


@pytest.mark.parametrize("piece", ["I", "M", "E", "T", "G", "S", "+H"])
def test_4_4_direct_fire_may_breach(piece: str) -> None:
    b = board(*sheltered(T=piece))
    assert takes(goes(b, f"{piece}f7")) == words("_f8")
    (breach,) = (move for move in b.legal_moves if move.kind is MoveKind.BREACH)
    assert b.lan(breach) == f"{piece}f7_f8"
    # The Commander stays, and is attacked now: the taker becomes a hero (9.1).
    assert after(b, f"{piece}f7_f8") == fen(f"""
           c d e f                     k
        12 . . . .                     i
        11 . . . .                     i
         8 . . . c                     .
         7 . . . +{piece.strip("+")}   .
         1 . C . .                     I
    """, "b")  # fmt: skip


def test_4_4_indirect_fire_takes_both() -> None:
    b = board(*sheltered(A="A"))
    assert "Af5xf8" in lans(b)
    assert then(b, "Af5xf8").outcome().reason is Reason.COMMANDER_TAKEN
    assert board(*sheltered("b", A="A")).is_check()
    assert takes(goes(board(*sheltered(N="N")), "Nc8")) == words("_f8")
    assert then(board(*sheltered(N="N")), "Nc8_f8").commander(BLUE) is None
    assert takes(goes(board(*sheltered(T="F")), "Ff7")) == words("xf8 _f8")


def test_4_4_the_takers_own_kind_counts() -> None:
    b = board(*sheltered(T="(EA)"))
    assert takes(goes(b, "(EA)f7")) == words("_f8")  # the Engineer leads: a breach
    assert takes(goes(b, "Af7>")) == words("xf8")
    assert takes(goes(b, "Ef7>")) == words("_f8")
    check = board(*sheltered("b", T="(EA)"))
    assert [kind.letter for _, kind in check.attackers(RED, "f8")] == ["A"]
    assert check.is_check()


def test_4_4_no_other_stack_shelters() -> None:
    b = board("""
           d f    k
        12 . .    i
         8 . (tc) .
         7 . T    .
         1 C .    I
    """, "b")  # fmt: skip
    assert b.is_check()


def test_4_4_an_empty_headquarters_is_taken_like_any_piece() -> None:
    b = board("""
          f
        8 h
        7 T
    """)
    assert takes(goes(b, "Tf7")) == words("xf8")


# 4.5. The aircraft cannot reach h5 past the gun on g6; the tank can once g5 is gone.

OPENING = """
       d e f    g h k
     6 . . .    g . .
     5 . . (FT) g c .
     3 {t} . .  . . .
     1 C . .    . . I
"""


def test_4_5_a_step_that_takes_the_commander_ends_turn_and_game() -> None:
    b = board(OPENING.format(t="."))
    assert not board(OPENING.format(t="."), "b").is_check()
    b = then(b, "Ff5>@g5")
    assert b.turn is RED
    b.push_lan("Tf5>xh5")
    assert b.deployment is None
    assert (b.outcome().winner, b.outcome().reason) == (RED, Reason.COMMANDER_TAKEN)
    assert lans(b) == set()
    assert b.fen() == fen("""
          d h g k
        6 . . g .
        5 . T . .
        1 C . . I
    """, "b")  # fmt: skip


def test_4_5_the_own_commander_s_safety_is_not_asked() -> None:
    b = board(OPENING.format(t="t"))
    assert b.is_check()
    b = then(b, "Ff5>@g5")
    assert lans(b) == words("Tf5>xh5")  # not even a commit: d1 is attacked


def test_4_5_nor_is_standing() -> None:
    b = board("""
          b    c d k
        5 (NT) . . .
        4 .    c . i
        1 .    . C I
    """)
    assert "Nb5>xc4" in lans(b)  # it leaves a tank at sea
    b.push_lan("Nb5>xc4")
    assert b.outcome().reason is Reason.COMMANDER_TAKEN
    assert str(b.stack_at("b5")) == "T"

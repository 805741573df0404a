"""§13 Switches: what `online` plays otherwise than `official`."""

from __future__ import annotations

import pytest
from picture import board, fen, goes, lans, star, then, words

from cotulenh import RED, Board, PositionError, Reason


def both(drawing: str, turn: str = "r") -> tuple[Board, Board]:
    """The same picture under both rule sets: official first."""
    return board(drawing, turn), board(drawing, turn, rules="online")


def takes(texts: set[str]) -> set[str]:
    return {text for text in texts if text[0] in "x_@"}


def test_s1_missiles_take_over_pieces() -> None:
    official, online = both("""
          g
        6 i
        5 H
        4 S
    """)
    assert takes(goes(official, "Sg4")) == set()
    assert takes(goes(online, "Sg4")) == words("xg6")


def test_s1_missiles_take_ships() -> None:
    official, online = both("""
          a b c
        4 n . S
        3 . n .
    """)
    assert takes(goes(official, "Sc4")) == set()
    assert takes(goes(online, "Sc4")) == words("_a4 _b3")


def test_s2_ships_are_blocked_by_ships_of_either_side() -> None:
    drawing = """
           c
         9 .
         8 .
         7 .
         6 {x}
         5 N
    """
    for piece, official_passes, online_passes in (
        ("N", True, False),
        ("H", True, True),
        ("n", False, False),
        ("i", False, True),
    ):
        official, online = both(drawing.format(x=piece))
        assert ("c7" in goes(official, "Nc5")) == official_passes, piece
        assert ("c7" in goes(online, "Nc5")) == online_passes, piece


def test_s3_heroic_headquarters_walk_one() -> None:
    official, online = both("g\n4 +H")
    assert goes(official, "+Hg4") == star("g4", 2)
    assert goes(online, "+Hg4") == star("g4", 1)


@pytest.mark.parametrize(
    ("stack", "official", "online"),
    [
        ("(NFF)", True, False),
        ("(NTT)", True, False),
        ("(FTI)", False, True),
        ("(FTC)", False, True),
        ("(NFT)", True, True),
        ("(NFM)", True, True),
        ("(NTI)", False, False),
        ("(FII)", False, False),
        ("(TI)", True, True),
        ("(EA)", True, True),
        ("(HC)", True, True),
    ],
)
def test_s4_cargo(stack: str, official: bool, online: bool) -> None:
    for rules, valid in (("official", official), ("online", online)):
        if valid:
            board(f"c\n3 {stack}", rules=rules)
            continue
        with pytest.raises(PositionError):
            board(f"c\n3 {stack}", rules=rules)


def test_s5_boarding_judges_the_last_point_for_the_mover_too() -> None:
    official, online = both("""
          b c d
        4 N . F
        3 . . .
        2 N T .
    """)
    assert "Tc2&b2" in lans(official)
    assert "Tc2&b2" not in lans(online)
    assert "Fd4&b4" in lans(official) & lans(online)  # aircraft excepted


def test_s6_a_ship_without_a_way_replaces_all_the_same() -> None:
    official, online = both("""
          c d
        6 . i
        5 N .
    """)
    assert takes(goes(official, "Nc5")) == words("_d6")
    assert takes(goes(online, "Nc5")) == words("xd6")


def test_s7_return_against_aircraft() -> None:
    official, online = both("""
          d e f
        4 F . f
    """)
    assert takes(goes(official, "Fd4")) == words("xf4")
    assert takes(goes(online, "Fd4")) == words("xf4 _f4")


def test_s8_an_exchange_meets_exactly_one_defender() -> None:
    official, online = both("""
          d e f g
        6 . g i g
        5 . . . .
        4 F . . .
    """)
    assert "@f6" in goes(official, "Fd4")
    assert "@f6" not in goes(online, "Fd4")
    for b in both("""
          d e f g
        4 F . . g
    """):  # fmt: skip
        assert takes(goes(b, "Fd4")) == words("@g4")
    for b in both("""
          d e f g
        7 . . . i
        6 . g . .
        5 . . . .
        4 F . . .
    """):  # fmt: skip
        assert takes(goes(b, "Fd4")) == set()  # the one that hits does not cover the target


def test_s9_no_shelter() -> None:
    drawing = """
           d    e k
        12 (hc) . i
        11 T    . i
         1 .    C I
    """
    official, online = both(drawing)
    assert takes(goes(official, "Td11")) == words("_d12")
    assert takes(goes(online, "Td11")) == words("xd12")
    assert then(online, "Td11xd12").outcome().reason is Reason.COMMANDER_TAKEN
    official, online = both(drawing, "b")
    assert not official.is_check()
    assert online.is_check()


def test_s10_only_single_pieces_deploy() -> None:
    official, online = both("c\n3 (NFT)")
    groups = [{lan.split("c3>")[0] for lan in lans(b) if ">" in lan} for b in (official, online)]
    assert groups == [words("N F T (NF) (NT) (FT)"), words("N F T")]


def test_s11_heroes_are_made_after_each_step() -> None:
    official, online = both("""
           c     d e k
        12 .     c . i
        10 (NFT) . . i
         1 .     . C I
    """)
    official.push_lan("Tc10>d10")
    online.push_lan("Tc10>d10")
    assert str(official.stack_at("d10")) == "T"
    assert str(online.stack_at("d10")) == "+T"


def test_s11_what_still_stands_on_the_origin_too() -> None:
    """The Navy attacks d12 over anything: it is a hero as soon as the first step is made."""
    _, online = both("""
           c     d e k
        12 .     . c i
        10 (NFT) . . i
         1 .     . C I
    """)
    online.push_lan("Tc10>d10")
    # c10 to e12 is a diagonal of two: Navy and Air Force attack from the origin.
    assert online.fen() == fen("""
           c       d e k
        12 .       . c i
        10 (+N+F)  T . i
         1 .       . C I
    """, "r", 1, 1, "c10:+N+F", "online")  # fmt: skip


def test_s11_the_last_guard_of_either_side_too() -> None:
    official, online = both("""
           c    d e k
        12 .    . c .
         5 (NF) . . i
         4 .    i . .
         1 .    C . .
    """)
    for b in (official, online):
        b.push_lan("Nc5>_d4")
    assert str(official.stack_at("k5")) == "i"
    assert str(online.stack_at("k5")) == "+i"


def test_s12_facing_is_no_check_yet_no_turn_may_end_so() -> None:
    official, online = both("""
           e k
        12 c i
        11 . i
         1 C I
    """, "b")  # fmt: skip
    assert official.is_check()
    assert not online.is_check()
    assert online.attackers(RED, "e12") == []
    for b in (official, online):
        assert goes(b, "Ik12") == set()  # it leaves them facing
        assert "xe1" in goes(b, "Ce12")  # 6.3 holds in both


def test_13_all_else_is_the_same() -> None:
    official, online = Board(), Board(rules="online")
    assert official.fen() == online.fen()
    assert lans(official) == lans(online)

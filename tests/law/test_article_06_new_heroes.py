"""6.5 is judged after heroes are made: a ring that grows may let an aircraft through.

Blue's aircraft on h4 cannot reach d4: the Missile of f6 hits it on f4 and does not cover d4. As a
hero the Missile covers d4 as well, and the flight becomes an exchange (5.2). So a turn that makes
the Missile a hero leaves the Commander attacked.
"""

from __future__ import annotations

import pytest
from oracle import Oracle
from picture import board, goes, lans, words

RETURN_FLIGHT = """
       d e f g h j k
    12 . . . . . . e
    11 . . . . . . i
    10 . . . . . . h
     9 . . . . . . h
     8 . . c . . . .
     7 . . i . . F .
     6 . . S . . . .
     4 C . . . f . .
     1 . . . . . . I
"""
BREACH = """
       d e f    g h k
    12 . . .    . . e
    11 . . .    . . i
    10 . . .    . . h
     9 . . .    . . i
     8 . . (hc) . T .
     6 . . S    . . .
     4 C . .    . f .
     1 . . .    . . I
"""
EXCHANGE = """
       d e f g h j k
    12 . . . . . . e
    11 . . c . . . i
    10 . . . . . . h
     9 . . . . . . h
     8 . . . . . . i
     6 . . S . . . .
     4 C . . . f . .
     1 . . . F . g .
"""
LAST_GUARD = """
       d e f g h k
    12 . . . . . i
    11 . . c . . i
     6 . . S . . .
     4 C . . . f .
"""
SET_UP = """
       d e f g h k
    12 . . . . . i
     8 . . c . . i
     6 . . S . . .
     4 C . . . f .
     2 . . . . . I
     1 . . . . . I
"""


def test_6_5_a_return_flight_that_opens_the_missile_s_line() -> None:
    assert "_f7" not in goes(board(RETURN_FLIGHT), "Fj7")


def test_6_5_the_same_take_by_replacing_keeps_it_shut() -> None:
    assert "xf7" in goes(board(RETURN_FLIGHT), "Fj7")


def test_6_5_a_breach_that_gives_the_missile_its_target() -> None:
    assert "_f8" not in goes(board(BREACH), "Th8")


def test_6_5_an_exchange_that_leaves_the_missile_as_last_guard() -> None:
    assert "@j1" not in goes(board(EXCHANGE), "Fg1")


def test_6_5_a_last_guard_by_set_up() -> None:
    """Any turn makes it a hero: the Commander must leave the reach of the aircraft."""
    b = board(LAST_GUARD)
    assert not goes(b, "Cd4") & words("e4 d8")


def test_6_5_a_set_up_in_which_the_missile_attacks_already() -> None:
    b = board(SET_UP)
    assert not lans(b) & words("Ik1j1 Ik2j2 Ik2k3 Cd4e4")
    assert "Sf6xf8" in lans(b)


@pytest.mark.parametrize(
    "drawing", [RETURN_FLIGHT, BREACH, EXCHANGE, LAST_GUARD, SET_UP], ids=range(5)
)
@pytest.mark.parametrize("rules", ["official", "online"])
def test_6_5_the_oracle_agrees(rules: str, drawing: str) -> None:
    b = board(drawing, rules=rules)
    assert lans(b) == set(Oracle(b.fen(), rules).legal_moves())

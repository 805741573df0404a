"""6.5 is judged after heroes are made: a ring that grows may let an aircraft through.

Blue's aircraft on h4 cannot reach d4: the Missile of f6 hits it on f4 and does not cover d4. As a
hero the Missile covers d4 as well, and the flight becomes an exchange (5.2). So a turn that makes
the Missile a hero leaves the Commander attacked.
"""

from __future__ import annotations

import random

import pytest
from oracle import Oracle
from oracle_tables import Board as Points
from oracle_tables import law_of
from oracle_text import Position
from oracle_text import fen as fen_of
from picture import board, goes, lans, words

from cotulenh import Board

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


def rings_near_both(rng: random.Random, rules: str) -> str:
    """A set-up around the trouble: an aircraft in reach of a Commander, rings beside its way, and
    the other Commander near those who make the rings.
    """
    law = law_of(rules)
    land = sorted(law.land)
    points: Points = {}

    def put(color: str, letters: str, ground: list[int]) -> int:
        free = [p for p in ground if p not in points and p in law.ground(letters[0])]
        point = rng.choice(free or [p for p in land if p not in points])
        points[point] = (color, tuple(letters))
        return point

    def around(point: int, reach: int) -> list[int]:
        return [p for p in law.rays if _distance(p, point) <= reach]

    home = put("r", "C", land)
    lines = [q for q, line in law.lines[home].items() if 2 <= line.distance <= 4]
    base = put("b", "F", lines)
    guards = [put("r", rng.choice("SSGN"), around(home, 4)) for _ in range(rng.randint(1, 3))]
    other = put("b", rng.choice(["C", "C", "HC"]), around(rng.choice(guards), 2))
    for color in "rrrb":
        put(color, rng.choice("FFTAIMH"), around(rng.choice([home, base, other]), 4))
    for _ in range(rng.choice([0, 5])):
        put("b", "H", land)
    return fen_of(law, Position(points, "r", 0, 1))


def _distance(a: int, b: int) -> int:
    return max(abs(a // 16 - b // 16), abs(a % 16 - b % 16))


@pytest.mark.parametrize("rules", ["official", "online"])
def test_6_5_rings_and_new_heroes_on_random_set_ups(rules: str) -> None:
    rng = random.Random(f"rings and heroes {rules}")
    for _ in range(400):
        text = rings_near_both(rng, rules)
        try:
            oracle = Oracle(text, rules)
        except ValueError:  # a ship inland and the like
            continue
        b = Board(text, rules=rules)
        assert lans(b) == set(oracle.legal_moves()), f"{rules}\n{text}"

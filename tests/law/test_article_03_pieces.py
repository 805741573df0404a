"""§3 Pieces: how far each moves and takes, what blocks it, and heroes."""

from __future__ import annotations

import pytest
from picture import board, goes, placed, star, then, words

from cotulenh import RED, Board, Kind, Rules

SCREENED = {("k", 12): "c", ("j", 12): "h", ("k", 11): "h"}  # a Commander nobody can face


def alone(piece: str, point: str, more: dict[tuple[str, int], str]) -> Board:
    """A board with one Red piece; a Commander gets an opponent (10.1)."""
    points = {(point[0], int(point[1:])): piece, **more}
    if piece[-1] == "C":
        points |= SCREENED
    return Board(f"{placed(points)} r - - 0 1")


def moves(piece: str, point: str) -> set[str]:
    """The moves of a piece alone on the board."""
    return goes(alone(piece, point, {}), f"{piece}{point}")


def takes(piece: str, point: str, target: str = "i") -> set[str]:
    """The points where a piece takes that single enemy, one after the other."""
    found = set()
    for there in star(point, 12):
        sea = there[0] in "ab"
        mixed = there[0] == "c" or there in words("d6 e6 d7 e7")
        place = (there[0], int(there[1:]))
        if place in SCREENED or not (mixed or sea == (target == "n")):
            continue
        ways = goes(alone(piece, point, {place: target}), f"{piece}{point}")
        if ways & {f"x{there}", f"_{there}", f"@{there}"}:
            found.add(there)
    return found


# The table, row by row: g4 has land around it as far as most pieces reach.


def test_3_commander() -> None:
    assert moves("C", "g4") == {f"g{r}" for r in range(1, 13) if r != 4} | {
        f"{f}4" for f in "cdefhijk"
    }
    assert takes("C", "g4") == star("g4", 1, 0)


def test_3_infantry() -> None:
    assert moves("I", "g4") == takes("I", "g4") == words("g5 g3 f4 h4")


def test_3_militia() -> None:
    assert moves("M", "g4") == takes("M", "g4") == words("g5 g3 f4 h4 f5 h5 f3 h3")


def test_3_engineer() -> None:
    assert moves("E", "g4") == takes("E", "g4") == words("g5 g3 f4 h4")


def test_3_tank() -> None:
    assert moves("T", "g4") == takes("T", "g4") == words("g5 g6 g3 g2 f4 e4 h4 i4")


def test_3_artillery() -> None:
    assert takes("A", "g4") == star("g4", 3)
    assert moves("A", "g4") == star("g4", 3) - words("g7 j7 d7")  # 2.4


def test_3_anti_air_gun() -> None:
    assert moves("G", "g4") == takes("G", "g4") == words("g5 g3 f4 h4")


def test_3_missile() -> None:
    expected = words("g5 g6 g3 g2 f4 e4 h4 i4  f5 h5 f3 h3")
    assert moves("S", "g4") == takes("S", "g4") == expected


def test_3_missile_takes_no_ships() -> None:
    assert takes("S", "c4", "n") == set()
    assert "d4" in takes("S", "c4")
    assert takes("T", "c4", "n") == words("c5 c6 c3 c2 b4 a4")


def test_3_air_force() -> None:
    assert moves("F", "g5") == takes("F", "g5") == star("g5", 4)


def test_3_navy() -> None:
    assert moves("N", "b6") == words(
        "b7 b8 b9 b10 b5 b4 b3 b2  a6 c6 d6 e6  a7 c7  a5 c5"  # d8 and d4 are land
    )
    ships = {p for p in star("b6", 4) if p[0] in "abc"} | words("d6 e6")
    assert takes("N", "b6", "n") == ships
    others = {p for p in star("b6", 3) if p[0] not in "ab"}
    assert takes("N", "b6") == others == words("c6 d6 e6 c7 d8 e9 c5 d4 e3")


def test_3_headquarters() -> None:
    assert moves("H", "g4") == takes("H", "g4") == set()


# What blocks


@pytest.mark.parametrize("piece", ["T", "+I", "+M", "+E", "+G"])
def test_3_land_pieces_are_blocked_by_all(piece: str) -> None:
    b = board(f"""
          e f g h i
        4 t H {piece} h t
    """)
    assert goes(b, f"{piece}g4") >= words("xh4")
    assert not goes(b, f"{piece}g4") & words("xi4 e4 xe4 i4 f4 h4")


def test_3_artillery_is_blocked_in_moving_but_takes_over_pieces() -> None:
    b = board("""
          d e f g h i j
        4 t . H A h . t
    """)
    level = {text for text in goes(b, "Ag4") if text[-1] == "4"}
    assert level == words("xd4 xh4 xj4")


def test_3_missile_is_blocked_in_taking() -> None:
    b = board("""
          e f g h i
        4 t H S h t
    """)
    assert {text for text in goes(b, "Sg4") if text[-1] == "4"} == words("xh4")


def test_3_air_force_flies_over_all() -> None:
    b = board("""
          d e f g h i j
        4 t . H F h . t
    """)
    level = {text for text in goes(b, "Fg4") if text[-1] == "4"}
    assert level == words("xd4 _d4 e4 c4 xh4 _h4 i4 xj4 _j4 k4")


def test_3_navy_moving_passes_friends_but_not_enemies() -> None:
    b = board("""
          c
        9 .
        8 .
        7 .
        6 H
        5 N
        4 i
        3 .
        2 t
    """)
    column = {text for text in goes(b, "Nc5") if "c" in text}
    assert column == words("c7 c8 c9", "xc4 xc2")  # over the Headquarters; taking is over all


# 3.1


def test_3_1_the_carrier_decides_whether_a_target_is_a_ship() -> None:
    b = board("""
          a    b c d    e
        6 N    . . .    (ni)
        2 (nt) . S .    .
    """)
    assert "xe6" in goes(b, "Na6")  # four points away: a ship
    assert "_a2" not in goes(b, "Sc2")
    land = board("""
          a    b c d    e
        6 N    . . .    (ti)
    """)
    assert goes(land, "Na6") & words("xe6 _e6") == set()


def test_3_1_persons_are_commander_infantry_and_militia() -> None:
    """A tank carries one person and nothing else (7.2)."""
    assert set(Rules.load("official").cargo[Kind.TANK]) == set("CIM")


# 3.2


def test_3_2_heroic_tank() -> None:
    assert moves("+T", "g6") == takes("+T", "g6") == star("g6", 3)


@pytest.mark.parametrize("piece", ["+I", "+M", "+E", "+G"])
def test_3_2_heroes_of_range_one(piece: str) -> None:
    assert takes(piece, "g4") == moves(piece, "g4") == star("g4", 2)


def test_3_2_heroic_artillery() -> None:
    assert takes("+A", "g5") == star("g5", 4)
    assert moves("+A", "g5") == {p for p in star("g5", 4) if int(p[1:]) <= 6}


def test_3_2_heroic_missile_is_3_2() -> None:
    assert takes("+S", "g3") == moves("+S", "g3") == star("g3", 3, 2)


def test_3_2_heroic_air_force() -> None:
    assert moves("+F", "g6") == takes("+F", "g6") == {p for p in star("g6", 5) if p[0] not in "ab"}


def test_3_2_heroic_navy() -> None:
    assert moves("+N", "b6") >= words("b11 b1 e6")
    assert takes("+N", "b6", "n") == {p for p in star("b6", 5) if p[0] in "abc"} | words("d6 e6")
    assert takes("+N", "b6") == {p for p in star("b6", 4) if p[0] not in "ab"}


def test_3_2_heroic_headquarters_walks_two() -> None:
    assert moves("+H", "g4") == takes("+H", "g4") == star("g4", 2)
    blocked = board("""
          e f g  h i
        4 t I +H i t
    """)
    assert {text for text in goes(blocked, "+Hg4") if text[-1] == "4"} == words("xh4")


def test_3_2_heroic_commander() -> None:
    assert moves("+C", "g4") == {p for p in star("g4", 12) if p[0] not in "ab"}
    assert takes("+C", "g4") == star("g4", 2)


def test_3_2_rings_grow_by_one() -> None:
    for piece, plain, heroic in (("G", 5, 13), ("S", 13, 29)):
        for mark, size in (("", plain), ("+", heroic)):
            b = board(f"g\n5 {mark}{piece}")
            assert len(b.air_defence(RED)) == size, mark + piece


def test_3_2_heroic_air_force_ignores_rings() -> None:
    plain = board("""
          d  e f g h
        4 F  . . . g
    """)
    assert {t for t in goes(plain, "Fd4") if t[-1] == "4"} == words("c4 e4 f4 @h4")
    heroic = board("""
          d  e f g h
        4 +F . . . g
    """)
    assert {t for t in goes(heroic, "+Fd4") if t[-1] == "4"} == words("c4 e4 f4 g4 xh4 _h4 i4")


# 3.3


def test_3_3_the_commander_does_not_become_heroic_by_play() -> None:
    b = board("""
           f g h
        12 . . c
         2 . . .
         1 I C .
    """)
    guarded = then(b, "If1f2")  # 9.2 makes the last guard a hero, never the Commander
    assert str(guarded.stack_at("f2")) == "+I"
    assert str(guarded.stack_at("g1")) == "C"


def test_3_3_a_commander_set_up_heroic_walks_like_any_hero() -> None:
    b = board("""
           f g  h j k
        12 . .  . h c
        11 . .  . . h
         2 . .  . . .
         1 . +C . . .
    """)
    assert goes(b, "+Cg1") >= words("f2 d4 c5 h2 k5 g12")

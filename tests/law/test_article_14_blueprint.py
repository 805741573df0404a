"""§14 Blueprint: the 12×12 board of the design notes."""

from __future__ import annotations

import pytest
from picture import Cells, fen, goes, lans, placed, star, then, words
from picture import board as draw

from cotulenh import Board, ParseError, PositionError, Reason, Rules, Square


def board(drawing: str, turn: str = "r") -> Board:
    return draw(drawing, turn, rules="blueprint")


def takes(texts: set[str]) -> set[str]:
    return {text for text in texts if text[0] in "x_@"}


def moves(piece: str, point: str) -> set[str]:
    return goes(board(f"{point[0]}\n{point[1:]} {piece}"), f"{piece}{point}")


@pytest.mark.parametrize("letter", "EGSegs")
def test_14_2_pieces_that_are_not_there_are_refused_by_name(letter: str) -> None:
    with pytest.raises(ParseError, match=f"this rule set has no piece '{letter}'"):
        Board(f"6c5/{letter}11/12/12/12/12/12/12/12/12/12/6C5 r - - 0 1", rules="blueprint")


# 14.1


def test_14_1_terrain() -> None:
    terrain = Rules.load("blueprint").terrain
    drawn = """
        12 W W M L L L L L L L L L
        11 W W M L L L L L L L L L
        10 W W M L L L L L L L L L
         9 W W M M M M M M M M M L
         8 W W M L L L L L L L L L
         7 W W M L L L L L L L L L
         6 W W M L L L L L L L L L
         5 W W M L L L L L L L L L
         4 W W M M M M M M M M M L
         3 W W M L L L L L L L L L
         2 W W M L L L L L L L L L
         1 W W M L L L L L L L L L
    """
    names = {"W": "water", "M": "mixed", "L": "land"}
    for rank, *row in map(str.split, drawn.strip().splitlines()):
        for file, cell in zip("abcdefghijkl", row, strict=True):
            assert terrain.type_at(Square(f"{file}{rank}")) == names[cell], f"{file}{rank}"
    assert {square.name for square in terrain.bridges} == words("e4 f4 g4 e9 f9 g9")


@pytest.mark.parametrize(
    ("piece", "stands", "not_there"),
    [
        ("N", "a1 b12 c3 d4 k9 f4", "d3 l4 l9 h5"),
        ("T", "c1 d4 e9 l12 h6", "a1 b9"),
        ("H", "c1 l1", "a12"),
        ("F", "a1 b9 c3 d4 l12 h6", ""),
    ],
)
def test_14_1_who_stands_where(piece: str, stands: str, not_there: str) -> None:
    for point in words(stands):
        board(f"{point[0]}\n{point[1:]} {piece}")
    for point in words(not_there):
        with pytest.raises(PositionError):
            board(f"{point[0]}\n{point[1:]} {piece}")


# 14.2


@pytest.mark.parametrize("letter", "EGS")
def test_14_2_pieces_are_c_t_a_n_f_i_m_h_only(letter: str) -> None:
    with pytest.raises(ParseError):
        board(f"f\n6 {letter}")
    assert {kind.letter for kind in Rules.load("blueprint").kinds} == set("CTANFIMH")


@pytest.mark.parametrize(
    ("piece", "orthogonal", "diagonal"),
    [
        ("T", 2, 0), ("A", 3, 0), ("F", 4, 4), ("I", 1, 1), ("M", 1, 1), ("H", 0, 0),
        ("+T", 4, 0), ("+A", 6, 0), ("+I", 2, 2), ("+M", 2, 2), ("+H", 1, 1),
    ],
)  # fmt: skip
def test_14_2_ranges(piece: str, orthogonal: int, diagonal: int) -> None:
    expected = {p for p in star("g6", orthogonal, diagonal) if p[0] not in "ab"}
    expected |= {"l6"} if orthogonal >= 5 else set()
    assert moves(piece, "g6") == expected


def test_14_2_ships_and_heroic_aircraft() -> None:
    assert moves("N", "b6") == words("a6 c6  b7 b8 b9  b5 b4 b3")
    assert moves("+N", "b6") == words("a6 c6  b7 b8 b9 b10 b11 b12  b5 b4 b3 b2 b1")
    assert words("a1 e1 e12 a5 l5 l12 a9 i1 i9") <= moves("+F", "e5")  # eight points, also at sea
    assert "l12" not in moves("+F", "c3")


def commanders(him: str, more: Cells | None = None) -> Board:
    points: Cells = {("g", 6): him, ("l", 12): "c", **(more or {})}
    return Board(f"{placed(points, 12)} r - - 0 1", rules="blueprint")


def test_14_2_commander() -> None:
    assert goes(commanders("C"), "Cg6") == star("g6", 1, 0)
    assert goes(commanders("+C"), "+Cg6") == star("g6", 2)


def test_14_2_all_but_aircraft_are_blocked_by_the_first_piece_which_may_be_taken() -> None:
    b = board("""
          c d e f g h i
        6 t i . A . H t
    """)
    assert {text for text in goes(b, "Af6") if text[-1] == "6"} == words("e6 xd6 g6")
    f = board("""
          c d e f g h i
        6 t i . F . H t
    """)
    level = {text for text in goes(f, "Ff6") if text[-1] == "6"}
    assert level == words("b6 xc6 xd6 e6 g6 xi6 j6")


# 14.3


def test_14_3_terrain_is_asked_of_the_last_point_only() -> None:
    b = board("d\n4 +N")
    assert goes(b, "+Nd4") == words("c4 b4 a4  e4 f4 g4 h4 i4 j4  d9")  # over land to the river


def test_14_3_stay_captures() -> None:
    ship_on_water = board("""
          b c
        6 n A
    """)
    assert takes(goes(ship_on_water, "Ac6")) == words("_b6")
    for piece in "TIM":
        other = board(f"b c\n6 n {piece}")
        assert takes(goes(other, f"{piece}c6")) == set()
    on_river = board("""
          c d
        4 A n
    """)
    assert takes(goes(on_river, "Ac4")) == words("xd4")
    navy = board("""
          b c d
        6 N . t
        5 . . .
        4 . . .
    """)
    assert takes(goes(navy, "Nb6")) == words("_d6")
    shore = board("b c\n6 N t")
    assert takes(goes(shore, "Nb6")) == words("xc6")


def test_14_3_artillery_does_not_take_aircraft_on_water() -> None:
    b = board("""
          b c
        6 f A
    """)
    assert takes(goes(b, "Ac6")) == set()


def test_14_3_no_rings_no_returns() -> None:
    b = board("""
          b c d e
        6 n . t F
    """)
    assert takes(goes(b, "Fe6")) == words("xd6 xb6")
    assert words("c6 a6") <= goes(b, "Fe6")


def test_14_3_no_shelter() -> None:
    b = board("""
           d    e k
        12 (hc) . i
        11 T    . i
         1 .    C I
    """)
    assert then(b, "Td11xd12").outcome().reason is Reason.COMMANDER_TAKEN


def test_14_3_no_facing() -> None:
    b = board("""
           d e k
        12 . c i
         5 . I .
         1 . C I
    """)
    assert words("d5 f5") <= goes(b, "Ie5")
    assert not then(b, "Ie5d5").is_check()
    assert "xe12" not in goes(board("e\n12 c\n1 C"), "Ce1")


def test_14_3_no_heavy_rule() -> None:
    b = board("d\n6 A")
    assert words("d7 d8 d9") <= goes(b, "Ad6")


@pytest.mark.parametrize("stack", ["(FTI)", "(NFT)", "(NFM)", "(TC)", "(HC)"])
def test_14_3_cargo_as_online(stack: str) -> None:
    drawing = f"c\n3 {stack}"
    for rules in ("blueprint", "online"):
        assert str(draw(drawing, rules=rules).stack_at("c3")) == stack


@pytest.mark.parametrize("stack", ["(NFF)", "(NTT)", "(NTI)", "(FII)"])
def test_14_3_no_other_cargo(stack: str) -> None:
    with pytest.raises(PositionError):
        board(f"c\n3 {stack}")


def test_14_3_each_deploy_step_must_itself_be_safe() -> None:
    """The tank's step opens file e; that the Infantry could close it again does not help."""
    drawing = """
           d e    k
        12 c .    i
         6 . t    i
         5 . (TI) .
         4 . C    I
    """
    b = board(drawing)
    assert "Te5>d5" in lans(b)  # the Infantry still stands between
    aside = then(b, "Te5>d5")
    assert goes(aside, "Ie5>") == words("xe6")
    carried = """
           d e    k
        12 c .    i
         6 . t    i
         4 . (TC) .
         1 . .    I
    """
    assert board(carried).is_check()
    assert "Te4>d4" not in lans(board(carried))  # unsafe, though the Commander could step aside
    assert "Te4>d4" in lans(draw(carried))  # 8.4 allows it
    assert "Ce4>f4" in lans(board(carried))


def test_14_3_heroes_as_9_1_and_no_last_guard() -> None:
    b = board("""
           d e k
        12 c . i
        11 . . i
         9 . T .
         1 . . C
    """)
    assert str(then(b, "Te9e10").stack_at("e10")) == "T"
    near = board("""
           d e k
        12 c . i
        11 . . i
        10 . T .
         1 . . C
    """)
    assert str(then(near, "Te10d10").stack_at("d10")) == "+T"


# 14.4


def test_14_4_the_start_position() -> None:
    drawn = fen("""
           a b c d e f g h i j k l
        12 . . . . . . c . . . . .
        11 . n . . f h . h f . . .
        10 . . . a . . . . . a . .
         9 . . n . . t . t . . . .
         8 . . i . . . m . . . i .
         7 . . . . . . . . . . . .
         6 . . . . . . . . . . . .
         5 . . I . . . M . . . I .
         4 . . N . . T . T . . . .
         3 . . . A . . . . . A . .
         2 . N . . F H . H F . . .
         1 . . . . . . C . . . . .
    """, rules="blueprint")  # fmt: skip
    assert drawn == Board(rules="blueprint").fen() == Rules.load("blueprint").start_fen


# 14.5


def test_14_5_bridges_are_tested_before_rivers() -> None:
    terrain = Rules.load("blueprint").terrain
    rivers = {square.name for square in terrain.rivers}
    assert not rivers & words("e4 f4 g4 e9 f9 g9")
    assert words("d4 h4 k4 d9 k9") <= rivers


def test_14_5_headquarters_by_the_overview() -> None:
    assert moves("H", "g6") == set()
    assert moves("+H", "g6") == star("g6", 1)


def test_14_5_every_direction_has_its_own_nearest_blocker() -> None:
    b = board("""
          d e f g h i
        9 . . t . . .
        8 . . . . . .
        7 . . . . . .
        6 . i A . T .
        5 . . T . . .
        3 . . t . . .
    """)
    # North: nothing within three but f9; south its own tank at once; west one; east one free point.
    assert goes(b, "Af6") == words("f7 f8 xf9  xe6  g6")

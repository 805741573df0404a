"""§2 Terrain."""

from __future__ import annotations

import pytest
from picture import board, goes, lans, words

from cotulenh import PositionError, Rules, Square


def test_2_1_water_mixed_and_land() -> None:
    terrain = Rules.load("official").terrain
    drawn = """
        12 W W M L L L L L L L L
        11 W W M L L L L L L L L
        10 W W M L L L L L L L L
         9 W W M L L L L L L L L
         8 W W M L L L L L L L L
         7 W W M M M L L L L L L
         6 W W M M M L L L L L L
         5 W W M L L L L L L L L
         4 W W M L L L L L L L L
         3 W W M L L L L L L L L
         2 W W M L L L L L L L L
         1 W W M L L L L L L L L
    """
    names = {"W": "water", "M": "mixed", "L": "land"}
    for rank, *row in map(str.split, drawn.strip().splitlines()):
        for file, cell in zip("abcdefghijk", row, strict=True):
            assert terrain.type_at(Square(f"{file}{rank}")) == names[cell], f"{file}{rank}"


@pytest.mark.parametrize("point", words("a1 b12 c3 d6 e6 d7 e7"))
def test_2_2_ships_stand_on_water_and_mixed_points(point: str) -> None:
    assert str(board(f"{point[0]}\n{point[1:]} N").stack_at(point)) == "N"


@pytest.mark.parametrize("point", words("d5 d8 f6 e5 k1"))
def test_2_2_ships_do_not_stand_inland(point: str) -> None:
    with pytest.raises(PositionError) as refused:
        board(f"{point[0]}\n{point[1:]} N")
    assert refused.value.problems == {"cannot_stand"}


@pytest.mark.parametrize("piece", "CIMETAGSFH")
def test_2_2_all_others_aircraft_included_stand_on_land_and_mixed_points(piece: str) -> None:
    for point in words("c1 d6 e7 f6 k12"):
        board(f"{point[0]}\n{point[1:]} {piece}")
    for point in words("a1 b6"):
        with pytest.raises(PositionError):
            board(f"{point[0]}\n{point[1:]} {piece}")


def test_2_3_the_river_has_no_points_of_its_own() -> None:
    b = board("""
          f g h
        7 . . .
        6 . T .
    """)
    assert goes(b, "Tg6") == words("g7 g8 g5 g4 f6 e6 h6 i6")


def test_2_3_bridges_are_f_and_h() -> None:
    terrain = Rules.load("official").terrain
    assert {square.name for square in terrain.bridges} == words("f6 f7 h6 h7")


def test_2_4_heavy_pieces_cross_straight_along_a_bridge() -> None:
    b = board("""
          f
        7 .
        6 .
        5 A
    """)
    assert goes(b, "Af5") == words(
        "f6 f7 f8  g5 h5 i5  e5 d5 c5  f4 f3 f2",
        "g6  e6",  # going on to h7 or d7 would cross beside the bridges
        "g4 h3 i2  e4 d3 c2",
    )


@pytest.mark.parametrize("piece", "AGS")
@pytest.mark.parametrize("file", "cdefghijk")
def test_2_4_only_f_and_h_are_bridges_and_from_both_banks(piece: str, file: str) -> None:
    for here, there in ((6, 7), (7, 6)):
        b = board(f"{file}\n{here} {piece}")
        crosses = {text for text in goes(b, f"{piece}{file}{here}") if text[1:] == str(there)}
        assert crosses == ({f"{file}{there}"} if file in "fh" else set())


def test_2_4_a_bridge_is_crossed_straight_not_diagonally() -> None:
    b = board("""
          f g
        7 . .
        6 S .
    """)
    assert goes(b, "Sf6") == words("f7 f8 f5 f4 e6 d6 g6 h6 e5 g5")


def test_2_4_boarding_across_the_river_needs_the_bridge_too() -> None:
    b = board("""
          f g
        7 E E
        6 G G
    """)
    assert "Gf6&f7" in lans(b)
    assert "Gg6&g7" not in lans(b)
    assert "Eg7&g6" in lans(b)  # the Engineer is not heavy


def test_2_4_taking_heavy_pieces_cross_anywhere() -> None:
    b = board("""
          d e f g h
        7 t . . i i
        6 . . . G .
        5 . . . A .
    """)
    assert goes(b, "Gg6") == words("f6 h6 xg7")
    assert {text for text in goes(b, "Ag5") if "x" in text} == words("xg7")
    c = board("""
          d e f g
        8 t . . .
        7 . . . t
        5 . . . A
    """)
    assert {text for text in goes(c, "Ag5") if "x" in text} == words("xd8 xg7")


def test_2_4_an_engineer_carries_them_across_as_it_goes_itself() -> None:
    b = board("""
          g
        7 .
        6 (EA)
    """)
    assert goes(b, "(EA)g6") == words("g7 g5 f6 h6")
    assert {text for text in goes(b, "Ag6>") if text[1:] in ["7", "8", "9"]} == set()


def test_2_5_ships_need_a_path_of_sea_points() -> None:
    b = board("""
          a b c d e
        7 . . . . .
        6 . . . N .
    """)
    # West over the shore, north and north-east inside the mouth; c5 lies behind a land corner.
    assert goes(b, "Nd6") == words("c6 b6 a6  d7 e7 e6  c7 b8 a9")


def test_2_5_ships_do_not_cut_corners() -> None:
    b = board("""
          c d
        6 . .
        5 N .
    """)
    assert goes(b, "Nc5") == words("c6 c7 c8 c9  c4 c3 c2 c1  b5 a5  b6 a7  b4 a3")
    north = board("""
          c d
        8 N .
        7 . .
    """)
    assert "d7" not in goes(north, "Nc8")
    back = board("""
          c d
        8 . .
        7 . N
    """)
    assert goes(back, "Nd7") == words("c7 b7 a7  d6 e6 e7  c6 b5 a4")


def test_2_5_boarding_ships_do_not_cut_corners_either() -> None:
    b = board("""
          c d
        6 T F
        5 N .
    """)
    assert {text for text in goes(b, "Nc5") if "&" in text} == words("&c6")
    level = board("""
          c d
        6 N F
    """)
    assert "&d6" in goes(level, "Nc6")


def test_2_6_a_land_piece_needs_a_path_where_it_can_stand() -> None:
    b = board("""
          c d
        3 T .
    """)
    assert goes(b, "Tc3") == words("c4 c5 c2 c1 d3 e3")


def test_2_6_boarding_asks_the_intermediate_points_only() -> None:
    near = board("""
          a b c
        3 . N T
    """)
    assert "Tc3&b3" in lans(near)
    far = board("""
          a b c
        3 N . T
    """)
    assert "Tc3&a3" not in lans(far)


def test_2_6_takes_ask_only_the_point_of_the_target() -> None:
    """The law's own example: a tank on a ship at a3 takes c3 by replacing."""
    b = board("""
          a    b c
        3 (NT) . i
    """)
    assert goes(b, "Ta3>") == words("xc3")


def test_2_6_aircraft_fly_over_anything() -> None:
    b = board("""
          a     b c d
        7 (NF)  N t .
    """)
    # Over water and both sides' pieces; it lands where aircraft stand.
    assert goes(b, "Fa7>") == words("&b7 xc7 d7 e7", "c9 d10 e11", "c5 d4 e3")


# 2.6 and S13: the Commander on his way aboard a ship.


def test_2_6_a_commander_crosses_water_to_board_a_ship() -> None:
    """[R] The law's own example, and that he does not stop on the way."""
    b = board("""
           a b c k
        12 . . . c
         3 N . C .
    """)
    assert "Cc3&a3" in lans(b)
    assert not {"Cc3b3", "Cc3a3"} & lans(b)
    assert b.push_lan("Cc3&a3").lan() == "Cc3&a3"
    assert str(b.stack_at("a3")) == "(+NC)"  # 9.2


@pytest.mark.parametrize("piece", "IMT")
def test_2_6_no_other_piece_does(piece: str) -> None:
    b = board(f"""
          a b c
        3 N . {piece}
    """)
    assert lans(b)
    assert not any("&a3" in lan for lan in lans(b))


def test_2_6_the_ship_must_have_room_for_him() -> None:
    loaded = board("""
           a     b c k
        12 .     . . c
         3 (NF)  . C .
    """)
    assert "Cc3&a3" in lans(loaded)
    full = board("""
           a      b c k
        12 .      . . c
         3 (NFT)  . C .
    """)
    assert "Cc3c4" in lans(full)
    assert not any("Cc3&" in lan for lan in lans(full))  # 7.2


def test_2_6_pieces_in_between_stop_him() -> None:
    b = board("""
           a b      c k
        12 . .      . c
         3 N (NFT)  C .
    """)
    assert "Cc3c4" in lans(b)
    assert "Cc3&a3" not in lans(b)


def test_2_6_facing_on_the_way_stops_him() -> None:
    """6.2: b3 lies in the open line of the enemy Commander aboard a ship on b9."""
    b = board("""
          a b     c
        9 . (nc)  .
        3 N .     C
    """)
    assert "Cc3c4" in lans(b)
    assert "Cc3&a3" not in lans(b)
    screened = board("""
          a b     c
        9 . (nc)  .
        6 . N     .
        3 N .     C
    """)
    assert "Cc3&a3" in lans(screened)


def test_2_6_back_onto_the_ship_he_left() -> None:
    b = board("""
           a b c     k
        12 . . .     c
         3 . . (NC)  .
    """)
    b.push_lan("Nc3>a3")
    assert "Cc3>&a3" in lans(b)


def test_2_6_from_ship_to_ship_along_the_open_sea() -> None:
    b = board("""
           a     k
        12 .     c
         9 N     .
         5 (NC)  .
    """)
    assert "Ca5>&a9" in lans(b)
    assert not any(lan.startswith("Ca5>a") for lan in lans(b))


def test_s13_off_in_the_other_rule_sets() -> None:
    drawing = """
           a b c k
        12 . . . c
         3 N . C .
    """
    assert "Cc3c4" in lans(board(drawing, rules="online"))
    assert "Cc3&a3" not in lans(board(drawing, rules="online"))
    assert Rules.load("online").switches["commander_boards_over_water"] is False
    assert Rules.load("official").switches["commander_boards_over_water"] is True

"""The design note "Terrain Encoding with Bitboards", statement by statement (blueprint rules)."""

import pytest
import twin

from cotulenh import Kind, Rules, Square, SquareSet

T = Rules.load("blueprint").tables
TERRAIN = T.terrain
SQUARES = twin.board("blueprint")
LAND_PIECES = "TAIMCH"


def files(letters):
    return SquareSet((f"{one}{rank}" for one in letters for rank in range(1, 13)), files=12)


# The ranks of the note count from 0: its 3 and 8 are ranks 4 and 9.
RIVER = SquareSet((f"{one}{rank}" for one in "defghijk" for rank in (4, 9)), files=12)
BRIDGES = SquareSet("e4 f4 g4 e9 f9 g9", files=12)


# Terrain Types ----------------------------------------------------------------------------------


# "Files a-b: Pure Water (Navy only)"
def test_files_a_b_are_water():
    assert TERRAIN.water == files("ab")
    for letter in LAND_PIECES:
        assert T.movement_mask(letter).isdisjoint(TERRAIN.water)


# "File c: Mixed Terrain (All pieces)"
def test_file_c_is_mixed():
    assert files("c") <= TERRAIN.mixed
    for kind in Rules.load("blueprint").kinds:
        assert files("c") <= T.movement_mask(kind)


# "Files d-k: Pure Land (Land pieces only)", "File l: Pure Land (Land pieces only)"
def test_files_d_to_l_are_land():
    assert TERRAIN.land == files("defghijkl") - RIVER
    assert T.movement_mask("N").isdisjoint(TERRAIN.land)


# "Special: Rivers and bridges create mixed terrain in land files"
def test_rivers_and_bridges_are_mixed():
    assert TERRAIN.mixed == files("c") | RIVER


# Basic Terrain Bitboards ------------------------------------------------------------------------


# "pureWater: Files a-b only", "pureLand: Files d-k, l only", "mixedTerrain: File c +
# rivers + bridges"
def test_the_three_types_share_out_the_board():
    assert TERRAIN.water | TERRAIN.land | TERRAIN.mixed == ~SquareSet(files=12)
    assert len(TERRAIN.water) + len(TERRAIN.land) + len(TERRAIN.mixed) == 144
    assert TERRAIN.mixed == files("c") | TERRAIN.rivers | TERRAIN.bridges


# "navyAccessible: pureWater | mixedTerrain", "landAccessible: pureLand | mixedTerrain",
# "allAccessible: All valid squares (for Air Force)"
def test_derived_accessibility():
    assert TERRAIN.navy_accessible == TERRAIN.water | TERRAIN.mixed
    assert TERRAIN.land_accessible == TERRAIN.land | TERRAIN.mixed
    assert TERRAIN.all_accessible == ~SquareSet(files=12)


# "rivers: River squares in land files": "Rivers at ranks 3 and 8 in files d-k", "Bridges at e3, f3,
# g3, e8, f8, g8". The note asks for rivers first and so never finds a bridge; 14.5: bridges first.
def test_rivers_and_bridges():
    assert TERRAIN.bridges == BRIDGES
    assert TERRAIN.rivers == RIVER - BRIDGES


# "fortresses: 0n, // No fortresses in basic CoTuLenh"
def test_no_fortresses():
    assert TERRAIN.fortresses == SquareSet()


# Movement Masks by Piece Type -------------------------------------------------------------------


# "Navy can only move on water and mixed terrain"
def test_movement_mask_of_the_navy():
    assert T.movement_mask("N") == TERRAIN.navy_accessible


# "Air Force can move anywhere"
def test_movement_mask_of_the_air_force():
    assert T.movement_mask("F") == TERRAIN.all_accessible


# "Land pieces can move on land and mixed terrain"
@pytest.mark.parametrize("letter", LAND_PIECES)
def test_movement_mask_of_land_pieces(letter):
    assert T.movement_mask(letter) == TERRAIN.land_accessible


# "Navy can attack anywhere (including pure land via stay-capture)", "Artillery can attack anywhere
# (including sea via stay-capture)"
@pytest.mark.parametrize("letter", "NA")
def test_attack_mask_of_navy_and_artillery(letter):
    assert T.attack_mask(letter) == TERRAIN.all_accessible


# "Most pieces can attack anywhere they can move"
@pytest.mark.parametrize("letter", "FTIMCH")
def test_attack_mask_of_the_rest(letter):
    assert T.attack_mask(letter) == T.movement_mask(letter)


# Stay-Capture Detection -------------------------------------------------------------------------


# "If attacker can't move to target square, it's stay-capture"; otherwise "return false"
def test_no_stay_capture_where_the_attacker_can_stand():
    for attacker in Rules.load("blueprint").kinds:
        for square in T.movement_mask(attacker):
            for target in Rules.load("blueprint").kinds:
                assert not T.is_stay_capture(attacker, target, square)


# "Artillery can stay-capture Navy in water"
def test_artillery_against_navy():
    for square in TERRAIN.water:
        assert T.is_stay_capture("A", "N", square)
        assert not T.is_stay_capture("A", "T", square)


# "Navy can stay-capture land pieces on pure land"
@pytest.mark.parametrize("target", LAND_PIECES)
def test_navy_against_land_pieces(target):
    for square in SQUARES:
        assert T.is_stay_capture("N", target, square) == (square in TERRAIN.land)


# "Air Force never needs stay-capture (can move anywhere)"
def test_air_force_never_stays():
    assert not T.stay_capture_squares("F")
    for square in SQUARES:
        assert not any(T.is_stay_capture("F", target, square) for target in "TANFIMCH")


# The last "return false": no other piece takes by staying.
@pytest.mark.parametrize("letter", "TIMCH")
def test_the_others_never_stay(letter):
    for square in SQUARES:
        assert not any(T.is_stay_capture(letter, target, square) for target in "TANFIMCH")


# "Stay-capture squares = can attack but can't move to"
@pytest.mark.parametrize("kind", Rules.load("blueprint").kinds)
def test_stay_capture_squares(kind):
    expected = T.attack_mask(kind) - T.movement_mask(kind)
    assert T.stay_capture_squares(kind) == expected
    by_kind = {Kind.NAVY: TERRAIN.land, Kind.ARTILLERY: TERRAIN.water}
    assert expected == by_kind.get(kind, SquareSet())


# Terrain Queries --------------------------------------------------------------------------------


# "getTerrainType(square): 'water' | 'land' | 'mixed'", "throw new Error(`Invalid square`)"
def test_terrain_type():
    assert [TERRAIN.type_at(one) for one in ("a1", "c1", "d1", "e4", "l4")] == [
        "water",
        "mixed",
        "land",
        "mixed",
        "land",
    ]
    with pytest.raises(ValueError, match="15"):
        TERRAIN.type_at(15)


# "isAccessible(square, pieceType)"
def test_is_accessible():
    for kind in Rules.load("blueprint").kinds:
        for square in SQUARES:
            assert T.is_accessible(square, kind) == (square in T.movement_mask(kind))


# "isWater", "isLand", "isMixed", "isRiver", "isBridge"
def test_single_queries():
    assert TERRAIN.is_water("b7")
    assert TERRAIN.is_land("l9")
    assert TERRAIN.is_mixed("c7")
    assert TERRAIN.is_river("d4")
    assert TERRAIN.is_bridge("e4")
    assert not TERRAIN.is_river("e4")


# "getSquaresByTerrain(terrainType): number[]"
def test_squares_by_terrain():
    assert [int(square) for square in TERRAIN.squares("water")][:3] == [0, 1, 16]
    assert TERRAIN.squares("mixed") == TERRAIN.mixed


# Terrain Visualization --------------------------------------------------------------------------


# "W = Water, L = Land, M = Mixed, R = River, B = Bridge"; the ranks count from 1 here.
def test_terrain_map():
    lines = T.show("terrain").splitlines()
    assert lines[0] == "W = water, L = land, M = mixed, R = river, B = bridge"
    plain, wet = "W W M L L L L L L L L L", "W W M R B B B R R R R L"
    rows = [f"{rank:2}  {wet if rank in (4, 9) else plain}" for rank in range(12, 0, -1)]
    assert lines[1:] == [*rows, "    a b c d e f g h i j k l"]


# "M = Can Move, A = Can Attack (stay-capture), . = Blocked"
@pytest.mark.parametrize("kind", Rules.load("blueprint").kinds)
def test_accessibility_map(kind):
    lines = T.show(kind).splitlines()
    assert "M = can move, A = can attack (stay capture), . = neither" in lines[0]
    for number, line in enumerate(lines[1:13]):
        for file, sign in enumerate(line[4:].split()):
            square = Square.at(file, 11 - number)
            moves, attacks = square in T.movement_mask(kind), square in T.attack_mask(kind)
            assert sign == ("M" if moves else "A" if attacks else ".")


def test_accessibility_map_of_the_navy_drawn():
    assert T.show("N").splitlines()[9:13] == [
        " 4  M M M M M M M M M M M A",
        " 3  M M M A A A A A A A A A",
        " 2  M M M A A A A A A A A A",
        " 1  M M M A A A A A A A A A",
    ]


# Integration Example ----------------------------------------------------------------------------


# "generateTankMoves": "Apply terrain restrictions", "Remove friendly pieces"
def test_moves_keep_to_the_terrain():
    assert T.moves("T", "c3", "", "") == SquareSet("c1 c2 c4 c5 d3 e3", files=12)
    assert T.moves("N", "c3", "", "") == SquareSet("c1 c2 c4 c5 c6 a3 b3", files=12)


# "checkStayCapture": "Stay-capture if can attack but can't move to"
def test_check_stay_capture():
    assert "d3" in T.stay_capture_squares("N")
    assert "b3" in T.stay_capture_squares("A")
    assert "b3" not in T.stay_capture_squares("T")

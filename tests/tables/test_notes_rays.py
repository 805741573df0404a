"""The design note "Ray Generation for CoTuLenh Bitboards", statement by statement.

Each test quotes the note. Where the note contradicts itself, article 14.5 decides, and the test
says so.
"""

import pytest
import twin

from cotulenh import Direction, Kind, Rules, SquareSet

T = Rules.load("blueprint").tables
SQUARES = twin.board("blueprint")
ORTHOGONAL = {Direction.NORTH, Direction.SOUTH, Direction.EAST, Direction.WEST}
ALL = set(Direction)


def shape(kind, heroic=False):
    """The directions of a piece and its range, seen from the middle of an empty board.

    From f6 eleven squares are too many in any direction, so ranges up to 5 show in full; longer
    ones are looked at from the edge.
    """
    rays = T.piece_rays(kind, "f6", heroic)
    return set(rays), {len(ray) for ray in rays.values()}


def longest(kind, heroic=False):
    return len(T.piece_rays(kind, "a1", heroic)[Direction.NORTH])


# "Every piece in CoTuLenh moves in **rays** - straight lines in one or more directions."
@pytest.mark.parametrize("kind", Rules.load("blueprint").kinds)
@pytest.mark.parametrize("heroic", [False, True])
def test_every_piece_moves_in_rays(kind, heroic):
    for square in SQUARES:
        for direction, ray in T.piece_rays(kind, square, heroic).items():
            assert ray <= T.ray(direction, square)


# Ray Types by Piece: Horizontal/Vertical Rays (Orthogonal) --------------------------------------


# "**Tank:** 4 directions, range 1-2"
def test_tank():
    assert shape(Kind.TANK) == (ORTHOGONAL, {2})


# "**Artillery:** 4 directions, range 1-3"
def test_artillery():
    assert shape(Kind.ARTILLERY) == (ORTHOGONAL, {3})


# "**Navy:** 4 directions, range 1-3"
def test_navy():
    assert shape(Kind.NAVY) == (ORTHOGONAL, {3})


# "**Commander:** 4 directions, range 1 (8 directions when heroic)". The note's table of rays gives
# the base Commander eight directions; 14.5: the overview holds.
def test_commander():
    assert shape(Kind.COMMANDER) == (ORTHOGONAL, {1})
    assert shape(Kind.COMMANDER, heroic=True)[0] == ALL


# All 8 Directions (Omnidirectional) -------------------------------------------------------------


# "**Air Force:** 8 directions, range 1-4"
def test_air_force():
    assert shape(Kind.AIR_FORCE) == (ALL, {4})


# "**Infantry:** 8 directions, range 1", "**Militia:** 8 directions, range 1"
@pytest.mark.parametrize("kind", [Kind.INFANTRY, Kind.MILITIA])
def test_infantry_and_militia(kind):
    assert shape(kind) == (ALL, {1})


# "**HEADQUARTER:** 8 directions, range 1 (heroic only)", "**HEADQUARTER (base):** No movement
# (range 0)". The universal generator gives the heroic one the heroic Infantry's rays, range 2;
# 14.5: the overview holds.
def test_headquarters():
    assert shape(Kind.HEADQUARTERS, heroic=True) == (ALL, {1})
    assert shape(Kind.HEADQUARTERS) == (set(), set())
    assert not T.moves("H", "f6", "", "")


# "**Heroic pieces:** Extended ranges (Tank 1-4, Artillery 1-6, etc.)"
@pytest.mark.parametrize(("letter", "n"), [("T", 4), ("A", 6), ("N", 6), ("F", 8)])
def test_heroic_ranges(letter, n):
    assert longest(Kind(letter), heroic=True) == n


# Ray Table Structure ----------------------------------------------------------------------------


# "north: Bitboard[] // [square] -> ray going north" … "southWest", and "ray going north (increasing
# rank)", "south (decreasing rank)", "east (increasing file)", "west (decreasing file)".
@pytest.mark.parametrize("direction", Direction)
def test_direction_rays(direction):
    step = {"NORTH": (0, 1), "SOUTH": (0, -1), "EAST": (1, 0), "WEST": (-1, 0)}
    file_step = sum(step[word][0] for word in direction.name.split("_"))
    rank_step = sum(step[word][1] for word in direction.name.split("_"))
    for square in SQUARES:
        file, rank = twin.place(square)
        expected = []
        while 0 <= (file := file + file_step) < 12 and 0 <= (rank := rank + rank_step) < 12:
            expected.append(twin.name(file, rank))
        assert T.ray(direction, square) == SquareSet(expected)


# "Range-limited rays: range1Rays … range4Rays: [square][direction] -> n-square ray"
@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("direction", Direction)
def test_range_limited_rays(direction, n):
    for square in SQUARES:
        expected = twin.line("blueprint", direction.name, square, n)
        assert T.ranged_ray(direction, square, n) == SquareSet(expected)


# "Skip invalid squares (outside 12x12 board)"
@pytest.mark.parametrize("square", [12, 15, 192, 255, "m1", "a13"])
def test_squares_outside_the_board(square):
    with pytest.raises(ValueError, match="expected a square"):
        T.ray("N", square)


# "Check bounds: if (newFile < 0 || newFile >= 12 || …) break"
def test_ranged_rays_end_at_the_edge():
    assert T.ranged_ray("E", "k5", 4) == SquareSet("l5", files=12)
    assert not T.ranged_ray("NE", "l12", 4)


# "enum Direction { NORTH = 0, SOUTH = 1, EAST = 2, WEST = 3, NORTH_EAST = 4, … SOUTH_WEST = 7 }"
def test_numbers_of_the_directions():
    assert [direction.name for direction in Direction] == [
        "NORTH",
        "SOUTH",
        "EAST",
        "WEST",
        "NORTH_EAST",
        "NORTH_WEST",
        "SOUTH_EAST",
        "SOUTH_WEST",
    ]
    assert [int(direction) for direction in Direction] == list(range(8))


# "getDirectionDeltas"
def test_direction_deltas():
    deltas = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)]
    assert [direction.step for direction in Direction] == deltas


# Piece-Specific Ray Tables: "tankRays: Bitboard[][] // [square][direction] -> ray" and so on ------

PIECE_RAYS = {
    ("T", False): (ORTHOGONAL, 2),
    ("A", False): (ORTHOGONAL, 3),
    ("N", False): (ORTHOGONAL, 3),
    ("F", False): (ALL, 4),
    ("I", False): (ALL, 1),
    ("M", False): (ALL, 1),  # "Militia: [...rays.infantryRays[square]]"
    ("C", False): (ORTHOGONAL, 1),  # 14.5
    # "Heroic Tank: range 1-4 (was 1-2)", in the Tank's four directions
    ("T", True): (ORTHOGONAL, 4),
    # "Heroic Artillery: range 1-6 (was 1-3)"
    ("A", True): (ORTHOGONAL, 6),
    # "Heroic Navy: range 1-6 (was 1-3)"
    ("N", True): (ORTHOGONAL, 6),
    # "Heroic Air Force: range 1-8 (was 1-4)"
    ("F", True): (ALL, 8),
    # "Heroic Infantry/Militia: range 1-2 (was 1)"
    ("I", True): (ALL, 2),
    ("M", True): (ALL, 2),
    # "Heroic Commander: range 1-2 (was 1)"
    ("C", True): (ALL, 2),
    ("H", True): (ALL, 1),  # 14.5
}


@pytest.mark.parametrize(("letter", "heroic"), PIECE_RAYS)
def test_piece_ray_tables(letter, heroic):
    directions, n = PIECE_RAYS[letter, heroic]
    for square in SQUARES:
        rays = T.piece_rays(letter, square, heroic)
        assert rays == {way: T.ranged_ray(way, square, n) for way in directions}
        union = SquareSet(files=12)
        for ray in rays.values():
            union |= ray
        assert T.reach(letter, square, heroic) == union


# Ray Blocking Calculation -----------------------------------------------------------------------


# "if (blockers === 0n) return ray // No blockers, full ray available"
def test_no_blockers_full_ray():
    assert T.blocked_ray("N", "e3", 6, "a1 f4") == T.ranged_ray("N", "e3", 6)


# "return beforeBlocker | blockerBit // Include blocker (might be capturable)"
@pytest.mark.parametrize("direction", Direction)
def test_first_blocker_included(direction):
    ray = twin.line("blueprint", direction.name, "f6")
    found = T.blocked_ray(direction, "f6", 12, [ray[2], ray[3]])
    assert found == SquareSet(ray[:3])


# "Find closest blocker based on direction", "Similar methods for other directions...". 14.5: every
# direction has its own nearest-blocker search.
@pytest.mark.parametrize("direction", Direction)
def test_every_direction_finds_its_nearest_blocker(direction):
    for square in SQUARES:
        ray = twin.line("blueprint", direction.name, square)
        for number, point in enumerate(ray):
            assert T.nearest(direction, square, ray[number:]).name == point
        assert T.nearest(direction, square, "") is None


# Ray Table Usage --------------------------------------------------------------------------------


# "generateTankMoves": blocked rays in four directions, "excluding friendly pieces"
def test_generate_tank_moves():
    assert T.moves("T", "f6", "f7 d6 e6", "e6") == SquareSet("f7 f5 f4 g6 h6", files=12)


# "Air Force: combine all rays, ignore blocking", "Air Force can jump over pieces"
def test_aircraft_jump():
    occupied = "f7 f8 e5 g6 g7"
    assert T.moves("F", "f6", occupied, "") == T.reach("F", "f6")


# "Remove friendly pieces: return validMoves & ~friendlyPieces"
@pytest.mark.parametrize("kind", Rules.load("blueprint").kinds)
@pytest.mark.parametrize("heroic", [False, True])
def test_friends_removed(kind, heroic):
    for square in SQUARES:
        friends = list(T.reach(kind, square, heroic))[::2]
        found = T.moves(kind, square, friends, friends, heroic)
        assert found.isdisjoint(friends)


# "Other pieces: calculate blocking for each ray"
@pytest.mark.parametrize("letter", [*"TANIMC"])
@pytest.mark.parametrize("heroic", [False, True])
def test_other_pieces_are_blocked(letter, heroic):
    for square in SQUARES:
        for way, ray in T.piece_rays(letter, square, heroic).items():
            if len(ray) < 2:
                continue
            first = T.ranged_ray(way, square, 1)
            behind = ray - first
            assert T.moves(letter, square, first, "", heroic).isdisjoint(behind)


# "Heroic HEADQUARTER moves", "Base HEADQUARTER can't move"
def test_headquarters_moves():
    assert T.moves("H", "f6", "", "", heroic=True) == T.reach("I", "f6")
    assert not T.moves("H", "f6", "", "")


# "default: return []" for unknown pieces: an error here, since nothing is silently empty.
def test_unknown_pieces():
    with pytest.raises(ValueError, match="'X'"):
        T.moves("X", "f6", "", "")

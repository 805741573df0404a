"""Reach, moves and masks against the slow twin: all squares, kinds, heroic states, rule sets."""

import random

import pytest
import twin

from cotulenh import Kind, Rules, SquareSet


@pytest.mark.parametrize(("rules", "letter", "heroic"), twin.CASES)
def test_reach(rules, letter, heroic):
    tables = Rules.load(rules).tables
    for square in twin.board(rules):
        for taking in (False, True):
            expected = twin.reach(rules, letter, square, heroic, taking)
            found = tables.reach(letter, square, heroic, taking=taking)
            assert found == SquareSet(expected), square


@pytest.mark.parametrize(("rules", "letter", "heroic"), twin.CASES)
def test_moves(rules, letter, heroic):
    tables = Rules.load(rules).tables
    rng, squares = random.Random(letter), twin.board(rules)
    for square in squares:
        for _ in range(3):
            occupied = rng.sample(squares, rng.choice([4, 20, 40, 80]))
            friendly = [point for point in occupied if rng.random() < 0.5]
            expected = twin.moves(rules, letter, square, occupied, friendly, heroic)
            found = tables.moves(letter, square, occupied, friendly, heroic)
            assert found == SquareSet(expected), square


def test_s2_the_online_navy_is_blocked_by_ships_only():
    tables = Rules.load("online").tables
    with_ships = tables.moves("N", "b3", "b4 b5", "", ships="b5")
    assert {"b4", "b5"} < {square.name for square in with_ships}
    assert "b6" not in with_ships
    assert "b5" not in tables.moves("N", "b3", "b4 b5", "")


def test_article_3_the_navy_passes_its_own_side():
    tables = Rules.load("official").tables
    found = tables.moves("N", "b3", occupied="b4 b6", friendly="b4")
    assert "b4" not in found
    assert "b5" in found
    assert "b6" in found
    assert "b7" not in found


@pytest.mark.parametrize("rules", twin.FILES)
def test_masks(rules):
    tables, kinds = Rules.load(rules).tables, twin.PIECES[rules, False]
    for letter in kinds:
        stands = SquareSet(one for one in twin.board(rules) if twin.stands(rules, letter, one))
        stay = SquareSet(twin.stay_points(rules, letter))
        assert tables.movement_mask(letter) == stands
        assert tables.stay_capture_squares(letter) == stay
        assert tables.attack_mask(letter) == stands | stay


@pytest.mark.parametrize("rules", twin.FILES)
def test_stay_captures(rules):
    tables, kinds = Rules.load(rules).tables, twin.PIECES[rules, False]
    for letter in kinds:
        stay = twin.stay_points(rules, letter)
        for target in kinds:
            against = twin.takes_by_staying(rules, letter, target)
            for square in twin.board(rules):
                expected = against and square in stay
                assert tables.is_stay_capture(letter, target, square) == expected


@pytest.mark.parametrize("rules", twin.FILES)
def test_terrain(rules):
    terrain = Rules.load(rules).terrain
    for square in twin.board(rules):
        ground, sign = twin.terrain_class(rules, square), twin.terrain(rules, square)
        assert terrain.type_at(square) == ground
        assert terrain.letter_at(square) == sign
        assert square in terrain.squares(ground)
        assert terrain.is_water(square) == (ground == "water")
        assert terrain.is_land(square) == (ground == "land")
        assert terrain.is_mixed(square) == (ground == "mixed")
        assert terrain.is_river(square) == (sign == "R")
        assert terrain.is_bridge(square) == (sign == "B")
    assert not terrain.fortresses
    assert len(terrain.all_accessible) == len(twin.board(rules))


# The official rules, drawn ------------------------------------------------------------------


def picture(*rows):
    """The squares marked x in a drawing whose last row is rank 1 and first column file a."""
    ranks = [row.split() for row in reversed(rows)]
    return SquareSet(
        twin.name(file, rank)
        for rank, row in enumerate(ranks)
        for file, sign in enumerate(row)
        if sign == "x"
    )


def test_article_3_missile_reach_drawn():
    assert Rules.load("official").tables.reach("S", "d4") == picture(
        ". . . x . . .",
        ". . x x x . .",
        ". x x . x x .",
        ". . x x x . .",
        ". . . x . . .",
        ". . . . . . .",
    )


def test_article_3_2_heroic_missile_reach_drawn():
    assert Rules.load("official").tables.reach("S", "d4", heroic=True) == picture(
        ". . . x . . .",
        ". x . x . x .",
        ". . x x x . .",
        "x x x . x x x",
        ". . x x x . .",
        ". x . x . x .",
        ". . . x . . .",
    )


def test_article_2_2_aircraft_do_not_land_on_water():
    tables = Rules.load("official").tables
    assert tables.movement_mask("F") == tables.terrain.land_accessible
    assert tables.stay_capture_squares("F") == tables.terrain.water


def test_article_3_missiles_have_nothing_to_take_at_sea():
    tables = Rules.load("official").tables
    assert not tables.stay_capture_squares("S")
    assert Rules.load("online").tables.stay_capture_squares("S") == tables.terrain.water


# Bad input ----------------------------------------------------------------------------------

BAD = [
    (lambda t: t.reach("Q", "c3"), "'Q'"),
    (lambda t: t.reach("", "c3"), "''"),
    (lambda t: t.reach(3, "c3"), "3"),
    (lambda t: t.reach(None, "c3"), "None"),
    (lambda t: t.reach("T", "c33"), "'c33'"),
    (lambda t: t.reach("H", "c33"), "'c33'"),
    (lambda t: t.moves("T", "c33", "", ""), "'c33'"),
    (lambda t: t.moves("H", "c33", "", ""), "'c33'"),
    (lambda t: t.moves("T", "c3", "x1", ""), "'x1'"),
    (lambda t: t.moves("T", "c3", "", "l4"), "l4"),
    (lambda t: t.moves("N", "c3", "", "", ships="p"), "'p'"),
    (lambda t: t.movement_mask("Z"), "'Z'"),
    (lambda t: t.attack_mask("Z"), "'Z'"),
    (lambda t: t.stay_capture_squares("Z"), "'Z'"),
    (lambda t: t.is_stay_capture("T", "Z", "c3"), "'Z'"),
    (lambda t: t.is_stay_capture("T", "N", "l3"), "'l3'"),
    (lambda t: t.is_accessible("k13", "T"), "'k13'"),
    (lambda t: t.terrain.type_at("l1"), "'l1'"),
    (lambda t: t.terrain.is_bridge(300), "300"),
    (lambda t: t.terrain.squares("lava"), "'lava'"),
    (lambda t: t.show("swamp"), "'swamp'"),
    (lambda t: t.show("l1"), "l1"),
]


@pytest.mark.parametrize(("call", "value"), BAD)
def test_bad_input_raises_with_the_value(call, value):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call(Rules.load("official").tables)
    assert value in str(caught.value)


def test_kinds_the_rule_set_has_not():
    with pytest.raises(ValueError, match=r"expected a piece of blueprint, got E \(ENGINEER\)"):
        Rules.load("blueprint").tables.reach(Kind.ENGINEER, "c3")

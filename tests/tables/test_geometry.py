"""Rays, ranged rays, blocked rays, between and discs against the slow twin, on all squares."""

import math
import random

import pytest
import twin

from cotulenh import Direction, Rules, Square, SquareSet

BOARDS = ["official", "blueprint"]  # online has the official board


@pytest.fixture(params=BOARDS)
def rules(request):
    return request.param


@pytest.fixture
def tables(rules):
    return Rules.load(rules).tables


def test_rays(rules, tables):
    for square in twin.board(rules):
        for direction in Direction:
            expected = twin.line(rules, direction.name, square)
            assert tables.ray(direction, square) == SquareSet(expected)


@pytest.mark.parametrize("n", range(13))
def test_ranged_rays(rules, tables, n):
    for square in twin.board(rules):
        for direction in Direction:
            expected = twin.line(rules, direction.name, square, n)
            assert tables.ranged_ray(direction, square, n) == SquareSet(expected)


def test_an_endless_range_is_the_ray(rules, tables):
    for square in twin.board(rules):
        for direction in Direction:
            ray = tables.ray(direction, square)
            assert tables.ranged_ray(direction, square, math.inf) == ray


def occupancies(rules, count, seed=1):
    rng, squares = random.Random(seed), twin.board(rules)
    return [rng.sample(squares, rng.choice([3, 10, 25, 60, 110])) for _ in range(count)]


def test_blocked_rays_and_nearest(rules, tables):
    rng = random.Random(2)
    for occupied in occupancies(rules, 12):
        given = SquareSet(occupied, files=12)
        for square in twin.board(rules):
            for direction in Direction:
                n = rng.randint(0, 12)
                line = twin.line(rules, direction.name, square, n)
                expected = twin.cut(line, set(occupied))
                assert tables.blocked_ray(direction, square, n, given) == SquareSet(expected)
                full = twin.line(rules, direction.name, square)
                first = next((point for point in full if point in set(occupied)), None)
                found = tables.nearest(direction, square, given)
                assert found == (None if first is None else Square(first))


def test_between(rules, tables):
    squares = twin.board(rules)
    rng = random.Random(3)
    for one in squares:
        for other in rng.sample(squares, 40):
            expected = SquareSet(twin.between(rules, one, other))
            assert tables.between(one, other) == expected
            assert tables.between(other, one) == expected


@pytest.mark.parametrize("radius", range(6))
def test_article_5_1_discs(rules, tables, radius):
    for square in twin.board(rules):
        assert tables.disc(square, radius) == SquareSet(twin.disc(rules, square, radius))


def test_article_5_1_disc_drawn():
    drawing = str(Rules.load("official").tables.disc("e5", 2)).splitlines()
    assert [row[4:22] for row in drawing[4:10]] == [
        ". . . . . . . . . ",
        ". . . . x . . . . ",
        ". . . x x x . . . ",
        ". . x x x x x . . ",
        ". . . x x x . . . ",
        ". . . . x . . . . ",
    ]


# Bad input ----------------------------------------------------------------------------------

BAD = [
    (lambda t: t.ray("up", "c3"), "'up'"),
    (lambda t: t.ray(8, "c3"), "8"),
    (lambda t: t.ray(-1, "c3"), "-1"),
    (lambda t: t.ray(True, "c3"), "True"),
    (lambda t: t.ray("N", "z9"), "'z9'"),
    (lambda t: t.ray("N", "l3"), "'l3'"),
    (lambda t: t.ray("N", "a13"), "'a13'"),
    (lambda t: t.ray("N", "a0"), "'a0'"),
    (lambda t: t.ray("N", ""), "''"),
    (lambda t: t.ray("N", -1), "-1"),
    (lambda t: t.ray("N", 11), "11"),
    (lambda t: t.ray("N", 192), "192"),
    (lambda t: t.ray("N", 10**30), str(10**30)),
    (lambda t: t.ray("N", None), "None"),
    (lambda t: t.ray("N", 3.0), "3.0"),
    (lambda t: t.ray(None, "c3"), "None"),
    (lambda t: t.ranged_ray("N", "c3", -1), "-1"),
    (lambda t: t.ranged_ray("N", "c3", 13), "13"),
    (lambda t: t.ranged_ray("N", "c3", 10**30), str(10**30)),
    (lambda t: t.ranged_ray("N", "c3", 2.5), "2.5"),
    (lambda t: t.ranged_ray("N", "c3", "2"), "'2'"),
    (lambda t: t.ranged_ray("N", "c3", math.nan), "nan"),
    (lambda t: t.ranged_ray("N", "c3", None), "None"),
    (lambda t: t.blocked_ray("N", "c3", 3, "q1"), "'q1'"),
    (lambda t: t.blocked_ray("N", "c3", 3, -5), "-0x5"),
    (lambda t: t.blocked_ray("N", "c3", 3, 1 << 200), hex(1 << 200)),
    (lambda t: t.blocked_ray("N", "c3", 3, 1 << 12), "0x1000"),
    (lambda t: t.blocked_ray("N", "c3", 3, 1 << 11), "l1"),
    (lambda t: t.between("c3", "zz"), "'zz'"),
    (lambda t: t.disc("c3", -2), "-2"),
    (lambda t: t.disc("m3", 2), "'m3'"),
]


@pytest.mark.parametrize(("call", "value"), BAD)
def test_bad_input_raises_with_the_value(call, value):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call(Rules.load("official").tables)
    assert value in str(caught.value)


@pytest.mark.parametrize("occupied", [None, 3.5, [None], [[]], True])
def test_what_is_no_set_of_squares(occupied):
    with pytest.raises((ValueError, TypeError)):
        Rules.load("official").tables.blocked_ray("N", "c3", 3, occupied)

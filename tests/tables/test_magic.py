"""Magic lookups equal the ray scan, and their parts are what a magic is."""

import random
from itertools import product

import pytest
import twin

from cotulenh import Rules, SquareSet, _core

twin.CASES = [
    (rules, letter, heroic) for (rules, heroic), found in twin.PIECES.items() for letter in found
]


def random_sets(rng, board):
    """Occupancies from sparse to crowded, within the board."""
    dense = rng.getrandbits(192) & board
    return dense, dense & rng.getrandbits(192), dense & rng.getrandbits(192) & rng.getrandbits(192)


def scan(tables, rays, square, occupied):
    """The ray scan: first blockers found direction by direction."""
    seen = 0
    for direction, n in rays:
        seen |= tables._core.blocked_ray(direction, square, n, occupied)
    return seen


def compare(name, letter, heroic, rounds, seed):
    """Compares lookup and scan on `rounds` random occupancies a square; returns how many."""
    rules = Rules.load(name)
    tables, rng, count = rules.tables, random.Random(seed), 0
    board, kind = int(rules.terrain.all_accessible), rules.row(letter).kind.index
    orthogonal, diagonal = rules.row(letter).form(heroic).move
    rays = [(way, orthogonal if way < 4 else diagonal) for way in range(8)]
    for square in map(int, rules.terrain.all_accessible):
        for _ in range(rounds):
            for occupied in random_sets(rng, board):
                found = tables._core.lookup(kind, heroic, square, occupied)
                assert found == scan(tables, rays, square, occupied), (square, hex(occupied))
                count += 1
    return count


@pytest.mark.parametrize(("rules", "letter", "heroic"), twin.CASES)
def test_lookup_equals_the_ray_scan(rules, letter, heroic):
    assert compare(rules, letter, heroic, rounds=10, seed=letter) >= 3960


@pytest.mark.long
def test_ten_million_occupancies():
    total = sum(compare(*case, rounds=430, seed=str(case)) for case in twin.CASES)
    assert total >= 10**7


@pytest.mark.parametrize(("rules", "letter", "heroic"), twin.CASES)
def test_lookup_equals_the_twin(rules, letter, heroic):
    tables, squares = Rules.load(rules).tables, twin.board(rules)
    rng = random.Random(letter)
    for square in squares:
        occupied = rng.sample(squares, rng.choice([5, 20, 60]))
        rays = twin.rays(rules, letter, square, heroic)
        expected = {point for ray in rays for point in twin.cut(ray, set(occupied))}
        assert tables.magic(letter, square, heroic).lookup(occupied) == SquareSet(expected)


@pytest.mark.parametrize(("rules", "letter", "heroic"), twin.CASES)
def test_only_the_masks_matter(rules, letter, heroic):
    """What stands outside the masks changes nothing."""
    tables, rng = Rules.load(rules).tables, random.Random(letter)
    board = int(tables.terrain.all_accessible)
    for square in tables.terrain.all_accessible:
        magic = tables.magic(letter, square, heroic)
        if not magic.masks:
            continue
        mask = 0
        for part in magic.masks:
            mask |= int(part)
        occupied = rng.getrandbits(192) & board
        noise = rng.getrandbits(192) & board & ~mask
        assert magic.lookup(occupied & mask) == magic.lookup(occupied & mask | noise)


def test_parts_of_pieces_nothing_can_block():
    magic = Rules.load("official").tables.magic("I", "e5")
    assert (magic.masks, magic.magics, magic.shifts, magic.size) == ((), (), (), 0)
    assert magic.lookup("") == magic.lookup("e6 d5") == SquareSet("e6 e4 d5 f5")


def test_shape_of_the_parts():
    magic = Rules.load("official").tables.magic("N", "f6")
    assert len(magic.masks) == len(magic.magics) == len(magic.shifts) == 3  # row, above, below
    assert magic.size == sum(2 ** (64 - shift) for shift in magic.shifts)
    assert all(0 < number < 2**64 for number in magic.magics)
    assert all("f6" not in mask for mask in magic.masks[1:])


def test_the_stored_magics_are_exact():
    assert _core.Tables.magics_exact


# A window is four ranks, 64 bits, above or below the square. From a middle rank none is cut off,
# so the multiplication can be done here, by hand, and its indices looked at.
WINDOWS = list(product("abcdefghijk", "TAN", [1, 2]))  # ranges 2, 3, 4; above and below


@pytest.mark.parametrize(("file", "letter", "part"), WINDOWS)
def test_a_magic_gathers_its_mask_without_collision(file, letter, part):
    """Two occupancies that share an index see the same points."""
    tables, square = Rules.load("official").tables, f"{file}6"
    magic = tables.magic(letter, square)
    lowest = 16 * (6 if part == 1 else 1)  # the first bit of the window
    mask = int(magic.masks[part]) >> lowest
    answers, subset = {}, 0
    window = SquareSet((((1 << 64) - 1) << lowest) & int(tables.terrain.all_accessible))
    while True:
        index = (subset * magic.magics[part] & (1 << 64) - 1) >> magic.shifts[part]
        seen = int(magic.lookup(subset << lowest) & window)
        assert answers.setdefault(index, seen) == seen
        subset = (subset - mask) & mask
        if not subset:
            break
    assert max(answers) < 2 ** (64 - magic.shifts[part])


def test_size_and_time_of_the_tables():
    """All pieces and both heroic states together stay within 2 MiB."""
    for name in Rules.names():
        assert Rules.load(name).core.table_bytes <= 2 * 1024 * 1024


@pytest.mark.parametrize(
    ("call", "value"),
    [
        (lambda t: t.magic("Q", "c3"), "'Q'"),
        (lambda t: t.magic("T", "l3"), "'l3'"),
        (lambda t: t.magic("T", "c3").lookup("l3"), "l3"),
        (lambda t: t.magic("T", "c3").lookup(-1), "-0x1"),
    ],
)
def test_bad_input_raises_with_the_value(call, value):
    with pytest.raises(ValueError, match=value):
        call(Rules.load("official").tables)


# The core itself refuses what Python should have caught: nothing crashes the interpreter.
@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.ray(8, 0),
        lambda t: t.ray(-1, 0),
        lambda t: t.ray(0, 11),
        lambda t: t.ray(0, 192),
        lambda t: t.ray(0, -1),
        lambda t: t.lookup(11, False, 0, 0),
        lambda t: t.lookup(-1, False, 0, 0),
        lambda t: t.lookup(0, False, 300, 0),
        lambda t: t.lookup(0, False, 0, 1 << 192),
        lambda t: t.lookup(0, False, 0, -1),
        lambda t: t.magic(0, False, 200),
        lambda t: t.between(0, 255),
        lambda t: t.disc(500, 2),
    ],
)
def test_the_core_refuses(call):
    with pytest.raises(ValueError, match="expected a"):
        call(Rules.load("official").tables._core)


@pytest.mark.parametrize("n", [-5, 0, 13, 2**31 - 1])
def test_the_core_takes_any_range(n):
    core = Rules.load("official").tables._core
    assert core.ranged_ray(0, 0, n).bit_count() == min(max(n, 0), 11)
    assert core.blocked_ray(0, 0, n, 0).bit_count() == min(max(n, 0), 11)

"""The design notes on `tables.py` (004), statement by statement, and a twin filled by their loops.

Each test cites the statement it checks.
"""

import random

import chess_twin as twin
import pytest

import cotulenh.chess.tables as tables
from cotulenh.chess import Square, SquareSet

RANDOM = random.Random(4)
OCCUPANCIES = [RANDOM.getrandbits(64) & RANDOM.getrandbits(64) for _ in range(200)]


def picture(rows):
    """The set of the squares marked 1 in a board drawn as in the notes, rank 8 first."""
    lines = [line.split() for line in rows.strip().splitlines()]
    return sum(
        1 << 8 * (7 - row) + file
        for row, line in enumerate(lines)
        for file, sign in enumerate(line)
        if sign == "1"
    )


# Rook dependencies --------------------------------------------------------------------------------


def test_relevant_rook_bitmasks():
    """An array of 64 bitmasks ... we can exclude the bits on the outer edges."""
    assert list(tables.RELEVANT_ROOK_BITMASKS) == twin.RELEVANT_ROOK_BITMASKS
    assert len(tables.RELEVANT_ROOK_BITMASKS) == 64


def test_the_relevant_bitmask_of_a1():
    """For example, this is the relevant bitmask for the A1 square."""
    assert tables.RELEVANT_ROOK_BITMASKS[Square("a1")] == picture("""
        . . . . . . . .
        1 . . . . . . .
        1 . . . . . . .
        1 . . . . . . .
        1 . . . . . . .
        1 . . . . . . .
        1 . . . . . . .
        . 1 1 1 1 1 1 .
    """)


@pytest.mark.parametrize("square", range(64))
def test_the_ends_of_lines_do_not_matter(square):
    """Whether the square at the end of the line has a piece ... does not affect the moves."""
    for occupied in OCCUPANCIES:
        relevant = occupied & tables.RELEVANT_ROOK_BITMASKS[square]
        assert tables.rook_moves(square, occupied) == tables.rook_moves(square, relevant)
        relevant = occupied & tables.RELEVANT_BISHOP_BITMASKS[square]
        assert tables.bishop_moves(square, occupied) == tables.bishop_moves(square, relevant)


def test_rook_magics():
    """A hardcoded array of 64 magic numbers. (Ours are found by tools/find_magics.cpp.)"""
    assert len(set(tables.ROOK_MAGICS)) == 64
    assert all(0 < magic < 1 << 64 for magic in tables.ROOK_MAGICS)


def test_rook_bit_shift():
    """A constant with a value of 52."""
    assert tables.ROOK_BIT_SHIFT == 52


# Bishop dependencies ------------------------------------------------------------------------------


def test_relevant_bishop_bitmasks():
    """Representing only the bits we care about."""
    assert list(tables.RELEVANT_BISHOP_BITMASKS) == twin.RELEVANT_BISHOP_BITMASKS


def test_the_bitmask_of_the_c3_bishop():
    """For example, this is the bitmask of the C3 bishop."""
    assert tables.RELEVANT_BISHOP_BITMASKS[Square("c3")] == picture("""
        . . . . . . . .
        . . . . . . 1 .
        . . . . . 1 . .
        . . . . 1 . . .
        . 1 . 1 . . . .
        . . . . . . . .
        . 1 . 1 . . . .
        . . . . . . . .
    """)


def test_bishop_shifts():
    """Calculated by 64 - index_bits ... the number of bits in the corresponding bitmask."""
    expected = [64 - bitmask.bit_count() for bitmask in tables.RELEVANT_BISHOP_BITMASKS]
    assert list(tables.BISHOP_SHIFTS) == expected == twin.BISHOP_SHIFTS


def test_bishop_magics():
    """A hardcoded array of 64 magic numbers."""
    assert len(tables.BISHOP_MAGICS) == 64
    assert all(0 < magic < 1 << 64 for magic in tables.BISHOP_MAGICS)


# Bitwise dependencies -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1, (1 << 64) - 1, 1 << 64, 1 << 100 | 77, 3**80])
def test_cap_to_64_bits(number):
    """Does a bitwise AND with (1 << 64) - 1."""
    assert tables.CAP_TO_64_BITS(number) == number % (1 << 64)


def test_debruijn64():
    """A special 64-bit integer with a value of 0x07EDD5E59A4E28C2: each six-bit pattern occurs."""
    assert tables.DEBRUIJN64 == 0x07EDD5E59A4E28C2
    patterns = {tables.CAP_TO_64_BITS(tables.DEBRUIJN64 << i) >> 58 for i in range(64)}
    assert patterns == set(range(64))


def test_debruijn_lookup_table():
    """A hardcoded array of the numbers from 0 to 63 (inclusive)."""
    assert sorted(tables.DEBRUIJN_LOOKUP_TABLE) == list(range(64))
    assert list(tables.DEBRUIJN_LOOKUP_TABLE) == twin.DEBRUIJN_LOOKUP_TABLE


def test_bit_index():
    """Indexes the De Bruijn lookup table for us with an isolated bit input."""
    assert [tables.bit_index(1 << i) for i in range(64)] == list(range(64))


@pytest.mark.parametrize("bitmask", [0, 3, -1, 1 << 64, 5 << 20])
def test_bit_index_wants_one_bit(bitmask):
    with pytest.raises(ValueError, match="one bit"):
        tables.bit_index(bitmask)


# Hashing functions --------------------------------------------------------------------------------


@pytest.mark.parametrize("square", range(64))
def test_rook_moves_hash(square):
    """Mask, multiply, cap, shift by ROOK_BIT_SHIFT."""
    for bitmask in OCCUPANCIES:
        relevant = bitmask & tables.RELEVANT_ROOK_BITMASKS[square]
        expected = relevant * tables.ROOK_MAGICS[square] % (1 << 64) >> 52
        assert tables.rook_moves_hash(bitmask, square) == expected < 4096


@pytest.mark.parametrize("square", range(64))
def test_bishop_moves_hash(square):
    """Mask, multiply, cap, shift by the relevant bit shift, found in the BISHOP_SHIFTS array."""
    for bitmask in OCCUPANCIES:
        relevant = bitmask & tables.RELEVANT_BISHOP_BITMASKS[square]
        product = relevant * tables.BISHOP_MAGICS[square] % (1 << 64)
        expected = product >> tables.BISHOP_SHIFTS[square]
        assert tables.bishop_moves_hash(bitmask, square) == expected < 512


# Tables, move generation and final loops ----------------------------------------------------------


def test_rook_moves_table():
    """A 2D array of size 64x4096, filled by the rook moves loop."""
    assert tables.ROOK_MOVES_TABLE.shape == (64, 4096)
    shifts = [tables.ROOK_BIT_SHIFT] * 64
    masks = twin.RELEVANT_ROOK_BITMASKS
    table = twin.fill(masks, tables.ROOK_MAGICS, shifts, 4096, twin.traceOutRookMoves)
    assert tables.ROOK_MOVES_TABLE.tolist() == table


def test_bishop_moves_table():
    """A 2D array of size 64x512, filled by the bishop moves loop."""
    assert tables.BISHOP_MOVES_TABLE.shape == (64, 512)
    masks, shifts = twin.RELEVANT_BISHOP_BITMASKS, twin.BISHOP_SHIFTS
    table = twin.fill(masks, tables.BISHOP_MAGICS, shifts, 512, twin.traceOutBishopMoves)
    assert tables.BISHOP_MOVES_TABLE.tolist() == table


def test_the_tables_are_views_that_cannot_be_written():
    with pytest.raises(TypeError):
        tables.ROOK_MOVES_TABLE[0, 0] = 1
    with pytest.raises(TypeError):
        tables.KNIGHT_MOVES[0] = 1


def test_map_linear_occ_to_squares():
    """Map a number, representing the pieces occupying a line, to its 64-bit representation."""
    diagonal = [9, 18, 27, 36, 45, 54]
    assert twin.mapLinearOccToSquares(diagonal, 0b111111) == sum(1 << s for s in diagonal)
    assert twin.mapLinearOccToSquares(diagonal, 0b000101) == 1 << 9 | 1 << 27


@pytest.mark.parametrize("square", range(64))
def test_lookup_equals_tracing(square):
    """Stopping if the end of the board is reached, or a blocking piece is encountered."""
    for occupied in OCCUPANCIES:
        rook = twin.traceOutRookMoves(occupied, square)
        assert tables.rook_moves(square, occupied) == rook
        assert tables.ROOK_MOVES_TABLE[square, tables.rook_moves_hash(occupied, square)] == rook
        bishop = twin.traceOutBishopMoves(occupied, square)
        slot = tables.bishop_moves_hash(occupied, square)
        assert tables.bishop_moves(square, occupied) == bishop
        assert tables.BISHOP_MOVES_TABLE[square, slot] == bishop


def test_low_bits_are_taken_one_by_one():
    """The part mask & -mask is a well-known bit twiddling trick ... then we XOR the LSB away."""
    mask, squares = tables.RELEVANT_ROOK_BITMASKS[27], []
    while mask:
        low = mask & -mask
        squares.append(tables.bit_index(low))
        mask ^= low
    assert squares == [int(s) for s in SquareSet(tables.RELEVANT_ROOK_BITMASKS[27])]


@pytest.mark.parametrize("square", [-1, 64, "i9", "", True])
def test_squares_off_the_board_are_refused(square):
    for function in (tables.rook_moves, tables.bishop_moves):
        with pytest.raises(ValueError, match="square"):
            function(square, 0)
    for function in (tables.rook_moves_hash, tables.bishop_moves_hash):
        with pytest.raises(ValueError, match="square"):
            function(0, square)

"""Squares, sets, directions, kinds: the algebra holds for any sets."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cotulenh import BLUE, RED, Color, Direction, Kind, Square, SquareSet
from cotulenh.squares import GridSet, GridSquare

squares = st.builds(Square.at, st.integers(0, 10), st.integers(0, 11))
plain = st.frozensets(squares)
BOARD = frozenset(Square.at(file, rank) for file in range(11) for rank in range(12))


def of(members):
    return SquareSet(members)


@given(plain, plain)
def test_algebra_is_that_of_python_sets(a, b):
    assert of(a) | of(b) == of(a | b) == a | b
    assert of(a) & of(b) == of(a & b) == a & b
    assert of(a) - of(b) == of(a - b) == a - b
    assert of(a) ^ of(b) == of(a ^ b) == a ^ b
    assert ~of(a) == BOARD - a
    assert (of(a) <= of(b)) == (a <= b)
    assert (of(a) < of(b)) == (a < b)
    assert of(a).isdisjoint(of(b)) == a.isdisjoint(b)
    assert of(a).issubset(of(b)) == a.issubset(b)
    assert (of(a) == of(b)) == (a == b)


@given(plain, plain)
def test_mixed_with_other_sets(a, b):
    assert of(a) | b == a | of(b) == a | b
    assert of(a) & b == a & of(b) == a & b
    assert of(a) - b == a - of(b) == a - b
    assert of(a) ^ b == a ^ of(b) == a ^ b
    assert isinstance(a | of(b), SquareSet)


@given(plain)
def test_protocol(a):
    s = of(a)
    assert len(s) == len(a)
    assert bool(s) == bool(a)
    assert list(s) == sorted(a)
    assert all(square in s for square in a)
    assert all(square.name in s for square in a)
    assert int(s) == sum(1 << int(square) for square in a)
    assert hash(s) == hash(a)
    assert SquareSet(int(s)) == s


@given(plain)
def test_repr_and_copies_rebuild(a):
    s = of(a)
    assert eval(repr(s)) == s
    assert pickle.loads(pickle.dumps(s)) == s
    assert copy.deepcopy(s) == s


@given(plain, plain, plain)
def test_laws(a, b, c):
    x, y, z = of(a), of(b), of(c)
    assert x & (y | z) == (x & y) | (x & z)
    assert ~(x | y) == ~x & ~y
    assert ~~x == x
    assert x - y == x & ~y
    assert x ^ y == (x | y) - (x & y)


@given(plain)
def test_drawing_shows_the_members(a):
    rows = str(of(a)).splitlines()
    drawn = {
        Square.at(file, 11 - number)
        for number, row in enumerate(rows[:12])
        for file, sign in enumerate(row[4:].split())
        if sign == "x"
    }
    assert drawn == a


def test_drawing():
    assert str(SquareSet("a1 b2", files=3, ranks=2)) == " 2  . x .\n 1  x . .\n    a b c"


def test_members_are_the_squares_themselves():
    assert next(iter(SquareSet("c3"))) is Square("c3")


@pytest.mark.parametrize("stranger", [None, "z9", 3.5, -1, 12, True, "", object()])
def test_what_is_no_square_is_no_member(stranger):
    assert stranger not in ~SquareSet()


@pytest.mark.parametrize("bad", ["z9", "c3 d", -1, 1 << 12, 1 << 192, [-1], ["c0"], [12]])
def test_bad_sets(bad):
    with pytest.raises(ValueError, match="expected a "):
        SquareSet(bad)


@pytest.mark.parametrize("bad", [Square("c3"), True])
def test_one_square_is_no_set(bad):
    with pytest.raises(TypeError, match="expected a set of squares"):
        SquareSet(bad)


@pytest.mark.parametrize("size", [{"files": 0}, {"files": 13}, {"ranks": -1}, {"ranks": 13}])
def test_bad_boards(size):
    with pytest.raises(ValueError, match="expected a board"):
        SquareSet(**size)


def test_boards_of_two_widths_mix():
    assert repr(SquareSet("a1") | SquareSet("l1", files=12)) == "SquareSet('a1 l1', files=12)"
    assert "l1" in ~SquareSet("a1", files=12)
    assert "l1" not in ~SquareSet("a1")


# Another board: the same classes serve chess ------------------------------------------------


class Field(GridSquare, files=8, ranks=8, stride=8):
    """A square of the chess board."""


class Fields(GridSet[Field]):
    square_type, default_files, default_ranks = Field, 8, 8


def test_stride_of_eight():
    assert int(Field("h8")) == 63
    assert Field(28).name == "e4"
    assert int(~Fields()) == (1 << 64) - 1
    assert Fields(["e4"]) | Fields("a1") == Fields("a1 e4")
    with pytest.raises(ValueError, match="a1 to h8"):
        Field("i1")
    with pytest.raises(TypeError, match="not a set of this board"):
        Fields("e4") | SquareSet("e4")
    assert Fields("a1") != SquareSet("a1")


# Squares ------------------------------------------------------------------------------------


def test_numbers_of_squares():
    for rank in range(12):
        for file in range(12):
            square = Square(rank * 16 + file)
            assert (square.file, square.rank) == (file, rank)
            assert Square(square.name) is Square.at(file, rank) is square
            assert eval(repr(square)) is square
            assert pickle.loads(pickle.dumps(square)) is square
    assert Square("C3") is Square(" c3 ")
    assert f"{Square('c3')}" == str(Square("c3")) == "c3"


@pytest.mark.parametrize("bad", ["", "c", "3c", "c13", "m1", "c03", -1, 12, 192, None, 3.0, True])
def test_bad_squares(bad):
    with pytest.raises(ValueError, match="expected a ") as caught:
        Square(bad)
    assert repr(bad) in str(caught.value)


@pytest.mark.parametrize(("file", "rank"), [(-1, 0), (12, 0), (0, -1), (0, 12)])
def test_bad_files_and_ranks(file, rank):
    with pytest.raises(ValueError, match=f"file {file}, rank {rank}"):
        Square.at(file, rank)


# Directions, kinds, colours -----------------------------------------------------------------


@pytest.mark.parametrize("direction", Direction)
def test_directions(direction):
    file, rank = direction.step
    assert direction.opposite.step == (-file, -rank)
    assert direction.is_diagonal == bool(file and rank)
    assert Direction.of(direction.short.lower()) is direction
    assert Direction.of(direction.name) is Direction.of(int(direction)) is direction


def test_article_1_3():
    assert Direction.NORTH.step == (0, 1)
    assert Direction.EAST.step == (1, 0)


def test_kinds():
    assert "".join(kind.letter for kind in Kind) == "CIMETAGSFNH"
    assert [kind.index for kind in map(Kind, "NFTEHCIMAGS")] == list(range(11))
    assert Kind("air force") is Kind("f") is Kind.AIR_FORCE
    assert Kind.HEADQUARTERS.vietnamese == "Sở chỉ huy"
    with pytest.raises(ValueError, match="'Q'"):
        Kind("Q")


def test_colours():
    assert RED.other is BLUE
    assert BLUE.other is RED
    assert [color.value for color in Color] == ["r", "b"]

"""The words everything else is said in: squares, sets of squares, directions, kinds, colours.

Pure Python and free of rules. A square is an ``int`` with a name, a set of squares is an ``int``
with the set protocol; the C++ core speaks of both as plain integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableSet
from enum import Enum, IntEnum
from importlib import import_module
from typing import Any, ClassVar, Self, TypeVar

__all__ = [
    "BLUE",
    "RED",
    "Color",
    "Direction",
    "GridSet",
    "GridSquare",
    "Kind",
    "Square",
    "SquareSet",
    "draw_grid",
    "placement",
]


class Color(Enum):
    """A side. Red starts in the south and moves first (1.1).

    >>> RED.other
    <Color.BLUE: 'b'>
    """

    RED = "r"
    BLUE = "b"

    @property
    def other(self) -> Color:
        """The opponent's colour."""
        return BLUE if self is RED else RED


RED = Color.RED
BLUE = Color.BLUE


class Kind(Enum):
    """A kind of piece (3). ``Kind("T")`` finds it by its letter.

    >>> Kind("T").name, Kind.TANK.letter, Kind.TANK.vietnamese
    ('TANK', 'T', 'Xe tăng')
    """

    COMMANDER = "C"
    INFANTRY = "I"
    MILITIA = "M"
    ENGINEER = "E"
    TANK = "T"
    ARTILLERY = "A"
    ANTI_AIR = "G"
    MISSILE = "S"
    AIR_FORCE = "F"
    NAVY = "N"
    HEADQUARTERS = "H"

    @property
    def letter(self) -> str:
        """The upper-case letter of the FEN (11.1)."""
        return self.value

    @property
    def vietnamese(self) -> str:
        """The name in the inventor's rulebook."""
        return _VIETNAMESE[self.value]

    @property
    def index(self) -> int:
        """The core's number: the place in the carrier order N F T E H C I M A G S (7.2)."""
        return CARRIER_ORDER.index(self.value)

    @classmethod
    def _missing_(cls, value: object) -> Kind | None:
        """Finds a kind by its letter in either case, or by its name.

        >>> Kind("t") is Kind("tank") is Kind("Tank")
        True
        """
        if isinstance(value, str):
            key = value.strip().upper().replace(" ", "_").replace("-", "_")
            return next((kind for kind in cls if key in (kind.value, kind.name)), None)
        return None


#: How the core says "nowhere".
NO_SQUARE = 255

CARRIER_ORDER = "NFTEHCIMAGS"

_VIETNAMESE = {
    "C": "Tư lệnh",
    "I": "Bộ binh",
    "M": "Dân quân",
    "E": "Công binh",
    "T": "Xe tăng",
    "A": "Pháo binh",
    "G": "Cao xạ",
    "S": "Tên lửa",
    "F": "Không quân",
    "N": "Hải quân",
    "H": "Sở chỉ huy",
}


class Direction(IntEnum):
    """One of eight directions: north raises the rank, east raises the file (1.3).

    The numbers are the design notes': orthogonals first, each beside its opposite.

    >>> Direction.of("ne"), Direction.NORTH_EAST.step, Direction.NORTH_EAST.opposite
    (<Direction.NORTH_EAST: 4>, (1, 1), <Direction.SOUTH_WEST: 7>)
    """

    NORTH = 0
    SOUTH = 1
    EAST = 2
    WEST = 3
    NORTH_EAST = 4
    NORTH_WEST = 5
    SOUTH_EAST = 6
    SOUTH_WEST = 7

    @property
    def step(self) -> tuple[int, int]:
        """What one step adds to file and rank."""
        return _STEPS[self]

    @property
    def opposite(self) -> Direction:
        """The way back."""
        file, rank = self.step
        return Direction(_STEPS.index((-file, -rank)))

    @property
    def is_diagonal(self) -> bool:
        """Whether a step changes both file and rank."""
        return self >= Direction.NORTH_EAST

    @property
    def short(self) -> str:
        """The initials: N, S, E, W, NE, NW, SE or SW."""
        return "".join(word[0] for word in self.name.split("_"))

    @classmethod
    def of(cls, value: Direction | int | str) -> Direction:
        """Finds a direction by number, name or initials; ``ValueError`` if there is none such."""
        if isinstance(value, str):
            key = value.strip().upper().replace("-", "_").replace(" ", "_")
            for direction in cls:
                if key in (direction.name, direction.short):
                    return direction
        elif isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 8:
            return cls(value)
        raise ValueError(f"expected a direction (N S E W NE NW SE SW), got {value!r}")


_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))


class GridSquare(int):
    """A point of some board: an ``int`` (rank * stride + file, counted from 0) that knows its name.

    Subclasses state their board; equal squares are one object.
    """

    _files: ClassVar[int]
    _ranks: ClassVar[int]
    _stride: ClassVar[int]
    _members: ClassVar[dict[int | str, Any]]

    def __init_subclass__(cls, *, files: int, ranks: int, stride: int) -> None:
        cls._files, cls._ranks, cls._stride = files, ranks, stride
        cls._members = {}
        for rank in range(ranks):
            for file in range(files):
                square = super().__new__(cls, rank * stride + file)
                cls._members[int(square)] = cls._members[square.name] = square

    def __new__(cls, value: int | str) -> Self:
        """The square of a name or number; ``ValueError`` if the board has none such."""
        found = None
        if isinstance(value, str):
            found = cls._members.get(value.strip().lower())
        elif isinstance(value, int) and not isinstance(value, bool):
            found = cls._members.get(int(value))
        if found is None:
            last = f"{chr(96 + cls._files)}{cls._ranks}"
            raise ValueError(f"expected a square, got {value!r} (squares run from a1 to {last})")
        return found  # type: ignore[no-any-return]

    @classmethod
    def at(cls, file: int, rank: int) -> Self:
        """The square of a file and a rank, both counted from 0.

        >>> Square.at(2, 2)
        Square('c3')
        """
        if not (0 <= file < cls._files and 0 <= rank < cls._ranks):
            raise ValueError(f"expected a square, got file {file}, rank {rank}")
        return cls(rank * cls._stride + file)

    @property
    def file(self) -> int:
        """The file, counted from 0 (file a)."""
        return int(self) % self._stride

    @property
    def rank(self) -> int:
        """The rank, counted from 0 (rank 1)."""
        return int(self) // self._stride

    @property
    def name(self) -> str:
        """The name, such as ``c3``."""
        return f"{chr(97 + self.file)}{self.rank + 1}"

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class Square(GridSquare, files=12, ranks=12, stride=16):
    """A point of the board: ``int(square) == rank * 16 + file`` for every rule set.

    >>> Square("c3"), int(Square("c3")), Square(34).name
    (Square('c3'), 34, 'c3')
    >>> Square("c3").file, Square("c3").rank
    (2, 2)
    """


S = TypeVar("S", bound=GridSquare)


class GridSet(MutableSet[S]):
    """A set of squares held in one ``int``, bit ``int(square)`` for each member.

    It has the methods of ``set``, iterates in rising order, mixes with other sets and with
    iterables of squares, shifts as the word it is, and draws itself. ``files`` and ``ranks`` say
    how much of the grid the board covers: the drawing, ``~`` and shifts keep to it. Sets that a
    board or a table hands out are copies. The hash is that of the members: do not change a set
    that is a key.
    """

    __slots__ = ("_bits", "_files", "_ranks")
    square_type: ClassVar[type[GridSquare]]
    default_files: ClassVar[int]
    default_ranks: ClassVar[int]

    _bits: int
    _files: int
    _ranks: int

    def __init__(
        self,
        squares: int | str | Iterable[int | str] = 0,
        *,
        files: int | None = None,
        ranks: int | None = None,
    ) -> None:
        self._files = self.default_files if files is None else files
        self._ranks = self.default_ranks if ranks is None else ranks
        kind = self.square_type
        if not (0 < self._files <= kind._files and 0 < self._ranks <= kind._ranks):
            raise ValueError(f"expected a board, got {self._files} files, {self._ranks} ranks")
        self._bits = self._to_bits(squares)

    @classmethod
    def _to_bits(cls, squares: int | str | Iterable[int | str]) -> int:
        if isinstance(squares, GridSet):
            if squares.square_type is not cls.square_type:
                raise TypeError(f"not a set of this board: {squares!r}")
            return squares._bits
        if isinstance(squares, GridSquare | bool):
            raise TypeError(f"expected a set of squares, got {squares!r}")
        if isinstance(squares, int):
            return cls._checked(squares)
        names = squares.split() if isinstance(squares, str) else squares
        bits = 0
        for name in names:
            bits |= 1 << int(cls.square_type(name))
        return bits

    @classmethod
    def _checked(cls, bits: int) -> int:
        if bits < 0 or bits & ~_rectangle(cls.square_type):
            raise ValueError(f"expected a set of squares, got bits outside the board: {hex(bits)}")
        return bits

    def _like(self, bits: int, other: object = None) -> Self:
        made = object.__new__(type(self))
        made._bits, made._files, made._ranks = bits, self._files, self._ranks
        if isinstance(other, GridSet):
            made._files = max(self._files, other._files)
            made._ranks = max(self._ranks, other._ranks)
        return made

    @property
    def files(self) -> int:
        """Files of the board that the set is of."""
        return self._files

    @property
    def ranks(self) -> int:
        """Ranks of the board that the set is of."""
        return self._ranks

    @classmethod
    def from_square(cls, square: int | str) -> Self:
        """The set of one square."""
        return cls(1 << int(cls.square_type(square)))

    @classmethod
    def between(cls, a: int | str, b: int | str) -> Self:
        """The squares strictly between two on one rank, file or diagonal; else none.

        >>> SquareSet.between("c3", "f6")
        SquareSet('d4 e5')
        """
        return cls(_between(cls.square_type(a), cls.square_type(b)))

    @classmethod
    def ray(cls, a: int | str, b: int | str) -> Self:
        """The whole rank, file or diagonal through two squares, from edge to edge; else none.

        >>> SquareSet.ray("a10", "c12")
        SquareSet('a10 b11 c12')
        """
        made = cls()
        made._bits = _line(cls.square_type(a), cls.square_type(b), made._files, made._ranks)
        return made

    # The set protocol -------------------------------------------------------------------------

    def __contains__(self, square: object) -> bool:
        if not isinstance(square, int | str) or isinstance(square, bool):
            return False
        try:
            return bool(self._bits >> int(self.square_type(square)) & 1)
        except ValueError:
            return False

    def __iter__(self) -> Iterator[S]:
        rest = self._bits
        while rest:
            low = rest & -rest
            yield self.square_type(low.bit_length() - 1)  # type: ignore[misc]
            rest ^= low

    def __len__(self) -> int:
        return self._bits.bit_count()

    def __bool__(self) -> bool:
        return self._bits != 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, GridSet):
            return self.square_type is other.square_type and self._bits == other._bits
        return super().__eq__(other)

    def __hash__(self) -> int:
        return self._hash()

    def __int__(self) -> int:
        return self._bits

    def __index__(self) -> int:
        return self._bits

    def copy(self) -> Self:
        """A set of its own."""
        return self._like(self._bits)

    __copy__ = copy

    def tolist(self) -> list[bool]:
        """For each square of the board, a1 first, whether it is a member."""
        kind = self.square_type
        grid = ((file, rank) for rank in range(self._ranks) for file in range(self._files))
        return [kind.at(file, rank) in self for file, rank in grid]

    # Changing ---------------------------------------------------------------------------------

    def add(self, square: int | str) -> None:
        """Puts a square in.

        >>> s = SquareSet("a1")
        >>> s.add("c3"); s.discard("b2"); s.remove("a1"); s
        SquareSet('c3')
        """
        self._bits |= 1 << int(self.square_type(square))

    def discard(self, square: int | str) -> None:
        """Takes a square out, if it is in."""
        self._bits &= ~(1 << int(self.square_type(square)))

    def remove(self, square: int | str) -> None:
        """Takes a square out; ``KeyError`` if it is not in."""
        if square not in self:
            raise KeyError(square)
        self.discard(square)

    def pop(self) -> S:
        """Takes the lowest square out and returns it; ``KeyError`` if the set is empty."""
        for square in self:
            self._bits &= self._bits - 1
            return square
        raise KeyError("pop from an empty set of squares")

    def clear(self) -> None:
        """Takes all squares out."""
        self._bits = 0

    def update(self, *others: int | str | Iterable[Any]) -> None:
        """Puts all squares of others in."""
        for other in others:
            self._bits |= self._to_bits(other)

    def intersection_update(self, *others: int | str | Iterable[Any]) -> None:
        """Keeps only what is in all others too."""
        for other in others:
            self._bits &= self._to_bits(other)

    def difference_update(self, *others: int | str | Iterable[Any]) -> None:
        """Takes all squares of others out."""
        for other in others:
            self._bits &= ~self._to_bits(other)

    def symmetric_difference_update(self, other: int | str | Iterable[Any]) -> None:
        """Keeps what is in exactly one of both."""
        self._bits ^= self._to_bits(other)

    def __iand__(self, other: Iterable[Any]) -> Self:
        self.intersection_update(other)
        return self

    def __ior__(self, other: Iterable[Any]) -> Self:
        self.update(other)
        return self

    def __ixor__(self, other: Iterable[Any]) -> Self:
        self.symmetric_difference_update(other)
        return self

    def __isub__(self, other: Iterable[Any]) -> Self:
        self.difference_update(other)
        return self

    # The algebra ------------------------------------------------------------------------------

    def __and__(self, other: Iterable[Any]) -> Self:
        return self._like(self._bits & self._to_bits(other), other)

    def __or__(self, other: Iterable[Any]) -> Self:
        return self._like(self._bits | self._to_bits(other), other)

    def __xor__(self, other: Iterable[Any]) -> Self:
        return self._like(self._bits ^ self._to_bits(other), other)

    def __sub__(self, other: Iterable[Any]) -> Self:
        return self._like(self._bits & ~self._to_bits(other), other)

    def __rsub__(self, other: Iterable[Any]) -> Self:
        return self._like(self._to_bits(other) & ~self._bits, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self) -> Self:
        """All other squares of the board."""
        return self._like(self._board() & ~self._bits)

    def union(self, *others: int | str | Iterable[Any]) -> Self:
        """What is in this set or in any other."""
        made = self.copy()
        made.update(*others)
        return made

    def intersection(self, *others: int | str | Iterable[Any]) -> Self:
        """What is in this set and in all others."""
        made = self.copy()
        made.intersection_update(*others)
        return made

    def difference(self, *others: int | str | Iterable[Any]) -> Self:
        """What is in this set and in no other."""
        made = self.copy()
        made.difference_update(*others)
        return made

    def symmetric_difference(self, other: int | str | Iterable[Any]) -> Self:
        """What is in exactly one of both."""
        made = self.copy()
        made.symmetric_difference_update(other)
        return made

    def __lshift__(self, places: int) -> Self:
        """The word shifted up; what leaves the board is gone.

        >>> SquareSet("a1 k12") << 16
        SquareSet('a2')
        """
        return self._like(self._bits << places & self._board())

    def __rshift__(self, places: int) -> Self:
        """The word shifted down; what leaves the board is gone."""
        return self._like(self._bits >> places & self._board())

    def __ilshift__(self, places: int) -> Self:
        self._bits = self._bits << places & self._board()
        return self

    def __irshift__(self, places: int) -> Self:
        self._bits = self._bits >> places & self._board()
        return self

    def _board(self) -> int:
        return _rectangle(self.square_type, self._files, self._ranks)

    def mirror(self) -> Self:
        """The set seen in a mirror between the middle ranks.

        >>> SquareSet("a1 c3").mirror()
        SquareSet('c10 a12')
        """
        kind, top = self.square_type, self._ranks - 1
        return self._like(sum(1 << int(kind.at(s.file, top - s.rank)) for s in self))

    def carry_rippler(self) -> Iterator[Self]:
        """All subsets, the empty one first: the usual walk over the occupancies of a mask.

        >>> [len(part) for part in SquareSet("a1 c3").carry_rippler()]
        [0, 1, 1, 2]
        """
        part = 0
        while True:
            yield self._like(part)
            part = (part - self._bits) & self._bits
            if not part:
                return

    def issuperset(self, other: int | str | Iterable[Any]) -> bool:
        """Whether every square of the other set is a member."""
        return not self._to_bits(other) & ~self._bits

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        """Whether no square belongs to both."""
        return not self._bits & self._to_bits(other)

    def issubset(self, other: Iterable[Any]) -> bool:
        """Whether every member belongs to the other set too."""
        return not self._bits & ~self._to_bits(other)

    # Text -------------------------------------------------------------------------------------

    def _repr_svg_(self) -> str:
        """The set as a notebook shows it. Pictures are a floor above: looked up when needed."""
        return str(import_module("cotulenh.draw").squares_svg(self, size=400))

    def __str__(self) -> str:
        def sign(square: GridSquare) -> str:
            return "x" if square in self else "."

        return draw_grid(sign, self.square_type, self._files, self._ranks)

    def __repr__(self) -> str:
        board = ""
        if self._files != self.default_files:
            board += f", files={self._files}"
        if self._ranks != self.default_ranks:
            board += f", ranks={self._ranks}"
        names = " ".join(square.name for square in self)
        return f"{type(self).__name__}({names!r}{board})"


class SquareSet(GridSet[Square]):
    """A set of points of the board.

    >>> s = SquareSet("c3 d4") | SquareSet(["e5"])
    >>> s
    SquareSet('c3 d4 e5')
    >>> int(s) == 1 << 34 | 1 << 51 | 1 << 68
    True
    >>> len(s), "d4" in s, [square.name for square in s - {Square("c3")}]
    (3, True, ['d4', 'e5'])
    """

    __slots__ = ()
    square_type = Square
    default_files = 11
    default_ranks = 12


def _rectangle(kind: type[GridSquare], files: int | None = None, ranks: int | None = None) -> int:
    files = kind._files if files is None else files
    ranks = kind._ranks if ranks is None else ranks
    row = (1 << files) - 1
    return sum(row << rank * kind._stride for rank in range(ranks))


def _step(a: GridSquare, b: GridSquare) -> tuple[int, int] | None:
    """The step from one square towards another on a common line; ``None`` if there is none."""
    files, ranks = b.file - a.file, b.rank - a.rank
    if (files, ranks) == (0, 0) or (files and ranks and abs(files) != abs(ranks)):
        return None
    return (files > 0) - (files < 0), (ranks > 0) - (ranks < 0)


def _between(a: GridSquare, b: GridSquare) -> int:
    step = _step(a, b)
    if step is None:
        return 0
    distance = max(abs(b.file - a.file), abs(b.rank - a.rank))
    return sum(1 << int(a) + n * (step[1] * a._stride + step[0]) for n in range(1, distance))


def _line(a: GridSquare, b: GridSquare, files: int, ranks: int) -> int:
    step = _step(a, b)
    bits = 0
    for sign in (1, -1) if step is not None else ():
        assert step is not None
        file, rank = a.file, a.rank
        while 0 <= file < files and 0 <= rank < ranks:
            bits |= 1 << rank * a._stride + file
            file, rank = file + sign * step[0], rank + sign * step[1]
    return bits


def placement(files: int, ranks: int, sign: Callable[[int, int], str | None]) -> str:
    """Rows as a FEN has them, the highest first: ``sign(file, rank)``, runs of empty ones counted.

    >>> placement(3, 2, lambda file, rank: "T" if file == rank else None)
    '1T1/T2'
    """
    rows = []
    for rank in reversed(range(ranks)):
        row, empty = "", 0
        for file in range(files):
            text = sign(file, rank)
            if text is None:
                empty += 1
                continue
            row, empty = row + (str(empty) if empty else "") + text, 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)


def draw_grid(sign: Callable[[Any], str], kind: type[GridSquare], files: int, ranks: int) -> str:
    """Draws a board, one sign a square, the highest rank first; columns fit the widest sign.

    >>> print(draw_grid(lambda s: s.name[0], Square, 3, 2))
     2  a b c
     1  a b c
        a b c
    >>> print(draw_grid(lambda s: "(NF)" if s == Square("b1") else ".", Square, 3, 2))
     2  .    .    .
     1  .    (NF) .
        a    b    c
    """
    rows = [[sign(kind.at(file, rank)) for file in range(files)] for rank in range(ranks)]
    width = max(len(cell) for row in rows for cell in row)

    def line(label: str, cells: Iterable[str]) -> str:
        return f"{label:>2}  {' '.join(cell.ljust(width) for cell in cells)}".rstrip()

    names = [chr(97 + file) for file in range(files)]
    lines = [line(str(rank + 1), rows[rank]) for rank in reversed(range(ranks))]
    return "\n".join([*lines, line("", names)])

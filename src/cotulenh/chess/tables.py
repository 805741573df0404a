"""Magic bitboards: the tables of the design notes, as the core uses them.

A rook on a square sees as far as the first piece on each of its lines. The pieces that matter are
picked out by a mask, gathered by one multiplication into a small number, and that number finds the
answer in a table::

    ROOK_MOVES_TABLE[square][rook_moves_hash(occupied, square)]

The factors ("magics") were found by the project's own search and are stored in its source; the big
tables are views of the core's memory, not copies. A table of 64 rows is indexed ``table[row][i]``
or ``table[row, i]``.

>>> from cotulenh.chess import SquareSet
>>> print(SquareSet(RELEVANT_ROOK_BITMASKS[0]))
 8  . . . . . . . .
 7  x . . . . . . .
 6  x . . . . . . .
 5  x . . . . . . .
 4  x . . . . . . .
 3  x . . . . . . .
 2  x . . . . . . .
 1  . x x x x x x .
    a b c d e f g h
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import overload

from cotulenh import _core
from cotulenh.chess.squares import Square

__all__ = [
    "BISHOP_MAGICS",
    "BISHOP_MOVES_TABLE",
    "BISHOP_SHIFTS",
    "CAP_TO_64_BITS",
    "DEBRUIJN64",
    "DEBRUIJN_LOOKUP_TABLE",
    "KING_MOVES",
    "KNIGHT_MOVES",
    "PAWN_ATTACKS",
    "RELEVANT_BISHOP_BITMASKS",
    "RELEVANT_ROOK_BITMASKS",
    "ROOK_BIT_SHIFT",
    "ROOK_MAGICS",
    "ROOK_MOVES_TABLE",
    "bishop_moves",
    "bishop_moves_hash",
    "bit_index",
    "mapLinearOccToSquares",
    "rook_moves",
    "rook_moves_hash",
    "traceOutBishopMoves",
    "traceOutRookMoves",
]

_tables = _core.chess._tables()


class MovesTable:
    """Rows of sets of squares: a view of the core's memory, indexed ``[row][i]`` or ``[row, i]``.

    >>> ROOK_MOVES_TABLE[0][0] == ROOK_MOVES_TABLE[0, 0] == rook_moves("a1", 0)
    True
    """

    __slots__ = ("_rows", "_view")

    def __init__(self, view: memoryview) -> None:
        assert view.shape is not None
        self._view = view
        flat, width = view.cast("B").cast("Q"), view.shape[1]
        self._rows = tuple(flat[n * width : (n + 1) * width] for n in range(view.shape[0]))

    @overload
    def __getitem__(self, key: int) -> memoryview: ...
    @overload
    def __getitem__(self, key: tuple[int, int]) -> int: ...
    def __getitem__(self, key: int | tuple[int, int]) -> int | memoryview:
        return int(self._view[key]) if isinstance(key, tuple) else self._rows[key]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[memoryview]:
        return iter(self._rows)

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and entries of a row."""
        return self._view.shape or ()

    def tolist(self) -> list[list[int]]:
        """All rows as lists."""
        return [row.tolist() for row in self._rows]


#: For each square the squares whose pieces can stop a rook: its lines without their far ends.
RELEVANT_ROOK_BITMASKS: tuple[int, ...] = _tables["RELEVANT_ROOK_BITMASKS"]
#: For each square the factor that gathers the masked bits.
ROOK_MAGICS: tuple[int, ...] = _tables["ROOK_MAGICS"]
#: How far the product is shifted down, leaving twelve bits.
ROOK_BIT_SHIFT: int = _tables["ROOK_BIT_SHIFT"]
#: The same masks for bishops, whose shift differs from square to square.
RELEVANT_BISHOP_BITMASKS: tuple[int, ...] = _tables["RELEVANT_BISHOP_BITMASKS"]
#: The bishops' factors.
BISHOP_MAGICS: tuple[int, ...] = _tables["BISHOP_MAGICS"]
#: How far each bishop's product is shifted down.
BISHOP_SHIFTS: tuple[int, ...] = _tables["BISHOP_SHIFTS"]
#: A word in which every pattern of six bits occurs once.
DEBRUIJN64: int = _tables["DEBRUIJN64"]
#: The bit that each pattern of six stands for.
DEBRUIJN_LOOKUP_TABLE: tuple[int, ...] = _tables["DEBRUIJN_LOOKUP_TABLE"]
#: 64 rows of 4096 sets of squares.
ROOK_MOVES_TABLE = MovesTable(_tables["ROOK_MOVES_TABLE"])
#: 64 rows of 512 sets of squares.
BISHOP_MOVES_TABLE = MovesTable(_tables["BISHOP_MOVES_TABLE"])
#: For each square where a knight attacks.
KNIGHT_MOVES: memoryview = _tables["KNIGHT_MOVES"]
#: For each square where a king attacks.
KING_MOVES: memoryview = _tables["KING_MOVES"]
#: For each square where White's and Black's pawns attack.
PAWN_ATTACKS: tuple[memoryview, memoryview] = _tables["PAWN_ATTACKS"]


def CAP_TO_64_BITS(number: int) -> int:  # noqa: N802  (the design notes' name)
    """Cuts a number to the 64 bits that a machine word would keep.

    >>> CAP_TO_64_BITS(1 << 64 | 5)
    5
    """
    return number & ((1 << 64) - 1)


def bit_index(bitmask: int) -> int:
    """The index of a lone bit, by De Bruijn multiplication.

    >>> bit_index(1 << 42)
    42
    """
    if bitmask <= 0 or bitmask & (bitmask - 1) or bitmask >> 64:
        raise ValueError(f"expected one bit of 64, got {bitmask:#x}")
    return DEBRUIJN_LOOKUP_TABLE[CAP_TO_64_BITS(bitmask * DEBRUIJN64) >> 58]


def rook_moves_hash(bitmask: int, square: int | str) -> int:
    """Where the answer for a rook stands in its row, given all pieces on the board."""
    square = Square(square)
    relevant = bitmask & RELEVANT_ROOK_BITMASKS[square]
    return CAP_TO_64_BITS(relevant * ROOK_MAGICS[square]) >> ROOK_BIT_SHIFT


def bishop_moves_hash(bitmask: int, square: int | str) -> int:
    """Where the answer for a bishop stands in its row, given all pieces on the board."""
    square = Square(square)
    relevant = bitmask & RELEVANT_BISHOP_BITMASKS[square]
    return CAP_TO_64_BITS(relevant * BISHOP_MAGICS[square]) >> BISHOP_SHIFTS[square]


def rook_moves(square: int | str, occupied: int) -> int:
    """The squares a rook sees, first blockers included.

    >>> rook_moves("a1", 1 << 16 | 1 << 2) == 1 << 8 | 1 << 16 | 1 << 1 | 1 << 2
    True
    """
    return _core.chess._rook_moves(Square(square), CAP_TO_64_BITS(int(occupied)))


def bishop_moves(square: int | str, occupied: int) -> int:
    """The squares a bishop sees, first blockers included.

    >>> from cotulenh.chess import SquareSet
    >>> SquareSet(bishop_moves("c3", int(SquareSet("e5 b2"))))
    SquareSet('e1 b2 d2 b4 d4 a5 e5')
    """
    return _core.chess._bishop_moves(Square(square), CAP_TO_64_BITS(int(occupied)))


# The functions of the design notes that build the tables, under the notes' own names.


def mapLinearOccToSquares(squares: Iterable[int], linearOccupation: int) -> int:  # noqa: N802, N803
    """Spreads the low bits of a number over some squares: bit i goes to the i-th of them.

    >>> mapLinearOccToSquares([3, 10, 17], 0b101) == 1 << 3 | 1 << 17
    True
    """
    return sum(1 << int(square) for i, square in enumerate(squares) if linearOccupation >> i & 1)


def traceOutRookMoves(occupancy: int, square: int) -> int:  # noqa: N802
    """What a rook sees, walked square by square: first blockers included.

    >>> traceOutRookMoves(1 << 16, 0) == rook_moves(0, 1 << 16)
    True
    """
    return _traced(occupancy, square, ((0, 1), (0, -1), (1, 0), (-1, 0)))


def traceOutBishopMoves(occupancy: int, square: int) -> int:  # noqa: N802
    """What a bishop sees, walked square by square: first blockers included."""
    return _traced(occupancy, square, ((1, 1), (1, -1), (-1, 1), (-1, -1)))


def _traced(occupancy: int, square: int, steps: Iterable[tuple[int, int]]) -> int:
    seen, start = 0, Square(square)
    for files, ranks in steps:
        file, rank = start.file + files, start.rank + ranks
        while 0 <= file < 8 and 0 <= rank < 8:
            bit = 1 << rank * 8 + file
            seen |= bit
            if occupancy & bit:
                break
            file, rank = file + files, rank + ranks
    return seen

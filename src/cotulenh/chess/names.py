"""Constants and small functions of python-chess under their own names.

Squares, sets and pieces have methods for all of this; whoever brings a program along need not
rewrite it. Masks (``BB_…``) are integers, which sets of squares are made of.
"""

from __future__ import annotations

from cotulenh.chess.squares import STARTING as STARTING_FEN
from cotulenh.chess.squares import Color as _Color
from cotulenh.chess.squares import Kind as _Kind
from cotulenh.chess.squares import Piece as _Piece
from cotulenh.chess.squares import Square as _Square
from cotulenh.chess.squares import SquareSet as _SquareSet

STARTING_BOARD_FEN = STARTING_FEN.split(" ")[0]
COLORS = list(_Color)
PIECE_TYPES = list(_Kind)
FILE_NAMES, RANK_NAMES = list("abcdefgh"), list("12345678")

SQUARES = [_Square(number) for number in range(64)]
SQUARE_NAMES = [square.name for square in SQUARES]
A1, B1, C1, D1, E1, F1, G1, H1 = SQUARES[0:8]
A2, B2, C2, D2, E2, F2, G2, H2 = SQUARES[8:16]
A3, B3, C3, D3, E3, F3, G3, H3 = SQUARES[16:24]
A4, B4, C4, D4, E4, F4, G4, H4 = SQUARES[24:32]
A5, B5, C5, D5, E5, F5, G5, H5 = SQUARES[32:40]
A6, B6, C6, D6, E6, F6, G6, H6 = SQUARES[40:48]
A7, B7, C7, D7, E7, F7, G7, H7 = SQUARES[48:56]
A8, B8, C8, D8, E8, F8, G8, H8 = SQUARES[56:64]

BB_EMPTY, BB_ALL = 0, (1 << 64) - 1
BB_SQUARES = [1 << number for number in range(64)]
BB_FILES = [0x0101010101010101 << file for file in range(8)]
BB_FILE_A, BB_FILE_B, BB_FILE_C, BB_FILE_D, BB_FILE_E, BB_FILE_F, BB_FILE_G, BB_FILE_H = BB_FILES
BB_RANKS = [0xFF << 8 * rank for rank in range(8)]
BB_RANK_1, BB_RANK_2, BB_RANK_3, BB_RANK_4, BB_RANK_5, BB_RANK_6, BB_RANK_7, BB_RANK_8 = BB_RANKS
BB_BACKRANKS = BB_RANK_1 | BB_RANK_8
BB_CORNERS = (BB_FILE_A | BB_FILE_H) & BB_BACKRANKS
BB_CENTER = (BB_FILE_D | BB_FILE_E) & (BB_RANK_4 | BB_RANK_5)
BB_DARK_SQUARES = 0xAA55AA55AA55AA55
BB_LIGHT_SQUARES = BB_ALL ^ BB_DARK_SQUARES

UNICODE_PIECE_SYMBOLS = {
    str(piece): piece.unicode_symbol()
    for piece in (_Piece(kind, color) for color in _Color for kind in _Kind)
}


def parse_square(name: str) -> _Square:
    """The square of a name.

    >>> parse_square("e4")
    Square('e4')
    """
    return _Square(name)


def square(file_index: int, rank_index: int) -> _Square:
    """The square on a file and a rank, counted from 0."""
    return _Square.at(file_index, rank_index)


def square_name(place: int) -> str:
    """The name of a square."""
    return _Square(place).name


def square_file(place: int) -> int:
    """The file of a square, counted from 0."""
    return _Square(place).file


def square_rank(place: int) -> int:
    """The rank of a square, counted from 0."""
    return _Square(place).rank


def square_mirror(place: int) -> _Square:
    """The square seen in a mirror between ranks 4 and 5."""
    return _Square(_Square(place) ^ 56)


def square_distance(a: int, b: int) -> int:
    """How many steps a king needs from one square to another.

    >>> square_distance(A1, H8), square_manhattan_distance(A1, H8), square_knight_distance(A1, B2)
    (7, 14, 4)
    """
    return max(_steps(a, b))


def square_manhattan_distance(a: int, b: int) -> int:
    """The steps along files and ranks from one square to another."""
    return sum(_steps(a, b))


def square_knight_distance(a: int, b: int) -> int:
    """How many moves a knight needs from one square to another on an empty board."""
    found, edge, moves = {_Square(a)}, {_Square(a)}, 0
    while _Square(b) not in found:
        edge = {place for place in SQUARES for one in edge if sorted(_steps(place, one)) == [1, 2]}
        found |= edge
        moves += 1
    return moves


def between(a: int, b: int) -> int:
    """The mask of the squares between two on a line, without them."""
    return int(_SquareSet.between(a, b))


def ray(a: int, b: int) -> int:
    """The mask of the whole line through two squares; 0 if there is none."""
    return int(_SquareSet.ray(a, b))


def piece_symbol(kind: _Kind) -> str:
    """The small letter of a kind of piece."""
    return kind.letter.lower()


def piece_name(kind: _Kind) -> str:
    """The English name of a kind of piece."""
    return kind.name.lower()


def popcount(mask: int) -> int:
    """How many squares are in a mask."""
    return mask.bit_count()


def lsb(mask: int) -> int:
    """The lowest square of a mask."""
    return (mask & -mask).bit_length() - 1


def msb(mask: int) -> int:
    """The highest square of a mask."""
    return mask.bit_length() - 1


def _steps(a: int, b: int) -> tuple[int, int]:
    start, goal = _Square(a), _Square(b)
    return abs(start.file - goal.file), abs(start.rank - goal.rank)

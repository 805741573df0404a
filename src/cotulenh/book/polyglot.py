"""Polyglot's opening books of chess, read and written.

The format: entries of sixteen bytes, highest byte first, sorted by a position's key. The keys are
made of 781 numbers, which are the first output of Bob Jenkins's generator ISAAC-64 with no seed.

>>> hex(key(chess.Board()))
'0x463b96181691fc9c'
"""

from __future__ import annotations

import mmap
import random
import struct
from collections.abc import Iterable, Iterator
from functools import cache
from os import PathLike
from typing import NamedTuple

from cotulenh import chess
from cotulenh.book import Book
from cotulenh.chess import PAWN, WHITE, Kind, Move, MoveKind, Square
from cotulenh.games import AnyBoard

__all__ = ["Entry", "PolyglotBook", "from_book", "key", "write"]

_ENTRY = struct.Struct(">QHHI")
_PROMOTIONS = (None, "n", "b", "r", "q")
_MASK = (1 << 64) - 1


class Entry(NamedTuple):
    """A move of a book with its weight, and the field that programs learn in."""

    key: int
    move: Move
    weight: int
    learn: int = 0


class PolyglotBook:
    """A ``.bin`` file, looked up where it lies."""

    def __init__(self, path: str | PathLike[str]) -> None:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            if size % _ENTRY.size:
                raise ValueError(f"{path}: not a Polyglot book: its size is no multiple of 16")
            self._data: mmap.mmap | bytes = b""
            if size:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._size = size // _ENTRY.size

    def __len__(self) -> int:
        """How many moves it has."""
        return self._size

    def _raw(self, i: int) -> tuple[int, int, int, int]:
        found: tuple[int, int, int, int] = _ENTRY.unpack_from(self._data, _ENTRY.size * i)
        return found

    def find(self, board: chess.Board) -> list[Entry]:
        """The moves of a position, the heaviest first; those that are not legal are left out."""
        wanted = key(board)
        low, high = 0, self._size
        while low < high:
            middle = (low + high) // 2
            if self._raw(middle)[0] < wanted:
                low = middle + 1
            else:
                high = middle
        found = []
        while low < self._size and (raw := self._raw(low))[0] == wanted:
            move = _move(board, raw[1])
            if move is not None:
                found.append(Entry(wanted, move, raw[2], raw[3]))
            low += 1
        return sorted(found, key=lambda entry: -entry.weight)

    #: What books of this format are of.
    game = "chess"

    def fits(self, board: AnyBoard) -> bool:
        """Whether a board is of the book's game."""
        return isinstance(board, chess.Board)

    def choose(self, board: AnyBoard, dice: random.Random | None = None) -> Move | None:
        """A move to play, the more often the heavier it is."""
        if not isinstance(board, chess.Board):
            raise ValueError("expected a board of chess")
        known = self.find(board)
        weights = [entry.weight for entry in known]
        if not any(weights):
            return None
        return (dice or random.Random()).choices(known, weights)[0].move

    def __iter__(self) -> Iterator[tuple[int, int, int, int]]:
        """All entries as they are: key, packed move, weight, learn."""
        return (self._raw(i) for i in range(self._size))

    def close(self) -> None:
        """Lets go of the file."""
        if isinstance(self._data, mmap.mmap):
            self._data.close()


def write(entries: Iterable[tuple[chess.Board, Move, int]], path: str | PathLike[str]) -> int:
    """Writes boards, moves and weights as a book; how many there are."""
    rows = sorted(
        (key(board), -min(max(weight, 0), 65535), _packed(board, move))
        for board, move, weight in entries
    )
    with open(path, "wb") as file:
        for position, weight, move in rows:
            file.write(_ENTRY.pack(position, move, -weight, 0))
    return len(rows)


def from_book(book: Book, path: str | PathLike[str], *, turns: int = 40, least: int = 1) -> int:
    """Writes what a native book of chess knows from the start position on.

    The weights are two points for a win and one for a draw, scaled to fit.
    """
    if book.game != "chess":
        raise ValueError(f"expected a book of chess, got one of {book.game}")
    return write(_entries(book, turns, least), path)


def _entries(book: Book, turns: int, least: int) -> Iterator[tuple[chess.Board, Move, int]]:
    seen: set[int] = set()
    stack = [(chess.Board(), 0)]
    while stack:
        board, depth = stack.pop()
        if board.key in seen or depth >= turns:
            continue
        seen.add(board.key)
        known = [one for one in book.moves(board) if one.count >= least]
        most = max((2 * one.wins + one.draws for one in known), default=0)
        for one in known:
            weight = 2 * one.wins + one.draws
            yield board, one.move, weight * 65535 // most if most > 65535 else weight
            after = board.copy(history=False)
            after.push(one.move)
            stack.append((after, depth + 1))


# Keys -------------------------------------------------------------------------------------------


def key(board: chess.Board) -> int:
    """Polyglot's key of a position."""
    random64 = _random64()
    value = random64[780] if board.turn is WHITE else 0
    for color in chess.Color:
        for kind in Kind:
            row = 64 * (2 * kind.index + (color is WHITE))
            for square in board.pieces(kind, color):
                value ^= random64[row + int(square)]
    for i, right in enumerate(_rights(board)):
        if right:
            value ^= random64[768 + i]
    file = _en_passant_file(board)
    return value if file is None else value ^ random64[772 + file]


def _rights(board: chess.Board) -> list[bool]:
    """White short, White long, Black short, Black long."""
    out = []
    for color in (chess.WHITE, chess.BLACK):
        out.append(board.has_kingside_castling_rights(color))
        out.append(board.has_queenside_castling_rights(color))
    return out


def _en_passant_file(board: chess.Board) -> int | None:
    """The file of a pawn that just went two squares, if an enemy pawn stands beside it."""
    square = board.ep_square
    if square is None and board.ply:
        last = board.peek()
        if int(last) and abs(int(last.to_square) - int(last.from_square)) == 16:
            piece = board.piece_at(last.to_square)
            if piece is not None and piece.kind is PAWN:
                square = Square((int(last.to_square) + int(last.from_square)) // 2)
    if square is None:
        return None
    rank = 4 if board.turn is WHITE else 3
    mine = board.pieces(PAWN, board.turn)
    beside = any(
        Square(8 * rank + file) in mine
        for file in (square.file - 1, square.file + 1)
        if 0 <= file < 8
    )
    return square.file if beside else None


@cache
def _random64() -> list[int]:
    """The first 781 numbers of ISAAC-64 without a seed: each batch is used from its end."""
    generator = _Isaac64()
    out: list[int] = []
    while len(out) < 781:
        out += reversed(generator.batch())
    return out[:781]


class _Isaac64:
    """Bob Jenkins's generator, in the public domain since 1996."""

    def __init__(self) -> None:
        self._a = self._b = self._c = 0
        mix = [0x9E3779B97F4A7C13] * 8
        for _ in range(4):
            self._stir(mix)
        self._memory = [0] * 256
        for _ in range(2):
            for i in range(0, 256, 8):
                mix = [(x + y) & _MASK for x, y in zip(mix, self._memory[i : i + 8], strict=True)]
                self._stir(mix)
                self._memory[i : i + 8] = mix

    @staticmethod
    def _stir(m: list[int]) -> None:
        for i, (shift, left) in enumerate(
            zip((9, 9, 23, 15, 14, 20, 17, 14), (False, True) * 4, strict=True)
        ):
            other = m[(i + 7) % 8]
            m[i] = (m[i] - m[(i + 4) % 8]) & _MASK
            m[(i + 5) % 8] ^= (other << shift) & _MASK if left else other >> shift
            m[(i + 7) % 8] = (other + m[i]) & _MASK

    def batch(self) -> list[int]:
        """The next 256 numbers."""
        memory, out = self._memory, []
        self._c = (self._c + 1) & _MASK
        self._b = (self._b + self._c) & _MASK
        a, b = self._a, self._b
        for i in range(256):
            x = memory[i]
            mixed = (~(a ^ (a << 21)), a ^ (a >> 5), a ^ (a << 12), a ^ (a >> 33))[i % 4]
            a = (mixed + memory[(i + 128) % 256]) & _MASK
            y = (memory[(x >> 3) % 256] + a + b) & _MASK
            memory[i] = y
            b = (memory[(y >> 11) % 256] + x) & _MASK
            out.append(b)
        self._a, self._b = a, b
        return out


# Moves ------------------------------------------------------------------------------------------


def _packed(board: chess.Board, move: Move) -> int:
    """To, from and promotion; castling as the king taking its rook."""
    to = int(move.to_square)
    if move.kind is MoveKind.CASTLING:
        right = move.to_square.file == 6
        rooks = [r for r in board.castling_rights if r.rank == move.from_square.rank]
        to = int(next(r for r in rooks if (r.file > move.from_square.file) == right))
    promotion = 0 if move.promotion is None else move.promotion.index
    return to | int(move.from_square) << 6 | promotion << 12


def _move(board: chess.Board, packed: int) -> Move | None:
    """The legal move that is meant, whichever way castling is written."""
    start, to = Square(packed >> 6 & 63), Square(packed & 63)
    promotion = _PROMOTIONS[min(packed >> 12 & 7, 4)] or ""
    castles = start == board.king(board.turn) and to in board.pieces(chess.ROOK, board.turn)
    if castles:
        for move in board.legal_moves:
            right = move.kind is MoveKind.CASTLING and (move.to_square.file == 6)
            if move.kind is MoveKind.CASTLING and right == (to.file > start.file):
                return move
        return None
    try:
        return board.parse_uci(start.name + to.name + promotion)
    except ValueError:
        return None

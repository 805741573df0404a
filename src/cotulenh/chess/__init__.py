"""Chess: the second game of the engine, with names that players of python-chess know.

>>> from cotulenh.chess import Board
>>> board = Board()
>>> _ = board.push_sans("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#")
>>> board.is_checkmate(), board.outcome().result
(True, '1-0')
"""

from __future__ import annotations

import copyreg
from importlib import import_module
from typing import Literal, Self, overload

from cotulenh import _core
from cotulenh._core.chess import Move
from cotulenh.chess.squares import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    STARTING,
    WHITE,
    Color,
    Kind,
    MoveKind,
    Outcome,
    Piece,
    Reason,
    Square,
    SquareSet,
)
from cotulenh.errors import AmbiguousMoveError, IllegalMoveError, ParseError, PositionError
from cotulenh.squares import draw_grid

__all__ = [
    "BISHOP",
    "BLACK",
    "KING",
    "KNIGHT",
    "PAWN",
    "QUEEN",
    "ROOK",
    "STARTING",
    "WHITE",
    "AmbiguousMoveError",
    "Board",
    "Color",
    "IllegalMoveError",
    "Kind",
    "Move",
    "MoveKind",
    "Outcome",
    "ParseError",
    "Piece",
    "PositionError",
    "Reason",
    "Square",
    "SquareSet",
]

_SQUARES = tuple(Square(i) for i in range(64))
_PIECES = {color.index << 3 | kind.index: Piece(kind, color) for color in Color for kind in Kind}
_core.chess._adopt(_SQUARES, tuple(Color), tuple(Kind), tuple(MoveKind))


def _move(bits: int) -> Move:
    return Move.from_int(bits)


# A move that is copied or travels between processes becomes the one object of its value again.
copyreg.pickle(Move, lambda move: (_move, (int(move),)))


class Board(_core.chess.Board):
    """A position with the moves that led to it.

    A FEN that is not one raises ``ParseError``, an impossible position ``PositionError`` with all
    its problems. Two boards are equal if their FENs are.

    >>> board = Board()
    >>> board.push(Move.from_uci("e2e4"))
    >>> board.push_san("e5").uci()
    'e7e5'
    >>> board.fen()
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    >>> len(board.legal_moves), board.parse_san("Nf3") in board.legal_moves
    (29, True)
    """

    __slots__ = ()

    # What stands where --------------------------------------------------------------------------

    def piece_at(self, square: int | str) -> Piece | None:
        """The piece on a square.

        >>> str(Board().piece_at("e8"))
        'k'
        """
        return _PIECES.get(self._piece(Square(square)))

    def pieces(self, kind: Kind | str, color: Color) -> SquareSet:
        """The squares of all pieces of a kind and colour.

        >>> Board().pieces(ROOK, WHITE)
        SquareSet('a1 h1')
        """
        return SquareSet(self._kind(Kind(kind).index) & self._side(color.index))

    def occupied(self, color: Color | None = None) -> SquareSet:
        """The squares of one side's pieces, or of both sides'."""
        if color is not None:
            return SquareSet(self._side(color.index))
        return SquareSet(self._side(0) | self._side(1))

    def king(self, color: Color) -> Square:
        """The square of a king."""
        return next(iter(self.pieces(Kind.KING, color)))

    def attackers(self, color: Color, square: int | str) -> SquareSet:
        """The pieces of a side that attack a square, whether or not they may move there.

        >>> Board().attackers(WHITE, "f3")
        SquareSet('g1 e2 g2')
        """
        return SquareSet(self._attackers(color.index, Square(square)))

    def checkers(self) -> SquareSet:
        """The pieces that give check to the side to move."""
        return self.attackers(self.turn.other, self.king(self.turn))

    @property
    def castling_rights(self) -> SquareSet:
        """The rooks that may still castle.

        >>> Board().castling_rights
        SquareSet('a1 h1 a8 h8')
        """
        return SquareSet(self._castling())

    # How it stands ------------------------------------------------------------------------------

    def is_fifty_moves(self) -> bool:
        """Whether a draw may be claimed: fifty moves each without a capture or a pawn move."""
        return self.halfmove_clock >= 100 and self._has_legal_move()

    def is_seventyfive_moves(self) -> bool:
        """Whether the game is drawn: seventy-five such moves."""
        return self.halfmove_clock >= 150 and self._has_legal_move()

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether the game has an outcome."""
        return self.outcome(claim_draw=claim_draw) is not None

    def outcome(self, *, claim_draw: bool = False) -> Outcome | None:
        """Winner and reason, or ``None`` while the game goes on.

        A third repetition and fifty moves count only with ``claim_draw``; a fifth and seventy-five
        always do.

        >>> Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome()
        Outcome(winner=None, reason=<Reason.STALEMATE: 'stalemate'>)
        """
        if not self._has_legal_move():
            if self.is_check():
                return Outcome(self.turn.other, Reason.CHECKMATE)
            return Outcome(None, Reason.STALEMATE)
        draw = self._draw(claim_draw)
        return None if draw is None else Outcome(None, draw)

    def _draw(self, claim_draw: bool) -> Reason | None:
        if self.is_insufficient_material():
            return Reason.INSUFFICIENT_MATERIAL
        if self.is_seventyfive_moves():
            return Reason.SEVENTYFIVE_MOVES
        if self.is_repetition(5):
            return Reason.FIVEFOLD_REPETITION
        if claim_draw and self.is_fifty_moves():
            return Reason.FIFTY_MOVES
        if claim_draw and self.is_repetition(3):
            return Reason.THREEFOLD_REPETITION
        return None

    # The story ----------------------------------------------------------------------------------

    @overload
    def history(self, as_text: Literal["san", "uci"] = "san") -> list[str]: ...
    @overload
    def history(self, as_text: None) -> list[Move]: ...
    def history(self, as_text: Literal["san", "uci"] | None = "san") -> list[str] | list[Move]:
        """The moves played on this board: as SAN, as UCI, or (``None``) as they are.

        >>> board = Board()
        >>> _ = board.push_sans("1. e4 c5 2. Nf3")
        >>> board.history(), board.history(as_text="uci")
        (['e4', 'c5', 'Nf3'], ['e2e4', 'c7c5', 'g1f3'])
        """
        if as_text is None:
            return self.move_stack
        if as_text not in ("san", "uci"):
            raise ValueError(f"as_text: expected 'san', 'uci' or None, got {as_text!r}")
        return self._history(as_text == "san")

    @property
    def move_stack(self) -> list[Move]:
        """The moves played on this board."""
        return list(self._moves())

    def peek(self) -> Move:
        """The last move; ``IndexError`` if there is none."""
        return self.move_stack[-1]

    def root(self) -> Self:
        """A board at the position where this one's history starts."""
        start = self.copy()
        while start.ply:
            start.pop()
        return start

    def copy(self, *, history: bool = True) -> Self:
        """A board of its own, with or without the moves that led here."""
        return type(self)(self, history)

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _replay, (type(self), self.root().fen(), self.chess960, self.move_stack)

    def __repr__(self) -> str:
        chess960 = ", chess960=True" if self.chess960 else ""
        return f"{type(self).__name__}({self.fen()!r}{chess960})"

    def __str__(self) -> str:
        """The board as text, White below.

        >>> print(Board())
         8  r n b q k b n r
         7  p p p p p p p p
         6  . . . . . . . .
         5  . . . . . . . .
         4  . . . . . . . .
         3  . . . . . . . .
         2  P P P P P P P P
         1  R N B Q K B N R
            a b c d e f g h
        """
        return draw_grid(lambda square: str(self.piece_at(square) or "."), Square, 8, 8)

    def _repr_svg_(self) -> str:
        """The board as a notebook shows it. Pictures are a floor above: looked up when needed."""
        return str(import_module("cotulenh.draw").svg(self, size=400))


def _replay(kind: type[Board], fen: str, chess960: bool, moves: list[Move]) -> Board:
    board = kind(fen, chess960)
    for move in moves:
        board.push(move)
    return board

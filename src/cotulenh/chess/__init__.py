"""Chess: the second game of the engine, with names that players of python-chess know.

>>> from cotulenh.chess import Board
>>> board = Board()
>>> _ = board.push_sans("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#")
>>> board.is_checkmate(), board.outcome().result
(True, '1-0')
"""

from __future__ import annotations

from cotulenh.chess._pieces import (
    flip_anti_diagonal,
    flip_diagonal,
    flip_horizontal,
    flip_vertical,
)
from cotulenh.chess.board import Board, Move
from cotulenh.chess.names import *  # noqa: F403  (constants: A1, BB_ALL, parse_square and the like)
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
    "flip_anti_diagonal",
    "flip_diagonal",
    "flip_horizontal",
    "flip_vertical",
]

# The front door is where these names live, for whoever prints or documents them.
Board.__module__ = __name__

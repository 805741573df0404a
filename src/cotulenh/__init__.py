"""Cờ Tư Lệnh (Commander Chess): rules, bitboards and tables.

>>> rules = Rules.load("official")
>>> rules.name, rules.files, rules.ranks
('official', 11, 12)
"""

from cotulenh.board import (
    Board,
    Deployment,
    Move,
    MoveKind,
    Outcome,
    Piece,
    Reason,
    Stack,
)
from cotulenh.errors import AmbiguousMoveError, IllegalMoveError, ParseError, PositionError
from cotulenh.rules import Rules, RulesError
from cotulenh.squares import BLUE, RED, Color, Direction, Kind, Square, SquareSet

__version__ = "0.1.0"

__all__ = [
    "BLUE",
    "RED",
    "AmbiguousMoveError",
    "Board",
    "Color",
    "Deployment",
    "Direction",
    "IllegalMoveError",
    "Kind",
    "Move",
    "MoveKind",
    "Outcome",
    "ParseError",
    "Piece",
    "PositionError",
    "Reason",
    "Rules",
    "RulesError",
    "Square",
    "SquareSet",
    "Stack",
]

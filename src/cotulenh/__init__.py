"""Cờ Tư Lệnh (Commander Chess): rules, bitboards and tables.

>>> rules = Rules.load("official")
>>> rules.name, rules.files, rules.ranks
('official', 11, 12)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from cotulenh.games import BoardLike

__all__ = [
    "BLUE",
    "RED",
    "AmbiguousMoveError",
    "Board",
    "BoardLike",
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


def __getattr__(name: str) -> Any:
    """``BoardLike`` and the modules of the package are loaded when they are first asked for."""
    if name == "BoardLike":
        from cotulenh.games import BoardLike

        return BoardLike
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

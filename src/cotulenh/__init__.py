"""Cờ Tư Lệnh (Commander Chess): rules, bitboards and tables.

>>> from cotulenh import Rules
>>> rules = Rules.load("official")
>>> rules.name, rules.files, rules.ranks
('official', 11, 12)

Names and modules are loaded when they are first asked for: ``import cotulenh`` costs little.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cotulenh.board import Board, Deployment, Move, MoveKind, Outcome, Piece, Reason, Stack
    from cotulenh.errors import AmbiguousMoveError, IllegalMoveError, ParseError, PositionError
    from cotulenh.games import BoardLike
    from cotulenh.rules import Rules, RulesError
    from cotulenh.squares import BLUE, RED, Color, Direction, Kind, Square, SquareSet

__version__ = "0.2.0"

_spec = find_spec("cotulenh._core")
if _spec is None or _spec.origin is None:  # a folder with the stubs of the core alone
    raise ImportError(
        "cotulenh is not built here: ./run or ./test builds a checkout into .venv, "
        "`pip install .` installs it elsewhere"
    )
del _spec

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

#: The module of each name above.
_HOMES = {
    "board": "Board Deployment Move MoveKind Outcome Piece Reason Stack",
    "errors": "AmbiguousMoveError IllegalMoveError ParseError PositionError",
    "games": "BoardLike",
    "rules": "Rules RulesError",
    "squares": "BLUE RED Color Direction Kind Square SquareSet",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}
_MODULES = {
    *("annotations", "board", "book", "chess", "cluster", "draw", "engine", "env", "errors"),
    *("facts", "game", "games", "match", "pgn", "pieces", "protocols", "rules", "squares"),
    *("tables", "terrain", "web"),
}

if not TYPE_CHECKING:  # a type checker is to see that a name is not there

    def __getattr__(name: str) -> Any:
        """Loads a name or a module of the package."""
        if name in _HOME_OF:
            found = getattr(import_module(f"cotulenh.{_HOME_OF[name]}"), name)
            globals()[name] = found
            return found
        if name in _MODULES:
            return import_module(f"cotulenh.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted([*globals(), *__all__, *_MODULES])

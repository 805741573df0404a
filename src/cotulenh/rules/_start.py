"""Is a start position legal? The core reads it: there is one reader of FENs."""

from __future__ import annotations

from typing import Any

from cotulenh import _core
from cotulenh.errors import ParseError, PositionError
from cotulenh.rules._facts import core_spec, rows_of
from cotulenh.squares import NO_SQUARE

__all__ = ["start_problems"]


def start_problems(table: dict[str, Any]) -> list[str]:
    """What is wrong with the start position of a rule set whose other values are sound."""
    rules = _core.Rules(core_spec(table, rows_of(table)))
    try:
        board = _core.Board(rules, table["start"])
    except (ParseError, PositionError) as error:
        return [str(error)]
    problems = [
        f"{side} has no Commander"
        for number, side in enumerate(("Red", "Blue"))
        if board._commander(number) == NO_SQUARE
    ]
    if board._origin >= 0:
        problems.append("a game does not start in mid-deployment")
    return problems

"""What can be wrong with what a user gave us. All of it is a ``ValueError``.

The core answers with values; the bindings turn them into these.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from typing import Any

__all__ = [
    "AmbiguousMoveError",
    "IllegalMoveError",
    "ParseError",
    "PositionError",
    "install_hint",
]


def install_hint(extra: str) -> str:
    """The command that installs an extra into this environment, a checkout's or any other.

    >>> install_hint("draw").partition(" -m ")[2]
    "pip install 'cotulenh[draw]'"
    """
    python = sys.executable or "python3"
    below = os.path.relpath(python)
    near = below if not below.startswith(os.pardir) and os.sep in below else python
    return f"{shlex.quote(near)} -m pip install 'cotulenh[{extra}]'"


class ParseError(ValueError):
    """Text that is not what it should be: ``offset`` counts its characters up to the trouble.

    >>> error = ParseError("expected a digit", 3)
    >>> error.offset, error.reason, str(error)
    (3, 'expected a digit', 'expected a digit (at 3)')
    """

    def __init__(self, reason: str, offset: int = 0) -> None:
        super().__init__(reason, offset)
        self.reason = reason
        self.offset = offset

    def __str__(self) -> str:
        return f"{self.reason} (at {self.offset})"


class PositionError(ValueError):
    """A position that cannot be, in ``problems`` the names of all that is wrong with it.

    ``offset`` is where the text shows it first, ``square`` where the board does; ``None`` if no one
    place is to blame. The square is one of the game's own class.

    >>> PositionError("Black has no king", {"no_black_king"}).problems
    frozenset({'no_black_king'})
    """

    def __init__(
        self,
        reason: str,
        problems: Iterable[str] = (),
        offset: int | None = None,
        square: Any = None,
    ) -> None:
        super().__init__(reason, frozenset(problems), offset, square)
        self.reason = reason
        self.problems = frozenset(problems)
        self.offset = offset
        self.square = square

    def __str__(self) -> str:
        return self.reason if self.offset is None else f"{self.reason} (at {self.offset})"


class IllegalMoveError(ValueError):
    """A move that is well-formed but not legal in the position."""


class AmbiguousMoveError(ValueError):
    """The text of a move that fits more than one legal move."""

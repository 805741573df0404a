"""The board of Cờ Tư Lệnh: a position, what is legal in it, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Self

from cotulenh import _core
from cotulenh._core import Move, MoveKind, MoveSequence, Reason
from cotulenh.pieces import KINDS, Piece, Stack, pieces_of
from cotulenh.rules import Rules
from cotulenh.squares import BLUE, NO_SQUARE, RED, Color, Kind, Square, SquareSet

__all__ = [
    "Board",
    "Deployment",
    "Move",
    "MoveKind",
    "MoveSequence",
    "Outcome",
    "Piece",
    "Reason",
    "Stack",
]

_SIDES = (RED, BLUE)


@dataclass(frozen=True, slots=True)
class Deployment:
    """A deployment under way (8): from where, whose, what it was, what may still move."""

    origin: Square
    color: Color
    #: The stack before the first step; after reading a FEN, what the FEN shows on the origin.
    stack: Stack
    remaining: tuple[Piece, ...]
    steps: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; ``winner`` is ``None`` after a draw."""

    winner: Color | None
    reason: Reason

    @property
    def result(self) -> str:
        """``1-0`` (Red), ``0-1`` or ``1/2-1/2`` (12.4)."""
        return {RED: "1-0", BLUE: "0-1", None: "1/2-1/2"}[self.winner]


class Board(_core.Board):
    """A position with its history.

    >>> board = Board()
    >>> len(board.legal_moves), board.turn.name
    (116, 'RED')
    >>> board.push_san("Mg6")
    Move.from_int(...)
    >>> board.fen().split()[1:]
    ['b', '-', '-', '1', '1']
    >>> board.pop().lan()
    'Mg5g6'
    """

    rules: Rules

    def __init__(self, fen: str | None = None, rules: str | Rules = "official") -> None:
        loaded = rules if isinstance(rules, Rules) else Rules.load(rules)
        if not isinstance(fen, str | None):
            raise TypeError(f"expected a FEN, got {fen!r}")
        super().__init__(loaded.core, loaded.start_fen if fen is None else fen)
        self.rules = loaded

    # Looking --------------------------------------------------------------------------------------

    @property
    def turn(self) -> Color:
        """The side to move. It does not change in mid-deployment (8.3)."""
        return _SIDES[self._turn]

    @property
    def problems(self) -> frozenset[str]:
        """What is odd about the position though it was accepted (11.3)."""
        return frozenset(self._problems)

    def stack_at(self, square: Square | str | int) -> Stack | None:
        """What stands on a point."""
        place = self._square(square)
        side = self._side_at(place)
        return None if side < 0 else Stack(pieces_of(self._at(place), _SIDES[side]))

    def pieces(self, kind: Kind | str, color: Color) -> SquareSet:
        """The points where a side has such a piece, carried ones included."""
        return self._set(self._pieces(Kind(kind).index, _side(color)))

    def occupied(self, color: Color | None = None) -> SquareSet:
        """The points where something stands, of one side or of both."""
        return self._set(self._occupied(-1 if color is None else _side(color)))

    def commander(self, color: Color) -> Square | None:
        """Where a side's Commander is, carried or not."""
        found = self._commander(_side(color))
        return None if found == NO_SQUARE else Square(found)

    def attackers(self, color: Color, square: Square | str | int) -> list[tuple[Square, Kind]]:
        """The pieces of a side that attack what stands on a point, carried ones included (6.4).

        An empty point is judged as if a land piece stood there, at open sea a ship.
        """
        found = self._attackers(_side(color), self._square(square))
        return [(Square(place), KINDS[kind]) for place, kind in found]

    def air_defence(self, color: Color) -> SquareSet:
        """The points inside a side's rings (5.1)."""
        return self._set(self._cover(_side(color)))

    def points(self, color: Color) -> int:
        """The value of all that a side has taken (10.4)."""
        return self._points(_side(color))

    @property
    def deployment(self) -> Deployment | None:
        """The deployment under way, if there is one (8)."""
        if self._origin < 0:
            return None
        color = self.turn
        return Deployment(
            Square(self._origin),
            color,
            Stack(pieces_of(self._original, color)),
            pieces_of(self._remaining, color),
            tuple(self._steps),
        )

    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on (10)."""
        found = self._outcome()
        if found is None:
            return None
        winner, reason = found
        return Outcome(None if winner is None else _SIDES[winner], reason)

    def history(self, as_text: str = "san") -> list[str]:
        """One entry for each finished turn (8.5), as ``"san"`` or ``"lan"``."""
        if as_text not in ("san", "lan"):
            raise ValueError(f"as_text: expected 'san' or 'lan', got {as_text!r}")
        return self._history(as_text == "san")

    def root(self) -> Self:
        """A board at the position where this one's history starts."""
        start = self.copy()
        while start.ply:
            start.pop()
        return start

    def peek(self) -> Move:
        """The last single move; ``IndexError`` if there is none."""
        return self.move_stack[-1]

    # Being a value --------------------------------------------------------------------------------

    def copy(self) -> Self:
        """A board of its own, history included."""
        made = type(self).__new__(type(self))
        _core.Board.__init__(made, self)
        made.rules = self.rules
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Whether rules, position and counters are the same; history is not asked."""
        return self._same(other) if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        if "rules" not in self.__dict__:  # a refused set-up, seen in a traceback
            return "<Board that was never set up>"
        return f"Board({self.fen()!r}, rules={_rules_text(self.rules)})"

    def __str__(self) -> str:
        """The board as text: see :func:`cotulenh.draw.text`."""
        return str(import_module("cotulenh.draw").text(self))

    def _repr_svg_(self) -> str:
        """The board as a notebook shows it. Pictures are a floor above: looked up when needed."""
        return str(import_module("cotulenh.draw").svg(self, size=480))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (
            type(self),
            self.root().fen(),
            self.rules,
            [int(m) for m in self.move_stack],
        )

    # Conversions ----------------------------------------------------------------------------------

    def _square(self, square: Square | str | int) -> Square:
        place = Square(square)
        if place.file >= self.rules.files or place.rank >= self.rules.ranks:
            raise ValueError(f"expected a square of this board, got {place.name}")
        return place

    def _set(self, bits: int) -> SquareSet:
        return SquareSet(bits, files=self.rules.files, ranks=self.rules.ranks)


def _side(color: Color) -> int:
    if not isinstance(color, Color):
        raise ValueError(f"expected a color (RED or BLUE), got {color!r}")
    return _SIDES.index(color)


def _rules_text(rules: Rules) -> str:
    shipped = rules.name in Rules.names() and Rules.load(rules.name) is rules
    return repr(rules.name) if shipped else repr(rules)


def _restore(kind: type[Board], fen: str, rules: Rules, moves: list[int]) -> Board:
    board = kind(fen, rules)
    for bits in moves:
        board.push(Move.from_int(bits))
    return board

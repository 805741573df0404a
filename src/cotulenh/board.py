"""The board of Cờ Tư Lệnh: a position, what is legal in it, and how it came about."""

from __future__ import annotations

import copyreg
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Self

from cotulenh import _core
from cotulenh._core import Move, MoveKind, MoveSequence, Reason
from cotulenh.errors import AmbiguousMoveError, IllegalMoveError
from cotulenh.pieces import KINDS, Piece, Stack, pieces_of
from cotulenh.rules import Rules
from cotulenh.squares import BLUE, NO_SQUARE, RED, Color, Kind, Square, SquareSet, placement

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


def _move(bits: int) -> Move:
    return Move.from_int(bits)


# A move that is copied or travels between processes becomes the one object of its value again.
copyreg.pickle(Move, lambda move: (_move, (int(move),)))


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
    Move.from_lan('Mg5g6')
    >>> board.fen().split()[1:]
    ['b', '-', '-', '1', '1']
    >>> board.pop().lan()
    'Mg5g6'
    """

    rules: Rules

    def __init__(self, fen: str | None = None, rules: str | Rules = "official") -> None:
        loaded = rules if isinstance(rules, Rules) else Rules.load(rules)
        if fen is not None and not isinstance(fen, str):
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

    def piece_at(self, square: Square | str | int) -> Piece | None:
        """The piece that stands on a point, or leads the stack there."""
        stack = self.stack_at(square)
        return None if stack is None else stack.carrier

    def stack_map(self) -> dict[Square, Stack]:
        """All stacks by their points, single pieces included.

        >>> str(Board().stack_map()[Square("c4")])
        'N'
        """
        found = ((square, self.stack_at(square)) for square in self.occupied())
        return {square: stack for square, stack in found if stack is not None}

    def piece_map(self) -> dict[Square, Piece]:
        """What stands on each point, or leads the stack there.

        >>> len(Board().piece_map())
        38
        """
        return {square: stack.carrier for square, stack in self.stack_map().items()}

    def color_at(self, square: Square | str | int) -> Color | None:
        """Whose stack stands on a point."""
        side = self._side_at(self._square(square))
        return None if side < 0 else _SIDES[side]

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

    def is_attacked_by(self, color: Color, square: Square | str | int) -> bool:
        """Whether a side attacks what stands on a point (6.4)."""
        return bool(self._attackers(_side(color), self._square(square)))

    def attacks(self, square: Square | str | int) -> SquareSet:
        """The points that the pieces on a point attack, carried ones included (6.4).

        >>> Board().attacks("k5")
        SquareSet('k4 j5 k6')
        """
        place, side = self._square(square), self._side_at(self._square(square))
        if side < 0:
            return self._set(0)
        board = self.rules.terrain.all_accessible
        return self._set(
            sum(1 << s for s in board if any(f == place for f, _ in self._attackers(side, s)))
        )

    def pin(self, color: Color, square: Square | str | int) -> SquareSet:
        """The line on which a stack shields its Commander; all points if it shields nothing.

        A stack is pinned if its Commander would be attacked, or face the other, were it gone.

        >>> board = Board("6c4/11/11/11/11/11/11/11/6T4/11/11/6C4 r - - 0 1")
        >>> board.is_pinned(RED, "g4"), board.pin(RED, "g4") == SquareSet.ray("g1", "g12")
        (True, True)
        """
        lines = [SquareSet.ray(home, place) for home, place in self._exposed(color, square)]
        mask = self.rules.terrain.all_accessible
        for line in lines:
            mask &= line
        return mask

    def is_pinned(self, color: Color, square: Square | str | int) -> bool:
        """Whether a stack shields its Commander from an attack or from facing the other."""
        return bool(self._exposed(color, square))

    def _exposed(self, color: Color, square: Square | str | int) -> list[tuple[Square, Square]]:
        """The Commander and each piece that would attack him were the stack on a point gone."""
        place, home = self._square(square), self.commander(color)
        if home is None or home == place or self.color_at(place) is not color:
            return []
        bare = self.copy()
        bare._put(place, None)
        now = set(self.attackers(color.other, home))
        then = {one for one, kind in bare.attackers(color.other, home) if (one, kind) not in now}
        other = self.commander(color.other)
        if other is not None and self.rules.spec["switches"]["facing"] != "none":
            screen = SquareSet.between(home, other) & self.occupied()
            straight = home.file == other.file or home.rank == other.rank
            if straight and screen == {place}:
                then.add(other)
        return [(home, one) for one in then]

    # Setting up -----------------------------------------------------------------------------------

    @classmethod
    def empty(cls, rules: str | Rules = "official") -> Self:
        """A board without pieces, Red to move."""
        board = cls(None, rules)
        board.clear()
        return board

    def clear(self) -> None:
        """Takes all pieces off; Red is to move. The history is gone."""
        self._set_up(f"{placement(self.rules.files, self.rules.ranks, _nothing)} r - - 0 1")

    def reset(self) -> None:
        """Goes back to the start position of the rule set."""
        self.set_fen(self.rules.start_fen)

    def set_fen(self, fen: str) -> None:
        """Sets a position up from its FEN; the history is gone."""
        checked = type(self)(fen, self.rules)
        self._set_up(checked.fen())

    def set_stack_at(self, square: Square | str | int, stack: Stack | Piece | str | None) -> None:
        """Puts a stack on a point, or takes what is there off; the history is gone.

        A stack may be given as in the FEN, upper case for Red: ``"(NFT)"``. The result may be a
        position that cannot be played (:meth:`status`): it can be looked at and changed, and moves
        are refused until it is whole.

        >>> board = Board.empty()
        >>> board.set_stack_at("c3", "(NFT)")
        >>> board.set_stack_at("g5", "n")
        >>> sorted(board.status() - {"missing_commander"})
        ['cannot_stand']
        >>> board.legal_moves
        Traceback (most recent call last):
            ...
        cotulenh.errors.PositionError: the position is unfinished: cannot_stand
        """
        self._put(self._square(square), stack)

    def set_piece_at(self, square: Square | str | int, piece: Piece | str | None) -> None:
        """Puts a single piece on a point, or takes what is there off; the history is gone."""
        self._put(self._square(square), piece)

    def remove_piece_at(self, square: Square | str | int) -> Piece | None:
        """Takes what stands on a point off; the piece that led it."""
        stack = self.remove_stack_at(square)
        return None if stack is None else stack.carrier

    def remove_stack_at(self, square: Square | str | int) -> Stack | None:
        """Takes what stands on a point off, and returns it."""
        stack = self.stack_at(square)
        if stack is not None:
            self._put(self._square(square), None)
        return stack

    def _put(self, place: Square, stack: Stack | Piece | str | None) -> None:
        if isinstance(stack, Piece) and stack.color is None:
            raise ValueError(f"expected a piece with a colour, got {stack!r}")
        texts = {square: str(there) for square, there in self.stack_map().items()}
        texts[place] = "" if stack is None else str(stack)
        rows = placement(
            self.rules.files,
            self.rules.ranks,
            lambda file, rank: texts.get(Square.at(file, rank)) or None,
        )
        side = "r" if self.turn is RED else "b"
        self._set_up(f"{rows} {side} - - {self.halfmove_clock} {self.fullmove_number}")

    def status(self) -> frozenset[str]:
        """What is wrong or odd about the position; see :attr:`problems` and :meth:`is_valid`."""
        return frozenset(self._problems)

    def is_valid(self) -> bool:
        """Whether moves can be made: nothing stands where it cannot, every stack is one."""
        return not self._unfinished

    def mirror(self) -> Self:
        """The position with colours swapped, seen from the other side of the board.

        >>> Board().mirror().fen() == Board().fen().replace(" r ", " b ")
        True
        """
        rows, side, *rest = self.fen().split(" ")
        flipped = "/".join(reversed(rows.swapcase().split("/")))
        if len(rest) == 5:  # the origin of a deployment
            origin, _, left = rest[4].partition(":")
            place = Square(origin)
            rest[4] = f"{Square.at(place.file, self.rules.ranks - 1 - place.rank)}:{left}"
        return type(self)(" ".join([flipped, "b" if side == "r" else "r", *rest]), self.rules)

    # Moves ----------------------------------------------------------------------------------------

    def is_capture(self, move: Move) -> bool:
        """Whether a move takes something, by replacing, staying, exchange or breach (4, 5)."""
        return move.is_take

    def gives_check(self, move: Move) -> bool:
        """Whether the other Commander is attacked after a legal move (6.4)."""
        color, board = self.turn, self.copy()
        board.push(move)
        target = board.commander(color.other)
        return target is not None and bool(board.attackers(color, target))

    def find_move(self, from_square: Square | str | int, to_square: Square | str | int) -> Move:
        """The legal move of the whole stack on a point to another.

        Where several move alike (take by replacing or staying, or a part of a stack deploys),
        ``AmbiguousMoveError`` names them: say which with :meth:`parse_san`.

        >>> Board().find_move("g5", "g6")
        Move.from_lan('Mg5g6')
        """
        start, goal = self._square(from_square), self._square(to_square)
        found = [m for m in self.legal_moves if (m.from_square, m.to_square) == (start, goal)]
        whole = [move for move in found if not move.is_deploy] or found
        if not whole:
            raise IllegalMoveError(f"no legal move goes from {start} to {goal}")
        if len(whole) > 1:
            names = ", ".join(move.lan() for move in whole)
            raise AmbiguousMoveError(f"several moves go from {start} to {goal}: {names}")
        return whole[0]

    def variation_san(self, moves: Iterable[Move]) -> str:
        """A line of moves as text with numbers; a deployment is one token.

        >>> board = Board()
        >>> board.variation_san([board.parse_san("Mg6")])
        '1. Mg6'
        """
        board = type(self)(self.fen(), self.rules)
        number, first = board.fullmove_number, board.turn is RED
        for move in moves:
            board.push(move)
        words = []
        for turn in board.history():
            if first:
                words.append(f"{number}.")
            elif not words:
                words.append(f"{number}...")
            words.append(turn)
            number, first = number + (not first), not first
        return " ".join(words)

    # How it stands --------------------------------------------------------------------------------

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
        start._rewind()
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


def _nothing(_file: int, _rank: int) -> None:
    return None


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

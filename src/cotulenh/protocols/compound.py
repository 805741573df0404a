"""Turns of Cờ Tư Lệnh in the words of XBoard: squares, joined to legs, and a letter.

XBoard knows one piece a square, one move a turn, and a move of several legs (``a1b2,b2c3``). So

* a move, capture or exchange is ``from to``;
* boarding is ``from to`` and the letter that the new stack shows, if it is not the mover's: the
  carrier's, or C if the Commander is aboard, so that the window never misses its king;
* a stay capture or breach goes there and back: ``d2h6,h6d2``;
* a deployment visits the points of its steps, and comes back if something stays on the origin:
  ``b2e5,e5b2`` (one piece to e5, the rest stays), ``b2e5,e5c6`` (one to e5, the rest to c6). Only
  the Commander's leaving what stays behind is a plain ``from to``, so that he is seen to move.

Different turns may read alike. Then the first of this order is meant: the whole stack moves; stay
captures; deployments, as the rules library lists them. :func:`faithful` tells which turns leave
XBoard's picture true. See docs/xboard.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cotulenh.board import Board, Move, MoveKind
from cotulenh.pieces import Piece
from cotulenh.squares import Kind, Square

__all__ = ["Turn", "decode", "encode", "faithful", "sendable", "shown", "targets", "turns_from"]

MOST_TURNS = 4000
THERE_AND_BACK = (MoveKind.STAY, MoveKind.BREACH)


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn: its moves, and its text for XBoard."""

    moves: tuple[Move, ...]
    text: str

    @property
    def first(self) -> Move:
        """The first move."""
        return self.moves[0]


def encode(board: Board, moves: tuple[Move, ...]) -> str:
    """The text of a turn that is legal now; the board stays as it is."""
    first = moves[0]
    origin = _name(first.from_square)
    if not first.is_deploy:
        there = _name(first.to_square)
        if first.kind in THERE_AND_BACK:
            return f"{origin}{there},{there}{origin}"
        return origin + there + _carrier(board, first)
    stops = [_name(move.to_square) for move in moves if move.kind is not MoveKind.COMMIT]
    if _something_stays(board, moves) and not _commander_left(first, stops):
        stops.append(origin)
    legs, here = [], origin
    for stop in stops:
        legs.append(here + stop)
        here = stop
    return ",".join(legs)


def _carrier(board: Board, move: Move) -> str:
    """The letter a boarding must add, or nothing if the mover's stays."""
    if move.kind is not MoveKind.COMBINE:
        return ""
    waiting = board.stack_at(move.to_square)
    assert waiting is not None
    before, after = shown(move.pieces), shown((*move.pieces, *waiting.pieces))
    return "" if before is after else after.letter.lower()


def shown(pieces: Iterable[Piece]) -> Kind:
    """The kind that stands for a stack in XBoard's window."""
    kinds = [piece.kind for piece in pieces]
    if Kind.COMMANDER in kinds:
        return Kind.COMMANDER
    return min(kinds, key=lambda kind: kind.index)


def _something_stays(board: Board, moves: tuple[Move, ...]) -> bool:
    color, origin = board.turn, moves[0].from_square
    board = board.copy()
    for move in moves:
        board.push(move)
    stack = board.stack_at(origin)
    return stack is not None and stack.color is color


def _commander_left(first: Move, stops: list[str]) -> bool:
    """Whether the one step of a deployment is the Commander's, and takes him elsewhere."""
    gone = first.kind not in THERE_AND_BACK
    return len(stops) == 1 and gone and shown(first.pieces) is Kind.COMMANDER


def _name(square: Square | int) -> str:
    return Square(square).name


# All turns of one stack ------------------------------------------------------------------------


def turns_from(board: Board, origin: Square) -> list[Turn]:
    """The legal turns of what stands on a point, in the order of preference."""
    first = [move for move in board.legal_moves if move.from_square == origin]
    first.sort(key=lambda move: (move.is_deploy, move.kind in THERE_AND_BACK))
    found: list[Turn] = []
    for move in first:
        for moves in _finished(board, (move,)):
            found.append(Turn(moves, encode(board, moves)))
            if len(found) >= MOST_TURNS:
                return found
    return found


def _finished(board: Board, moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    """The whole turns that begin with these moves."""
    after, mover = board.copy(), board.turn
    for move in moves:
        after.push(move)
    if after.turn is not mover or not after.legal_moves:
        yield moves
        return
    for move in after.legal_moves:
        yield from _finished(board, (*moves, move))


def decode(board: Board, text: str) -> Turn | None:
    """The turn that a text of XBoard means, or ``None`` if there is no legal one.

    A letter may be left out: it only tells XBoard what to draw.
    """
    text = _mended(text.lower().strip())
    try:
        origin = Square(_first_square(text))
    except ValueError:
        return None
    turns = turns_from(board, origin)
    return next((turn for turn in turns if turn.text == text), None) or next(
        (turn for turn in turns if bare(turn.text) == bare(text)), None
    )


def _mended(text: str) -> str:
    """Undoes what XBoard 4.9 does to Blue's turns of two legs when the first stop is empty.

    It takes them for castling, and says ``from to,stop beside`` instead of ``from stop,stop to``.
    """
    found = re.fullmatch(r"([a-l]\d+)([a-l]\d+),([a-l]\d+)[a-l`m]\d+", text)
    if found is None or found[2] == found[3]:
        return text
    start, last, stop = found.groups()
    return f"{start}{stop},{stop}{last}"


def bare(text: str) -> str:
    """A text without its letter.

    >>> bare("a10b2n"), bare("a1b2,b2c3")
    ('a10b2', 'a1b2,b2c3')
    """
    return text if text[-1:].isdigit() else text[:-1]


def _first_square(text: str) -> str:
    digits = 1
    while digits < len(text) and text[digits].isdigit():
        digits += 1
    return text[:digits]


def faithful(turn: Turn) -> bool:
    """Whether XBoard's picture is still true after the turn (heroes apart).

    It is not after a deployment, an exchange and a breach: XBoard can neither split a piece nor
    take both.
    """
    move = turn.first
    return not move.is_deploy and move.kind not in (MoveKind.EXCHANGE, MoveKind.BREACH)


def sendable(turn: Turn) -> bool:
    """Whether XBoard passes the turn on unharmed: it loses the third leg."""
    return turn.text.count(",") <= 1


def targets(board: Board, origin: Square) -> dict[Square, str]:
    """What to highlight when a piece is lifted, as XBoard's letters of colours.

    Yellow: a quiet move, red: a take, blue: a boarding that changes the drawing, cyan: the first
    leg of several.
    """
    marks: dict[Square, str] = {}
    for turn in turns_from(board, origin):
        place = Square(turn.first.to_square)
        if "," in turn.text:
            marks.setdefault(place, "c")
        elif marks.get(place, "c") == "c":
            plain = "r" if turn.first.is_take else "y"
            marks[place] = plain if turn.text[-1].isdigit() else "b"
    return marks


def letter_of(board: Board, origin: Square, target: Square) -> str | None:
    """What a stack that boards looks like afterwards, if the drawing changes."""
    text = f"{origin.name}{target.name}"
    for turn in turns_from(board, origin):
        if bare(turn.text) == text and turn.text != text:
            return turn.text[-1].upper()
    return None


def stops_of(text: str) -> list[Square]:
    """The squares a text names, each leg's start left out but the first.

    >>> [square.name for square in stops_of("b2e5,e5b10")], stops_of("b2e5n")[-1].name
    (['b2', 'e5', 'b10'], 'e5')
    """
    found = [re.findall(r"[a-l]\d+", leg) for leg in text.split(",")]
    return [Square(found[0][0]), *(Square(leg[1]) for leg in found)]


def next_targets(board: Board, legs: str) -> dict[Square, str]:
    """What to highlight after some legs (``a1b2``): where the next leg may go."""
    origin = Square(_first_square(legs))
    marks: dict[Square, str] = {}
    for turn in turns_from(board, origin):
        if not turn.text.startswith(legs + ","):
            continue
        rest = turn.text[len(legs) + 1 :]
        leg, _, more = rest.partition(",")
        place = Square(leg[len(_first_square(leg)) :])
        if more:
            marks.setdefault(place, "c")
        else:
            marks[place] = "y"
    return marks

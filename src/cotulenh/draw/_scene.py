"""What a picture shows, the same for both games: places, what stands there, where it is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from cotulenh import chess
from cotulenh.board import Board
from cotulenh.games import AnyBoard
from cotulenh.rules import Rules
from cotulenh.squares import RED

__all__ = ["AnyBoard", "Grid", "Item", "Place", "Scene", "places_of", "scene_of"]

#: File and rank, counted from 0.
Place: TypeAlias = tuple[int, int]

CELL = 100


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """One piece of a picture. ``side`` is ``r`` or ``b``, in chess ``w`` or ``b``."""

    letter: str
    side: str
    heroic: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """The pieces of a board and the size of it; ``rules`` is ``None`` for chess."""

    files: int
    ranks: int
    stacks: dict[Place, tuple[Item, ...]]
    rules: Rules | None
    in_check: Place | None
    #: Where a deployment is under way (8).
    origin: Place | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """Where a place lies in the picture."""

    files: int
    ranks: int
    flip: bool

    def xy(self, place: Place) -> tuple[int, int]:
        """The middle of a place, in the picture's units."""
        file, rank = place
        if self.flip:
            return CELL * (self.files - 1 - file), CELL * rank
        return CELL * file, CELL * (self.ranks - 1 - rank)


def scene_of(board: AnyBoard) -> Scene:
    """Reads a board of either game."""
    if isinstance(board, chess.Board):
        return _chess_scene(board)
    assert isinstance(board, Board)
    stacks = {}
    for square in board.occupied():
        stack = board.stack_at(square)
        assert stack is not None
        side = "r" if stack.color is RED else "b"
        stacks[square.file, square.rank] = tuple(
            Item(piece.kind.letter, side, piece.heroic) for piece in stack.pieces
        )
    deployment = board.deployment
    origin = deployment.origin if deployment is not None else None
    commander = board.commander(board.turn)
    checked = commander is not None and board.is_check()
    return Scene(
        board.rules.files,
        board.rules.ranks,
        stacks,
        board.rules,
        (commander.file, commander.rank) if commander is not None and checked else None,
        (origin.file, origin.rank) if origin is not None else None,
    )


def _chess_scene(board: chess.Board) -> Scene:
    stacks: dict[Place, tuple[Item, ...]] = {}
    for square in board.occupied():
        piece = board.piece_at(square)
        assert piece is not None
        stacks[square.file, square.rank] = (Item(piece.kind.letter, piece.color.value),)
    king = board.king(board.turn) if board.is_check() else None
    return Scene(8, 8, stacks, None, None if king is None else (king.file, king.rank))


def place(scene: Scene, square: int | str) -> Place:
    """The place of a square given by name or number; ``ValueError`` if the board has none such."""
    if scene.rules is None:
        there: Any = chess.Square(square)
    else:
        there = scene.rules.terrain.square(square)
    return there.file, there.rank


def places_of(scene: Scene, move: Any) -> tuple[Place, Place]:
    """From and to, of a move or of a pair of squares."""
    if hasattr(move, "from_square"):
        return place(scene, move.from_square), place(scene, move.to_square)
    first, second = move
    return place(scene, first), place(scene, second)


def each_move(value: Any) -> Iterator[Any]:
    """One move, one pair of squares, or any number of either."""
    if value is None:
        return
    if hasattr(value, "from_square") or _is_pair(value):
        yield value
        return
    if not isinstance(value, Iterable):
        raise TypeError(f"a move, a pair of squares or several are wanted, not {value!r}")
    yield from value


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, tuple | list)
        and len(value) == 2
        and all(isinstance(part, str | int) for part in value)
    )

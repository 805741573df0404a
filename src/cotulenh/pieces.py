"""Pieces and stacks as values: what stands on a point, and what a move moves."""

from __future__ import annotations

from dataclasses import dataclass

from cotulenh.squares import BLUE, CARRIER_ORDER, Color, Kind

__all__ = ["KINDS", "Piece", "Stack", "pieces_of"]

#: The kinds in the core's order, the carrier order of 7.2.
KINDS = tuple(Kind(letter) for letter in CARRIER_ORDER)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece. The pieces of a :class:`Move` have no colour: the mover's is meant.

    >>> from cotulenh import BLUE, RED
    >>> str(Piece(Kind.TANK, RED, heroic=True)), str(Piece(Kind.NAVY, BLUE))
    ('+T', 'n')
    """

    kind: Kind
    color: Color | None = None
    heroic: bool = False

    def __str__(self) -> str:
        letter = self.kind.letter.lower() if self.color is BLUE else self.kind.letter
        return f"+{letter}" if self.heroic else letter


@dataclass(frozen=True, slots=True)
class Stack:
    """What stands on one point: a carrier and up to two passengers (7), or a single piece.

    >>> from cotulenh import Board
    >>> stack = Board("6c4/11/11/11/11/11/11/11/11/1(N+FT)9/11/6C4 r - - 0 1").stack_at("b3")
    >>> str(stack), stack.carrier.kind.name, [str(p) for p in stack.passengers]
    ('(N+FT)', 'NAVY', ['+F', 'T'])
    """

    pieces: tuple[Piece, ...]

    @property
    def carrier(self) -> Piece:
        """The piece the stack moves, takes and stands as (7.3)."""
        return self.pieces[0]

    @property
    def passengers(self) -> tuple[Piece, ...]:
        """The carried pieces, in the order of the FEN."""
        return self.pieces[1:]

    @property
    def color(self) -> Color | None:
        """Whose stack it is."""
        return self.carrier.color

    def __len__(self) -> int:
        return len(self.pieces)

    def __str__(self) -> str:
        text = "".join(map(str, self.pieces))
        return f"({text})" if len(self.pieces) > 1 else text


def pieces_of(codes: list[tuple[int, bool]], color: Color | None = None) -> tuple[Piece, ...]:
    """Pieces from the core's pairs of kind and heroic mark."""
    return tuple(Piece(KINDS[kind], color, heroic) for kind, heroic in codes)

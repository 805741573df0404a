"""The facts of a rule set as plain values: what the loader hands on and the tables read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from cotulenh import _core
from cotulenh.squares import Kind

__all__ = ["STANDS", "UNLIMITED", "Form", "Row", "RuleFacts"]

#: A range that no board exceeds; the rule files write it ``inf``.
UNLIMITED = 12

#: Where a piece stands (2.2): the words of the field ``stands`` and the terrain they mean.
STANDS = {
    "land": ("land", "mixed"),
    "sea": ("water", "mixed"),
    "any": ("water", "land", "mixed"),
}


@dataclass(frozen=True)
class Form:
    """How far a piece goes, normal or heroic. Ranges are (orthogonal, diagonal)."""

    move: tuple[int, int]
    take: tuple[int, int]
    take_ships: tuple[int, int]
    ring: int = 0
    ignores_rings: bool = False

    def made_heroic(self, *, aircraft: bool = False) -> Form:
        """3.2: ranges and rings that are not 0 grow by 1, and all eight directions open.

        >>> Form((2, 0), (2, 0), (0, 0), ring=2).made_heroic()
        Form(move=(3, 3), take=(3, 3), take_ships=(0, 0), ring=3, ignores_rings=False)
        """
        return Form(
            move=_grown(self.move),
            take=_grown(self.take),
            take_ships=_grown(self.take_ships),
            ring=self.ring + 1 if self.ring else 0,
            ignores_rings=aircraft,
        )


def _grown(ranges: tuple[int, int]) -> tuple[int, int]:
    if ranges == (0, 0):
        return ranges
    orthogonal, diagonal = ranges
    # A piece of one kind of line gets its new range on the other kind too.
    return (
        min(UNLIMITED, (orthogonal or diagonal) + 1),
        min(UNLIMITED, (diagonal or orthogonal) + 1),
    )


@dataclass(frozen=True)
class Row:
    """What a rule set says of one kind of piece (3)."""

    kind: Kind
    name: str
    vietnamese: str
    normal: Form
    heroic: Form
    move_blocked: str
    take_blocked: str
    stands: str
    ship: bool
    aircraft: bool
    heavy: bool
    indirect: bool
    commander: bool
    headquarters: bool
    points: int
    stay: frozenset[Kind]

    def form(self, heroic: bool = False) -> Form:
        """The ranges of the normal or the heroic piece."""
        return self.heroic if heroic else self.normal


class RuleFacts(Protocol):
    """What the tables need to know of a rule set; ``cotulenh.rules.Rules`` is one."""

    name: str
    files: int
    ranks: int
    spec: dict[str, Any]

    @property
    def rows(self) -> Mapping[Kind, Row]:
        """What is said of each kind."""

    def row(self, kind: Kind | str) -> Row:
        """The row of a kind; ``ValueError`` if the rule set has no such piece."""

    @property
    def core(self) -> _core.Rules:
        """The same rules in the core."""

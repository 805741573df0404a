"""The ground of a board: which points are water, land or mixed, and the sets that follow (2)."""

from __future__ import annotations

from typing import Self, overload

from cotulenh.facts import RuleFacts
from cotulenh.squares import Square, SquareSet, draw_grid

__all__ = ["Terrain"]


class _Points:
    """Some points of the board, as a set of its own each time it is asked for."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, terrain: None, owner: type) -> Self: ...
    @overload
    def __get__(self, terrain: Terrain, owner: type) -> SquareSet: ...
    def __get__(self, terrain: Terrain | None, owner: type) -> SquareSet | Self:
        if terrain is None:
            return self
        bits = terrain._bits[self._name]
        return SquareSet(bits, files=terrain.files, ranks=terrain.ranks)


class Terrain:
    """The terrain of a rule set as sets of squares.

    >>> from cotulenh import Rules
    >>> terrain = Rules.load("official").terrain
    >>> terrain.type_at("c3"), terrain.is_bridge("f6"), len(terrain.water)
    ('mixed', True, 24)
    """

    #: The signs of the map and the sets they stand for, the first that holds a point wins:
    #: bridges are tested before rivers (14.5).
    SIGNS = (
        ("B", "bridges"),
        ("R", "rivers"),
        ("W", "water"),
        ("L", "land"),
        ("M", "mixed"),
    )

    water = _Points("Open sea.")
    land = _Points("Dry land.")
    mixed = _Points("Points where ships and land pieces stand.")
    rivers = _Points("Points of a river.")
    bridges = _Points("The points of bridges.")
    fortresses = _Points("None so far; the design notes keep the place.")
    navy_accessible = _Points("Where ships stand.")
    land_accessible = _Points("Where land pieces stand.")
    all_accessible = _Points("The whole board.")

    def __init__(self, rules: RuleFacts) -> None:
        self.files, self.ranks = rules.files, rules.ranks
        named = {name: rules.spec[name] for name in ("water", "land", "mixed", "rivers", "bridges")}
        water, land, mixed = named["water"], named["land"], named["mixed"]
        self._bits: dict[str, int] = {
            **named,
            "fortresses": 0,
            "navy_accessible": water | mixed,
            "land_accessible": land | mixed,
            "all_accessible": water | land | mixed,
        }

    def square(self, value: Square | int | str) -> Square:
        """A square of this board; ``ValueError`` with the value when there is none such."""
        try:
            square = Square(value)
        except ValueError:
            square = None
        if square is None or square not in self.all_accessible:
            last = Square.at(self.files - 1, self.ranks - 1)
            raise ValueError(f"expected a square, got {value!r} (the board runs from a1 to {last})")
        return square

    def type_at(self, square: Square | int | str) -> str:
        """``"water"``, ``"land"`` or ``"mixed"``."""
        square = self.square(square)
        return next(name for name in ("water", "land", "mixed") if square in getattr(self, name))

    def squares(self, terrain_type: str) -> SquareSet:
        """All points of a type: ``"water"``, ``"land"`` or ``"mixed"``."""
        if terrain_type not in ("water", "land", "mixed"):
            raise ValueError(f"expected water, land or mixed, got {terrain_type!r}")
        points: SquareSet = getattr(self, terrain_type)
        return points

    def is_water(self, square: Square | int | str) -> bool:
        """Whether a point is open sea."""
        return self.square(square) in self.water

    def is_land(self, square: Square | int | str) -> bool:
        """Whether a point is dry land."""
        return self.square(square) in self.land

    def is_mixed(self, square: Square | int | str) -> bool:
        """Whether ships and land pieces may both stand on a point."""
        return self.square(square) in self.mixed

    def is_river(self, square: Square | int | str) -> bool:
        """Whether a point belongs to a river."""
        return self.square(square) in self.rivers

    def is_bridge(self, square: Square | int | str) -> bool:
        """Whether a point belongs to a bridge."""
        return self.square(square) in self.bridges

    def letter_at(self, square: Square | int | str) -> str:
        """The sign of a point on the map: W, L, M, R or B."""
        square = self.square(square)
        return next(sign for sign, name in self.SIGNS if square in getattr(self, name))

    def __str__(self) -> str:
        return draw_grid(self.letter_at, Square, self.files, self.ranks)

"""Every table of a rule set, readable: rays, reach, blocked rays, moves, magics, masks.

The sets come from the C++ core; this module checks what it is asked and gives them their types.

>>> from cotulenh import Rules
>>> t = Rules.load("official").tables
>>> t.ranged_ray("north", "c3", 2)
SquareSet('c4 c5')
>>> t.moves("tank", "e4", occupied="e5 e2", friendly="e2")
SquareSet('e3 c4 d4 f4 g4 e5')
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property, reduce
from operator import or_

from cotulenh import _core
from cotulenh.facts import STANDS, UNLIMITED, Row, RuleFacts
from cotulenh.squares import Direction, Kind, Square, SquareSet, draw_grid
from cotulenh.terrain import Terrain

__all__ = ["Magic", "Tables", "Terrain"]

SquareLike = Square | int | str
SetLike = SquareSet | int | str | Iterable[int | str]
DirectionLike = Direction | int | str
KindLike = Kind | str


class Tables:
    """The tables of one rule set. Get them from ``rules.tables``.

    Squares, kinds and directions may be given as members or as texts; what does not exist raises
    ``ValueError`` with the value in its text.
    """

    def __init__(self, rules: RuleFacts) -> None:
        self._rules = rules
        self.terrain = Terrain(rules)

    # Geometry ---------------------------------------------------------------------------------

    def ray(self, direction: DirectionLike, square: SquareLike) -> SquareSet:
        """All points from a square to the board's edge, the square itself left out."""
        return self._set(self._core.ray(Direction.of(direction), self.terrain.square(square)))

    def ranged_ray(self, direction: DirectionLike, square: SquareLike, n: float) -> SquareSet:
        """The first ``n`` points of a ray (0 to 12, or ``math.inf``)."""
        place = self.terrain.square(square)
        return self._set(self._core.ranged_ray(Direction.of(direction), place, _range(n)))

    def blocked_ray(
        self, direction: DirectionLike, square: SquareLike, n: float, occupied: SetLike
    ) -> SquareSet:
        """A ranged ray up to and including the first blocker (it might be taken).

        >>> from cotulenh import Rules
        >>> Rules.load("official").tables.blocked_ray("E", "c3", 5, occupied="f3 h3")
        SquareSet('d3 e3 f3')
        """
        place, blockers = self.terrain.square(square), int(self.squares(occupied))
        found = self._core.blocked_ray(Direction.of(direction), place, _range(n), blockers)
        return self._set(found)

    def nearest(
        self, direction: DirectionLike, square: SquareLike, blockers: SetLike
    ) -> Square | None:
        """The nearest of some points on a ray, whatever the direction; None if there is none."""
        wanted = self.squares(blockers)
        return next(iter(self.blocked_ray(direction, square, math.inf, wanted) & wanted), None)

    def between(self, one: SquareLike, other: SquareLike) -> SquareSet:
        """The points strictly between two points of one line; none if they share no line."""
        return self._set(self._core.between(self.terrain.square(one), self.terrain.square(other)))

    def disc(self, square: SquareLike, radius: int) -> SquareSet:
        """The points with dx² + dy² ≤ radius², the centre included (5.1)."""
        return self._set(self._core.disc(self.terrain.square(square), _range(radius)))

    # Pieces -----------------------------------------------------------------------------------

    def piece_rays(
        self, kind: KindLike, square: SquareLike, heroic: bool = False, *, taking: bool = False
    ) -> dict[Direction, SquareSet]:
        """The rays of a piece by direction, each as long as it moves (or takes) that way."""
        form = self._rules.row(kind).form(heroic)
        orthogonal, diagonal = form.take if taking else form.move
        ranges = {way: diagonal if way.is_diagonal else orthogonal for way in Direction}
        return {way: self.ranged_ray(way, square, n) for way, n in ranges.items() if n}

    def reach(
        self, kind: KindLike, square: SquareLike, heroic: bool = False, *, taking: bool = False
    ) -> SquareSet:
        """The union of a piece's rays on an empty board, terrain not asked.

        >>> from cotulenh import Rules
        >>> Rules.load("blueprint").tables.reach("I", "a1")
        SquareSet('b1 a2 b2', files=12)
        """
        place = self.terrain.square(square)
        return self._union(self.piece_rays(kind, place, heroic, taking=taking).values())

    def moves(
        self,
        kind: KindLike,
        square: SquareLike,
        occupied: SetLike,
        friendly: SetLike,
        heroic: bool = False,
        *,
        ships: SetLike | None = None,
    ) -> SquareSet:
        """The design notes' "generate piece moves": where a piece may go, as one set.

        Rays as long as the piece moves, each up to and including its first blocker; aircraft jump;
        points it cannot stand on and friends removed. A piece that only enemies block sees the
        ``occupied`` points that are not ``friendly``; one that only ships block sees ``ships``, or
        all that is occupied when they are not given. What needs the whole position (takes without
        moving, paths over terrain, rings, safety) is the business of ``Board.legal_moves``.
        """
        row = self._rules.row(kind)
        everyone, friends = self.squares(occupied), self.squares(friendly)
        blockers = {
            "all": everyone,
            "none": self._set(0),
            "enemies": everyone - friends,
            "ships": everyone if ships is None else self.squares(ships),
        }[row.move_blocked]
        seen = self.magic(kind, square, heroic).lookup(blockers)
        return (seen & self.movement_mask(kind)) - friends

    def magic(self, kind: KindLike, square: SquareLike, heroic: bool = False) -> Magic:
        """How the core finds a piece's blocked rays in a few multiplications.

        >>> from cotulenh import Rules
        >>> magic = Rules.load("official").tables.magic("tank", "e4")
        >>> magic.lookup("e5 c4")
        SquareSet('e2 e3 c4 d4 f4 g4 e5')
        >>> magic.masks[1], magic.shifts
        (SquareSet('d5 e5 f5'), (54, 61, 61))
        """
        return Magic(self, self._rules.row(kind).kind, self.terrain.square(square), heroic)

    # Terrain and pieces -----------------------------------------------------------------------

    def movement_mask(self, kind: KindLike) -> SquareSet:
        """The points a piece can stand on."""
        return self._standing[self._rules.row(kind).kind].copy()

    def attack_mask(self, kind: KindLike) -> SquareSet:
        """The points where a piece can take something: by replacing, or by staying (4.1)."""
        return self._attacking[self._rules.row(kind).kind].copy()

    def stay_capture_squares(self, kind: KindLike) -> SquareSet:
        """The points a piece can attack but not stand on: there it takes by staying.

        >>> from cotulenh import Rules
        >>> t = Rules.load("blueprint").tables
        >>> t.stay_capture_squares("A") == t.terrain.water
        True
        """
        return self.attack_mask(kind) - self.movement_mask(kind)

    def is_stay_capture(self, kind: KindLike, target_kind: KindLike, square: SquareLike) -> bool:
        """Whether a piece takes such a target on that point without moving there."""
        row, target = self._rules.row(kind), self._rules.row(target_kind)
        on_the_point = self.terrain.square(square) in self.stay_capture_squares(kind)
        return on_the_point and self._stays_against(row, target)

    def is_accessible(self, square: SquareLike, kind: KindLike) -> bool:
        """Whether a piece can stand on a point."""
        return self.terrain.square(square) in self.movement_mask(kind)

    @cached_property
    def _standing(self) -> dict[Kind, SquareSet]:
        """The movement masks of all kinds."""
        classes = {kind: STANDS[row.stands] for kind, row in self._rules.rows.items()}
        return {
            kind: self._union(map(self.terrain.squares, names)) for kind, names in classes.items()
        }

    @cached_property
    def _attacking(self) -> dict[Kind, SquareSet]:
        """The attack masks of all kinds: where it stands, and where its stay targets stand."""
        rows = self._rules.rows.values()
        targets = {
            row.kind: [one.kind for one in rows if self._stays_against(row, one)] for row in rows
        }
        return {
            kind: self._union(map(self.movement_mask, [kind, *others]))
            for kind, others in targets.items()
        }

    @staticmethod
    def _stays_against(row: Row, target: Row) -> bool:
        """Whether the table lets a piece take another without moving, heroic if need be."""
        if target.kind not in row.stay:
            return False
        forms = (row.normal, row.heroic)
        return any(max(form.take_ships if target.ship else form.take) for form in forms)

    # Pictures ---------------------------------------------------------------------------------

    def show(self, what: SetLike | KindLike) -> str:
        """A board as text: of a set, of the ``"terrain"``, or of where a kind goes and takes.

        >>> from cotulenh import Rules
        >>> print(Rules.load("official").tables.show("terrain"))
        W = water, L = land, M = mixed, R = river, B = bridge
        12  W W M L L L L L L L L
        11  W W M L L L L L L L L
        10  W W M L L L L L L L L
         9  W W M L L L L L L L L
         8  W W M L L L L L L L L
         7  W W M R R B L B L L L
         6  W W M R R B L B L L L
         5  W W M L L L L L L L L
         4  W W M L L L L L L L L
         3  W W M L L L L L L L L
         2  W W M L L L L L L L L
         1  W W M L L L L L L L L
            a b c d e f g h i j k
        """
        if isinstance(what, str) and what.strip().lower() == "terrain":
            return f"W = water, L = land, M = mixed, R = river, B = bridge\n{self.terrain}"
        if isinstance(what, Kind) or (isinstance(what, str) and _is_kind(what)):
            return self._show_access(Kind(what))
        return str(self.squares(what))

    def _show_access(self, kind: Kind) -> str:
        row, moves, attacks = (
            self._rules.row(kind),
            self.movement_mask(kind),
            self.attack_mask(kind),
        )

        def sign(square: Square) -> str:
            return "M" if square in moves else "A" if square in attacks else "."

        board = draw_grid(sign, Square, self._rules.files, self._rules.ranks)
        return f"{row.name}: M = can move, A = can attack (stay capture), . = neither\n{board}"

    # Checks and conversions -------------------------------------------------------------------

    def squares(self, value: SetLike) -> SquareSet:
        """A set of squares of this board; ``ValueError`` when some are not on it."""
        given = self._set(SquareSet._to_bits(value))
        if outside := given - self.terrain.all_accessible:
            raise ValueError(f"expected squares of this board, got {' '.join(map(str, outside))}")
        return given

    def _set(self, bits: int) -> SquareSet:
        return SquareSet(bits, files=self._rules.files, ranks=self._rules.ranks)

    def _union(self, sets: Iterable[SquareSet]) -> SquareSet:
        return self._set(reduce(or_, map(int, sets), 0))

    @cached_property
    def _core(self) -> _core.Tables:
        return _core.Tables(self._rules.core)


class Magic:
    """The magic lookup of one piece on one square.

    It has a few parts. Each masks the occupied points that matter to it, multiplies them by a
    magic number that gathers their bits at the top, and shifts the product down to an index into
    a table of answers. A piece that nothing can block has no parts.
    """

    def __init__(self, tables: Tables, kind: Kind, square: Square, heroic: bool) -> None:
        self._tables, self._key = tables, (kind.index, bool(heroic), int(square))
        parts = tables._core.magic(*self._key)
        #: The points each part looks at.
        self.masks: tuple[SquareSet, ...] = tuple(tables._set(mask) for mask, _, _ in parts)
        #: The magic factor of each part.
        self.magics: tuple[int, ...] = tuple(magic for _, magic, _ in parts)
        #: How far each product is shifted down.
        self.shifts: tuple[int, ...] = tuple(shift for _, _, shift in parts)
        #: The answers all parts can give together.
        self.size = sum(1 << 64 - shift for shift in self.shifts)

    def lookup(self, occupied: SetLike) -> SquareSet:
        """The piece's rays, each up to and including its first blocker."""
        blockers = int(self._tables.squares(occupied))
        return self._tables._set(self._tables._core.lookup(*self._key, blockers))


def _range(n: float) -> int:
    """A range as the core wants it: 0 to 12, and 12 for all that is longer than any board."""
    if n == math.inf:
        return UNLIMITED
    if not isinstance(n, int) or isinstance(n, bool) or not 0 <= n <= UNLIMITED:
        raise ValueError(f"expected a range (0 to {UNLIMITED}, or math.inf), got {n!r}")
    return n


def _is_kind(text: str) -> bool:
    try:
        Kind(text)
    except ValueError:
        return False
    return True

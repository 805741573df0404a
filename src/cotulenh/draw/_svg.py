"""A board as SVG: ground, marks, pieces, arrows, one above the other."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any, Literal

from cotulenh.board import Board, MoveKind
from cotulenh.draw import _scene
from cotulenh.draw._ground import EDGE, chess_ground, ground
from cotulenh.draw._marks import arrow, hatches, last_wedge, mark, rings
from cotulenh.draw._paint import GRADIENTS, Look, label, roles, stack, symbol
from cotulenh.draw._pieces import STYLES, number
from cotulenh.draw._scene import CELL, AnyBoard, Grid, Item, Place, Scene, places_of, scene_of
from cotulenh.draw._theme import THEMES
from cotulenh.squares import BLUE, RED, Color, Square

__all__ = ["RING_MARGIN", "ring_sources", "svg"]

_MARGIN = 44
#: A circle of radius ring + this much (in cells) holds every covered point and no other.
RING_MARGIN = 0.08


def svg(
    board: AnyBoard,
    *,
    size: int | None = None,
    flip: bool = False,
    theme: str = "light",
    coordinates: Literal["letters", "numbers"] | None = "letters",
    last_move: Any = None,
    arrows: Iterable[Any] = (),
    moves: Iterable[Any] = (),
    marks: Iterable[int | str] = (),
    air_defence: Color | Literal["both"] | None = None,
    check: bool | int | str | None = True,
    title: str | None = None,
    pieces: str = "pictograms",
    tone: bool = False,
) -> str:
    """The board as an SVG text.

    ``size`` is the width in pixels, by default as wide as there is room; ``flip`` shows the second
    side below. ``coordinates`` are a-k and 1-12 (``"letters"``), 0-10 and 0-11 (``"numbers"``) or
    none. ``last_move`` takes a move, a pair of squares or several (the steps of a deployment),
    ``arrows`` pairs of squares, a colour third if wanted, or moves; ``moves`` marks every target by
    what would happen there; ``marks`` rings points. ``air_defence`` shows the
    rings of a side or of ``"both"``. ``check`` marks the commander or king in check, or any point.
    Where a deployment is under way its origin is marked. ``pieces`` are ``"pictograms"``,
    Vietnamese ``"words"`` or ``"letters"``; with ``tone`` Blue's discs are pale, so that the sides
    differ without colour.

    >>> from cotulenh import Board
    >>> picture = svg(Board(), size=320, last_move=("g5", "g6"), air_defence="both")
    >>> picture.startswith("<svg "), picture.endswith("</svg>")
    (True, True)
    """
    scene = scene_of(board)
    canvas = Canvas(
        scene, flip=flip, theme=theme, coordinates=coordinates, pieces=pieces, tone=tone
    )
    canvas.ground()
    if air_defence is not None:
        canvas.air_defence(board, air_defence)
    canvas.last_move(last_move)
    canvas.origin()
    canvas.check(check)
    canvas.pieces()
    canvas.targets(moves)
    canvas.marks(marks)
    canvas.arrows(arrows)
    return canvas.text(size=size, title=title)


class Canvas:
    """A picture in the making: parts are added from the ground up, then it is written."""

    def __init__(
        self,
        scene: Scene,
        *,
        flip: bool,
        theme: str,
        coordinates: str | None,
        pieces: str = "pictograms",
        tone: bool = False,
    ) -> None:
        if theme not in THEMES:
            raise ValueError(f"expected a theme ({', '.join(THEMES)}), got {theme!r}")
        if coordinates not in ("letters", "numbers", None):
            raise ValueError(
                f"expected coordinates (letters, numbers or None), got {coordinates!r}"
            )
        if pieces not in STYLES:
            raise ValueError(f"expected pieces ({', '.join(STYLES)}), got {pieces!r}")
        self.scene, self.theme = scene, THEMES[theme]
        self.grid = Grid(scene.files, scene.ranks, flip)
        self.coordinates, self.look = coordinates, Look(pieces, tone)
        self.chess = scene.rules is None
        self.edge = CELL // 2 if self.chess else EDGE
        self.margin = _MARGIN if coordinates else 8
        self.items: set[tuple[Item, str]] = set()
        self.hatched = False
        self.checked: Place | None = None
        self.body: list[str] = []

    # Parts --------------------------------------------------------------------------------------

    def ground(self) -> None:
        """Frame, terrain, coordinates."""
        left, top, width, height = self.box
        self.body.append(
            f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="14"'
            f' fill="{self.theme.frame}"/>'
        )
        if self.scene.rules is None:
            self.body.append(chess_ground(self.grid, self.theme))
        else:
            self.body.append(ground(self.scene, self.scene.rules, self.grid, self.theme))
        self._neatline()
        if self.coordinates:
            self._labels()

    def _neatline(self) -> None:
        """The line around a chart, with bars that count the files and ranks."""
        edge = self.edge
        right = CELL * (self.scene.files - 1) + edge
        bottom = CELL * (self.scene.ranks - 1) + edge
        bars = "".join(
            f"M{CELL * file - 50} {y}h100"
            for file in range(0, self.scene.files, 2)
            for y in (-edge - 4, bottom + 4)
        ) + "".join(
            f"M{x} {CELL * rank - 50}v100"
            for rank in range(0, self.scene.ranks, 2)
            for x in (-edge - 4, right + 4)
        )
        self.body.append(
            f'<g fill="none" stroke="{self.theme.neatline}"><rect x="{-edge}" y="{-edge}"'
            f' width="{right + edge}" height="{bottom + edge}" stroke-width="2.5"/>'
            f'<path d="{bars}" stroke-width="5" stroke-opacity=".75"/></g>'
        )

    def _labels(self) -> None:
        away = self.edge + self.margin / 2
        bottom = CELL * (self.scene.ranks - 1) + away
        right = CELL * (self.scene.files - 1) + away
        letters = self.coordinates == "letters"
        for file in range(self.scene.files):
            x, _ = self.grid.xy((file, 0))
            name = chr(97 + file) if letters else str(file)
            self.body += [label(name, x, y, self.theme.label) for y in (-away, bottom)]
        for rank in range(self.scene.ranks):
            _, y = self.grid.xy((0, rank))
            name = str(rank + 1) if letters else str(rank)
            self.body += [label(name, x, y, self.theme.label) for x in (-away, right)]

    def air_defence(self, board: AnyBoard, sides: Color | str) -> None:
        """The points inside the rings of a side, or of both."""
        if not isinstance(board, Board):
            raise ValueError("chess has no air defence")
        if sides != "both" and not isinstance(sides, Color):
            raise ValueError(f"expected a side (RED, BLUE or 'both'), got {sides!r}")
        self.hatched = True
        for color in (RED, BLUE) if isinstance(sides, str) else (sides,):
            discs = []
            for square, ring in ring_sources(board, color):
                x, y = self.grid.xy((square.file, square.rank))
                discs.append((x, y, CELL * (ring + RING_MARGIN)))
            self.body.append(rings(discs, "r" if color is RED else "b", self.theme))

    def _mark(self, name: str, place: Place) -> None:
        x, y = self.grid.xy(place)
        drawn = mark(name, self.theme, chess=self.chess)
        self.body.append(f'<g transform="translate({x} {y})">{drawn}</g>')

    def last_move(self, given: Any) -> None:
        """Where the last move began and ended; a deployment has one wedge a step."""
        steps = [places_of(self.scene, move) for move in _scene.each_move(given)]
        for start, end in [] if self.chess else steps:
            self.body.append(last_wedge(*self.grid.xy(start), *self.grid.xy(end), self.theme))
        ends = dict.fromkeys(end for _, end in steps)
        for start in dict.fromkeys(start for start, _ in steps):
            if start not in ends:
                self._mark("last-from", start)
        for end in ends:
            self._mark("last-to", end)

    def check(self, check: bool | int | str | None) -> None:
        """A halo behind the one who is in check."""
        if check is None or check is False:
            return
        place = self.scene.in_check if check is True else _scene.place(self.scene, check)
        if place is not None:
            self._mark("check", place)
            self.checked = place

    def origin(self) -> None:
        """Where a deployment is under way."""
        if self.scene.origin is not None:
            self._mark("selected", self.scene.origin)

    def pieces(self) -> None:
        """Everything that stands on the board."""
        # From the top down: the coins of a stack lie over what stands below it.
        for place in sorted(self.scene.stacks, key=lambda one: self.grid.xy(one)[::-1]):
            self.body.append(self.stack(self.scene.stacks[place], *self.grid.xy(place)))
        if self.checked is not None:
            self._mark("check-badge", self.checked)

    def stack(self, items: tuple[Item, ...], x: float, y: float) -> str:
        """A stack somewhere; what it needs will be defined."""
        shown = items[:4]
        self.items.update(zip(shown, roles(len(shown)), strict=True))
        return stack(items, x, y, chess=self.chess)

    def targets(self, moves: Iterable[Any]) -> None:
        """Each target by what would happen there."""
        targets: dict[Place, str] = {}
        for move in moves:
            start, place = places_of(self.scene, move)
            if start != place:
                kind = self._kind(move, start, place)
                # Where a taker may choose, the closed ring stands for both ways.
                targets[place] = "capture" if targets.get(place) == "capture" else kind
        for place, kind in sorted(targets.items()):
            self._mark(kind, place)

    def _kind(self, move: Any, start: Place, place: Place) -> str:
        kind = getattr(move, "kind", None)
        named = kind.name.lower() if isinstance(kind, MoveKind) else ""
        there, mover = self.scene.stacks.get(place), self.scene.stacks.get(start)
        if named and named != "normal":
            return named
        if there is None:
            return "normal"
        return "combine" if mover and there[0].side == mover[0].side else "capture"

    def marks(self, squares: Iterable[int | str]) -> None:
        """Rings around points."""
        for square in squares:
            self._mark("circle", _scene.place(self.scene, square))

    def arrows(self, arrows: Iterable[Any]) -> None:
        """Arrows from middle to middle."""
        for given in arrows:
            color, pair = self.theme.arrow, given
            if isinstance(given, tuple | list) and len(given) == 3:
                color, pair = escape(str(given[2])), given[:2]
            (x1, y1), (x2, y2) = map(self.grid.xy, places_of(self.scene, pair))
            self.body.append(arrow(x1, y1, x2, y2, color))

    # The whole ----------------------------------------------------------------------------------

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the picture in its own units."""
        away = self.edge + self.margin
        width = CELL * (self.scene.files - 1) + 2 * away
        height = CELL * (self.scene.ranks - 1) + 2 * away
        return -away, -away, width, height

    def text(self, *, size: int | None, title: str | None) -> str:
        """The SVG text."""
        left, top, width, height = self.box
        measure = ""
        if size is not None:
            if size < 1:
                raise ValueError(f"a picture is at least one pixel wide, not {size}")
            measure = f' width="{size}" height="{number(size * height / width)}"'
        defs = "" if self.chess else GRADIENTS
        defs += hatches(self.theme) if self.hatched else ""
        defs += "".join(
            symbol(item, chess=self.chess, look=self.look, role=role)
            for item, role in sorted(self.items)
        )
        named = f"<title>{escape(title)}</title>" if title else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}"'
            f"{measure}>{named}<defs>{defs}</defs>{''.join(self.body)}</svg>"
        )


def ring_sources(board: Board, color: Color) -> list[tuple[Square, int]]:
    """What closes the sky for a side: points and the reach of the ring there (5.1).

    >>> from cotulenh import RED, Board
    >>> [(square.name, ring) for square, ring in ring_sources(Board(), RED)]
    [('b2', 1), ('g3', 2), ('c4', 1), ('e4', 1), ('i4', 1)]
    """
    found = []
    for square in board.occupied(color):
        stack = board.stack_at(square)
        assert stack is not None
        carrier = stack.pieces[0]
        row = board.rules.rows[carrier.kind]
        ring = (row.heroic if carrier.heroic else row.normal).ring
        if ring:
            found.append((square, ring))
    return found

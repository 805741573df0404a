"""A board as SVG: ground, marks, pieces, arrows, one above the other."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import hypot
from typing import Any, Literal

from cotulenh.board import Board
from cotulenh.draw import _scene
from cotulenh.draw._ground import EDGE, chess_ground, ground
from cotulenh.draw._paint import THEMES, badge_symbol, label, stack, symbol
from cotulenh.draw._pieces import number, star
from cotulenh.draw._scene import CELL, AnyBoard, Item, Place, Scene, View, places_of, scene_of
from cotulenh.squares import BLUE, RED, Color

__all__ = ["svg"]

_MARGIN = 54
_RINGS = {RED: "#e0442c", BLUE: "#2f74d6"}


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
) -> str:
    """The board as an SVG text.

    ``size`` is the width in pixels, by default as wide as there is room; ``flip`` shows the second
    side below. ``coordinates`` are a-k and 1-12 (``"letters"``), 0-10 and 0-11 (``"numbers"``) or
    none. ``last_move`` takes a move, a pair of squares or several (the steps of a deployment),
    ``arrows`` pairs of squares, a colour third if wanted, or moves; ``moves`` puts a dot on every
    target and a ring around what stands there; ``marks`` rings points. ``air_defence`` shows the
    rings of a side or of ``"both"``. ``check`` marks the commander or king in check, or any point.
    Where a deployment is under way there is a dashed frame.

    >>> from cotulenh import Board
    >>> picture = svg(Board(), size=320, last_move=("g5", "g6"), air_defence="both")
    >>> picture.startswith("<svg "), picture.endswith("</svg>")
    (True, True)
    """
    scene = scene_of(board)
    canvas = Canvas(scene, flip=flip, theme=theme, coordinates=coordinates)
    canvas.ground()
    if air_defence is not None:
        canvas.air_defence(board, air_defence)
    canvas.last_move(last_move)
    canvas.check(check)
    canvas.pieces()
    canvas.origin()
    canvas.targets(moves)
    canvas.marks(marks)
    canvas.arrows(arrows)
    return canvas.text(size=size, title=title)


class Canvas:
    """A picture in the making: parts are added from the ground up, then it is written."""

    def __init__(self, scene: Scene, *, flip: bool, theme: str, coordinates: str | None) -> None:
        if theme not in THEMES:
            raise ValueError(f"no such theme: {theme!r} ({', '.join(THEMES)})")
        if coordinates not in ("letters", "numbers", None):
            raise ValueError(f"no such coordinates: {coordinates!r} (letters, numbers or None)")
        self.scene, self.theme = scene, THEMES[theme]
        self.view = View(scene.files, scene.ranks, flip)
        self.coordinates = coordinates
        self.chess = scene.rules is None
        self.edge = CELL // 2 if self.chess else EDGE
        self.margin = _MARGIN if coordinates else 8
        self.items: set[Item] = set()
        self.badges: set[Item] = set()
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
            self.body.append(chess_ground(self.view, self.theme))
        else:
            self.body.append(ground(self.scene, self.scene.rules, self.view, self.theme))
        if self.coordinates:
            self._labels()

    def _labels(self) -> None:
        away = self.edge + self.margin / 2
        bottom = CELL * (self.scene.ranks - 1) + away
        right = CELL * (self.scene.files - 1) + away
        letters = self.coordinates == "letters"
        for file in range(self.scene.files):
            x, _ = self.view.xy((file, 0))
            name = chr(97 + file) if letters else str(file)
            self.body += [label(name, x, y, self.theme.label) for y in (-away, bottom)]
        for rank in range(self.scene.ranks):
            _, y = self.view.xy((0, rank))
            name = str(rank + 1) if letters else str(rank)
            self.body += [label(name, x, y, self.theme.label) for x in (-away, right)]

    def air_defence(self, board: AnyBoard, sides: Color | str) -> None:
        """The points inside the rings of a side, or of both."""
        if not isinstance(board, Board):
            raise ValueError("chess has no air defence")
        if sides != "both" and not isinstance(sides, Color):
            raise ValueError(f"no such side: {sides!r} (RED, BLUE or 'both')")
        for color in (RED, BLUE) if isinstance(sides, str) else (sides,):
            covered = {(s.file, s.rank) for s in board.air_defence(color)}
            self.body.append(self._region(covered, _RINGS[color]))

    def _region(self, places: set[Place], color: str) -> str:
        area, border = [], []
        for file, rank in sorted(places):
            x, y = self.view.xy((file, rank))
            area.append(f"M{x - 50} {y - 50}h100v100h-100z")
            for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if (file + df, rank + dr) not in places:
                    ox, oy = self.view.xy((file + df, rank + dr))
                    mx, my = (x + ox) // 2, (y + oy) // 2
                    way = f"M{mx} {my - 50}v100" if x != ox else f"M{mx - 50} {my}h100"
                    border.append(way)
        return (
            f'<path d="{"".join(area)}" fill="{color}" fill-opacity=".2"/>'
            f'<path d="{"".join(border)}" fill="none" stroke="{color}" stroke-width="4"'
            ' stroke-dasharray="12 8" stroke-opacity=".8"/>'
        )

    def last_move(self, given: Any) -> None:
        """Patches under where the last move began and ended."""
        seen: list[Place] = []
        for move in _scene.each_move(given):
            seen += [p for p in places_of(self.scene, move) if p not in seen]
        corner = 2 if self.chess else 18
        for place in seen:
            x, y = self.view.xy(place)
            self.body.append(
                f'<rect x="{x - 49}" y="{y - 49}" width="98" height="98" rx="{corner}"'
                f' fill="{self.theme.last}" fill-opacity=".55"/>'
            )

    def check(self, check: bool | int | str | None) -> None:
        """A burst behind the one who is in check."""
        if check is None or check is False:
            return
        place = self.scene.in_check if check is True else _scene.place(self.scene, check)
        if place is None:
            return
        x, y = self.view.xy(place)
        radius = 50 if self.chess else 54
        self.body.append(f'<path d="{star(x, y, radius, 0.8, 14)}" fill="{self.theme.check}"/>')

    def origin(self) -> None:
        """A dashed frame where a deployment is under way."""
        if self.scene.origin is None:
            return
        x, y = self.view.xy(self.scene.origin)
        self.body.append(
            f'<rect x="{x - 50}" y="{y - 50}" width="100" height="100" rx="23" fill="none"'
            f' stroke="{self.theme.join}" stroke-width="5" stroke-dasharray="12 8"/>'
        )

    def pieces(self) -> None:
        """Everything that stands on the board."""
        for place in sorted(self.scene.stacks):
            self.body.append(self.stack(self.scene.stacks[place], *self.view.xy(place)))

    def stack(self, items: tuple[Item, ...], x: float, y: float) -> str:
        """A stack somewhere; what it needs will be defined."""
        (self.badges if len(items) > 1 else self.items).update(items)
        return stack(items, x, y, chess=self.chess)

    def targets(self, moves: Iterable[Any]) -> None:
        """A dot for each target, a ring around what is taken or joined."""
        targets = {}
        for move in moves:
            start, place = places_of(self.scene, move)
            if start != place:
                mover = self.scene.stacks.get(start)
                targets[place] = mover[0].side if mover else ""
        for place, side in sorted(targets.items()):
            x, y = self.view.xy(place)
            there = self.scene.stacks.get(place)
            if there is None:
                self.body.append(
                    f'<circle cx="{x}" cy="{y}" r="15" fill="{self.theme.dot}" fill-opacity=".75"/>'
                )
            else:
                color = self.theme.join if there[0].side == side else self.theme.check
                self.body.append(
                    f'<circle cx="{x}" cy="{y}" r="46" fill="none" stroke="{color}"'
                    ' stroke-width="7"/>'
                )

    def marks(self, squares: Iterable[int | str]) -> None:
        """Rings around points."""
        for square in squares:
            x, y = self.view.xy(_scene.place(self.scene, square))
            self.body.append(
                f'<circle cx="{x}" cy="{y}" r="46" fill="none" stroke="{self.theme.arrow}"'
                ' stroke-width="6"/>'
            )

    def arrows(self, arrows: Iterable[Any]) -> None:
        """Arrows from middle to middle."""
        for arrow in arrows:
            color = self.theme.arrow
            if isinstance(arrow, tuple | list) and len(arrow) == 3:
                color, arrow = escape(str(arrow[2])), arrow[:2]
            (x1, y1), (x2, y2) = map(self.view.xy, places_of(self.scene, arrow))
            self.body.append(_arrow(x1, y1, x2, y2, color))

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
        defs = "".join(symbol(item, chess=self.chess) for item in sorted(self.items))
        defs += "".join(badge_symbol(item) for item in sorted(self.badges))
        named = f"<title>{escape(title)}</title>" if title else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}"'
            f"{measure}>{named}<defs>{defs}</defs>{''.join(self.body)}</svg>"
        )


def _arrow(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    length = hypot(x2 - x1, y2 - y1)
    if length == 0:
        return f'<circle cx="{x1}" cy="{y1}" r="46" fill="none" stroke="{color}" stroke-width="6"/>'
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    tx, ty = x2 - 12 * ux, y2 - 12 * uy  # the tip
    bx, by = tx - 38 * ux, ty - 38 * uy  # where the head begins
    sx, sy = x1 + 24 * ux, y1 + 24 * uy
    w, h = 7.5, 21
    outline = [
        (sx - w * uy, sy + w * ux),
        (bx - w * uy, by + w * ux),
        (bx - h * uy, by + h * ux),
        (tx, ty),
        (bx + h * uy, by - h * ux),
        (bx + w * uy, by - w * ux),
        (sx + w * uy, sy - w * ux),
    ]
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in outline) + "Z"
    return (
        f'<path d="{path}" fill="{color}" fill-opacity=".85" stroke="#fff" stroke-opacity=".6"'
        ' stroke-width="2.5" stroke-linejoin="round"/>'
    )

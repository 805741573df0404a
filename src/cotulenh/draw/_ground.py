"""The ground of a picture: a sea chart with beach, depths, river and reefs; or chess squares."""

from __future__ import annotations

from functools import lru_cache
from math import cos, hypot, pi, sin

from cotulenh.draw._chart import Box, Field, path
from cotulenh.draw._scene import CELL, Grid, Scene
from cotulenh.draw._theme import VARIABLES, Theme
from cotulenh.rules import Rules

__all__ = ["EDGE", "chess_ground", "ground"]

#: How far the ground reaches beyond the outermost points: a piece and the mark around it fit.
EDGE = 54
#: The water beyond points of the shore, and beyond those of a river mouth.
_SHORE, _MOUTH, _RIVER = 16.0, 40.0, 22.0
#: Where the water of a step begins, counted from the bank.
_DEPTHS = (32, 64, 95, 150)

Place = tuple[int, int]


def chess_ground(grid: Grid, theme: Theme) -> str:
    """Sixty-four squares."""
    dark = "".join(
        f"M{x - 50} {y - 50}h100v100h-100z"
        for file in range(grid.files)
        for rank in range(grid.ranks)
        if (file + rank) % 2 == 0
        for x, y in [grid.xy((file, rank))]
    )
    side = CELL * grid.files
    return (
        f'<rect x="-50" y="-50" width="{side}" height="{side}" fill="{theme.light_square}"/>'
        f'<path d="{dark}" fill="{theme.dark_square}"/>'
    )


class _Map:
    """Terrain as data for a picture, the first side below."""

    def __init__(self, rules: Rules) -> None:
        self.files, self.ranks = rules.files, rules.ranks
        terrain = rules.terrain
        self.wet = {(s.file, s.rank) for s in terrain.navy_accessible}
        self.mixed = {(s.file, s.rank) for s in terrain.mixed}
        self.bridges = {(s.file, s.rank) for s in terrain.bridges}
        self.right, self.bottom = CELL * (self.files - 1), CELL * (self.ranks - 1)
        #: The rank south of the river, -1 if no river runs between ranks.
        self.south: int = rules.spec["river"] - 1
        self.frame = (-EDGE, -EDGE, self.right + EDGE, self.bottom + EDGE)

    def xy(self, file: float, rank: float) -> tuple[float, float]:
        return CELL * file, CELL * (self.ranks - 1 - rank)

    def is_sea(self, file: int, rank: int) -> bool:
        """Whether all points around a square are wet; beyond the edge the nearest point counts."""
        return all(
            (min(max(f, 0), self.files - 1), min(max(r, 0), self.ranks - 1)) in self.wet
            for f in (file, file + 1)
            for r in (rank, rank + 1)
        )

    def boxes(self) -> list[Box]:
        """All water: rectangles between wet points, rivers through points, the river."""
        found = []
        for rank in range(-1, self.ranks):
            for begin, end in _runs([self.is_sea(f, rank) for f in range(-1, self.files)]):
                found.append(self._sea(begin, end, rank, rank + 1))
        # Columns as well as rows: where rectangles only touch, the water between them has no bank.
        for file in range(-1, self.files):
            for begin, end in _runs([self.is_sea(file, r) for r in range(-1, self.ranks)]):
                found.append(self._sea(file, file + 1, begin, end))
        return _merged(found) + self._course() + self.river()

    def _sea(self, west: int, east: int, south: int, north: int) -> Box:
        """The water between files and ranks; at the edge it goes on."""
        far = 4.0 * CELL
        left = -far if west < 0 else CELL * west
        right = self.right + far if east > self.files - 1 else CELL * east
        top = -far if north > self.ranks - 1 else CELL * (self.ranks - 1 - north)
        bottom = self.bottom + far if south < 0 else CELL * (self.ranks - 1 - south)
        return Box(left, top, right, bottom, _SHORE)

    def _course(self) -> list[Box]:
        """Rivers that are one point wide: runs of wet points with land on both sides."""
        found = []
        for file, rank in sorted(self.wet):
            x, y = self.xy(file, rank)
            across = (file + 1, rank) in self.wet
            if across and not self.is_sea(file, rank) and not self.is_sea(file, rank - 1):
                found.append(Box(x, y, x + CELL, y, _RIVER + 8))
            up = (file, rank + 1) in self.wet
            if up and not self.is_sea(file, rank) and not self.is_sea(file - 1, rank):
                found.append(Box(x, y - CELL, x, y, _RIVER + 8))
        return found

    def river(self) -> list[Box]:
        """The river between two ranks (2.3), and the wide water of its mouth."""
        if self.south < 0:
            return []
        y = self.xy(0, self.south + 0.5)[1]
        mouth = [f for f in range(self.files - 1) if self.is_sea(f, self.south)]
        last = mouth[-1] + 1 if mouth else -1
        found = [Box(CELL * max(last, -1), y, self.right + 4 * CELL, y, _RIVER)]
        # Only where the sea reaches further inland than above and below there is a mouth.
        inland = [f for f in mouth if not self.is_sea(f, self.south + 1)]
        if inland:
            left, right = CELL * inland[0], CELL * last
            found.append(Box(left, y - 50, right - 12, y + 50, _MOUTH))
        return found

    def reefs(self) -> list[tuple[float, float]]:
        """The middles of the reefs: over the river, or on the points a river runs through."""
        if self.south < 0:
            return [self.xy(*place) for place in sorted(self.bridges)]
        files = {f for f, r in self.bridges if r == self.south and (f, r + 1) in self.bridges}
        return [self.xy(file, self.south + 0.5) for file in sorted(files)]


def _runs(flags: list[bool]) -> list[tuple[int, int]]:
    """Where runs of true values begin and end, counted from -1.

    >>> _runs([True, True, False, True])
    [(-1, 1), (2, 3)]
    """
    found, begin = [], None
    for n, flag in enumerate([*flags, False], -1):
        if flag and begin is None:
            begin = n
        elif not flag and begin is not None:
            found.append((begin, n))
            begin = None
    return found


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes of equal width, or of equal height, that touch become one."""
    for side in (lambda b: (b.left, b.right, b.top), lambda b: (b.top, b.bottom, b.left)):
        found: list[Box] = []
        for box in sorted(set(boxes), key=side):
            last = found[-1] if found else None
            if last and last[0::2] == box[0::2] and last.bottom >= box.top >= last.top:
                found[-1] = last._replace(bottom=max(last.bottom, box.bottom))
            elif last and last[1:4:2] == box[1:4:2] and last.right >= box.left >= last.left:
                found[-1] = last._replace(right=max(last.right, box.right))
            else:
                found.append(box)
        boxes = found
    return boxes


def ground(scene: Scene, rules: Rules, grid: Grid, theme: Theme) -> str:
    """Land, sea, river, reefs, and the lines whose crossings are the points."""
    drawn = _drawn(rules)
    # The drawing is made once with names for colours; they are filled in here.
    for name in Theme.__slots__:
        drawn = drawn.replace(getattr(VARIABLES, name), getattr(theme, name))
    if not grid.flip:
        return drawn
    middle = f"{CELL * (scene.files - 1) / 2:g} {CELL * (scene.ranks - 1) / 2:g}"
    return f'<g transform="rotate(180 {middle})">{drawn}</g>'


@lru_cache(maxsize=16)
def _drawn(rules: Rules) -> str:
    chart = _Map(rules)
    paint = VARIABLES
    field = Field(chart.boxes(), chart.frame)
    left, top, right, bottom = chart.frame
    width, height = right - left, bottom - top
    rect = f'x="{left}" y="{top}" width="{width}" height="{height}"'
    return "".join(
        (
            # A picture within the picture cuts off what flows over the edge, and needs no id.
            f'<svg {rect} viewBox="{left} {top} {width} {height}">',
            f'<rect {rect} fill="{paint.land}"/>',
            _inland(chart, paint),
            _hills(chart, field, paint),
            _water(field, paint),
            _stipple(chart, field, paint),
            _waves(chart, field, paint),
            _stream(chart, paint),
            _fords(chart, paint),
            _lines(chart, field, paint),
            "".join(_stones(x, y, paint) for x, y in chart.reefs()),
            "</svg>",
        )
    )


def _inland(chart: _Map, paint: Theme) -> str:
    """Land that changes eastwards: thin sheets over one another, for a gradient needs an id."""
    left, top, right, bottom = chart.frame
    sheets = (left + (right - left) * n / 13 for n in range(3, 12))
    return "".join(
        f'<path d="M{x:g} {top}H{right}V{bottom}H{x:g}Z" fill="{paint.land_inland}" opacity=".1"/>'
        for x in sheets
    )


def _water(field: Field, paint: Theme) -> str:
    """The beach as strokes of the bank, then the water in steps of depth, then the surf."""
    bank = path(field.lines(0))
    if not bank:
        return ""
    beach = "".join(
        f'<path d="{bank}" fill="none" stroke="{paint.sand}" stroke-width="{wide}"'
        f' stroke-opacity="{strong}"/>'
        for wide, strong in ((92, 0.2), (70, 0.3), (48, 0.5), (32, 0.8))
    )
    parts = [
        beach,
        f'<path d="{bank}" fill="{paint.sea_4}" stroke="{paint.wet_sand}" stroke-width="13"/>',
        f'<path d="{bank}" fill="{paint.sea_4}" stroke="{paint.foam}" stroke-width="5"/>',
    ]
    seas = (paint.sea_3, paint.sea_2, paint.sea_1, paint.sea_0)
    for depth, sea in zip(_DEPTHS, seas, strict=True):
        line = path(field.lines(-depth))
        if line:
            parts.append(
                f'<path d="{line}" fill="{sea}" stroke="{paint.sea_4}" stroke-width="2.2"'
                ' stroke-opacity=".55"/>'
            )
    return "".join(parts)


def _stream(chart: _Map, paint: Theme) -> str:
    """The deeper middle of a river that runs between ranks."""
    return "".join(
        f'<path d="M{box.left - early:g} {box.top:g}H{box.right:g}" fill="none" stroke="{sea}"'
        f' stroke-width="{wide}" stroke-linecap="round"/>'
        for box in chart.river()[:1]
        # The deepest begins within the water of the same depth in the mouth.
        for sea, wide, early in ((paint.sea_3, 31, 4), (paint.sea_2, 20, 46))
    )


def _stipple(chart: _Map, field: Field, paint: Theme) -> str:
    """Dots on the shallows around mixed points: ground for ships and for all others."""
    dots = []
    for row in range(int((chart.bottom + 2 * EDGE) / 13)):
        y = -EDGE + 13 * row
        for column in range(int((chart.right + 2 * EDGE) / 15)):
            x = -EDGE + 15 * column + 7.5 * (row % 2)
            file, rank = round(x / CELL), chart.ranks - 1 - round(y / CELL)
            near = hypot(x - CELL * file, y - CELL * (chart.ranks - 1 - rank)) < 70
            if (file, rank) in chart.mixed and near and -70 < field.at(x, y) < -7:
                dots.append(f"M{x:g} {y:g}h0")
    return (
        f'<path d="{"".join(dots)}" stroke="{paint.stipple}" stroke-width="3.4"'
        ' stroke-linecap="round" stroke-opacity=".75"/>'
    )


def _waves(chart: _Map, field: Field, paint: Theme) -> str:
    """A few short waves on open sea."""
    marks = []
    for n in range(90):
        x = -40 + (n * 137.5) % (chart.right + 80)
        y = -30 + (n * 293.0 + (n * n) % 61) % (chart.bottom + 60)
        if field.at(x, y) < -100 and field.at(x + 24, y) < -100:
            marks.append(f"M{x:.0f} {y:.0f}q6-6 12 0t12 0")
    return (
        f'<path d="{"".join(marks)}" fill="none" stroke="{paint.sea_4}" stroke-width="2.2"'
        ' stroke-linecap="round" stroke-opacity=".7"/>'
    )


def _hills(chart: _Map, field: Field, paint: Theme) -> str:
    """Contour lines: hills on dry land, four lines each."""
    rings, placed = [], 0
    for n in range(40):
        x = (n * 211.0 + 90) % chart.right
        y = (n * 317.0 + 130) % chart.bottom
        if field.at(x, y) < 90 or placed == 8:
            continue
        placed += 1
        for ring in range(1, 5):
            points = []
            for k in range(10):
                angle = 2 * pi * k / 10
                r = ring * (24 + 5 * sin(3 * angle + n) + 4 * sin(2 * angle + 2 * n))
                points.append((x + 1.35 * r * cos(angle), y + r * sin(angle)))
            rings.append(points)
    return (
        f'<path d="{path(rings)}" fill="none" stroke="{paint.contour}" stroke-width="1.6"'
        ' stroke-opacity=".14"/>'
    )


def _lines(chart: _Map, field: Field, paint: Theme) -> str:
    """The grid; at sea its lines have the water's colour, over the river there are none."""
    dry: list[str] = []
    wet: list[str] = []

    def draw(file: float, rank: float, to_file: float, to_rank: float) -> None:
        (x1, y1), (x2, y2) = chart.xy(file, rank), chart.xy(to_file, to_rank)
        parts = wet if field.at((x1 + x2) / 2, (y1 + y2) / 2) < 0 else dry
        parts.append(f"M{x1:g} {y1:g}L{x2:g} {y2:g}")

    reefs = {x for x, _ in chart.reefs()}
    for file in range(chart.files):
        for rank in range(chart.ranks):
            if file + 1 < chart.files:
                draw(file, rank, file + 0.5, rank)
                draw(file + 0.5, rank, file + 1, rank)
            if rank + 1 == chart.ranks:
                continue
            open_water = chart.is_sea(file, rank) or chart.is_sea(file - 1, rank)
            if rank == chart.south and not open_water and CELL * file not in reefs:
                draw(file, rank, file, rank + 0.16)
                draw(file, rank + 0.84, file, rank + 1)
            else:
                draw(file, rank, file, rank + 0.5)
                draw(file, rank + 0.5, file, rank + 1)
    return (
        f'<g fill="none" stroke-width="2.6" stroke-linecap="square"><path d="{"".join(wet)}"'
        f' stroke="{paint.sea_line}" stroke-opacity=".55"/><path d="{"".join(dry)}"'
        f' stroke="{paint.line}" stroke-opacity=".85"/><rect width="{chart.right}"'
        f' height="{chart.bottom}" stroke="{paint.neatline}" stroke-opacity=".5"/></g>'
    )


def _fords(chart: _Map, paint: Theme) -> str:
    """Pale shallow water where the reefs are."""
    return "".join(
        f'<path d="M{x - 38:g} {y - 30:g}Q{x:g} {y - 42:g} {x + 38:g} {y - 30:g}Q{x + 46:g} {y:g}'
        f" {x + 38:g} {y + 30:g}Q{x:g} {y + 42:g} {x - 38:g} {y + 30:g}Q{x - 46:g} {y:g}"
        f' {x - 38:g} {y - 30:g}Z" fill="{paint.sea_4}"/><path d="M{x - 37:g} {y - 20:g}q-7 20 0 40'
        f'M{x + 37:g} {y - 20:g}q7 20 0 40" fill="none" stroke="{paint.foam}" stroke-width="4"'
        ' stroke-linecap="round"/>'
        for x, y in chart.reefs()
    )


def _stones(x: float, y: float, paint: Theme) -> str:
    """Five stones in a staggered row: where heavy pieces cross."""
    stones = []
    for n in range(5):
        sx, sy = x + (9 if n % 2 else -9), y - 38 + 19 * n
        stones.append(
            f'<ellipse cx="{sx:g}" cy="{sy:g}" rx="14.5" ry="9" fill="{paint.stone}"'
            f' stroke="{paint.stone_edge}" stroke-width="2"/><ellipse cx="{sx - 2:g}"'
            f' cy="{sy - 2.6:g}" rx="9.5" ry="4.4" fill="{paint.stone_top}"/>'
        )
    return "".join(stones)

"""The ground of a picture: sea, land, rivers, bridges, lines; or chess squares."""

from __future__ import annotations

from cotulenh.draw._paint import Theme
from cotulenh.draw._scene import CELL, Scene, View
from cotulenh.rules import Rules
from cotulenh.squares import Square

__all__ = ["EDGE", "chess_ground", "ground"]

#: How far the ground reaches beyond the outermost points: a piece and the mark around it fit.
EDGE = 54


def chess_ground(view: View, theme: Theme) -> str:
    """Sixty-four squares."""
    dark = "".join(
        f"M{x - 50} {y - 50}h100v100h-100z"
        for file in range(view.files)
        for rank in range(view.ranks)
        if (file + rank) % 2 == 0
        for x, y in [view.xy((file, rank))]
    )
    side = CELL * view.files
    return (
        f'<rect x="-50" y="-50" width="{side}" height="{side}" fill="{theme.light_square}"/>'
        f'<path d="{dark}" fill="{theme.dark_square}"/>'
    )


class _Map:
    """Terrain as a picture: between four points where ships stand there is sea."""

    def __init__(self, scene: Scene, rules: Rules, view: View) -> None:
        self.files, self.ranks, self.view = scene.files, scene.ranks, view
        self.rules, self.terrain = rules, rules.terrain
        self.wet = {(s.file, s.rank) for s in self.terrain.navy_accessible}
        self.right = CELL * (self.files - 1)
        self.bottom = CELL * (self.ranks - 1)
        #: The rank south of the river, -1 if no river runs between ranks.
        self.south: int = rules.spec["river"] - 1

    def xy(self, file: float, rank: float) -> tuple[float, float]:
        if self.view.flip:
            return CELL * (self.files - 1 - file), CELL * rank
        return CELL * file, CELL * (self.ranks - 1 - rank)

    def box(self, file: int, rank: int) -> str:
        """The square between four points; at the edge it reaches to the end of the ground."""
        wide = EDGE / CELL
        left, right = (file if file >= 0 else -wide), min(file + 1, self.files - 1 + wide)
        low, high = (rank if rank >= 0 else -wide), min(rank + 1, self.ranks - 1 + wide)
        corners = [
            self.xy(left, low),
            self.xy(right, low),
            self.xy(right, high),
            self.xy(left, high),
        ]
        return "M" + "L".join(f"{x:g} {y:g}" for x, y in corners) + "Z"

    def is_sea(self, file: int, rank: int) -> bool:
        """Whether all points around a square are wet; beyond the edge the nearest point counts."""
        return all(
            (min(max(f, 0), self.files - 1), min(max(r, 0), self.ranks - 1)) in self.wet
            for f in (file, file + 1)
            for r in (rank, rank + 1)
        )

    def sea(self) -> str:
        return "".join(
            self.box(file, rank)
            for file in range(-1, self.files)
            for rank in range(-1, self.ranks)
            if self.is_sea(file, rank)
        )

    def course(self) -> str:
        """Rivers that are one point wide: lines between wet neighbours with land on both sides."""
        parts = []
        for file, rank in sorted(self.wet):
            across = (file + 1, rank) in self.wet
            if across and not self.is_sea(file, rank) and not self.is_sea(file, rank - 1):
                parts.append(self.line(file, rank, file + 1, rank))
            up = (file, rank + 1) in self.wet
            if up and not self.is_sea(file, rank) and not self.is_sea(file - 1, rank):
                parts.append(self.line(file, rank, file, rank + 1))
        return "".join(parts)

    def line(self, file: float, rank: float, to_file: float, to_rank: float) -> str:
        (x1, y1), (x2, y2) = self.xy(file, rank), self.xy(to_file, to_rank)
        return f"M{x1:g} {y1:g}L{x2:g} {y2:g}"

    def river(self) -> tuple[str, list[float]]:
        """The river between two ranks (2.3), mouth to edge, and the files of its bridges."""
        rank = self.south
        if rank < 0:
            return "", []
        mouth = max((f for f in range(-1, self.files - 1) if self.is_sea(f, rank)), default=-2)
        start = max(mouth + 1, -EDGE / CELL)
        line = self.line(start, rank + 0.5, self.files - 1 + EDGE / CELL, rank + 0.5)
        bridges = [
            file
            for file in range(self.files)
            if Square.at(file, rank) in self.terrain.bridges
            and Square.at(file, rank + 1) in self.terrain.bridges
        ]
        return line, [float(file) for file in bridges]


def ground(scene: Scene, rules: Rules, view: View, theme: Theme) -> str:
    """Land, sea, river, bridges, and the lines whose crossings are the points."""
    chart = _Map(scene, rules, view)
    river, bridges = chart.river()
    width, height = chart.right + 2 * EDGE, chart.bottom + 2 * EDGE
    rect = f'x="{-EDGE}" y="{-EDGE}" width="{width}" height="{height}"'
    sea, course = chart.sea(), chart.course()
    parts = [
        # A picture within the picture cuts off what flows over the edge, and needs no id for it.
        f'<svg {rect} viewBox="{-EDGE} {-EDGE} {width} {height}">'
        f'<rect {rect} fill="{theme.land}"/>',
        # The beach is the sea once more, a little wider, in the colour of sand.
        f'<g stroke="{theme.shore}" fill="{theme.shore}" stroke-linejoin="round">'
        f'<path d="{sea}" stroke-width="22"/>',
    ]
    if river:
        parts.append(f'<path d="{river}" stroke-width="54" stroke-linecap="round"/>')
    if course:
        parts.append(f'<path d="{course}" stroke-width="46" stroke-linecap="round"/>')
    parts.append(f'</g><g stroke="{theme.sea}" fill="{theme.sea}" stroke-linejoin="round">')
    parts.append(f'<path d="{sea}" stroke-width="4"/>')
    if river:
        parts.append(f'<path d="{river}" stroke-width="40" stroke-linecap="round"/>')
    if course:
        parts.append(f'<path d="{course}" stroke-width="32" stroke-linecap="round"/>')
    parts.append("</g>")
    parts.append(_lines(chart, theme, river != ""))
    parts.extend(_bridge(chart, file, theme) for file in bridges)
    parts.extend(_ford(chart, s, theme) for s in rules.terrain.bridges if not bridges)
    parts.append("</svg>")
    return "".join(parts)


def _lines(chart: _Map, theme: Theme, river: bool) -> str:
    """The grid; at sea its lines have the water's colour, over the river there are none."""
    dry: list[str] = []
    wet: list[str] = []
    for file in range(chart.files):
        for rank in range(chart.ranks):
            if file + 1 < chart.files:
                is_wet = chart.is_sea(file, rank) or chart.is_sea(file, rank - 1)
                (wet if is_wet else dry).append(chart.line(file, rank, file + 1, rank))
            if rank + 1 < chart.ranks:
                is_wet = chart.is_sea(file, rank) or chart.is_sea(file - 1, rank)
                crossing = river and not is_wet and rank == chart.south
                if not crossing:
                    (wet if is_wet else dry).append(chart.line(file, rank, file, rank + 1))
                else:
                    dry.append(chart.line(file, rank, file, rank + 0.3))
                    dry.append(chart.line(file, rank + 0.7, file, rank + 1))
    return (
        f'<g fill="none" stroke-width="2.5" stroke-linecap="square"><path d="{"".join(wet)}"'
        f' stroke="{theme.sea_line}"/><path d="{"".join(dry)}" stroke="{theme.line}"/></g>'
    )


def _bridge(chart: _Map, file: float, theme: Theme) -> str:
    x, y = chart.xy(file, chart.south + 0.5)
    planks = "".join(f"M{x - 15:g} {y + dy:g}h30" for dy in range(-24, 25, 12))
    return (
        f'<rect x="{x - 17:g}" y="{y - 32:g}" width="34" height="64" fill="{theme.bridge}"/>'
        f'<path d="{planks}M{x - 17:g} {y - 35:g}v70M{x + 17:g} {y - 35:g}v70" fill="none"'
        f' stroke="{theme.bridge_line}" stroke-width="4" stroke-linecap="round"/>'
    )


def _ford(chart: _Map, square: Square, theme: Theme) -> str:
    """A bridge over a river that runs through points."""
    x, y = chart.xy(square.file, square.rank)
    return (
        f'<rect x="{x - 20:g}" y="{y - 27:g}" width="40" height="54" fill="{theme.bridge}"/>'
        f'<path d="M{x - 20:g} {y - 30:g}v60M{x + 20:g} {y - 30:g}v60" fill="none"'
        f' stroke="{theme.bridge_line}" stroke-width="4" stroke-linecap="round"/>'
    )

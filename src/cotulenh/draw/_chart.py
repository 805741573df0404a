"""The coast of a board: a smooth bank line and lines of equal depth, made from its terrain.

Water is described by its distance to the bank, negative inside; lines of equal distance are walked
out of a grid of samples (marching squares) and smoothed. No map is painted by hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot, inf, sin
from typing import NamedTuple

__all__ = ["Box", "Field", "path"]

Point = tuple[float, float]
_Edge = tuple[tuple[int, int], tuple[int, int]]


class Box(NamedTuple):
    """A rectangle of water and how far beyond it the water reaches."""

    left: float
    top: float
    right: float
    bottom: float
    reach: float

    def distance(self, x: float, y: float) -> float:
        """Distance to the bank of this water alone, negative inside."""
        dx = max(self.left - x, x - self.right)
        dy = max(self.top - y, y - self.bottom)
        if dx <= 0 and dy <= 0:
            return max(dx, dy) - self.reach
        return hypot(max(dx, 0), max(dy, 0)) - self.reach


#: Where two waters meet the corner between them is rounded over this length.
_ROUND = 46.0
_STEP = 18


def _blend(a: float, b: float) -> float:
    """The smaller of two distances; near a corner something smaller still, which rounds it."""
    nearness = max(_ROUND - abs(a - b), 0.0) / _ROUND
    return min(a, b) - nearness * nearness * _ROUND / 4


class Field:
    """Distances to the bank over a part of the plane."""

    def __init__(self, boxes: Iterable[Box], frame: tuple[float, float, float, float]) -> None:
        self.boxes = list(boxes)
        left, top, right, bottom = frame
        # A little more than is seen: lines then leave the picture instead of ending in it.
        self.xs = [left - 60 + _STEP * i for i in range(int((right - left + 120) / _STEP) + 2)]
        self.ys = [top - 60 + _STEP * i for i in range(int((bottom - top + 120) / _STEP) + 2)]
        self.grid = [[self._outside(x, y) for x in self.xs] for y in self.ys]
        self._fathom()

    def _fathom(self) -> None:
        """Depths: within joined waters the way to the bank is found by walking over the grid."""
        grid, near = self.grid, 1.2 * _STEP
        for row in grid:
            row[:] = [value if value > -near else -inf for value in row]
        rows, columns = range(len(self.ys)), range(len(self.xs))
        for turn in (1, -1):
            for j in rows[::turn]:
                for i in columns[::turn]:
                    if grid[j][i] > -near:
                        continue
                    ways = ((0, turn, 1.0), (turn, 0, 1.0), (turn, turn, 1.4), (-turn, turn, 1.4))
                    for di, dj, length in ways:
                        a, b = i - di, j - dj
                        if 0 <= a < len(columns) and 0 <= b < len(rows):
                            grid[j][i] = max(grid[j][i], grid[b][a] - length * _STEP)

    def at(self, x: float, y: float) -> float:
        """Distance to the bank at a point, between the samples around it."""
        fx = min(max((x - self.xs[0]) / _STEP, 0), len(self.xs) - 1.001)
        fy = min(max((y - self.ys[0]) / _STEP, 0), len(self.ys) - 1.001)
        i, j = int(fx), int(fy)
        u, v = fx - i, fy - j
        above = self.grid[j][i] * (1 - u) + self.grid[j][i + 1] * u
        below = self.grid[j + 1][i] * (1 - u) + self.grid[j + 1][i + 1] * u
        return above * (1 - v) + below * v

    def _outside(self, x: float, y: float) -> float:
        """Distance to the nearest water, with the unevenness of a real coast."""
        found = inf
        for box in self.boxes:
            found = _blend(found, box.distance(x, y)) if found < inf else box.distance(x, y)
        wave = 8 * sin(y / 83 + 1.3) + 3 * sin(y / 37 + x / 71) + 3 * sin(x / 59 + 0.4)
        return found + wave

    def lines(self, level: float) -> list[list[Point]]:
        """The closed lines on which the distance has a value; the frame closes open ones."""
        ends: dict[_Edge, _Edge] = {}
        for j in range(len(self.ys) - 1):
            for i in range(len(self.xs) - 1):
                ends.update(self._cell(i, j, level))
        lines = []
        while ends:
            first, edge = ends.popitem()
            line = [self._cut(first, level)]
            while edge != first and edge in ends:
                line.append(self._cut(edge, level))
                edge = ends.pop(edge)
            lines.append(line)
        return [line for line in lines if len(line) > 5]

    def _value(self, i: int, j: int) -> float:
        edge = i in (0, len(self.xs) - 1) or j in (0, len(self.ys) - 1)
        return 1e3 if edge else max(self.grid[j][i], -1e4)

    def _cell(self, i: int, j: int, level: float) -> list[tuple[_Edge, _Edge]]:
        """The pieces of line in one cell as pairs of edges, the water always on the same hand."""
        corners = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
        wet = [self._value(*corner) < level for corner in corners]
        leaving: list[_Edge] = []
        entering: list[_Edge] = []
        for k in range(4):
            p, q = corners[k], corners[(k + 1) % 4]
            if wet[k] != wet[(k + 1) % 4]:
                # An edge is named the same from both of its cells.
                (leaving if wet[k] else entering).append((min(p, q), max(p, q)))
        return list(zip(leaving, entering, strict=True))

    def _cut(self, edge: _Edge, level: float) -> Point:
        """Where a line crosses an edge of the grid."""
        (i, j), (k, m) = edge
        a, b = self._value(i, j) - level, self._value(k, m) - level
        share = a / (a - b)
        x = self.xs[i] + (self.xs[k] - self.xs[i]) * share
        y = self.ys[j] + (self.ys[m] - self.ys[j]) * share
        return x, y


def _thin(line: list[Point]) -> list[Point]:
    """Leaves out points that lie nearly on the way between their neighbours."""
    kept = [line[0]]
    for i in range(1, len(line) - 1):
        (ax, ay), (x, y), (bx, by) = kept[-1], line[i], line[i + 1]
        away = abs((bx - ax) * (ay - y) - (ax - x) * (by - ay))
        length = hypot(bx - ax, by - ay) or 1.0
        if away / length > 0.8 or hypot(x - ax, y - ay) > 60:
            kept.append(line[i])
    kept.append(line[-1])
    return kept


def path(lines: list[list[Point]]) -> str:
    """Closed lines as one smooth path: curves from middle to middle of the corners."""
    parts = []
    for line in lines:
        points = _thin(line)
        middles = [
            ((x + points[(k + 1) % len(points)][0]) / 2, (y + points[(k + 1) % len(points)][1]) / 2)
            for k, (x, y) in enumerate(points)
        ]
        text = f"M{middles[-1][0]:.0f} {middles[-1][1]:.0f}"
        text += "".join(
            f"Q{x:.0f} {y:.0f} {mx:.0f} {my:.0f}"
            for (x, y), (mx, my) in zip(points, middles, strict=True)
        )
        parts.append(text + "Z")
    return "".join(parts)

"""Marks on the board: what a move does has a shape of its own; colour only repeats it.

Each mark is drawn around (0, 0) and lies on a casing that keeps it readable on any ground. The page
uses the same drawings as symbols with the names of :data:`MARKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import acos, atan2, cos, hypot, pi, sin

from cotulenh.draw._pieces import number
from cotulenh.draw._theme import Theme

__all__ = ["MARKS", "arrow", "hatches", "last_wedge", "mark", "rings"]

_BADGES = {
    "exchange": "M-9-4H8M3-9L9-4L3 1M9 5H-8M-3 0L-9 5L-3 10",
    "join": "M0-9V9M-9 0H9",
    "breach": "M3-11L-3-2L4 2L-3 11",
    "check": "M0-9V2M0 8V8.2",
}


def _cased(theme: Theme, color: str, shape: str, width: float) -> str:
    """A line shape twice: the casing, then the line itself."""
    return (
        f'<g fill="none" stroke-linecap="round" stroke-linejoin="round"><g stroke="{theme.casing}"'
        f' stroke-width="{number(width + 6)}">{shape}</g><g stroke="{color}"'
        f' stroke-width="{number(width)}">{shape}</g></g>'
    )


def _badge(theme: Theme, color: str, name: str, small: bool) -> str:
    size = 21 if small else 17
    return (
        f'<g transform="translate(38 -38) scale({number(size / 17)})"><circle r="19"'
        f' fill="{theme.casing}"/><circle r="16" fill="{color}"/><path d="{_BADGES[name]}"'
        f' fill="none" stroke="{theme.casing}" stroke-width="3.6" stroke-linecap="round"'
        ' stroke-linejoin="round"/></g>'
    )


def _arc(radius: float, begin: float, end: float) -> str:
    """A part of a circle, angles in degrees, clockwise from the right."""
    a, b = begin * pi / 180, end * pi / 180
    large = 1 if end - begin > 180 else 0
    return (
        f"M{number(radius * cos(a))} {number(radius * sin(a))}A{number(radius)} {number(radius)}"
        f" 0 {large} 1 {number(radius * cos(b))} {number(radius * sin(b))}"
    )


def _dot(theme: Theme, small: bool) -> str:
    r = 17 if small else 14
    return f'<circle r="{r + 3}" fill="{theme.casing}"/><circle r="{r}" fill="{theme.dot}"/>'


def _take(theme: Theme, small: bool) -> str:
    return _cased(theme, theme.take, '<circle r="52"/>', 9 if small else 7.5)


def _stay(theme: Theme, small: bool) -> str:
    """A gun sight: a broken ring and four ticks."""
    arcs = "".join(_arc(52, 18 + 90 * n, 72 + 90 * n) for n in range(4))
    ticks = "M42 0H64M-42 0H-64M0 42V64M0-42V-64"
    return _cased(theme, theme.take, f'<path d="{arcs}{ticks}"/>', 8 if small else 6.5)


def _exchange(theme: Theme, small: bool) -> str:
    """Two arrows that chase each other."""
    heads = "M-13-63L1-53L-12-42M13 63L-1 53L12 42"
    arcs = _arc(53, 100, 262) + _arc(53, 280, 442)
    lines = _cased(theme, theme.exchange, f'<path d="{arcs}{heads}"/>', 9 if small else 7.5)
    return lines + _badge(theme, theme.exchange, "exchange", small)


def _join(theme: Theme, small: bool) -> str:
    square = '<rect x="-54" y="-54" width="108" height="108" rx="24"/>'
    lines = _cased(theme, theme.join, square, 9 if small else 7.5)
    return lines + _badge(theme, theme.join, "join", small)


def _breach(theme: Theme, small: bool) -> str:
    """Beads, and a crack in the badge."""
    beads = '<circle r="52" stroke-dasharray=".1 16.23"/>'
    lines = _cased(theme, theme.take, beads, 11 if small else 9.5)
    return lines + _badge(theme, theme.take, "breach", small)


def _selected(theme: Theme, small: bool) -> str:
    return (
        f'<circle r="60" fill="{theme.casing}"/><circle r="57" fill="{theme.join}"/>'
        f'<circle r="48" fill="{theme.casing}" fill-opacity=".35"/>'
    )


def _last_from(theme: Theme, small: bool) -> str:
    return (
        f'<circle r="24" fill="{theme.last}" fill-opacity=".35" stroke="{theme.last_line}"'
        f' stroke-width="10"/><circle r="24" fill="none" stroke="{theme.last}" stroke-width="6"/>'
    )


def _last_to(theme: Theme, small: bool) -> str:
    return (
        f'<circle r="57" fill="{theme.last}" stroke="{theme.last_line}" stroke-width="3"/>'
        f'<circle r="48" fill="none" stroke="{theme.last_line}" stroke-width="1.5"/>'
    )


def _check(theme: Theme, small: bool) -> str:
    return (
        f'<circle r="66" fill="{theme.check}" fill-opacity=".28"/><circle r="57"'
        f' fill="{theme.check}" stroke="{theme.casing}" stroke-width="3"/>'
    )


def _check_badge(theme: Theme, small: bool) -> str:
    return _badge(theme, theme.check, "check", small)


def _hint(theme: Theme, small: bool) -> str:
    ring = '<circle r="54" stroke-dasharray="22 12"/>'
    return _cased(theme, theme.join, ring, 9 if small else 7)


def _circle(theme: Theme, small: bool) -> str:
    return _cased(theme, theme.arrow, '<circle r="50"/>', 8)


def _square(theme: Theme, color: str, opacity: str) -> str:
    return (
        f'<rect x="-48" y="-48" width="96" height="96" fill="{color}" fill-opacity="{opacity}"'
        f' stroke="{color}" stroke-width="4"/>'
    )


#: Every mark by its name; ``chess-`` marks keep to their square.
MARKS: dict[str, Callable[[Theme, bool], str]] = {
    "normal": _dot,
    "capture": _take,
    "stay": _stay,
    "exchange": _exchange,
    "combine": _join,
    "breach": _breach,
    "castling": _join,
    "selected": _selected,
    "last-from": _last_from,
    "last-to": _last_to,
    "check": _check,
    "check-badge": _check_badge,
    "hint": _hint,
    "circle": _circle,
    "chess-selected": lambda theme, small: _square(theme, theme.join, ".45"),
    "chess-last-from": lambda theme, small: _square(theme, theme.last, ".5"),
    "chess-last-to": lambda theme, small: _square(theme, theme.last, ".65"),
}


def mark(name: str, theme: Theme, *, small: bool = False, chess: bool = False) -> str:
    """A mark around (0, 0); ``small`` for cells below 40 pixels."""
    if chess and f"chess-{name}" in MARKS:
        name = f"chess-{name}"
    drawn = MARKS[name](theme, small)
    return f'<g transform="scale(.86)">{drawn}</g>' if chess and name in _RINGED else drawn


_RINGED = ("capture", "check", "hint", "circle", "castling", "combine")


def last_wedge(x1: float, y1: float, x2: float, y2: float, theme: Theme) -> str:
    """The way of the last move: a wedge that grows wider towards its end."""
    length = hypot(x2 - x1, y2 - y1)
    if length < 60:
        return ""
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    ex, ey = x2 - 40 * ux, y2 - 40 * uy
    points = ((x1, y1), (ex - 20 * uy, ey + 20 * ux), (ex + 20 * uy, ey - 20 * ux))
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"
    return (
        f'<path d="{path}" fill="{theme.last}" fill-opacity=".8" stroke="{theme.last_line}"'
        ' stroke-width="1.5" stroke-opacity=".6" stroke-linejoin="round"/>'
    )


def arrow(x1: float, y1: float, x2: float, y2: float, color: str, width: float = 16) -> str:
    """An arrow from middle to middle; to its own point it is a ring."""
    length = hypot(x2 - x1, y2 - y1)
    if length == 0:
        return (
            f'<circle cx="{number(x1)}" cy="{number(y1)}" r="50" fill="none" stroke="{color}"'
            ' stroke-width="8"/>'
        )
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    half, head = width / 2, width * 1.35 + 6
    neck, tip = length - 16 - head * 1.6, length - 16
    shape = [(24, half), (neck, half), (neck, head), (tip, 0)]
    outline = [*shape, *((along, -across) for along, across in reversed(shape[:3]))]
    path = "M" + "L".join(
        f"{number(x1 + ux * along - uy * across)} {number(y1 + uy * along + ux * across)}"
        for along, across in outline
    )
    return (
        f'<path d="{path}Z" fill="{color}" fill-opacity=".88" stroke="#fff" stroke-opacity=".8"'
        ' stroke-width="3" stroke-linejoin="round"/>'
    )


# Air defence ----------------------------------------------------------------------------------

Disc = tuple[float, float, float]


def hatches(theme: Theme) -> str:
    """The patterns of the rings: Red's lines rise, Blue's fall."""
    return "".join(
        f'<pattern id="hatch-{side}" width="16" height="16" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate({turn})"><path d="M0 0H16" stroke="{color}" stroke-width="4"'
        ' stroke-opacity=".5"/></pattern>'
        for side, turn, color in (("r", -45, theme.ring_red), ("b", 45, theme.ring_blue))
    )


def rings(discs: Sequence[Disc], side: str, theme: Theme) -> str:
    """Circles of one side as one shape: a joined outline over a hatch."""
    color = theme.ring_red if side == "r" else theme.ring_blue
    area = "".join(
        f"M{number(x - r)} {number(y)}a{number(r)} {number(r)} 0 1 0 {number(2 * r)} 0"
        f"a{number(r)} {number(r)} 0 1 0 {number(-2 * r)} 0Z"
        for x, y, r in discs
    )
    edge = _outline(discs)
    return (
        f'<path d="{area}" fill="{color}" fill-opacity=".12"/>'
        f'<path d="{area}" fill="url(#hatch-{side})"/><g fill="none" stroke-linecap="round">'
        f'<path d="{edge}" stroke="{theme.casing}" stroke-width="9" stroke-opacity=".55"/>'
        f'<path d="{edge}" stroke="{color}" stroke-width="5"/></g>'
    )


def _outline(discs: Sequence[Disc]) -> str:
    """The arcs of circles that lie in no other circle."""
    parts = []
    for i, (x, y, r) in enumerate(discs):
        hidden: list[tuple[float, float]] = []
        swallowed = False
        for j, (ox, oy, other) in enumerate(discs):
            away = hypot(ox - x, oy - y)
            if i == j or away >= r + other or away <= r - other:
                continue
            if away <= other - r and (away < other - r or j < i):
                swallowed = True
                break
            angle = atan2(oy - y, ox - x)
            half = acos((away * away + r * r - other * other) / (2 * away * r))
            hidden.append((angle - half, angle + half))
        if not swallowed:
            parts += [_piece_of(x, y, r, a, b) for a, b in _seen(hidden)]
    return "".join(parts)


def _seen(hidden: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """What is left of a full turn."""
    spans = []
    for a, b in hidden:
        begin = a % (2 * pi)
        end = begin + (b - a)
        spans += [(begin, end)] if end <= 2 * pi else [(begin, 2 * pi), (0.0, end - 2 * pi)]
    left, at = [], 0.0
    for a, b in sorted(spans):
        if a > at:
            left.append((at, a))
        at = max(at, b)
    if at < 2 * pi:
        left.append((at, 2 * pi))
    return left


def _piece_of(x: float, y: float, r: float, a: float, b: float) -> str:
    middle = (a + b) / 2  # in two halves: a full turn has no direction otherwise
    points = [(number(x + r * cos(t)), number(y + r * sin(t))) for t in (a, middle, b)]
    (sx, sy), (mx, my), (ex, ey) = points
    bow = f"A{number(r)} {number(r)} 0 0 1"
    return f"M{sx} {sy}{bow} {mx} {my}{bow} {ex} {ey}"

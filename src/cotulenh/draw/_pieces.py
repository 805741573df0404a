"""The drawings of the pieces, as SVG paths. All of them were drawn for this project.

Each drawing fits a box of 64 by 64 units around the point (0, 0) and has two paints: ``@`` is the
ink, ``~`` is what lies under it. They are filled in when a piece of a colour is asked for.
"""

from __future__ import annotations

from math import cos, pi, sin

__all__ = ["CHESS", "COMMANDER_CHESS", "STAR", "star"]


def number(value: float) -> str:
    """A number as short as it can be written: two decimals, no trailing zeros.

    >>> number(1.5), number(-0.001), number(12)
    ('1.5', '0', '12')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _points(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def star(x: float, y: float, radius: float, inner: float = 0.42, spikes: int = 5) -> str:
    """The path of a star that stands on two of its points."""
    corners = []
    for i in range(2 * spikes):
        r = radius if i % 2 == 0 else radius * inner
        angle = pi * i / spikes
        corners.append((x + r * sin(angle), y - r * cos(angle)))
    return _points(corners)


def _gear(teeth: int, outer: float, inner: float, hole: float) -> str:
    corners = []
    step = 2 * pi / teeth
    for i in range(teeth):
        for part, r in ((-0.3, inner), (-0.19, outer), (0.19, outer), (0.3, inner)):
            angle = (i + part) * step
            corners.append((r * sin(angle), -r * cos(angle)))
    h = number(hole)
    return f"{_points(corners)}M{h} 0A{h} {h} 0 1 0 -{h} 0A{h} {h} 0 1 0 {h} 0Z"


def _laurel() -> str:
    """Two branches that close below: leaves along a circle, each a lens."""
    leaves = []
    for side in (-1, 1):
        for i in range(4):
            angle = pi * (0.9 - 0.16 * i)
            x, y = side * 27 * sin(angle), -27 * cos(angle)
            turn = angle - 0.18  # along the circle and upwards, the tip a little outwards
            dx, dy = side * cos(turn) * 8.5, sin(turn) * -8.5
            nx, ny = -dy * 0.85, dx * 0.85
            tip, end = f"{number(x + dx)} {number(y + dy)}", f"{number(x - dx)} {number(y - dy)}"
            leaves.append(
                f"M{end}Q{number(x + nx)} {number(y + ny)} {tip}"
                f"Q{number(x - nx)} {number(y - ny)} {end}Z"
            )
    return "".join(leaves)


STAR = star(0, 0, 10)

_FACE = '<path fill="@" d="M-11.5-1h23v4c0 7.5-5 13-11.5 13s-11.5-5.5-11.5-13z"/>'
_SHOULDERS = (
    '<path fill="@" d="M-28 31c0-11 6-15.5 15-16.5c4 3 8 5 13 5s9-2 13-5c9 1 15 5.5 15 16.5z"/>'
)

#: Cờ Tư Lệnh, by the letter of the FEN.
COMMANDER_CHESS = {
    "C": f'<path fill="@" d="{star(0, -5, 23.5)}"/><path fill="@" d="{_laurel()}"/>',
    # A soldier in a helmet.
    "I": (
        '<path fill="@" d="M-19-8c0-13 8-21 19-21s19 8 19 21z"/>'
        '<path fill="@" d="M-24-9.5h48a2.5 2.5 0 0 1 0 6h-48a2.5 2.5 0 0 1 0-6z"/>'
        + _FACE
        + _SHOULDERS
    ),
    # A villager in a conical hat with a scarf.
    "M": (
        '<path fill="@" d="M0-31L31-6c1.5 1.5.500 3.5-1.5 3.8C10 0-10 0-29.5-2.2'
        'c-2-.3-3-2.3-1.5-3.8z"/>' + _FACE + _SHOULDERS
    ),
    "E": f'<path fill="@" fill-rule="evenodd" d="{_gear(8, 31, 23, 10)}"/>',
    "T": (
        '<path fill="@" d="M-13-7v-8q0-5 5-5h14q3 0 4.5 2.5H32v5.5H13l2 5z"/>'
        '<path fill="@" d="M-26 5l5-9h41l7 9z"/>'
        '<rect fill="@" x="-31" y="7.5" width="62" height="18" rx="9"/>'
        '<g fill="~"><circle cx="-20" cy="16.5" r="5"/><circle cx="-6.7" cy="16.5" r="5"/>'
        '<circle cx="6.7" cy="16.5" r="5"/><circle cx="20" cy="16.5" r="5"/></g>'
    ),
    # A field gun: barrel and shield, one big wheel, the trail on the ground.
    "A": (
        '<g transform="rotate(-32 -4 4)"><path fill="@"'
        ' d="M-16-5.5h40v-1.5h11v12.5h-11v-1.5h-40z"/></g>'
        '<path fill="@" d="M-6 12l-26 11.5 1.5 4.5 29-8z"/>'
        '<circle fill="~" cx="0" cy="12" r="18.5"/>'
        '<path fill="@" fill-rule="evenodd" d="M16 12A16 16 0 1 1-16 12A16 16 0 1 1 16 12Z'
        'M10.5 12A10.5 10.5 0 1 0-10.5 12A10.5 10.5 0 1 0 10.5 12Z"/>'
        '<path fill="@" d="M-1.8 0h3.6v24h-3.6zM-12 10.2h24v3.6h-24z"/>'
        '<circle fill="@" cx="0" cy="12" r="4.5"/>'
    ),
    # Two barrels that part towards the sky, on a turret and its base.
    "G": (
        '<g fill="@"><path transform="rotate(-27 0 14)" d="M-4 6v-31h-2v-9h12v9h-2v31z"/>'
        '<path transform="rotate(27 0 14)" d="M-4 6v-31h-2v-9h12v9h-2v31z"/>'
        '<path d="M-17 19a17 17 0 0 1 34 0z"/><path d="M-28 22h56v8h-56z"/></g>'
        '<circle fill="~" cx="0" cy="12" r="4.5"/>'
    ),
    # A rocket on its way.
    "S": (
        '<g transform="rotate(42) translate(0 1)">'
        '<path fill="@" d="M0-38c6.5 6 8.5 13 8.5 21v32h-17v-32c0-8 2-15 8.5-21z"/>'
        '<path fill="@" d="M-11 0v17l-9.5 7v-12zM11 0v17l9.5 7v-12z"/>'
        '<path fill="~" d="M-8.5-15h17v4h-17z"/>'
        '<path fill="@" d="M-7 18h14q-1 8-7 16q-6-8-7-16z"/></g>'
    ),
    # A jet seen from above.
    "F": (
        '<path fill="@" d="M0-33c4 5 5.5 11 5.5 19v2.5L31 8v8L5.5 10.5V19L14 26v6L0 28.5-14 32'
        'v-6l8.5-7v-8.5L-31 16v-8L-5.5-11.5v-2.5c0-8 1.5-14 5.5-19z"/>'
    ),
    # A warship on its waves.
    "N": (
        '<path fill="@" d="M-33 4H33L25 17H-25Z"/>'
        '<path fill="@" d="M-16 1v-8h7v-9h6.5v-15h4v4h10v5h-10v6h8.5v9h7v8z"/>'
        '<path fill="@" d="M20 1v-5h-1v-3h12v3h-4v5zM-30 1v-3h8v-3h4v6z"/>'
        '<path fill="none" stroke="@" stroke-width="4.5" stroke-linecap="round" d="M-25 25'
        'q4.2-5 8.3 0t8.3 0 8.4 0 8.3 0 8.3 0 8.4 0"/>'
    ),
    # A building with columns and a flag on its roof.
    "H": (
        '<path fill="@" d="M-1.5-15V-34h3l17 5.5-17 5.5v8z"/>'
        '<path fill="@" d="M0-17L30-3v6h-60v-6z"/>'
        '<path fill="@" d="M-25 5.5h8v14h-8zM-10.5 5.5h8v14h-8zM2.5 5.5h8v14h-8zM17 5.5h8v14h-8z"/>'
        '<path fill="@" d="M-30 22h60v7h-60z"/>'
    ),
}

_BASE = '<path d="M-25 36v-6q0-4 5-4h40q5 0 5 4v6z"/>'

#: Chess, by the letter of the FEN. ``@`` fills, ``~`` is the line around and within.
CHESS = {
    "P": (
        '<path d="M-9-8.5q9-3 18 0q1.5 19 11 27v8h-40v-8q9.5-8 11-27z"/>'
        '<circle cx="0" cy="-19" r="12"/>'
        '<path d="M-22 36v-5.5q0-4 5-4h34q5 0 5 4v5.5z"/>'
    ),
    "R": (
        '<path d="M-16-12h32l3 38h-38z"/>'
        '<path d="M-23-34h10v7h8v-7h10v7h8v-7h10v16l-6 6.5h-34l-6-6.5z"/>' + _BASE
    ),
    "N": (
        '<path d="M-19 26c-1-13 5-19 13-26c-5 1-9 3-12 7c-3 3.5-8 3-10-1c-1.5-3 0-6 3-10'
        "c5-7 8-13 11-19l-2-11c6 1 10 3 13 6c17 2 28 16 27 54z"
        '"/><circle cx="-8" cy="-14" r="2.8" fill="~" stroke="none"/>'
        '<path d="M8-20c9 7 11 22 9.5 38" fill="none"/>' + _BASE
    ),
    "B": (
        '<path d="M-13 12h26l6 14h-38z"/>'
        '<path d="M0-30c11 8 18 16 18 26q0 10-8 15.5h-20q-8-5.5-8-15.5c0-10 7-18 18-26z"/>'
        '<circle cx="0" cy="-33" r="4.5"/>'
        '<path d="M4-20l-6 14" fill="none"/>' + _BASE
    ),
    "Q": (
        '<path d="M-19 14h38l3 12h-44z"/>'
        '<path d="M-19 16l-14-36 15 17-4-25 13 21 9-26 9 26 13-21-4 25 15-17-14 36z"/>'
        '<circle cx="-33" cy="-22" r="4"/><circle cx="-22" cy="-30" r="4"/>'
        '<circle cx="0" cy="-34.5" r="4"/><circle cx="22" cy="-30" r="4"/>'
        '<circle cx="33" cy="-22" r="4"/>' + _BASE
    ),
    "K": (
        '<path d="M-3.5-38h7v5.5h6v6.5h-6v8h-7v-8h-6v-6.5h6z"/>'
        '<path d="M-17 26c-1-7-3-9-8-14c-11-11-5-26 7-26c9 0 14 5 18 11c4-6 9-11 18-11'
        'c12 0 18 15 7 26c-5 5-7 7-8 14z"/>'
        '<path d="M0-3c-6-6-8-10-5-14q2.5-3 5-4 2.5 1 5 4c3 4 1 8-5 14z"/>'
        '<path d="M-18 16q18-6 36 0" fill="none"/>' + _BASE
    ),
}

"""The drawings of the pieces, as SVG paths. All of them were drawn for this project.

Each drawing fits a box of 64 by 64 units around the point (0, 0) and has two paints: ``@`` is the
ink, ``~`` is what lies under it. They are filled in when a piece of a colour is asked for.
"""

from __future__ import annotations

from math import cos, pi, sin

__all__ = ["CHESS", "COMMANDER_CHESS", "STYLES", "glyph", "number", "star"]


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


#: How the pieces of Cờ Tư Lệnh can be drawn.
STYLES = ("pictograms", "words", "letters")

_FACE = '<path fill="@" d="M-11.5-1h23v4c0 7.5-5 13-11.5 13s-11.5-5.5-11.5-13z"/>'
_SHOULDERS = (
    '<path fill="@" d="M-28 31c0-11 6-15.5 15-16.5c4 3 8 5 13 5s9-2 13-5c9 1 15 5.5 15 16.5z"/>'
)
_HELMET = (
    '<path fill="@" d="M-19-8c0-13 8-21 19-21s19 8 19 21z"/>'
    '<path fill="@" d="M-24-9.5h48a2.5 2.5 0 0 1 0 6h-48a2.5 2.5 0 0 1 0-6z"/>'
)
_WHEELS = '<rect fill="@" x="-31" y="7.5" width="62" height="18" rx="9"/>'
_TURRET = (
    '<path fill="@" d="M-13-7v-8q0-5 5-5h14q3 0 4.5 2.5H32v5.5H13l2 5z"/>'
    '<path fill="@" d="M-26 5l5-9h41l7 9z"/>'
)
_BARREL = (
    '<g transform="rotate(-32 -4 4)"><path fill="@"'
    ' d="M-16-5.5h40v-1.5h11v12.5h-11v-1.5h-40z"/></g>'
    '<path fill="@" d="M-6 12l-26 11.5 1.5 4.5 29-8z"/>'
    '<circle fill="~" cx="0" cy="12" r="18.5"/>'
)
# Two barrels side by side, on a cradle and its base.
_TWIN = (
    '<g fill="@" transform="translate(3 8) rotate(34)"><path d="M-10 2v-32h-1.5v-8h9v8H-4v32z"/>'
    '<path d="M4 2v-32H2.5v-8h9v8H10v32z"/><path d="M-12 0h24v9h-24z"/></g>'
    '<path fill="@" d="M-15 21l7-17 16 6 5 11z"/><path fill="@" d="M-28 23h54v7h-54z"/>'
)


def _ring_sight(x: float, y: float) -> str:
    return (
        f'<g transform="translate({x} {y})"><circle r="8.5" fill="none" stroke="@"'
        ' stroke-width="3.2"/><path d="M0-12V12M-12 0H12" stroke="@" stroke-width="2.4"/></g>'
    )


#: Cờ Tư Lệnh, by the letter of the FEN.
COMMANDER_CHESS = {
    "C": f'<path fill="@" d="{star(0, -5, 23.5)}"/><path fill="@" d="{_laurel()}"/>',
    # A soldier in a helmet, the rifle at his side.
    "I": (
        '<g transform="translate(-5 0)">'
        + _HELMET
        + _FACE
        + '<path fill="@" d="M-25 31c0-11 5-15.5 13-16.5c4 3 7 5 12 5s8-2 12-5c3 0 5 1 7 2.5V31z"/>'
        "</g>"
        '<path fill="@" d="M21-31h3.6v13h3.2v16l-1 5 3.2 9v19h-9V12l2-9V-2h-2z"/>'
    ),
    # A villager in a conical hat with a scarf.
    "M": (
        '<path fill="@" d="M0-31L31-6c1.5 1.5.5 3.5-1.5 3.8C10 0-10 0-29.5-2.2'
        'c-2-.3-3-2.3-1.5-3.8z"/>' + _FACE + _SHOULDERS
    ),
    # A pick and a spade, crossed.
    "E": (
        '<g transform="rotate(45)"><path fill="@" d="M-3.2-20h6.4v52h-6.4z"/>'
        '<path fill="@" d="M-26-10Q-18-31 0-31T26-10Q14-21 0-21T-26-10Z"/></g>'
        '<g transform="rotate(-45)"><path fill="@" stroke="~" stroke-width="2.5" d="M-3.2-26'
        'h6.4V6h8.3v9q0 10-11.5 18q-11.5-8-11.5-18V6h8.3z"/>'
        '<path fill="@" d="M-9.5-33h19v7h-19z"/></g>'
    ),
    "T": (
        _TURRET + _WHEELS + '<g fill="~"><circle cx="-20" cy="16.5" r="5"/>'
        '<circle cx="-6.7" cy="16.5" r="5"/>'
        '<circle cx="6.7" cy="16.5" r="5"/><circle cx="20" cy="16.5" r="5"/></g>'
    ),
    # A field gun: barrel, one big wheel, the trail on the ground.
    "A": (
        _BARREL
        + '<path fill="@" fill-rule="evenodd" d="M16 12A16 16 0 1 1-16 12A16 16 0 1 1 16 12Z'
        'M10.5 12A10.5 10.5 0 1 0-10.5 12A10.5 10.5 0 1 0 10.5 12Z"/>'
        '<path fill="@" d="M-1.8 0h3.6v24h-3.6zM-12 10.2h24v3.6h-24z"/>'
        '<circle fill="@" cx="0" cy="12" r="4.5"/>'
    ),
    "G": _TWIN + _ring_sight(-18, -12),
    # A rocket on its rail.
    "S": (
        '<g transform="translate(1 -5) rotate(38)">'
        '<path fill="@" d="M0-31c6 5.5 8 11.5 8 18v28h-16v-28c0-6.5 2-12.5 8-18z"/>'
        '<path fill="@" d="M-10.5 2v14l-8.5 6v-10zM10.5 2v14l8.5 6v-10z"/>'
        '<path fill="~" d="M-8-11h16v3.8h-16z"/>'
        '<path fill="@" d="M-6 17.5h12q-1 6-6 12q-5-6-6-12z"/></g>'
        '<path fill="@" d="M-4 24L24-9l5 4-20 29z"/><path fill="@" d="M-28 25h56v6h-56z"/>'
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
    # A bunker with a slit, over it the flag with the star.
    "H": (
        '<path fill="@" d="M-9-6V-33h3.6v2.5L20-33v18L-5.4-12.5V-6z"/>'
        f'<path fill="~" d="{star(8, -22.5, 6.5)}"/>'
        '<path fill="@" d="M-18-3h36l6 13h-48z"/><path fill="~" d="M-11 2h22v4h-22z"/>'
        '<path fill="@" d="M-26 13h52l4 10h-60z"/><path fill="@" d="M-31 25.5h62v5.5h-62z"/>'
    ),
}

#: The same for small sizes, where they differ: what cannot be told apart is left out.
SMALL = {
    "C": f'<path fill="@" d="{star(0, 2, 31)}"/>',
    "I": _HELMET + _FACE + _SHOULDERS,
    "T": (
        _TURRET + _WHEELS + '<g fill="~"><circle cx="-18" cy="16.5" r="5.5"/>'
        '<circle cx="0" cy="16.5" r="5.5"/><circle cx="18" cy="16.5" r="5.5"/></g>'
    ),
    "A": (
        _BARREL
        + '<path fill="@" fill-rule="evenodd" d="M16 12A16 16 0 1 1-16 12A16 16 0 1 1 16 12Z'
        'M9 12A9 9 0 1 0-9 12A9 9 0 1 0 9 12Z"/><circle fill="@" cx="0" cy="12" r="4.5"/>'
    ),
    "G": _TWIN,
}

# Capital letters as lines, so that words need no font: six units wide, ten high, on the base line.
_CAPITALS = {
    "A": "M0 0L3-10L6 0M1-3.5H5",
    "B": "M.5 0V-10H3.2a2.4 2.4 0 0 1 0 4.8H.5M3.2-5.2a2.6 2.6 0 0 1 0 5.2H.5",
    "C": "M6-7.8A3.3 5 0 1 0 6-2.2",
    "D": "M.5 0V-10H2A4 5 0 0 1 2 0Z",
    "E": "M5.5-10H.8V0H5.5M.8-5.2H4.7",
    "F": "M5.5-10H.8V0M.8-5H4.7",
    "G": "M6-7.8A3.3 5 0 1 0 6-3V-4.5H3.6",
    "H": "M.5 0V-10M5.5 0V-10M.5-5H5.5",
    "I": "M3 0V-10",
    "K": "M.5 0V-10M5.7-10L.5-4.3M2.3-6L6 0",
    "L": "M.8-10V0H5.5",
    "M": "M0 0V-10L3-4L6-10V0",
    "N": "M.5 0V-10L5.5 0V-10",
    "P": "M.5 0V-10H3.2a2.8 2.8 0 0 1 0 5.6H.5",
    "Q": "M3-10A3.1 5 0 1 0 3.010-10ZM3.8-2.8L6.2.8",
    "S": "M5.7-8.3C5-10.6.5-10.6.5-7.5S5.7-5.4 5.7-2.6S.8.8.2-2",
    "T": "M0-10H6M3-10V0",
    "U": "M.5-10V-3.2a2.5 3 0 0 0 5 0V-10",
    "Ử": "M.5-10V-3.2a2.5 3 0 0 0 5 0V-10q2 0 1.8-1.8M2-12.2q2-1.6 2 0t-1.2 1.4",
    "X": "M0 0L6-10M0-10L6 0",
}

#: The short Vietnamese words of piece set B. "TL" would be both Tư lệnh and Tên lửa, hence LỬA.
WORDS = {
    "C": "TL",
    "I": "BB",
    "M": "DQ",
    "E": "CB",
    "T": "XT",
    "A": "PB",
    "G": "CX",
    "S": "LỬA",
    "F": "KQ",
    "N": "HQ",
    "H": "SCH",
}


def lettering(text: str, size: float) -> str:
    """A short text of capitals in the ink, its middle at (0, 0); wider texts are drawn smaller."""
    width = 8.2 * len(text) - 2.2
    scale = min(size / 10, 56 / width)
    left = -width / 2
    paths = "".join(
        f'<path transform="translate({number(left + 8.2 * i)} 5)" d="{_CAPITALS[sign]}"/>'
        for i, sign in enumerate(text)
    )
    return (
        f'<g fill="none" stroke="@" stroke-width="{number(2.1 if len(text) < 3 else 1.7)}"'
        f' stroke-linecap="round" stroke-linejoin="round" transform="scale({number(scale)})">'
        f"{paths}</g>"
    )


def glyph(letter: str, style: str, *, small: bool = False) -> str:
    """What is drawn on a piece of Cờ Tư Lệnh, in one of the styles."""
    if style == "letters":
        return lettering(letter, 40)
    if style == "words":
        return lettering(WORDS[letter], 27)
    return SMALL.get(letter, COMMANDER_CHESS[letter]) if small else COMMANDER_CHESS[letter]


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

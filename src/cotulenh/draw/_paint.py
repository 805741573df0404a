"""Colours, pieces as symbols, stacks, and the letters along the edge."""

from __future__ import annotations

from dataclasses import dataclass

from cotulenh.draw._pieces import CHESS, COMMANDER_CHESS, number, star
from cotulenh.draw._scene import Item

__all__ = ["THEMES", "Theme", "label", "piece", "stack", "symbol", "symbol_id"]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture. Pieces look the same in every theme."""

    frame: str
    label: str
    land: str
    line: str
    sea: str
    sea_line: str
    shore: str
    bridge: str
    bridge_line: str
    light_square: str
    dark_square: str
    last: str
    dot: str
    join: str
    check: str
    arrow: str


THEMES = {
    "light": Theme(
        frame="#faf6ea",
        label="#6b5f43",
        land="#ece0b9",
        line="#a08f60",
        sea="#a8d5ea",
        sea_line="#6fadcb",
        shore="#d9bf80",
        bridge="#a97845",
        bridge_line="#6f4a24",
        light_square="#f0e2c4",
        dark_square="#b98d63",
        last="#f5c518",
        dot="#2f6b2f",
        join="#7a3fb0",
        check="#ff5a1f",
        arrow="#2e8b3d",
    ),
    "dark": Theme(
        frame="#16191d",
        label="#b4b9a8",
        land="#4b4a36",
        line="#8b8863",
        sea="#1f4660",
        sea_line="#3f7898",
        shore="#8f7a45",
        bridge="#7b5833",
        bridge_line="#c29a64",
        light_square="#8c8f98",
        dark_square="#565b66",
        last="#e0b020",
        dot="#9be08a",
        join="#cfa3ff",
        check="#ff6a2a",
        arrow="#6fd07f",
    ),
}

_INK = "#fff9ea"
_GOLD = "#ffd23f"
_BODY = {"r": "#c4301c", "b": "#1d5bb0"}
_EDGE = {"r": "#7d1a0d", "b": "#0e3266"}
_CHESS_PAINT = {"w": ("#fdfbf5", "#26221c"), "b": ("#3a3631", "#f4efe4")}

# Where the pieces of a stack stand, carrier first: x, y and size. Nothing leaves the cell, and
# what is in front covers only the rim of what is behind.
_SEATS = {
    1: ((0, 0, 43),),
    2: ((-14, -14, 33.5), (23, 23, 25)),
    3: ((0, -18, 30), (-24.5, 23.5, 24), (24.5, 23.5, 24)),
    4: ((-24, -24, 24), (24, -24, 24), (-24, 24, 24), (24, 24, 24)),
}


def symbol_id(item: Item) -> str:
    """The id under which a piece is defined.

    >>> symbol_id(Item("T", "r", heroic=True)), symbol_id(Item("N", "w"))
    ('ctl-r-T-hero', 'chess-w-N')
    """
    if item.side == "w" or item.letter in "PBRQK":
        return f"chess-{item.side}-{item.letter}"
    return f"ctl-{item.side}-{item.letter}" + ("-hero" if item.heroic else "")


def piece(item: Item, *, chess: bool = False) -> str:
    """A piece around the point (0, 0), at most 44 units away from it in any direction."""
    return _chess_piece(item) if chess else _ctl_piece(item)


def _chess_piece(item: Item) -> str:
    fill, line = _CHESS_PAINT[item.side]
    body = CHESS[item.letter].replace("~", line)
    return f'<g fill="{fill}" stroke="{line}" stroke-width="3.2" stroke-linejoin="round">{body}</g>'


def _ctl_piece(item: Item) -> str:
    body, edge = _BODY[item.side], _EDGE[item.side]
    rim = _GOLD if item.heroic else _INK
    drawing = COMMANDER_CHESS[item.letter].replace("@", _INK).replace("~", body)
    parts = [
        f'<circle r="43" fill="{body}" stroke="{edge}" stroke-width="2"/>',
        f'<circle r="39.5" fill="none" stroke="{rim}" stroke-width="{4 if item.heroic else 2}"/>',
        f'<g transform="scale(.92)">{drawing}</g>',
    ]
    if item.heroic:
        parts.append(
            f'<path d="{star(29, -29, 15.5, 0.45)}" fill="{_GOLD}" stroke="{edge}"'
            ' stroke-width="3" stroke-linejoin="round" paint-order="stroke"/>'
        )
    return "".join(parts)


def badge(item: Item) -> str:
    """A piece of a stack: as :func:`piece`, with its rim at the edge and the drawing larger."""
    body, edge = _BODY[item.side], _EDGE[item.side]
    rim = _GOLD if item.heroic else _INK
    drawing = COMMANDER_CHESS[item.letter].replace("@", _INK).replace("~", body)
    star_path = f'<path d="{star(29, -29, 19, 0.45)}" fill="{_GOLD}" stroke="{edge}"'
    hero = f'{star_path} stroke-width="4" stroke-linejoin="round"/>' if item.heroic else ""
    return (
        f'<circle r="42" fill="{body}" stroke="{rim}" stroke-width="4"/>'
        f'<g transform="scale(1.06)">{drawing}</g>{hero}'
    )


def badge_symbol(item: Item) -> str:
    """The definition of a piece of a stack."""
    return (
        f'<symbol id="{symbol_id(item)}-badge" viewBox="-50 -50 100 100" overflow="visible">'
        f"{badge(item)}</symbol>"
    )


def symbol(item: Item, *, chess: bool = False) -> str:
    """The definition of a piece, for ``<use href="#…">``."""
    name = symbol_id(item) if not chess else f"chess-{item.side}-{item.letter}"
    return (
        f'<symbol id="{name}" viewBox="-50 -50 100 100" overflow="visible">'
        f"{piece(item, chess=chess)}</symbol>"
    )


def _use(name: str, x: float, y: float, size: float) -> str:
    side = size * 100 / 43
    corner = f'x="{number(x - side / 2)}" y="{number(y - side / 2)}"'
    return f'<use href="#{name}" {corner} width="{number(side)}" height="{number(side)}"/>'


def stack(items: tuple[Item, ...], x: float, y: float, *, chess: bool = False) -> str:
    """What stands on a point, drawn there; every piece of a stack can be seen whole."""
    if chess:
        return _use(f"chess-{items[0].side}-{items[0].letter}", x, y, 47)
    parts, kind = [], ""
    if len(items) > 1:
        kind = "-badge"
        body, edge = _BODY[items[0].side], _EDGE[items[0].side]
        parts.append(
            f'<rect x="{number(x - 48)}" y="{number(y - 48)}" width="96" height="96" rx="22"'
            f' fill="{body}" fill-opacity=".28" stroke="{edge}" stroke-opacity=".55"'
            ' stroke-width="2"/>'
        )
    seats = _SEATS[min(len(items), 4)]
    for item, (dx, dy, size) in zip(items, seats, strict=False):
        parts.append(_use(symbol_id(item) + kind, x + dx, y + dy, size))
    return "".join(parts)


# Letters and digits as lines, so that a picture needs no font. Six units wide, ten high.
_SIGNS = {
    "0": "M3-10C5-10 6-8 6-5S5 0 3 0 0-2 0-5 1-10 3-10Z",
    "1": "M1-8L3.5-10V0",
    "2": "M0-7.4C0-9 1.3-10 3-10S6-9 6-7.3 4.5-4.5 0 0H6",
    "3": "M.2-10H5.8L2.8-6.2C5-6.2 6-5 6-3.2S4.8 0 3 0 .2-.9 0-2.5",
    "4": "M4.5 0V-10L0-3H6",
    "5": "M5.5-10H.8L.4-5.6C1.2-6.3 2-6.5 3-6.5 4.9-6.5 6-5.2 6-3.3S4.8 0 3 0 .3-.8 0-2.3",
    "6": "M5.2-10C2-8.5 0-6 0-3.2A3 3.2 0 1 0 6-3.2A3 3.2 0 0 0 .2-4",
    "7": "M0-10H6L2 0",
    "8": "M3-5.4A2.5 2.3 0 1 1 3.01-5.4ZM3-5.4A3 2.7 0 1 0 3.01-5.4Z",
    "9": "M.8 0C4-1.5 6-4 6-6.8A3 3.2 0 1 0 0-6.8A3 3.2 0 0 0 5.8-6",
    "a": "M5.5-7V0M5.5-3.5A2.75 3.5 0 1 0 0-3.5A2.75 3.5 0 0 0 5.5-3.5Z",
    "b": "M.5-10V0M.5-3.5A2.75 3.5 0 1 1 6-3.5A2.75 3.5 0 0 1 .5-3.5Z",
    "c": "M5.5-5.7A3 3.5 0 1 0 5.5-1.3",
    "d": "M5.5-10V0M5.5-3.5A2.75 3.5 0 1 0 0-3.5A2.75 3.5 0 0 0 5.5-3.5Z",
    "e": "M.2-3.7H5.8A2.9 3.4 0 1 0 5-1",
    "f": "M5-9.6C3.3-10.4 2-9.8 2-8V0M0-6.5H4.5",
    "g": "M5.5-7V.5C5.5 3.6 1.5 3.9.4 2.2M5.5-3.5A2.75 3.5 0 1 0 0-3.5A2.75 3.5 0 0 0 5.5-3.5Z",
    "h": "M.5-10V0M.5-4C.8-6 2-7 3.3-7S5.5-6 5.5-4V0",
    "i": "M3-6.8V0M3-9.8V-9.7",
    "j": "M3.5-6.8V1C3.5 3 2 3.3.8 2.8M3.5-9.8V-9.7",
    "k": "M.5-10V0M5.3-6.8L.5-2.8M2.3-4.3L5.5 0",
    "l": "M3-10V0",
}


def label(text: str, x: float, y: float, color: str) -> str:
    """A short text of a-l and digits with its middle at a point."""
    scale, width = 2.6, 8.4 * len(text) - 2.4
    parts = []
    for i, sign in enumerate(text):
        left, base = number(x + (8.4 * i - width / 2) * scale), number(y + 4.6 * scale)
        parts.append(f'<path transform="translate({left} {base}) scale(2.6)" d="{_SIGNS[sign]}"/>')
    return (
        f'<g fill="none" stroke="{color}" stroke-width="1.5" stroke-linecap="round"'
        f' stroke-linejoin="round">{"".join(parts)}</g>'
    )

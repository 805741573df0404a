"""Pieces as symbols, stacks, and the letters along the edge."""

from __future__ import annotations

from dataclasses import dataclass

from cotulenh.draw._pieces import CHESS, glyph, number, star
from cotulenh.draw._scene import Item

__all__ = ["GRADIENTS", "SEATS", "Look", "label", "piece", "stack", "symbol", "symbol_id"]


@dataclass(frozen=True, slots=True)
class Look:
    """How pieces are drawn: the style, and whether the sides also differ in tone."""

    style: str = "pictograms"
    tone: bool = False


PLAIN = Look()
_IVORY, _RIM, _COIN = "#fff8e8", "#fff4da", "#fff6e2"
_GOLD, _GOLD_LINE, _HERO_INK = "#ffc933", "#6b4700", "#ffe9a6"
_TOP = {"r": "#dd4d33", "b": "#2a63b8"}
_BODY = {"r": "#bd2f19", "b": "#174690"}
_EDGE = {"r": "#7f1b0d", "b": "#0b2550"}
_DEEP = {"r": "#a5260f", "b": "#163f80"}
_CHESS_PAINT = {"w": ("#fdfbf5", "#26221c"), "b": ("#3a3631", "#f4efe4")}

#: The paints of the discs, to be defined once in a picture.
GRADIENTS = "".join(
    f'<linearGradient id="ctl-body-{side}" x1="0" y1="0" x2="0" y2="1"><stop offset="0"'
    f' stop-color="{_TOP[side]}"/><stop offset="1" stop-color="{_BODY[side]}"/></linearGradient>'
    for side in "rb"
)

#: Where the pieces of a stack stand, carrier first: x, y and scale. Passengers are coins.
SEATS: dict[int, tuple[tuple[float, float, float], ...]] = {
    1: ((0, 0, 1),),
    2: ((0, -6, 1), (0, 27, 1)),
    3: ((0, -6, 1), (-25, 27, 0.94), (25, 27, 0.94)),
    4: ((0, -6, 1), (-33, 27, 0.72), (0, 29, 0.72), (33, 27, 0.72)),
}


def symbol_id(item: Item, role: str = "") -> str:
    """The id under which a piece is defined; roles in a stack are ``carrier`` and ``coin``.

    >>> symbol_id(Item("T", "r", heroic=True)), symbol_id(Item("N", "w"))
    ('ctl-r-T-hero', 'chess-w-N')
    >>> symbol_id(Item("T", "b"), "coin")
    'ctl-b-T-coin'
    """
    if item.side == "w" or item.letter in "PBRQK":
        return f"chess-{item.side}-{item.letter}"
    tail = f"-{role}" if role else ""
    return f"ctl-{item.side}-{item.letter}" + ("-hero" if item.heroic else "") + tail


def piece(item: Item, *, chess: bool = False, look: Look = PLAIN, role: str = "") -> str:
    """A piece around the point (0, 0), at most 58 units away from it in any direction."""
    if chess:
        return _chess_piece(item)
    return _coin(item, look) if role == "coin" else _disc(item, look, carrier=role == "carrier")


def _chess_piece(item: Item) -> str:
    fill, line = _CHESS_PAINT[item.side]
    body = CHESS[item.letter].replace("~", line)
    return f'<g fill="{fill}" stroke="{line}" stroke-width="3.2" stroke-linejoin="round">{body}</g>'


def _inked(drawing: str, ink: str, under: str) -> str:
    return drawing.replace("@", ink).replace("~", under)


def _disc(item: Item, look: Look, *, carrier: bool) -> str:
    """A disc with an ivory rim; on a carrier the drawing is smaller and raised."""
    side = item.side
    pale = look.style == "words" or (look.tone and side == "b")
    body = _COIN if pale else f"url(#ctl-body-{side})"
    rim = _GOLD if item.heroic else _TOP[side] if pale else _RIM
    ink = _DEEP[side] if pale else _HERO_INK if item.heroic else _IVORY
    drawing = _inked(glyph(item.letter, look.style), ink, _COIN if pale else _BODY[side])
    place = "translate(0 -13) scale(.7)" if carrier else "scale(.96)"
    return "".join(
        (
            _sunburst(1)
            if item.heroic
            else '<circle cy="3.5" r="46" fill="#0b1a24" opacity=".28"/>',
            f'<circle r="46" fill="{_GOLD_LINE if item.heroic else _EDGE[side]}"/>',
            f'<circle r="44.6" fill="{rim}"/>',
            f'<circle r="40" fill="{body}"/>',
            f'<g transform="{place}">{drawing}</g>',
            _hero_star(-31, -31) if item.heroic and carrier else "",
            _hero_star(0, -46) if item.heroic and not carrier else "",
        )
    )


def _coin(item: Item, look: Look) -> str:
    """A passenger: the colours of its side the other way round."""
    side = item.side
    drawing = _inked(glyph(item.letter, look.style, small=True), _DEEP[side], _COIN)
    burst = f'<g transform="scale(.58)">{_sunburst(1)}</g>' if item.heroic else ""
    rim = f'<circle r="24" fill="none" stroke="{_GOLD}" stroke-width="3"/>' if item.heroic else ""
    return (
        f'{burst}<circle r="26" fill="{_COIN}" stroke="{_EDGE[side]}" stroke-width="2.6"/>{rim}'
        f'<g transform="scale({0.6 if look.style == "pictograms" else 0.66})">{drawing}</g>'
    )


def _sunburst(scale: float) -> str:
    path = star(0, 0, 56.5 * scale, 46 / 56.5, 18)
    return (
        f'<path d="{path}" fill="{_GOLD}" stroke="{_GOLD_LINE}" stroke-width="2.4"'
        ' stroke-linejoin="round"/>'
    )


def _hero_star(x: float, y: float) -> str:
    return (
        f'<path d="{star(x, y, 15, 0.46)}" fill="{_GOLD}" stroke="{_GOLD_LINE}"'
        ' stroke-width="2.6" stroke-linejoin="round"/>'
    )


def symbol(item: Item, *, chess: bool = False, look: Look = PLAIN, role: str = "") -> str:
    """The definition of a piece, for ``<use href="#…">``."""
    name = f"chess-{item.side}-{item.letter}" if chess else symbol_id(item, role)
    return (
        f'<symbol id="{name}" viewBox="-50 -50 100 100" overflow="visible">'
        f"{piece(item, chess=chess, look=look, role=role)}</symbol>"
    )


def _use(name: str, x: float, y: float, scale: float) -> str:
    side = 100 * scale
    corner = f'x="{number(x - side / 2)}" y="{number(y - side / 2)}"'
    return f'<use href="#{name}" {corner} width="{number(side)}" height="{number(side)}"/>'


def roles(count: int) -> list[str]:
    """How the pieces of a stack are drawn, carrier first."""
    return [""] if count == 1 else ["carrier"] + ["coin"] * (count - 1)


def stack(items: tuple[Item, ...], x: float, y: float, *, chess: bool = False) -> str:
    """What stands on a point, drawn there; every piece of a stack can be seen whole."""
    if chess:
        return _use(f"chess-{items[0].side}-{items[0].letter}", x, y, 1.09)
    shown = items[:4]
    parts = [
        _use(symbol_id(item, role), x + dx, y + dy, scale)
        for item, role, (dx, dy, scale) in zip(
            shown, roles(len(shown)), SEATS[len(shown)], strict=True
        )
    ]
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
    # Two digits are set tighter and a little smaller, so that they keep clear of the frame.
    scale, step = (2.4, 8.4) if len(text) == 1 else (2.05, 7.4)
    width = step * len(text) - 2.4
    parts = []
    for i, sign in enumerate(text):
        left, base = number(x + (step * i - width / 2) * scale), number(y + 4.6 * scale)
        place = f"translate({left} {base}) scale({scale})"
        parts.append(f'<path transform="{place}" d="{_SIGNS[sign]}"/>')
    return (
        f'<g fill="none" stroke="{color}" stroke-width="1.5" stroke-linecap="round"'
        f' stroke-linejoin="round">{"".join(parts)}</g>'
    )

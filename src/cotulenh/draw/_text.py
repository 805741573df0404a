"""A board as text, plain or with the colours of a terminal."""

from __future__ import annotations

from cotulenh.draw._scene import AnyBoard, Item, Place, Scene, scene_of

__all__ = ["ansi", "text"]

# Ground: sign on plain text, background in a terminal (of its 256 colours).
_GROUND = {"W": ("~", 24), "M": (":", 30), "R": (":", 30), "B": ("=", 94), "L": (".", 58)}
_PAINT = {"r": (231, 160), "b": (231, 26)}
_CHESS_PAINT = {"w": 231, "b": 16}


def text(board: AnyBoard, *, flip: bool = False, coordinates: bool = True) -> str:
    """The board as text: stacks in parentheses, carrier first, ``+`` before a hero.

    ``~`` is open sea, ``:`` shore and river mouth, ``=`` the ends of a bridge, ``.`` land.

    >>> from cotulenh import Board
    >>> print(text(Board("6c4/11/11/11/11/11/11/11/3T7/1(N+FT)9/11/6C4 r - - 0 1")))
    12  ~      ~ : . . . c . . . .
    11  ~      ~ : . . . . . . . .
    10  ~      ~ : . . . . . . . .
     9  ~      ~ : . . . . . . . .
     8  ~      ~ : . . . . . . . .
     7  ~      ~ : : : = . = . . .
     6  ~      ~ : : : = . = . . .
     5  ~      ~ : . . . . . . . .
     4  ~      ~ : T . . . . . . .
     3  ~ (N+FT) : . . . . . . . .
     2  ~      ~ : . . . . . . . .
     1  ~      ~ : . . . C . . . .
        a      b c d e f g h i j k
    """
    scene = scene_of(board)
    return _grid(scene, flip, coordinates, color=False)


def ansi(board: AnyBoard, *, flip: bool = False, coordinates: bool = True) -> str:
    r"""The same with colours: the ground behind, pieces white on the colour of their side.

    >>> from cotulenh import Board
    >>> "\x1b[" in ansi(Board())
    True
    """
    return _grid(scene_of(board), flip, coordinates, color=True)


def _name(items: tuple[Item, ...]) -> str:
    letters = "".join(
        ("+" if i.heroic else "") + (i.letter.lower() if i.side == "b" else i.letter) for i in items
    )
    return f"({letters})" if len(items) > 1 else letters


def _grid(scene: Scene, flip: bool, coordinates: bool, *, color: bool) -> str:
    files = range(scene.files) if not flip else range(scene.files - 1, -1, -1)
    ranks = range(scene.ranks) if flip else range(scene.ranks - 1, -1, -1)
    names = {place: _name(items) for place, items in scene.stacks.items()}
    widths = {
        file: max([len(name) for (f, _), name in names.items() if f == file], default=1)
        for file in files
    }
    lines = []
    for rank in ranks:
        cells = [_cell(scene, (file, rank), names, widths[file], color) for file in files]
        row = ("" if color else " ").join(cells)
        lines.append(f"{rank + 1:2}  {row}" if coordinates else row)
    if coordinates:
        pad = 2 if color else 0
        heads = [chr(97 + file).rjust(widths[file]).center(widths[file] + pad) for file in files]
        lines.append(("    " + ("" if color else " ").join(heads)).rstrip())
    return "\n".join(lines)


def _cell(scene: Scene, place: Place, names: dict[Place, str], width: int, color: bool) -> str:
    sign, back = _ground(scene, place)
    name = names.get(place)
    shown = (name or sign).rjust(width)
    if not color:
        return shown
    if name is None:
        return f"\x1b[38;5;246;48;5;{back}m {shown} \x1b[0m"
    side = scene.stacks[place][0].side
    if scene.rules is None:
        return f"\x1b[1;38;5;{_CHESS_PAINT[side]};48;5;{back}m {shown} \x1b[0m"
    ink, body = _PAINT[side]
    pad = " " * (width - len(name))
    return f"\x1b[48;5;{back}m{pad}\x1b[1;38;5;{ink};48;5;{body}m {name} \x1b[0m"


def _ground(scene: Scene, place: Place) -> tuple[str, int]:
    if scene.rules is None:
        return ".", 137 if sum(place) % 2 == 0 else 180
    return _GROUND[scene.rules.terrain.letter_at(place[1] * 16 + place[0])]

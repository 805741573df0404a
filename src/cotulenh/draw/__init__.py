"""Pictures of boards of both games: SVG, PNG, animated SVG and GIF, text. Pure functions.

>>> from cotulenh import Board, draw
>>> board = Board()
>>> picture = draw.svg(board, size=600, theme="dark", coordinates="numbers")
>>> picture[:4]
'<svg'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cotulenh import chess
from cotulenh.draw._animate import animate
from cotulenh.draw._gif import gif as _frames
from cotulenh.draw._paint import THEMES, piece, symbol
from cotulenh.draw._pieces import CHESS, COMMANDER_CHESS
from cotulenh.draw._scene import AnyBoard, Item
from cotulenh.draw._svg import svg
from cotulenh.draw._text import ansi, text
from cotulenh.squares import RED, Color, Kind

__all__ = ["THEMES", "animate", "ansi", "gif", "piece_svg", "png", "svg", "symbols", "text"]


def piece_svg(
    kind: Kind | chess.Kind | str,
    color: Color | chess.Color,
    heroic: bool = False,
    *,
    size: int | None = None,
) -> str:
    """One piece as a picture of its own. The colour tells which game's.

    >>> from cotulenh import BLUE, Kind
    >>> piece_svg(Kind.TANK, BLUE, heroic=True).count("<svg")
    1
    """
    item = _item(kind, color, heroic)
    measure = "" if size is None else f' width="{size}" height="{size}"'
    body = piece(item, chess=isinstance(color, chess.Color))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-48 -48 96 96"{measure}>{body}</svg>'


def _item(kind: Kind | chess.Kind | str, color: Color | chess.Color, heroic: bool) -> Item:
    if isinstance(color, chess.Color):
        if heroic:
            raise ValueError("chess has no heroes")
        return Item(chess.Kind(kind).letter, color.value)
    if not isinstance(color, Color):
        raise ValueError(f"no such color: {color!r}")
    return Item(Kind(kind).letter, "r" if color is RED else "b", heroic)


def symbols(game: str = "cotulenh") -> str:
    """All pieces of a game as ``<symbol>`` definitions, for pages that draw with ``<use>``.

    The ids are ``ctl-r-T``, ``ctl-b-F-hero`` and so on, for ``"chess"`` ``chess-w-N``.

    >>> symbols().count("<symbol"), symbols("chess").count("<symbol")
    (44, 12)
    """
    if game == "chess":
        return "".join(symbol(Item(letter, s), chess=True) for s in "wb" for letter in CHESS)
    if game != "cotulenh":
        raise ValueError(f"no such game: {game!r} (cotulenh or chess)")
    return "".join(
        symbol(Item(letter, side, heroic))
        for side in "rb"
        for letter in COMMANDER_CHESS
        for heroic in (False, True)
    )


def png(board: AnyBoard | str, *, size: int = 800, **options: Any) -> bytes:
    """The board (or the text of an SVG) as a PNG image, ``size`` pixels wide.

    Takes the options of :func:`svg`. Needs the package
    ``resvg-py``: ``pip install cotulenh[draw]``.
    """
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError("PNG needs resvg-py: pip install cotulenh[draw]") from error
    picture = board if isinstance(board, str) else svg(board, **options)
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=size))


def gif(
    board: AnyBoard,
    turns: Iterable[Sequence[Any]],
    *,
    size: int = 480,
    seconds: float = 1.0,
    **options: Any,
) -> bytes:
    """A game as an animated GIF: the position, then each turn, ``seconds`` each, over and over.

    A turn is a list of moves, as in :meth:`cotulenh.game.Game.turns`. Takes the options of
    :func:`svg`, and needs what :func:`png` needs. The board given stays as it is.
    """
    if not seconds > 0:
        raise ValueError(f"seconds: expected more than 0, got {seconds}")
    return _frames(board, turns, png, size=size, seconds=seconds, **options)

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
from cotulenh.board import Board
from cotulenh.draw._animate import animate
from cotulenh.draw._gif import gif as _frames
from cotulenh.draw._marks import MARKS, hatches, mark
from cotulenh.draw._paint import GRADIENTS, Look, piece, symbol
from cotulenh.draw._pieces import CHESS, COMMANDER_CHESS, STYLES
from cotulenh.draw._scene import AnyBoard, Item
from cotulenh.draw._svg import svg
from cotulenh.draw._text import ansi, text
from cotulenh.draw._theme import THEMES, VARIABLES, css
from cotulenh.errors import install_hint
from cotulenh.squares import RED, Color, GridSet, Kind

__all__ = [
    "THEMES",
    "animate",
    "ansi",
    "css",
    "gif",
    "mark_symbols",
    "piece_svg",
    "png",
    "squares_svg",
    "svg",
    "symbols",
    "text",
]


def piece_svg(
    kind: Kind | chess.Kind | str,
    color: Color | chess.Color,
    heroic: bool = False,
    *,
    size: int | None = None,
    pieces: str = "pictograms",
    tone: bool = False,
) -> str:
    """One piece as a picture of its own. The colour tells which game's.

    >>> from cotulenh import BLUE, Kind
    >>> piece_svg(Kind.TANK, BLUE, heroic=True).count("<svg")
    1
    """
    item = _item(kind, color, heroic)
    measure = "" if size is None else f' width="{size}" height="{size}"'
    is_chess = isinstance(color, chess.Color)
    body = piece(item, chess=is_chess, look=_look(pieces, tone))
    defs = "" if is_chess else f"<defs>{GRADIENTS}</defs>"
    half = 62 if heroic else 50
    box = f'viewBox="{-half} {-half} {2 * half} {2 * half}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}{measure}>{defs}{body}</svg>'


def _look(pieces: str, tone: bool) -> Look:
    if pieces not in STYLES:
        raise ValueError(f"expected pieces ({', '.join(STYLES)}), got {pieces!r}")
    return Look(pieces, tone)


def _item(kind: Kind | chess.Kind | str, color: Color | chess.Color, heroic: bool) -> Item:
    if isinstance(color, chess.Color):
        if heroic:
            raise ValueError("chess has no heroes")
        return Item(chess.Kind(kind).letter, color.value)
    if not isinstance(color, Color):
        raise ValueError(f"expected a color, got {color!r}")
    return Item(Kind(kind).letter, "r" if color is RED else "b", heroic)


def symbols(game: str = "cotulenh", *, pieces: str = "pictograms", tone: bool = False) -> str:
    """All pieces of a game as ``<symbol>`` definitions, for pages that draw with ``<use>``.

    The ids are ``ctl-r-T``, ``ctl-b-F-hero`` and so on, for ``"chess"`` ``chess-w-N``. In a stack
    the first piece is drawn as ``ctl-r-N-carrier``, those it carries as coins: ``ctl-r-T-coin``.

    >>> symbols().count("<symbol"), symbols("chess").count("<symbol")
    (132, 12)
    """
    if game == "chess":
        return "".join(symbol(Item(letter, s), chess=True) for s in "wb" for letter in CHESS)
    if game != "cotulenh":
        raise ValueError(f"expected a game (cotulenh or chess), got {game!r}")
    look = _look(pieces, tone)
    return GRADIENTS + "".join(
        symbol(Item(letter, side, heroic), look=look, role=role)
        for side in "rb"
        for letter in COMMANDER_CHESS
        for heroic in (False, True)
        for role in ("", "carrier", "coin")
    )


def mark_symbols() -> str:
    """All marks as ``<symbol>`` definitions: ``mark-stay``, ``mark-stay-small`` and so on.

    Their colours are variables of the style sheet that :func:`cotulenh.draw.css` writes.

    >>> mark_symbols().count('id="mark-capture')
    2
    """
    return hatches(VARIABLES) + "".join(
        f'<symbol id="mark-{name}{"-small" if small else ""}" viewBox="-50 -50 100 100"'
        f' overflow="visible">{mark(name, VARIABLES, small=small)}</symbol>'
        for name in MARKS
        for small in (False, True)
    )


def squares_svg(squares: GridSet[Any], *, size: int | None = None) -> str:
    """A set of squares of either game, ringed on an empty board.

    >>> from cotulenh import SquareSet
    >>> squares_svg(SquareSet("c3 d4")).startswith("<svg ")
    True
    """
    if isinstance(squares, chess.SquareSet):
        return svg(chess.Board.empty(), size=size, marks=squares)
    rules = "blueprint" if squares.files == 12 else "official"
    return svg(Board.empty(rules), size=size, marks=squares)


def png(board: AnyBoard | str, *, size: int = 800, **options: Any) -> bytes:
    """The board (or the text of an SVG) as a PNG image, ``size`` pixels wide.

    Takes the options of :func:`svg`. Needs the package
    ``resvg-py``: ``pip install cotulenh[draw]``.
    """
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError(f"PNG needs resvg-py: {install_hint('draw')}") from error
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

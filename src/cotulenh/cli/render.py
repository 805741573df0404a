"""``cotulenh render``: a position as a picture, SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cotulenh import BLUE, RED, draw
from cotulenh.cli._games import fen_option, game_option
from cotulenh.games import AnyBoard, new_board, play_text

__all__ = ["verb"]

_PNG_SIZE = 800  # a PNG has to have a width
_MOST = 8000
_SIDES: dict[str, Any] = {"red": RED, "blue": BLUE, "both": "both"}


def _pair(_context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
    """Texts such as ``c4,c8`` or ``c4,c8,#c33`` as tuples."""
    if value is None or isinstance(value, tuple):
        return None if value is None else tuple(_squares(text, 3) for text in value)
    return _squares(value, 2)


def _squares(text: str, most: int) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    if not 2 <= len(parts) <= most or not all(parts):
        form = "FROM,TO" if most == 2 else "FROM,TO or FROM,TO,COLOUR"
        raise click.BadParameter(f"{text!r} is not {form}")
    return parts


@click.command("render")
@click.argument("moves", nargs=-1)
@fen_option
@game_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file, .svg or .png; without it, SVG to standard output.",
)
@click.option("--size", type=click.IntRange(1, _MOST), help="Width in pixels; PNG: 800.")
@click.option("--flip", is_flag=True, help="The second side below.")
@click.option("--theme", type=click.Choice(list(draw.THEMES)), default="light", show_default=True)
@click.option(
    "--coordinates",
    type=click.Choice(["letters", "numbers", "none"]),
    default="letters",
    show_default=True,
    help="a-k and 1-12, or 0-10 and 0-11.",
)
@click.option(
    "--last-move",
    metavar="FROM,TO",
    callback=_pair,
    help="Marks two squares; without it, the last of MOVES.",
)
@click.option(
    "--arrow",
    "arrows",
    metavar="FROM,TO[,COLOUR]",
    multiple=True,
    callback=_pair,
    help="May be given again.",
)
@click.option(
    "--moves-of",
    "origins",
    metavar="SQUARE",
    multiple=True,
    help="Dots where what stands there may go. May be given again.",
)
@click.option(
    "--mark", "marks", metavar="SQUARE", multiple=True, help="A ring. May be given again."
)
@click.option(
    "--air-defence",
    type=click.Choice(list(_SIDES)),
    help="The points inside the rings of a side.",
)
@click.option("--check/--no-check", default=True, show_default=True, help="Mark check.")
@click.option("--title", help="For readers who cannot see the picture.")
def verb(
    moves: tuple[str, ...],
    fen: str | None,
    game: str,
    output: Path | None,
    coordinates: str,
    last_move: tuple[str, str] | None,
    origins: tuple[str, ...],
    air_defence: str | None,
    **options: Any,
) -> None:
    """Draw a position, after MOVES if any are given.

    The options are those of draw.svg in Python.

    \b
    cotulenh render -o start.png --size 1200
    cotulenh render Mg6 Mg7 --moves-of c4 --air-defence blue -o board.svg
    cotulenh render e4 e5 -g chess --theme dark --arrow g1,f3 > board.svg
    """  # noqa: D301  (click reads the sign)
    board = new_board(game, fen)
    played: Any = None
    for text in moves:
        played = play_text(board, text)
    options |= {
        "coordinates": None if coordinates == "none" else coordinates,
        "last_move": last_move or played,
        "moves": [move for name in origins for move in _leaving(board, name)],
        "air_defence": None if air_defence is None else _SIDES[air_defence],
    }
    _write(board, output, options)


def _leaving(board: AnyBoard, name: str) -> list[Any]:
    """The legal moves from a square; none is an answer, a square off the board is not."""
    draw.svg(board, marks=[name])  # refuses what is no square of this board, with the reason
    return [move for move in board.legal_moves if str(move.from_square) == name.strip().lower()]


def _write(board: AnyBoard, output: Path | None, options: dict[str, Any]) -> None:
    if output is None:
        click.echo(draw.svg(board, **options))
        return
    ending = output.suffix.lower()
    if ending == ".svg":
        output.write_text(draw.svg(board, **options) + "\n", "utf-8")
    elif ending == ".png":
        output.write_bytes(_png(board, options))
    else:
        raise click.BadParameter(f"{output}: the ending must be .svg or .png")


def _png(board: AnyBoard, options: dict[str, Any]) -> bytes:
    size = options.pop("size") or _PNG_SIZE
    try:
        return draw.png(board, size=size, **options)
    except ImportError as error:
        raise click.ClickException(str(error)) from None

"""``cotulenh render``: a position or a whole game as pictures: SVG, PNG, GIF."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cotulenh import BLUE, RED, draw, pgn
from cotulenh.cli._games import fen_option, game_option, moves_from, square_on, why_no_moves
from cotulenh.games import AnyBoard, new_board, play_text

__all__ = ["verb"]

_PNG_SIZE = 800  # a PNG has to have a width
_GIF_SIZE = 480
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
    help="The file: .svg, .png, or .gif for a whole game; without it, SVG to standard output.",
)
@click.option(
    "--pgn",
    "path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The game of a file instead of MOVES.",
)
@click.option("--number", type=click.IntRange(1), default=1, show_default=True, help="Which of it.")
@click.option(
    "--series", is_flag=True, help="A picture after each turn: board-000.png, board-001.png, …"
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.02, 600),
    default=1.0,
    show_default=True,
    help="Of each turn of a GIF.",
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
    path: Path | None,
    number: int,
    series: bool,
    seconds: float,
    coordinates: str,
    last_move: tuple[str, str] | None,
    origins: tuple[str, ...],
    air_defence: str | None,
    **options: Any,
) -> None:
    """Draw a position, after MOVES if any are given, or a whole game.

    The options are those of draw.svg in Python.

    \b
    cotulenh render -o start.png --size 1200
    cotulenh render Mg6 Mg7 --moves-of c4 --air-defence blue -o board.svg
    cotulenh render e4 e5 -g chess --theme dark --arrow g1,f3 > board.svg
    cotulenh render --pgn games.pgn --number 3 -o game.gif
    cotulenh render Mg6 Mg7 Ik6 --series -o board.png
    """  # noqa: D301  (click reads the sign)
    start, turns = _of_file(path, number) if path is not None else _played(game, fen, moves)
    board = start.copy()
    for turn in turns:
        for move in turn:
            board.push(move)
    options |= {
        "coordinates": None if coordinates == "none" else coordinates,
        "air_defence": None if air_defence is None else _SIDES[air_defence],
    }
    if series or (output is not None and output.suffix.lower() == ".gif"):
        _write_game(start, turns, output, seconds, options)
        return
    options |= {
        "last_move": last_move or (list(turns[-1]) if turns else None),
        "moves": [move for name in origins for move in _leaving(board, name)],
    }
    _write(board, output, options)


def _played(game: str, fen: str | None, moves: tuple[str, ...]) -> tuple[AnyBoard, list[list[Any]]]:
    """The position and the moves of the command line."""
    start = new_board(game, fen)
    board = start.copy()
    return start, [play_text(board, text) for text in moves]


def _of_file(path: Path, number: int) -> tuple[AnyBoard, list[list[Any]]]:
    """The first position and the turns of a game in a PGN file."""
    with pgn.read(path) as reader:
        for at, game in enumerate(reader, 1):
            if at == number:
                return game.board(), [list(turn) for turn in game.turns()]
    raise click.BadParameter(f"{path} has no game {number}")


def _leaving(board: AnyBoard, name: str) -> list[Any]:
    """The legal moves from a square; if there are none, the reason is told."""
    place = square_on(board, name)
    moves = moves_from(board, place)
    if not moves:
        click.echo(f"cotulenh: no moves to draw: {why_no_moves(board, place)}", err=True)
    return moves


def _write_game(
    start: AnyBoard,
    turns: list[list[Any]],
    output: Path | None,
    seconds: float,
    options: dict[str, Any],
) -> None:
    for name in ("arrows", "marks"):
        options.pop(name)  # they belong to one position
    if output is None:
        raise click.BadParameter("a whole game needs a file: -o")
    if output.suffix.lower() == ".gif":
        size = options.pop("size") or _GIF_SIZE
        output.write_bytes(_drawn(draw.gif, start, turns, size=size, seconds=seconds, **options))
        return
    board = start.copy()
    _write(board, _numbered(output, 0), dict(options))
    for count, turn in enumerate(turns, 1):
        for move in turn:
            board.push(move)
        _write(board, _numbered(output, count), {**options, "last_move": turn})


def _numbered(output: Path, number: int) -> Path:
    return output.with_name(f"{output.stem}-{number:03}{output.suffix}")


def _write(board: AnyBoard, output: Path | None, options: dict[str, Any]) -> None:
    if output is None:
        click.echo(draw.svg(board, **options))
        return
    ending = output.suffix.lower()
    if ending == ".svg":
        output.write_text(draw.svg(board, **options) + "\n", "utf-8")
    elif ending == ".png":
        size = options.pop("size") or _PNG_SIZE
        output.write_bytes(_drawn(draw.png, board, size=size, **options))
    else:
        raise click.BadParameter(f"expected a file .svg, .png or .gif, got {output}")


def _drawn(draw_it: Callable[..., bytes], *args: Any, **options: Any) -> bytes:
    try:
        return draw_it(*args, **options)
    except ImportError as error:
        raise click.ClickException(str(error)) from None

"""Options and helpers of the verbs that play: which game, which position, and long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from cotulenh.board import Board
from cotulenh.chess import Square as ChessSquare
from cotulenh.engine import MAX_HASH_MB, MAX_THREADS, Limit
from cotulenh.games import AnyBoard, check_name, names, new_board, play_text, side, side_name

__all__ = [
    "board_of",
    "errors_console",
    "fen_option",
    "game_option",
    "game_option_of",
    "hash_option",
    "limit_of",
    "limit_options",
    "moves_from",
    "square_on",
    "standing_on",
    "threads_option",
    "track",
    "why_no_moves",
]


F = TypeVar("F", bound=Callable[..., Any])


def _game(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    return check_name(value)  # a file of one's own is refused here, with its reason


def game_option_of(default: str) -> Callable[[F], F]:
    """The option that names the game, the same in every verb."""
    return click.option(
        "-g",
        "--game",
        "--rules",
        "game",
        callback=_game,
        default=default,
        show_default=True,
        metavar="NAME",
        help=f"{', '.join(names())}, or the path of a rules file.",
    )


game_option = game_option_of("official")
fen_option = click.option("--fen", help="The position; without it, the start of the game.")
threads_option = click.option(
    "-t", "--threads", type=click.IntRange(1, MAX_THREADS), default=1, show_default=True
)
hash_option = click.option(
    "--hash",
    "hash_mb",
    type=click.IntRange(1, MAX_HASH_MB),
    default=64,
    show_default=True,
    help="MiB of the hash table.",
)


def limit_options(function: Any) -> Any:
    """Adds --time, --depth and --nodes."""
    for option in (
        click.option("--nodes", type=click.IntRange(1), help="Stop after so many nodes."),
        click.option("--depth", type=click.IntRange(1, 240), help="Stop at this depth."),
        click.option("--time", "seconds", type=click.FloatRange(0.001), help="Seconds a move."),
    ):
        function = option(function)
    return function


def limit_of(
    seconds: float | None, depth: int | None, nodes: int | None, default: float = 1.0
) -> Limit:
    """The engine's limit of these options; so many seconds if none was given."""
    if seconds is None and depth is None and nodes is None:
        seconds = default
    return Limit(time=seconds, depth=depth, nodes=nodes)


def board_of(game: str, fen: str | None, moves: Iterable[str] = ()) -> AnyBoard:
    """The position the options name, after some moves in any notation."""
    board = new_board(game, fen)
    for text in moves:
        play_text(board, text)
    return board


def square_on(board: AnyBoard, name: str) -> Any:
    """The square of a name on this board; ``ValueError`` if there is none such."""
    text = name.strip().lower()
    return board.rules.terrain.square(text) if isinstance(board, Board) else ChessSquare(text)


def moves_from(board: AnyBoard, place: Any) -> list[Any]:
    """The legal moves of what stands on a square."""
    return [move for move in board.legal_moves if move.from_square == place]


def why_no_moves(board: AnyBoard, place: Any) -> str:
    """Why nothing can move from a square: nothing there, the other side's turn, or no way out."""
    there: Any = standing_on(board, place)
    if there is None:
        return f"nothing stands on {place}"
    if there.color is not board.turn:
        owner = side_name(board, 1 - side(board))
        return f"{there} on {place} is {owner}'s, and it is {side_name(board)}'s turn"
    return f"{there} on {place} has no legal move"


def standing_on(board: Any, place: Any) -> Any:
    """What stands on a square: a stack, in chess a piece, or nothing."""
    return board.stack_at(place) if isinstance(board, Board) else board.piece_at(place)


def errors_console() -> Console:
    """Where progress is shown: standard error, so that standard output stays clean."""
    return Console(stderr=True)


class _Rate(ProgressColumn):
    """Steps a second; below one a second, seconds a step."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if not speed:
            return Text("")
        return Text(f"{speed:.1f}/s" if speed >= 1 else f"{1 / speed:.1f} s each")


def progress(unit: str) -> Progress:
    """A bar with what is done, the rate and the time left; nothing if nobody watches."""

    def column() -> Column:
        return Column(no_wrap=True)

    return Progress(
        TextColumn(unit),
        BarColumn(bar_width=10),
        MofNCompleteColumn(table_column=column()),
        _Rate(table_column=column()),
        TimeRemainingColumn(compact=True, table_column=column()),
        TextColumn("left {task.description}"),
        console=errors_console(),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def track(items: list[Any], unit: str) -> Iterator[Any]:
    """Goes through a list under a progress bar."""
    with progress(unit) as bar:
        task = bar.add_task("", total=len(items))
        for item in items:
            yield item
            bar.advance(task)

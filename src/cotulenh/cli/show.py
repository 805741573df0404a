"""``cotulenh show``: a position, its ground, and what one of its pieces may do."""

from __future__ import annotations

from typing import Any

import click

from cotulenh.board import Board
from cotulenh.chess import SquareSet as ChessSquareSet
from cotulenh.cli._common import as_json, print_json
from cotulenh.cli._games import (
    board_of,
    fen_option,
    game_option,
    moves_from,
    square_on,
    standing_on,
    why_no_moves,
)
from cotulenh.games import AnyBoard
from cotulenh.squares import Square, SquareSet, draw_grid

__all__ = ["verb"]


@click.command("show")
@click.argument("square", required=False)
@click.argument("moves", nargs=-1)
@click.option("--moves-of", metavar="SQUARE", help="The same as SQUARE, as in render.")
@fen_option
@game_option
@as_json
def verb(
    square: str | None,
    moves: tuple[str, ...],
    moves_of: str | None,
    fen: str | None,
    game: str,
    as_json: bool,
) -> None:
    """Show a board, its ground, and the legal moves of the piece on SQUARE.

    Without SQUARE the piece with the most moves is taken. MOVES are played first.
    """
    board = board_of(game, fen, moves)
    name = moves_of or square
    place = _busiest(board) if name is None else square_on(board, name)
    legal = [] if place is None else moves_from(board, place)
    if as_json:
        texts = [board.san(move) for move in legal]
        print_json({"fen": board.fen(), "square": place and place.name, "moves": texts})
        return
    _show_board(board)
    if place is not None:
        _show_moves(board, place, legal)


def _busiest(board: AnyBoard) -> Any:
    counts: dict[Any, int] = {}
    for move in board.legal_moves:
        counts[move.from_square] = counts.get(move.from_square, 0) + 1
    found = max(counts, key=lambda square: counts[square], default=None)
    return Square(found) if found is not None and isinstance(board, Board) else found


def _show_board(board: AnyBoard) -> None:
    if not isinstance(board, Board):
        click.echo(f"Chess\n\n{board}\n")
        return
    rules = board.rules
    drawn = draw_grid(
        lambda square: str(board.stack_at(square) or "."), Square, rules.files, rules.ranks
    )
    click.echo(f"{rules.title}\n\n{drawn}\n\n{rules.tables.show('terrain')}\n")


def _show_moves(board: AnyBoard, place: Any, moves: list[Any]) -> None:
    if not moves:
        click.echo(why_no_moves(board, place))
        return
    squares = [move.to_square for move in moves]
    targets = (
        SquareSet(squares, files=board.rules.files)
        if isinstance(board, Board)
        else ChessSquareSet(squares)
    )
    click.echo(f"{standing_on(board, place)} on {place} has {len(moves)} legal moves:\n{targets}\n")
    click.echo(" ".join(board.san(move) for move in moves))

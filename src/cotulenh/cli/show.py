"""``cotulenh show``: a position, its ground, and what one of its pieces may do."""

from __future__ import annotations

import click

from cotulenh import Board, Move, Rules, Square, SquareSet
from cotulenh.cli._common import as_json, print_json, rules_option
from cotulenh.squares import draw_grid

__all__ = ["verb"]


@click.command("show")
@click.argument("square", required=False)
@click.option("--fen", help="The position; without it, the start.")
@rules_option
@as_json
def verb(square: str | None, fen: str | None, rules: Rules, as_json: bool) -> None:
    """Show a board, its terrain, and the legal moves of the piece on SQUARE.

    Without SQUARE the piece with the most moves is taken.
    """
    board = Board(fen, rules)
    place = _busiest(board) if square is None else rules.terrain.square(square)
    moves = [] if place is None else [move for move in board.legal_moves if _from(move) == place]
    if as_json:
        texts = [board.san(move) for move in moves]
        print_json({"fen": board.fen(), "square": place and place.name, "moves": texts})
        return
    click.echo(f"{rules.title}\n\n{_drawn(board)}\n\n{rules.tables.show('terrain')}\n")
    if place is not None:
        _show_moves(board, place, moves)


def _drawn(board: Board) -> str:
    rules = board.rules

    def sign(square: Square) -> str:
        return str(board.stack_at(square) or ".")

    return draw_grid(sign, Square, rules.files, rules.ranks)


def _from(move: Move) -> Square:
    return Square(move.from_square)


def _busiest(board: Board) -> Square | None:
    counts: dict[Square, int] = {}
    for move in board.legal_moves:
        counts[_from(move)] = counts.get(_from(move), 0) + 1
    return max(counts, key=lambda square: counts[square], default=None)


def _show_moves(board: Board, place: Square, moves: list[Move]) -> None:
    stack = board.stack_at(place)
    if stack is None:
        click.echo(f"{place}: nothing stands there")
        return
    targets = SquareSet((move.to_square for move in moves), files=board.rules.files)
    click.echo(f"{stack} on {place} has {len(moves)} legal moves:\n{targets}\n")
    click.echo(" ".join(board.san(move) for move in moves))

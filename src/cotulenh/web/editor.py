"""The editor's positions: pieces on squares as data become a FEN, or problems with names."""

from __future__ import annotations

from cotulenh import chess
from cotulenh.board import Board
from cotulenh.errors import PositionError
from cotulenh.games import placement
from cotulenh.rules import Rules
from cotulenh.squares import RED, Square
from cotulenh.web.forms import EditAsk, Edited
from cotulenh.web.messages import Refusal
from cotulenh.web.view import new_board, variants

__all__ = ["edited"]

Pieces = dict[str, list[str]]


def edited(ask: EditAsk) -> Edited:
    """What becomes of a position in the making."""
    if ask.variant not in variants():
        raise Refusal("no_such_variant", "there is no such variant")
    fen = _fen(ask.variant, ask.pieces, ask.turn)
    try:
        board = new_board(ask.variant, fen)
    except PositionError as error:
        problems = sorted(error.problems) or ["bad_position"]
        square = "" if error.square is None else error.square.name
        args = {"square": square}
        return Edited(fen, False, error.reason, problems, square, problems[0], args)
    except ValueError as error:
        return Edited(fen, False, str(error), ["bad_position"], code="bad_position")
    problems = sorted(board.problems) if isinstance(board, Board) else []
    return Edited(board.fen(), True, "", problems)


def _fen(variant: str, pieces: Pieces, turn: int) -> str:
    """The FEN of a position in the making; whether it can be is the board's to say."""
    if variant == "chess":
        rows = placement(
            8, 8, lambda f, r: _stack_text(pieces.get(f"{chr(97 + f)}{r + 1}", []), "w")
        )
        return f"{rows} {'wb'[turn]} {_castling(pieces)} - 0 1"
    rules = Rules.load(variant)

    def sign(file: int, rank: int) -> str | None:
        return _stack_text(pieces.get(Square.at(file, rank).name, []), RED.value)

    return f"{placement(rules.files, rules.ranks, sign)} {'rb'[turn]} - - 0 1"


def _stack_text(stack: list[str], first: str) -> str | None:
    """A stack as a FEN has it, the first side in capitals."""
    letters = []
    for piece in stack:
        letter = piece[-1:].upper() if piece[:1] == first else piece[-1:].lower()
        letters.append(("+" if "+" in piece else "") + letter)
    text = "".join(letters)
    return (f"({text})" if len(stack) > 1 else text) or None


def _castling(pieces: Pieces) -> str:
    """All rights that the places of kings and rooks allow."""
    rights = ""
    for color, letters in ((chess.WHITE, "KQ"), (chess.BLACK, "kq")):
        rank, mark = (1, "w") if color is chess.WHITE else (8, "b")
        if pieces.get(f"e{rank}") != [f"{mark}K"]:
            continue
        for letter, file in zip(letters, "ha", strict=True):
            rights += letter if pieces.get(f"{file}{rank}") == [f"{mark}R"] else ""
    return rights or "-"

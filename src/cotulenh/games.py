"""Both games behind one set of functions, for protocols, matches and the command line.

A *variant* is a name: ``chess``, a shipped rule set of Cờ Tư Lệnh, or the path of a rules file. The
two sides are 0 (moves first in the game: White, Red) and 1.

>>> board = new_board("official")
>>> move = parse_move(board, "Mg5g6")
>>> move_text(board, move), side(board), result(board)
('Mg5g6', 0, None)
"""

from __future__ import annotations

from typing import Any, TypeAlias

from cotulenh import chess as _chess
from cotulenh.board import Board
from cotulenh.board import Move as _Move
from cotulenh.rules import Rules
from cotulenh.squares import RED

__all__ = [
    "VARIANTS",
    "AnyBoard",
    "AnyMove",
    "Outcome",
    "commander_of",
    "end",
    "first_fen",
    "moves_of",
    "new_board",
    "parse_move",
    "parse_text",
    "play_text",
    "push_text",
    "result",
    "san",
    "side",
    "side_name",
    "variant_of",
]

AnyBoard: TypeAlias = Board | _chess.Board
AnyMove: TypeAlias = _Move | _chess.Move
Outcome: TypeAlias = Any  # of either game: .winner, .reason, .result

VARIANTS = ("chess", *Rules.names())


def new_board(variant: str, fen: str | None = None, *, chess960: bool = False) -> AnyBoard:
    """A board of a variant, at its start or from a FEN."""
    if variant == "chess":
        return _chess.Board(_chess.STARTING if fen is None else fen, chess960)
    return Board(fen, variant)


def variant_of(board: AnyBoard) -> str:
    """The name of the board's variant."""
    return "chess" if isinstance(board, _chess.Board) else board.rules.name


def side(board: AnyBoard) -> int:
    """The side to move: 0 for White and Red, 1 for Black and Blue."""
    return 0 if board.turn in (RED, _chess.WHITE) else 1


def side_name(board: AnyBoard, number: int | None = None) -> str:
    """The name of a side, of the side to move if none is given."""
    names = ("White", "Black") if isinstance(board, _chess.Board) else ("Red", "Blue")
    return names[side(board) if number is None else number]


def moves_of(board: AnyBoard) -> list[AnyMove]:
    """The legal moves, as a list."""
    return list(board.legal_moves)


def commander_of(board: AnyBoard) -> bool:
    """Whether the side to move still has its Commander; in chess always."""
    return isinstance(board, _chess.Board) or board.commander(board.turn) is not None


def move_text(board: AnyBoard, move: AnyMove) -> str:
    """A legal move as protocols write it: UCI in chess, LAN (12.1) in Cờ Tư Lệnh."""
    return board.uci(move) if isinstance(board, _chess.Board) else board.lan(move)  # type: ignore[arg-type]


def san(board: AnyBoard, move: AnyMove) -> str:
    """A legal move in short notation."""
    return board.san(move)  # type: ignore[arg-type]


def parse_move(board: AnyBoard, text: str) -> AnyMove:
    """The legal move of a protocol's text; the errors are ``ValueError`` with a reason."""
    return board.parse_uci(text) if isinstance(board, _chess.Board) else board.parse_lan(text)


def parse_text(board: AnyBoard, text: str) -> AnyMove:
    """The legal move of what a person typed: the protocol's form or short notation."""
    try:
        return parse_move(board, text)
    except ValueError as first:
        try:
            return board.parse_san(text)
        except ValueError as second:
            raise _better(first, second) from None


def _better(first: ValueError, second: ValueError) -> ValueError:
    """Of two refusals the one that understood more of the text."""
    plain = type(first).__name__ == "ParseError"
    return second if plain else first


def push_text(board: AnyBoard, text: str) -> AnyMove:
    """Plays one move of a protocol's text."""
    move = parse_move(board, text)
    board.push(move)  # type: ignore[arg-type]
    return move


def play_text(board: AnyBoard, text: str) -> list[AnyMove]:
    """Plays what a person typed: one move, or a whole deployment turn in one token."""
    if isinstance(board, Board) and ("," in text or "<" in text.rstrip("<")):
        played = board.push_san(text)
        return list(played) if isinstance(played, list) else [played]
    move = parse_text(board, text)
    board.push(move)  # type: ignore[arg-type]
    return [move]


def end(board: AnyBoard) -> Outcome | None:
    """How the game ended; in chess the draws that need a claim count as claimed."""
    if isinstance(board, _chess.Board):
        return board.outcome(claim_draw=True)
    return board.outcome()


def result(board: AnyBoard) -> str | None:
    """``1-0``, ``0-1`` or ``1/2-1/2``; ``None`` while the game goes on."""
    found = end(board)
    return None if found is None else str(found.result)


def first_fen(board: AnyBoard) -> str:
    """The FEN of the position the board's history starts from."""
    start = board.copy()
    while start.ply:
        start.pop()
    return start.fen()

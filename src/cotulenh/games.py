"""Both games behind one interface: what engine, PGN, pictures, protocols, matches and web share.

A game is named by a word, ``chess`` or a rule set of Cờ Tư Lệnh, or by the path of a rules file.
The two sides are 0 (moves first in the game: White, Red) and 1.

>>> names()
['official', 'online', 'blueprint', 'chess']
>>> board = new_board("official")
>>> move = parse_move(board, "Mg5g6")
>>> move_text(board, move), side(board), result(board)
('Mg5g6', 0, None)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Literal, Protocol, Self, TypeAlias, TypeVar

from cotulenh import chess as _chess
from cotulenh.board import Board
from cotulenh.board import Move as _Move
from cotulenh.errors import ParseError
from cotulenh.rules import Rules
from cotulenh.squares import RED, placement

__all__ = [
    "AnyBoard",
    "AnyMove",
    "BoardLike",
    "OutcomeLike",
    "add",
    "check_name",
    "end",
    "end_text",
    "has_commander",
    "line_text",
    "move_text",
    "name_of",
    "names",
    "new_board",
    "parse_move",
    "parse_text",
    "placement",
    "play_text",
    "push_text",
    "result",
    "side",
    "side_name",
    "start_of",
]

AnyMove: TypeAlias = _Move | _chess.Move
M = TypeVar("M", bound=AnyMove)


class OutcomeLike(Protocol):
    """How a game of either kind ended."""

    @property
    def winner(self) -> Any:
        """The colour of the winner, ``None`` after a draw."""

    @property
    def reason(self) -> Any:
        """A member of the game's enum of reasons."""

    @property
    def result(self) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2``."""


class BoardLike(Protocol[M]):
    """What both boards can do. ``M`` is the type of their moves.

    >>> def first_move(board: BoardLike[M]) -> M:
    ...     return next(iter(board.legal_moves))
    >>> first_move(_chess.Board()) in _chess.Board().legal_moves
    True
    """

    def fen(self) -> str:
        """The position as FEN."""

    @property
    def turn(self) -> Any:
        """The side to move: a member of the game's ``Color``."""

    @property
    def ply(self) -> int:
        """Single moves played since the first position."""

    @property
    def key(self) -> int:
        """64-bit Zobrist key."""

    @property
    def halfmove_clock(self) -> int:
        """Moves since the last take, as the game counts them."""

    @property
    def fullmove_number(self) -> int:
        """Grows after the second side's turn."""

    @property
    def legal_moves(self) -> Collection[M]:
        """A snapshot of the legal moves."""

    @property
    def move_stack(self) -> list[M]:
        """The single moves played since the first position."""

    def is_legal(self, move: M) -> bool:
        """Whether a move is legal now."""

    def push(self, move: M) -> None:
        """Plays a legal move."""

    def pop(self) -> M:
        """Takes back the last single move."""

    def peek(self) -> M:
        """The last single move."""

    def undo(self) -> None:
        """Takes back the last whole turn, or the last step of a deployment."""

    def root(self) -> Self:
        """A board at the first position, where the history starts."""

    def copy(self) -> Self:
        """A board of its own, history included."""

    def san(self, move: M) -> str:
        """A legal move in short notation."""

    def parse_san(self, text: str) -> M:
        """The legal move of a short notation."""

    def push_san(self, text: str) -> M | list[M]:
        """Plays a short notation: one move, or a whole deployment turn."""

    def history(self, as_text: Literal["san"] = ...) -> list[str]:
        """One text for each finished turn."""

    def is_check(self) -> bool:
        """Whether the side to move is in check."""

    def is_checkmate(self) -> bool:
        """Whether the side to move is mated."""

    def is_stalemate(self) -> bool:
        """Whether the side to move has no move and is not in check."""

    def is_repetition(self, n: int = ...) -> bool:
        """Whether the position stands on the board for at least the n-th time."""

    def is_game_over(self) -> bool:
        """Whether the game has ended."""

    def outcome(self) -> OutcomeLike | None:
        """How the game ended, ``None`` while it goes on."""

    def perft(self, depth: int, threads: int = 1, hash_mb: int = 0, hash_seed: int = 0) -> int:
        """How many sequences of so many legal moves there are."""


AnyBoard: TypeAlias = BoardLike[Any]  # where the game is known only when the program runs


# Games by name --------------------------------------------------------------------------------

_FIRST = ("official", "online", "blueprint")  # the order people are shown
_added: dict[str, Rules] = {}


def names() -> list[str]:
    """All games there are: shipped rule sets, chess, and what :func:`add` has added."""
    shipped = Rules.names()
    known = [name for name in _FIRST if name in shipped]
    return [*known, *(name for name in shipped if name not in known), "chess", *_added]


def add(path: str | Path) -> str:
    """Puts the rule set of a file on the list and returns the name it has there.

    That is the name the file gives itself, or the path if a game of that name is there already.
    """
    if str(path) in names():
        return str(path)
    rules = Rules.load(path)
    taken = rules.name == "chess" or _added.get(rules.name, rules) is not rules
    name = str(path) if taken else rules.name
    _added[name] = rules
    return name


def check_name(name: str | Path) -> str:
    """A name, or the path of a rules file, as it is; ``ValueError`` if there is no such game."""
    if str(name) not in names():
        Rules.load(name)
    return str(name)


def new_board(
    name_or_path: str | Path, fen: str | None = None, *, chess960: bool = False
) -> AnyBoard:
    """A board of a game, at its start or from a FEN.

    >>> new_board("chess").fen().split()[0]
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
    """
    if name_or_path == "chess":
        return _chess.Board(_chess.STARTING if fen is None else fen, chess960)
    return Board(fen, _added.get(str(name_or_path)) or Rules.load(name_or_path))


def name_of(board: AnyBoard) -> str:
    """The name of the board's game: what :func:`new_board` knows it by, path of its file included.

    >>> name_of(new_board("online"))
    'online'
    """
    if not isinstance(board, Board):
        return "chess"
    rules = board.rules
    for name in (*Rules.names(), *_added):
        if (_added.get(name) or Rules.load(name)) is rules:
            return name
    return rules.source


def start_of(board: AnyBoard) -> AnyBoard:
    """The start position of the board's game."""
    return Board(None, board.rules) if isinstance(board, Board) else _chess.Board()


# Sides and results ----------------------------------------------------------------------------


def side(board: AnyBoard) -> int:
    """The side to move: 0 for White and Red, 1 for Black and Blue."""
    return 0 if board.turn in (RED, _chess.WHITE) else 1


def side_name(board: AnyBoard, number: int | None = None) -> str:
    """The name of a side, of the side to move if none is given."""
    pair = ("Red", "Blue") if isinstance(board, Board) else ("White", "Black")
    return pair[side(board) if number is None else number]


def has_commander(board: AnyBoard) -> bool:
    """Whether the side to move still has its Commander; in chess always."""
    return not isinstance(board, Board) or board.commander(board.turn) is not None


def end(board: AnyBoard) -> OutcomeLike | None:
    """How the game ended; in chess draws that stand on the board count as claimed.

    Those that a player could only claim by announcing a move do not end a game by themselves.
    """
    over = board.outcome()
    if over is None and isinstance(board, _chess.Board):
        return board.drawn_on_the_board()
    return over


def end_text(over: OutcomeLike) -> str:
    """The reason of an end in words.

    >>> end_text(_chess.Outcome(None, _chess.Reason.FIFTY_MOVES))
    'fifty moves'
    """
    return str(over.reason.name).lower().replace("_", " ")


def result(board: AnyBoard) -> str | None:
    """``1-0``, ``0-1`` or ``1/2-1/2``; ``None`` while the game goes on."""
    found = end(board)
    return None if found is None else found.result


# Moves as text --------------------------------------------------------------------------------


def move_text(board: BoardLike[M], move: M) -> str:
    """A legal move as protocols write it: UCI in chess, LAN (12.1) in Cờ Tư Lệnh."""
    any_board: Any = board
    write = any_board.lan if _is_ctl(board) else any_board.uci
    return str(write(move))


def _is_ctl(board: AnyBoard) -> bool:
    return isinstance(board, Board)


def line_text(
    board: BoardLike[M], moves: Iterable[M], as_text: Literal["protocol", "san"] = "protocol"
) -> list[str]:
    """The texts of a line of moves; it ends before the first one that is not legal.

    >>> board = new_board("chess")
    >>> line = [board.parse_san("e4"), board.parse_san("d4")]
    >>> line_text(board, line, "san")
    ['e4']
    """
    board, words = board.copy(), []
    for move in moves:
        if not board.is_legal(move):
            break
        words.append(move_text(board, move) if as_text == "protocol" else board.san(move))
        board.push(move)
    return words


def parse_move(board: BoardLike[M], text: str) -> M:
    """The legal move of a protocol's text; the errors are ``ValueError`` with a reason."""
    any_board: Any = board
    read = any_board.parse_lan if _is_ctl(board) else any_board.parse_uci
    move: M = read(text)
    return move


def parse_text(board: BoardLike[M], text: str) -> M:
    """The legal move of what a person typed: the protocol's form or short notation."""
    try:
        return parse_move(board, text)
    except ValueError as first:
        try:
            return board.parse_san(text)
        except ValueError as second:
            # The refusal that understood more of the text says more.
            raise (second if isinstance(first, ParseError) else first) from None


def push_text(board: BoardLike[M], text: str) -> M:
    """Plays one move of a protocol's text."""
    move = parse_move(board, text)
    board.push(move)
    return move


def play_text(board: BoardLike[M], text: str) -> list[M]:
    """Plays what a person typed: one move, or a whole deployment turn in one token."""
    if _is_ctl(board) and ("," in text or "<" in text.rstrip("<")):
        played = board.push_san(text)
        return list(played) if isinstance(played, list) else [played]
    move = parse_text(board, text)
    board.push(move)
    return [move]

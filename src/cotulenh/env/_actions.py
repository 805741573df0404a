"""Moves as numbers: one fixed space for each game, whatever its rule set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, SupportsIndex

from cotulenh import Board, _core, chess
from cotulenh.games import move_text, parse_move

if TYPE_CHECKING:
    from cotulenh.games import AnyBoard, AnyMove

__all__ = [
    "ActionSpace",
    "action_space",
    "action_to_move",
    "action_to_text",
    "legal_pairs",
    "move_to_action",
    "text_to_action",
]

#: Which pieces of a stack go, in the order of its FEN; None: all of them.
PARTS = (None, (0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
_PROMOTIONS = ("n", "b", "r")


@dataclass(frozen=True, slots=True)
class ActionSpace:
    """What the numbers of a game mean, apart from any position.

    Squares are seen from the side to move: ``(file, rank)`` counted from 0, rank 0 the nearest.
    """

    game: str
    n: int
    size: int
    pairs: tuple[tuple[int, int], ...]

    def squares(self, action: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """From where to where an action goes; ``None`` if the position alone says so.

        >>> action_space("chess").squares(0)
        ((0, 0), (0, 1))
        """
        self.check(action)
        pair = self._pair(action)
        if pair is None:
            return None
        first, last = (divmod(square, self.size) for square in pair)
        return (first[1], first[0]), (last[1], last[0])

    def variant(self, action: int) -> str:
        """What an action says beyond its squares.

        >>> space = action_space("cotulenh")
        >>> [space.variant(k * len(space.pairs)) for k in range(4)]
        ['whole', 'whole stays', 'piece 1', 'piece 2']
        >>> space.variant(space.n - 1)
        'commit'
        """
        self.check(action)
        return self._chess_variant(action) if self.game == "chess" else self._ctl_variant(action)

    def check(self, action: int) -> None:
        """Raises ``ValueError`` for a number that is no action."""
        if isinstance(action, bool) or not isinstance(action, SupportsIndex):
            raise TypeError(f"expected a whole number as action, got {type(action).__name__}")
        if not 0 <= int(action) < self.n:
            raise ValueError(f"expected an action from 0 to {self.n - 1}, got {action}")

    def _pair(self, action: int) -> tuple[int, int] | None:
        if self.game != "chess":
            beyond = action >= 8 * len(self.pairs)
            return None if beyond else self.pairs[action % len(self.pairs)]
        if action < len(self.pairs):
            return self.pairs[action]
        return _more_chess_pairs().get(action)

    def _ctl_variant(self, action: int) -> str:
        variant, _ = divmod(action, len(self.pairs))
        if variant < 8:
            return ("whole", "whole stays", *map(_part_text, range(1, 7)))[variant]
        if action == self.n - 1:
            return "commit"
        return f"Commander breaches, {_part_text(action - 8 * len(self.pairs))}"

    def _chess_variant(self, action: int) -> str:
        if action >= self.n - 2:
            return ("castling, a-file", "castling, h-file")[action - self.n + 2]
        first = self.n - 2 - 3 * 22
        return "plain" if action < first else f"promotion to {_PROMOTIONS[(action - first) // 22]}"


def _part_text(part: int) -> str:
    chosen = PARTS[part]
    if chosen is None:
        return "whole"
    words = " and ".join(str(place + 1) for place in chosen)
    return f"piece {words}" if len(chosen) == 1 else f"pieces {words}"


@cache
def _more_chess_pairs() -> dict[int, tuple[int, int]]:
    """Knights and promotions, which are on no table of lines."""
    squares = range(64)
    jumps = [
        (a, b)
        for a in squares
        for b in squares
        if (a % 8 - b % 8) ** 2 + (a // 8 - b // 8) ** 2 == 5
    ]
    steps = [(48 + a, 56 + b) for a in range(8) for b in range(max(0, a - 1), min(8, a + 2))]
    return dict(enumerate(jumps + 3 * steps, 1456))


@cache
def action_space(game: str = "cotulenh") -> ActionSpace:
    """The actions of ``"cotulenh"`` (all rule sets) or ``"chess"``.

    >>> action_space("cotulenh").n, action_space("chess").n
    (41544, 1860)
    """
    if game not in ("cotulenh", "chess"):
        raise ValueError(f"expected a game (cotulenh or chess), got {game!r}")
    is_chess = game == "chess"
    n = _core.env.CHESS_ACTIONS if is_chess else _core.env.CTL_ACTIONS
    pairs = tuple(_core.env.pairs(is_chess))
    return ActionSpace(game, n, 8 if is_chess else 12, pairs)


def legal_pairs(board: AnyBoard) -> list[tuple[int, int]]:
    """Action and bits of each legal move, in the order of ``board.legal_moves``."""
    if isinstance(board, chess.Board):
        return _core.env.legal_actions(None, board.fen(), board.chess960)
    if isinstance(board, Board):
        return _core.env.legal_actions(board.rules.core, board.fen(), False)
    raise TypeError(f"expected a board, got {type(board).__name__}")


def action_to_move(board: AnyBoard, action: int) -> AnyMove:
    """The legal move that an action means on this board.

    >>> board = Board()
    >>> action_to_move(board, text_to_action(board, "Mg5g6")) == board.parse_lan("Mg5g6")
    True
    """
    action_space("chess" if isinstance(board, chess.Board) else "cotulenh").check(action)
    wanted = int(action)
    for number, bits in legal_pairs(board):
        if number == wanted:
            return _move_type(board).from_int(bits)
    raise ValueError(f"action {wanted} is not legal in {board.fen()}")


def move_to_action(board: AnyBoard, move: AnyMove) -> int:
    """The number of a legal move."""
    pairs, kind = legal_pairs(board), _move_type(board)
    if not isinstance(move, kind):
        raise TypeError(f"expected a move, got {type(move).__name__}")
    wanted = int(move)
    for number, bits in pairs:
        if bits == wanted:
            return number
    raise ValueError(f"{move} is not legal in {board.fen()}")


def action_to_text(board: AnyBoard, action: int) -> str:
    """The text of an action: LAN in Cờ Tư Lệnh, UCI in chess."""
    return move_text(board, action_to_move(board, action))


def text_to_action(board: AnyBoard, text: str) -> int:
    """The action of a move's text.

    >>> text_to_action(chess.Board(), "e2e4")
    259
    """
    if not isinstance(text, str):
        raise TypeError(f"expected the text of a move, got {type(text).__name__}")
    return move_to_action(board, parse_move(board, text))


def _move_type(board: AnyBoard) -> type[AnyMove]:
    return chess.Move if isinstance(board, chess.Board) else _core.Move

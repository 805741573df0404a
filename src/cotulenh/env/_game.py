"""Which game an environment plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cotulenh import Board, chess
from cotulenh._core import env as core
from cotulenh.games import AnyBoard
from cotulenh.rules import Rules

__all__ = ["Game", "game_of"]


@dataclass(frozen=True, slots=True)
class Game:
    """Chess, or Cờ Tư Lệnh by some rules."""

    rules: Rules | None
    chess960: bool = False

    @property
    def is_chess(self) -> bool:
        """Chess has no rules file."""
        return self.rules is None

    @property
    def name(self) -> str:
        """As one would ask for it."""
        return "chess" if self.rules is None else self.rules.name

    @property
    def actions(self) -> int:
        """How many numbers its moves have."""
        return core.CHESS_ACTIONS if self.rules is None else core.CTL_ACTIONS

    def start_fens(self, fen: str | Sequence[str] | None) -> list[str]:
        """The positions that episodes begin with."""
        if fen is None:
            return [chess.STARTING if self.rules is None else self.rules.start_fen]
        fens = [fen] if isinstance(fen, str) else list(fen) if isinstance(fen, Sequence) else []
        if not fens or not all(isinstance(one, str) for one in fens):
            raise TypeError("expected a FEN or a sequence of FENs as start positions")
        return fens

    def board(self, fen: str, moves: Sequence[int] = ()) -> AnyBoard:
        """A board with its history."""
        if self.rules is None:
            played = chess.Board(fen, self.chess960)
            for bits in moves:
                played.push(chess.Move.from_int(bits))
            return played
        board = Board(fen, self.rules)
        for bits in moves:
            board.push(type(board.legal_moves[0]).from_int(bits))
        return board


def game_of(game: str | Rules, chess960: bool = False) -> Game:
    """The game of a name, a rule file's path, or a rule set.

    >>> game_of("chess").is_chess, game_of("online").name
    (True, 'online')
    """
    if isinstance(game, Rules):
        return Game(game)
    if not isinstance(game, str):
        raise TypeError(f"expected the name of a game, got {type(game).__name__}")
    if game == "chess":
        return Game(None, chess960)
    if chess960:
        raise ValueError("chess960 is for chess only")
    return Game(Rules.load(game))

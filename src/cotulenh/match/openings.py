"""Openings: random legal moves that leave neither side better.

Every opening follows from the seed and its number alone, so a match can be resumed or repeated.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from cotulenh.engine import Engine, Limit
from cotulenh.games import AnyBoard, end, line_text, new_board, push_text

__all__ = ["Opening", "Openings"]

MOST_TRIES = 200


@dataclass(frozen=True, slots=True)
class Opening:
    """The moves of an opening, from the start position of its variant."""

    variant: str
    moves: tuple[str, ...]

    def board(self) -> AnyBoard:
        """The position after it, with its history."""
        board = new_board(self.variant)
        for text in self.moves:
            push_text(board, text)
        return board


class Openings:
    """Openings by number. ``turns`` random turns each; ``bound`` centipawns either way at most.

    The balance is the engine's opinion after ``nodes`` nodes, so the same everywhere; with
    ``bound`` 0 nobody is asked.
    """

    def __init__(
        self, variant: str, turns: int = 8, seed: int = 1, bound: int = 100, nodes: int = 5000
    ) -> None:
        self.variant, self.turns, self.seed = variant, turns, seed
        self.bound, self.nodes = bound, nodes

    def opening(self, number: int) -> Opening:
        """The opening of a number."""
        dice = random.Random(f"{self.seed}/{number}/{self.variant}/{self.turns}")
        for _ in range(MOST_TRIES):
            board = self._stroll(dice)
            if board is not None and self._balanced(board):
                return Opening(self.variant, tuple(line_text(board.root(), board.move_stack)))
        raise ValueError(f"no balanced opening in {MOST_TRIES} tries: allow more than {self.bound}")

    def _stroll(self, dice: random.Random) -> AnyBoard | None:
        """Some random turns; nothing if the game ends meanwhile or a side stands in check."""
        board = new_board(self.variant)
        for _ in range(self.turns):
            mover = board.turn
            while board.turn is mover:
                if end(board) is not None:
                    return None
                board.push(dice.choice(list(board.legal_moves)))
        return None if end(board) is not None or board.is_check() else board

    def _balanced(self, board: AnyBoard) -> bool:
        if not self.bound:
            return True
        with Engine(hash_mb=1) as engine:
            found = engine.play(board, Limit(nodes=self.nodes)).info
        if found is None or found.score.cp is None:
            return False
        return abs(found.score.cp) <= self.bound

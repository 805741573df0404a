"""Levels: playing below full strength, and erring the way people do.

A level looks at fewer positions than the engine could, and it does not take in the whole board:
what lies far from a piece, and what could be sent out of a stack, is overlooked now and then. That
holds for its own moves and for the answers of the opponent. What is near it sees: it does not lose
pieces by the toss of a coin.

>>> rating(0, "official") < rating(10, "official") < rating(19, "official")
True
>>> round(skill_of(rating(7, "chess"), "chess"))
7
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cotulenh.engine import Info

__all__ = ["FULL", "MAX_ELO", "MIN_ELO", "RUNGS", "Weakness", "difficulty", "rating", "skill_of"]

#: The skill of full strength.
FULL = 20
#: The range of ``Engine(elo=…)``: what UCI_Elo offers.
MIN_ELO, MAX_ELO = 500, 2500

#: What skills are worth by matches of neighbours (``tools/ladder.py``; docs/strength.md says how
#: well that is known); the lowest is called 500. All rule sets of Cờ Tư Lệnh share one.
RUNGS = (0, 3, 6, 9, 11, 13, 15)
_LADDER = {
    "cotulenh": (500, 570, 651, 802, 1072, 1297, 1564),
    "chess": (500, 592, 714, 936, 1229, 1480, 1747),
}

_NODES, _GROWTH = 16, 1.7  # positions that skill 0 looks at, and how many times more the next
_BLINDNESS = 0.9  # of skill 0: how often it overlooks something hard to see
_NOISE = 4.0  # hundredths for each level below full strength: not always the same game
_IN_SIGHT = 2  # points around a piece that everybody looks at


class Weakness:
    """How one level plays."""

    LINES = 6  # moves it compares

    def __init__(self, skill: float, dice: random.Random) -> None:
        self.nodes = int(_NODES * _GROWTH**skill)
        self.blindness = _BLINDNESS * max(0.0, 1 - skill / (FULL - 1))
        self.noise = _NOISE * (FULL - skill)
        self.random = dice

    def overlooks(self, move: Any, *, under_way: bool = False) -> bool:
        """Whether a move is overlooked this time."""
        seen = math.pow(1 - self.blindness, difficulty(move, under_way=under_way))
        return self.random.random() > seen

    def noticed(self, board: Any, moves: Sequence[Any]) -> list[Any]:
        """The moves that come to mind; all of them if none would."""
        under_way = getattr(board, "deployment", None) is not None
        seen = [move for move in moves if not self.overlooks(move, under_way=under_way)]
        return seen or list(moves)

    def choose(self, lines: list[Info[Any]]) -> Info[Any]:
        """The best line as this level sees it: an answer that it overlooks does no harm."""
        best = max(info.score.order for info in lines)

        def thought(info: Info[Any]) -> float:
            blind = len(info.pv) > 1 and self.overlooks(info.pv[1], under_way=True)
            return (best if blind else info.score.order) + self.random.gauss(0, self.noise)

        return max(lines, key=thought)


def difficulty(move: Any, *, under_way: bool = False) -> float:
    """How hard a move is to see: 0 for what is near, more for far points and for deployments.

    >>> from cotulenh import Move
    >>> difficulty(Move.from_lan("Tf4f5")), difficulty(Move.from_lan("Fe2e6"))
    (0.0, 1.0)
    """
    start, end = move.from_square, move.to_square
    far: int = max(abs(start.file - end.file), abs(start.rank - end.rank))
    begins = not under_way and getattr(move, "is_deploy", False)
    return max(0, far - _IN_SIGHT) / 2 + begins


def rating(skill: float, game: str) -> float:
    """What a skill is worth in a game, by the ladder."""
    return _interpolate(skill, RUNGS, _LADDER[_game(game)])


def skill_of(elo: float, game: str) -> float:
    """The skill, not always a whole one, of a rating; never full strength."""
    return min(FULL - 1.0, max(0.0, _interpolate(elo, _LADDER[_game(game)], RUNGS)))


def _game(game: str) -> str:
    return "chess" if game.startswith("chess") else "cotulenh"


def _interpolate(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """On the line through the two neighbours; beyond the ends on that of the last ones."""
    i = next((i for i in range(1, len(xs) - 1) if x < xs[i]), len(xs) - 1)
    return ys[i - 1] + (x - xs[i - 1]) * (ys[i] - ys[i - 1]) / (xs[i] - xs[i - 1])

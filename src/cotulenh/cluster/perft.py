"""The job ``perft``: counts far beyond one process, exactly.

The positions after ``split`` moves are listed once each, with the number of ways that lead there
(their text is compared, no hash: the list is exact). A unit is some of them; what it counts is
added up in Python's integers, which know no limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from cotulenh.cluster.errors import RunError
from cotulenh.cluster.job import Files, Job, Outputs, Payload, Result, register
from cotulenh.games import new_board

__all__ = ["PerftJob", "unique_positions"]

# Positions of a unit by the moves that are left to count: about a second's work.
SHALLOW = 3  # so few moves are counted faster than a table is emptied
BATCH = {0: 20_000, 1: 20_000, 2: 5_000, 3: 64, 4: 1}


@register
@dataclass(frozen=True)
class PerftJob(Job):
    """Counts sequences of ``depth`` moves. ``twice`` counts each unit again with another seed."""

    kind: ClassVar[str] = "perft"

    depth: int
    split: int
    fen: str | None = None
    twice: bool = False
    hash_mb: int = 64

    def __post_init__(self) -> None:
        if not 0 <= self.split <= self.depth:
            raise RunError(f"expected a split of 0 to {self.depth}, got {self.split}")

    def units(self) -> Iterator[Payload]:
        """Batches of positions with their multiplicities, in the order they were found."""
        found = iter(unique_positions(self.game, self.fen, self.split).items())
        size = BATCH.get(self.depth - self.split, 1)
        while batch := list(islice(found, size)):
            yield {"positions": batch}

    def work(self, payload: Payload, seed: int, files: Files) -> Result:
        """Counts a batch; both counts must be the same."""
        first = self._count(payload["positions"], 0)
        if self.twice and self._count(payload["positions"], seed | 1) != first:
            raise RunError("two counts of the same positions differ")
        return {"count": str(first), "times": 1 + self.twice}

    def _count(self, positions: list[tuple[str, int]], hash_seed: int) -> int:
        left = self.depth - self.split
        table = self.hash_mb if left > SHALLOW else 0
        return sum(
            ways * new_board(self.game, fen).perft(left, 1, table, hash_seed)
            for fen, ways in positions
        )

    def finish(self, outputs: Outputs) -> Result:
        """The sum."""
        total = sum(int(result["count"]) for _, result in outputs.results())
        return {"game": self.game, "depth": self.depth, "nodes": str(total), "twice": self.twice}


def unique_positions(game: str, fen: str | None, depth: int) -> dict[str, int]:
    """The positions after ``depth`` moves, each once, and how many sequences lead to it.

    >>> found = unique_positions("chess", None, 3)
    >>> len(found), sum(found.values())
    (5362, 8902)
    """
    level = {new_board(game, fen).fen(): 1}
    for _ in range(depth):
        following: dict[str, int] = {}
        for text, ways in level.items():
            board: Any = new_board(game, text)
            for move in board.legal_moves:
                board.push(move)
                reached = _without_counters(board.fen())
                following[reached] = following.get(reached, 0) + ways
                board.pop()
        level = following
    return level


def _without_counters(fen: str) -> str:
    """What may follow does not depend on the counters (10.3), so they do not tell positions apart.

    >>> _without_counters("6c4/11 b - - 7 12 c3:N")
    '6c4/11 b - - 0 1 c3:N'
    """
    fields = fen.split(" ")
    fields[4:6] = "0", "1"
    return " ".join(fields)

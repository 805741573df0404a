"""The job ``selfplay``: games of the engine against itself, as a data set and as PGN.

A unit is a block of games whose dice come from the unit's name. Games are played natively, by nodes
(:mod:`cotulenh.engine.dataset`); the files of all units are put together in their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from cotulenh.cluster.job import Files, Job, Outputs, Payload, Result, register
from cotulenh.engine.dataset import Played, Settings, games_in, merged, play_unit
from cotulenh.game import Game
from cotulenh.games import new_board

__all__ = ["SelfplayJob"]

REASONS = ("law", "resigned", "too long")
BLOCK = 20  # games of a unit
MATES = 30_000  # from here on a score is a mate, or that of a move nobody searched


@register
@dataclass(frozen=True)
class SelfplayJob(Job):
    """So many games of so many nodes a move, after some random moves each."""

    kind: ClassVar[str] = "selfplay"
    needs_files: ClassVar[bool] = True

    games: int
    nodes: int = 500
    random_moves: int = 8
    seed: int = 1

    def units(self) -> Iterator[Payload]:
        """Blocks of games."""
        for first in range(0, self.games, BLOCK):
            yield {"seed": self.seed, "first": first, "games": min(BLOCK, self.games - first)}

    def work(self, payload: Payload, seed: int, files: Files) -> Result:
        """Plays a block and writes its file."""
        settings = Settings(self.game, payload["games"], self.nodes, self.random_moves)
        data = play_unit(settings, f"{seed:016x}")
        played = list(games_in(data))
        return {
            "games": len(played),
            "plies": sum(len(one.moves) for one in played),
            "ends": [f"{one.last_key:016x}" for one in played],
            "results": dict(sorted(Counter(one.result for one in played).items())),
            "data": files.write("games", data),
        }

    def finish(self, outputs: Outputs) -> Result:
        """One data set, one PGN file, and how many games are doubles of others."""
        ends: Counter[str] = Counter()
        results: Counter[str] = Counter()
        plies = 0
        for _, result in outputs.results():
            ends.update(result["ends"])
            results.update(result["results"])
            plies += result["plies"]
        return {
            "games": sum(results.values()),
            "plies": plies,
            "results": dict(sorted(results.items())),
            "duplicates": sum(count - 1 for count in ends.values()),
            "data": outputs.write("games.data", merged(lambda: outputs.data("data"))),
            "pgn": outputs.write("games.pgn", self._pgn(outputs)),
        }

    def _pgn(self, outputs: Outputs) -> Iterator[bytes]:
        number = 0
        for data in outputs.data("data"):
            for played in games_in(data):
                number += 1
                yield f"{_game(self.game, played, number)}\n".encode()


def _game(name: str, played: Played, number: int) -> Game:
    """A game of the data set with the engine's evaluations."""
    board: Any = new_board(name)
    kind = type(next(iter(board.legal_moves)))
    for bits in played.moves:
        board.push(kind.from_int(bits))
    game = Game.from_board(board, {"Event": "self-play", "Round": str(number)})
    game.tags["Result"] = played.result
    game.tags["Termination"] = REASONS[played.reason]
    _annotate(game, played)
    return game


def _annotate(game: Game, played: Played) -> None:
    """What the search said before each turn, after it as PGN has it: for the first side."""
    ply = 0
    for turn, node in enumerate(game.mainline()):
        score = played.scores[ply]
        ply += len(node.moves)
        if abs(score) < MATES:
            node.eval = -score if turn % 2 else score

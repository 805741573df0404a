"""The job ``analyse``: every turn of every game of a file, judged by the engine.

Evaluations and marks go into a PGN file, variations and comments kept, and into JSON lines: one
object a game with one row a turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from cotulenh.annotations import Eval
from cotulenh.cluster.fingerprint import canonical
from cotulenh.cluster.job import Files, Outputs, Payload, Result, register
from cotulenh.cluster.source import GamesJob, game_of
from cotulenh.engine import Engine, Limit, Score
from cotulenh.engine.review import Judgement, Tally, best_turn, judge
from cotulenh.game import Game, Node
from cotulenh.games import line_text, name_of, side

__all__ = ["AnalyseJob"]

NAGS = {"??": 4, "?": 2, "?!": 6}


@register
@dataclass(frozen=True)
class AnalyseJob(GamesJob):
    """Looks at every position for so long; ``nodes`` or ``depth`` make the run repeatable."""

    kind: ClassVar[str] = "analyse"
    needs_files: ClassVar[bool] = True

    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    hash_mb: int = 16

    @cached_property
    def _engine(self) -> Engine:
        return Engine(hash_mb=self.hash_mb)

    def close(self) -> None:
        """Ends the engine."""
        if "_engine" in self.__dict__:
            self._engine.close()

    def work(self, payload: Payload, seed: int, files: Files) -> Result:
        """Judges a game, from an engine that knows nothing of the games before."""
        self._engine.new_game()
        game, tally = game_of(self, payload), Tally()
        rows = list(self._turns(game, tally))
        row = {
            "number": payload["number"],
            "tags": dict(game.tags),
            "accuracy": [round(tally.accuracy(mover), 1) for mover in (0, 1)],
            "counts": [tally.counts(mover) for mover in (0, 1)],
            "turns": rows,
        }
        text = canonical({"row": row, "pgn": str(game)})
        return {"turns": len(rows), "game": files.write("json", text.encode())}

    def _turns(self, game: Game, tally: Tally) -> Iterator[Result]:
        limit = Limit(nodes=self.nodes, depth=self.depth, time=self.seconds)
        board: Any = game.board()
        score, best = best_turn(self._engine, board, limit)
        for node in game.mainline():
            mover, wanted = side(board), line_text(board, best)
            played = line_text(board, node.moves)
            for move in node.moves:
                board.push(move)
            after, following = best_turn(self._engine, board, limit)
            mine = -after if side(board) != mover else after
            judgement = judge(score, mine, name_of(board))
            tally.add(mover, judgement)
            _annotate(node, mine if mover == 0 else -mine, judgement)
            yield {
                "played": played,
                "best": wanted,
                "before": str(score),
                "after": str(mine),
                "loss": judgement.loss,
                "accuracy": round(judgement.accuracy, 1),
                "mark": judgement.mark,
            }
            score, best = after, following

    def finish(self, outputs: Outputs) -> Result:
        """The annotated games and the rows."""
        games = sum(1 for _ in outputs.results())
        return {
            "games": games,
            "turns": sum(result["turns"] for _, result in outputs.results()),
            "pgn": outputs.write("analysed.pgn", _parts(outputs, "pgn")),
            "rows": outputs.write("analysed.jsonl", _parts(outputs, "row")),
        }


def _annotate(node: Node, score: Score, judgement: Judgement) -> None:
    node.eval = Eval(score.cp, score.mate)
    if judgement.mark and not node.nags:
        node.nags.append(NAGS[judgement.mark])


def _parts(outputs: Outputs, name: str) -> Iterator[bytes]:
    for data in outputs.data("game"):
        part = json.loads(data)[name]
        yield f"{part if isinstance(part, str) else canonical(part)}\n".encode()

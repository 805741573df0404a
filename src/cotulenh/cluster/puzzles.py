"""The job ``puzzles``: tactics of the games of a file, found and proven by search."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from cotulenh.cluster.job import Files, Outputs, Payload, Result, register
from cotulenh.cluster.source import GamesJob, game_of
from cotulenh.engine.tactics import find
from cotulenh.games import line_text, name_of

__all__ = ["PuzzlesJob"]


@register
@dataclass(frozen=True)
class PuzzlesJob(GamesJob):
    """Puzzles of a file's games, each position once."""

    kind: ClassVar[str] = "puzzles"

    def work(self, payload: Payload, seed: int, files: Files) -> Result:
        """The puzzles of a game: few and small, so they come back as they are."""
        game: Any = game_of(self, payload)
        start = game.board()
        found = find(name_of(start), start.fen(), line_text(start, game.moves()))
        return {"puzzles": [one.to_json() for one in found], "themes": _themes(found)}

    def finish(self, outputs: Outputs) -> Result:
        """One line a puzzle; of equal positions the first counts."""
        lines: dict[str, None] = {}
        themes: Counter[str] = Counter()
        for _, result in outputs.results():
            lines.update(dict.fromkeys(result["puzzles"]))
            themes.update(result["themes"])
        return {
            "count": len(lines),
            "themes": dict(sorted(themes.items())),
            "puzzles": outputs.write("puzzles.jsonl", (f"{one}\n".encode() for one in lines)),
        }


def _themes(found: list[Any]) -> dict[str, int]:
    return dict(sorted(Counter(theme for one in found for theme in one.themes).items()))

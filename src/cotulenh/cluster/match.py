"""The job ``match``: pairs of games between two players, and a sequential test over them.

A unit is a pair: one opening, colours swapped. The test looks at the pairs in their order and only
at those before the first that is missing, so any number of workers gives the same verdict.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from cotulenh.cluster.fingerprint import canonical, game_name
from cotulenh.cluster.job import Files, Job, Outputs, Payload, Result, register
from cotulenh.cluster.players import file_hashes, settings_from, settings_of
from cotulenh.match import GameRecord, Settings, Sprt, Tally, pgn
from cotulenh.match.run import Arena

__all__ = ["MatchJob"]

NO_DATE = "????.??.??"  # a run gives the same bytes on any day


@register
@dataclass(frozen=True)
class MatchJob(Job):
    """A match; ``match`` holds the fields of :class:`cotulenh.match.Settings`."""

    kind: ClassVar[str] = "match"
    needs_files: ClassVar[bool] = True

    match: dict[str, Any] = field(default_factory=dict)
    sprt: tuple[float, float, float, float] | None = None

    @classmethod
    def of(cls, settings: Settings) -> MatchJob:
        """The job of a match; a rules file is named by its whole path."""
        game, test = game_name(settings.variant), settings.sprt
        match = {**settings_of(settings), "variant": game}
        return cls(game, match, None if test is None else astuple(test))

    def environment(self) -> dict[str, str]:
        """With the networks and books of the players."""
        return super().environment() | file_hashes(self.match["players"])

    def _settings(self) -> Settings:
        return settings_from(self.match)

    def units(self) -> Iterator[Payload]:
        """A pair of games each."""
        for pair in range((self._settings().games + 1) // 2):
            yield {"pair": pair}

    def work(self, payload: Payload, seed: int, files: Files) -> Result:
        """Plays a pair. The games go into a file, without time and date; points come back."""
        arena, pair = self._arena, payload["pair"]
        numbers = range(2 * pair, min(2 * pair + 2, self._settings().games))
        games = [replace(arena.play(number), seconds=0.0, date=NO_DATE) for number in numbers]
        text = "".join(canonical(asdict(one)) + "\n" for one in games)
        return {
            "points": [one.points for one in games],
            "games": files.write("jsonl", text.encode()),
        }

    @cached_property
    def _arena(self) -> Arena:
        return Arena(self._settings())

    def close(self) -> None:
        """Ends the players."""
        if "_arena" in self.__dict__:
            self._arena.close()

    def _test(self) -> Sprt | None:
        return None if self.sprt is None else Sprt(*self.sprt)

    def follow(self) -> Callable[[Result], bool] | None:
        """The sequential test."""
        test = self._test()
        if test is None:
            return None
        pairs = [0] * 5

        def judge(result: Result) -> bool:
            _add(pairs, result)
            return test.verdict(pairs) is not None

        return judge

    def finish(self, outputs: Outputs) -> Result:
        """All games as JSON lines and PGN, the tally, the verdict."""
        settings, tally, test = self._settings(), Tally(), self._test()
        for record in _records(outputs):
            tally.add(record)
        first, second = settings.specs()
        texts = (
            pgn(one, settings.variant, (first.name, second.name), str(settings.control()))
            for one in _records(outputs)
        )
        return {
            "players": list(settings.players),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "pairs": tally.pairs,
            "elo": [round(x, 1) if abs(x) != float("inf") else None for x in tally.elo],
            "verdict": None if test is None else test.verdict(tally.pairs),
            "games": outputs.write("games.jsonl", outputs.data("games")),
            "pgn": outputs.write("games.pgn", (text.encode() for text in texts)),
        }


def _add(pairs: list[int], result: Result) -> None:
    if len(result["points"]) == 2:
        pairs[round(2 * sum(result["points"]))] += 1


def _records(outputs: Outputs) -> Iterator[GameRecord]:
    for block in outputs.data("games"):
        for line in block.decode().splitlines():
            row = json.loads(line)
            yield GameRecord.from_row(row)

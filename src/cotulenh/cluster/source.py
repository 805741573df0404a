"""Games of a PGN file as the units of a job."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cotulenh import pgn
from cotulenh.cluster.errors import RunError
from cotulenh.cluster.job import Job, Payload
from cotulenh.game import Game

__all__ = ["GamesJob", "game_of"]


@dataclass(frozen=True)
class GamesJob(Job):
    """A job with one unit for each game of a file, which must not change while the run lasts."""

    source: str
    source_hash: str = ""

    def __post_init__(self) -> None:
        if not self.source_hash:
            object.__setattr__(self, "source", str(Path(self.source).resolve()))
            object.__setattr__(self, "source_hash", _hash(Path(self.source)))

    def units(self) -> Iterator[Payload]:
        """The games in the order of the file; what cannot be read is left out."""
        if _hash(Path(self.source)) != self.source_hash:
            raise RunError(f"{self.source} is not the file that the run began with")
        for number, game in enumerate(pgn.read(self.source, rules=self.game, errors="keep"), 1):
            yield {"number": number, "pgn": str(game)}


def game_of(job: Job, payload: Payload) -> Game:
    """The game of a unit."""
    return pgn.parse(payload["pgn"], rules=job.game)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]

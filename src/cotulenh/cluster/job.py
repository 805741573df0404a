"""What a job is: units of work that do not depend on each other, and what is made of their results.

A job is a frozen dataclass whose fields are its settings, plain JSON values. So it can be written
into the run's directory, compared, and built again by a worker on another machine.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from cotulenh.cluster.errors import RunError
from cotulenh.cluster.fingerprint import digest, environment

__all__ = ["JOBS", "Files", "Job", "Outputs", "job_from", "register", "seed_of"]

Payload = dict[str, Any]
Result = dict[str, Any]


class Files:
    """Where a worker puts data too large to be sent back: files of the run, announced by name."""

    FOLDER = "data"

    def __init__(self, directory: Path, unit: str) -> None:
        self._folder, self._unit = directory / self.FOLDER, unit

    def write(self, ending: str, data: bytes) -> Result:
        """Writes a file whole or not at all; what the result must say of it.

        Each attempt at a unit has names of its own: two that run at once (a node was believed dead)
        do not touch each other's files, and the ledger says which one counts.
        """
        name = f"{self._unit}-{secrets.token_hex(4)}.{ending}"
        write_whole(self._folder / name, [data])
        return {"file": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def write_whole(path: Path, blocks: Iterable[bytes]) -> None:
    """Writes a file that is on the disk under its name only when it is complete."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            for block in blocks:
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        error.filename = error.filename or str(path)  # a full disk does not say which file
        part.unlink(missing_ok=True)
        raise


class Outputs:
    """The results of a run in the order of its units, and the files made of them."""

    def __init__(self, directory: Path, results: Callable[[], Iterator[tuple[Payload, Result]]]):
        self.directory, self.results = directory, results

    def data(self, key: str) -> Iterator[bytes]:
        """The contents of the files that results announce under a name."""
        for _, result in self.results():
            if key in result:
                yield (self.directory / Files.FOLDER / result[key]["file"]).read_bytes()

    def write(self, name: str, blocks: Iterable[bytes]) -> Result:
        """Writes a file of the run; what the summary says of it."""
        found, size = hashlib.sha256(), 0

        def counted() -> Iterator[bytes]:
            nonlocal size
            for block in blocks:
                found.update(block)
                size += len(block)
                yield block

        write_whole(self.directory / name, counted())
        return {"file": name, "bytes": size, "sha256": found.hexdigest()}


@dataclass(frozen=True)
class Job:
    """The base of all jobs."""

    kind: ClassVar[str] = ""
    needs_files: ClassVar[bool] = False  # whether workers must see the run's directory

    game: str

    def settings(self) -> dict[str, Any]:
        """All that decides the results, as JSON values."""
        return asdict(self)

    def environment(self) -> dict[str, str]:
        """What must be the same on all workers."""
        return environment(self.game, getattr(self, "network", None))

    def units(self) -> Iterator[Payload]:
        """The units in their order. The same settings give the same units."""
        raise RunError(f"the job {self.kind} has no units")

    def work(self, payload: Payload, seed: int, files: Files) -> Result:
        """Does a unit, on some worker. The same unit gives the same result."""
        raise RunError(f"the job {self.kind} cannot work")

    def close(self) -> None:
        """Frees what a worker holds between units."""

    def follow(self) -> Callable[[Result], bool] | None:
        """A judge who sees the results in the order of the units and may end the run early."""
        return None

    def finish(self, outputs: Outputs) -> Result:
        """Puts the results together; the summary of the run."""
        raise RunError(f"the job {self.kind} has no summary")


J = TypeVar("J", bound=type[Job])
JOBS: dict[str, type[Job]] = {}


def register(cls: J) -> J:
    """Makes a job known by its kind."""
    JOBS[cls.kind] = cls
    return cls


def job_from(kind: str, settings: dict[str, Any]) -> Job:
    """A job as it was written down."""
    if kind not in JOBS:
        raise RunError(f"expected a job ({', '.join(sorted(JOBS))}), got {kind!r}")
    try:
        return JOBS[kind](**settings)
    except TypeError:
        raise RunError(f"these are not the settings of a job {kind}: {settings}") from None


def unit_name(kind: str, payload: Payload) -> str:
    """A unit's name: a hash of what is to be done."""
    return digest([kind, payload])


def seed_of(name: str) -> int:
    """A unit's seed comes from its name: no two machines throw the same dice for different units.

    >>> seed_of("00000000000000ff0000000000000000")
    255
    """
    return int(name[:16], 16)

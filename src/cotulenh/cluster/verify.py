"""Whether a run is whole: names, data files, summary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cotulenh.cluster.job import Files, unit_name
from cotulenh.cluster.run import Run

__all__ = ["verify"]


def verify(run: Run) -> list[str]:
    """What is wrong with a run, a line each; an empty list if nothing is."""
    return [*_units(run), *_data(run), *_summary(run)]


def _units(run: Run) -> Iterator[str]:
    if run.ledger.get("units") is None:
        yield "the list of units is not complete: the run was stopped while it was made"
    for unit, _ in run.ledger.results():
        if unit_name(run.job.kind, json.loads(unit.payload)) != unit.name:
            yield f"unit {unit.name} does not do what its name says"


def _data(run: Run) -> Iterator[str]:
    for told in run.announced():
        yield from _file(run.directory / Files.FOLDER / told["file"], told)


def _summary(run: Run) -> Iterator[str]:
    summary = run.summary()
    if summary is None:
        return
    if summary["ledger"] != run.ledger.hash(run.decided_at()):
        yield "the summary is not that of the ledger"
    for told in summary.values():
        if isinstance(told, dict) and "file" in told:
            yield from _file(run.directory / told["file"], told)


def _file(path: Path, told: dict[str, Any]) -> Iterator[str]:
    if not path.is_file():
        yield f"{path} is missing"
        return
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != told["sha256"]:
        yield f"{path} is not what was written"

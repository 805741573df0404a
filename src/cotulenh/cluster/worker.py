"""The work of one unit, wherever it is done: in a process here, or on a node of a cluster."""

from __future__ import annotations

import errno
import json
import time
from dataclasses import dataclass
from pathlib import Path

from cotulenh.cluster.errors import RunError
from cotulenh.cluster.fingerprint import canonical, difference
from cotulenh.cluster.job import Files, Job, job_from, seed_of
from cotulenh.cluster.ledger import Outcome, Unit

__all__ = ["Assignment", "perform", "problem_here"]

# Not the unit's fault, and no better on a second try.
FATAL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a worker is told once: the job, what it must agree with, and where files go."""

    kind: str
    settings: str
    environment: tuple[tuple[str, str], ...]
    directory: str
    marker: str  # the run's own number, found in its directory


_jobs: dict[Assignment, Job] = {}  # of this process: engines and tables live between units


def problem_here(assignment: Assignment) -> str:
    """Why this process cannot work for a run; empty if it can."""
    try:
        job = job_from(assignment.kind, json.loads(assignment.settings))
        wrong = difference(dict(assignment.environment), job.environment())
    except (OSError, ValueError) as error:
        return f"a worker cannot take part: {error}"
    if wrong:
        return f"a worker differs from the run: {'; '.join(wrong)}"
    if job.needs_files and _marker(assignment) != assignment.marker:
        return (
            f"a worker does not see {assignment.directory}:"
            " the run's directory must be on storage that all nodes share"
        )
    if not _jobs:
        _jobs[assignment] = job
    return ""


def _marker(assignment: Assignment) -> str:
    try:
        return (Path(assignment.directory) / "run.json").read_text("utf-8").split('"')[3]
    except (OSError, IndexError):
        return ""


def perform(assignment: Assignment, unit: Unit) -> Outcome:
    """Does a unit. Whatever goes wrong comes back as an outcome."""
    started = time.monotonic()
    try:
        job = _job_of(assignment)
        files = Files(Path(assignment.directory), unit.name)
        result = job.work(json.loads(unit.payload), seed_of(unit.name), files)
        return Outcome(unit.name, canonical(result), seconds=time.monotonic() - started)
    except _RefusedError as error:
        return Outcome(unit.name, error=str(error), fatal=True)
    except OSError as error:
        fatal = error.errno in FATAL
        reason = f"{error.strerror or error} ({error.filename})" if error.filename else str(error)
        return Outcome(unit.name, error=reason, fatal=fatal)
    except Exception as error:
        words = " ".join(str(error).split())
        return Outcome(unit.name, error=f"{type(error).__name__}: {words}"[:500])


class _RefusedError(RunError):
    """The process must not work for the run."""


def _job_of(assignment: Assignment) -> Job:
    """The job of this process; the first unit checks that it may work at all."""
    if assignment not in _jobs:
        for old in _jobs.values():  # a long-lived worker of a cluster: one run after the other
            old.close()
        _jobs.clear()
        problem = problem_here(assignment)
        if problem:
            raise _RefusedError(problem)
    return _jobs[assignment]

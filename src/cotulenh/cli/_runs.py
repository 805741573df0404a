"""What verbs with ``--run`` share: the options, and driving a run with progress or events."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cotulenh.cli._common import print_json
from cotulenh.cli._games import progress
from cotulenh.cluster import Job, Progress, Run, executor_for

__all__ = ["cluster_option", "drive", "run_option", "workers_option"]

run_option = click.option(
    "--run",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="Work as a run in this directory: started again it goes on where it stopped.",
)
cluster_option = click.option(
    "--cluster",
    default="local",
    show_default=True,
    metavar="WHERE",
    help="Where a run works: local, ray (one started here), ray://HOST:PORT or HOST:PORT.",
)
workers_option = click.option(
    "-j",
    "--workers",
    type=click.IntRange(1),
    help="Units at the same time; without it, as many as there are processors.",
)


def drive(
    job: Job,
    directory: Path,
    cluster: str,
    workers: int | None,
    *,
    as_json: bool,
    tell: Callable[[dict[str, Any]], str],
    verdict: Callable[[dict[str, Any]], int] = lambda summary: 0,
) -> int:
    """Works on a run until it is done; the exit status of its verb.

    130 if it was stopped before, 1 if units failed, else what ``verdict`` says of the summary.
    ``tell`` puts the summary into words for people. Failed units are named on standard error; the
    summary then is of what was done.
    """
    summary = _driven(job, directory, cluster, workers, as_json=as_json)
    if summary is None:
        return 130
    if not as_json and (words := tell(summary)):
        click.echo(words)
    return 1 if summary["failed"] else verdict(summary)


def _driven(
    job: Job, directory: Path, cluster: str, workers: int | None, *, as_json: bool
) -> dict[str, Any] | None:
    """The summary, ``None`` if the run was stopped before."""
    with Run(directory, job) as run:
        executor = executor_for(cluster, workers)
        if as_json:
            print_json({"event": "start", "job": job.kind, "settings": job.settings()})
        with progress("units") as bar:
            whole = run.drive(executor, _Watcher(bar, as_json))
        failed = run.ledger.failures()
        for name, error in failed:
            click.echo(f"cotulenh: unit {name} was given up: {error}", err=True)
        if not whole:
            counts = run.ledger.counts()
            click.echo(
                f"stopped: {counts.done} of {counts.total} units are done;"
                " the same command goes on from there",
                err=True,
            )
            return None
        summary = {**run.finish(), "failed": run.ledger.counts().failed}
        if as_json:
            print_json({"event": "end", **summary})
        return summary


class _Watcher:
    """Shows how far a run is: a bar for people, lines of JSON for machines."""

    def __init__(self, bar: Any, as_json: bool) -> None:
        self._bar, self._as_json, self._started = bar, as_json, time.monotonic()
        self._task = bar.add_task("", total=None)
        self._before: int | None = None

    def __call__(self, seen: Progress) -> None:
        counts = seen.counts
        if self._before is None:  # the rate is that of today, not of what was done before
            self._before = counts.done
            self._bar.reset(self._task, total=counts.total, completed=counts.done)
        words = f"{seen.workers} workers" + (f", {counts.failed} failed" if counts.failed else "")
        self._bar.update(self._task, completed=counts.done, total=counts.total, description=words)
        if self._as_json and seen.outcome is not None:
            self._event(seen)

    def _event(self, seen: Progress) -> None:
        one = seen.outcome
        assert one is not None
        event: dict[str, Any] = {"event": "unit", "name": one.name, "ok": one.result is not None}
        if one.result is None:
            event["error"] = one.error
        event |= {"seconds": round(one.seconds, 3), "done": seen.counts.done}
        event |= {"of": seen.counts.total, "failed": seen.counts.failed, "workers": seen.workers}
        print_json(event)

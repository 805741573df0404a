"""``cotulenh runs``: looks at the directories of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cotulenh.cli._common import as_json, print_json
from cotulenh.cluster import Run, RunError, runs_below, verify

__all__ = ["verb"]

_directory = click.argument(
    "directory", type=click.Path(exists=True, file_okay=False, path_type=Path)
)


@click.group("runs")
def verb() -> None:
    """Look at runs: what there is, how far it is, whether it is whole."""


@verb.command("list")
@_directory
@as_json
def list_verb(directory: Path, as_json: bool) -> int:
    """The runs in DIRECTORY, a line each; exit status 1 if there is none or one is damaged."""
    found = runs_below(directory)
    broken = 0
    for path in found:
        try:
            with Run(path) as run:
                row = _row(run)
        except RunError as error:
            broken += 1
            row = {"directory": str(path), "error": str(error)}
        if as_json:
            print_json(row)
        else:
            click.echo(_line(path, row))
    if not found and not as_json:
        click.echo(f"no run in {directory}", err=True)
    return 0 if found and not broken else 1


def _line(path: Path, row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{path}  cannot be read: {row['error']}"
    return f"{path}  {row['job']}  {row['done']} of {row['units']} units{_failed(row)}"


@verb.command("show")
@_directory
@as_json
def show_verb(directory: Path, as_json: bool) -> int:
    """The job, the fingerprint, how far the run is, what failed, and its summary."""
    with Run(directory) as run:
        row = {**_row(run), "fingerprint": run.fingerprint, "summary": run.summary()}
        row["failures"] = [{"unit": name, "error": error} for name, error in run.ledger.failures()]
    if as_json:
        print_json(row)
        return 0
    click.echo(f"job        {row['job']}")
    for part in ("settings", "environment"):
        for name, value in row["fingerprint"][part].items():
            click.echo(f"{name:<10} {value if isinstance(value, str) else json.dumps(value)}")
    click.echo(f"units      {row['done']} of {row['units']} done{_failed(row)}")
    click.echo(f"time       {row['seconds']:.1f} s of all workers together")
    for one in row["failures"]:
        click.echo(f"failed     {one['unit']}: {one['error']}")
    for name, value in (row["summary"] or {}).items():
        if name != "job":
            click.echo(f"{name:<10} {value if isinstance(value, str) else json.dumps(value)}")
    return 0


@verb.command("verify")
@_directory
@as_json
def verify_verb(directory: Path, as_json: bool) -> int:
    """Check every unit's name, every data file and the summary; exit status 1 if one is wrong."""
    with Run(directory) as run:
        problems, found = verify(run), run.ledger.hash()
    if as_json:
        print_json({"ledger": found, "problems": problems})
    else:
        for problem in problems:
            click.echo(problem)
        click.echo(f"ledger {found}: {len(problems) or 'no'} problems")
    return 1 if problems else 0


def _row(run: Run) -> dict[str, Any]:
    counts = run.ledger.counts()
    return {
        "directory": str(run.directory),
        "job": run.job.kind,
        "units": counts.total,
        "done": counts.done,
        "failed": counts.failed,
        "seconds": round(run.ledger.seconds(), 3),
    }


def _failed(row: dict[str, Any]) -> str:
    return f", {row['failed']} failed" if row["failed"] else ""

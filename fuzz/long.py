"""Runs all fuzz targets in turn until the hours are over; notes executions and processor time.

The notes are kept in build/fuzz/long.jsonl, so a run that was broken off is continued by the next.
Called by fuzz/run long; `python fuzz/long.py --table` prints what there is.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTES = ROOT / "build" / "fuzz" / "long.jsonl"
EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def one(target: str, seconds: int) -> dict[str, object]:
    """Runs one target once; a finding is noted and does not end the whole run."""
    began, clock = processor(), time.monotonic()
    done = subprocess.run(
        ["fuzz/run", target, str(seconds)],
        cwd=ROOT,
        env={**os.environ, "FUZZ_BUILT": "1"},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    text = done.stdout + done.stderr
    found = EXECUTED.search(text)
    note: dict[str, object] = {
        "target": target,
        "executions": int(found[1]) if found else 0,
        "processor": round(processor() - began, 1),
        "seconds": round(time.monotonic() - clock, 1),
        "found": done.returncode != 0,
    }
    if done.returncode:
        note["last"] = text[-3000:]
    return note


def notes() -> list[dict[str, object]]:
    return [json.loads(line) for line in NOTES.read_text().splitlines()] if NOTES.exists() else []


def table() -> str:
    rows: dict[str, list[float]] = {}
    for note in notes():
        row = rows.setdefault(str(note["target"]), [0, 0, 0, 0])
        for i, name in enumerate(("executions", "processor", "seconds", "found")):
            row[i] += note[name]  # type: ignore[operator]
    lines = [
        "| target | executions | processor, s | each second | reports |",
        "|---|---|---|---|---|",
    ]
    for target, (runs, spent, _, found) in rows.items():
        rate = f"{runs / spent:.0f}" if spent else "–"
        lines.append(f"| `{target}` | {runs:.0f} | {spent:.0f} | {rate} | {found:.0f} |")
    runs, spent, wall, found = (sum(row[i] for row in rows.values()) for i in range(4))
    lines.append(f"| all | {runs:.0f} | {spent:.0f} | | {found:.0f} |")
    return "\n".join(lines) + f"\n{wall / 3600:.2f} h of running, {spent / 3600:.2f} h of processor"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=3)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--targets", nargs="*", default=[])
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    end = time.monotonic() + 3600 * given.hours
    while given.targets and not given.table and time.monotonic() < end:
        for target in given.targets:
            if time.monotonic() >= end:
                break
            with NOTES.open("a") as out:
                out.write(json.dumps(one(target, given.seconds)) + "\n")
    print(table())


if __name__ == "__main__":
    main()

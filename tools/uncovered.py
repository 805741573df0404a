"""What the tests of law, text and server do not reach, and whether somebody has said why.

python tools/uncovered.py [build/coverage]

Reads core.json (gcovr) and python.json (coverage.py), which .ci/coverage writes, and prints every
place that is neither reached nor named in tools/uncovered.txt; also explanations whose line is
gone, and those of lines that are reached. A place is a run of lines that nothing executes, or a
line of which one side is never taken. A template is one text: a side counts as taken if one of its
instances takes it. tools/uncovered.txt has the form

    # reason
    file | part of the line
    file | part of a line before it ⏎ part of the line      (where the line alone stands twice)
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
EXPLAINED = Path(__file__).with_name("uncovered.txt")
#: Law and text of both games, rule sets, PGN, the server.
FLOORS = (
    *("core/board/", "core/games/"),
    *("src/cotulenh/pgn/", "src/cotulenh/rules/", "src/cotulenh/web/"),
)


#: What a line of the core with a decision has; others only have an exception's way out.
DECIDES = re.compile(r"\b(if|for|while|switch)\b|\?|&&|\|\|")


class Place(NamedTuple):
    """A line, counted from 1, and what is missing there."""

    file: str
    line: int
    missing: str


def runs(lines: dict[int, bool]) -> Iterator[int]:
    """The first line of each run of lines that were not executed."""
    order = sorted(lines)
    yield from (line for line in order[:1] if not lines[line])
    yield from (line for before, line in pairwise(order) if lines[before] and not lines[line])


def decisions(line: dict[str, Any]) -> list[list[int]]:
    """How often each side of each decision on a line was taken."""
    by_block = defaultdict(list)
    for branch in line["branches"]:
        by_block[branch.get("source_block_id")].append(branch["count"])  # gcov does not know some
    return list(by_block.values())


def is_partial(instances: list[list[list[int]]]) -> bool:
    """Whether a side is taken by no instance; instances of another form are looked at apart.

    A decision that was never come to does not count: it stands behind a side that is told, or
    tidies up after an exception.
    """
    by_form = defaultdict(list)
    for instance in instances:
        by_form[tuple(map(len, instance))].append(instance)
    return all(
        any(any(sides) and not all(sides) for sides in map(added, zip(*group, strict=True)))
        for group in by_form.values()
    )


def added(same: tuple[list[int], ...]) -> list[int]:
    """One decision in all instances."""
    return [sum(side) for side in zip(*same, strict=True)]


def core_places(data: dict[str, Any]) -> Iterator[Place]:
    """What gcov has seen nobody do."""
    for file in data["files"]:
        reached: dict[int, bool] = defaultdict(bool)
        sides: dict[int, list[list[list[int]]]] = defaultdict(list)
        for line in file["lines"]:
            number = line["line_number"]
            reached[number] |= line["count"] > 0
            if line["count"] > 0 and line["branches"]:
                sides[number].append(decisions(line))
        source = (ROOT / file["file"]).read_text("utf-8").splitlines()
        for number in runs(reached):
            if any(sign.isalpha() for sign in source[number - 1]):  # else an exception's way out
                yield Place(file["file"], number, "not executed")
        for number, instances in sides.items():
            if is_partial(instances) and DECIDES.search(source[number - 1]):
                yield Place(file["file"], number, "a side is never taken")


def python_places(data: dict[str, Any]) -> Iterator[Place]:
    """The same of Python. A side that leads to a line of a run is told with the run."""
    for path, file in data["files"].items():
        name = "src/cotulenh/" + path.rpartition("package/cotulenh/")[2]  # tests use a copy
        missing = set(file["missing_lines"])
        reached = dict.fromkeys(file["executed_lines"], True) | dict.fromkeys(missing, False)
        for number in runs(reached):
            yield Place(name, number, "not executed")
        for start, end in file["missing_branches"]:
            if start not in missing and end not in missing:
                where = f"line {end}" if end > 0 else "the end"
                yield Place(name, start, f"never goes on to {where}")


def explanations(text: str) -> Iterator[tuple[str, list[str]]]:
    """Files, and the parts of lines that stand below each other there."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            file, _, part = line.partition(" | ")
            yield file, [piece.strip() for piece in part.split(" ⏎ ")]


def named_lines(source: list[str], parts: list[str]) -> list[int]:
    """The lines, counted from 1, that an explanation names."""
    last = len(parts) - 1
    return [
        at + last + 1
        for at in range(len(source) - last)
        if all(part in source[at + n] for n, part in enumerate(parts))
    ]


def main() -> int:
    """Prints what is not explained; 1 if there is any such thing."""
    build = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "coverage"
    core, python = (json.loads((build / f"{name}.json").read_text()) for name in ("core", "python"))
    places = [p for p in (*core_places(core), *python_places(python)) if p.file.startswith(FLOORS)]
    gaps = {(p.file, p.line) for p in places}
    sources = {
        str(path.relative_to(ROOT)): path.read_text("utf-8").splitlines()
        for start in FLOORS
        for path in (ROOT / start).rglob("*.[chp][py]*")
    }
    explained: set[tuple[str, int]] = set()
    wrong = []
    for file, parts in explanations(EXPLAINED.read_text("utf-8")):
        lines = named_lines(sources.get(file, []), parts)
        label = f"{file} | {' ⏎ '.join(parts)}"
        if len(lines) != 1:
            wrong.append(f"explained, but such a line stands there {len(lines)} times: {label}")
        elif (file, lines[0]) not in gaps:
            print(f"explained, but reached: {label}")
        explained |= {(file, line) for line in lines}
    open_places = sorted(p for p in places if (p.file, p.line) not in explained)
    for place in open_places:
        text = sources[place.file][place.line - 1].strip()
        print(f"{place.file}:{place.line}: {place.missing}: {text}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(gaps)} places not reached, {len(open_places)} of them not explained")
    return bool(open_places or wrong)


if __name__ == "__main__":
    sys.exit(main())

"""Is a start position legal? A strict little reader of the FEN's placement (11.1, 11.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cotulenh.facts import STANDS
from cotulenh.rules._source import map_rows
from cotulenh.squares import CARRIER_ORDER, Square

__all__ = ["start_problems"]

_TOKEN = re.compile(
    r"(?P<run>[1-9][0-9]?)|(?P<stack>\([^()]*\))|(?P<piece>\+?[A-Za-z])|(?P<other>.)"
)


def start_problems(table: dict[str, Any]) -> list[str]:
    """What is wrong with the start position of a rule set whose other values are sound."""
    fields = table["start"].split()
    if len(fields) != 6:
        return [f"six fields are wanted (placement r - - 0 1), found {len(fields)}"]
    problems = []
    if fields[1] not in ("r", "b"):
        problems.append(f"the side to move is r or b, not {fields[1]!r}")
    if fields[2:4] != ["-", "-"]:
        problems.append("the third and fourth field are '-'")
    if not (fields[4].isdecimal() and fields[5].isdecimal()):
        problems.append("the counters are whole numbers")
    return problems + list(_placement_problems(fields[0], table))


def _placement_problems(placement: str, table: dict[str, Any]) -> Iterator[str]:
    rows = placement.split("/")
    if len(rows) != table["ranks"]:
        yield f"{len(rows)} ranks instead of {table['ranks']}"
        return
    pieces: list[str] = []
    for number, row in enumerate(rows):
        rank, file = table["ranks"] - 1 - number, 0
        for token in _TOKEN.finditer(row):
            if token["run"]:
                file += int(token["run"])
                continue
            if token["other"]:
                yield f"rank {rank + 1}: {token['other']!r} is out of place"
                return
            if file < table["files"]:
                yield from _stack_problems(token[0], Square.at(file, rank), table)
            pieces += token[0]
            file += 1
        if file != table["files"]:
            yield f"rank {rank + 1} has {file} points instead of {table['files']}"
    for side, letter in (("Red", "C"), ("Blue", "c")):
        if pieces.count(letter) != 1:
            yield f"{side} has {pieces.count(letter)} commanders instead of one"


def _stack_problems(text: str, square: Square, table: dict[str, Any]) -> Iterator[str]:
    letters = re.sub(r"[()+]", "", text)
    if re.sub(r"\+?[A-Za-z]", "", text) not in ("", "()") or not letters:
        yield f"{square}: {text!r} is not a stack"
    elif unknown := [one for one in letters if one.upper() not in table["pieces"]]:
        yield f"{square}: this rule set has no piece {unknown[0]!r}"
    elif not (letters.isupper() or letters.islower()):
        yield f"{square}: the stack {text} mixes colours"
    else:
        carrier, *rest = sorted(letters.upper(), key=CARRIER_ORDER.index)
        loads = ["".join(sorted(load)) for load in table["cargo"].get(carrier, [])]
        if rest and "".join(sorted(rest)) not in loads:
            yield f"{square}: {text} is not a stack of this rule set"
        elif not _can_stand(carrier, square, table):
            yield f"{square}: {carrier} cannot stand there"


def _can_stand(letter: str, square: Square, table: dict[str, Any]) -> bool:
    terrain = table["terrain"]
    letter_there = map_rows(terrain["map"])[table["ranks"] - 1 - square.rank][square.file]
    return terrain["legend"][letter_there]["class"] in STANDS[table["pieces"][letter]["stands"]]

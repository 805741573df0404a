"""The linter: is this table a rule set? Every check that fails becomes a problem with its place.

First each value is checked by itself against the schema below, then, if all are sound, the values
against each other (map and board, cargo and pieces, start position).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from cotulenh.facts import UNLIMITED
from cotulenh.rules._source import Place, Problem, Source, map_rows, shipped_names
from cotulenh.rules._start import start_problems
from cotulenh.rules._words import CHOICES, FLAGS, GROUPS, SWITCHES
from cotulenh.squares import CARRIER_ORDER, Kind, Square

__all__ = ["lint"]

#: A check of one value: the reason why it is wrong, or None.
Check = Callable[[Any], str | None]

LETTERS = frozenset(kind.letter for kind in Kind)
MOST_PIECES = 3  # of a stack (7.2)


# Checks of one value ----------------------------------------------------------------------------


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value.strip() else f"expected a text, got {value!r}"


def _name(value: Any) -> str | None:
    if isinstance(value, str) and re.fullmatch(r"[a-z][a-z0-9_-]*", value):
        return None
    return f"expected a short lower-case name, got {value!r}"


def _yes_no(value: Any) -> str | None:
    return None if isinstance(value, bool) else f"expected true or false, got {value!r}"


def _table(value: Any) -> str | None:
    return None if isinstance(value, dict) else f"expected a table, got {value!r}"


def _whole(low: int, high: int) -> Check:
    def check(value: Any) -> str | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return f"expected a whole number, got {value!r}"
        return None if low <= value <= high else f"{value} is out of bounds ({low} to {high})"

    return check


def _choice(field: str) -> Check:
    def check(value: Any) -> str | None:
        words = CHOICES[field]
        return None if value in words else f"expected one of {', '.join(words)}, got {value!r}"

    return check


def _ranges(value: Any) -> str | None:
    if not isinstance(value, list) or len(value) != 2:
        return f"expected two ranges [orthogonal, diagonal], got {value!r}"
    for number in value:
        if number == math.inf:
            continue
        if not isinstance(number, int) or isinstance(number, bool):
            return f"expected a range, a whole number or inf, got {number!r}"
        if not 0 <= number <= UNLIMITED:
            return f"range {number} is out of bounds (0 to {UNLIMITED}, or inf)"
    return None


def _letters(value: Any) -> str | None:
    if not isinstance(value, str):
        return f"expected a text of piece letters, got {value!r}"
    for letter in value:
        if letter not in LETTERS:
            return f"{letter!r} is not the letter of a piece"
    return f"a letter stands twice in {value!r}" if len(set(value)) < len(value) else None


def _stay(value: Any) -> str | None:
    return None if value == "*" else _letters(value)


def _loads(value: Any) -> str | None:
    return None if isinstance(value, list) else f"expected a list of loads, got {value!r}"


def _river(value: Any) -> str | None:
    sound = isinstance(value, list) and len(value) == 2 and all(type(rank) is int for rank in value)
    if not sound or value[1] != value[0] + 1:
        return f"expected two neighbouring ranks, got {value!r}"
    return None


def _corners(value: Any) -> str | None:
    if not isinstance(value, list):
        return f"expected a list of pairs of squares, got {value!r}"
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            return f"expected a pair of squares, got {pair!r}"
        for name in pair:
            try:
                Square(name if isinstance(name, str) else -1)
            except ValueError:
                return f"expected a square, got {name!r}"
    return None


# The schema: field → (check, must it be there?) -------------------------------------------------

Schema = dict[str, tuple[Check, bool]]

TOP: Schema = {
    "name": (_name, True),
    "title": (_text, True),
    "files": (_whole(2, 12), True),
    "ranks": (_whole(2, 12), True),
    "start": (_text, True),
    "objective": (_choice("objective"), True),
    "terrain": (_table, True),
    "pieces": (_table, True),
    "cargo": (_table, True),
    "switches": (_table, True),
    "objectives": (_table, True),
}
TERRAIN: Schema = {
    "map": (_text, True),
    "legend": (_table, True),
    "river": (_river, False),
    "corners": (_corners, False),
}
LEGEND: Schema = {
    "class": (_choice("class"), True),
    "river": (_yes_no, False),
    "bridge": (_yes_no, False),
}
PIECE: Schema = {
    "name": (_text, True),
    "vietnamese": (_text, True),
    "move": (_ranges, True),
    "take": (_ranges, False),
    "take_ships": (_ranges, False),
    "move_blocked": (_choice("move_blocked"), True),
    "take_blocked": (_choice("take_blocked"), True),
    "stands": (_choice("stands"), True),
    **dict.fromkeys(FLAGS, (_yes_no, False)),
    "ring": (_whole(0, UNLIMITED), False),
    "points": (_whole(0, 10_000), True),
    "stay": (_stay, False),
    "heroic": (_table, False),
}
HEROIC: Schema = {
    "move": (_ranges, True),
    "take": (_ranges, True),
    "take_ships": (_ranges, False),
    "ring": (_whole(0, UNLIMITED), False),
    "ignores_rings": (_yes_no, False),
}
SWITCH: Schema = {name: (_choice(name) if name in CHOICES else _yes_no, True) for name in SWITCHES}
OBJECTIVES: Schema = dict.fromkeys(GROUPS, (_letters, True))


# The linter -------------------------------------------------------------------------------------


def lint(source: Source) -> list[Problem]:
    """All problems of a table; none means that it is a rule set."""
    linter = _Linter(source)
    linter.check_values()
    if not linter.problems:
        linter.check_together()
    return linter.problems


class _Linter:
    def __init__(self, source: Source) -> None:
        self.source, self.table = source, source.table
        self.problems: list[Problem] = []

    def complain(self, place: Place, reason: str, *, line_offset: int = 0) -> None:
        self.problems.append(self.source.problem(place, reason, line_offset=line_offset))

    # Each value by itself.

    def check_values(self) -> None:
        self.fields((), TOP)
        self.fields(("terrain",), TERRAIN)
        self.fields(("switches",), SWITCH)
        self.fields(("objectives",), OBJECTIVES)
        for letter in self.children(("terrain", "legend")):
            if not re.fullmatch("[A-Z]", letter):
                self.complain(("terrain", "legend", letter), "expected one capital letter")
            self.fields(("terrain", "legend", letter), LEGEND)
        for letter in self.children(("pieces",)):
            if self.known_letter(("pieces", letter)):
                self.fields(("pieces", letter), PIECE)
                if "heroic" in self.children(("pieces", letter)):
                    self.fields(("pieces", letter, "heroic"), HEROIC)
        for letter in self.children(("cargo",)):
            if self.known_letter(("cargo", letter)):
                self.loads(letter)

    def at(self, place: Place) -> Any:
        value: Any = self.table
        for key in place:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def children(self, place: Place) -> dict[str, Any]:
        value = self.at(place)
        return value if isinstance(value, dict) else {}

    def fields(self, place: Place, schema: Schema) -> None:
        """Checks the fields of one table: known, there, and sound."""
        value = self.at(place)
        if not isinstance(value, dict):
            if value is not None and len(place) > 1:  # the table above has complained otherwise
                self.complain(place, f"expected a table, got {value!r}")
            return
        for key, content in value.items():
            if key not in schema:
                known = ", ".join(schema)
                self.complain((*place, key), f"unknown key (known here: {known})")
            elif reason := schema[key][0](content):
                self.complain((*place, key), reason)
        for key, (_, needed) in schema.items():
            if needed and key not in value:
                self.complain((*place, key), "is missing")

    def known_letter(self, place: Place) -> bool:
        if place[-1] not in LETTERS:
            self.complain(place, f"unknown piece letter (known: {' '.join(CARRIER_ORDER)})")
            return False
        return True

    def loads(self, letter: str) -> None:
        value = self.table["cargo"][letter]
        if reason := _loads(value):
            self.complain(("cargo", letter), reason)
            return
        for number, load in enumerate(value):
            place = ("cargo", letter, number)
            if not isinstance(load, str) or not load:
                self.complain(place, f"expected a text of piece letters, got {load!r}")
            elif unknown := [one for one in load if one not in LETTERS]:
                self.complain(place, f"{unknown[0]!r} is not the letter of a piece")

    # The values together.

    def check_together(self) -> None:
        if self.table["name"] in shipped_names() and not self.source.shipped:
            self.complain(("name",), f"{self.table['name']!r} is the name of a shipped rule set")
        self.terrain_map()
        self.river_and_corners()
        self.roles()
        self.cargo()
        self.groups()
        if not self.problems:
            for reason in start_problems(self.table):
                self.complain(("start",), reason)

    def terrain_map(self) -> None:
        place = ("terrain", "map")
        files, ranks = self.table["files"], self.table["ranks"]
        rows = map_rows(self.table["terrain"]["map"])
        if len(rows) != ranks:
            self.complain(place, f"the map has {len(rows)} rows, the board has {ranks} ranks")
        for number, row in enumerate(rows):
            rank = ranks - number
            if len(row) != files:
                reason = f"rank {rank} of the map has {len(row)} letters, the board {files} files"
                self.complain(place, reason, line_offset=number + 1)
            for letter in sorted(set(row) - set(self.table["terrain"]["legend"])):
                reason = f"rank {rank} of the map: the letter {letter!r} is not in the legend"
                self.complain(place, reason, line_offset=number + 1)

    def river_and_corners(self) -> None:
        terrain, ranks = self.table["terrain"], self.table["ranks"]
        if "river" in terrain and not 1 <= terrain["river"][0] < ranks:
            self.complain(
                ("terrain", "river"), f"expected two ranks of the board, got {terrain['river']}"
            )
        for number, pair in enumerate(terrain.get("corners", [])):
            first, second = Square(pair[0]), Square(pair[1])
            place = ("terrain", "corners", number)
            for square in (first, second):
                if square.file >= self.table["files"] or square.rank >= ranks:
                    self.complain(place, f"{square} is not on the board")
            if abs(first.file - second.file) != 1 or abs(first.rank - second.rank) != 1:
                self.complain(place, f"{first} and {second} are not diagonal neighbours")

    def roles(self) -> None:
        pieces = self.table["pieces"]
        commanders = [letter for letter, row in pieces.items() if row.get("commander")]
        if len(commanders) != 1:
            found = " and ".join(commanders) or "none"
            place = ("pieces", commanders[1], "commander") if commanders else ("pieces",)
            self.complain(place, f"expected one piece with commander = true, got {found}")
        for letter, row in pieces.items():
            if row.get("ship") and row["stands"] == "land":
                self.complain(("pieces", letter, "stands"), "a ship stands at sea")

    def cargo(self) -> None:
        cargo, pieces = self.table["cargo"], self.table["pieces"]
        for letter, loads in cargo.items():
            if letter not in pieces:
                self.complain(("cargo", letter), "this rule set has no such piece")
            seen: set[str] = set()
            for number, load in enumerate(loads):
                place = ("cargo", letter, number)
                for one in sorted(set(load) - set(pieces)):
                    self.complain(place, f"this rule set has no piece {one!r}")
                if len(load) >= MOST_PIECES:
                    self.complain(place, f"{letter}{load} has more than {MOST_PIECES} pieces")
                if (same := "".join(sorted(load))) in seen:
                    self.complain(place, f"the load {load!r} stands twice")
                seen.add(same)
        self.carrier_order()

    def carrier_order(self) -> None:
        cargo = self.table["cargo"]
        if cycle := find_cycle({letter: set("".join(loads)) for letter, loads in cargo.items()}):
            place = ("cargo", cycle[0])
            self.complain(place, f"a cycle: {' carries '.join(cycle)}")
            return
        for letter, loads in cargo.items():
            for number, load in enumerate(loads):
                for one in load:
                    if CARRIER_ORDER.index(one) < CARRIER_ORDER.index(letter):
                        reason = f"{one} would be the carrier (the first of {CARRIER_ORDER} is)"
                        self.complain(("cargo", letter, number), reason)

    def groups(self) -> None:
        pieces = self.table["pieces"]
        for group in GROUPS:
            for letter in sorted(set(self.table["objectives"][group]) - set(pieces)):
                self.complain(("objectives", group), f"this rule set has no piece {letter!r}")
        for letter, row in pieces.items():
            for one in sorted(set(row.get("stay", "*")) - set(pieces) - {"*"}):
                self.complain(("pieces", letter, "stay"), f"this rule set has no piece {one!r}")


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """A way from a node back to itself, such as ``["F", "T", "F"]``, or nothing.

    >>> find_cycle({"F": {"T"}, "T": {"F", "C"}})
    ['F', 'T', 'F']
    """

    def walk(way: list[str]) -> list[str]:
        for after in sorted(graph.get(way[-1], ())):
            if after in way:
                return [*way[way.index(after) :], after]
            if found := walk([*way, after]):
                return found
        return []

    return next((found for start in sorted(graph) if (found := walk([start]))), [])

"""From a checked table to facts (for Python) and to the plain dictionary the core is built from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cotulenh.facts import UNLIMITED, Form, Row
from cotulenh.rules._source import map_rows
from cotulenh.rules._words import FLAGS
from cotulenh.squares import CARRIER_ORDER, Kind, Square

__all__ = ["core_spec", "rows_of"]


def rows_of(table: dict[str, Any]) -> dict[Kind, Row]:
    """The piece rows of a rule set, in the order of ``Kind``."""
    pieces = table["pieces"]
    return {kind: _row(kind, pieces[kind.letter]) for kind in Kind if kind.letter in pieces}


def _row(kind: Kind, raw: dict[str, Any]) -> Row:
    stay = raw.get("stay", "*")
    normal = _form(raw)
    derived = normal.made_heroic(aircraft=raw.get("aircraft", False))
    return Row(
        kind=kind,
        name=raw["name"],
        vietnamese=raw["vietnamese"],
        normal=normal,
        heroic=_heroic(raw, derived) if "heroic" in raw else derived,
        move_blocked=raw["move_blocked"],
        take_blocked=raw["take_blocked"],
        stands=raw["stands"],
        points=raw["points"],
        stay=frozenset(Kind) if stay == "*" else frozenset(map(Kind, stay)),
        **{flag: raw.get(flag, False) for flag in FLAGS},
    )


def _form(raw: dict[str, Any]) -> Form:
    take = raw.get("take", raw["move"])
    return Form(
        move=_ranges(raw["move"]),
        take=_ranges(take),
        take_ships=_ranges(raw.get("take_ships", take)),
        ring=raw.get("ring", 0),
    )


def _heroic(raw: dict[str, Any], derived: Form) -> Form:
    """A stated heroic row. What it leaves out follows the normal row's habit."""
    stated = raw["heroic"]
    ships = stated.get("take_ships")
    if ships is None:
        ships = derived.take_ships if "take_ships" in raw else stated["take"]
    return Form(
        move=_ranges(stated["move"]),
        take=_ranges(stated["take"]),
        take_ships=_ranges(ships),
        ring=stated.get("ring", derived.ring),
        ignores_rings=stated.get("ignores_rings", derived.ignores_rings),
    )


def _ranges(value: Iterable[float]) -> tuple[int, int]:
    orthogonal, diagonal = (int(min(number, UNLIMITED)) for number in value)
    return orthogonal, diagonal


# The core's view: whole numbers and sets as bits; words, columns and switches go by name ---------


def core_spec(table: dict[str, Any], rows: dict[Kind, Row]) -> dict[str, Any]:
    """The dictionary that builds the core's rules; kinds are numbered in carrier order."""
    kinds = [Kind(letter) for letter in CARRIER_ORDER]
    return {
        "name": table["name"],
        "files": table["files"],
        "ranks": table["ranks"],
        "start": table["start"],
        **_terrain(table),
        "rows": [_core_form(rows.get(kind), heroic) for kind in kinds for heroic in (False, True)],
        "kinds": [_core_kind(rows.get(kind)) for kind in kinds],
        "cargo": _cargo(table["cargo"]),
        "switches": dict(table["switches"]),
        "objective": table["objective"],
        "groups": {name: _kind_bits(map(Kind, text)) for name, text in table["objectives"].items()},
    }


def _kind_bits(kinds: Iterable[Kind]) -> int:
    return sum(1 << kind.index for kind in kinds)


def _terrain(table: dict[str, Any]) -> dict[str, Any]:
    terrain, ranks = table["terrain"], table["ranks"]
    sets = {"water": 0, "land": 0, "mixed": 0, "rivers": 0, "bridges": 0}
    for number, row in enumerate(map_rows(terrain["map"])):
        for file, letter in enumerate(row):
            bit = 1 << Square.at(file, ranks - 1 - number)
            legend = terrain["legend"][letter]
            sets[legend["class"]] |= bit
            sets["rivers"] |= bit if legend.get("river") else 0
            sets["bridges"] |= bit if legend.get("bridge") else 0
    river = terrain["river"][0] if "river" in terrain else 0
    corners = [(int(Square(a)), int(Square(b))) for a, b in terrain.get("corners", [])]
    bridge_files = _bridge_files(sets["bridges"], river)
    return {**sets, "river": river, "bridge_files": bridge_files, "corners": corners}


def _bridge_files(bridges: int, river: int) -> int:
    """The files with a bridge point on both banks of the river (2.3)."""
    if not river:
        return 0
    south, north = bridges >> 16 * (river - 1), bridges >> 16 * river
    return south & north & 0xFFFF


def _core_form(row: Row | None, heroic: bool) -> dict[str, Any]:
    form = row.form(heroic) if row else Form((0, 0), (0, 0), (0, 0))
    return {
        "move_o": form.move[0],
        "move_d": form.move[1],
        "take_o": form.take[0],
        "take_d": form.take[1],
        "ships_o": form.take_ships[0],
        "ships_d": form.take_ships[1],
        "ring": form.ring,
        "ignores_rings": form.ignores_rings,
    }


def _core_kind(row: Row | None) -> dict[str, Any]:
    if row is None:
        return {"present": False}
    columns = ("move_blocked", "take_blocked", "stands", *FLAGS)
    return {
        "present": True,
        **{column: getattr(row, column) for column in columns},
        "points": row.points,
        "stay": _kind_bits(row.stay),
    }


def _cargo(cargo: dict[str, list[str]]) -> list[list[int]]:
    stacks = [carrier + load for carrier, loads in cargo.items() for load in loads]
    return sorted(sorted(CARRIER_ORDER.index(letter) for letter in stack) for stack in stacks)

"""What the evaluation of Cờ Tư Lệnh counts follows the columns of a rule set, not kinds."""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh import Rules, _core

COLUMNS = """
extends = "official"
name = "columns"
[pieces.T]
heavy = true
[pieces.I]
aircraft = true
[pieces.M]
ship = true
stands = "any"
[pieces.A]
heavy = false
[pieces.F]
aircraft = false
[pieces.N]
ship = false
"""


@pytest.fixture
def columns(tmp_path):
    """A rule set in which other kinds are heavy, aircraft and ships."""
    path = tmp_path / "columns.toml"
    path.write_text(COLUMNS)
    return Rules.load(path)


def counted(rules, fen, term):
    """How often a term counts for Red, less than for Blue."""
    rows = _core.trace(rules.core, [fen])
    name_first_count = {name: (first, n) for name, first, n in _core.term_groups(False)}
    first, n = name_first_count[term]
    terms = np.frombuffer(rows["term"], np.uint16)
    counts = np.frombuffer(rows["count"], np.int16)
    return int(counts[(terms >= first) & (terms < first + n)].sum())


def alone(letter, square_row=6, file=5):
    """The Commanders, and one red piece on a point: on f6, the end of a bridge, unless told."""
    rows = ["11"] * 12
    rows[0], rows[11] = "2c8", "10C"
    rest = 10 - file
    rows[square_row] = f"{file or ''}{letter}{rest or ''}"
    return "/".join(rows) + " r - - 0 1"


@pytest.mark.parametrize(
    ("letter", "term", "official", "own"),
    [
        ("A", "bridge heavy", 1, 0),
        ("T", "bridge heavy", 0, 1),
        ("G", "bridge heavy", 1, 1),
        ("F", "air free", 1, 0),
        ("I", "air free", 0, 1),
    ],
)
def test_heavy_and_aircraft_are_columns(columns, letter, term, official, own):
    fen = alone(letter)
    assert counted(Rules.load("official"), fen, term) == official
    assert counted(columns, fen, term) == own


@pytest.mark.parametrize(("letter", "official", "own"), [("N", True, False), ("M", False, True)])
def test_ships_are_a_column(columns, letter, official, own):
    fen = alone(letter, file=2)  # the shore
    assert (counted(Rules.load("official"), fen, "sea") > 0) == official
    assert (counted(columns, fen, "sea") > 0) == own


def test_carried_pieces_count_too():
    """The Engineer carries a heavy piece onto the bridge; rings shoot down what they cover."""
    official = Rules.load("official")
    assert counted(official, alone("(EA)"), "bridge heavy") == 1
    assert counted(official, alone("(NF)", file=2), "air free") == 1
    covered = alone("F").replace("11/11/11/11/5F5", "11/11/11/5g5/5F5")
    assert counted(official, covered, "air free") == 0

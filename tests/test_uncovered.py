"""The tool that tells what tests do not reach: what counts as a gap, and who has explained it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import uncovered

sys.path.pop(0)

ROOT = Path(__file__).parent.parent


def test_every_explanation_names_one_line_that_is_there():
    """Lines change: what was said of them must not outlive them."""
    for file, parts in uncovered.explanations(uncovered.EXPLAINED.read_text("utf-8")):
        source = (ROOT / file).read_text("utf-8").splitlines()
        assert len(uncovered.named_lines(source, parts)) == 1, (file, parts)


@pytest.mark.parametrize(
    ("instances", "partial"),
    [
        ([[[5, 2]]], False),
        ([[[5, 0]]], True),
        ([[[5, 0]], [[0, 3]]], False),
        ([[[5, 0]], [[2, 3], [1, 1]]], False),
        ([[[5, 0]], [[0, 3], [1, 0]]], True),
        ([[[5, 2], [0, 0]]], False),
    ],
    ids=[
        "both sides",
        "one side",
        "one each of two instances",
        "an instance of another form has all",
        "neither form has all",
        "a decision that nobody came to",
    ],
)
def test_a_side_that_no_instance_takes_is_a_gap(instances, partial):
    assert uncovered.is_partial(instances) is partial


def test_of_lines_that_are_not_executed_the_first_is_told():
    lines = dict.fromkeys((1, 2, 5, 9), False) | dict.fromkeys((3, 4, 8), True)
    assert list(uncovered.runs(lines)) == [1, 5, 9]


def test_a_line_that_stands_twice_is_told_apart_by_the_one_before():
    source = ["if a:", "    return 1", "if b:", "    return 1"]
    assert uncovered.named_lines(source, ["return 1"]) == [2, 4]
    assert uncovered.named_lines(source, ["if b:", "return 1"]) == [4]


def test_python_s_gaps_are_runs_and_sides_that_lead_elsewhere():
    file = {
        "missing_lines": [3, 4],
        "executed_lines": [1, 2, 6],
        "missing_branches": [[2, 3], [6, -1]],
    }
    places = list(uncovered.python_places({"files": {"/x/package/cotulenh/web/a.py": file}}))
    assert [(place.file, place.line) for place in places] == [
        ("src/cotulenh/web/a.py", 3),
        ("src/cotulenh/web/a.py", 6),
    ]


def test_a_branch_without_a_block_is_read():
    line = {"branches": [{"source_block_id": 3, "count": 1}, {"count": 5}]}
    assert uncovered.decisions(line) == [[1], [5]]

"""Lines of puzzle data that are none: refused with a reason, also from a file of one's own."""

import pytest

from cotulenh.engine.puzzles import read_line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "{}",
        "[]",
        "7",
        '{"line": [1], "themes": "", "fen": "", "goal": "", "rating": 1}',
        '{"line": [], "themes": 3, "fen": "", "goal": "", "rating": 1}',
        '{"line": [], "themes": "", "fen": "", "goal": "", "rating": 1e999}',
        '{"line": [], "themes": "", "fen": "", "goal": "", "rating": []}',
        "[" * 100_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_line_that_is_no_puzzle(text):
    with pytest.raises(ValueError, match=r"\S"):
        read_line("official", text)

"""Everyday files of other programs: each case is a file with what must be read from it.

``cases/GROUP/NAME.pgn`` is the file, ``cases/GROUP/expected.json`` says by name: for each game the
moves of the main line, the result, and on wish tags, comments, marks, clocks, evaluations, shapes
(by the number of their turn); how many problems are noted, and how many of them with what is no
game; whether a game is lost by default.
"""

import io
import json
import re
from pathlib import Path

import pytest

from cotulenh import pgn
from cotulenh.game import MOVE, OPEN, walk

CASES = Path(__file__).parent / "cases"
GROUPS = ("standard", "chessbase", "scid", "lichess", "chesscom", "broken")


def expectations():
    for group in GROUPS:
        table = json.loads((CASES / group / "expected.json").read_text("utf-8"))
        for name, expected in table.items():
            yield pytest.param(CASES / group / f"{name}.pgn", expected, id=f"{group}/{name}")


ALL = list(expectations())


def test_there_are_enough_cases_and_each_is_expected():
    files = {path.relative_to(CASES).with_suffix("").as_posix() for path in CASES.rglob("*.pgn")}
    assert files == {param.id for param in ALL}
    assert len(files) >= 150


def shapes(found):
    return [" ".join([one.color, "".join(square.name for square in one[:-1])]) for one in found]


#: What a turn may carry, by the name it has in the expectations.
OF_TURN = {
    "comments": lambda node: node.comments,
    "nags": lambda node: node.nags,
    "clock": lambda node: node.clock,
    "emt": lambda node: node.emt,
    "eval": lambda node: list(node.eval),
    "arrows": lambda node: shapes(node.arrows),
    "circles": lambda node: shapes(node.circles),
}


def check_game(game, expected):
    turns = list(game.mainline())
    assert game.sans() == expected["moves"]
    assert game.result == expected["result"]
    for name, value in expected.get("tags", {}).items():
        assert game.tags[name] == value
    for what, wanted in expected.items():
        for number, value in wanted.items() if what in OF_TURN else ():
            assert OF_TURN[what](turns[int(number)]) == value, (what, number)
    assert game.root.comments == expected.get("root", game.root.comments)
    assert game.chess960 == expected.get("chess960", False)
    assert (game.rules.name if game.rules else "chess") == expected.get("game", "chess")
    if "variations" in expected:
        opened = sum(1 for kind, _, _ in walk(game.root) if kind == OPEN)
        assert opened == expected["variations"]


@pytest.mark.parametrize(("path", "expected"), ALL)
def test_case(path, expected):
    reader = pgn.read(path, errors="keep")
    games = list(reader)
    assert len(games) == len(expected["games"])
    for game, wanted in zip(games, expected["games"], strict=True):
        check_game(game, wanted)
    assert len(reader.problems) == expected["problems"], reader.problems
    stray = expected.get("stray", 0)
    assert sum(len(game.problems) for game in games) == len(reader.problems) - stray


@pytest.mark.parametrize(("path", "expected"), ALL)
def test_only_what_is_lost_is_dropped_by_default(path, expected):
    reader = pgn.read(path)
    lost = len(expected["games"]) - len(list(reader))
    assert lost == (1 if expected.get("lost") else 0)
    assert any(problem.fatal for problem in reader.problems) == bool(lost)


@pytest.mark.parametrize(("path", "expected"), ALL)
def test_what_was_read_comes_back_without_problems(path, expected):
    for game in pgn.read(path):
        reader = pgn.read(io.StringIO(pgn.dumps(game)))
        (again,) = reader
        assert again == game
        odd = sum(not re.fullmatch("[A-Za-z0-9_]+", name) for name in game.tags)
        differs = game.tags.get("Result") in {"1-0", "0-1", "1/2-1/2", "*"} - {game.result}
        assert len(reader.problems) == odd + differs


@pytest.mark.parametrize(("path", "expected"), ALL)
def test_boards_of_all_turns(path, expected):
    """Every turn that was read can be played on a board."""
    for game in pgn.read(path, errors="keep"):
        for kind, node, _ in walk(game.root):
            if kind == MOVE:
                assert node.board().fen()
        assert game.end().ply == len(game.moves())

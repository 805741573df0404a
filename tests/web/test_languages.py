"""Whatever the server refuses has words in both languages."""

import ast
import json
import re
from pathlib import Path

import pytest

import cotulenh.web
from cotulenh.web.messages import PRESETS

HERE = Path(cotulenh.web.__file__).parent
#: Reasons that only programs meet, never people on the page.
FOR_PROGRAMS = {"method_not_allowed", "bad_request", "wrong_host", "wrong_origin", "too_slow"}


def codes():
    """The first argument of every Refusal and Error in the source."""
    found = set()
    for path in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in ("Refusal", "Error") and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    found.add(first.value)
    return found


def test_codes_are_found():
    assert {"not_saved", "illegal_move", "conflict", "wrong_host"} <= codes()


@pytest.mark.parametrize("language", ["en", "vi"])
def test_every_refusal_has_words(language):
    words = json.loads((HERE / "static" / "lang" / f"{language}.json").read_text("utf-8"))
    missing = {c for c in codes() - FOR_PROGRAMS if f"refused.{c}" not in words}
    assert not missing


def test_gaps_of_the_words_are_the_same_in_both_languages():
    english, vietnamese = (
        json.loads((HERE / "static" / "lang" / f"{name}.json").read_text("utf-8"))
        for name in ("en", "vi")
    )
    for key, text in english.items():
        if key.startswith("refused."):
            gaps = [sorted(re.findall(r"\{(\w+)\}", words)) for words in (text, vietnamese[key])]
            assert gaps[0] == gaps[1], key


def problem_names():
    """The names of what can be wrong with a position, from the core's two tables."""
    core = Path(__file__).parents[2] / "core" / "games"
    names = set()
    for game in ("ctl", "chess"):
        text = (core / game / "position.hpp").read_text("utf-8")
        table = re.search(r"PROBLEM_NAMES = \{([^}]*)\}", text)[1]
        names |= set(re.findall(r'"(\w+)"', table))
    return names


@pytest.mark.parametrize("language", ["en", "vi"])
def test_every_problem_of_a_position_has_words(language):
    words = json.loads((HERE / "static" / "lang" / f"{language}.json").read_text("utf-8"))
    assert len(problem_names()) == 20
    assert not {name for name in problem_names() if f"problem.{name}" not in words}


def test_presets_are_codes():
    assert all(re.fullmatch("[a-z_]+", preset) for preset in PRESETS)

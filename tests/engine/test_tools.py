"""The tools of the laboratory: many candidates at once, and weights fitted to whole games."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cotulenh import _core
from cotulenh.engine import weights as weights_file
from cotulenh.engine.dataset import Settings, play_units

TOOLS = Path(__file__).parent.parent.parent / "tools"


def tool(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name, *arguments):
    command = [sys.executable, TOOLS / f"{name}.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_candidates_are_worth_is_found_again():
    candidates = tool("candidates")
    rng = np.random.default_rng(1)
    worth = np.array([40, -25, 0])
    rows = []
    for number in range(4000):
        signs = rng.choice([-1, 1], 3)
        chance = 1 / (1 + 10 ** (-(signs @ worth) / 400))
        score = rng.binomial(2, chance) / 2
        rows.append({"number": number, "signs": signs.tolist(), "score": score})
    found, error = candidates.fit(rows)
    assert (abs(found - worth) < 4 * error).all()
    assert (error < 8).all()


def test_a_run_of_candidates_goes_on_where_it_stopped(tmp_path):
    log = tmp_path / "log.jsonl"
    options = ("--nodes", 20, "--processes", 1, "--log", log, "without=null_move")
    first = run("candidates", "--pairs", 1, *options)
    assert first.returncode == 0, first.stderr
    kept = log.read_text("utf-8").splitlines()
    second = run("candidates", "--pairs", 2, *options)
    assert "without=null_move" in second.stdout
    assert log.read_text("utf-8").splitlines()[:2] == kept
    assert len(log.read_text("utf-8").splitlines()) == 3
    other = run("candidates", "--pairs", 2, "--seed", 9, *options)
    assert other.returncode == 2
    assert "the log of another run" in other.stderr


@pytest.mark.parametrize("text", ["no_such=3", "without=nothing"])
def test_candidates_that_do_not_exist_are_refused(tmp_path, text):
    found = run("candidates", "--log", tmp_path / "log", text)
    assert found.returncode == 2
    assert "expected a part" in found.stderr or "no such parameter" in found.stderr
    assert "Traceback" not in found.stderr


def test_weights_are_fitted_to_whole_games(tmp_path):
    settings = Settings("official", games=8, nodes=20, network=None)
    list(play_units(settings, tmp_path, "run", range(2)))
    out = tmp_path / "fit.json"
    found = run("tune", "official", "--games", 0, "--data", tmp_path, "--steps", 3, "--out", out)
    assert found.returncode == 0, found.stderr
    assert "positions, 3 steps" in found.stdout
    family, pairs = weights_file.load(out)
    assert family == "cotulenh"
    assert pairs != _core.weights(False)

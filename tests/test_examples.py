"""The scripts of examples/ run as they stand, in a folder of their own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NEEDS = {"tournament": "cotulenh.engine", "policy_gradient": "cotulenh.env", "alpha_zero": "torch"}
# What learns is given seconds here, not minutes.
ARGUMENTS = {
    "policy_gradient": ["--minutes=0.02", "--every=0.5", "--envs=16", "--games=4"],
    "alpha_zero": [
        "--minutes=0.001",
        "--envs=2",
        "--moves=3",
        "--games=2",
        "--simulations=2",
        "--longest=6",
    ],
}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_example_runs(script, tmp_path):
    pytest.importorskip(NEEDS.get(script.stem, "cotulenh"))
    ran = subprocess.run(
        [sys.executable, "-W", "error", str(script), *ARGUMENTS.get(script.stem, [])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
    if script.stem == "tournament":
        assert re.search(r"^Engine +8 +\d+ +\d+ +\d+ +\d+\.\d$", ran.stdout, re.MULTILINE)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_example_is_in_cells_and_listed(script):
    text = script.read_text("utf-8")
    assert text.startswith("# %% [markdown]\n# # ")
    assert f"`{script.name}`" in (EXAMPLES / "README.md").read_text("utf-8")

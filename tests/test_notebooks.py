"""The notebooks are the examples, cell by cell, and run from top to bottom."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
spec = importlib.util.spec_from_file_location("notebooks", ROOT / "tools" / "notebooks.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


@pytest.mark.parametrize("name", tool.SCRIPTS)
def test_a_notebook_is_its_script(name):
    script = (ROOT / "examples" / f"{name}.py").read_text("utf-8")
    kept = (ROOT / "examples" / "notebooks" / f"{name}.ipynb").read_text("utf-8")
    assert kept == tool.notebook(script), "renew them: python tools/notebooks.py"
    whole = json.loads(kept)
    ids = [cell["id"] for cell in whole["cells"]]
    assert len(ids) == len(set(ids))
    assert {cell["cell_type"] for cell in whole["cells"]} == {"markdown", "code"}


@pytest.mark.parametrize("name", ["first_game", "bitboards"])
def test_a_notebook_runs(name, tmp_path):
    """Cell by cell in one namespace, as a kernel does it; the others run as scripts."""
    whole = json.loads((ROOT / "examples" / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
    code = [c["source"] for c in whole["cells"] if c["cell_type"] == "code"]
    program = tmp_path / "run.py"
    program.write_text(
        f"names = {{'__name__': '__main__'}}\nfor cell in {code!r}:\n"
        "    exec(compile(''.join(cell), '<cell>', 'exec'), names)\n",
        "utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", str(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout

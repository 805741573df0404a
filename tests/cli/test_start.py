"""How the program starts: little is loaded, and what the terminal cannot show does not end it."""

import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "cotulenh"]


def loaded_by(code):
    """The modules a piece of code loads."""
    program = f"import sys\n{code}\nprint(*sys.modules, file=sys.__stdout__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


VERSION = """
from cotulenh.cli import main
try:
    main(["--version"])
except SystemExit:
    pass
"""


def test_importing_the_package_loads_next_to_nothing():
    ours = {name for name in loaded_by("import cotulenh") if name.startswith("cotulenh")}
    assert ours == {"cotulenh"}


def test_the_version_loads_neither_click_nor_the_core():
    loaded = loaded_by(VERSION)
    assert "cotulenh.cli" in loaded
    assert not {"click", "rich", "cotulenh._core", "cotulenh.cli._root"} & loaded


def test_a_verb_loads_only_itself():
    code = "from cotulenh.cli._root import root\nroot.get_command(None, 'uci')"
    verbs = {name for name in loaded_by(code) if name.startswith("cotulenh.cli.")}
    assert verbs <= {"cotulenh.cli._root", "cotulenh.cli.protocols", "cotulenh.cli._games"}


def test_the_linter_is_loaded_with_the_first_rule_set():
    assert "cotulenh.rules._lint" not in loaded_by("from cotulenh import Board")
    assert "cotulenh.rules._lint" in loaded_by("from cotulenh import Board\nBoard()")
    assert "cotulenh.rules._lint" not in loaded_by("from cotulenh import chess\nchess.Board()")


def test_every_name_of_the_front_door_is_there():
    loaded_by(
        "import cotulenh\nfor name in dir(cotulenh):\n    if name in cotulenh.__all__:"
        "\n        getattr(cotulenh, name)\nassert cotulenh.games.names()"
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["show"],
        ["rules", "show"],
        ["play", "--side", "both"],
        ["analyse", "--depth", "1"],
        ["match", "--help"],
        ["tables", "reach", "T", "é"],
    ],
)
def test_what_the_terminal_cannot_show_is_replaced(encoding, words):
    done = subprocess.run(
        [*COMMAND, *words],
        input=b"help\nfen\nquit\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )
    assert b"Traceback" not in done.stderr
    assert b"codec" not in done.stderr
    assert done.returncode in (0, 2)
    (done.stdout + done.stderr).decode("utf-8" if encoding == "ascii" else encoding)

"""Readers that go away, streams that are closed, disks that are full: one line at most."""

import os
import signal
import subprocess
import sys
import time

import pytest

COTULENH = f"{sys.executable} -m cotulenh"
GAME = '[Event "x"]\n[Variant "chess"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n'

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a shell and /dev/full")


@pytest.fixture
def shell(file):
    """Runs a line of the shell in which COTULENH and GAMES stand for the program and a file."""
    games = file(GAME * 400)

    def run(line):
        line = line.replace("COTULENH", COTULENH).replace("GAMES", games)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        return done.returncode, done.stdout, done.stderr

    return run


VERBS = ("--version", "--help", "show", "pgn convert GAMES", "play", "uci")


@pytest.mark.parametrize("verb", VERBS)
def test_a_reader_that_had_enough(shell, verb):
    assert shell(f"COTULENH {verb} | true") == (0, "", "")


@pytest.mark.parametrize("verb", VERBS)
def test_streams_that_are_closed(shell, verb):
    for streams in (">&-", "<&-", "2>&-", "<&- >&- 2>&-"):
        status, _, err = shell(f"COTULENH {verb} {streams}")
        assert (status, streams) == (0, streams)
        assert "Error" not in err


@pytest.mark.parametrize("verb", ["--version", "--help", "show", "pgn convert GAMES"])
def test_no_room_for_the_answer(shell, verb):
    said = (2, "", "cotulenh: No space left on device\n")
    assert shell(f"COTULENH {verb} >/dev/full") == said
    assert shell(f"COTULENH {verb} >/dev/full 2>/dev/full")[0] == 2


def test_a_file_does_not_take_the_place_of_a_closed_stream(shell, tmp_path):
    """What is printed into a closed stream must not end in the file that is written."""
    out = tmp_path / "out.pgn"
    assert shell(f"COTULENH pgn convert GAMES -o {out} <&- >&- 2>&-")[0] == 0
    assert out.read_text().startswith("[Event ")
    assert "400 games" not in out.read_text()


@pytest.mark.parametrize(
    "around",
    [
        *("COLUMNS=1", "TERM=dumb", "LANG=xx_YY.nonsense", "TZ=nonsense"),
        *("-u HOME", "HOME=/proc/none", "HOME=/none XDG_DATA_HOME=/proc/none"),
        *("LC_ALL=C PYTHONUTF8=0", "LC_ALL=POSIX PYTHONIOENCODING=ascii"),
    ],
)
def test_odd_surroundings(shell, around):
    for verb in ("show", "play"):
        status, out, err = shell(f"env {around} COTULENH {verb}")
        assert (status, err) == (0, "")
        assert out


def test_an_interrupt_while_the_program_starts():
    """Python itself takes an interrupt before the first line of the program; then it is ours."""
    program = subprocess.Popen(
        [sys.executable, "-c", f"import time, cotulenh.cli as c; print(flush=True)\n{LOADING}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout.readline()
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=30)
    assert (program.returncode, err) == (130, b"")


#: A start that takes its time: the import of the verbs waits.
LOADING = (
    "import sys, importlib.abc\n"
    "class Slow(importlib.abc.MetaPathFinder):\n"
    "    def find_spec(self, name, *_):\n"
    "        if name == 'cotulenh.cli._root': time.sleep(30)\n"
    "sys.meta_path.insert(0, Slow())\n"
    "c.main(['show'])"
)

"""What a newcomer meets first: ./run says in one line what is missing, before it makes anything."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cotulenh
from cotulenh.errors import install_hint

ROOT = Path(__file__).parent.parent
TOOLS = ["bash", "cat", "dirname", "env", "find", "grep", "id", "mktemp", "rm", "tail", "touch"]


@pytest.fixture
def checkout(tmp_path):
    """The scripts alone, and a PATH on which only the commonest tools and what a test adds are."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / "run", tmp_path)
    shutil.copy(ROOT / ".ci" / "setup.sh", tmp_path / ".ci")
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    return tmp_path


def put(checkout, name, text):
    path = checkout / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def started(checkout):
    environment = {"PATH": str(checkout / "bin"), "HOME": str(checkout)}
    done = subprocess.run(
        ["bash", "./run"], cwd=checkout, env=environment, capture_output=True, text=True, timeout=60
    )
    assert not (checkout / ".venv").exists(), "nothing is made when something is missing"
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.returncode, done.stderr


def real_python(checkout, without=""):
    """A python3 that is this one, but for what it cannot import."""
    refuse = f'case "$*" in *{without}*) exit 1 ;; esac\n' if without else ""
    put(checkout, "python3", f'{refuse}exec "{sys.executable}" "$@"')


def test_an_old_python_is_named_at_once(checkout):
    put(checkout, "python3", 'echo "Python 3.10.12"')
    status, said = started(checkout)
    assert status == 2
    assert "Python 3.11 or newer is needed, found: Python 3.10.12" in said


def test_without_any_python(checkout):
    status, said = started(checkout)
    assert status == 2
    assert "found: none" in said


def test_an_old_python3_does_not_hide_a_new_one(checkout):
    put(checkout, "python3", 'echo "Python 3.10.12"')
    put(checkout, "python3.12", 'case "$1" in --version) echo "Python 3.12.1" ;; *) exit 1 ;; esac')
    assert "venv is missing" in started(checkout)[1]


def test_without_a_compiler(checkout):
    real_python(checkout)
    status, said = started(checkout)
    assert status == 2
    assert "a C++ compiler is missing: apt-get install g++" in said


def test_with_a_compiler_that_is_too_old(checkout):
    real_python(checkout)
    put(checkout, "g++", "exit 1")
    assert "g++ knows no C++20" in started(checkout)[1]


@pytest.mark.parametrize(
    ("without", "package"), [("ensurepip", "python3-venv"), ("Python.h", "python3-dev")]
)
def test_without_a_part_of_python(checkout, without, package):
    real_python(checkout, without)
    status, said = started(checkout)
    assert status == 2
    assert f"apt-get install {package}" in said


def test_an_unbuilt_checkout_says_so(tmp_path):
    shutil.copytree(
        Path(cotulenh.__file__).parent,
        tmp_path / "cotulenh",
        ignore=shutil.ignore_patterns("*.so", "*.pyd", "data", "static"),
    )
    for module in ("cotulenh", "cotulenh.board", "cotulenh.chess"):
        done = subprocess.run(
            [sys.executable, "-S", "-c", f"import {module}"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        last = done.stderr.splitlines()[-1]
        assert last.startswith("ImportError: cotulenh is not built here")
        assert "./run" in last


def test_a_hint_names_this_environment():
    """The same command serves a checkout and an installed package."""
    hint = install_hint("draw")
    assert hint.endswith("-m pip install 'cotulenh[draw]'")
    program = hint.split(" -m ")[0].strip("'")
    assert Path(program).resolve() == Path(sys.executable).resolve()


def test_an_extra_that_is_missing_is_named_with_the_command():
    code = (
        "import sys; sys.modules['resvg_py'] = None\n"
        "import cotulenh\nfrom cotulenh import draw\ndraw.png(cotulenh.Board())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"PNG needs resvg-py: {install_hint('draw')}" in done.stderr


LAST_LINE = """
import pytest

@pytest.mark.parametrize("n", [1, 2])
def test_a(n):
    pytest.skip("no browser")

def test_b():
    pass
"""


def test_the_last_line_says_what_was_not_tested(tmp_path):
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(LAST_LINE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1] == "not tested: no browser (2)"

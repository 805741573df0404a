"""What the documentation shows is true: its examples and those of the docstrings are executed."""

import doctest
import importlib
import os
import pkgutil
import re
from pathlib import Path

import pytest

import cotulenh
import cotulenh.draw
from cotulenh.cli import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(cotulenh.__path__, "cotulenh.")
    if not module.name.startswith("cotulenh._")
)


def fenced(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_of(page):
    blocks = "\n".join(fenced(page.read_text("utf-8"), "python"))
    example = doctest.DocTestParser().get_doctest(blocks, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    assert runner.run(example).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_examples_of(page, capsys):
    for block in fenced(page.read_text("utf-8"), "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            program, *args = command.split()
            assert program == "cotulenh"
            with pytest.raises(SystemExit) as stopped:
                main(args)
            assert stopped.value.code == 0
            assert capsys.readouterr().out == expected


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of(page):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("name", ["cotulenh", *MODULES])
def test_docstrings_of(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


def test_the_readme_begins_with_the_two_commands():
    text = (ROOT / "README.md").read_text("utf-8")
    commands = re.findall(r"^    (\./\w+)", text, re.MULTILINE)
    assert commands == ["./run", "./test"]
    for command in commands:
        assert (ROOT / command).stat().st_mode & 0o111


def test_the_picture_of_the_readme():
    """It is what draw makes today."""
    title = "The start position of Cờ Tư Lệnh"
    picture = cotulenh.draw.svg(cotulenh.Board(), size=480, title=title) + "\n"
    path = ROOT / "docs" / "board.svg"
    if os.environ.get("COTULENH_UPDATE"):
        path.write_text(picture, "utf-8")
    assert path.read_text("utf-8") == picture

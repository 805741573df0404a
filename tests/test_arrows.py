"""The stairs go down only: no file includes or imports from a floor above (docs/design.md)."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# C++: board ← games ← engine ← env ← bindings. The two games do not know each other.
ROOMS = {
    "board": 0,
    "games": 1,
    "games/ctl": 2,
    "games/chess": 2,
    "engine": 3,
    "env": 4,
    "bindings": 5,
}

# Python, the lowest floor first. A new module needs a floor here.
FLOORS = [
    {"_core", "errors", "squares"},
    {"facts", "pieces"},
    {"terrain", "tables"},
    {"rules"},
    {"board", "chess"},
    {"games", "__init__"},
    {"annotations"},
    {"game", "pgn", "book", "draw"},
    {"engine"},
    {"protocols"},
    {"match"},
    {"env", "cluster"},
    {"cli", "web"},
    {"__main__"},
]
FLOOR_OF = {name: number for number, names in enumerate(FLOORS) for name in names}


# C++ ----------------------------------------------------------------------------------------


def core_files():
    return sorted(path for path in (ROOT / "core").rglob("*") if path.suffix in (".hpp", ".cpp"))


def room(path):
    return str(Path(path).parent)


def wrong_includes(name, text):
    """The includes of a file of the core that point up, or across between the games."""
    own, wrong = room(name), []
    for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.MULTILINE):
        other = room(included)
        if other not in ROOMS:
            wrong.append(f"{name} includes {included}, which is in no room of the core")
        elif ROOMS[other] > ROOMS[own] or (ROOMS[other] == ROOMS[own] and other != own):
            wrong.append(f"{name} includes {included}: from {own} up to {other}")
    if own != "bindings" and re.search(r"#\s*include\s+<(nanobind|Python)", text):
        wrong.append(f"{name} includes Python: only the bindings do")
    return wrong


def test_includes_go_down():
    wrong = []
    for path in core_files():
        name = path.relative_to(ROOT / "core").as_posix()
        assert room(name) in ROOMS, f"{name} is in no room of the core"
        wrong += wrong_includes(name, path.read_text("utf-8"))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("board/grid.hpp", '#include "games/move.hpp"'),
        ("games/text.hpp", '#include "games/ctl/position.hpp"'),
        ("games/ctl/position.hpp", '#include "games/chess/position.hpp"'),
        ("games/ctl/position.hpp", "#include <nanobind/nanobind.h>"),
        ("engine/search.hpp", '#include "bindings/bind.hpp"'),
        ("engine/search.hpp", '#include "elsewhere.hpp"'),
    ],
)
def test_an_include_that_points_up_is_seen(name, line):
    assert wrong_includes(name, f"#pragma once\n{line}\n")


def test_an_include_that_points_down_is_fine():
    text = '#include <vector>\n#include "board/set.hpp"\n#include "games/ctl/stack.hpp"\n'
    assert not wrong_includes("games/ctl/position.hpp", text)


# Python -------------------------------------------------------------------------------------


def module_of(path):
    """The first part below the package: rules/_lint.py belongs to rules."""
    parts = path.relative_to(ROOT / "src" / "cotulenh").with_suffix("").parts
    return parts[0]


def imported(text, known):
    """The modules of the package that a source imports, wherever in the file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute, so that they show their arrow"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            if top == "cotulenh":
                first = rest.partition(".")[0]
                yield first if first in known else "__init__"


def wrong_imports(module, text):
    known = FLOOR_OF.keys() - {"__init__"}
    return [
        f"{module} imports {other}"
        for other in imported(text, known)
        if FLOOR_OF[other] > FLOOR_OF[module]
    ]


def test_imports_go_down():
    wrong = []
    for path in sorted((ROOT / "src" / "cotulenh").rglob("*.py")):
        module = module_of(path)
        assert module in FLOOR_OF, f"{module} has no floor: give it one in {__file__}"
        wrong += wrong_imports(module, path.read_text("utf-8"))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("rules", "from cotulenh import Board"),
        ("rules", "import cotulenh.cli"),
        ("tables", "from cotulenh.rules import Rules"),
        ("squares", "def f():\n    from cotulenh import facts"),
        ("engine", "from cotulenh.web import app"),
    ],
)
def test_an_import_that_points_up_is_seen(module, line):
    assert wrong_imports(module, line)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("cli", "from cotulenh import Rules"),
        ("rules", "from cotulenh import _core"),
        ("rules", "from cotulenh.rules._lint import lint"),
        ("rules", "import json, cotulenh.tables"),
    ],
)
def test_an_import_that_points_down_is_fine(module, line):
    assert not wrong_imports(module, line)

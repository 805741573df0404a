"""The check-list of a release finds what is wrong, bench/compare.py what got slower."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def loaded(folder, name):
    spec = importlib.util.spec_from_file_location(name, ROOT / folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release = loaded("tools", "release")
BENCH = {"quick": False, "failed": {}, "rows": [1], "machine": {"date": "2026-01-01"}}
FILES = {
    "pyproject.toml": """[project]
version = "1.2.3"
requires-python = ">=3.11"
classifiers = ["Programming Language :: Python :: 3", "Programming Language :: Python :: 3.11"]
[tool.cibuildwheel]
build = ["cp311-*", "cp314t-*"]
""",
    "src/cotulenh/__init__.py": '__version__ = "1.2.3"\n',
    "CITATION.cff": "version: 1.2.3\n",
    "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-02\n\n### Added\n- x\n",
    ".github/workflows/test.yml": "- run: sudo bash .ci/run\n",
    ".ci/run": "",
    "docs/bench.json": json.dumps(
        {"quick": False, "failed": {}, "rows": [1], "machine": {"date": "d"}}
    ),
}
POINTS = ["one_version", "dated_changelog", "tidy_changelog", "pythons", "workflows", "measured"]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A repository in which all is well."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize("point", POINTS)
def test_all_is_well(tree, point):
    assert getattr(release, point)()


@pytest.mark.parametrize(
    ("point", "name", "old", "new"),
    [
        ("one_version", "CITATION.cff", "1.2.3", "1.2.2"),
        ("one_version", "src/cotulenh/__init__.py", "1.2.3", "1.2.4"),
        ("dated_changelog", "CHANGELOG.md", "2026-01-02", "2999-01-02"),
        ("dated_changelog", "CHANGELOG.md", "[1.2.3] - 2026-01-02", "[1.2.3]"),
        ("dated_changelog", "CHANGELOG.md", "## [1.2.3]", "## [2.0.0] - 2026-01-03\n\n## [1.2.3]"),
        ("tidy_changelog", "CHANGELOG.md", "### Added\n- x\n", "### Added\n- x\n### Added\n- y\n"),
        ("tidy_changelog", "CHANGELOG.md", "### Added", "### News"),
        ("tidy_changelog", "CHANGELOG.md", "## [Unreleased]\n", ""),
        ("pythons", "pyproject.toml", ">=3.11", ">=3.12"),
        ("pythons", "pyproject.toml", '"cp311-*", ', '"cp311-*", "cp312-*", '),
        ("workflows", ".github/workflows/test.yml", ".ci/run", ".ci/walk"),
        ("measured", "docs/bench.json", '"quick": false', '"quick": true'),
    ],
)
def test_what_is_wrong_is_found(tree, point, name, old, new):
    path = tree / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(release.WrongError):
        getattr(release, point)()


def test_a_tag_names_the_version(tree):
    assert release.tagged("v1.2.3") == "v1.2.3"
    with pytest.raises(release.WrongError):
        release.tagged("v1.2.4")


def test_this_repository_has_one_version_and_a_tidy_changelog():
    release.one_version()
    release.dated_changelog()
    release.tidy_changelog()
    release.pythons()
    release.workflows()


# Benches ------------------------------------------------------------------------------------------


def run_of(speed, took, **machine):
    told = {"processor": "p", "cores": 2, "python": "3.11", "compiler": "c", **machine}
    rows = [
        {"table": "a", "name": "speed", "value": speed, "unit": "n/s", "better": "more"},
        {"table": "a", "name": "time", "value": took, "unit": "s", "better": "less"},
        {"table": "matches", "name": "m", "value": speed, "unit": "%", "better": "more"},
    ]
    return {"machine": told, "quick": False, "rows": rows}


def compared(tmp_path, old, new, *options):
    for name, content in (("old", old), ("new", new)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content), "utf-8")
    command = [sys.executable, str(ROOT / "bench" / "compare.py"), "old.json", "new.json", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_what_got_slower_is_named(tmp_path):
    status, text = compared(tmp_path, run_of(100, 1.0), run_of(80, 1.5))
    assert status == 1
    assert "WORSE     20 %  a, speed: 100 → 80 n/s" in text
    assert "WORSE     33 %  a, time: 1 → 1.5 s" in text
    assert "2 worse" in text


def test_what_got_faster_is_no_failure(tmp_path):
    status, text = compared(tmp_path, run_of(100, 1.0), run_of(130, 0.95))
    assert status == 0
    assert "better    30 %  a, speed" in text
    assert "a, time" not in text  # within the tolerance
    assert compared(tmp_path, run_of(100, 1.0), run_of(95, 1.0), "--tolerance", "3")[0] == 1


def test_other_machines_are_noted(tmp_path):
    text = compared(tmp_path, run_of(1, 1), run_of(1, 1, cores=64))[1]
    assert "note: cores: 2 and 64" in text


def test_the_figures_of_the_pages_are_there():
    """Every table that a page asks for is one that the benches make."""
    kept = json.loads((ROOT / "docs" / "bench.json").read_text("utf-8"))
    assert {row["better"] for row in kept["rows"]} == {"more", "less"}
    assert all(row["value"] >= 0 for row in kept["rows"])

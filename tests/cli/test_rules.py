"""cotulenh rules, and how the command line treats what it does not understand."""

import json
import subprocess
import sys

import pytest

from cotulenh import Rules, __version__


def test_list(cli):
    status, out, err = cli("rules", "list")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == Rules.names()
    assert json.loads(cli("rules", "list", "--json")[1]).keys() == set(Rules.names())


@pytest.mark.parametrize("name", Rules.names())
def test_show(cli, name):
    status, out, err = cli("rules", "show", name)
    assert (status, err) == (0, "")
    rules = Rules.load(name)
    assert rules.title in out
    assert rules.start_fen in out
    assert rules.tables.show("terrain") in out
    for row in rules.rows.values():
        assert row.name in out
        assert row.vietnamese in out
    assert "…" not in out


@pytest.mark.parametrize("name", Rules.names())
def test_show_for_machines(cli, name):
    found = json.loads(cli("rules", "show", name, "--json")[1])
    rules = Rules.load(name)
    assert found["name"] == name
    assert (len(found["terrain"]), len(found["terrain"][0])) == (rules.ranks, rules.files)
    assert found["pieces"]["T"]["normal"]["move"] == [2, 0]
    assert found["switches"] == dict(rules.switches)


def test_lint(cli, tmp_path):
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('extends = "official"\nname = "good"\n')
    bad.write_text('extends = "official"\nname = "bad"\n[pieces.T]\nmove = [13, 0]\npoints = -1\n')
    assert cli("rules", "lint", "official", str(good)) == (0, f"official: ok\n{good}: ok\n", "")
    status, out, err = cli("rules", "lint", str(good), str(bad))
    assert (status, err) == (1, "")
    assert out.splitlines() == [
        f"{good}: ok",
        f"{bad}:4: pieces.T.move: range 13 is out of bounds (0 to 12, or inf)",
        f"{bad}:5: pieces.T.points: -1 is out of bounds (0 to 10000)",
    ]
    status, out, _ = cli("rules", "lint", "--json", str(bad))
    assert status == 1
    assert [problem["line"] for problem in json.loads(out)] == [4, 5]


# Bad input: status 2, one line, no traceback ------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["rules", "nonsense"], "No such command 'nonsense'"),
        (["rules", "list", "more"], "unexpected extra argument"),
        (["rules", "list", "--loud"], "No such option '--loud'"),
        (["rules", "show", "checkers"], "checkers: expected a rule set"),
        (["rules", "lint"], "Missing argument 'FILES...'"),
        (["rules", "lint", "checkers"], "checkers: expected a rule set"),
        (["rules", "show", "."], "expected a rule set"),
    ],
)
def test_bad_input(cli, args, words):
    status, out, err = cli(*args)
    assert (status, out) == (2, "")
    assert err.startswith("cotulenh: ")
    assert words in err
    assert len(err.splitlines()) == 1


def test_a_bad_file_is_one_line(cli, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("name = ")
    status, _, err = cli("tables", "terrain", "--rules", str(path))
    assert status == 2
    assert err.startswith(f"cotulenh: {path}:1: not TOML")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("args", [[], ["rules"], ["tables"], ["--help"], ["rules", "-h"]])
def test_help(cli, args):
    status, out, err = cli(*args)
    assert (status, err) == (0, "")
    assert "Usage: cotulenh" in out


def test_version(cli):
    assert cli("--version") == (0, f"cotulenh {__version__}\n", "")


def test_as_a_module():
    command = [sys.executable, "-m", "cotulenh", "rules", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "official" in done.stdout


def test_a_reader_that_stops_early():
    command = f"{sys.executable} -m cotulenh rules show | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("official")
    assert done.stderr == ""

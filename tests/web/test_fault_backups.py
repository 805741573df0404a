"""When the disk fails under a backup, a restoration or a migration: nothing is lost, nothing half.

Also names of directories that mean something in an address of SQLite's.
"""

import os
import sqlite3
import subprocess
import sys

import pytest


def verb(*args, env=None):
    return subprocess.run(
        [sys.executable, "-m", "cotulenh", "serve", "--no-browser", *map(str, args)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **(env or {})},
    )


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data"
    path.mkdir()
    return path


def names(directory):
    return sorted(path.name for path in directory.iterdir() if path.is_file())


def one_line(done):
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def test_a_full_disk_under_a_backup_leaves_the_one_before(tmp_path, data, serve, key, faults):
    with serve(data) as server:
        server.new_game(key)
    kept = tmp_path / "kept.sqlite"
    assert verb("--backup", kept, "--data", data).returncode == 0
    before = kept.read_bytes()
    with faults.on("full"):
        done = verb(
            *("--backup", kept, "--data", data),
            env={**faults.environment, "FAULTS_FOR": "kept.sqlite"},
        )
    assert "disk" in one_line(done)
    assert kept.read_bytes() == before
    assert names(tmp_path) == ["kept.sqlite"]


@pytest.mark.parametrize("fault", ["full", "sync"])
def test_a_bad_disk_under_a_restoration_leaves_what_was_there(
    tmp_path, data, serve, key, faults, fault
):
    with serve(data) as server:
        server.new_game(key)
    kept = tmp_path / "kept.sqlite"
    assert verb("--backup", kept, "--data", data).returncode == 0
    with serve(data) as server:
        later = server.new_game(key)
    before = names(data)
    environment = {**faults.environment, "FAULTS_FOR": "restore."}
    with faults.on(fault):
        assert "not restored" in one_line(verb("--restore", kept, "--data", data, env=environment))
    assert names(data) == before
    with serve(data) as server:
        assert server.get(f"/api/games/{later}")["moves"] == []


def test_a_server_whose_disk_is_full_goes_on_after_a_restoration_that_failed(
    tmp_path, data, serve, connect, key, faults
):
    """Nothing can be written in the whole directory, not even the reason."""
    environment = {**faults.environment, "FAULTS_FOR": f"{data}/"}
    with serve(data, env=environment) as server:
        game = server.new_game(key, mode="local")
        kept = tmp_path / "kept.sqlite"
        assert verb("--backup", kept, "--data", data).returncode == 0
        one = connect(server, game, key)
        one.play("Mg5g6")
        one.close()
        with faults.on("full"):
            done = verb("--restore", kept, "--data", data)
        assert "could not take it over" in one_line(done)
        again = connect(server, game, key)
        assert again.state["moves"] == ["Mg5g6"]
        assert len(again.play(again.state["view"]["moves"][0]["text"])["moves"]) == 2
        again.close()
    assert not list(data.glob("*before*"))
    assert verb("--check", "--data", data).returncode == 0


def test_a_full_disk_under_the_copy_before_a_migration(data, faults):
    base = sqlite3.connect(data / "games.sqlite")
    base.executescript(FIRST_VERSION)
    base.close()
    with faults.on("full"):
        done = verb(
            *("--port", "0", "--data", data),
            env={**faults.environment, "FAULTS_FOR": ".backup.sqlite"},
        )
    assert "disk" in one_line(done)
    assert not list(data.glob("*backup*"))
    base = sqlite3.connect(data / "games.sqlite")
    assert base.execute("SELECT id FROM games").fetchall() == [("old",)]
    assert base.execute("PRAGMA user_version").fetchone() == (0,)
    base.close()


@pytest.mark.parametrize("name", ["100%25", "a#b", "what?mode=memory", "two words"])
def test_directories_with_signs_of_an_address(tmp_path, serve, key, name):
    data, kept = tmp_path / name, tmp_path / f"kept {name}"
    data.mkdir()
    with serve(data) as server:
        server.new_game(key)
    for args in (("--check",), ("--backup", kept), ("--restore", kept), ("--check",)):
        done = verb(*args, "--data", data)
        assert done.returncode == 0, (args, done.stdout, done.stderr)


FIRST_VERSION = """
CREATE TABLE games (id TEXT PRIMARY KEY, created REAL NOT NULL, updated REAL NOT NULL,
    setup BLOB NOT NULL, state BLOB NOT NULL) STRICT;
CREATE TABLE moves (game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE, n INTEGER NOT NULL,
    text TEXT NOT NULL, played REAL NOT NULL, PRIMARY KEY (game, n)) STRICT;
CREATE TABLE seats (key TEXT NOT NULL, game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    PRIMARY KEY (key, game)) STRICT;
INSERT INTO games VALUES ('old', 1, 1, x'7b7d', x'7b7d');
"""

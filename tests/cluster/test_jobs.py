"""What the jobs make: data sets, annotated games, puzzles."""

import json
import subprocess
import sys

import pytest

from cotulenh import pgn
from cotulenh.cluster import (
    AnalyseJob,
    PuzzlesJob,
    Run,
    RunError,
    SelfplayJob,
    executor_for,
    verify,
)
from cotulenh.engine.dataset import Dataset

GAMES = """[Event "first"]

1. e4 e5 2. Nf3 {well known} Nc6 (2... d6 3. d4) 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+
7. Be2 Nf3# 0-1

[Event "second"]

1. f3 e5 2. g4 Qh4# 0-1
"""


def do(directory, job, workers=2):
    with Run(directory, job) as run:
        assert run.drive(executor_for("local", workers), lambda progress: None)
        summary = run.finish()
        assert verify(run) == []
        return summary


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


def test_selfplay_makes_one_data_set_and_one_pgn(tmp_path):
    job = SelfplayJob("official", games=45, nodes=20, random_moves=6)
    summaries = [do(tmp_path / str(n), job, n) for n in (1, 2)]
    assert summaries[0] == summaries[1]
    data = Dataset(tmp_path / "1" / "games.data")
    data.verify()
    assert len(data.games) == 45 == summaries[0]["games"]
    assert len(data.plies) == summaries[0]["plies"]
    assert (data.games["first"][1:] == data.games["first"][:-1] + data.games["count"][:-1]).all()
    games = list(pgn.read(tmp_path / "1" / "games.pgn", rules="official"))
    assert len(games) == 45
    assert [len(game.moves()) for game in games] == list(data.games["count"])
    assert any(node.eval is not None for node in games[0].mainline())


def test_units_throw_dice_of_their_own(tmp_path):
    """The same constant seed on several machines would make the same games."""
    summary = do(tmp_path, SelfplayJob("official", games=40, nodes=20))
    assert summary["duplicates"] == 0
    data = Dataset(tmp_path / "games.data")
    assert len(set(data.games["seed"])) == 40


def test_every_turn_of_every_game_is_judged(tmp_path, source):
    summary = do(tmp_path / "run", AnalyseJob("chess", str(source), nodes=2000))
    assert (summary["games"], summary["turns"]) == (2, 18)
    first, second = pgn.read(tmp_path / "run" / "analysed.pgn", rules="chess")
    assert all(node.eval is not None for node in first.mainline())
    assert "well known" in str(first)
    assert "(2... d6 3. d4" in str(first).replace("\n", " ")
    lines = (tmp_path / "run" / "analysed.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    blunder = rows[1]["turns"][2]
    assert (blunder["played"], blunder["mark"]) == (["g2g4"], "??")
    assert 4 in list(second.mainline())[2].nags
    assert rows[1]["counts"][0][2] >= 1


def test_the_file_of_a_run_may_not_change(tmp_path, source):
    job = AnalyseJob("chess", str(source), nodes=100)
    source.write_text(GAMES.replace("Nf3 ", "Nc3 ", 1))
    with Run(tmp_path / "run", job) as run, pytest.raises(RunError, match="not the file"):
        run.drive(executor_for("local", 1), lambda progress: None)


def test_puzzles_of_a_file(tmp_path, source):
    summary = do(tmp_path / "run", PuzzlesJob("chess", str(source)))
    lines = (tmp_path / "run" / "puzzles.jsonl").read_text().splitlines()
    assert len(lines) == summary["count"]


@pytest.mark.parametrize(
    "words",
    [
        ["selfplay", "-n", "3", "--nodes", "20"],
        ["selfplay", "-n", "2", "--player", "engine,skill=2", "--depth", "1", "--max-turns", "6"],
        ["analyse", "SOURCE", "-g", "chess", "--nodes", "100"],
        ["puzzles", "SOURCE", "-g", "chess"],
    ],
    ids=lambda words: "-".join(words[:3]),
)
def test_as_verbs(tmp_path, source, words):
    words = [str(source) if word == "SOURCE" else word for word in words]
    command = [sys.executable, "-m", "cotulenh", *words, "--run", str(tmp_path / "run")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert str(tmp_path / "run") in said
    again = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert again == said

"""What the jobs make: data sets, annotated games, puzzles."""

import json
import shutil
import subprocess
import sys
from importlib.resources import files

import pytest

from cotulenh import pgn
from cotulenh.cluster import (
    AnalyseJob,
    MatchJob,
    PuzzlesJob,
    Run,
    RunError,
    SelfplayJob,
    executor_for,
    verify,
)
from cotulenh.engine.dataset import MID_TURN, NOT_SEARCHED, RANDOM, TAKE, Dataset, games_in
from cotulenh.games import new_board
from cotulenh.match import Settings

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


@pytest.mark.parametrize("game", ["official", "chess"])
def test_selfplay_of_a_level_makes_the_same_kind_of_data_set(tmp_path, game):
    """What the native games leave to the core is here looked up on a board."""
    players = ("engine,skill=9,hash=1",) * 2
    job = SelfplayJob.by_players(Settings(players, game, 5, depth=2, most_turns=24, balance=0))
    summaries = [do(tmp_path / str(n), job, n) for n in (1, 2)]
    assert summaries[0] == summaries[1]
    assert (summaries[0]["games"], summaries[0]["duplicates"]) == (5, 0)
    data = Dataset(tmp_path / "1" / "games.data")
    data.verify()
    contents = (tmp_path / "1" / "games.data").read_bytes()
    read = pgn.read(tmp_path / "1" / "games.pgn", rules=game)
    for played, written in zip(games_in(contents), read, strict=True):
        board, last, kind = new_board(game), None, type(written.moves()[0])
        for ply, (bits, score, flags) in enumerate(
            zip(played.moves, played.scores, played.flags, strict=True)
        ):
            move = kind.from_int(bits)
            assert bool(flags & RANDOM) == (ply < played.random) == (score == NOT_SEARCHED)
            assert bool(flags & TAKE) == board.is_capture(move)
            assert bool(flags & MID_TURN) == (board.turn is last)
            last = board.turn
            board.push(move)
        assert list(played.moves) == [int(move) for move in written.moves()]
        assert board.key == played.last_key
        assert played.result == written.tags["Result"]


@pytest.mark.parametrize(
    "limit", [{"time": 0.002}, {"clock": "0.3+0.01"}, {"nodes": 40}], ids=lambda one: str(one)
)
def test_selfplay_with_any_limit(tmp_path, limit):
    players = ("engine,hash=1",) * 2
    settings = Settings(players, "official", 3, most_turns=12, balance=0, **limit)
    summary = do(tmp_path, SelfplayJob.by_players(settings))
    data = Dataset(tmp_path / "games.data")
    data.verify()
    assert len(data.games) == summary["games"] == 3
    assert list(data.games["random"]) == [
        sum(flags & RANDOM for flags in one.flags)
        for one in games_in((tmp_path / "games.data").read_bytes())
    ]


def test_networks_of_players_are_part_of_the_fingerprint(tmp_path, monkeypatch):
    """By their whole path, since workers begin elsewhere, and by what is in them."""
    shipped = sorted((files("cotulenh") / "data" / "networks").iterdir(), key=lambda one: one.name)
    shutil.copy(str(shipped[0]), tmp_path / "own.nnue")
    monkeypatch.chdir(tmp_path)
    settings = Settings(("engine,network=own.nnue", "random"), "chess", 2, depth=1)
    for job in (MatchJob.of(settings), SelfplayJob.by_players(settings)):
        assert job.match["players"][0] == f"engine,network={tmp_path / 'own.nnue'}"
        name = f"network {tmp_path / 'own.nnue'}"
        before = job.environment()[name]
        (tmp_path / "own.nnue").write_bytes(shipped[1].read_bytes())
        assert job.environment()[name] != before
        shutil.copy(str(shipped[0]), tmp_path / "own.nnue")


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
        ["selfplay", "-n", "2", "--time", "0.002", "--max-turns", "6", "--balance", "0"],
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

"""The data set of whole games: what self-play writes, read again by NumPy and by the law."""

import struct

import numpy as np
import pytest

from cotulenh import Board, _core, chess
from cotulenh.board import Move
from cotulenh.engine import dataset
from cotulenh.engine.dataset import DataError, Dataset, Settings, play_unit, play_units

GAMES = ["official", "online", "blueprint", "chess"]


def written(tmp_path, game, games=3, unit="x"):
    path = tmp_path / f"{game}.games"
    path.write_bytes(play_unit(Settings(game, games=games, nodes=30, random_moves=6), unit))
    return path


@pytest.mark.parametrize("game", GAMES)
def test_games_can_be_played_again_by_the_law(tmp_path, game):
    data = Dataset(written(tmp_path, game))
    data.verify()
    assert data.game == game
    assert len(data.games) == 3
    for record in data.games:
        board = chess.Board() if game == "chess" else Board(rules=game)
        kind = chess.Move if game == "chess" else Move
        for ply in data.plies[record["first"] :][: record["count"]]:
            move = kind.from_int(int(ply["move"]))
            assert move in board.legal_moves
            assert bool(ply["flags"] & dataset.CHECK) <= board.is_check()
            board.push(move)
        if record["reason"] == 0 and board.outcome() is not None:
            expected = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[board.outcome().result]
            assert record["result"] == expected


@pytest.mark.parametrize("game", GAMES)
def test_random_moves_stand_first_and_have_no_score(tmp_path, game):
    data = Dataset(written(tmp_path, game))
    for record in data.games:
        plies = data.plies[record["first"] :][: record["count"]]
        random = (plies["flags"] & dataset.RANDOM) > 0
        assert random.sum() == record["random"] >= 6
        assert random[: record["random"]].all()
        assert ((plies["score"] == dataset.NOT_SEARCHED) == random).all()


def test_a_unit_follows_from_its_name():
    settings = Settings("official", games=2, nodes=20)
    assert play_unit(settings, "a") == play_unit(settings, "a")
    assert play_unit(settings, "a") != play_unit(settings, "b")
    assert play_unit(settings, "a") != play_unit(Settings("official", games=2, nodes=21), "a")


def test_a_run_goes_on_where_it_stopped(tmp_path):
    settings = Settings("official", games=1, nodes=10)
    first = list(play_units(settings, tmp_path, "run", range(2)))
    kept = {path: path.stat().st_mtime_ns for path in first}
    whole = list(play_units(settings, tmp_path, "run", range(3)))
    assert whole[:2] == first
    assert {path: path.stat().st_mtime_ns for path in first} == kept
    assert sorted(tmp_path.iterdir()) == whole  # no parts are left


def test_arrays_lie_on_the_file(tmp_path):
    data = Dataset(written(tmp_path, "official"))
    assert isinstance(data.plies.base, np.ndarray)
    assert not data.plies.flags.owndata
    assert not data.plies.flags.writeable


def damaged(raw, at, what):
    return raw[:at] + what + raw[at + len(what) :]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda raw: b"", "not a data set of games"),
        (lambda raw: raw[:100], "not a data set of games"),
        (lambda raw: b"CoTuNet\0" + raw[8:], "not a data set of games"),
        (lambda raw: damaged(raw, 8, struct.pack("<I", 7)), "version 7, expected 1"),
        (lambda raw: raw[:-1], "bytes, expected"),
        (lambda raw: raw + b"\0", "bytes, expected"),
        (lambda raw: damaged(raw, 300, bytes([raw[300] ^ 1])), "the checksum does not fit"),
        (lambda raw: damaged(raw, 32, b"online\0\0"), "played under other rules"),
    ],
)
def test_damaged_files_are_refused_in_one_line(tmp_path, change, reason):
    path = written(tmp_path, "official", games=1)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(DataError, match=reason) as error:
        Dataset(path).verify()
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_quiet_positions_are_quiet_and_scored():
    fen = chess.Board().fen()
    games, plies = _core.selfplay_games(None, fen, 4, 200, 7, 8, None)
    samples = _core.quiet_positions(None, fen, games, plies)
    assert len(samples) > 40
    for text, score, result in samples:
        assert not chess.Board(text).is_check()
        assert abs(score) <= 2000
        assert result in (0, 1, 2)
    for wanted, sign in ((2, 1), (0, -1)):
        scores = [score for _, score, result in samples if result == wanted]
        assert not scores or sign * sum(scores) > 0


def test_games_that_do_not_fit_are_refused():
    fen = chess.Board().fen()
    games, plies = _core.selfplay_games(None, fen, 1, 20, 7, 8, None)
    with pytest.raises(ValueError, match="whole number of records"):
        _core.quiet_positions(None, fen, games, plies[:-1])
    with pytest.raises(ValueError, match="outside the data"):
        _core.quiet_positions(None, fen, games, plies[:-8])
    with pytest.raises(ValueError, match="move 1 of a game is not legal"):
        _core.quiet_positions(None, fen, games, bytes(8) + plies[8:])

"""Weights of the evaluation's terms, read from a file."""

from __future__ import annotations

import json

import pytest

from cotulenh import Board, _core, chess
from cotulenh.engine import Engine
from cotulenh.engine import weights as weights_file
from cotulenh.engine.weights import WeightsError
from cotulenh.match import Settings

BOARDS = {"chess": chess.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"), "cotulenh": Board()}
BOARDS["cotulenh"].push(next(iter(BOARDS["cotulenh"].legal_moves)))


@pytest.mark.parametrize("family", BOARDS)
def test_weights_are_used_for_their_game_alone(tmp_path, family):
    doubled = [(2 * full, 2 * bare) for full, bare in _core.weights(family == "chess")]
    weights_file.save(tmp_path / "own.json", family, doubled)
    assert weights_file.load(tmp_path / "own.json") == (family, doubled)
    with (
        Engine(weights=tmp_path / "own.json", without=["network"]) as own,
        Engine(without=["network"]) as usual,
    ):
        for name, board in BOARDS.items():
            same = own.evaluate(board).score == usual.evaluate(board).score
            assert same == (name != family)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it does not hold weights"),
        ("[]", "it does not hold weights"),
        ('{"game": "chess"}', "it does not hold weights"),
        ('{"game": "chess", "weights": [[1, 2, 3]]}', "it does not hold weights"),
        ('{"game": "go", "weights": []}', "expected weights of chess or cotulenh, got 'go'"),
        ('{"game": "chess", "weights": [[1, 2]]}', r"expected \d+ weights of chess, got 1"),
        ("[" * 100_000, "it does not hold weights"),
    ],
)
def test_files_that_do_not_fit_are_refused_in_one_line(tmp_path, text, reason):
    path = tmp_path / "own.json"
    path.write_text(text)
    with pytest.raises(WeightsError, match=reason) as error:
        Engine(weights=path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("wrong", [0.5, "1", True, 1 << 15, None])
def test_every_weight_is_a_small_whole_number(tmp_path, wrong):
    pairs = [list(pair) for pair in _core.weights(True)]
    pairs[7][1] = wrong
    (tmp_path / "own.json").write_text(json.dumps({"game": "chess", "weights": pairs}))
    with pytest.raises(WeightsError, match="weight 7: expected two whole numbers"):
        Engine(weights=tmp_path / "own.json")


def test_a_player_of_a_match_may_have_its_own(tmp_path):
    path = tmp_path / "own.json"
    weights_file.save(path, "cotulenh", _core.weights(False))
    settings = Settings(("engine", f"engine,weights={path}"), variant="official", nodes=10)
    assert settings.specs()[1].settings == {"weights": str(path)}
    path.write_text("no")
    with pytest.raises(ValueError, match="it does not hold weights"):
        Settings(("engine", f"engine,weights={path}"), variant="official", nodes=10).specs()

"""Training: what the lessons hold, that the trainer computes what it says, and that it learns."""

import random
import subprocess
import sys
from pathlib import Path

import nnue_twin
import numpy as np
import pytest

from cotulenh import _core
from cotulenh.engine import dataset, network
from cotulenh.engine.dataset import Dataset, Settings, play_unit

ROOT = Path(__file__).parent.parent.parent
HIDDEN = 16


def played(game, games=6):
    settings = Settings(game, games=games, nodes=20, random_moves=6, network=None)
    rules, fen = settings.start()
    raw = play_unit(settings, "lesson")
    count = int.from_bytes(raw[16:24], "little") * dataset.GAME_SIZE
    body = raw[dataset.HEADER_SIZE :]
    return rules, fen, body[:count], body[count:]


def lessons_of(game, **options):
    lessons = _core.Lessons()
    lessons.add(*played(game), **options)
    return lessons


def arrays(lessons):
    kinds = {"inputs": "<u2", "start": "<u8", "score": "<i2", "terms": "<i2"}
    raw = lessons.arrays()
    return {name: np.frombuffer(raw[name], kinds.get(name, "u1")) for name in raw}


def trainer_of(game, hidden=HIDDEN, seed=1):
    name = "chess" if game == "chess" else "cotulenh"
    return _core.Trainer(nnue_twin.INPUTS[name], hidden, 8, [], seed)


def options_of(**values):
    options = _core.TrainingOptions()
    for name, value in ({"batch": 256, "scale": 1 / 400} | values).items():
        setattr(options, name, value)
    return options


def weights_of(trainer):
    w = {name: np.frombuffer(raw, np.float32) for name, raw in trainer.weights().items()}
    w["first"] = w["first"].reshape(-1, HIDDEN)
    w["last"] = w["last"].reshape(8, -1)
    return w


# Lessons ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["official", "blueprint", "chess"])
def test_lessons_hold_what_the_twin_sees(game):
    rules, fen, games, plies = played(game)
    quiet = _core.quiet_positions(rules, fen, games, plies)
    found = arrays(lessons_of(game, first_ply=8))
    assert len(found["score"]) == len(quiet) > 30
    for i, (text, score, result) in enumerate(quiet):
        rows = found["inputs"][found["start"][i] : found["start"][i + 1]]
        halves = [sorted(half) for half in np.split(rows, 2)]
        assert halves == [list(side) for side in nnue_twin.inputs(text)]
        first = text.split()[1] in "wr"
        assert found["score"][i] == (score if first else -score)
        assert found["result"][i] == (result if first else 2 - result)
        assert found["bucket"][i] == nnue_twin.bucket(text)


def test_games_kept_out_are_those_that_are_not_learnt_from():
    whole, kept_out, others = (
        len(lessons_of("official", **options))
        for options in ({}, {"share": 2, "held_out": True}, {"share": 2})
    )
    assert kept_out + others == whole
    assert 0 < kept_out < whole


def test_decided_positions_and_openings_are_left_out():
    assert max(abs(arrays(lessons_of("official", largest=100))["score"].astype(int))) <= 100
    assert len(lessons_of("official", first_ply=40)) < len(lessons_of("official", first_ply=8))


def test_siblings_are_judged_by_the_terms_alone():
    found = arrays(lessons_of("official", siblings=2))
    sibling = found["result"] == 3
    assert 0.4 < sibling.mean() < 0.7
    assert (found["score"][sibling] == found["terms"][sibling]).all()


@pytest.mark.parametrize("game", ["official", "chess"])
def test_a_network_judges_siblings_by_quiescence(game):
    judge = network.shipped("chess" if game == "chess" else "cotulenh")
    plain = arrays(lessons_of(game, siblings=2))
    judged = arrays(lessons_of(game, siblings=2, judge=judge))
    again = arrays(lessons_of(game, siblings=2, judge=judge))
    sibling = judged["result"] == 3
    assert (judged["score"] == again["score"]).all()
    assert (judged["score"][sibling] != judged["terms"][sibling]).mean() > 0.5
    played = plain["result"] != 3
    assert (judged["score"][~sibling] == plain["score"][played]).all()


def test_a_judge_of_another_game_is_refused():
    with pytest.raises(ValueError, match="another game"):
        lessons_of("official", siblings=1, judge=network.shipped("chess"))


# The trainer ------------------------------------------------------------------------------------


def loss_of(w, found, trust, scale):
    """The trainer's loss, written a second time."""
    losses = []
    for i, score in enumerate(found["score"]):
        rows = np.split(found["inputs"][found["start"][i] : found["start"][i + 1]], 2)
        layer = np.concatenate([w["bias"] + w["first"][side].sum(0) for side in rows])
        layer, bucket = np.clip(layer, 0, 1), found["bucket"][i]
        said = 400 * ((layer * layer * w["last"][bucket]).sum() + w["offset"][bucket])
        p = 1 / (1 + np.exp(-scale * said))
        t = 1 / (1 + np.exp(-scale * score))
        if found["result"][i] != 3:
            t = trust * found["result"][i] / 2 + (1 - trust) * t
        losses.append(t * np.log(t / p) + (1 - t) * np.log((1 - t) / (1 - p)))
    return np.mean(losses)


@pytest.mark.parametrize("game", ["official", "chess"])
def test_the_loss_is_what_numpy_says(game):
    lessons, trainer = lessons_of(game, siblings=1), trainer_of(game)
    options = options_of(trust=0.3, batches=20)
    trainer.train(lessons, options)
    wanted = loss_of(weights_of(trainer), arrays(lessons), 0.3, 1 / 400)
    assert trainer.loss(lessons, options) == pytest.approx(wanted, rel=1e-3)


def test_a_step_goes_down_the_slope():
    """Adam's first step moves every weight against its gradient: the loss falls by their sum."""
    lessons, trainer = lessons_of("official"), trainer_of("official")
    options = options_of(batch=len(lessons), decay=0.0, first_rate=1e-6, last_rate=1e-6)
    before, w = trainer.loss(lessons, options), weights_of(trainer)
    slopes = 0.0
    rng = random.Random(3)
    trainer.train(lessons, options)
    after, moved = trainer.loss(lessons, options), weights_of(trainer)
    assert after < before
    for name in ("last", "bias"):  # some of them by finite differences
        for _ in range(5):
            i = rng.randrange(w[name].size)
            direction = np.sign(moved[name].flat[i] - w[name].flat[i])
            bent = {key: value.astype(float) for key, value in w.items()}
            bent[name].flat[i] += 1e-4 * direction
            slopes += loss_of(bent, arrays(lessons), 0.3, 1 / 400) - before
    assert slopes < 0


def test_it_learns_and_the_same_seed_learns_the_same():
    lessons = lessons_of("official")
    options = options_of(batches=150, first_rate=0.003, last_rate=0.0003)
    first, second = trainer_of("official"), trainer_of("official")
    before = first.loss(lessons, options)
    assert first.train(lessons, options) == second.train(lessons, options)
    assert first.weights() == second.weights()
    assert first.loss(lessons, options) < before / 2


def test_two_threads_learn_what_one_learns():
    lessons, losses = lessons_of("official"), []
    for threads in (1, 2):
        trainer = trainer_of("official")
        trainer.train(lessons, options_of(batches=20, threads=threads))
        losses.append(trainer.loss(lessons, options_of()))
    assert losses[0] == pytest.approx(losses[1], rel=1e-3)


def test_shared_rows_teach_what_was_never_seen():
    """A piece on a point where no game had it: its row is that of the piece elsewhere."""
    lessons, count = lessons_of("official"), nnue_twin.INPUTS["cotulenh"]
    groups = (np.arange(count) // 144).astype(np.uint32)
    trainer = _core.Trainer(count, HIDDEN, 8, [groups.tobytes()], 1)
    trainer.train(lessons, options_of(batches=50))
    unseen = np.setdiff1d(np.arange(count), arrays(lessons)["inputs"])
    first = weights_of(trainer)["first"]
    same = {}
    for row in unseen:
        assert (first[row] == same.setdefault(groups[row], first[row])).all()


def test_training_goes_on_from_a_network():
    lessons, first, second = lessons_of("official"), trainer_of("official"), trainer_of("chess")
    first.train(lessons, options_of(batches=30))
    second = trainer_of("official", seed=9)
    second.start_from(**first.weights())
    assert second.loss(lessons, options_of()) == first.loss(lessons, options_of())
    with pytest.raises(ValueError, match="another shape"):
        trainer_of("chess").start_from(**first.weights())


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: _core.Trainer(0, 16, 8, [], 1), "1 to 65536 inputs"),
        (lambda: _core.Trainer(768, 20, 8, [], 1), "a multiple of 16"),
        (lambda: _core.Trainer(768, 16, 0, [], 1), "1 to 64 buckets"),
        (lambda: _core.Trainer(768, 16, 8, [bytes(8)], 1), "a shared row for each input"),
        (lambda: trainer_of("chess").train(_core.Lessons(), options_of()), "no positions"),
        (lambda: trainer_of("chess").train(lessons_of("official"), options_of()), "another game"),
        (lambda: trainer_of("chess").loss(lessons_of("chess"), options_of(threads=0)), "threads"),
    ],
)
def test_what_cannot_be_trained_is_refused(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()


def test_the_tool_writes_a_network_that_the_engine_reads(tmp_path):
    settings = Settings("official", games=30, nodes=10, network=None)
    (tmp_path / "a.games").write_bytes(play_unit(settings, "a"))
    out = tmp_path / "own.nnue"
    command = [sys.executable, ROOT / "tools" / "train.py", "--data", tmp_path, "--out", out]
    options = ["--hidden", "16", "--epochs", "2", "--reports", "2", "--threads", "1"]
    subprocess.run([*command, *options], check=True, capture_output=True)
    made = network.load(out)
    assert (made.game, made.hidden, made.beside_terms) == ("cotulenh", 16, False)
    games = Dataset(tmp_path / "a.games")
    rules, fen = settings.start()
    texts = [
        text
        for text, _, _ in _core.quiet_positions(
            rules, fen, games.games.tobytes(), games.plies.tobytes()
        )
    ][:50]
    assert _core.network_says(made, rules, texts) == [
        nnue_twin.says(out.read_bytes(), text) for text in texts
    ]
    # A wider one goes on from it, at a rate of nothing: it says the same.
    wide = tmp_path / "wide.nnue"
    options = ["--hidden", "32", "--epochs", "0.1", "--rate", "0", "--threads", "1", "--start", out]
    subprocess.run([*command[:-1], wide, *options], check=True, capture_output=True)
    wider = network.load(wide)
    assert wider.hidden == 32
    assert _core.network_says(wider, rules, texts) == _core.network_says(made, rules, texts)

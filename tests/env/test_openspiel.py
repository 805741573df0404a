"""OpenSpiel: its own simulation and playthrough, and what its C++ tests of undo ask."""

import random

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import mcts  # noqa: E402
from open_spiel.python.algorithms.generate_playthrough import playthrough  # noqa: E402

import cotulenh.env.openspiel  # noqa: E402, F401

GAMES = ["cotulenh(max_moves=60)", "cotulenh(max_moves=60,rules=blueprint)", "cotulenh_chess"]


@pytest.fixture(params=GAMES)
def game(request):
    return pyspiel.load_game(request.param)


def random_state(game, moves, seed=1):
    dice, state = random.Random(seed), game.new_initial_state()
    for _ in range(moves):
        if state.is_terminal():
            break
        state.apply_action(dice.choice(state.legal_actions()))
    return state


def test_random_simulation(game):
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_random_simulation_with_serialisation():
    game = pyspiel.load_game("cotulenh(max_moves=12)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_undo_takes_every_move_back(game):
    """As RandomSimTestWithUndo: state, history and what is legal are as before."""
    dice, state = random.Random(2), game.new_initial_state()
    for _ in range(40):
        if state.is_terminal():
            break
        before, legal, history = str(state), state.legal_actions(), state.history()
        player, action = state.current_player(), dice.choice(legal)
        state.apply_action(action)
        state.undo_action(player, action)
        assert (str(state), state.legal_actions(), state.history()) == (before, legal, history)
        assert state.current_player() == player
        state.apply_action(action)


def test_undo_of_another_move():
    state = pyspiel.load_game("cotulenh_chess").new_initial_state()
    with pytest.raises(ValueError, match="no move to take back"):
        state.undo_action(0, 1)
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="the last move is not action 9999"):
        state.undo_action(0, 9999)


def test_serialisation_after_undo(game):
    state = random_state(game, 9)
    player, action = state.full_history()[-1].player, state.history()[-1]
    state.undo_action(player, action)
    for text in (state.serialize(), state.clone().serialize()):
        read = game.deserialize_state(text)
        assert (str(read), read.history()) == (str(state), state.history())
    both = pyspiel.serialize_game_and_state(game, state)
    assert str(pyspiel.deserialize_game_and_state(both)[1]) == str(state)


def test_clones_go_their_own_way(game):
    state = random_state(game, 5)
    other, before = state.clone(), str(state)
    other.apply_action(other.legal_actions()[-1])
    assert str(state) == before != str(other)


def test_legal_actions_are_sorted_and_read_back(game):
    state = random_state(game, 12)
    legal = state.legal_actions()
    assert legal == sorted(legal)
    for action in legal[:: max(1, len(legal) // 10)]:
        text = state.action_to_string(action)
        assert state.string_to_action(text) == action


def test_observations_and_information_states(game):
    state = random_state(game, 3)
    player = state.current_player()
    tensor = np.array(state.observation_tensor(player)).reshape(game.observation_tensor_shape())
    out = np.zeros(tensor.shape, np.float32)
    state.state.write(player, out)
    assert (tensor == out).all()
    assert state.observation_string(player) == str(state)
    assert state.information_state_string(player) != random_state(game, 2).information_state_string(
        player
    )


@pytest.mark.parametrize("name", ["cotulenh(max_moves=3)", "cotulenh_chess(max_moves=6)"])
def test_playthrough(name):
    """What OpenSpiel writes about every state of a game, the same each time."""
    text = playthrough(name, None, seed=7)
    assert "NumDistinctActions() = " in text
    assert "IsTerminal() = True" in text
    assert text == playthrough(name, None, seed=7)


@pytest.mark.parametrize(
    ("name", "fen"),
    [
        ("cotulenh", "6c4/11/11/11/11/11/5(ft)5/11/11/2(NFT)8/11/4TC5 r - - 7 1"),
        ("cotulenh_chess", "4k3/8/8/8/8/8/4P3/4K2R w K - 3 9"),
    ],
)
def test_a_game_may_begin_with_any_position(name, fen):
    game = pyspiel.load_game(name)
    state = game.new_initial_state(fen)
    assert str(state) == fen
    state.apply_action(state.legal_actions()[0])
    for other in (state.clone(), game.deserialize_state(state.serialize())):
        assert (str(other), other.history()) == (str(state), state.history())
        other.undo_action(0, other.history()[0])
        assert str(other) == fen
    with pytest.raises(ValueError, match="start position nonsense"):
        game.new_initial_state("nonsense")


def test_openspiels_own_search_plays_it():
    game = pyspiel.load_game("cotulenh_chess(max_moves=4)")
    dice = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 10, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    state = game.new_initial_state("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
    assert bot.step(state) in state.legal_actions()


def test_a_game_that_is_cut_off_is_drawn():
    state = random_state(pyspiel.load_game("cotulenh(max_moves=3)"), 5)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_no_such_rules():
    with pytest.raises(Exception, match="nowhere"):
        pyspiel.load_game("cotulenh(rules=nowhere)")

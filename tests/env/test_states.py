"""States and copies: games as values, brought back, written down, gone on from."""

import copy
import pickle

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from cotulenh.env import BoardEnv, VectorEnv, chess_v0, cotulenh_v0

SHORT = "4k3/8/8/8/8/8/2q5/K6R w - - 96 60"


def twins(env):
    """The ways to copy an environment."""
    return [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]


@pytest.mark.parametrize("options", [{}, {"copy": False, "threads": 2}, {"fen": [SHORT] * 2}])
def test_copies_go_on_as_the_original_does(options):
    env = VectorEnv(3, "chess", opponent="random", history=1, autoreset_mode="SameStep", **options)
    env.reset(seed=6)
    for _ in range(4):
        env.step(env.sample_actions())
    others = twins(env)
    for _ in range(30):
        actions = env.sample_actions()
        mine = env.step(actions)
        for other in others:
            assert (actions == other.sample_actions()).all()
            assert data_equivalence(mine, other.step(actions), exact=True)


def test_copies_before_the_first_reset_and_after_the_end():
    env = VectorEnv(2, "official")
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert data_equivalence(other.reset(seed=1), env.reset(seed=1), exact=True)
    env.close()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        with pytest.raises(ValueError, match="the environment is closed"):
            other.reset(seed=1)


def test_states_are_values():
    env = VectorEnv(2, "chess")
    env.reset(seed=[1, 1])
    first, second = env.states()
    assert first == second
    assert len({first, second}) == 1
    assert copy.deepcopy([first])[0] == first
    after = first.after(np.int16(first.legal_actions[0]))
    assert after != first
    assert first != "a state"
    assert repr(after).startswith("<State after 1 moves: rnbq")
    with pytest.raises(TypeError, match=r"pickled as bytes\(state\)"):
        pickle.dumps(first)


@pytest.mark.parametrize("action", ["x", None, 1.0, True, [3]], ids=repr)
def test_moves_of_states_that_are_no_numbers(action):
    with pytest.raises(TypeError, match="expected a whole number as action, got"):
        VectorEnv(1, "chess").initial_state().after(action)


def test_arrays_that_no_state_can_be_written_into():
    state = VectorEnv(1, "chess").initial_state()
    for array, reason in (
        (np.zeros((8, 8, 18), np.uint8), r"expected the shape \(18, 8, 8\)"),
        (np.zeros((18, 8, 8)), "expected an array of uint8 or float32"),
        (np.zeros((18, 8, 8), np.uint8)[::-1], "C-contiguous"),
        (None, "C-contiguous"),
    ):
        with pytest.raises(ValueError, match=reason):
            state.write(0, array)


def test_what_cannot_be_restored():
    env = VectorEnv(2, "chess")
    env.reset(seed=1)
    states = env.states()
    for given, places, reason in (
        ([1, 2], None, "expected states of an environment, got int"),
        (states, [0, 2], "no such environment: 2"),
        (states, [0, "b"], "must be a whole number, got 'b'"),
        (states, [0], "expected one state for each environment"),
    ):
        with pytest.raises((TypeError, ValueError), match=reason):
            env.restore(given, places)
    with pytest.raises(TypeError, match="expected the bytes of a state, got str"):
        env.load_state("x")


@pytest.mark.parametrize("game", ["official", "chess"])
def test_states_bring_games_back(game):
    env = VectorEnv(3, game, opponent="random", history=1)
    env.reset(seed=8)
    for _ in range(5):
        env.step(env.sample_actions())
    states, before = env.states(), env.legal_actions()
    lines = []
    for _ in range(2):
        seen = env.restore(states)
        assert (env.legal_actions()[0] == before[0]).all()
        played = [env.step(env.sample_actions()) for _ in range(6)]
        lines.append((seen, *played))
    assert data_equivalence(lines[0], lines[1], exact=True)


def test_clones_go_their_own_way_and_the_same_way():
    env = VectorEnv(3, "official", opponent="random")
    env.reset(seed=8)
    env.step(env.sample_actions())
    other = env.clone()
    for _ in range(5):
        assert (env.sample_actions() == other.sample_actions()).all()
        actions = env.sample_actions()
        other.sample_actions()
        assert data_equivalence(env.step(actions), other.step(actions), exact=True)


@pytest.mark.parametrize("game", ["official", "chess"])
def test_states_are_written_and_read(game):
    env = VectorEnv(2, game, opponent="random")
    env.reset(seed=8)
    for _ in range(9):
        env.step(env.sample_actions())
    for state in env.states():
        read = env.load_state(bytes(state))
        assert bytes(read) == bytes(state)
        assert (read.fen, read.legal_actions) == (state.fen, state.legal_actions)


def test_bytes_that_are_no_state():
    env = VectorEnv(1, "chess")
    env.reset(seed=1)
    env.step(env.sample_actions())
    whole = bytes(env.state(0))
    for data in (b"", whole[:-1], whole + b"x", b"\xff" * len(whole), whole[:-4] + b"\0\0\0\0"):
        with pytest.raises(ValueError, match="no state of this environment"):
            env.load_state(data)


def test_states_of_another_game():
    env, other = VectorEnv(1, "chess"), VectorEnv(1, "official")
    env.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="other settings"):
        env.restore([other.state(0)])
    with pytest.raises(ValueError, match="other settings"):
        env.restore([VectorEnv(1, "chess", history=1).initial_state()])


def test_a_state_makes_the_next_one():
    env = VectorEnv(1, "chess")
    env.reset(seed=1)
    start = env.state(0)
    after = start.after(start.legal_actions[0])
    assert start.fen != after.fen
    assert (start.player, after.player) == (0, 1)
    with pytest.raises(ValueError, match="action 1859 is not legal"):
        start.after(1859)


def test_copies_of_one_game():
    env = BoardEnv("official", opponent="random")
    env.reset(seed=2)
    env.step(env.sample_action())
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.state() == env.state()
        assert data_equivalence(
            other.step(other.sample_action()),
            copy.deepcopy(env).step(copy.deepcopy(env).sample_action()),
            exact=True,
        )


@pytest.mark.parametrize("module", [cotulenh_v0, chess_v0])
def test_copies_of_a_game_of_two_agents(module):
    env = module.env()
    env.reset(seed=2)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.agent_selection == env.agent_selection == "player_1"
        seen = other.last()[0]
        assert data_equivalence(seen, env.last()[0], exact=True)
        other.step(int(np.flatnonzero(seen["action_mask"])[-1]))
    assert env.agent_selection == "player_1"


def test_chess_ends_when_a_position_stands_for_the_third_time():
    """Nobody claims here: what could be claimed is the end."""
    env = VectorEnv(1, "chess")
    env.reset(seed=1)
    ended = []
    for text in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        board = env.board(0)
        _, reward, over, _, _ = env.step([env.move_to_action(board, board.parse_uci(text))])
        ended.append((bool(over[0]), float(reward[0])))
    assert ended == [(False, 0)] * 7 + [(True, 0)]


@pytest.mark.parametrize(
    ("fen", "mate"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"),
        ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1"),
    ],
)
def test_who_mates_has_won(fen, mate):
    env = VectorEnv(1, "chess", fen=[fen])
    env.reset(seed=1)
    board = env.board(0)
    _, reward, over, _, _ = env.step([env.move_to_action(board, board.parse_uci(mate))])
    assert (float(reward[0]), bool(over[0])) == (1, True)

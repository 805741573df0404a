"""The faces: the official checkers of PettingZoo, Gymnasium and OpenSpiel, and rendering."""

import struct
import sys
import types
import warnings
import zlib

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode

from cotulenh.env import BoardEnv, VectorEnv, chess_v0, cotulenh_v0
from cotulenh.env._render import pixels

with warnings.catch_warnings():  # its tests import one of its games in a way it has deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, max_cycles_test, performance_benchmark, seed_test
    from pettingzoo.test.render_test import render_test

MODULES = [cotulenh_v0, chess_v0]
IDS = [f"cotulenh/{name}-v0" for name in ("Official", "Online", "Blueprint", "Chess")]


def name_of(module):
    return module.__name__.rpartition(".")[2]


# PettingZoo -------------------------------------------------------------------------------------


@pytest.fixture
def pettingzoos_lists(monkeypatch):
    """Games whose observations are dictionaries with masks: it knows only its own by name."""
    for name in ("env_obs_space", "env_obs_dicts", "env_all_zeros_obs"):
        known = getattr(sys.modules["pettingzoo.test.api_test"], name)
        monkeypatch.setattr(
            sys.modules["pettingzoo.test.api_test"], name, [*known, "cotulenh_v0", "chess_v0"]
        )


@pytest.mark.usefixtures("pettingzoos_lists")
@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_pettingzoo_api(module):
    api_test(module.env(), num_cycles=100)


@pytest.mark.usefixtures("pettingzoos_lists")
@pytest.mark.parametrize("rules", ["online", "blueprint"])
def test_pettingzoo_api_of_other_rules(rules):
    api_test(cotulenh_v0.env(rules=rules), num_cycles=30)


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_pettingzoo_seed(module):
    seed_test(module.env, num_cycles=50)


class Legal(Discrete):
    """An action space whose samples are legal: this checker knows no masks."""

    def __init__(self, env, agent):
        super().__init__(env.action_space(agent).n)
        self.env, self.agent = env, agent

    def sample(self, mask=None):
        """Whole pieces that go somewhere, so that every turn is one move."""
        legal = np.flatnonzero(self.env.observe(self.agent)["action_mask"])
        return int(legal[0]) if len(legal) else 0


def legal_module(module):
    """The module with such spaces, and its game as one where both agents seem to act at once."""

    def env(**options):
        made = module.raw_env(**options)
        spaces = {agent: Legal(made, agent) for agent in made.possible_agents}
        made.action_space = spaces.__getitem__
        return made

    return types.SimpleNamespace(
        env=env, parallel_env=lambda max_cycles: Rounds(env(max_cycles=max_cycles))
    )


class Rounds:
    """Both agents' moves one after the other."""

    def __init__(self, env):
        self.env = env
        self.action_space = env.action_space

    @property
    def agents(self):
        return self.env.agents

    def reset(self):
        self.env.reset()
        return {}, {}

    def step(self, actions):
        for agent in actions:
            assert agent == self.env.agent_selection
            self.env.step(self.action_space(agent).sample())
        return {}, self.env.rewards, self.env.terminations, self.env.truncations, {}


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_pettingzoo_max_cycles(module):
    max_cycles_test(legal_module(module))


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_pettingzoo_render(module, capsys):
    render_test(module.env, custom_tests={"svg": lambda result: result.startswith("<svg")})
    assert capsys.readouterr().out


def test_pettingzoo_performance_benchmark(monkeypatch, capsys):
    clock = iter(range(0, 1000, 3))
    monkeypatch.setattr("time.time", lambda: next(clock))  # it would run for five seconds
    performance_benchmark(chess_v0.env())
    assert "turns per second" in capsys.readouterr().out


def test_an_illegal_action_ends_the_game_as_pettingzoos_wrapper_says():
    env = chess_v0.env()
    env.reset(seed=1)
    env.step(1859)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env._cumulative_rewards["player_0"] == -1


def test_without_wrappers_an_illegal_action_raises():
    env = chess_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="action 1859 is not legal"):
        env.step(1859)
    for action in ("0", 1.0, None, [0]):
        with pytest.raises(TypeError, match="expected a whole number as action, got"):
            env.step(action)
    env.close()
    for ask in (lambda: env.step(0), env.last, env.render, env.reset):
        with pytest.raises(ValueError, match="the environment is closed"):
            ask()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"max_cycles": 0}, "max_cycles must be 1 to"),
        ({"max_cycles": 1.5}, "max_cycles must be a whole number, got 1.5"),
        ({"opponent": "random"}, "a game of two agents has no option 'opponent'"),
        ({"num_envs": 2}, "a game of two agents has no option 'num_envs'"),
        ({"render_mode": "png"}, "render_mode must be one of"),
    ],
)
def test_options_that_two_agents_do_not_have(options, reason):
    with pytest.raises((TypeError, ValueError), match=reason):
        chess_v0.env(**options)


def test_before_the_first_reset_nothing_can_be_asked():
    env = chess_v0.raw_env(render_mode="ansi")
    for ask in (lambda: env.step(0), lambda: env.observe("player_0"), env.render):
        with pytest.raises(ValueError, match="reset the environment first"):
            ask()


def test_the_agent_not_to_move_sees_the_board_and_may_do_nothing():
    env = cotulenh_v0.raw_env()
    env.reset(seed=1)
    own, other = env.observe("player_0"), env.observe("player_1")
    assert own["action_mask"].sum() == 116
    assert not other["action_mask"].any()
    assert (other["observation"][:34] == own["observation"][34:68, ::-1]).all()


def test_a_whole_game_of_pettingzoo():
    env = chess_v0.env(fen="4k3/8/8/8/8/8/8/R3K2R w KQ - 90 60")
    env.reset(seed=3)
    dice, rewards = np.random.default_rng(1), {}
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        if ended or cut:
            rewards[agent] = reward
            env.step(None)
        else:
            env.step(int(dice.choice(np.flatnonzero(seen["action_mask"]))))
    assert sum(rewards.values()) == 0


def test_turns_of_several_moves_stay_with_their_agent():
    env = cotulenh_v0.raw_env(fen="6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    env.reset(seed=1)
    board = env.board()
    env.step(env._source.move_to_action(board, board.parse_lan("Tc3>d3")))
    assert env.agent_selection == "player_0"
    env.step(41543)
    assert env.agent_selection == "player_1"


# Gymnasium --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_checks_the_environment(name):
    check_env(gymnasium.make(name).unwrapped, skip_render_check=name != IDS[-1])


@pytest.mark.parametrize("opponent", ["random", "greedy", "engine:3"])
def test_gymnasium_makes_it_with_an_opponent(opponent):
    env = gymnasium.make("cotulenh/Official-v0", opponent=opponent)
    other = gymnasium.make("cotulenh/Official-v0", opponent=opponent)
    assert data_equivalence(env.reset(seed=5), other.reset(seed=5), exact=True)
    for _ in range(3):
        action = env.unwrapped.sample_action()
        assert data_equivalence(env.step(action), other.step(action), exact=True)


@pytest.mark.parametrize("action", [None, 1.0, "1", True, [1], np.array([1])], ids=repr)
def test_actions_that_are_no_numbers(action):
    env = BoardEnv("chess")
    env.reset(seed=1)
    with pytest.raises(TypeError, match="an action must be a whole number, got"):
        env.step(action)


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.name)
@pytest.mark.parametrize("kind", ["sync", "async", "vector_entry_point"])
def test_gymnasium_makes_vectors_of_every_kind(kind, mode):
    """All of them say the same, whatever steps the games."""
    native = kind == "vector_entry_point"
    more = {"autoreset_mode": mode} if native else {"vector_kwargs": {"autoreset_mode": mode}}
    env = gymnasium.make_vec(IDS[-1], num_envs=2, vectorization_mode=kind, **more)
    mine = VectorEnv(2, "chess", opponent="random", illegal="lose", autoreset_mode=mode)
    assert data_equivalence(env.reset(seed=4)[0], mine.reset(seed=4)[0], exact=True)
    for _ in range(3):
        actions = mine.sample_actions()
        theirs, ours = env.step(actions), mine.step(actions)
        assert data_equivalence(theirs[0], ours[0], exact=True)
        for one, other in zip(theirs[1:4], ours[1:4], strict=True):
            assert (one == other).all()
        assert theirs[4].keys() == ours[4].keys()
        for name, values in theirs[4].items():
            assert (np.stack(values) == ours[4][name]).all()
    assert env.metadata["autoreset_mode"] is mode
    env.close()


@pytest.mark.parametrize(
    "wrap",
    [
        lambda env: wrappers.TimeLimit(env, 5),
        wrappers.RecordEpisodeStatistics,
        wrappers.FlattenObservation,
        lambda env: wrappers.FilterObservation(env, ["observation"]),
        lambda env: wrappers.FrameStackObservation(env, 2),
        wrappers.Autoreset,
        wrappers.NormalizeReward,
    ],
)
@pytest.mark.filterwarnings("error")
def test_gymnasiums_wrappers(wrap):
    env = wrap(gymnasium.make(IDS[-1]))
    seen, _ = env.reset(seed=1)
    for _ in range(12):
        assert env.observation_space.contains(seen)
        seen, _, ended, cut, _ = env.step(env.unwrapped.sample_action())
        if (ended or cut) and not isinstance(env, wrappers.Autoreset):
            seen, _ = env.reset()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.filterwarnings("error")
def test_gymnasiums_wrappers_of_vectors(mode):
    env = gymnasium.make_vec(IDS[-1], num_envs=3, max_moves=6, autoreset_mode=mode)
    env = wrappers.vector.DictInfoToList(wrappers.vector.RecordEpisodeStatistics(env))
    env.reset(seed=1)
    lengths = []
    for _ in range(14):
        infos = env.step(env.unwrapped.sample_actions())[4]
        lengths += [info["episode"]["l"] for info in infos if "episode" in info]
    assert len(lengths) >= 6
    assert all(2 <= length <= 6 for length in lengths)


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_makes_the_native_vector(name):
    env = gymnasium.make_vec(name, num_envs=3)
    assert isinstance(env.unwrapped, VectorEnv)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    env.action_space.seed(1)
    env.step(env.action_space.sample())
    env.close()


def test_single_environments_have_no_vector_options():
    with pytest.raises(TypeError, match="threads is an option of the vector environment"):
        gymnasium.make("cotulenh/Chess-v0", threads=2)


# Rendering --------------------------------------------------------------------------------------


def test_pictures_of_a_vector():
    env = VectorEnv(2, "chess", render_mode="rgb_array")
    env.reset(seed=1)
    first, second = env.render()
    assert first.shape == second.shape
    assert (first.shape[2], first.dtype) == (3, np.uint8)
    assert first.std() > 10


def test_pixels_of_every_way_to_write_a_line():
    """Against an encoder written here: each filter of PNG gives the picture back."""
    image = np.random.default_rng(1).integers(0, 256, (5, 7, 3), np.uint8)
    assert (pixels(encoded(image, [0, 1, 2, 3, 4])) == image).all()


def encoded(image, filters):
    height, width, channels = image.shape
    rows, above = b"", np.zeros((width, channels), int)
    for row, kind in zip(image.astype(int), filters, strict=True):
        left = np.vstack([np.zeros((1, channels), int), row[:-1]])
        corner = np.vstack([np.zeros((1, channels), int), above[:-1]])
        guess = left + above - corner
        near = np.stack([abs(guess - left), abs(guess - above), abs(guess - corner)])
        paeth = np.choose(near.argmin(0), [left, above, corner])
        taken = [0 * row, left, above, (left + above) // 2, paeth][kind]
        rows += bytes([kind]) + ((row - taken) % 256).astype(np.uint8).tobytes()
        above = row
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(name, data):
        check = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + check

    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def test_rendering_needs_a_mode():
    env = gymnasium.make("cotulenh/Chess-v0").unwrapped
    env.reset(seed=1)
    with pytest.raises(ValueError, match="made without a render_mode"):
        env.render()

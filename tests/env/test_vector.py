"""The vector environment: equal to single ones, to Gymnasium's own vectors and to the boards."""

import os
import signal

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from cotulenh import games
from cotulenh.env import BoardEnv, VectorEnv

MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]
SHORT = {"fen": "4k3/8/8/8/8/8/2q5/K6R w - - 96 60"}  # games of chess that soon end


def reset_ended(env, mode, terminated, truncated):
    """What a caller does who resets by himself."""
    ended = np.asarray(terminated) | np.asarray(truncated)
    if mode is AutoresetMode.DISABLED and ended.any():
        return env.reset(options={"reset_mask": ended})[0]
    return None


def vector_equals_singles(game, mode, threads, steps, envs=6, **options):
    """Bit for bit, whatever is returned."""
    many = VectorEnv(envs, game, threads=threads, autoreset_mode=mode, **options)
    singles = [VectorEnv(1, game, autoreset_mode=mode, **options) for _ in range(envs)]
    together = many.reset(seed=7)[0]
    alone = [single.reset(seed=7 + i)[0] for i, single in enumerate(singles)]
    for _ in range(steps // envs):
        for name in together:
            assert (together[name] == np.concatenate([one[name] for one in alone])).all()
        actions = many.sample_actions()
        assert (actions == np.concatenate([one.sample_actions() for one in singles])).all()
        results = many.step(actions)
        parts = [single.step(actions[i : i + 1]) for i, single in enumerate(singles)]
        for place in (1, 2, 3):
            assert (results[place] == np.concatenate([part[place] for part in parts])).all()
        infos_agree(results[4], [part[4] for part in parts])
        together, alone = results[0], [part[0] for part in parts]
        again = reset_ended(many, mode, results[2], results[3])
        together = together if again is None else again
        for i, (single, part) in enumerate(zip(singles, parts, strict=True)):
            again = reset_ended(single, mode, part[2], part[3])
            alone[i] = alone[i] if again is None else again


def infos_agree(infos, parts):
    for name in ("current_player", "rewards_of_both"):
        assert (infos[name] == np.concatenate([part[name] for part in parts])).all()
    for i, part in enumerate(parts):
        if "final_obs" in part:
            assert infos["_final_obs"][i]
            assert data_equivalence(infos["final_obs"][i], part["final_obs"][0], exact=True)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("game", ["official", "chess"])
def test_a_vector_equals_singles(game, threads, mode):
    vector_equals_singles(game, mode, threads, 300, max_moves=20)


@pytest.mark.parametrize("opponent", ["random", "greedy", "engine:1"])
def test_a_vector_equals_singles_with_an_opponent(opponent):
    vector_equals_singles("chess", MODES[1], 2, 180, opponent=opponent, **SHORT)


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("game", ["official", "online", "blueprint", "chess"])
def test_a_vector_equals_singles_for_a_million_steps(game, mode):
    """For each mode; the games and 1 to 4 threads share it. Masks are in a small part of it."""
    for threads in (1, 2, 3, 4):
        options = {"max_moves": 300, "history": threads % 2}
        vector_equals_singles(game, mode, threads, 61_500, 16, action_mask=False, **options)
        vector_equals_singles(game, mode, threads, 1_000, 16, **options)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_it_equals_gymnasiums_vector_of_single_environments(mode):
    """How episodes begin anew is Gymnasium's own code there."""
    options = {"game": "chess", "opponent": "random", "illegal": "lose", **SHORT}
    mine = VectorEnv(4, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: BoardEnv(**options)] * 4, autoreset_mode=mode)
    seen, other = mine.reset(seed=9)[0], theirs.reset(seed=9)[0]
    ends = 0
    for _ in range(120):
        assert data_equivalence(seen, other, exact=True)
        actions = mine.sample_actions()
        one, two = mine.step(actions), theirs.step(actions)
        for place in (1, 2, 3):
            assert (one[place] == two[place]).all()
        assert ("final_obs" in one[4]) == ("final_obs" in two[4])
        if "final_obs" in one[4]:
            assert (one[4]["_final_obs"] == two[4]["_final_obs"]).all()
            for i in np.flatnonzero(one[4]["_final_obs"]):
                assert data_equivalence(one[4]["final_obs"][i], two[4]["final_obs"][i])
        ends += int(one[2].sum())
        seen, other = one[0], two[0]
        if (again := reset_ended(mine, mode, one[2], one[3])) is not None:
            seen, other = again, reset_ended(theirs, mode, two[2], two[3])
    assert ends > 5
    theirs.close()


@pytest.mark.parametrize("game", ["official", "online", "blueprint", "chess"])
def test_it_plays_by_the_boards_rules(game):
    """Legal moves, who is to move, ends and rewards are those of the board in Python."""
    env = VectorEnv(8, game, autoreset_mode="Disabled", action_mask=False)
    env.reset(seed=21)
    boards = [env.board(i) for i in range(8)]
    ended = 0
    while ended < 3:
        actions, offsets = env.legal_actions()
        for i, board in enumerate(boards):
            assert len(board.legal_moves) == offsets[i + 1] - offsets[i]
            assert games.side(board) == env.current_player[i]
        chosen = env.sample_actions()
        movers = env.current_player
        for i, board in enumerate(boards):
            place = list(actions[offsets[i] : offsets[i + 1]]).index(chosen[i])
            board.push(list(board.legal_moves)[place])
        _, rewards, terminated, truncated, infos = env.step(chosen)
        assert not truncated.any()
        for i, board in enumerate(boards):
            outcome = games.end(board)
            assert (outcome is not None) == terminated[i]
            if outcome is not None:
                ended += 1
                both = {"1-0": (1, -1), "0-1": (-1, 1)}.get(outcome.result, (0, 0))
                assert tuple(infos["rewards_of_both"][i]) == both
                assert rewards[i] == both[movers[i]]
        if terminated.any():
            env.reset(options={"reset_mask": terminated})
            for i in np.flatnonzero(terminated):
                boards[i] = env.board(i)


# Seeds ------------------------------------------------------------------------------------------


def test_a_seed_decides_everything():
    first, second = (VectorEnv(4, "chess", opponent="random") for _ in range(2))
    for env in (first, second):
        env.reset(seed=[3, 1, 4, 1])
    for _ in range(20):
        one, two = first.sample_actions(), second.sample_actions()
        assert (one == two).all()
        assert data_equivalence(first.step(one), second.step(two), exact=True)


def test_drawing_actions_does_not_change_the_games():
    first, second = (VectorEnv(2, "chess", opponent="random") for _ in range(2))
    first.reset(seed=1)
    second.reset(seed=1)
    actions = first.sample_actions()
    for _ in range(5):
        second.sample_actions()
    assert data_equivalence(first.step(actions), second.step(actions), exact=True)


def test_without_a_seed_games_differ():
    env = VectorEnv(16, "chess")
    env.reset()
    one = env.sample_actions()
    other = VectorEnv(16, "chess")
    other.reset()
    assert (one != other.sample_actions()).any()


@pytest.mark.parametrize(
    "seed",
    [np.int64(5), np.uint8(5), np.array(5), range(5, 9), (5, 6, 7, 8), np.arange(5, 9)],
    ids=repr,
)
def test_seeds_of_other_types(seed):
    env, other = VectorEnv(4, "chess"), VectorEnv(4, "chess")
    env.reset(seed=seed)
    other.reset(seed=5)
    assert (env.sample_actions() == other.sample_actions()).all()


def test_a_game_without_a_seed_of_its_own_goes_on_with_its_dice():
    """As Gymnasium's vectors have it: `None` in the list."""
    env, other = (VectorEnv(2, "chess", opponent="random") for _ in range(2))
    env.reset(seed=3)
    other.reset(seed=[3, 4])
    for seeds in ([None, 9], [None, None], None):
        env.reset(seed=seeds)
        other.reset(seed=None if seeds is None else [None, seeds[1]])
        actions = env.sample_actions()
        assert (actions == other.sample_actions()).all()
        assert data_equivalence(env.step(actions), other.step(actions), exact=True)
    VectorEnv(2, "chess").reset(seed=[1, None])


@pytest.mark.parametrize(
    "seed",
    [1.5, "7", True, np.True_, [1, 2], [1, 2, 3, "x"], -1, 2**64, [[1]] * 4, np.ones((4, 1), int)],
)
def test_seeds_that_are_none(seed):
    env = VectorEnv(4, "chess")
    with pytest.raises((TypeError, ValueError), match="expected"):
        env.reset(seed=seed)


# Sides, rewards, ends ---------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "player"), [("first", 0), ("second", 1)])
def test_the_caller_plays_the_side_he_asked_for(side, player):
    env = VectorEnv(4, "official", opponent="random", side=side)
    env.reset(seed=2)
    for _ in range(10):
        assert (env.current_player == player).all()
        env.step(env.sample_actions())


def test_without_an_opponent_a_turn_may_last_several_actions():
    env = VectorEnv(1, fen="6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    env.reset(seed=1)
    board = env.board(0)
    env.step([env.move_to_action(board, board.parse_lan("Tc3>d3"))])
    assert env.current_player[0] == 0
    env.step([41543])
    assert env.current_player[0] == 1


def test_greedy_takes_the_dearest():
    env = VectorEnv(
        1, "chess", opponent="greedy", side="second", fen="4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1"
    )
    env.reset(seed=1)
    assert env.board(0).fen().startswith("4k3/8/8/3P1r2")


@pytest.mark.parametrize("level", [1, 3])
def test_the_engine_mates(level):
    """However much chance there is in a low level, of many games it mates in some."""
    fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
    env = VectorEnv(24, "chess", opponent=f"engine:{level}", fen=fen, side="second")
    env.reset(seed=1)
    played = [env.board(i).fen() for i in range(24)]
    assert sum(fen.startswith("R5k1") for fen in played) == 0  # the caller could not move then
    env = VectorEnv(
        24,
        "chess",
        opponent=f"engine:{level}",
        side="first",
        fen="r5k1/8/8/8/8/8/5PPP/6K1 w - - 0 1",
        autoreset_mode="SameStep",
    )
    env.reset(seed=1)
    board = env.board(0)
    waits = env.move_to_action(board, board.parse_uci("h2h3"))
    blunder = env.move_to_action(board, board.parse_uci("f2f3"))
    assert waits != blunder
    lost = sum(int((env.step(env.sample_actions())[1] < 0).sum()) for _ in range(12))
    assert lost > 0


def test_truncation_by_length():
    env = VectorEnv(2, "official", max_moves=3, autoreset_mode="SameStep")
    env.reset(seed=1)
    for number in range(1, 4):
        _, rewards, terminated, truncated, infos = env.step(env.sample_actions())
        assert truncated.all() == (number == 3)
    assert not terminated.any()
    assert not rewards.any()
    assert infos["_final_obs"].all()
    assert not infos["final_obs"][0]["action_mask"].any()


def test_an_illegal_action_loses_where_that_was_chosen():
    env = VectorEnv(2, "chess", illegal="lose", autoreset_mode="Disabled")
    env.reset(seed=1)
    legal = env.sample_actions()
    _, rewards, terminated, _, infos = env.step([legal[0], 1859])
    assert terminated.tolist() == [False, True]
    assert rewards.tolist() == [0, -1]
    assert infos["rewards_of_both"][1].tolist() == [-1, 1]


def test_several_start_positions_are_drawn():
    fens = ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/1R2K3 w - - 0 1"]
    env = VectorEnv(32, "chess", fen=fens)
    env.reset(seed=1)
    assert {env.state(i).start_fen for i in range(32)} == set(fens)


# Send and receive, buffers ----------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_send_and_receive_are_a_step(threads):
    first, second = (VectorEnv(5, "official", threads=threads) for _ in range(2))
    first.reset(seed=4)
    second.reset(seed=4)
    for _ in range(10):
        actions = first.sample_actions()
        first.send(actions)
        assert data_equivalence(first.recv(), second.step(actions), exact=True)


def test_nothing_may_be_asked_between_send_and_receive():
    env = VectorEnv(2, "chess")
    env.reset(seed=1)
    actions = env.sample_actions()
    env.send(actions)
    for ask in (env.sample_actions, env.legal_actions, lambda: env.step(actions), env.reset):
        with pytest.raises(ValueError, match="recv it first"):
            ask()
    env.recv()
    with pytest.raises(ValueError, match="recv follows send"):
        env.recv()


def test_closing_waits_for_what_was_sent():
    env = VectorEnv(64, "official", threads=2)
    env.reset(seed=1)
    env.send(env.sample_actions())
    env.close()
    with pytest.raises(ValueError, match="the environment is closed"):
        env.recv()


def in_a_child(work):
    """What a forked process says it did."""
    out, end = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # a process that waits for a thread it has not would wait for ever
        try:
            os.write(end, work().encode())
        finally:
            os._exit(0)
    os.close(end)
    with os.fdopen(out, "rb") as read:
        said = read.read().decode()
    os.waitpid(child, 0)
    return said


@pytest.mark.parametrize("opponent", [None, "engine:1"])
def test_threads_are_started_again_in_a_forked_process(opponent):
    """Threads do not follow into it; learners fork all the time."""
    env = VectorEnv(8, "chess", threads=2, opponent=opponent)
    env.reset(seed=1)
    env.step(env.sample_actions())
    actions = env.sample_actions()
    there = in_a_child(lambda: str([env.step(actions)[1].tolist(), *map(repr, env.states())]))
    assert there == str([env.step(actions)[1].tolist(), *map(repr, env.states())])


def test_a_step_under_way_is_lost_in_a_forked_process():
    env = VectorEnv(8, "chess", threads=2)
    env.reset(seed=1)
    env.send(env.sample_actions())

    def child():
        with pytest.raises(ValueError, match="forked after send: reset the environment first"):
            env.recv()
        with pytest.raises(ValueError, match="reset the environment first"):
            env.sample_actions()
        env.reset(seed=1)
        env.step(env.sample_actions())
        return "went on"

    assert in_a_child(child) == "went on"
    env.recv()


class Lent:
    """An array of somebody else, known by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_results_are_written_into_the_callers_arrays():
    planes, mask = np.full((2, 18, 8, 8), 9, np.uint8), np.full((2, 1860), 5, np.int8)
    env = VectorEnv(2, "chess", buffers={"observation": planes, "action_mask": Lent(mask)})
    seen, _ = env.reset(seed=1)
    assert seen["observation"] is planes
    other = VectorEnv(2, "chess")
    expected, _ = other.reset(seed=1)
    for _ in range(20):
        assert (planes == expected["observation"]).all()
        assert (mask == expected["action_mask"]).all()
        actions = other.sample_actions()
        env.step(actions)
        expected = other.step(actions)[0]


def test_results_may_be_kept_unless_asked_otherwise():
    for copy in (True, False):
        env = VectorEnv(2, "chess", copy=copy)
        first, _ = env.reset(seed=1)
        before = first["observation"].copy()
        env.step(env.sample_actions())
        assert (first["observation"] == before).all() == copy


@pytest.mark.parametrize(
    ("name", "array", "reason"),
    [
        ("observation", np.zeros((2, 18, 8, 8), np.int16), "wrong type of numbers"),
        ("observation", np.zeros((2, 18, 8, 7), np.uint8), "expected the shape"),
        ("action_mask", np.zeros((1860, 2), np.int8).T, "C-contiguous"),
        ("rewards", "array", "C-contiguous"),
        ("planes", np.zeros(2), "expected a buffer .*, got planes"),
    ],
)
def test_arrays_that_do_not_fit(name, array, reason):
    with pytest.raises(ValueError, match=reason):
        VectorEnv(2, "chess", buffers={name: array})


def test_a_read_only_array():
    array = np.zeros((2, 1860), np.int8)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        VectorEnv(2, "chess", buffers={"action_mask": array})


def test_masks_say_what_the_ragged_list_says():
    env = VectorEnv(6, "official", autoreset_mode="SameStep")
    seen, _ = env.reset(seed=5)
    for _ in range(50):
        actions, offsets = env.legal_actions()
        for i in range(6):
            row = np.flatnonzero(seen["action_mask"][i])
            assert row.tolist() == sorted(actions[offsets[i] : offsets[i + 1]])
        assert (env.action_masks() == seen["action_mask"]).all()
        seen = env.step(env.sample_actions())[0]


# What is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"num_envs": 0}, "num_envs must be 1 to"),
        ({"num_envs": 2.5}, "num_envs must be a whole number, got 2.5"),
        ({"num_envs": True}, "num_envs must be a whole number, got True"),
        ({"num_envs": 2**40}, "num_envs must be 1 to"),
        ({"threads": "2"}, "threads must be a whole number, got '2'"),
        ({"history": 1.0}, "history must be a whole number"),
        ({"max_moves": "3"}, "max_moves must be a whole number"),
        ({"side": 0}, "side must be one of first, second, random, got 0"),
        ({"dtype": None}, "dtype must be one of uint8, float32, got None"),
        ({"fen": 3}, "expected a FEN or a sequence of FENs"),
        ({"fen": []}, "expected a FEN or a sequence of FENs"),
        ({"buffers": 3}, "buffers must be arrays by name, got int"),
        ({"chess960": "yes"}, "chess960 must be True or False, got 'yes'"),
        ({"action_mask": "no"}, "action_mask must be True or False"),
        ({"game": None}, "expected the name of a game, got NoneType"),
        ({"game": "go"}, "go: expected a rule set"),
        ({"threads": 0}, "threads must be 1 to 256"),
        ({"opponent": "engine"}, "opponent must be random, greedy or engine:1"),
        ({"opponent": "engine:11"}, "opponent must be random, greedy or engine:1"),
        ({"side": "red"}, "side must be one of first, second, random, got 'red'"),
        ({"illegal": "ignore"}, "illegal must be one of raise, lose"),
        ({"dtype": "int8"}, "dtype must be one of uint8, float32"),
        ({"max_moves": 0}, "max_moves must be 1 to"),
        ({"history": -1}, "history must be 0 to 64"),
        ({"autoreset_mode": "Never"}, "must be one of NextStep, SameStep, Disabled, got 'Never'"),
        ({"fen": "nonsense"}, "start position nonsense"),
        ({"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, "the game is over"),
        ({"render_mode": "png"}, "render_mode must be one of"),
        ({"game": "official", "chess960": True}, "chess960 is for chess only"),
    ],
)
def test_options_that_do_not_exist(options, reason):
    with pytest.raises((TypeError, ValueError), match=reason):
        VectorEnv(**{"num_envs": 2, "game": "chess", **options})


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        ([0], "expected 2 whole numbers as actions"),
        ([0.5, 1.0], "expected 2 whole numbers as actions"),
        ([[0], [1]], "expected 2 whole numbers as actions"),
        ([0, 99999], "environment 1: action 99999 is outside 0..1859"),
        ([0, -1], "environment 1: action -1 is outside"),
        ([1859, 1859], "environment 0: action 1859 is not legal in rnbq"),
    ],
)
def test_actions_that_cannot_be_played(actions, reason):
    env = VectorEnv(2, "chess")
    env.reset(seed=1)
    board = env.board(0)
    first = env.move_to_action(board, board.parse_uci("e2e4"))
    given = [first if one == 0 and len(np.shape(actions)) == 1 else one for one in actions]
    before = [state.fen for state in env.states()]
    with pytest.raises(ValueError, match=reason):
        env.step(given)
    assert [state.fen for state in env.states()] == before  # nobody has moved


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        (None, "expected 2 whole numbers as actions"),
        ([None, None], "expected 2 whole numbers as actions"),
        (["a", "b"], "expected 2 whole numbers as actions"),
        ([True, False], "expected 2 whole numbers as actions"),
        ([2**70, 0], "expected 2 whole numbers as actions"),
        (np.full(2, 2**64 - 1, np.uint64), "environment 0: action 9223372036854775807 is outside"),
    ],
)
def test_what_is_no_array_of_actions(actions, reason):
    env = VectorEnv(2, "chess")
    env.reset(seed=1)
    with pytest.raises(ValueError, match=reason):
        env.step(actions)


def test_a_game_that_is_over_must_be_reset_first():
    env = VectorEnv(2, "chess", max_moves=1, autoreset_mode="Disabled")
    env.reset(seed=1)
    env.step(env.sample_actions())
    with pytest.raises(ValueError, match="environment 0: its episode is over, reset it first"):
        env.step([0, 0])
    with pytest.raises(ValueError, match="expected a reset_mask of 2 booleans"):
        env.reset(options={"reset_mask": [1, 0]})


def test_before_the_first_reset_and_after_the_end():
    env = VectorEnv(2, "chess")
    for ask in (env.sample_actions, lambda: env.step([0, 0]), lambda: env.state(0)):
        with pytest.raises(ValueError, match="reset the environment first"):
            ask()
    env.reset(seed=1)
    env.close()
    env.close()
    for ask in (env.sample_actions, lambda: env.step([0, 0]), env.reset, lambda: env.state(0)):
        with pytest.raises(ValueError, match="the environment is closed"):
            ask()


def test_no_such_environment():
    env = VectorEnv(2, "chess")
    env.reset(seed=1)
    for number in (-1, 2, 2**40):
        with pytest.raises(ValueError, match=f"no such environment: {number}"):
            env.state(number)

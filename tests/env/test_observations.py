"""Observations: every plane says what it is said to say, and together they are the position."""

from pathlib import Path

import numpy as np
import pytest

from cotulenh import BLUE, RED, Board
from cotulenh.env import VectorEnv, planes, read_planes
from cotulenh.squares import Kind, Square

ARMOURED = str(Path(__file__).parents[2] / "examples" / "armoured.toml")
GAMES = ["official", "online", "blueprint", "chess", ARMOURED]
STACKS = "6c4/11/11/11/11/11/5(+ft)5/11/11/2(N+FF)8/11/4TC5 r - - 7 1"


def observe(fen, game="official", **options):
    env = VectorEnv(1, game, fen=fen, **options)
    return env.reset(seed=1)[0]["observation"][0]


def plane(name, game="official"):
    return [one.name for one in planes(game)].index(name)


def shown(observation, name):
    """The points where a plane is not zero, as Red sees them, with their numbers."""
    rows = observation[plane(name)]
    return {Square(f"{chr(97 + f)}{r + 1}").name: int(rows[r, f]) for r, f in np.argwhere(rows)}


def positions_are_rebuilt(game, steps, envs, every):
    env = VectorEnv(envs, game, action_mask=False, copy=False, autoreset_mode="SameStep")
    seen = env.reset(seed=3)[0]["observation"]
    for number in range(steps // envs):
        for i in range(envs) if number % every == 0 else ():
            board = env.board(i)
            wanted, read = board.fen().split(), read_planes(seen[i], game).split()
            read[5] = wanted[5]  # no plane tells the number of the turn
            assert read == wanted
        env.step(env.sample_actions())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_planes_rebuild_the_position(game):
    positions_are_rebuilt(game, 3000, 20, 10)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_planes_rebuild_a_hundred_thousand_positions(game):
    positions_are_rebuilt(game, 100_000, 50, 1)


def test_there_is_a_name_for_every_plane():
    for game in GAMES:
        env = VectorEnv(1, game, history=2)
        assert env.single_observation_space["observation"].shape[0] == len(planes(game, 2))


def test_stacks_heroes_and_cargo():
    seen = observe(STACKS)
    assert shown(seen, "own Navy") == {"c3": 1}
    assert shown(seen, "own carried Air Force") == {"c3": 2}
    assert shown(seen, "own carried heroic Air Force") == {"c3": 1}
    assert shown(seen, "own heroic") == {}
    assert shown(seen, "enemy Air Force") == {"f6": 1}
    assert shown(seen, "enemy heroic") == {"f6": 1}
    assert shown(seen, "enemy carried Tank") == {"f6": 1}
    assert (seen[plane("clock")] == 7).all()
    assert (seen[plane("first player")] == 1).all()


def test_the_second_player_sees_the_board_from_his_side():
    board = Board(STACKS.replace(" r ", " b "))
    seen = observe(board.fen())
    assert shown(seen, "own Commander") == {"g1": 1}
    assert shown(seen, "enemy Navy") == {"c10": 1}
    assert not seen[plane("first player")].any()


def test_rings_and_terrain_are_those_of_the_board():
    board = Board()
    seen = observe(board.fen())
    for name, color in (("own rings", RED), ("enemy rings", BLUE)):
        assert set(shown(seen, name)) == {square.name for square in board.air_defence(color)}
    terrain = board.rules.tables.terrain
    for name, squares in (
        ("water", terrain.water),
        ("mixed", terrain.mixed),
        ("land", terrain.land),
        ("bridges", terrain.bridges),
    ):
        assert set(shown(seen, name)) == {square.name for square in squares}


def test_a_deployment_under_way():
    env = VectorEnv(1, fen="6c4/11/11/11/11/11/11/11/11/2(N+FT)8/11/5C5 r - - 0 1")
    env.reset(seed=1)
    board = env.board(0)
    seen = env.step([env.move_to_action(board, board.parse_lan("Tc3>d3"))])[0]["observation"][0]
    assert shown(seen, "origin") == {"c3": 1}
    assert shown(seen, f"may still move: {Kind('F').name}") == {"c3": 1}
    assert shown(seen, f"may still move: {Kind('N').name}") == {"c3": 1}
    assert shown(seen, f"may still move: {Kind('T').name}") == {}
    assert shown(seen, "may still move, heroic") == {"c3": 1}


def test_repetition_is_counted():
    env = VectorEnv(1, "chess")
    env.reset(seed=1)
    counted = []
    for text in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3"):
        board = env.board(0)
        seen = env.step([env.move_to_action(board, board.parse_uci(text))])[0]["observation"][0]
        counted.append(int(seen[plane("repetition", "chess"), 0, 0]))
    assert counted == [0, 0, 0, 1, 1]


@pytest.mark.parametrize("game", ["official", "chess"])
def test_history_shows_the_pieces_of_positions_before(game):
    env = VectorEnv(1, game, history=2)
    now = len(planes(game))
    pieces = 68 if game == "official" else 12
    first = env.reset(seed=5)[0]["observation"][0]
    assert not first[now:].any()
    second = env.step(env.sample_actions())[0]["observation"][0]
    other = flipped(first[:pieces]) if env.current_player[0] else first[:pieces]
    assert (second[now : now + pieces] == other).all()
    third = env.step(env.sample_actions())[0]["observation"][0]
    assert third[now + pieces :].any()


def flipped(pieces):
    """The same pieces as the other side sees them."""
    half = len(pieces) // 2
    return np.concatenate([pieces[half:], pieces[:half]])[:, ::-1]


def test_floats_hold_the_same_numbers():
    for game in ("official", "chess"):
        bytes_, floats = (VectorEnv(3, game, dtype=d, history=1) for d in ("uint8", "float32"))
        one, other = bytes_.reset(seed=2)[0], floats.reset(seed=2)[0]
        for _ in range(30):
            assert other["observation"].dtype == np.float32
            assert (one["observation"] == other["observation"]).all()
            actions = bytes_.sample_actions()
            one, other = bytes_.step(actions)[0], floats.step(actions)[0]


@pytest.mark.parametrize(
    ("array", "game", "reason"),
    [
        (np.zeros((3, 3)), "chess", r"expected planes of shape \(18 or more, 8, 8\)"),
        (np.zeros((18, 8, 8)), "official", r"expected planes of shape \(90 or more, 12, 11\)"),
        (None, "official", "expected planes of shape"),
        (np.zeros((18, 8, 8)), "chess", "no white king"),
        (np.ones((90, 12, 11)), "official", "at "),
    ],
)
def test_planes_that_show_no_position(array, game, reason):
    with pytest.raises(ValueError, match=reason):
        read_planes(array, game)


def test_a_history_that_is_none():
    with pytest.raises(ValueError, match="history must be 0 to 64, got -1"):
        planes("chess", -1)

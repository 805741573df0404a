"""Actions: one number for each legal move, the same way back, in every rule set."""

from pathlib import Path

import numpy as np
import pytest

from cotulenh import Board, chess, games
from cotulenh.env import (
    VectorEnv,
    action_space,
    action_to_move,
    action_to_text,
    move_to_action,
    text_to_action,
)
from cotulenh.env._actions import legal_pairs

ARMOURED = str(Path(__file__).parents[2] / "examples" / "armoured.toml")
GAMES = ["official", "online", "blueprint", "chess", ARMOURED]


def no_two_moves_share_an_action(game, steps, envs=50, look=False):
    """Plays at random; every game's legal actions are different numbers of the space.

    With `look` a board of every tenth step is asked, move by move and both ways.
    """
    env = VectorEnv(envs, game, action_mask=False, copy=False, autoreset_mode="SameStep")
    env.reset(seed=11)
    for number in range(steps // envs):
        actions, offsets = env.legal_actions()
        if look and number % 10 == 0:
            assert_bijection(env.board(number // 10 % envs))
        owner = np.repeat(np.arange(envs), np.diff(offsets)) * env.single_action_space.n
        assert len(np.unique(owner + actions)) == len(actions)
        assert actions.min() >= 0
        assert actions.max() < env.single_action_space.n
        env.step(env.sample_actions())
    return env


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_no_two_moves_share_an_action(game):
    env = no_two_moves_share_an_action(game, 10_000)
    for i in range(10):
        assert_bijection(env.board(i))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_a_million_steps_are_a_bijection(game):
    no_two_moves_share_an_action(game, 1_000_000, look=True)


def assert_bijection(board):
    moves, pairs = list(board.legal_moves), legal_pairs(board)
    assert [bits for _, bits in pairs] == [int(move) for move in moves]
    for move, (action, _) in zip(moves, pairs, strict=True):
        assert_squares(board, move, action)
    for move in moves[::7]:
        action = move_to_action(board, move)
        assert action_to_move(board, action) == move
        assert text_to_action(board, action_to_text(board, action)) == action


def assert_squares(board, move, action):
    """The table of the documentation, read without the position, names the squares of the move."""
    is_chess = isinstance(board, chess.Board)
    named = action_space("chess" if is_chess else "cotulenh").squares(action)
    if named is None:  # castling, commit, a Commander's breach
        return
    height = 8 if is_chess else board.rules.ranks
    for (file, rank), square in zip(named, (move.from_square, move.to_square), strict=True):
        assert file == square.file
        assert rank == (height - 1 - square.rank if games.side(board) else square.rank)


@pytest.mark.parametrize("board", [Board(), Board(rules="blueprint"), chess.Board()], ids=repr)
def test_every_move_of_a_start_has_its_action_and_text(board):
    for move in board.legal_moves:
        action = move_to_action(board, move)
        assert action_to_move(board, action) == move
        assert text_to_action(board, action_to_text(board, action)) == action


def squares_of(board, text):
    space = action_space("chess" if isinstance(board, chess.Board) else "cotulenh")
    return space.squares(text_to_action(board, text))


def test_squares_are_seen_from_the_side_to_move():
    """Red and Blue at mirrored points have the same numbers; so have White and Black."""
    board = Board()
    red = text_to_action(board, "Mg5g6")
    board.push_lan("Mg5g6")
    assert text_to_action(board, "Mg8g7") == red
    assert squares_of(board, "Mg8g7") == ((6, 4), (6, 5))
    game = chess.Board()
    white = text_to_action(game, "g1f3")
    game.push_uci("e2e4")
    assert text_to_action(game, "g8f6") == white


# Where one pair of squares has several moves ----------------------------------------------------


def variants(board, start, target):
    """The legal moves between two points and how their actions are called."""
    space = action_space("cotulenh")
    return {
        board.lan(move): space.variant(move_to_action(board, move))
        for move in board.legal_moves
        if (move.from_square.name, move.to_square.name) == (start, target)
    }


def test_an_aircraft_that_may_replace_or_return_has_two_actions():
    board = Board("6c4/11/11/11/11/11/11/5i5/11/5F5/11/5C5 r - - 0 1")
    assert variants(board, "f3", "f5") == {"Ff3xf5": "whole", "Ff3_f5": "whole stays"}


def test_parts_of_a_stack_are_numbered_in_its_order():
    board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    found = variants(board, "c3", "c4")
    assert found["(NFT)c3c4"] == "whole"
    assert found["Nc3>c4"] == "piece 1"
    assert found["Fc3>c4"] == "piece 2"
    assert found["Tc3>c4"] == "piece 3"
    assert found["(NF)c3>c4"] == "pieces 1 and 2"
    assert found["(FT)c3>c4"] == "pieces 2 and 3"


def test_equal_pieces_have_one_action():
    board = Board("6c4/11/11/11/11/11/11/11/11/2(NFF)8/11/5C5 r - - 0 1")
    assert variants(board, "c3", "c4")["Fc3>c4"] == "piece 2"


def test_in_mid_deployment_the_rest_is_the_whole_and_commit_is_an_action():
    board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    board.push_lan("Tc3>d3")
    assert variants(board, "c3", "c4")["(NF)c3>c4"] == "whole"
    space = action_space("cotulenh")
    assert action_to_text(board, space.n - 1) == "c3<"
    assert space.squares(space.n - 1) is None


def test_a_commander_who_may_take_or_breach_has_two_actions():
    """6.3 and 4.4: one step opens the line, then he faces the other in his headquarters."""
    board = Board("11/11/11/11/11/11/5(hc)5/5(TC)5/11/11/11/11 r - - 0 1")
    found = variants(board, "f5", "f6")
    breaches = {text: name for text, name in found.items() if text.startswith("C")}
    assert len(set(found.values())) == len(found)
    assert any(name.startswith("Commander breaches") for name in breaches.values())


def test_chess_promotions_and_castling():
    board = chess.Board("1n2k2r/P7/8/8/8/8/8/R3K2R w KQk - 0 1")
    space = action_space("chess")
    names = {
        board.uci(move): space.variant(move_to_action(board, move)) for move in board.legal_moves
    }
    assert names["a7a8q"] == "plain"
    assert names["a7b8n"] == "promotion to n"
    assert names["a7b8r"] == "promotion to r"
    assert names["e1g1"] == "castling, h-file"
    assert names["e1c1"] == "castling, a-file"
    assert squares_of(board, "a7b8n") == ((0, 6), (1, 7))


def test_chess960_tells_castling_from_a_step_to_the_same_square():
    board = chess.Board("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", chess960=True)
    assert_bijection(board)
    pairs = legal_pairs(board)
    assert len({action for action, _ in pairs}) == len(pairs)


# What is refused --------------------------------------------------------------------------------


def test_numbers_outside_the_space():
    for action in (-1, 41544):
        with pytest.raises(ValueError, match=f"expected an action from 0 to 41543, got {action}"):
            action_to_move(Board(), action)


@pytest.mark.parametrize("given", [None, "x", 1.5, True, [3]], ids=repr)
def test_what_is_no_action_or_move(given):
    with pytest.raises(TypeError, match="expected a whole number as action, got"):
        action_to_move(Board(), given)
    with pytest.raises(TypeError, match="expected a move, got"):
        move_to_action(Board(), given)
    if not isinstance(given, str):
        with pytest.raises(TypeError, match="expected the text of a move, got"):
            text_to_action(Board(), given)


def test_actions_and_moves_that_are_not_legal():
    board = Board()
    with pytest.raises(ValueError, match="action 41543 is not legal in"):
        action_to_move(board, 41543)
    move = board.parse_lan("Mg5g6")
    board.push(move)
    with pytest.raises(ValueError, match="is not legal in"):
        move_to_action(board, move)


def test_not_a_board():
    with pytest.raises(TypeError, match="expected a board, got str"):
        move_to_action("board", 3)


def test_no_such_game():
    with pytest.raises(ValueError, match=r"expected a game .*, got 'go'"):
        action_space("go")

"""A game: its turns, variations, clocks, result."""

import copy

import pytest

from cotulenh import Board, IllegalMoveError, Rules, chess, pgn
from cotulenh.game import CLOSE, MOVE, OPEN, Game, walk


def small():
    return pgn.parse(
        "1. e4 {best} (1. d4 d5 (1... Nf6 2. c4) 2. Nf3) (1. c4) 1... e5 $1 2. Nf3 1-0"
    )


def test_tree():
    game = small()
    first = game.root.children
    assert [len(first), len(first[1].children), first[0].comment] == [3, 2, "best"]
    assert game.sans() == ["e4", "e5", "Nf3"]
    assert game.result == "1-0"
    assert len(game) == 3
    kinds = [kind for kind, _, _ in walk(game.root)]
    assert kinds == [MOVE, OPEN, MOVE, MOVE, OPEN, MOVE, MOVE, CLOSE, MOVE, CLOSE, OPEN, MOVE,
                     CLOSE, MOVE, MOVE]  # fmt: skip
    assert [ply for kind, _, ply in walk(game.root) if kind == MOVE] == [0, 0, 1, 1, 2, 2, 0, 1, 2]


def test_boards_of_nodes():
    game = small()
    node = game.root.children[1].children[1].children[0]
    assert node.ply == 3
    assert node.board().history() == ["d4", "Nf6", "c4"]
    assert game.end().fen() == list(game.mainline())[-1].board().fen()


def test_add_promote_remove():
    game = Game(chess.Board())
    e4 = game.add("e4")
    assert game.root.add("e4") is e4
    d4 = game.root.add(chess.Move.from_uci("d2d4"))
    d4.promote()
    assert game.sans() == ["d4"]
    d4.remove()
    assert game.sans() == ["e4"]
    with pytest.raises(IllegalMoveError):
        game.add("Ke3")
    with pytest.raises(ValueError, match="at least one"):
        game.root.add([])
    with pytest.raises(ValueError, match="root"):
        game.root.promote()
    with pytest.raises(ValueError, match="root"):
        game.root.remove()


def test_moves_before_and_after_nodes_are_built():
    game = small()
    lazy = game.moves()
    assert game.turns() == [(move,) for move in lazy]
    assert game.moves() == lazy


def test_clock():
    node = Game(chess.Board()).add("e4")
    assert node.clock is None
    node.comment = "Hm. [%eval 0.3]"
    node.clock = 3671.5
    assert node.comment == "[%clk 1:01:11.5] Hm. [%eval 0.3]"
    assert (node.clock, node.text) == (3671.5, "Hm.")
    node.clock = None
    assert node.comment == "Hm. [%eval 0.3]"
    with pytest.raises(ValueError, match="clock"):
        node.clock = -1


def test_result():
    game = Game(Board())
    assert game.result == "*"
    game.result = "0-1"
    assert game.tags["Result"] == "0-1"
    with pytest.raises(ValueError, match="result"):
        game.result = "2-0"
    mate = chess.Board()
    mate.push_sans("1. f3 e5 2. g4 Qh4#")
    assert Game.from_board(mate).result == "0-1"


def test_tags_of_both_games():
    assert list(Game().tags)[4:] == ["Red", "Blue", "Result", "Variant"]
    assert list(Game(chess.Board()).tags)[4:] == ["White", "Black", "Result"]
    study = Game(Board("6c4/11/11/11/11/11/11/11/11/11/11/5C5 b - - 3 9"))
    assert study.tags["SetUp"] == "1"
    study.add("Cg11")
    assert "9... Cg11 *" in pgn.dumps(study)
    assert Game(Board(rules="blueprint")).tags["Variant"] == "blueprint"
    assert pgn.parse(pgn.dumps(Game(Board(rules="online")))).rules is Rules.load("online")


def test_equality():
    assert small() == small()
    other = small()
    list(other.mainline())[1].nags.append(3)
    assert small() != other
    assert small() != "small"
    assert repr(small()) == "<Game ? - ?, 3 turns, 1-0>"
    with pytest.raises(TypeError):
        hash(small())


def nested(depth):
    """1. e4 (1. Nf3 e5 (1... Nf6 2. e4 (2. Ng1 e5 (… and as many closing parentheses."""
    deep = ("Nf3 e5", "Nf6 e4", "Ng1 e5", "Ng8 e4")
    return "e4 (" + " (".join(deep[i % 4] for i in range(depth)) + ")" * depth + " *"


@pytest.mark.parametrize("depth", [10, 20_000])
def test_variations_to_any_depth(depth):
    """No recursion anywhere: reading, building, walking, writing, comparing, copying."""
    game = pgn.parse(nested(depth))
    assert sum(1 for kind, _, _ in walk(game.root) if kind == OPEN) == depth
    assert len(game) == 1
    assert pgn.parse(pgn.dumps(game)) == game
    assert copy.deepcopy(game) == game
    node = game.root
    while node.children:
        node = node.children[-1]
    assert node.ply == depth + 1


def test_a_hundred_thousand_variations_in_each_other():
    assert len(pgn.parse(nested(100_000))) == 1

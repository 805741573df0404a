"""What is written is read back, game and text alike."""

import copy
import io
import pickle
import re

import pytest
from generated import rich_game
from hypothesis import given, settings
from hypothesis import strategies as st

from cotulenh import Board, chess, pgn
from cotulenh.game import CLOSE, OPEN, Game, walk


def check(seeds):
    games = [rich_game(seed) for seed in seeds]
    texts = [pgn.dumps(game) for game in games]
    reader = pgn.read(io.StringIO("\n".join(texts)))
    count = 0
    for game, text, again in zip(games, texts, reader, strict=True):
        assert again == game, text
        assert again.moves() == game.moves()
        assert pgn.dumps(again) == text
        count += 1
    assert count == len(games)
    assert reader.problems == []


def test_generated_games():
    check(range(300))


@pytest.mark.long
def test_ten_thousand_generated_games():
    for start in range(0, 10_000, 500):
        check(range(start, start + 500))


@pytest.mark.parametrize("seed", range(0, 300, 10))
def test_lines_are_short(seed):
    for line in pgn.dumps(rich_game(seed)).splitlines():
        # What holds a brace can only be said after a semicolon, up to the end of its line.
        if not line.startswith("[") and "}" not in line.partition(";")[2]:
            assert len(line) <= 80, line
            assert line == line.strip()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(), max_size=3), st.text())
def test_any_comment_and_any_tag(comments, value):
    game = Game(chess.Board(), {"Event": value})
    node = game.add("e4")
    node.comments += comments
    game.add("e5")
    again = pgn.parse(pgn.dumps(game))
    whole = [_utf8(c) for c in map(meant, comments) if c]
    assert next(again.mainline()).comments == whole
    assert again.sans() == ["e4", "e5"]
    assert again.tags["Event"] == _utf8(re.sub(r"\r\n|\r|\n", " ", value))


def meant(comment):
    """All but the kind of line ends and the blanks around; a brace leaves no room for lines."""
    text = re.sub(r"\r\n|\r", "\n", comment).strip(" \t\n")
    return text.replace("\n", " ") if "}" in text else text


def test_every_character_in_comments_and_tags():
    characters = [chr(i) for i in range(0x3100) if not 0xD800 <= i < 0xE000]
    characters += ["\ufeff", "\uffff", "\U0001f600", "\U0010ffff"]
    game = Game(chess.Board(), {"Event": "".join(c for c in characters if c not in "\r\n")})
    node = game.add("e4")
    node.comments = [f"<{c}>" for c in characters if c != "\r"]
    again = pgn.parse(pgn.dumps(game))
    assert again == game
    assert pgn.dumps(again) == pgn.dumps(game)


def _utf8(text):
    return text.encode("utf-8", "replace").decode()


def test_copies_and_pickles():
    for seed in range(20):
        game = rich_game(seed)
        assert copy.deepcopy(game) == game
        assert pickle.loads(pickle.dumps(game)) == game


def test_the_chess_package_reads_the_same_moves():
    theirs = pytest.importorskip("chess.pgn")
    seen = 0
    for seed in range(200):
        game = rich_game(seed)
        if game.rules is not None:
            continue
        read = theirs.read_game(io.StringIO(pgn.dumps(game)))
        assert not read.errors
        ours = [move.uci() for move in game.moves()]
        if game.chess960:
            assert len(list(read.mainline_moves())) == len(ours)
        else:
            assert [move.uci() for move in read.mainline_moves()] == ours
        seen += 1
    assert seen > 20


def their_story(root):
    """Moves and parentheses of a game of the chess package, in the order they are written."""
    out, stack = [], [("line", root)]
    while stack:
        what, node = stack.pop()
        if what != "line":
            out.append(what)
            if what == "(":
                out.append((node.move.uci(), sorted(node.nags), node.comment.split()))
                stack.append(("line", node))
            continue
        if not node.variations:
            continue
        first, *others = node.variations
        out.append((first.move.uci(), sorted(first.nags), first.comment.split()))
        stack.append(("line", first))
        for other in reversed(others):
            stack += [(")", other), ("(", other)]
    return out


def our_story(game):
    signs = {OPEN: "(", CLOSE: ")"}
    return [
        signs.get(kind) or (node.moves[0].uci(), sorted(set(node.nags)), known_to_them(node))
        for kind, node, _ in walk(game.root)
    ]


def known_to_them(node):
    """The words of the comments, but for those after a semicolon, which they pass over."""
    return " ".join(comment for comment in node.comments if "}" not in comment).split()


def test_the_chess_package_sees_the_same_variations_and_comments():
    theirs = pytest.importorskip("chess.pgn")
    seen = 0
    for seed in range(300):
        game = rich_game(seed)
        if game.rules is None and not game.chess960:
            read = theirs.read_game(io.StringIO(pgn.dumps(game)))
            assert their_story(read) == our_story(game), pgn.dumps(game)
            seen += 1
    assert seen > 20


def test_a_deployment_is_one_token():
    board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    board.push_san("N<F>c6,T>d3")
    game = Game.from_board(board)
    assert game.sans() == ["N<F>c6,T>d3"]
    assert "1. N<F>c6,T>d3" in pgn.dumps(game)
    again = pgn.parse(pgn.dumps(game))
    assert [len(turn) for turn in again.turns()] == [len(board.move_stack)]
    assert again.end().fen() == board.fen()


def test_an_open_deployment_stays_open():
    board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    board.push_san("F>c6")
    assert board.deployment is not None
    again = pgn.parse(pgn.dumps(Game.from_board(board)))
    assert again.end().fen() == board.fen()
    # A game that begins in the midst of it goes on in the same way.
    middle = Board(board.fen())
    middle.commit()
    game = Game.from_board(middle)
    assert pgn.parse(pgn.dumps(game)) == game

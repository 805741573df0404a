"""The chess package reads what we write, and we what it writes: moves, variations, marks, words."""

import io

import pytest
from generated import rich_game

from cotulenh import pgn
from cotulenh.game import CLOSE, MOVE, OPEN, walk

theirs = pytest.importorskip("chess.pgn")
package = pytest.importorskip("chess")


def story(game):
    """Moves, marks and words in the order they are written, parentheses between."""
    out = []
    for kind, node, _ in walk(game.root):
        if kind == OPEN:
            out.append("(")
        elif kind == CLOSE:
            out.append(")")
        else:
            assert kind == MOVE
            words = " ".join(node.comments).split()
            out.append((uci(game, node), sorted(set(node.nags)), words))
    return out


def uci(game, node):
    (move,) = node.moves
    if int(move) == 0:
        return "0000"
    if game.chess960:
        return node.parent.board().uci(move)
    return move.uci()


def their_story(root):
    out, stack = [], [("line", root)]
    while stack:
        what, node = stack.pop()
        if what == ")":
            out.append(")")
            continue
        if what == "(":
            out += ["(", their_turn(node)]
            stack.append(("line", node))
            continue
        if not node.variations:
            continue
        first, *others = node.variations
        out.append(their_turn(first))
        stack.append(("line", first))
        for other in reversed(others):
            stack += [(")", None), ("(", other)]
    return out


def their_turn(node):
    return node.move.uci(), sorted(node.nags), comment_of(node).split()


def comment_of(node):
    comment = node.comment
    return comment if isinstance(comment, str) else " ".join(comment)


def chess_games(seeds):
    for seed in seeds:
        game = rich_game(seed)
        if game.rules is None:
            with_annotations(game, seed)
            yield game


def with_annotations(game, seed):
    """Null moves, evaluations, times and shapes beside what the generator adds."""
    for i, node in enumerate(list(game.mainline())):
        if i % 5 == seed % 5:
            node.eval, node.emt = (seed * 31 + i) % 900 - 450, (i * 37 % 100) / 10
        if i % 7 == seed % 7:
            node.comments.append("[%csl Ge4,Rd5] [%cal Be2e4]")
        if i == seed % 9 and not node.parent.board().is_check():
            node.parent.add("--")


def agree(seeds):
    count = 0
    for game in chess_games(seeds):
        text = pgn.dumps(game)
        read = theirs.read_game(io.StringIO(text))
        assert not read.errors, text
        if not has_words_before(game):
            assert_same(their_story(read), story(game), text)
        count += check_back(read, game)
    return count


def assert_same(other, mine, text):
    """The chess package passes over comments behind a semicolon, which those with braces are."""
    assert len(other) == len(mine), text
    for one, two in zip(other, mine, strict=True):
        if isinstance(two, tuple) and any("}" in word for word in two[2]):
            assert one[:2] == two[:2], text
        else:
            assert one == two, text


def has_words_before(game):
    """The chess package keeps what is said before a turn elsewhere."""
    return any(kind == MOVE and node.contents[2] for kind, node, _ in walk(game.root))


def check_back(read, game):
    """What the chess package writes, we read."""
    text = read.accept(theirs.StringExporter(columns=None))
    reader = pgn.read(io.StringIO(text), errors="keep")
    (again,) = reader
    assert not [problem for problem in reader.problems if problem.fatal], text
    assert again.result == game.result
    assert [uci(again, node) for node in again.mainline()] == [
        uci(game, node) for node in game.mainline()
    ]
    assert [x for x in story(again) if x in ("(", ")")] == [
        x for x in story(game) if x in ("(", ")")
    ]
    assert typed(again, game) == typed(game, game)
    return 1


def typed(game, told):
    """What is typed in the turns of a game, where the one it was told from has no braces."""
    return [
        (node.clock, node.emt, node.eval, node.arrows, node.circles)
        for node, first in zip(game.mainline(), told.mainline(), strict=True)
        if "}" not in first.comment
    ]


def test_some_hundred_games():
    assert agree(range(700)) > 200


@pytest.mark.long
def test_five_thousand_games():
    assert agree(range(1000, 19_000)) >= 5000


def test_typed_values_are_theirs():
    text = (
        "1. e4 {[%clk 0:09:58.9] [%emt 0:00:05.25] [%eval -0.35,18] [%cal Ge2e4][%csl Rd5]} "
        "1... e5 {[%eval #-3]} *"
    )
    ours, other = pgn.parse(text), theirs.read_game(io.StringIO(text))
    for mine, node in zip(ours.mainline(), other.mainline(), strict=True):
        assert (mine.clock, mine.emt) == (node.clock(), node.emt())
        score = node.eval().white()
        assert (mine.eval.cp, mine.eval.mate) == (score.score(), score.mate())
        assert mine.eval.depth == node.eval_depth()
        shapes = [(a.tail, a.head, a.color) for a in node.arrows()]
        drawn = [(int(a.tail), int(a.head), a.color) for a in mine.arrows]
        assert sorted(shapes) == sorted(
            drawn + [(int(c.square), int(c.square), c.color) for c in mine.circles]
        )

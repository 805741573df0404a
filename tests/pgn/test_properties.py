"""Whatever bytes come in: no exception, and what is written is read back exactly."""

import io
import random
import re
import time

import pytest
from generated import rich_game
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cotulenh import pgn
from cotulenh._core import pgn as core
from cotulenh.game import MOVE, walk
from cotulenh.pgn._blocks import blocks
from cotulenh.pgn._read import variants

#: Pieces of games, good and bad, that are thrown together.
PIECES = [
    *['[Event "a"]', '[White-Elo "1"]', "[Event]", '[FEN "8"]', '[Red "x"]', "[", "["],
    *['[Variant "Chess960"]', '[Variant "Atomic"]', "[%clk 0:01]", "{x} ", "(1. d4) "],
    *"1. 1... 2. . ... e4 e5 Nf3 Nc6 O-O 0-0 -- Z0 Mg6 Mg7 (NF)b5 N<F>c6 exd5 a8=Q".split(),  # noqa: SIM905
    *"Sf3 NF3 ed 00 Qh5#1-0 N<F>c6, ,T>d3 N< Mg5-g6 Mxg6 e8(Q)+ =Q ♘\ufe0ef3".split(),  # noqa: SIM905
    *[
        '[Event: "a"]',
        '[White Elo "1"]',
        '[É "x"]',
        '[Result "0-1"]',
        "1 - 0",
        '[Site "s"] x y',
        '\n[ECO "A"]\n2.',
    ],
    *"( ) { } ; $ $1 $999 ! !? !!! ± N % \\ * 1-0 0-1 1/2-1/2 1/2 ½ e.p.".split(),  # noqa: SIM905
    *["\n", "\n\n", "\r\n", "\t", "\0", "\x1a", "\ufeff", "\u00a0", "\u2028"],
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=60).map(" ".join)
BYTES = st.binary(max_size=400) | TEXTS.map(lambda text: text.encode("utf-8", "replace"))


def games_of(raw, **options):
    reader = pgn.read(io.BytesIO(raw), **options)
    return list(reader), reader.problems


@settings(max_examples=400, deadline=None)
@given(BYTES)
def test_any_bytes_are_read_and_come_back(raw):
    for errors in ("skip", "keep"):
        games, problems = games_of(raw, errors=errors)
        for problem in problems:
            assert problem.reason
            assert 0 <= problem.offset <= 4 * len(raw) + 3
            assert problem.line >= 1
        for game in games:
            (again,), _ = games_of(pgn.dumps(game).encode(), errors="keep")
            assert again == game


@settings(max_examples=300, deadline=None)
@given(BYTES)
def test_every_turn_can_be_played(raw):
    games, _ = games_of(raw, errors="keep")
    for game in games:
        for kind, node, _ in walk(game.root):
            if kind == MOVE:
                assert node.board().fen()


@settings(max_examples=300, deadline=None)
@given(BYTES, st.integers(1, 40))
@example(b"\xa0[0", 1)  # a blank of typesetters begins a line as any other does
@example("\ufeff\u2003\xa0[0".encode(), 2)
@example(b"x 0-0 1.", 1)  # what follows a game has no say in what it means
@example(b'[A]OO[A"', 1)
@example(b'[A "b"]OO[A "x"]', 1)
def test_pieces_of_any_size_make_the_same_games(raw, size):
    """A file that is read in small pieces, and the core's blocks, give what the whole gives."""
    whole, _ = games_of(raw, errors="keep")

    class Slow(io.BytesIO):
        def read(self, _=-1):
            return super().read(size)

    if b"\r" in raw or raw[:1] in (b"\x1f", b"\x28"):
        return  # the first piece decides whether lines end as on old machines, or is packed
    assert list(pgn.read(Slow(raw), errors="keep")) == whole
    table, _ = variants()
    counted = sum(core.scan(table, block.text)[0].games for block in blocks(io.BytesIO(raw)))
    assert counted == len([game for game in whole if not any(p.fatal for p in game.problems)])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=3), st.text())
def test_any_words_come_back(after, before, value):
    game = pgn.parse("1. e4 (1. d4) e5 *")
    game.tags["Event"] = value
    first = next(game.mainline())
    first.comments, game.root.children[1].before = after, before
    game.root.comments = before
    again = pgn.parse(pgn.dumps(game))
    line = list(again.mainline())
    assert line[0].comments == [c for c in map(meant, after) if c]
    assert again.root.children[1].before == [c for c in map(meant, before) if c]
    assert again.root.comments == [c for c in map(meant, before) if c]
    assert again.tags["Event"] == utf8(re.sub(r"\r\n|\r|\n", " ", value))
    assert pgn.dumps(again) == pgn.dumps(game)


def meant(comment):
    """All but the kind of line ends and the blanks around; a brace leaves no room for lines."""
    text = re.sub(r"\r\n|\r", "\n", utf8(comment)).strip(" \t\n")
    return text.replace("\n", " ") if "}" in text else text


def utf8(text):
    return text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize("seed", range(40))
def test_a_good_file_with_some_bytes_changed(seed):
    dice = random.Random(seed)
    noise = bytearray("\n".join(pgn.dumps(rich_game(seed + i)) for i in range(3)).encode())
    for _ in range(dice.randint(1, 30)):
        noise[dice.randrange(len(noise))] = dice.choice(b'\0{}()[]"\\;%$!?<>*10-.\n\r\xff\x1a')
    games, problems = games_of(bytes(noise), errors="keep")
    assert all(str(problem) for problem in problems)
    for game in games:
        (again,), _ = games_of(pgn.dumps(game).encode(), errors="keep")
        assert again == game


def test_adding_costs_the_same_however_long_the_game():
    """Four thousand turns are added in a moment; the second half takes what the first took."""
    from cotulenh import chess
    from cotulenh.game import Game

    game = Game(chess.Board())
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"]

    def seconds(turns):
        began = time.process_time()
        for i in range(turns):
            game.add(shuffle[i % 4])
        return time.process_time() - began

    first, second = seconds(2000), seconds(2000)
    assert len(game) == 4000
    assert second < 5 * first + 0.5

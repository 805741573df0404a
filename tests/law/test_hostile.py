"""Hostile texts are refused with a reason and a place, in linear time; the board stays as it was.

And a random walk of everything that changes a board, against a shadow list of FENs.
"""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from positions import random_fen, start_positions

from cotulenh import AmbiguousMoveError, Board, IllegalMoveError, Move, ParseError, PositionError

RULES = ("official", "online", "blueprint")
REFUSALS = (ParseError, PositionError, IllegalMoveError, AmbiguousMoveError)
LETTERS = "NFTEHCIMAGSnftehcimags+()/0123456789 rb-:acdk<>x_@&,^#"
MILLION = 1_000_000
QUICK = settings(
    max_examples=150,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@cache
def set_up(rules: str, seed: int) -> str:
    """A set-up with a theme or a random one, at times in mid-deployment."""
    rng = random.Random(f"hostile {rules} {seed}")
    fen = rng.choice([*start_positions(rules), random_fen(rng, rules), random_fen(rng, rules)])
    board = Board(fen, rules=rules)
    for _ in range(rng.randrange(6)):
        if not board.legal_moves:
            break
        moves = list(board.legal_moves)
        board.push(rng.choice([m for m in moves if m.is_deploy] or moves))
        if board.is_game_over():  # the end of a game may be no set-up (4.5)
            board.pop()
            break
    return board.fen()


def well_refused(error: ValueError, text: str) -> None:
    """A reason and a place, and for positions the names of the problems."""
    if isinstance(error, (ParseError, PositionError)):
        assert error.reason
        assert error.offset is not None
        assert 0 <= error.offset <= len(text)
    if isinstance(error, PositionError):
        assert error.problems


def read(text: str, rules: str) -> Board | None:
    """The board of a text; None if it is refused as it should be."""
    try:
        board = Board(text, rules=rules)
    except (ParseError, PositionError) as refused:
        well_refused(refused, text)
        return None
    again = Board(board.fen(), rules=rules)  # what is accepted is a position like any other
    assert again == board
    assert list(again.legal_moves) == list(board.legal_moves)
    board.outcome()
    return board


def mutated(rng: random.Random, text: str) -> str:
    """A few characters dropped, doubled, exchanged or put in."""
    chars = list(text)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(chars) + 1)
        kind = rng.randrange(4)
        if kind == 0 or at == len(chars):
            chars.insert(at, rng.choice(LETTERS))
        elif kind == 1:
            del chars[at]
        elif kind == 2:
            chars[at] = rng.choice(LETTERS)
        else:
            other = rng.randrange(len(chars))
            chars[at], chars[other] = chars[other], chars[at]
    return "".join(chars)


# FENs


@QUICK
@given(st.text(max_size=200), st.sampled_from(RULES))
def test_any_unicode_text_is_no_fen(text: str, rules: str) -> None:
    assert read(text, rules) is None


@QUICK
@given(st.binary(max_size=200), st.sampled_from(RULES))
def test_any_bytes_are_no_fen(data: bytes, rules: str) -> None:
    assert read(data.decode("latin-1"), rules) is None
    with pytest.raises((TypeError, ValueError)):
        Board(data, rules=rules)  # type: ignore[arg-type]


@QUICK
@given(st.text(LETTERS, max_size=300), st.sampled_from(RULES))
def test_texts_of_the_right_letters(text: str, rules: str) -> None:
    read(text, rules)


@settings(QUICK, max_examples=600)
@given(st.integers(0, 150), st.integers(0, 2**32), st.sampled_from(RULES))
def test_mutated_fens(seed: int, mutation: int, rules: str) -> None:
    read(mutated(random.Random(mutation), set_up(rules, seed)), rules)


@pytest.mark.parametrize("text", ["\ud800", "11/\udcff", "Mg5\udfff"])
def test_lone_surrogates(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - ParseError or UnicodeError, both are
        Board(text)
    board = Board()
    with pytest.raises(ValueError):  # noqa: PT011
        board.push_san(text)
    assert board == Board()


@pytest.mark.parametrize(
    "text",
    [
        "1" * MILLION,
        "/" * MILLION,
        "(" * MILLION,
        "+" * MILLION,
        "(N" * (MILLION // 2),
        "11/" * (MILLION // 3),
        "T" * MILLION,
        " " * MILLION,
        "\0" * MILLION,
        "ệ" * MILLION,
        Board().fen() + " " * MILLION,
        Board().fen() + "x" * MILLION,
        Board().fen() + " c3:" + "N" * MILLION,
        Board().fen()[:-1] + "9" * MILLION,
        Board().fen().replace(" - ", " " * MILLION + "- "),
    ],
    ids=lambda text: f"{text[:4]!r}…{text[-4:]!r}",
)
def test_a_million_characters(text: str) -> None:
    read(text, "official")


def test_reasons_stay_short_however_long_the_text() -> None:
    for text in ("x" * MILLION, Board().fen() + "x" * MILLION):
        with pytest.raises(ParseError) as refused:
            Board(text)
        assert len(str(refused.value)) < 300


# Texts of moves


def refused_everywhere(board: Board, text: str) -> None:
    """Reading and playing agree, and a refused text changes nothing."""
    before = board._state(), list(board.move_stack)
    for call in (board.parse_lan, board.parse_san):
        try:
            move = call(text)
        except REFUSALS as refused:
            well_refused(refused, text)
        else:
            assert board.is_legal(move)
        assert (board._state(), list(board.move_stack)) == before
    for play in (board.push_lan, board.push_san):
        try:
            played = play(text)
        except REFUSALS:
            assert (board._state(), list(board.move_stack)) == before
            continue
        for _ in played if isinstance(played, list) else [played]:
            board.pop()
        assert (board._state(), list(board.move_stack)) == before


@QUICK
@given(st.text(max_size=60), st.integers(0, 50), st.sampled_from(RULES))
def test_any_unicode_text_as_a_move(text: str, seed: int, rules: str) -> None:
    refused_everywhere(Board(set_up(rules, seed), rules=rules), text)


@QUICK
@given(st.text("NFTEHCIMAGSnftabck123456789+()<>x_@&,^#", max_size=24), st.integers(0, 50))
def test_texts_of_the_right_letters_as_moves(text: str, seed: int) -> None:
    refused_everywhere(Board(set_up("official", seed)), text)


@settings(QUICK, max_examples=300)
@given(st.integers(0, 150), st.integers(0, 2**32), st.sampled_from(RULES))
def test_mutated_moves(seed: int, mutation: int, rules: str) -> None:
    board, rng = Board(set_up(rules, seed), rules=rules), random.Random(mutation)
    moves = list(board.legal_moves)
    if moves:
        move = rng.choice(moves)
        refused_everywhere(board, mutated(rng, rng.choice([board.lan, board.san])(move)))


@pytest.mark.parametrize(
    "text",
    [
        "T" * MILLION,
        "+" * MILLION,
        "(" * MILLION,
        "(NF" * (MILLION // 3),
        "<" * MILLION,
        "," * MILLION,
        "T>d3," * (MILLION // 5),
        "N<" + "T>d3," * (MILLION // 5),
        "N" * MILLION + "<T>d3",
        "Tc3" + "1" * MILLION,
        "^" * MILLION,
        "Mg6" + "#" * MILLION,
        "ệ" * MILLION,
        "\0" * MILLION,
    ],
    ids=lambda text: f"{text[:4]!r}…{text[-4:]!r}",
)
def test_a_million_characters_as_a_move(text: str) -> None:
    refused_everywhere(Board(), text)


def test_reasons_of_refused_moves_stay_short() -> None:
    for text in ("T" * MILLION, "Tc3" + "9" * MILLION, "," * MILLION):
        with pytest.raises(REFUSALS) as refused:
            Board().push_san(text)
        assert len(str(refused.value)) < 400


# The walk


class Walk(RuleBasedStateMachine):
    """Everything that changes a board, beside a list of the FENs it went through."""

    @initialize(rules=st.sampled_from(RULES), seed=st.integers(0, 10_000))
    def begin(self, rules: str, seed: int) -> None:
        self.rules = rules
        self.board = Board(set_up(rules, seed), rules=rules)
        self.fens = [self.board.fen()]

    def deploying(self) -> bool:
        return len(self.fens[-1].split()) == 7

    def choose(self, number: int) -> Move:
        moves = self.board.legal_moves
        return moves[number % len(moves)]

    @precondition(lambda self: self.board.legal_moves)
    @rule(number=st.integers(0, 2**16))
    def push(self, number: int) -> None:
        self.board.push(self.choose(number))
        self.fens.append(self.board.fen())

    @precondition(lambda self: any(m.is_deploy for m in self.board.legal_moves))
    @rule(number=st.integers(0, 2**16))
    def push_step(self, number: int) -> None:
        steps = [m for m in self.board.legal_moves if m.is_deploy]
        self.board.push(steps[number % len(steps)])
        self.fens.append(self.board.fen())

    @precondition(lambda self: self.board.legal_moves)
    @rule(number=st.integers(0, 2**16), san=st.booleans(), lower=st.booleans())
    def push_text(self, number: int, san: bool, lower: bool) -> None:
        move = self.choose(number)
        text = self.board.san(move) if san else self.board.lan(move)
        play = self.board.push_san if san else self.board.push_lan
        expected = self.board.copy()
        expected.push(move)
        play(text.lower() if lower else text)
        assert self.board == expected
        self.fens.append(self.board.fen())

    @precondition(lambda self: len(self.fens) > 1)
    @rule()
    def pop(self) -> None:
        self.board.pop()
        self.fens.pop()

    @precondition(lambda self: len(self.fens) > 1)
    @rule()
    def undo(self) -> None:
        """8.5: the last step of a deployment under way, else the whole last turn."""
        whole = not self.deploying()
        self.board.undo()
        self.fens.pop()
        while whole and self.deploying() and len(self.fens) > 1:
            self.fens.pop()

    @precondition(lambda self: self.deploying())
    @rule()
    def commit(self) -> None:
        before = self.board._state()
        if any(m.kind.name == "COMMIT" for m in self.board.legal_moves):
            self.board.commit()
            self.fens.append(self.board.fen())
        else:
            with pytest.raises(IllegalMoveError):
                self.board.commit()
            assert self.board._state() == before

    @rule()
    def copy(self) -> None:
        """The copy goes on; the original is spoilt and forgotten."""
        original, self.board = self.board, self.board.copy()
        if original.legal_moves:
            original.push(original.legal_moves[0])
        assert self.board.history() == self.board.copy().history()

    @precondition(lambda self: len(self.fens) > 1 and not self.deploying())
    @rule()
    def tell_the_last_turn_again(self) -> None:
        """12.2: the token of a turn, played on the position before it, gives the position after."""
        start = len(self.fens) - 2
        while start and len(self.fens[start].split()) == 7:
            start -= 1
        if len(self.fens[start].split()) == 7:
            return  # the walk began inside this turn
        for text in (self.board.history("san")[-1], self.board.history("lan")[-1]):
            again = Board(self.fens[start], rules=self.rules)
            again.push_san(text)
            assert again.fen() == self.fens[-1], text

    @rule(text=st.text(LETTERS, max_size=8))
    def refuse(self, text: str) -> None:
        refused_everywhere(self.board, text)

    @invariant()
    def the_fens_agree(self) -> None:
        if hasattr(self, "fens"):
            assert self.board.fen() == self.fens[-1]
            assert self.board.ply == len(self.fens) - 1
            assert (self.board.deployment is not None) == self.deploying()
            assert self.board.key == self.board._key_from_scratch()

    @invariant()
    def the_history_has_one_entry_per_turn(self) -> None:
        if hasattr(self, "fens"):
            ended = [len(fen.split()) == 6 for fen in self.fens[1:]]
            assert len(self.board.history()) == sum(ended)


TestWalk = Walk.TestCase
TestWalk.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_a_commit_with_odd_bits_is_refused():
    """From the origin of the deployment, but to another point, as no text could say."""
    board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    board.push_san("T>d3")
    commit = int(board.parse_lan("c3<"))
    for bit in (8, 9, 12, 20, 25):
        with pytest.raises(ValueError, match=r"no move of this game|no move has these bits"):
            board.push(Move.from_int(commit ^ 1 << bit))

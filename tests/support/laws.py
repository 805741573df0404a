"""The laws that hold for every position of every game, written once.

A law is a function of a game (an adapter, see below) and a board; it asserts. test_laws.py runs all
of them over boards reached by random play. A law must leave the board as it found it.
"""

import random
import re
from dataclasses import dataclass, field

from positions import start_positions

import cotulenh
import cotulenh.chess as chess
from cotulenh.errors import IllegalMoveError


@dataclass(frozen=True)
class Game:
    """What the laws need to know of a game beyond the names that both games share."""

    name: str
    new: object  # fen -> Board
    move: type
    bits: int  # of a packed move
    text: str  # the name of the game's exact notation: board.uci / parse_uci, board.lan / parse_lan
    ranks: int
    sides: dict = field(default_factory=dict)  # the letters of the two sides, exchanged
    starts: tuple = ()

    def board(self, fen):
        return self.new(fen)

    def write(self, board, move):
        return getattr(board, self.text)(move)

    def read(self, board, text):
        return getattr(board, f"parse_{self.text}")(text)

    def mirrored(self, text):
        """The names of squares in a text, seen from the other side of the board."""
        turn = self.ranks + 1
        return re.sub(r"([a-l])(\d+)", lambda m: f"{m[1]}{turn - int(m[2])}", text)

    def mirrored_fen(self, fen):
        placement, turn, *rest = fen.split(" ")
        rows = "/".join(reversed(placement.split("/"))).swapcase()
        return " ".join([rows, self.sides[turn], *self.mirrored_fields(rest)])

    def mirrored_fields(self, fields):
        return [self.mirrored(field) for field in fields]


class Chess(Game):
    def mirrored_fields(self, fields):
        castling, en_passant, *clocks = fields
        return [castling.swapcase(), self.mirrored(en_passant), *clocks]


CHESS = Chess(
    name="chess",
    new=chess.Board,
    move=chess.Move,
    bits=16,
    text="uci",
    ranks=8,
    sides={"w": "b", "b": "w"},
    starts=(
        chess.STARTING,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/2p1p1p1/8/1P1P1P2/1p1p1p2/8/2P1P1P1/4K3 w - - 0 1",
    ),
)
CHESS960 = Chess(
    name="chess960",
    new=lambda fen: chess.Board(fen, chess960=True),
    move=chess.Move,
    bits=16,
    text="uci",
    ranks=8,
    sides={"w": "b", "b": "w"},
    starts=(
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "rkr5/8/8/8/8/8/8/RKR4R w CAca - 0 1",
        "4k1r1/8/8/8/8/8/8/1R3K2 w Bg - 0 1",
        "1rk1r3/8/3p4/8/8/8/4P3/R4KR1 b GAeb - 0 1",
    ),
)


def co_tu_lenh(rules):
    return Game(
        name=rules,
        new=lambda fen: cotulenh.Board(fen, rules=rules),
        move=cotulenh.Move,
        bits=32,
        text="lan",
        ranks=12,
        sides={"r": "b", "b": "r"},
        starts=tuple(start_positions(rules)),
    )


CO_TU_LENH = tuple(co_tu_lenh(rules) for rules in ("official", "online", "blueprint"))
GAMES = (CHESS, CHESS960, *CO_TU_LENH)


def played(game, start, seed, plies):
    """A board after random moves, fewer if the game ends before."""
    chance, board = random.Random(seed), game.board(start)
    for _ in range(plies):
        moves = board.legal_moves
        if not moves or board.is_game_over():
            break
        board.push(moves[chance.randrange(len(moves))])
    return board


# The laws -----------------------------------------------------------------------------------------


def law_undo_after_make_is_identity(game, board):
    before, fen, key = board._state(), board.fen(), board.key
    for move in board.legal_moves:
        board.push(move)
        assert board.pop() == move
        assert (board._state(), board.fen(), board.key) == (before, fen, key), move


def law_the_key_is_the_key_from_scratch(game, board):
    assert board.key == board._key_from_scratch()
    for move in board.legal_moves:
        board.push(move)
        assert board.key == board._key_from_scratch(), move
        board.pop()


def law_a_fen_round_trips(game, board):
    again = game.board(board.fen())
    assert again == board
    assert (again.fen(), again.key, hash(again)) == (board.fen(), board.key, hash(board))
    assert list(again.legal_moves) == list(board.legal_moves)


def law_a_repr_rebuilds(game, board):
    assert eval(repr(board), {"Board": type(board), "Rules": cotulenh.Rules}) == board
    for move in board.legal_moves:
        assert eval(repr(move), {"Move": game.move}) == move


def law_texts_of_moves_round_trip(game, board):
    texts = set()
    for move in board.legal_moves:
        exact, san = game.write(board, move), board.san(move)
        assert game.read(board, exact) == move, exact
        assert board.parse_san(san) == move, san
        texts |= {("exact", exact), ("san", san)}
    assert len(texts) == 2 * len(board.legal_moves)


def law_numbers_of_moves_round_trip(game, board):
    for move in board.legal_moves:
        assert 0 <= int(move) < 1 << game.bits
        assert game.move.from_int(int(move)) == move


def law_no_move_is_listed_twice(game, board):
    moves = [int(move) for move in board.legal_moves]
    assert len(set(moves)) == len(moves) == len(board.legal_moves)


def law_legal_moves_are_pseudo_legal(game, board):
    assert set(board.legal_moves) <= set(board.pseudo_legal_moves)


def law_legal_means_listed(game, board):
    """Of arbitrary bits: near a legal move, and far from any."""
    listed = {int(move) for move in board.legal_moves}
    chance = random.Random(board.key)
    tries = {chance.getrandbits(game.bits) for _ in range(200)} | listed
    tries |= {bits ^ 1 << chance.randrange(game.bits) for bits in listed for _ in range(4)}
    before = board._state()
    for bits in tries:
        try:
            move = game.move.from_int(bits)
        except ValueError:  # bits that are no move at all
            assert bits not in listed
            continue
        legal = board.is_legal(move)
        assert legal == (move in board.legal_moves), bits
        assert legal or bits not in listed, bits
        try:
            board.push(move)
        except IllegalMoveError:
            assert not legal
        else:  # a plain e1g1 is the castling it means, never an illegal move
            assert legal
            assert int(board.pop()) in listed
    assert board._state() == before


def law_the_mirror_changes_nothing(game, board):
    mirror = game.board(game.mirrored_fen(board.fen()))
    ours = sorted(game.mirrored(game.write(board, move)) for move in board.legal_moves)
    assert sorted(game.write(mirror, move) for move in mirror.legal_moves) == ours
    assert mirror.is_check() == board.is_check()
    forgetful = game.board(board.fen())  # like the mirror, it knows of no repetitions
    assert (mirror.outcome() is None) == (forgetful.outcome() is None)
    assert mirror.turn is not board.turn


def law_counting_agrees_with_listing(game, board):
    assert board.perft(1) == len(board.legal_moves)
    two = 0
    for move in board.legal_moves:
        board.push(move)
        two += len(board.legal_moves)
        board.pop()
    assert board.perft(2) == two == sum(board.divide(2).values())


def law_a_copy_goes_its_own_way(game, board):
    before, other = board._state(), board.copy()
    assert other == board
    assert other.history() == board.history()
    for move in list(other.legal_moves)[:1]:
        other.push(move)
        assert board._state() == before
        assert other != board


def law_a_snapshot_stays(game, board):
    moves = board.legal_moves
    kept = list(moves)
    for move in kept[:3]:
        board.push(move)
        assert list(moves) == kept
        board.pop()


LAWS = [law for name, law in sorted(globals().items()) if name.startswith("law_")]

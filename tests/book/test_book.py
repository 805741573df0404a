"""Native books of both games and Polyglot's: built, merged, asked, damaged."""

import io
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from generated import play

from cotulenh import Board, chess, pgn
from cotulenh.book import Book, open_book, polyglot
from cotulenh.game import Game
from cotulenh.games import new_board

RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]


def games_of(make, count=60, plies=14):
    """Games that share their beginnings: few dice decide the first moves."""
    out = []
    for seed in range(count):
        board = make()
        for step in range(3):
            moves = list(board.legal_moves)
            board.push(moves[(seed // 4**step) % 3])
        play(random.Random(seed), board, plies)
        game = Game.from_board(board)
        game.result = RESULTS[seed % 4]
        for node in game.mainline():
            node.eval = (seed * 7 + node.ply) % 50 - 25
        out.append(game)
    return out


def counted(games, turns=1000):
    """The same by hand, in Python: key → move → [games, wins, draws, losses, scores]."""
    table = defaultdict(lambda: defaultdict(lambda: [0, 0, 0, 0, []]))
    for game in games:
        board = game.board()
        for node in list(game.mainline())[:turns]:
            for move in node.moves:
                row = table[board.key][int(move)]
                second = board.turn.name in ("BLACK", "BLUE")
                row[0] += 1
                if game.result == "1/2-1/2":
                    row[2] += 1
                elif game.result != "*":
                    row[1 if (game.result == "0-1") == second else 3] += 1
                if move is node.moves[-1] or int(move) == int(node.moves[-1]):
                    row[4].append(-node.eval.cp if second else node.eval.cp)
                board.push(move)
    return table


@pytest.mark.parametrize("make", [chess.Board, Board])
@pytest.mark.parametrize("memory_mb", [256, 0])
def test_a_book_counts_what_was_played(tmp_path, make, memory_mb):
    """With no memory to speak of everything goes through files, and comes out the same."""
    games = games_of(make)
    book = Book.build(games, tmp_path / "a.book", memory_mb=memory_mb)
    wanted = counted(games)
    assert (len(book), book.games) == (len(wanted), len(games))
    seen = 0
    for position in book.dump():
        rows = wanted[position.key]
        assert {row[0] for row in position.moves} == set(rows)
        for bits, count, wins, draws, losses, score in position.moves:
            mine = rows[bits]
            assert [count, wins, draws, losses] == mine[:4]
            if mine[4]:
                assert score == pytest.approx(sum(mine[4]) / len(mine[4]), abs=1e-3)
            seen += 1
    assert seen == sum(map(len, wanted.values()))
    assert [position.key for position in book.dump()] == sorted(wanted)
    assert not list(tmp_path.glob("*.run*"))
    assert not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize("make", [chess.Board, Board])
def test_moves_of_a_board(tmp_path, make):
    games = games_of(make)
    book = Book.build(games, tmp_path / "a.book")
    board = make()
    known = book.moves(board)
    assert known == sorted(known, key=lambda one: -one.count)
    assert sum(one.count for one in known) == len(games)
    first = Counter(game.moves()[0] for game in games)
    assert {one.move: one.count for one in known} == dict(first)
    assert book.choose(board, random.Random(1)) in first
    board.push(list(board.legal_moves)[-1])
    assert book.moves(board) == []
    assert book.choose(board) is None


def test_deployments_are_known_step_by_step(tmp_path):
    fen = "6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1"
    game = Game(Board(fen), {"Result": "1-0"})
    game.add("N<F>c6,T>d3")
    book = Book.build([game], tmp_path / "a.book")
    board = Board(fen)
    for move in next(game.mainline()).moves:
        (one,) = book.moves(board)
        assert (one.move, one.count, one.wins) == (move, 1, 1)
        board.push(move)


def test_turns_and_least(tmp_path):
    games = games_of(chess.Board)
    short = Book.build(games, tmp_path / "a.book", turns=2)
    assert len(short) == len(counted(games, 2))
    common = Book.build(games, tmp_path / "b.book", least=5)
    wanted = counted(games)
    reached = {key for key, rows in wanted.items() if sum(row[0] for row in rows.values()) >= 5}
    assert {position.key for position in common.dump()} == reached


def test_merged_books_are_the_book_of_all_games(tmp_path):
    games = games_of(Board)
    parts = [Book.build(games[i::3], tmp_path / f"{i}.book", game="official") for i in range(3)]
    merged = Book.merge(parts, tmp_path / "all.book")
    whole = Book.build(games, tmp_path / "whole.book")
    assert merged.games == whole.games
    for a, b in zip(merged.dump(), whole.dump(), strict=True):
        assert a.key == b.key
        for one, other in zip(a.moves, b.moves, strict=True):
            assert one[:5] == other[:5]
            assert one[5] == pytest.approx(other[5], abs=1e-2)


def test_evaluations_of_merged_books_count_by_their_number(tmp_path):
    for name, evals in (("a", (1, 2)), ("b", (0.1, 0.3, 0.5))):
        text = "".join(f"1. e4 {{[%eval {value}]}} *\n\n" for value in evals)
        (tmp_path / f"{name}.pgn").write_text(text, "utf-8")
        Book.build(tmp_path / f"{name}.pgn", tmp_path / f"{name}.book")
    for order in ("ab", "ba"):
        parts = [tmp_path / f"{name}.book" for name in order]
        (one,) = Book.merge(parts, tmp_path / "all.book").moves(chess.Board())
        assert one.score == pytest.approx((100 + 200 + 10 + 30 + 50) / 5, abs=1e-3)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize("part", ["part0", "part1", "part2", "new"])
def test_a_full_disk_is_said_and_leaves_the_book_that_was(tmp_path, part):
    path = tmp_path / "a.book"
    Book.build(games_of(chess.Board, 3), path)
    before = path.read_bytes()
    (tmp_path / f"a.book.{part}").symlink_to("/dev/full")
    with pytest.raises(ValueError, match="cannot write"):
        Book.build(games_of(chess.Board, 9), path)
    assert path.read_bytes() == before


def test_threads_and_files_make_the_same_book(tmp_path):
    path = tmp_path / "games.pgn.gz"
    games = games_of(chess.Board)
    pgn.write(games, path)
    one = Book.build(games, tmp_path / "a.book")
    for threads in (1, 3):
        other = Book.build(path, tmp_path / "b.book", threads=threads)
        assert list(other.dump()) == list(one.dump())
    assert (tmp_path / "a.book").read_bytes() == (tmp_path / "b.book").read_bytes()


def test_only_games_of_one_kind(tmp_path):
    games = games_of(chess.Board, 5) + games_of(Board, 7)
    assert Book.build(games, tmp_path / "a.book").games == 5
    book = Book.build(games, tmp_path / "b.book", game="official")
    assert (book.games, book.game) == (7, "official")
    with pytest.raises(ValueError, match="expected a board of official, got one of chess"):
        book.moves(chess.Board())
    with pytest.raises(ValueError, match="expected a book of chess"):
        Book.merge([tmp_path / "a.book", book], tmp_path / "c.book")


def test_damage_is_seen(tmp_path):
    path = tmp_path / "a.book"
    Book.build(games_of(chess.Board, 9), path)
    good = path.read_bytes()
    dice = random.Random(1)
    for _ in range(40):
        bad = bytearray(good)
        bad[dice.randrange(len(bad))] ^= 1 << dice.randrange(8)
        path.write_bytes(bytes(bad))
        with pytest.raises(ValueError, match=r"a\.book: "):
            Book(path)
    for text in (b"", b"x", good[:-1], good + b"x", b"ctlbook\0" + bytes(200)):
        path.write_bytes(text)
        with pytest.raises(ValueError, match=r"a\.book"):
            Book(path)
    with pytest.raises(ValueError, match="cannot be opened"):
        Book(tmp_path / "none.book")
    for at, says in ((8, "another version"), (12, "another order of bytes")):
        path.write_bytes(good[:at] + bytes([good[at] + 1]) + good[at + 1 :])
        with pytest.raises(ValueError, match=f"a book of .*{says}"):
            Book(path)


def test_a_book_of_rules_of_one_s_own(tmp_path):
    rules = tmp_path / "mine.toml"
    rules.write_text('extends = "official"\nname = "mine"\n', "utf-8")
    games = tmp_path / "games.pgn"
    games.write_text('[Variant "mine"]\n\n1. Mg6 Mg7 1-0\n', "utf-8")
    book = Book.build(games, tmp_path / "a.book", game=str(rules))
    assert (book.game, book.games) == ("mine", 1)
    board = new_board(rules)
    assert [board.san(one.move) for one in book.moves(board)] == ["Mg6"]
    assert [" ".join(line) for line, _ in book.lines(start=board)] == ["Mg6", "Mg6 Mg7"]
    assert not book.fits(Board())


def with_its_checksum(data):
    """A book whose sum is right again: words mixed one after another, its own place empty."""
    at, sum_ = 40, 0
    data = data[:at] + bytes(8) + data[at + 8 :]
    padded = data + bytes(-len(data) % 8)
    words = [int.from_bytes(padded[i : i + 8], sys.byteorder) for i in range(0, len(padded), 8)]
    for word in [*words, 0]:
        sum_ = ((sum_ ^ sum_ >> 32) + word) * 0x9E3779B97F4A7C15 % 2**64
    return data[:at] + sum_.to_bytes(8, sys.byteorder) + data[at + 8 :]


def test_counts_stop_at_the_greatest_number(tmp_path):
    """Rather than beginning again at 0."""
    path = tmp_path / "a.book"
    Book.build([pgn.parse("1. e4 1-0")], path)
    data = path.read_bytes()
    assert with_its_checksum(data) == data
    count = len(data) - 28 + 4  # the only entry: move, games, wins, draws, losses, …
    path.write_bytes(with_its_checksum(data[:count] + b"\xff" * 8 + data[count + 8 :]))
    merged = Book.merge([path, path, Book(path)], tmp_path / "b.book")
    (one,) = merged.moves(chess.Board())
    assert (one.count, one.wins, one.draws) == (2**32 - 1, 2**32 - 1, 0)


def test_an_evaluation_is_that_of_its_own_move(tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 {[%eval 1.0]} *\n\n1. d4 *\n\n1. c4 {so} c5 {[%eval 1.0]} *\n", "utf-8")
    book = Book.build(games, tmp_path / "a.book")
    assert {" ".join(line): one.score for line, one in book.lines()} == {
        "e4": 100, "d4": None, "c4": None, "c4 c5": -100,
    }  # fmt: skip


def test_a_game_counts_as_far_as_it_can_be_read(tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 e5 2. Ke5 1-0\n\n1. Ke5 1-0\n", "utf-8")
    book = Book.build(games, tmp_path / "a.book")
    assert book.games == 1
    assert [" ".join(line) for line, _ in book.lines()] == ["e4", "e4 e5"]


def test_a_name_that_a_book_cannot_hold_is_refused(tmp_path):
    """A book that forgot a part of the name would not fit the rules it was made for."""
    games = tmp_path / "games.pgn"
    for length in (63, 64):
        name = "m" * length
        (tmp_path / "mine.toml").write_text(f'extends = "official"\nname = "{name}"\n', "utf-8")
        games.write_text(f'[Variant "{name}"]\n\n1. Mg6 Mg7 1-0\n', "utf-8")
        path = tmp_path / f"{length}.book"
        if length == 63:
            book = Book.build(games, path, game=str(tmp_path / "mine.toml"))
            assert book.fits(new_board(tmp_path / "mine.toml"))
        else:
            with pytest.raises(ValueError, match="name of its rule set"):
                Book.build(games, path, game=str(tmp_path / "mine.toml"))
            assert not path.exists()


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_part_that_cannot_be_written_is_said(tmp_path, part):
    (tmp_path / f"a.book.part{part}").mkdir()
    with pytest.raises(ValueError, match="cannot write"):
        Book.build(games_of(chess.Board, 3), tmp_path / "a.book")


@pytest.mark.parametrize("memory_mb", [256, 0])
def test_what_lies_beside_a_book_is_no_part_of_it(tmp_path, memory_mb):
    """What a build that was broken off left behind, and files of others."""
    games = games_of(chess.Board, 9)
    wanted = Book.build(games, tmp_path / "wanted.book")
    (tmp_path / "a.book.run0").write_bytes(bytes(range(200)) * 40)
    (tmp_path / "a.book.part3").write_bytes(b"mine")
    book = Book.build(games, tmp_path / "a.book", memory_mb=memory_mb)
    assert list(book.dump()) == list(wanted.dump())
    assert (tmp_path / "a.book.part3").read_bytes() == b"mine"


def test_lines(tmp_path):
    texts = ["1. e4 e5 1-0", "1. e4 c5 0-1", "1. d4 1/2-1/2"]
    book = Book.build([pgn.parse(text) for text in texts], tmp_path / "a.book")
    assert [(" ".join(line), one.count) for line, one in book.lines()] == [
        ("e4", 2), ("e4 c5", 1), ("e4 e5", 1), ("d4", 1),
    ]  # fmt: skip


# Polyglot -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "key"),
    [
        (Board(), 0x2C87EE9C8CD2574B),
        (Board(rules="blueprint"), 0x50494A140515CA32),
        (chess.Board(), 0xADE9DDB7253D7210),
    ],
)
def test_keys_stay_the_same_from_release_to_release(board, key):
    """Books hold them: with others every book that is there would be empty."""
    assert board.key == key


def test_keys_of_the_format_s_description():
    """The positions that the description of the format gives, with their keys."""
    board = chess.Board()
    assert polyglot.key(board) == 0x463B96181691FC9C
    wanted = {
        "e4": 0x823C9B50FD114196, "d5": 0x0756B94461C50FB0, "e5": 0x662FAFB965DB29D4,
        "f5": 0x22A48B5A8E47FF78, "Ke2": 0x652A607CA3F242C1, "Kf7": 0x00FDD303C946BDD9,
    }  # fmt: skip
    for move, key in wanted.items():
        board.push_san(move)
        assert polyglot.key(board) == key
    board = chess.Board()
    board.push_sans("a4 b5 h4 b4 c4")
    assert polyglot.key(board) == 0x3C8123EA7B067637
    board.push_sans("bxc3 Ra3")
    assert polyglot.key(board) == 0x5C3F9B829B279560


def test_the_chess_package_agrees_on_keys_and_books(tmp_path):
    theirs, package = pytest.importorskip("chess.polyglot"), pytest.importorskip("chess")
    assert polyglot._random64() == list(theirs.POLYGLOT_RANDOM_ARRAY)
    path = tmp_path / "a.bin"
    book = Book.build(games_of(chess.Board), tmp_path / "a.book")
    written = polyglot.from_book(book, path)
    ours = polyglot.PolyglotBook(path)
    assert len(ours) == written
    with theirs.open_reader(path) as reader:
        assert [(e.key, e.raw_move, e.weight, e.learn) for e in reader] == list(ours)
        for seed in range(200):
            fen = play(random.Random(seed), chess.Board(), seed % 12).fen()
            board, same = chess.Board(fen), package.Board(fen)
            assert theirs.zobrist_hash(same) == polyglot.key(board)
            found = {entry.move.uci(): entry.weight for entry in ours.find(board)}
            entries = reader.find_all(same, minimum_weight=0)
            assert found == {entry.move.uci(): entry.weight for entry in entries}
    ours.close()


def test_castling_in_polyglot_s_books(tmp_path):
    path, board = tmp_path / "a.bin", chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    short, long = board.parse_san("O-O"), board.parse_san("O-O-O")
    assert polyglot.write([(board, short, 7), (board, long, 9)], path) == 2
    found = polyglot.PolyglotBook(path).find(board)
    assert [(entry.move, entry.weight) for entry in found] == [(long, 9), (short, 7)]
    assert path.read_bytes()[8:10] == bytes([0b0000_0001, 0b0000_0000])  # e1a1: 4 << 6 | 0


def test_no_polyglot_book(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(b"x" * 17)
    with pytest.raises(ValueError, match="multiple of 16"):
        polyglot.PolyglotBook(path)
    path.write_bytes(b"")
    assert polyglot.PolyglotBook(path).find(chess.Board()) == []


# Who plays from it --------------------------------------------------------------------------


def book_of_a4(path):
    """A book that knows 1. a4 alone, native or Polyglot's."""
    if path.suffix == ".bin":
        board = chess.Board()
        polyglot.write([(board, board.parse_san("a4"), 1)], path)
    else:
        Book.build([pgn.parse("1. a4 h5 1-0")], path)


def uci(*lines):
    from cotulenh.protocols.uci import serve

    out = io.StringIO()
    serve(io.BytesIO("\n".join([*lines, "isready\n"]).encode()), out)
    return out.getvalue()


@pytest.mark.parametrize("name", ["a.book", "a.bin"])
def test_the_engine_plays_from_a_book_on_request(tmp_path, name):
    from cotulenh.engine import Limit
    from cotulenh.match.players import Spec, make_player

    path = tmp_path / name
    book_of_a4(path)
    player = make_player(Spec.parse(f"engine,book={path}"))
    board = chess.Board()
    assert player.choose(board, Limit(nodes=1)).uci() == "a2a4"
    player.close()
    lines = [f"setoption name BookFile value {path}", "setoption name OwnBook value true"]
    assert "bestmove a2a4" in uci(*lines, "position startpos", "go nodes 10")
    after = uci(*lines, "position startpos moves e2e4 e7e5", "go nodes 10")
    assert "from the book" not in after  # it knows nothing there
    assert "bestmove" in after


def test_a_book_that_cannot_be_used_is_one_line_to_uci(tmp_path):
    (tmp_path / "bad.book").write_bytes(b"x" * 500)
    said = uci(f"setoption name BookFile value {tmp_path / 'bad.book'}", "go nodes 10")
    assert said.count("bad.book: not a book") == 1
    assert "bestmove" in said


def test_an_empty_book_knows_nothing(tmp_path):
    from cotulenh.engine import Limit
    from cotulenh.match.players import Spec, make_player

    path = tmp_path / "a.book"
    assert len(Book.build([], path)) == 0
    player = make_player(Spec.parse(f"engine,book={path}"))
    assert player.choose(chess.Board(), Limit(nodes=1)) in chess.Board().legal_moves
    player.close()
    (tmp_path / "a.bin").write_bytes(b"")
    assert open_book(tmp_path / "a.bin").choose(chess.Board()) is None
    with pytest.raises(ValueError, match="expected a board of chess"):
        open_book(tmp_path / "a.bin").choose(Board())


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("{[%eval #3]}", 10_000),
        ("{[%eval #-3]}", -10_000),
        ("{[%eval 250]}", 10_000),
        ("$1 {good} {[%eval 0.5]}", 50),
        ("{[%eval 0.5]} {[%eval 2]}", 50),
        ("{[%eval inf]}", None),
        ("{[%eval ]}", None),
        ("{[%eval", None),
        ("{good} $1", None),
    ],
)
def test_what_an_annotation_is_worth(tmp_path, said, score):
    path = tmp_path / "a.pgn"
    path.write_text(f"1. e4 {said} e5 *\n\n1. e4 e5 *\n", "utf-8")
    (one,) = Book.build(path, tmp_path / "a.book").moves(chess.Board())
    assert one.score == score


def test_games_of_unknown_variants_and_games_that_are_passed_add_nothing(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text('1. e4 -- 2. d4 *\n\n[Variant "Atomic"]\n\n1. e4 *\n\n1. d4 *\n', "utf-8")
    moves = Book.build(path, tmp_path / "a.book").moves(chess.Board())
    assert {(str(move.move), move.count) for move in moves} == {("e2e4", 1), ("d2d4", 1)}

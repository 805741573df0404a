"""Reading: files of all sorts, what is passed over, and where and why."""

import gzip
import io

import pytest

from cotulenh import Rules, chess, pgn

TWO = '[Event "A"]\n[White "Ä"]\n\n1. e4 e5 1-0\n\n[Event "B"]\n\n1. d4 {ß} *\n'
CTL = '[Event "C"]\n[Red "Lan"]\n[Blue "Minh"]\n\n1. Mg6 mg7 2. Mh6 *\n'


def read(text, **options):
    reader = pgn.read(io.StringIO(text), **options)
    return list(reader), [str(problem) for problem in reader.problems]


def test_paths_streams_text_and_bytes(tmp_path):
    path = tmp_path / "two.pgn"
    path.write_text(TWO, "utf-8")
    for where in (path, str(path), io.StringIO(TWO), io.BytesIO(TWO.encode())):
        assert [game.tags["Event"] for game in pgn.read(where)] == ["A", "B"]
    with pgn.read(path) as reader:
        assert next(reader).tags["White"] == "Ä"
    with pytest.raises(FileNotFoundError):
        pgn.read(tmp_path / "none.pgn")


@pytest.mark.parametrize("ending", ["pgn", "pgn.gz", "pgn.zst"])
def test_packed(tmp_path, ending):
    if ending.endswith("zst"):
        pytest.importorskip("zstandard")
    path = tmp_path / f"games.{ending}"
    games = list(pgn.read(io.StringIO(TWO + "\n" + CTL)))
    assert pgn.write(games, path) == 3
    assert list(pgn.read(path)) == games
    index = pgn.index(path)
    assert [index[i] for i in (2, 0, 1)] == [games[2], games[0], games[1]]
    assert (
        path.read_bytes()[:2]
        == {"pgn": b"[E", "gz": b"\x1f\x8b", "zst": b"\x28\xb5"}[ending.rsplit(".", 1)[-1]]
    )


@pytest.mark.parametrize("name", ["gz", "zst"])
def test_packed_in_several_parts(name):
    compress = gzip.compress
    if name == "zst":
        compress = pytest.importorskip("zstandard").ZstdCompressor().compress
    parts = b"".join(compress(text.encode()) for text in (TWO, "\n" + CTL, "\n" + TWO * 500))
    reader = pgn.read(io.BytesIO(parts))
    assert sum(1 for _ in reader) == 1003
    assert reader.problems == []


@pytest.mark.parametrize("name", ["gz", "zst"])
def test_damaged_packing_is_reported(name):
    """Cut off, or spoiled in the middle; what came before is read."""
    if name == "zst":
        packed = pytest.importorskip("zstandard").ZstdCompressor().compress(TWO.encode() * 9999)
    else:
        packed = gzip.compress(TWO.encode() * 9999)
    for damaged in (packed[: len(packed) // 2], packed[:20] + b"\0" * 99 + packed[119:]):
        reader = pgn.read(io.BytesIO(damaged))
        sum(1 for _ in reader)
        assert any("cannot be read on" in problem.reason for problem in reader.problems)


@pytest.mark.parametrize(
    ("raw", "white"),
    [
        ('[White "Müller"]\n\n*'.encode("latin-1"), "Müller"),
        ('[White "Müller"]\n\n*'.encode("utf-16"), "Müller"),
        ('\ufeff[White "Nguyễn"]\r\n\r\n*'.encode(), "Nguyễn"),
        (b'[White "\x81\xff"]\n\n*', "\x81ÿ"),
        (b'[Event "x"]\r[White "Old Mac"]\r\r1. e4 e5\r2. d4 *\r', "Old Mac"),
    ],
)
def test_encodings(raw, white):
    (game,) = pgn.read(io.BytesIO(raw))
    assert game.tags["White"] == white


def test_encoding_by_wish():
    raw = '[White "Nguyễn"]\n\n1. e4 *'.encode("utf-16-le")
    (game,) = pgn.read(io.BytesIO(raw), encoding="utf-16-le")
    assert (game.tags["White"], game.sans()) == ("Nguyễn", ["e4"])
    (game,) = pgn.read(io.BytesIO(b'[White "\xe4"]\n\n*'), encoding="cp1251")
    assert game.tags["White"] == "д"


def test_which_game_it_is():
    games, problems = read(
        TWO.partition("\n\n[")[0]
        + "\n\n" + CTL
        + '\n[Variant "blueprint"]\n\n*\n'
        + '\n[Variant "Cờ Tư Lệnh"]\n\n1. Mg6 *\n'
        + '\n[Variant "Chess960"]\n\n1. O-O *\n'
        + '\n[Variant "Atomic"]\n\n*\n'
        + '\n[FEN "6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1"]\n\n1. Cf2 *\n'
    )  # fmt: skip
    assert [game.rules and game.rules.name for game in games] == [
        None, "official", "blueprint", "official", "official",
    ]  # fmt: skip
    assert len(problems) == 2
    assert "O-O" in problems[0]
    assert "Atomic" in problems[1]


def test_rules_by_wish():
    (game,) = pgn.read(io.StringIO("1. Mg6 *"), rules="online")
    assert game.rules is Rules.load("online")
    assert read("1. Mg6 *")[0] == []
    games, _ = read('[Red "x"]\n\n1. e4 *', rules="chess")
    assert games[0].sans() == ["e4"]


BAD = [
    ("1. e4 e5 2. Ke3 *", 1, 13, "illegal"),
    ("1. e4 e5 *\n\n1. e4 e5\n2. Bc4 Bc5 3. Q4 *", 4, 15, "not a move"),
    ("1. d4 d5 2. Nf3 c6 3. Nd2 *", 1, 23, "ambiguous"),
    ("1. e4 {never closed", 1, 7, "comment"),
    ("1. e4 (1. d4", 1, 7, "variation"),
    ("1. e4 ) *", 1, 7, "closes nothing"),
    ("( 1. e4 ) *", 1, 1, "before any move"),
    ("1. e4 () *", 1, 8, "without a move"),
    ("1. e4 $ *", 1, 7, "number"),
    ("1. e4 $256 *", 1, 7, "number"),
    ("1. e4 $2550 *", 1, 7, "number"),
    ("1. e4 !!! *", 1, 7, "mark"),
    ("1. e4 \0 *", 1, 7, "no place"),
    ("1. e4 } *", 1, 7, "no place"),
    ('[Event "x]\n\n1. e4 *', 1, 1, "tag"),
    ('[Event "x"]\n[White Müller]\n\n1. e4 *', 2, 1, "tag"),
    ('[Event "x"]\n[FEN "8/8/8 w - - 0 1"]\n\n1. e4 *', 2, 1, "FEN"),
    ('[Red "x"]\n\n1. Mg6 Mg6 *', 3, 8, "illegal"),
    ('[Red "x"]\n\n1. Mg6 (NFX)b5 *', 3, 11, "letters"),
]


@pytest.mark.parametrize(("text", "line", "column", "word"), BAD)
def test_where_and_why(text, line, column, word):
    reader = pgn.read(io.StringIO(text + '\n\n[Event "next"]\n\n1. d4 *'))
    games = list(reader)
    assert games[-1].sans() == ["d4"]
    problem = reader.problems[0]
    assert word in problem.reason
    assert (problem.line, problem.column) == (line, column), str(problem)
    assert len(reader.problems) == 1
    with pytest.raises(pgn.PGNError, match=word):
        list(pgn.read(io.StringIO(text), errors="raise"))


@pytest.mark.parametrize(("text", "line", "column", "word"), BAD[:13])
def test_what_could_be_read_is_kept(text, line, column, word):
    games = list(pgn.read(io.StringIO(text), errors="keep"))
    bad = [game for game in games if game.problems]
    assert word in bad[0].problems[0].reason
    assert pgn.parse(pgn.dumps(bad[0])) == bad[0]


def test_an_unclosed_comment_does_not_swallow_the_next_game():
    games, problems = read('[Event "A"]\n\n1. e4 {oh\n\n[Event "B"]\n\n1. d4 {fine} *\n')
    assert [game.tags["Event"] for game in games] == ["A", "B"]
    assert problems == ["<stream>:3:7: a comment that does not end"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
def test_lines_may_end_as_other_systems_end_them(end):
    text = '[Event "A"]\n\n1. e4 {oh\n\n[Event "B"]\n\n1. d4 {fine} *\n'.replace("\n", end)
    reader = pgn.read(io.BytesIO(text.encode()))
    assert [game.tags["Event"] for game in reader] == ["A", "B"]
    assert len(reader.problems) == 1


@pytest.mark.parametrize("value", ["Anna\n", "An\nna"])
def test_the_end_of_a_tag_may_stand_on_the_next_line(value):
    (game,), problems = read(f'[White "{value}"]\n\n1. e4 *')
    assert game.tags["White"].split() == value.split()
    assert (game.sans(), len(problems)) == (["e4"], 1)


def test_lenient_where_files_are():
    text = (
        "% an escaped line\n1.e4 e5 2.Nf3! ; to the end\nNc6?? 3. Bb5 a6 4. O-O\n% another\n"
        "exd4 $10 *"
    )
    games, problems = read(text)
    assert problems == ["<stream>:5:1: illegal move: 'exd4'"]
    games, problems = read("1. e4 1... e5 2. 0-0 *")
    assert "0-0" in problems[0]
    games, _ = read("1. e2e4 e7e5 2. g1f3 1/2-1/2 1. d4")
    assert [game.sans() for game in games] == [["e4", "e5", "Nf3"], ["d4"]]
    games, _ = read("1. e4 (1. d4 1-0) e5 0-1")
    assert (games[0].sans(), games[0].result) == (["e4", "e5"], "0-1")
    games, _ = read("1. e4 d5 2. e5 f5 3. exf6 e.p. *")
    assert len(games[0]) == 5


def test_comments_find_their_turn():
    (game,) = read("{start} 1. e4 {a} {b} ({c} 1. d4 {d}) {e} 1... e5 (1... c5) {f} *")[0]
    e4, d4 = game.root.children
    assert game.root.comments == ["start"]
    assert (e4.comments, d4.before, d4.comments) == (["a", "b"], ["c"], ["d"])
    assert e4.children[0].before == ["e"]
    assert e4.children[0].comments == ["f"]


def test_results_and_tags():
    (game,) = read('[Result "1-0"]\n[Odd "a \\" b \\\\ c"]\n\n1. e4')[0]
    assert (game.result, game.tags["Odd"]) == ("1-0", 'a " b \\ c')
    (game,) = read('[Result "1-0"]\n\n1. e4 0-1')[0]
    assert (game.result, game.tags["Result"]) == ("0-1", "1-0")
    (game,) = read('[Result "win"]\n\n1. e4')[0]
    assert game.result == "*"


def test_headers_and_index(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text((TWO + "\n" + CTL + "\n") * 50, "utf-8")
    heads = list(pgn.headers(path))
    assert [head.game for head in heads] == list(range(1, 151))
    raw = path.read_bytes()
    assert all(raw[head.offset : head.offset + 7] == b"[Event " for head in heads)
    assert heads[1].line == 6
    index = pgn.index(path)
    assert len(index) == 150
    assert index.find(Event="C")[:2] == [2, 5]
    assert index[149].sans() == ["Mg6", "Mg7", "Mh6"]
    assert index[-150] == index[0]
    assert sum(len(game) for game in index) == 300
    with pytest.raises(IndexError):
        index[150]


def test_an_index_says_where_a_bad_game_is(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(TWO + "\n1. e5 *\n", "utf-8")
    with pytest.raises(pgn.PGNError) as caught:
        pgn.index(path)[2]
    assert (caught.value.problem.line, caught.value.problem.column) == (10, 4)
    assert caught.value.problem.offset == path.read_bytes().index(b"e5 *")


def test_pieces_of_the_file_do_not_matter():
    class Drip(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 7))

    text = (TWO + "\n%an escaped line * 1-0\n" + CTL + "\n") * 20
    whole, bad = list(pgn.read(io.StringIO(text))), text.replace("1. d4", "1. d9")
    assert list(pgn.read(Drip(text.encode()))) == whole
    at_once, dripped = pgn.read(io.BytesIO(bad.encode())), pgn.read(Drip(bad.encode()))
    assert list(at_once) == list(dripped)
    assert at_once.problems == dripped.problems
    assert len(at_once.problems) == 20


def test_problems_as_they_come():
    seen = []
    games = pgn.read(io.StringIO("1. e5 *\n\n1. e4 *"), on_problem=seen.append)
    assert len(list(games)) == 1
    assert seen == games.problems
    with pytest.raises(ValueError, match="errors"):
        pgn.read(io.StringIO(""), errors="ignore")


def test_a_text_file_with_the_wrong_encoding_is_reported(tmp_path):
    path = tmp_path / "latin.pgn"
    path.write_bytes(b'[White "M\xfcller"]\n\n1. e4 *\n')
    with open(path, encoding="utf-8") as file:
        reader = pgn.read(file)
        assert list(reader) == []
    assert "cannot be read on" in reader.problems[0].reason


def test_numbers_go_on_from_a_short_fen():
    game = pgn.parse('[FEN "4k3/8/8/8/8/8/8/4K3 b - -"]\n\n1... Kd7 2. Kd2 *')
    assert "1... Kd7 2. Kd2 *" in pgn.dumps(game)


@pytest.mark.parametrize(
    ("fen", "said", "meant", "move"),
    [
        ("4k3/8/8/8/8/8/8/4K3", "W", "w", "Kd1"),
        ("4k3/8/8/8/8/8/8/4K3", "B", "b", "Kd8"),
        ("6c4/11/11/11/11/11/11/11/11/11/11/5C5", "R", "r", "Cf2"),
        ("6c4/11/11/11/11/11/11/11/11/11/11/5C5", "w", "r", "Cf2"),
        ("6c4/11/11/11/11/11/11/11/11/11/11/5C5", "W", "r", "Cf2"),
        ("6c4/11/11/11/11/11/11/11/11/11/11/5C5", "B", "b", "Ch12"),
    ],
)
def test_a_side_to_move_in_other_letters_is_mended(fen, said, meant, move):
    (game,), problems = read(f'[FEN "{fen} {said} - - 3 7"]\n\n7. {move} *')
    assert game.board().fen() == f"{fen} {meant} - - 3 7"  # the rest is as it was
    assert game.sans() == [move]
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("fen", "chess960", "rights"),
    [
        ("5k2/8/8/8/8/8/8/5KR1 w K - 0 1", True, "K"),
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", False, "-"),  # the king where it always begins
        ("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", True, "KQ"),
        ("1r2k3/8/8/8/8/8/8/4K1R1 w Kq - 0 1", False, "-"),  # both began on the same files
    ],
)
def test_castling_rights_that_chess_does_not_know(fen, chess960, rights):
    """Chess960 without its tag, or rights that were lost."""
    (game,), problems = read(f'[FEN "{fen}"]\n\n1. Kf2 *')
    assert game.chess960 == chess960
    assert game.board().fen().split()[2] == rights
    assert len(problems) == (not chess960)


def test_the_other_side_s_move_ends_a_deployment():
    """11.2: the position is in mid-deployment; who writes on has left out its end, ``<`` (12.2)."""
    fen = "6c4/11/11/11/11/11/2F8/11/11/2(NT)8/11/5C5 r - - 0 1 c3:NT"
    for text, sans in (("Ch12", ["<", "Ch12"]), ("T>d3 Ch12", ["N<T>d3", "Ch12"])):
        (game,), problems = read(f'[FEN "{fen}"]\n\n1. {text} *')
        assert game.sans() == sans
        assert len(problems) == 1
        assert "the end of the deployment, <, before 'Ch12'" in problems[0]
    games, problems = read(f'[FEN "{fen}"]\n\n1. Cz99 *')  # nobody's move
    assert games == []
    assert len(problems) == 1


def test_a_turn_holds_moves_of_one_side_alone():
    """12.2: a deployment is one word; the answer is not its last step."""
    fen = "6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1"
    (game,), problems = read(f'[FEN "{fen}"]\n\n1. N<F>c6,T>d3 Ch12 *')
    assert (game.sans(), problems) == (["N<F>c6,T>d3", "Ch12"], [])
    games, problems = read(f'[FEN "{fen}"]\n\n1. N<F>c6,T>d3,Ch12 *')
    assert games == []
    assert len(problems) == 1


@pytest.mark.parametrize("piece", "NBRQ")
def test_a_promotion_behind_a_blank(piece):
    (game,), problems = read(f'[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8 ={piece} *')
    assert game.sans()[0].rstrip("+") == f"a8={piece}"
    assert len(problems) == 1


def test_the_number_of_a_turn_may_stand_before_both_moves():
    (game,), problems = read("1. e4 1. e5 2. Nf3 2. Nc6 *")
    assert (game.sans(), problems) == (["e4", "e5", "Nf3", "Nc6"], [])


@pytest.mark.parametrize("text", ["{well played}", "; well played"])
def test_what_is_said_below_the_result_belongs_to_the_game(text):
    games, problems = read(f"1. e4 *\n{text}\n\n1. d4 *")
    assert [[node.comments for node in game.mainline()] for game in games] == [
        [["well played"]], [[]],
    ]  # fmt: skip
    assert problems == []


def test_a_variation_may_begin_with_a_move_instead_of_a_number():
    (game,), problems = read("1. e4 f6 2. d4 (Qh5+ g6) (Nc3) (exf6) 2... g6 *")
    assert pgn.dumps(game) == "1. e4 f6 2. d4 (2. Qh5+ g6) (2. Nc3) 2... g6 *\n"
    assert len(problems) == 1  # nothing can be taken on f6


def test_a_result_is_a_word_of_its_own():
    (game,), problems = read("1. e4 e5 1-0x 2. d4 0-1 *")
    assert (game.sans(), game.result) == (["e4", "e5", "d4"], "0-1")
    assert "not a move: '1-0x'" in problems[0]


@pytest.mark.parametrize("between", [" *\n", "\n\n", " (1... c5\n"])
def test_where_tags_begin_a_game(between):
    """Behind a result, an empty line or a variation that never ends, whatever the numbers say."""
    games, _ = read(f'1. e4 e5{between}[White "x"]\n2. Nf3 *')
    assert [game.sans() for game in games] == [["e4", "e5"], ["Nf3"]]
    (game,), problems = read('1. e4 e5\n[White "x"]\n2. Nf3 *')
    assert game.sans() == ["e4", "e5", "Nf3"]
    assert "a tag among the moves" in problems[0]


@pytest.mark.parametrize("behind", ["", " {both lost}"])
def test_nobody_won(behind):
    """0-0 as the last word of a game is some writers' result; elsewhere it is castling."""
    (game,), problems = read(f"1. e4 e5 2. 0-0{behind}")
    assert (game.sans(), game.result) == (["e4", "e5"], "*")
    assert "expected a result" in problems[0]
    games, problems = read("1. e4 e5 2. 0-0 Nf6 *")
    assert games == []
    assert "illegal move: '0-0'" in problems[0]


def test_two_letters_in_parentheses_are_a_stack_only_with_a_point_behind():
    for text in ("1. e4 d5 2. e5 (ed) *", "1. e4 d5 2. e5 (ed)"):
        (game,), problems = read(text)
        assert pgn.dumps(game).split()[-3:-1] == ["(2.", "exd5)"]
        assert len(problems) == 1
        assert "expected exd5, got 'ed'" in problems[0]


def test_nothing_to_read():
    assert read("") == ([], [])
    assert read(" \n\n \t") == ([], [])
    with pytest.raises(pgn.PGNError, match="no game"):
        pgn.parse("")
    assert chess.Board() == pgn.parse("*", rules="chess").end()

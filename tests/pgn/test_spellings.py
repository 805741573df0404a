"""Words of games as people and programs spell them: what is meant, or that nothing can be."""

import io

import pytest

from cotulenh import pgn
from cotulenh._core import pgn as core

PROMOTING = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1"


def read(text, fen="", **tags):
    """The turns of a game's main line as they are written here, and the reasons of problems."""
    tags |= {"FEN": fen, "SetUp": "1"} if fen else {}
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    reader = pgn.read(io.StringIO(f"{head}\n{text} *\n"), errors="keep")
    games = list(reader)
    return (games[0].sans() if games else None), [problem.reason for problem in reader.problems]


@pytest.mark.parametrize(
    ("text", "sans"),
    [
        ("1. e4 e5 2. \u2658\ufe0ef3 \u265e\ufe0fc6", ["e4", "e5", "Nf3", "Nc6"]),
        ("1. e4 d5 2. e4\u00d7d5 Qd8xd5\u2021", ["e4", "d5", "exd5", "Qxd5"]),
        ("1. e2\u2014e4 e7\u2212e5", ["e4", "e5"]),
        ("1. e4 e5 2. Cf3 Cc6 3. Re2", ["e4", "e5", "Nf3", "Nc6", "Ke2"]),
        ("1. e4 z0 2. d4 @@@@ 3. c4", ["e4", "--", "d4", "--", "c4"]),
        ("1. e4 0000 2. d4", ["e4", "--", "d4"]),
        ("1. e4 ; the best\r\n1... e5", ["e4", "e5"]),
        ("1. e4 e5 1\u2026 c5", ["e4", "e5"]),
    ],
    ids=["pictures", "times", "dashes", "French", "nulls", "zeros", "line ends", "ellipsis"],
)
def test_chess_in_other_signs(text, sans):
    assert read(text)[0][: len(sans)] == sans


@pytest.mark.parametrize("piece", "QRBN")
def test_promotions_in_parentheses(piece):
    assert read(f"1. e8({piece})", PROMOTING)[0][0].startswith(f"e8={piece}")
    black = "4k3/8/8/8/8/8/p7/4K3 b - - 0 1"
    assert read(f"1... a1({piece})", black)[0][0].startswith(f"a1={piece}")


@pytest.mark.parametrize("text", ["1. e4(Q) e5", "1. e8(Q e5", "1. e8(K) e5", "1. e8(QQ) e5"])
def test_what_is_no_promotion_opens_a_variation(text):
    """Its parenthesis is none that belongs to a move: what follows is read as moves."""
    moves, said = read(text)
    assert not any("=" in move for move in moves)
    assert said


@pytest.mark.parametrize(
    "text", ["[", "[ ", "[\t", "[ Event", '[\tEvent "a"]', "1. e4 [", "1. e4 [ "]
)
def test_brackets_at_the_end_of_a_text(text):
    """They open no tag that ends; nothing behind the text is looked at."""
    games = list(pgn.read(io.StringIO(text), errors="keep"))
    assert [game.sans() for game in games] in ([], [[]], [["e4"]])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. e4 d5 2. 0-0-0-0", "not a move: '0-0-0-0'"),
        ("1. e4 \u2660Q", "not a move: '\u2660Q'"),
        ("1. e4 \u2018x", "not a move: '\u2018x'"),
        ("1. e4 e1/2-1/2", "not a move"),
        ("1. e4 3\u20132", "not a move: '3\u20132'"),
        ("1. e4 [%clk 1:00", "a [ that opens no tag"),
        ("1. e4 (1. d4 0-0) e5", "illegal move: '0-0'"),
    ],
)
def test_words_that_are_no_moves_are_named(text, reason):
    assert any(reason in said for said in read(text)[1])


def test_a_capture_by_files_alone_must_be_the_only_one():
    fen = "7k/8/3p4/4P3/3p4/4P3/8/4K3 w - - 0 1"
    assert read("1. exd", fen)[0] == []
    assert read("1. exd", fen.replace("3p4/4P3/8", "8/4P3/8"))[0] == ["exd6"]


def test_losing_the_game_is_told_after_any_number_of_remarks():
    _, reasons = read("1. e4 " + "nonsense " * 40 + "e9")
    assert len(reasons) == 21
    assert "e9" in reasons[-1]


TANK = "6c4/11/11/11/11/11/11/3Ti6/11/11/11/7C3 r - - 0 1"


@pytest.mark.parametrize("text", ["Td5\u00d7e5", "Td5:e5", "T:e5", "Td5\u2013e5", "Td5\u2212xe5"])
def test_captures_of_co_tu_lenh_in_other_signs(text):
    assert read(f"1. {text}", TANK, Variant="official")[0] == ["Txe5"]


def test_a_mark_is_left_out_only_where_one_move_can_be_meant():
    """4.3: an Air Force may replace its target or return."""
    fen = "6c4/11/11/11/11/11/11/3Fi6/11/11/11/7C3 r - - 0 1"
    sans, reasons = read("1. Fe5", fen, Variant="official")
    assert sans == []
    assert any("e5" in said for said in reasons)
    assert read("1. Te5", TANK, Variant="official")[0] == ["Txe5"]


def test_heroic_stacks_are_words():
    fen = "6c4/11/11/11/11/11/11/3(+FT)7/11/11/11/7C3 r - - 0 1"
    assert read("1. (+FT)d6", fen, Variant="official")[0] == ["(+FT)d6"]


SHIP = "6c4/11/11/11/11/11/11/(NT)10/11/11/11/7C3 r - - 0 1"


@pytest.mark.parametrize("text", ["1. T>c5,d9<", "1. N>a9 Cg11"])
def test_a_deployment_that_does_not_end_so(text):
    """12.2; 8.2: the tank cannot stay at sea, so the other side's move is none."""
    assert read(text, SHIP, Variant="official")[0] == []


def test_nobody_passes_in_check_and_passing_may_have_variations():
    check = "6c4/11/11/11/11/11/11/11/11/7t3/11/7C3 r - - 0 1"
    _, reasons = read("1. --", check, Variant="official")
    assert any("nobody may pass" in said for said in reasons)
    reader = pgn.read(io.StringIO('[Variant "official"]\n\n1. -- (1. Mg6) 1... Mg7 *\n'))
    game = next(reader)
    assert game.sans() == ["--", "Mg7"]
    assert [turn.moves[0].lan() for turn in game.root.children] == ["0000", "Mg5g6"]
    assert reader.problems == []


@pytest.mark.parametrize(
    ("fen", "variant"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw_KQkq_-_1234567 0", "chess"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 a b c d", "chess"),
        (f"{TANK.split()[0]}\tR - - 0 0", "official"),
    ],
)
def test_fens_with_odd_blanks_and_counters_are_mended(fen, variant):
    sans, reasons = read("", fen, Variant=variant)
    assert sans == []
    assert len(reasons) == 1
    assert reasons[0].startswith("the FEN: ")


@pytest.mark.parametrize("fen", ["", "x", f"{TANK} 1 2 3 4"])
def test_fens_of_co_tu_lenh_that_cannot_be_mended_cost_the_game(fen):
    text = f'[Variant "official"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. Mg6 *\n'
    reader = pgn.read(io.StringIO(text))
    assert list(reader) == []
    assert reader.problems[0].fatal


def test_a_variant_may_have_blanks_around_it():
    reader = pgn.read(io.StringIO('[Variant " Official "]\n\n1. Mg6 *\n'))
    assert [game.rules.name for game in reader] == ["official"]


CUT = """[Event "A"]
[Site "\\\\"]
{said before} ; and in a line
[Date "?"]

% an escaped line
1. e4 {good} e5 (1... c5 1-0) 2. Nf3 $1 Nc6 ; two
% another
3. Bb5 a6 1-0

[Event "B"]

1. d4 *
"""


@pytest.mark.parametrize("behind", ["", " " * 80, "\n" * 80], ids=["bare", "blanks", "lines"])
def test_a_text_that_is_cut_anywhere_asks_for_more_or_holds_the_same_game(behind):
    """12.4: files are read in pieces."""
    whole = CUT.encode()
    _, start, _, end = core.find(whole, 0, True)
    for cut in range(len(whole)):
        text = whole[:cut] + behind.encode()
        status, *span = core.find(text, 0, False)
        if status == 0:  # found: it would be the same with any text behind it
            assert span == list(core.find(text, 0, True)[1:]), cut
            assert behind or (span[0], span[2]) == (start, end), cut


@pytest.mark.parametrize(
    "tag", ['[Event : "A"]', '[Event = "A"]', '[Event: "A"]', '[Event= "A"]', "[Event 'A']"]
)
def test_tags_with_odd_signs(tag):
    (header,) = pgn.headers(io.StringIO(f"{tag}\n\n1. e4 *\n"))
    assert header.tags == {"Event": "A"}


def test_a_tag_that_ends_in_the_middle_of_an_escape():
    reader = pgn.read(io.StringIO('[Event "A\\'), errors="keep")
    list(reader)
    assert reader.problems[0].reason.startswith("expected a tag")


def test_whole_files_count_games_of_tags_alone_and_long_names():
    text = '[White "Nguyễn Văn An"]\n[Black "?"]\n\n[White "Bo"]\n[Result "0.5-0.5"]\n\n1. e4 1/2\n'
    games = list(pgn.read(io.StringIO(text)))
    assert [game.tags["White"] for game in games] == ["Nguyễn Văn An", "Bo"]
    assert games[1].result == "1/2-1/2"

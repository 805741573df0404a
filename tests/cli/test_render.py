"""``cotulenh render``: pictures of both games, and one clear line for what cannot be drawn."""

import pytest

from cotulenh import BLUE, Board, chess, draw, pgn
from cotulenh.game import Game
from cotulenh.games import new_board


def test_svg_to_standard_output(cli):
    status, out, err = cli("render")
    assert (status, err) == (0, "")
    assert out == draw.svg(Board()) + "\n"
    assert cli("render", "--game", "chess")[1] == draw.svg(chess.Board()) + "\n"


def test_options_are_those_of_draw(cli):
    board = Board()
    ship = [move for move in board.legal_moves if move.from_square.name == "c4"]
    expected = draw.svg(
        board,
        size=600,
        flip=True,
        theme="dark",
        coordinates="numbers",
        last_move=("g5", "g6"),
        arrows=[("c4", "c8", "#c33"), ("g5", "g7")],
        moves=ship,
        marks=["e5"],
        air_defence=BLUE,
        check=False,
        title="A ship",
    )
    words = "--size 600 --flip --theme dark --coordinates numbers --last-move g5,g6 --no-check"
    more = "--arrow c4,c8,#c33 --arrow g5,g7 --moves-of c4 --mark e5 --air-defence blue"
    out = cli("render", *words.split(), *more.split(), "--title", "A ship")[1]
    assert out == expected + "\n"


def test_no_coordinates(cli):
    assert cli("render", "--coordinates", "none")[1] == draw.svg(Board(), coordinates=None) + "\n"


def test_moves_are_played_and_the_last_is_marked(cli):
    board = Board()
    board.push_san("Mg6")
    move = board.push_san("Mg7")
    assert cli("render", "Mg6", "Mg7")[1] == draw.svg(board, last_move=move) + "\n"
    fen = "6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1"
    assert cli("render", "--fen", fen, "N<F>c6,T>d3")[0] == 0


@pytest.mark.parametrize("name", ["board.svg", "BOARD.SVG"])
def test_svg_file(cli, tmp_path, name):
    path = tmp_path / name
    assert cli("render", "-o", str(path)) == (0, "", "")
    assert path.read_text("utf-8") == draw.svg(Board()) + "\n"


def test_png_file(cli, tmp_path):
    pytest.importorskip("resvg_py")
    path = tmp_path / "board.png"
    assert cli("render", "-o", str(path), "--size", "320", "-g", "chess") == (0, "", "")
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 320


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "board.bmp"], "expected a file .svg, .png or .gif, got board.bmp"),
        (["--series"], "a whole game needs a file: -o"),
        (["--pgn", "no.pgn"], "no.pgn"),
        (["-o", "no/such/folder/board.svg"], "No such file or directory"),
        (["--fen", "x"], "unknown piece 'x'"),
        (["--arrow", "c4"], "'c4' is not FROM,TO or FROM,TO,COLOUR"),
        (["--arrow", "c4,z9"], "z9"),
        (["--last-move", "c4,c5,c6"], "'c4,c5,c6' is not FROM,TO"),
        (["--mark", "z9"], "z9"),
        (["--moves-of", "z9"], "z9"),
        (["--theme", "pink"], "pink"),
        (["--size", "0"], "0 is not in the range"),
        (["--air-defence", "red", "-g", "chess"], "chess has no air defence"),
        (["Zz9"], "Zz9"),
        (["-g", "no-such-game"], "no-such-game"),
    ],
)
def test_bad_input_is_one_line(cli, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    status, out, err = cli("render", *words)
    assert (status, out) == (2, "")
    assert err.startswith("cotulenh: ")
    assert err.count("\n") == 1
    assert says in err


# Nothing to draw --------------------------------------------------------------------------------

NO_MOVES = [
    (["--moves-of", "c8"], "i on c8 is Blue's, and it is Red's turn"),
    (["Mg6", "--moves-of", "c4"], "N on c4 is Red's, and it is Blue's turn"),
    (["--moves-of", "e6"], "nothing stands on e6"),
    (["-g", "chess", "--moves-of", "e7"], "p on e7 is Black's, and it is White's turn"),
    (["-g", "chess", "--moves-of", "a1"], "R on a1 has no legal move"),
]


@pytest.mark.parametrize(("words", "reason"), NO_MOVES)
def test_why_there_are_no_moves_to_draw(cli, words, reason):
    status, out, err = cli("render", *words)
    assert (status, err) == (0, f"cotulenh: no moves to draw: {reason}\n")
    assert out.startswith("<svg")


@pytest.mark.parametrize(("words", "reason"), NO_MOVES)
def test_show_says_why_there_are_no_moves(cli, words, reason):
    # A move before its option is the square of show.
    words = ["c4", *words] if words[0] == "Mg6" else words
    assert cli("show", *words)[1].splitlines()[-1] == reason


# Whole games ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves"), [("official", ["Mg6", "Mg7", "Ik6"]), ("chess", ["e4", "e5", "Nf3"])]
)
def test_a_series_of_pictures(cli, tmp_path, game, moves):
    path = tmp_path / "board.svg"
    assert cli("render", "-g", game, *moves, "--series", "-o", str(path)) == (0, "", "")
    names = [f"board-{number:03}.svg" for number in range(4)]
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    board = new_board(game)
    assert (tmp_path / names[0]).read_text("utf-8") == draw.svg(board) + "\n"
    for name, text in zip(names[1:], moves, strict=True):
        board.push_san(text)
        picture = draw.svg(board, last_move=[board.peek()])
        assert (tmp_path / name).read_text("utf-8") == picture + "\n"


def test_a_game_of_a_file_as_gif(cli, tmp_path):
    pytest.importorskip("resvg_py")
    file, out = tmp_path / "games.pgn", tmp_path / "game.gif"
    first, second = Game(), Game(chess.Board())
    for game, moves in ((first, ["Mg6", "Mg7"]), (second, ["e4", "e5", "Nf3"])):
        for move in moves:
            game.add(move)
    pgn.write([first, second], file)
    words = ("render", "--pgn", str(file), "--size", "160", "--seconds", "0.5", "-o", str(out))
    assert cli(*words) == (0, "", "")
    assert out.read_bytes() == draw.gif(Board(), first.turns(), size=160, seconds=0.5)
    assert cli(*words, "--number", "2") == (0, "", "")
    assert out.read_bytes() == draw.gif(chess.Board(), second.turns(), size=160, seconds=0.5)
    assert "has no game 3" in cli(*words, "--number", "3")[2]

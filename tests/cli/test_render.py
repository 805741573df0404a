"""``cotulenh render``: pictures of both games, and one clear line for what cannot be drawn."""

import pytest

from cotulenh import BLUE, Board, chess, draw


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
        (["-o", "board.gif"], "board.gif: the ending must be .svg or .png"),
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

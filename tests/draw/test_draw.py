"""Pictures: the text of the SVG is compared with what was looked at and found good."""

import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cotulenh import BLUE, RED, Board, Kind, chess, draw

SNAPSHOTS = Path(__file__).parent / "snapshots"
STACKS = (
    "11/1(nft)2fh1(hc)f2/3+a2s2a1/2n1gt1(tm)g2/2ie2m2ei/11/4(FT)6/2I(E+A)2M2EI/2N1GT1+TG2/"
    "3A2S2A1/1(N+FF)2FH1HF2/6C4 r - - 0 1"
)
CHECK = "6c4/11/6F4/11/11/11/11/11/11/11/11/5C5 b - - 0 1"
FOOLS = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def deployment():
    board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    play = board.copy()
    return board, play.push_san("N<F>c6,T>d3")


def under_way(board, turn):
    board = board.copy()
    board.push(turn[0])
    return board


def pictures():
    stacks, (before, turn) = Board(STACKS), deployment()
    queen = chess.Board()
    queen.push_san("e4")
    return {
        "start": draw.svg(Board()),
        "stacks": draw.svg(stacks, theme="dark", coordinates="numbers", air_defence="both"),
        "moves": draw.svg(
            stacks,
            flip=True,
            size=640,
            moves=[m for m in stacks.legal_moves if m.from_square.name == "e6"],
            arrows=[("e6", "h9"), ("c4", "c8", "#c33"), ("a1", "a1")],
            marks=["g5"],
            last_move=("b9", "b11"),
            title="Moves & <marks>",
        ),
        "check": draw.svg(Board(CHECK), coordinates=None),
        "blueprint": draw.svg(Board(rules="blueprint"), air_defence=RED),
        "chess": draw.svg(queen, last_move=chess.Move.from_uci("e2e4"), arrows=[("d7", "d5")]),
        "chess_check": draw.svg(chess.Board(FOOLS), theme="dark", flip=True),
        "deployment": draw.animate(before, turn, size=500),
        "under_way": draw.svg(under_way(before, turn), last_move=turn[:1]),
        "symbols": f'<svg xmlns="http://www.w3.org/2000/svg">{draw.symbols()}</svg>',
        "chess_symbols": f'<svg xmlns="http://www.w3.org/2000/svg">{draw.symbols("chess")}</svg>',
    }


PICTURES = pictures()


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_as_it_was(name):
    """COTULENH_UPDATE=1 accepts the pictures as they are now: look at them first."""
    path, now = SNAPSHOTS / f"{name}.svg", PICTURES[name].replace("><", ">\n<") + "\n"
    if os.environ.get("COTULENH_UPDATE"):
        SNAPSHOTS.mkdir(exist_ok=True)
        path.write_text(now, "utf-8")
    assert now == path.read_text("utf-8"), f"{name} looks different now"


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_well_formed(name):
    root = ET.fromstring(PICTURES[name])
    ids = {node.get("id") for node in root.iter() if node.get("id")}
    used = {node.get("href")[1:] for node in root.iter() if node.get("href")}
    assert used <= ids


@pytest.mark.parametrize("name", PICTURES)
def test_picture_needs_no_font_and_nothing_from_elsewhere(name):
    assert "<text" not in PICTURES[name]
    assert "url(" not in PICTURES[name]
    assert re.findall(r'https?://[^"]+', PICTURES[name]) == ["http://www.w3.org/2000/svg"]


def test_nothing_is_cut_off_and_stacks_keep_to_their_cell():
    root = ET.fromstring(draw.svg(Board(STACKS)))
    left, top, width, height = map(float, root.get("viewBox").split())
    for use in root.iter("{http://www.w3.org/2000/svg}use"):
        x, y, side = (float(use.get(key)) for key in ("x", "y", "width"))
        middle_x, middle_y, radius = x + side / 2, y + side / 2, side * 0.43
        assert left <= middle_x - radius, use.attrib
        assert middle_x + radius <= left + width, use.attrib
        for middle in (middle_x, middle_y):
            nearest = round(middle / 100) * 100
            assert abs(middle - nearest) + radius <= 50, use.attrib
        assert top <= middle_y - radius <= middle_y + radius <= top + height


def test_every_piece_of_a_stack_is_drawn():
    picture = draw.svg(Board(STACKS))
    for name in ("ctl-r-N", "ctl-r-F-hero", "ctl-r-A-hero", "ctl-b-C", "ctl-b-M", "ctl-b-H"):
        assert f'href="#{name}-badge"' in picture
    assert picture.count("<use") == sum(
        len(Board(STACKS).stack_at(square)) for square in Board(STACKS).occupied()
    )


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("color", [RED, BLUE])
def test_pieces_differ(kind, color):
    plain, hero = draw.piece_svg(kind, color), draw.piece_svg(kind, color, heroic=True)
    assert plain != hero
    others = {draw.piece_svg(k, c) for k in Kind for c in (RED, BLUE) if (k, c) != (kind, color)}
    assert plain not in others


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"theme": "blue"}, "theme"),
        ({"coordinates": "roman"}, "coordinates"),
        ({"last_move": ("a1", "z9")}, "square"),
        ({"arrows": [("a1", "l1")]}, "square"),
        ({"marks": ["a13"]}, "square"),
        ({"air_defence": "red"}, "side"),
        ({"size": 0}, "pixel"),
        ({"check": "q1"}, "square"),
    ],
)
def test_bad_wishes_are_refused(options, word):
    with pytest.raises(ValueError, match=word):
        draw.svg(Board(), **options)


def test_chess_has_no_rings_and_no_heroes():
    with pytest.raises(ValueError, match="air defence"):
        draw.svg(chess.Board(), air_defence="both")
    with pytest.raises(ValueError, match="heroes"):
        draw.piece_svg("N", chess.WHITE, heroic=True)
    assert "chess" not in draw.piece_svg("N", RED)


@pytest.mark.parametrize("size", [320, 1200])
@pytest.mark.parametrize("make", [lambda: Board(STACKS), chess.Board], ids=["ctl", "chess"])
def test_png(size, make):
    pytest.importorskip("resvg_py")
    image = draw.png(make(), size=size)
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(image[16:20], "big") == size


def test_a_deployment_is_animated_and_leaves_the_board_alone():
    before, turn = deployment()
    fen = before.fen()
    picture = draw.animate(before, turn)
    assert before.fen() == fen
    assert picture.count("<animateTransform") == 2
    with pytest.raises(ValueError, match="time"):
        draw.animate(before, turn, seconds=0)


def test_a_stay_capture_sends_a_shot():
    board = Board("6c4/11/11/11/11/11/11/11/11/1n1A7/11/5C5 r - - 0 1")
    picture = draw.animate(board, [board.parse_lan("Ad3_b3")])
    assert '<circle r="10"' in picture


def test_text_flipped_and_bare():
    lines = draw.text(Board(), flip=True).splitlines()
    assert lines[0] == " 1  . . . . C . . . : ~ ~"
    assert lines[-1] == "    k j i h g f e d c b a"
    assert len(draw.text(Board(), coordinates=False).splitlines()) == 12


def test_text_of_stacks_lines_up():
    lines = draw.text(Board(STACKS)).splitlines()
    assert len({len(line) for line in lines[:-1]}) == 1
    assert "(N+FF)" in lines[10]


def test_ansi_says_the_same_as_text():
    plain = re.sub(r"\x1b\[[0-9;]*m", "", draw.ansi(Board(STACKS)))
    assert plain.split() == draw.text(Board(STACKS)).split()
    assert "\x1b" in draw.ansi(chess.Board())


def test_jupyter_and_print():
    assert Board()._repr_svg_() == draw.svg(Board(), size=480)
    assert chess.Board()._repr_svg_() == draw.svg(chess.Board(), size=400)
    assert str(Board(STACKS)) == draw.text(Board(STACKS))
    assert str(chess.Board()) == draw.text(chess.Board())

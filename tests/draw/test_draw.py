"""Pictures: the text of the SVG is compared with what was looked at and found good."""

import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cotulenh import BLUE, RED, Board, Kind, Rules, chess, draw
from cotulenh.draw._chart import Field
from cotulenh.draw._ground import _Map
from cotulenh.draw._svg import RING_MARGIN, ring_sources

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
        "words": draw.svg(stacks, pieces="words", tone=True, theme="contrast"),
        "marks": f'<svg xmlns="http://www.w3.org/2000/svg">{draw.mark_symbols()}</svg>',
        "symbols": f'<svg xmlns="http://www.w3.org/2000/svg">{draw.symbols()}</svg>',
        "chess_symbols": f'<svg xmlns="http://www.w3.org/2000/svg">{draw.symbols("chess")}</svg>',
    }


PICTURES = pictures()


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_as_it_was(name):
    """COTULENH_UPDATE=1 accepts the pictures as they are now: look at them first."""
    picture = PICTURES[name]
    if name not in ("start", "blueprint"):  # the ground is compared there
        picture = re.sub(r"<svg x=.*</svg>(?=.)", "<!-- ground -->", picture, count=1)
    path, now = SNAPSHOTS / f"{name}.svg", picture.replace("><", ">\n<") + "\n"
    if os.environ.get("COTULENH_UPDATE"):
        SNAPSHOTS.mkdir(exist_ok=True)
        path.write_text(now, "utf-8")
    assert now == path.read_text("utf-8"), f"{name} looks different now"


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_well_formed(name):
    root = ET.fromstring(PICTURES[name])
    ids = {node.get("id") for node in root.iter() if node.get("id")}
    used = {node.get("href")[1:] for node in root.iter() if node.get("href")}
    used |= set(re.findall(r"url\(#([\w-]+)\)", PICTURES[name]))
    assert used <= ids


@pytest.mark.parametrize("name", PICTURES)
def test_picture_needs_no_font_and_nothing_from_elsewhere(name):
    assert "<text" not in PICTURES[name]
    assert not re.findall(r"url\((?!#)", PICTURES[name])
    assert re.findall(r'https?://[^"]+', PICTURES[name]) == ["http://www.w3.org/2000/svg"]


def test_nothing_is_cut_off_and_stacks_keep_to_their_cell():
    """Two coins of one stack never touch the disc of a neighbour."""
    root = ET.fromstring(draw.svg(Board(STACKS)))
    left, top, width, height = map(float, root.get("viewBox").split())
    for use in root.iter("{http://www.w3.org/2000/svg}use"):
        x, y, side = (float(use.get(key)) for key in ("x", "y", "width"))
        coin = use.get("href").endswith("-coin")
        middle_x, middle_y, radius = x + side / 2, y + side / 2, side * (0.26 if coin else 0.46)
        assert left <= middle_x - radius, use.attrib
        assert middle_x + radius <= left + width, use.attrib
        for middle in (middle_x, middle_y):
            nearest = round(middle / 100) * 100
            assert abs(middle - nearest) + radius <= 54, use.attrib
        assert top <= middle_y - radius <= middle_y + radius <= top + height


def test_every_piece_of_a_stack_is_drawn():
    picture = draw.svg(Board(STACKS))
    for name in ("N-carrier", "F-hero-coin", "A-hero-coin", "E-carrier"):
        assert f'href="#ctl-r-{name}"' in picture
    for name in ("C-coin", "M-coin", "H-carrier", "T-coin"):
        assert f'href="#ctl-b-{name}"' in picture
    assert picture.count("<use") == sum(
        len(Board(STACKS).stack_at(square)) for square in Board(STACKS).occupied()
    )


@pytest.mark.parametrize("fen", [STACKS, None, CHECK])
@pytest.mark.parametrize("color", [RED, BLUE])
def test_circles_hold_the_covered_points_and_no_other(fen, color):
    """5.1: a ring is drawn as a circle; the points inside are those of the rules."""
    board = Board(fen)
    discs = [(s.file, s.rank, ring + RING_MARGIN) for s, ring in ring_sources(board, color)]
    inside = {
        (file, rank)
        for file in range(11)
        for rank in range(12)
        if any((file - x) ** 2 + (rank - y) ** 2 <= r * r for x, y, r in discs)
    }
    assert inside == {(s.file, s.rank) for s in board.air_defence(color)}


@pytest.mark.parametrize("rules", ["official", "blueprint"])
def test_the_bank_divides_wet_points_from_dry_ones(rules):
    """The chart is made from the terrain: ships stand in its water, nothing else does."""
    chart = _Map(Rules.load(rules))
    field = Field(chart.boxes(), chart.frame)
    for file in range(chart.files):
        for rank in range(chart.ranks):
            assert (field.at(*chart.xy(file, rank)) < 0) == ((file, rank) in chart.wet)


@pytest.mark.parametrize("theme", draw.THEMES)
def test_marks_can_be_read_on_every_ground(theme):
    """WCAG 3:1 against each ground, by the mark or by the casing around it."""
    paint = draw.THEMES[theme]
    grounds = [paint.land, paint.land_inland, paint.sand]
    grounds += [paint.sea_0, paint.sea_1, paint.sea_2, paint.sea_3, paint.sea_4]
    for mark in (paint.dot, paint.take, paint.exchange, paint.join, paint.check):
        for ground in grounds:
            best = max(contrast(mark, ground), contrast(paint.casing, ground))
            assert best >= 2.99, (mark, ground)


def contrast(one, other):
    def light(color):
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("style", ["words", "letters"])
def test_other_piece_sets(style):
    shown = {draw.piece_svg(kind, RED, pieces=style) for kind in Kind}
    assert len(shown) == len(Kind)
    assert "<text" not in "".join(shown)
    assert draw.piece_svg(Kind.TANK, BLUE, tone=True) != draw.piece_svg(Kind.TANK, BLUE)


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
        ({"pieces": "emoji"}, "pieces"),
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

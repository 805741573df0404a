"""Animated GIFs, read back by a small reader of their own: frames, sizes, colours, times."""

import struct

import pytest

from cotulenh import Board, chess, draw
from cotulenh.draw._gif import _lzw, _pixels

pytest.importorskip("resvg_py")


def unpacked(data):
    """The inverse of the compression, from its description."""
    table, width, last, out = {}, 9, None, bytearray()
    buffer = int.from_bytes(data, "little")
    left = 8 * len(data)
    while left >= width:
        code, buffer, left = buffer & ((1 << width) - 1), buffer >> width, left - width
        if code == 257:
            break
        if code == 256:
            table, width, last = {n: bytes([n]) for n in range(256)}, 9, None
            following = 258
            continue
        entry = table[code] if code in table else last + last[:1]
        out += entry
        if last is not None and following < 4096:
            table[following] = last + entry[:1]
            following += 1
            if following == 1 << width and width < 12:
                width += 1
        last = entry
    return bytes(out)


def read(data):
    """Size, colours, and the frames of a GIF: box, hundredths of a second, indices."""
    assert data[:6] == b"GIF89a"
    assert data[-1:] == b";"
    width, height = struct.unpack_from("<HH", data, 6)
    colors = [tuple(data[13 + 3 * n : 16 + 3 * n]) for n in range(256)]
    at, frames, delay = 13 + 768, [], 0
    while data[at] != 0x3B:
        if data[at] == 0x21:
            if data[at + 1] == 0xF9:
                delay = struct.unpack_from("<H", data, at + 4)[0]
            at += 2
        else:
            box = struct.unpack_from("<HHHH", data, at + 1)
            at += 11
        packed = b""
        while data[at]:
            packed += data[at + 1 : at + 1 + data[at]]
            at += 1 + data[at]
        if data[at - 1 - len(packed) : at] and len(packed) > 20:
            frames.append((box, delay, unpacked(packed)))
        at += 1
    return (width, height), colors, frames


@pytest.mark.parametrize("length", [1, 2, 255, 256, 257, 300, 5000, 100_000])
def test_what_is_packed_is_unpacked(length):
    data = bytes((n * n // 7 + n // 300) % 256 for n in range(length))
    assert unpacked(_lzw(data)) == data
    assert unpacked(_lzw(bytes(length))) == bytes(length)


@pytest.mark.parametrize(
    ("board", "moves"),
    [(Board(), ["Mg6", "Mg7", "Ik6"]), (chess.Board(), ["e4", "d5", "exd5"])],
)
@pytest.mark.parametrize("flip", [False, True])
def test_every_frame_shows_the_position(board, moves, flip):
    """Laid over each other the frames give the same picture as a whole one, up to the palette."""
    play, turns = board.copy(), []
    for text in moves:
        play.push_san(text)
        turns.append([play.peek()])
    (width, height), colors, frames = read(draw.gif(board, turns, size=200, seconds=0.7, flip=flip))
    assert len(frames) == len(turns) + 1
    screen = [(0, 0, 0)] * (width * height)
    for (left, top, wide, high), delay, indices in frames:
        assert delay == 70
        assert len(indices) == wide * high
        for n, index in enumerate(indices):
            screen[(top + n // wide) * width + left + n % wide] = colors[index]
    whole = draw.png(draw.svg(play, last_move=turns[-1], flip=flip), size=200)
    seen_width, seen_height, pixels = _pixels(whole)
    assert (seen_width, seen_height) == (width, height)
    far = 0
    for n, color in enumerate(screen):
        r, g, b, a = pixels[4 * n : 4 * n + 4]
        far += a > 127 and abs(color[0] - r) + abs(color[1] - g) + abs(color[2] - b) > 120
    assert far < len(screen) / 200


def test_a_gif_takes_time():
    with pytest.raises(ValueError, match="seconds: expected more than 0, got 0"):
        draw.gif(Board(), [], seconds=0)

"""A run of moves as an animated GIF, from our own PNG pictures and with nothing else.

Each frame after the first shows only the part of the board that changed, and only that part is
drawn: a game of a hundred turns takes seconds, not minutes.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cotulenh.draw._scene import CELL, AnyBoard, Grid, Place, places_of, scene_of
from cotulenh.draw._svg import svg

__all__ = ["gif"]

_MARGIN = 36  # of a square's picture, in its units: badges and rings reach over the edge
_BITS = 5  # of each colour that the palette tells apart

Box = tuple[int, int, int, int]  # left, top, width, height


def gif(
    board: AnyBoard,
    turns: Iterable[Sequence[Any]],
    png: Callable[..., bytes],
    *,
    size: int,
    seconds: float,
    **options: Any,
) -> bytes:
    """The position and then each turn of a game, over and over, ``seconds`` each."""
    board = board.copy()
    first = svg(board, **options)
    width, height, pixels = _pixels(png(first, size=size))
    turns = list(turns)
    palette = _Palette(pixels + _sample(board, turns, png, size, options))
    parts = [palette.head(width, height), palette.frame(pixels, (0, 0, width, height), seconds)]
    shown = _Shown(board, (), bool(options.get("flip")))
    for turn in turns:
        for move in turn:
            board.push(move)
        picture = svg(board, last_move=list(turn), **options)
        now = _Shown(board, turn, shown.flip)
        part, box = _cut(picture, now.changed_since(shown), width)
        wide, high, pixels = _pixels(png(part, size=box[2]))
        assert (wide, high) == box[2:], "the renderer has another idea of the size"
        parts.append(palette.frame(pixels, box, seconds))
        shown = now
    return b"".join(parts) + b";"


def _sample(
    board: AnyBoard,
    turns: Sequence[Sequence[Any]],
    png: Callable[..., bytes],
    size: int,
    options: dict[str, Any],
) -> bytes:
    """Pictures after the first and the last turn: colours that the first frame does not have."""
    board, out = board.copy(), b""
    for number, turn in enumerate(turns):
        for move in turn:
            board.push(move)
        if number in (0, len(turns) - 1):
            out += _pixels(png(svg(board, last_move=list(turn), **options), size=size))[2]
    return out


class _Shown:
    """What a frame shows, as far as another frame may differ from it."""

    def __init__(self, board: AnyBoard, turn: Sequence[Any], flip: bool) -> None:
        self.scene, self.flip = scene_of(board), flip
        self.marked = {place for move in turn for place in places_of(self.scene, move)}
        self.marked |= {place for place in (self.scene.in_check, self.scene.origin) if place}

    def changed_since(self, before: _Shown) -> list[tuple[int, int]]:
        """Where the pictures differ: the middles of squares, in the units of the SVG."""
        places: set[Place] = self.marked | before.marked
        for place in self.scene.stacks.keys() | before.scene.stacks.keys():
            if self.scene.stacks.get(place) != before.scene.stacks.get(place):
                places.add(place)
        grid = Grid(self.scene.files, self.scene.ranks, self.flip)
        return [grid.xy(place) for place in places or {(0, 0)}]


def _cut(picture: str, points: list[tuple[int, int]], width: int) -> tuple[str, Box]:
    """The part of an SVG around some points, and where it lies in pixels."""
    found = re.search(r'viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"', picture)
    assert found is not None
    left, top, wide, high = map(float, found.groups())
    scale, reach = width / wide, CELL / 2 + _MARGIN
    height = round(high * scale)
    x0 = max(0, int((min(x for x, _ in points) - reach - left) * scale))
    y0 = max(0, int((min(y for _, y in points) - reach - top) * scale))
    x1 = min(width, int((max(x for x, _ in points) + reach - left) * scale) + 1)
    y1 = min(height, int((max(y for _, y in points) + reach - top) * scale) + 1)
    view = (left + x0 / scale, top + y0 / scale, (x1 - x0) / scale, (y1 - y0) / scale)
    text = " ".join(f"{number:.6f}" for number in view)
    # With its size in whole pixels nothing is left for the renderer to round.
    size = f'viewBox="{text}" width="{x1 - x0}" height="{y1 - y0}"'
    part = picture[: found.start()] + size + picture[found.end() :]
    return part, (x0, y0, x1 - x0, y1 - y0)


# Reading PNG ------------------------------------------------------------------------------------


def _pixels(data: bytes) -> tuple[int, int, bytes]:
    """Width, height, and the colours of a PNG of eight-bit RGBA, as our renderer writes it."""
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack_from(">II", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    return width, height, _unfiltered(zlib.decompress(packed), width * 4)


def _unfiltered(raw: bytes, stride: int) -> bytes:
    out, above = bytearray(), bytearray(stride)
    for at in range(0, len(raw), stride + 1):
        row = bytearray(raw[at + 1 : at + 1 + stride])
        _FILTERS[raw[at]](row, above)
        out += row
        above = row
    return bytes(out)


def _none(row: bytearray, above: bytearray) -> None:
    pass


def _sub(row: bytearray, above: bytearray) -> None:
    for i in range(4, len(row)):
        row[i] = (row[i] + row[i - 4]) & 255


def _up(row: bytearray, above: bytearray) -> None:
    row[:] = bytes((a + b) & 255 for a, b in zip(row, above, strict=True))


def _average(row: bytearray, above: bytearray) -> None:
    for i in range(len(row)):
        row[i] = (row[i] + ((row[i - 4] if i > 3 else 0) + above[i]) // 2) & 255


def _paeth(row: bytearray, above: bytearray) -> None:
    for i in range(4):
        row[i] = (row[i] + above[i]) & 255
    for i in range(4, len(row)):
        a, b, c = row[i - 4], above[i], above[i - 4]
        p = a + b - c
        pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
        best = a if pa <= pb and pa <= pc else (b if pb <= pc else c)
        row[i] = (row[i] + best) & 255


_FILTERS = (_none, _sub, _up, _average, _paeth)


# Writing GIF ------------------------------------------------------------------------------------


class _Palette:
    """256 colours, the most frequent of the first frame; others are shown as the nearest."""

    def __init__(self, pixels: bytes) -> None:
        counts = Counter(self._bins(pixels))
        step = 8 - _BITS
        self._colors = [
            tuple(((key >> shift & 31) << step) + (key >> shift & 31) // 4 for shift in (10, 5, 0))
            for key, _ in counts.most_common(256)
        ]
        self._index: dict[int, int] = {}

    @staticmethod
    def _bins(pixels: bytes) -> list[int]:
        """The colours in fifteen bits; what is transparent is white."""
        channels = (pixels[0::4], pixels[1::4], pixels[2::4], pixels[3::4])
        return [
            (r >> 3) << 10 | (g >> 3) << 5 | b >> 3 if a > 127 else 0x7FFF
            for r, g, b, a in zip(*channels, strict=True)
        ]

    def _nearest(self, key: int) -> int:
        found = self._index.get(key)
        if found is None:
            r, g, b = ((key >> shift & 31) << 3 for shift in (10, 5, 0))
            found = min(
                range(len(self._colors)),
                key=lambda i: (
                    (self._colors[i][0] - r) ** 2
                    + (self._colors[i][1] - g) ** 2
                    + (self._colors[i][2] - b) ** 2
                ),
            )
            self._index[key] = found
        return found

    def head(self, width: int, height: int) -> bytes:
        """Signature, screen, colours, and the word that it goes on for ever."""
        table = b"".join(bytes(color) for color in self._colors).ljust(768, b"\0")
        screen = struct.pack("<HHBBB", width, height, 0xF7, 0, 0)
        return b"GIF89a" + screen + table + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"

    def frame(self, pixels: bytes, box: Box, seconds: float) -> bytes:
        """One picture, laid over those before it."""
        delay = max(2, min(65535, round(seconds * 100)))
        control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 4, delay, 0, 0)
        place = struct.pack("<BHHHHB", 0x2C, *box, 0)
        packed = _lzw(bytes(self._nearest(key) for key in self._bins(pixels)))
        blocks = (packed[i : i + 255] for i in range(0, len(packed), 255))
        data = b"".join(bytes([len(block)]) + block for block in blocks)
        return control + place + b"\x08" + data + b"\0"


def _lzw(indices: bytes) -> bytes:
    """The compression of GIF: codes of 9 to 12 bits, the table begun anew when it is full."""
    clear, end = 256, 257
    out, buffer, filled = bytearray(), 0, 0
    table: dict[tuple[int, int], int] = {}
    width, following = 9, 258

    def put(code: int) -> None:
        nonlocal buffer, filled
        buffer |= code << filled
        filled += width
        while filled >= 8:
            out.append(buffer & 255)
            buffer >>= 8
            filled -= 8

    put(clear)
    prefix = indices[0]
    for index in indices[1:]:
        known = table.get((prefix, index))
        if known is not None:
            prefix = known
            continue
        put(prefix)
        table[prefix, index] = following
        following += 1
        if following > 1 << width and width < 12:
            width += 1
        elif following == 4096:
            put(clear)
            table.clear()
            width, following = 9, 258
        prefix = index
    put(prefix)
    if following == 1 << width and width < 12:
        width += 1  # the reader has one more entry by now
    put(end)
    if filled:
        out.append(buffer & 255)
    return bytes(out)

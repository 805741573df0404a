"""Boards as the field's render modes want them, by :mod:`cotulenh.draw`."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cotulenh import draw
from cotulenh.games import AnyBoard

__all__ = ["RENDER_MODES", "check_mode", "pixels", "render"]

RENDER_MODES = ["human", "ansi", "rgb_array", "svg"]
SIZE = 400


def check_mode(mode: str | None) -> str | None:
    """The mode, if there is such a one."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, got {mode!r}")
    return mode


def render(board: AnyBoard, mode: str | None) -> Any:
    """Text, pixels or SVG; ``"human"`` prints."""
    if mode is None:
        raise ValueError("nothing to render: the environment was made without a render_mode")
    if mode == "svg":
        return draw.svg(board, size=SIZE)
    if mode == "rgb_array":
        return pixels(draw.png(board, size=SIZE))
    text = draw.ansi(board)
    if mode == "ansi":
        return text
    print(text)
    return None


def pixels(png: bytes) -> NDArray[np.uint8]:
    """A PNG of eight bits a channel as an array (height, width, 3)."""
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    channels = {2: 3, 6: 4}.get(colour)
    if depth != 8 or channels is None:
        raise ValueError("expected a PNG with three or four channels of eight bits")
    data, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    raw = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * channels)
    image = np.zeros((height, width, channels), np.uint8)
    above = np.zeros((width, channels), np.uint8)
    for y in range(height):
        above = _unfilter(int(raw[y, 0]), raw[y, 1:].reshape(width, channels), above)
        image[y] = above
    return np.ascontiguousarray(image[:, :, :3])


def _unfilter(kind: int, row: NDArray[np.uint8], above: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """One line of a PNG, from the differences to its neighbours that are stored."""
    if kind == 0:
        return row
    if kind == 1:
        return np.add.accumulate(row, axis=0, dtype=np.uint8)
    if kind == 2:
        return row + above
    out = np.zeros_like(row)
    for channel in range(row.shape[1]):
        out[:, channel] = _walk(kind, row[:, channel].tolist(), above[:, channel].tolist())
    return out


def _walk(kind: int, row: list[int], above: list[int]) -> list[int]:
    out, left, corner = [], 0, 0
    for value, up in zip(row, above, strict=True):
        left = (value + ((left + up) >> 1 if kind == 3 else _paeth(left, up, corner))) & 255
        corner = up
        out.append(left)
    return out


def _paeth(left: int, up: int, corner: int) -> int:
    """Whichever neighbour is nearest to left + up - corner."""
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner

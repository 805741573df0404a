"""Files of the page, read once, compressed once; pieces and grounds come from ``cotulenh.draw``."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import fields
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from cotulenh import chess, draw
from cotulenh.draw._ground import chess_ground, ground
from cotulenh.draw._paint import Theme
from cotulenh.draw._scene import View as DrawView
from cotulenh.draw._scene import scene_of
from cotulenh.rules import Rules
from cotulenh.squares import RED, Square
from cotulenh.web.think import LEVELS
from cotulenh.web.view import new_board, title, variants

__all__ = ["Asset", "ground_svg", "meta", "pieces_svg", "static_assets"]

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_SVG = '<svg xmlns="http://www.w3.org/2000/svg">'

#: The colours are the style sheet's: one drawing serves all themes.
_THEME = Theme(**{field.name: f"var(--{field.name.replace('_', '-')})" for field in fields(Theme)})


class Asset:
    """A file in memory, plain and compressed, with a tag that changes with its content."""

    def __init__(self, body: bytes, media_type: str) -> None:
        self.body, self.media_type = body, media_type
        self.packed = gzip.compress(body, 9, mtime=0)
        self.tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'

    def answer(self, request: Request) -> Response:
        """The file, or only the news that it has not changed."""
        headers = {"etag": self.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, media_type=self.media_type, headers=headers)
        return Response(self.body, media_type=self.media_type, headers=headers)


def static_assets() -> dict[str, Asset]:
    """All files below ``static``, by their path."""
    found: dict[str, Asset] = {}

    def collect(folder: Any, prefix: str) -> None:
        for entry in folder.iterdir():
            name = prefix + entry.name
            if entry.is_dir():
                collect(entry, name + "/")
            elif (dot := entry.name.rfind(".")) > 0 and entry.name[dot:] in _TYPES:
                found[name] = Asset(entry.read_bytes(), _TYPES[entry.name[dot:]])

    collect(files("cotulenh.web") / "static", "")
    return found


@cache
def pieces_svg() -> Asset:
    """The pieces of both games as symbols."""
    text = f"{_SVG}<defs>{draw.symbols()}{draw.symbols('chess')}</defs></svg>"
    return Asset(text.encode(), _TYPES[".svg"])


@cache
def ground_svg(variant: str) -> Asset:
    """The ground of a variant's board, Red or White below."""
    board = new_board(variant)
    scene = scene_of(board)
    seen = DrawView(scene.files, scene.ranks, flip=False)
    if scene.rules is None:
        body = chess_ground(seen, _THEME)
    else:
        body = ground(scene, scene.rules, seen, _THEME)
    return Asset(f"{_SVG}<g>{body}</g></svg>".encode(), _TYPES[".svg"])


# What the page must know of the games ---------------------------------------------------------


@cache
def meta() -> Asset:
    """Variants with their boards and pieces, and the engine's levels."""
    body = {
        "variants": [_variant(name) for name in variants()],
        "levels": [{"level": n, "skill": level.skill} for n, level in enumerate(LEVELS, 1)],
    }
    return Asset(msgspec.json.encode(body), _TYPES[".json"])


def _variant(name: str) -> dict[str, Any]:
    if name == "chess":
        letters = [kind.letter for kind in chess.Kind]
        kinds = [{"letter": k, "name": chess.Kind(k).name.title()} for k in reversed(letters)]
        return {
            "name": name,
            "title": title(name),
            "files": 8,
            "ranks": 8,
            "sides": ["w", "b"],
            "start": chess.STARTING,
            "kinds": kinds,
            "terrain": {},
        }
    rules = Rules.load(name)
    return {
        "name": name,
        "title": rules.title,
        "files": rules.files,
        "ranks": rules.ranks,
        "sides": ["r", "b"],
        "start": rules.start_fen,
        "kinds": [_kind(row) for row in rules.rows.values()],
        "terrain": {
            square.name: rules.terrain.type_at(square) for square in rules.terrain.all_accessible
        },
        "bridges": [square.name for square in rules.terrain.bridges],
        "cargo": {kind.letter: list(loads) for kind, loads in rules.cargo.items()},
    }


def _kind(row: Any) -> dict[str, Any]:
    return {
        "letter": row.kind.letter,
        "name": row.name,
        "vietnamese": row.vietnamese,
        "points": row.points,
        "move": row.normal.move,
        "take": row.normal.take,
        "ring": row.normal.ring,
        "stands": row.stands,
    }


def edited_fen(variant: str, pieces: dict[str, list[str]], turn: int) -> str:
    """The FEN of a position in the making; whether it can be is the board's to say."""
    if variant == "chess":
        return _chess_fen(pieces, turn)
    rules = Rules.load(variant)
    rows = []
    for rank in reversed(range(rules.ranks)):
        row, empty = "", 0
        for file in range(rules.files):
            stack = pieces.get(Square.at(file, rank).name, [])
            if not stack:
                empty += 1
                continue
            row += (str(empty) if empty else "") + _stack_text(stack)
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {'rb'[turn]} - - 0 1"


def _stack_text(stack: list[str]) -> str:
    letters = []
    for piece in stack:
        letter = piece[-1].upper() if piece[0] == RED.value else piece[-1].lower()
        letters.append(("+" if "+" in piece else "") + letter)
    text = "".join(letters)
    return f"({text})" if len(stack) > 1 else text


def _chess_fen(pieces: dict[str, list[str]], turn: int) -> str:
    rows = []
    for rank in reversed(range(8)):
        row, empty = "", 0
        for file in range(8):
            stack = pieces.get(f"{chr(97 + file)}{rank + 1}", [])
            if not stack:
                empty += 1
                continue
            letter = stack[0][-1].upper() if stack[0][0] == "w" else stack[0][-1].lower()
            row += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {'wb'[turn]} {_castling(pieces)} - 0 1"


def _castling(pieces: dict[str, list[str]]) -> str:
    """All rights that the places of kings and rooks allow."""
    rights = ""
    for letter, king, rook, side in (
        ("K", "e1", "h1", "w"),
        ("Q", "e1", "a1", "w"),
        ("k", "e8", "h8", "b"),
        ("q", "e8", "a8", "b"),
    ):
        if pieces.get(king) == [f"{side}K"] and pieces.get(rook) == [f"{side}R"]:
            rights += letter
    return rights or "-"

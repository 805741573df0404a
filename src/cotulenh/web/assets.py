"""Files of the page, read once, compressed once; pieces and grounds come from ``cotulenh.draw``."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from cotulenh import chess, draw
from cotulenh.draw._ground import chess_ground, ground
from cotulenh.draw._paint import SEATS
from cotulenh.draw._pieces import STYLES
from cotulenh.draw._scene import Grid, scene_of
from cotulenh.draw._svg import RING_MARGIN
from cotulenh.draw._theme import VARIABLES
from cotulenh.engine.levels import RUNGS, rating
from cotulenh.rules import Rules
from cotulenh.web.messages import PRESETS
from cotulenh.web.think import LEVELS
from cotulenh.web.view import new_board, title, variants

__all__ = ["Asset", "drawn", "ground_svg", "meta", "pieces_svg", "static_assets"]

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_SVG = '<svg xmlns="http://www.w3.org/2000/svg">'


class Asset:
    """A file in memory, plain and compressed, with a tag that changes with its content."""

    def __init__(self, body: bytes, media_type: str) -> None:
        self.body, self.media_type = body, media_type
        self.packed = gzip.compress(body, 9, mtime=0)
        self.tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'

    def answer(
        self, request: Request, *, forever: bool = False, status: int = 200, scope: str = ""
    ) -> Response:
        """The file, or only the news that it has not changed.

        What is kept ``forever`` has an address that changes with its content.
        """
        kept = "public, max-age=31536000, immutable" if forever else "no-cache"
        headers = {"etag": self.tag, "cache-control": kept, "vary": "accept-encoding"}
        if scope:  # of a service worker
            headers["service-worker-allowed"] = scope
        if status == 200 and request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, status, headers, self.media_type)
        return Response(self.body, status, headers, self.media_type)


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
def drawn() -> dict[str, Asset]:
    """All that ``cotulenh.draw`` makes for the page, by its path below ``drawn/``."""
    found = {f"{variant}.svg": ground_svg(variant) for variant in variants()}
    found["theme.css"] = Asset(draw.css().encode(), _TYPES[".css"])
    for style in STYLES:
        for tone in (False, True):
            found[f"pieces-{style}{'-tone' * tone}.svg"] = pieces_svg(style, tone)
    found["pieces.svg"] = pieces_svg()
    return found


@cache
def pieces_svg(style: str = "pictograms", tone: bool = False) -> Asset:
    """The pieces of both games and the marks as symbols."""
    pieces = draw.symbols(pieces=style, tone=tone) + draw.symbols("chess")
    text = f"{_SVG}<defs>{pieces}{draw.mark_symbols()}</defs></svg>"
    return Asset(text.encode(), _TYPES[".svg"])


@cache
def ground_svg(variant: str) -> Asset:
    """The ground of a variant's board, Red or White below."""
    board = new_board(variant)
    scene = scene_of(board)
    seen = Grid(scene.files, scene.ranks, flip=False)
    if scene.rules is None:
        body = chess_ground(seen, VARIABLES)
    else:
        body = ground(scene, scene.rules, seen, VARIABLES)
    return Asset(f"{_SVG}<g>{body}</g></svg>".encode(), _TYPES[".svg"])


# What the page must know of the games ---------------------------------------------------------


@cache
def meta() -> Asset:
    """Variants with their boards and pieces, and the engine's levels."""
    body = {
        "variants": [_variant(name) for name in variants()],
        "levels": [{"level": n, "skill": level.skill} for n, level in enumerate(LEVELS, 1)],
        "presets": PRESETS,
        "objectives": ["commander", "marine", "air", "land", "tactical"],
        "seats": SEATS,
        "ring_margin": RING_MARGIN,
        "pieces": STYLES,
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
            "ratings": _ratings(name),
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
        "ratings": _ratings(name),
    }


def _ratings(name: str) -> list[int | None]:
    """What each level is worth, by the ladder; what stands above it nobody has played."""
    return [
        None if level.skill > RUNGS[-1] else 10 * round(rating(level.skill, name) / 10)
        for level in LEVELS
    ]


def _kind(row: Any) -> dict[str, Any]:
    return {
        "letter": row.kind.letter,
        "name": row.name,
        "vietnamese": row.vietnamese,
        "points": row.points,
        "move": row.normal.move,
        "take": row.normal.take,
        "take_ships": row.normal.take_ships,
        "ring": row.normal.ring,
        "hero": {
            "move": row.heroic.move,
            "take": row.heroic.take,
            "ring": row.heroic.ring,
            "take_ships": row.heroic.take_ships,
            "ignores_rings": row.heroic.ignores_rings,
        },
        "move_blocked": row.move_blocked,
        "take_blocked": row.take_blocked,
        "stands": row.stands,
        "heavy": row.heavy,
        "aircraft": row.aircraft,
        "ship": row.ship,
    }

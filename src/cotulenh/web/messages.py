"""What travels between page and server, as msgspec structs: unknown or misshapen text is refused.

Every refusal has a name (``code``), so that pages can translate it and logs can count it.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from cotulenh.web.view import MAX_MOVES, View

__all__ = [
    "Ask",
    "ClockSetup",
    "Decoder",
    "Error",
    "GameState",
    "NewGame",
    "Refusal",
    "Seat",
]

Short = Annotated[str, Meta(max_length=64)]
Key = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Fen = Annotated[str, Meta(max_length=400)]
MoveText = Annotated[str, Meta(min_length=2, max_length=32)]
MoveTexts = Annotated[list[MoveText], Meta(max_length=MAX_MOVES)]
Level = Annotated[int, Meta(ge=1, le=8)]
Side = Annotated[int, Meta(ge=0, le=1)]


class Refusal(Exception):  # noqa: N818
    """Something a client asked for that it does not get; ``code`` names the reason."""

    def __init__(self, code: str, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.code, self.text, self.status = code, text, status


class Error(msgspec.Struct, tag_field="t", tag="refused", omit_defaults=True):
    """A refusal as it travels."""

    code: str
    text: str
    id: int = 0


# Games ----------------------------------------------------------------------------------------


class ClockSetup(msgspec.Struct):
    """Seconds for each side, and seconds added after each turn."""

    base: Annotated[int, Meta(ge=1, le=86400)]
    increment: Annotated[int, Meta(ge=0, le=600)] = 0


class Seat(msgspec.Struct, omit_defaults=True):
    """Who plays a side: the engine at a level, a person (``key`` is a hash), or nobody yet."""

    level: int = 0
    key: str = ""


class NewGame(msgspec.Struct):
    """Asks for a game. ``mode``: ``local`` (one screen), ``engine``, ``link`` (two browsers)."""

    key: Key
    mode: Annotated[str, Meta(pattern="^(local|engine|link)$")] = "local"
    variant: Short = "official"
    fen: Fen | None = None
    side: Side = 0
    level: Level = 3
    clock: ClockSetup | None = None


class Setup(msgspec.Struct):
    """How a game was set up; kept as it is."""

    mode: str
    variant: str
    fen: str | None
    seats: list[Seat]
    clock: ClockSetup | None = None


class Clock(msgspec.Struct):
    """What each side has left in milliseconds, and whether its clock runs now."""

    left: list[int]
    running: int | None = None


class Result(msgspec.Struct):
    """The end of a game, by the board or by the players."""

    winner: int | None
    reason: str


class GameState(msgspec.Struct, tag_field="t", tag="game", omit_defaults=True):
    """A game as one viewer sees it. ``you`` are the sides this viewer plays."""

    id: str
    mode: str
    view: View
    fen0: str
    moves: list[str]
    you: list[int]
    seats: list[str]
    clock: Clock | None = None
    clock_setup: ClockSetup | None = None
    result: Result | None = None
    draw_offer: int | None = None
    takeback_offer: int | None = None
    rematch_offer: int | None = None
    next: str = ""
    thinking: bool = False
    here: list[bool] = []


# What a page asks over the socket -----------------------------------------------------------------


class Ask(msgspec.Struct, tag_field="t"):
    """A question; ``id`` comes back with a refusal."""

    id: int = 0


class Open(Ask, tag="open", kw_only=True):
    """Watch a game; with the key of a seat, play it. ``join`` takes the free seat."""

    game: Short
    key: Key
    join: bool = False


class Play(Ask, tag="move", kw_only=True):
    """A move. ``ply`` says on which position, so that nothing is played twice."""

    text: MoveText
    ply: Annotated[int, Meta(ge=0, le=100000)]


class Back(Ask, tag="back", kw_only=True):
    """In a deployment: take back the last step, or all of them."""

    whole: bool = False


class Act(Ask, tag="act", kw_only=True):
    """Resign, offer or answer: ``resign draw takeback rematch decline``."""

    what: Annotated[str, Meta(pattern="^(resign|draw|takeback|rematch|decline)$")]


class Analyse(Ask, tag="analyse", kw_only=True):
    """Think about a position and tell what is found, until told to stop or out of time."""

    variant: Short
    fen: Fen | None = None
    moves: MoveTexts = []
    lines: Annotated[int, Meta(ge=1, le=5)] = 3


class Review(Ask, tag="review", kw_only=True):
    """Judge every turn of a game."""

    variant: Short
    fen: Fen | None = None
    moves: MoveTexts = []


class Stop(Ask, tag="stop"):
    """End what thinks for this page."""


class Ping(Ask, tag="ping"):
    """Asks for a ``pong``."""


class Pong(msgspec.Struct, tag_field="t", tag="pong"):
    """The answer to a ping."""

    id: int


class Line(msgspec.Struct):
    """One line of play: the score for the first side, moves as text and to show."""

    score: int
    mate: int | None
    moves: list[str]
    sans: list[str]
    arrow: list[str]


class Lines(msgspec.Struct, tag_field="t", tag="lines"):
    """What the engine thinks of a position now."""

    id: int
    depth: int
    nodes: int
    nps: int
    lines: list[Line]
    done: bool = False


class Judged(msgspec.Struct, tag_field="t", tag="judged", omit_defaults=True):
    """A reviewed turn: its number, the score after it for the first side, a mark if it was bad."""

    id: int
    turn: int
    of: int
    score: int
    mate: int | None = None
    mark: str = ""
    best: str = ""
    loss: int = 0


Asked = Open | Play | Back | Act | Analyse | Review | Stop | Ping
Decoder = msgspec.json.Decoder(Asked)


# What a page asks over REST -------------------------------------------------------------------


class PositionAsk(msgspec.Struct):
    """A position: a variant, a FEN (or none for the start) and the moves since."""

    variant: Short = "official"
    fen: Fen | None = None
    moves: MoveTexts = []


class Said(msgspec.Struct):
    """A move in short notation with its number; later steps of a deployment have none."""

    san: str
    label: str


class Created(msgspec.Struct):
    """The id of a new game."""

    id: str


class MineAsk(msgspec.Struct):
    """Whose games."""

    key: Key


class GameLine(msgspec.Struct, omit_defaults=True):
    """A game in a list."""

    id: str
    updated: float
    mode: str
    variant: str
    moves: int
    result: Result | None = None


class EditAsk(msgspec.Struct):
    """A position in the making: pieces on squares as texts such as ``r+N``."""

    variant: Short
    pieces: Annotated[
        dict[
            Annotated[str, Meta(max_length=3)],
            Annotated[list[Annotated[str, Meta(max_length=3)]], Meta(max_length=4)],
        ],
        Meta(max_length=144),
    ]
    turn: Side = 0


class Edited(msgspec.Struct, omit_defaults=True):
    """What became of it: a FEN if it can be, the problems in any case."""

    fen: str = ""
    ok: bool = False
    reason: str = ""
    problems: list[str] = []
    square: str = ""


class PgnAsk(msgspec.Struct):
    """PGN text to read."""

    text: Annotated[str, Meta(max_length=200_000)]
    variant: Short | None = None


class Node(msgspec.Struct, omit_defaults=True):
    """A single move of a tree; ``parent`` is the number of the node before, -1 for the start."""

    parent: Annotated[int, Meta(ge=-1, le=5000)]
    move: MoveText
    san: Short = ""
    label: Short = ""
    comment: Annotated[str, Meta(max_length=2000)] = ""
    nags: Annotated[list[Annotated[int, Meta(ge=0, le=255)]], Meta(max_length=8)] = []


class Tree(msgspec.Struct, omit_defaults=True):
    """A game with variations: what PGN holds. The first child of a node is the main line."""

    variant: Short = "official"
    fen: Fen | None = None
    tags: Annotated[dict[Short, Annotated[str, Meta(max_length=200)]], Meta(max_length=40)] = {}
    comment: Annotated[str, Meta(max_length=2000)] = ""
    nodes: Annotated[list[Node], Meta(max_length=5000)] = []
    result: Annotated[str, Meta(max_length=8)] = "*"


class Text(msgspec.Struct):
    """Plain text in an answer."""

    text: str


class PuzzleView(msgspec.Struct):
    """A puzzle without its solution."""

    index: int
    count: int
    turns: int
    fen: str
    view: View


class PuzzleAsk(msgspec.Struct):
    """The moves tried so far, the answers of the other side included."""

    variant: Short
    index: Annotated[int, Meta(ge=0, le=100000)]
    moves: Annotated[list[MoveText], Meta(max_length=60)]


class PuzzleVerdict(msgspec.Struct, omit_defaults=True):
    """``right`` (go on), ``wrong`` or ``solved``; ``moves`` with the answers added."""

    verdict: str
    moves: list[str]
    view: View
    hint: str = ""

"""What is asked and answered over REST, as msgspec structs, like the messages of the socket."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from cotulenh.web.messages import Id, Key, MoveText, MoveTexts, Result, Short, Side, Start
from cotulenh.web.view import View

__all__ = ["Chapter", "Node", "PositionAsk", "Tree"]

Title = Annotated[str, Meta(max_length=100)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]
Colour = Annotated[str, Meta(pattern="^[GRYB]$")]


class PositionAsk(Start, kw_only=True):
    """A position: where a game begins, and the moves since."""

    moves: MoveTexts = msgspec.field(default_factory=list)


class ReachAsk(Start, kw_only=True):
    """The piece on a square of a position."""

    square: Square


class Reach(msgspec.Struct):
    """Points, and what would happen there."""

    targets: list[tuple[str, str]]


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
    names: list[str] = []
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
    """What became of it: a FEN if it can be, the problems in any case.

    ``code`` names what is wrong first, ``args`` fill the gaps of the page's words for it.
    """

    fen: str = ""
    ok: bool = False
    reason: str = ""
    problems: list[str] = []
    square: str = ""
    code: str = ""
    args: dict[str, str] = {}


class PgnAsk(msgspec.Struct):
    """PGN text to read."""

    text: Annotated[str, Meta(max_length=200_000)]
    variant: Short | None = None


Comment = Annotated[str, Meta(max_length=2000)]
Arrow = tuple[Square, Square, Colour]
Circle = tuple[Square, Colour]


class Eval(msgspec.Struct, omit_defaults=True):
    """What the engine said of a position: a score for the first side, and how deep it looked."""

    score: Annotated[int, Meta(ge=-200_000, le=200_000)] = 0
    mate: Annotated[int, Meta(ge=-1000, le=1000)] | None = None
    depth: Annotated[int, Meta(ge=0, le=255)] = 0


class KeptLine(Eval, omit_defaults=True):
    """A line of the engine that is kept with a position."""

    moves: Annotated[list[MoveText], Meta(max_length=40)] = []


class Node(msgspec.Struct, omit_defaults=True):
    """A single move of a tree; ``parent`` is the number of the node before, -1 for the start."""

    parent: Annotated[int, Meta(ge=-1, le=5000)]
    move: MoveText
    san: Short = ""
    label: Short = ""
    comment: Comment = ""
    nags: Annotated[list[Annotated[int, Meta(ge=0, le=255)]], Meta(max_length=8)] = []
    arrows: Annotated[list[Arrow], Meta(max_length=40)] = []
    circles: Annotated[list[Circle], Meta(max_length=40)] = []
    eval: Eval | None = None
    lines: Annotated[list[KeptLine], Meta(max_length=5)] = []
    clock: Annotated[float, Meta(ge=0, le=1e7)] | None = None


class Tree(Start, kw_only=True, omit_defaults=True):
    """A game with variations: what PGN holds. The first child of a node is the main line."""

    tags: Annotated[dict[Short, Annotated[str, Meta(max_length=200)]], Meta(max_length=40)] = (
        msgspec.field(default_factory=dict)
    )
    comment: Comment = ""
    arrows: Annotated[list[Arrow], Meta(max_length=40)] = msgspec.field(default_factory=list)
    circles: Annotated[list[Circle], Meta(max_length=40)] = msgspec.field(default_factory=list)
    lines: Annotated[list[KeptLine], Meta(max_length=5)] = msgspec.field(default_factory=list)
    nodes: Annotated[list[Node], Meta(max_length=5000)] = msgspec.field(default_factory=list)
    result: Annotated[str, Meta(max_length=8)] = "*"


# Studies --------------------------------------------------------------------------------------


class Chapter(msgspec.Struct, omit_defaults=True):
    """A chapter of a study. Without an ``id`` it is a new one."""

    title: Title
    tree: Tree
    id: Annotated[str, Meta(max_length=24)] = ""
    version: int = 0


class NewStudy(msgspec.Struct):
    """Asks for a study."""

    key: Key
    title: Title
    chapters: Annotated[list[Chapter], Meta(min_length=1, max_length=64)]


class MadeStudy(msgspec.Struct):
    """The id of a new study, and the secret of its edit link."""

    id: str
    edit: str
    version: int
    ids: list[str]


class EditStudy(msgspec.Struct, kw_only=True):
    """Who may change a study: its owner by the key, or who has the edit link."""

    key: Key | None = None
    edit: Key | None = None


class SaveStudy(EditStudy, kw_only=True):
    """The whole study anew; refused with ``conflict`` if ``version`` is not the present one."""

    version: int
    title: Title
    chapters: Annotated[list[Chapter], Meta(min_length=1, max_length=64)]


class SaveChapter(EditStudy, kw_only=True):
    """One chapter anew; ``version`` is the chapter's."""

    title: Title
    tree: Tree
    id: Annotated[str, Meta(max_length=24)] = ""
    version: int = 0


class OrderStudy(EditStudy, kw_only=True):
    """Title and order of the chapters; those left out are deleted."""

    version: int
    title: Title
    chapters: Annotated[list[Id], Meta(min_length=1, max_length=64)]


class ImportStudy(EditStudy, kw_only=True):
    """PGN whose games become new chapters."""

    text: Annotated[str, Meta(max_length=200_000)]
    variant: Short | None = None


class SavedStudy(msgspec.Struct):
    """The study's version after a change, and the ids of the chapters that were written."""

    version: int
    ids: list[str]


class EditLink(msgspec.Struct):
    """The secret of an edit link."""

    edit: str


class StudyData(msgspec.Struct):
    """A study as anyone may read it."""

    id: str
    title: str
    version: int
    created: float
    updated: float
    chapters: list[Chapter]


class StudyLine(msgspec.Struct):
    """A study in a list."""

    id: str
    title: str
    updated: float
    chapters: int


class Text(msgspec.Struct):
    """Plain text in an answer."""

    text: str


# Puzzles --------------------------------------------------------------------------------------


class PuzzleView(msgspec.Struct):
    """A puzzle without its solution; ``goal`` is ``mate``, ``win`` or ``save``."""

    id: str
    index: int
    variant: str
    count: int
    turns: int
    fen: str
    goal: str
    themes: list[str]
    rating: int
    view: View


class PuzzleAsk(msgspec.Struct):
    """The moves tried so far, the answers of the other side included.

    A puzzle is named by its id or by its number in the list.
    """

    variant: Short
    moves: Annotated[list[MoveText], Meta(max_length=60)]
    id: Short = ""
    index: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    key: Key | None = None
    hint: bool = False


class PuzzleVerdict(msgspec.Struct, omit_defaults=True):
    """``right`` (go on), ``wrong`` or ``solved``; ``moves`` with the answers added."""

    verdict: str
    moves: list[str]
    view: View
    hint: str = ""


class PuzzleDone(msgspec.Struct):
    """How a puzzle ended for a player. What the server has judged itself counts before ``won``."""

    key: Key
    variant: Short
    id: Id
    won: bool
    hints: Annotated[int, Meta(ge=0, le=100)] = 0


class PuzzleRating(msgspec.Struct):
    """The player's rating after a puzzle; ``rated`` is false if it did not count."""

    rating: int
    deviation: int
    change: int
    puzzle_rating: int
    streak: int
    best: int
    rated: bool


class PuzzleStanding(msgspec.Struct):
    """A player's standing in the puzzles of a variant."""

    rating: int
    deviation: int
    streak: int
    best: int
    solved: int
    tried: int


class PuzzleTry(msgspec.Struct):
    """A puzzle in a player's history."""

    variant: str
    id: str
    won: bool
    rating: int
    at: float


class PuzzleRecord(msgspec.Struct):
    """What a player has done: standing by variant, the latest tries first."""

    variants: dict[str, PuzzleStanding]
    history: list[PuzzleTry]


class PuzzleStep(msgspec.Struct, omit_defaults=True):
    """A single move of a solution and the position after it; ``accept``: what would do as well."""

    move: str
    view: View
    own: bool
    accept: list[str] = []


class PackedPuzzle(msgspec.Struct):
    """A puzzle with its solution, to be solved without the server."""

    id: str
    variant: str
    turns: int
    fen: str
    goal: str
    themes: list[str]
    rating: int
    view: View
    line: list[PuzzleStep]


# The opening explorer -------------------------------------------------------------------------


class BookMove(msgspec.Struct):
    """A move played here before: how often, and how those games ended (first side, draw, second).

    ``weight`` is its share of all, 0 to 1.
    """

    text: str
    san: str
    games: int
    wins: list[int]
    weight: float


class BookGame(msgspec.Struct, omit_defaults=True):
    """A game of this server that came through a position."""

    id: str
    names: list[str]
    result: Result | None = None


class Explored(msgspec.Struct):
    """What is known of a position: moves, the most played first, and games of this server."""

    total: int
    moves: list[BookMove]
    games: list[BookGame]

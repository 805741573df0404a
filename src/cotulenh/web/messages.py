"""What travels between page and server, as msgspec structs: unknown or misshapen text is refused.

Every refusal has a name (``code``), so that pages can translate it and logs can count it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta

from cotulenh.games import AnyBoard, push_text
from cotulenh.web.view import MAX_MOVES, View, new_board, variants

__all__ = [
    "PRESETS",
    "Ask",
    "Change",
    "ClockSetup",
    "Decoder",
    "Error",
    "GameState",
    "NewGame",
    "Refusal",
    "Seat",
    "Setup",
    "Start",
]

#: What can be said in a chat without typing; the page has the words.
PRESETS = (
    "hello",
    "good_luck",
    "well_played",
    "good_game",
    "thanks",
    "sorry",
    "one_moment",
    "back_again",
    "goodbye",
)

Short = Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(max_length=24)]
Id = Annotated[str, Meta(min_length=4, max_length=24, pattern="^[A-Za-z0-9_-]+$")]
Key = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Fen = Annotated[str, Meta(max_length=400)]
MoveText = Annotated[str, Meta(min_length=2, max_length=32)]
MoveTexts = Annotated[list[MoveText], Meta(max_length=MAX_MOVES)]
Level = Annotated[int, Meta(ge=1, le=8)]
Side = Annotated[int, Meta(ge=0, le=1)]
Objective = Annotated[str, Meta(pattern="^(commander|marine|air|land|tactical)?$")]


class Refusal(Exception):  # noqa: N818
    """Something a client asked for that it does not get; ``code`` names the reason.

    ``args`` fill the gaps of the page's own words for the code.
    """

    def __init__(self, code: str, text: str, status: int = 400, **args: object) -> None:
        super().__init__(text)
        self.code, self.text, self.status = code, text, status
        self.args_ = {name: str(value)[:80] for name, value in args.items()}

    def message(self, ask: int = 0) -> Error:
        """The refusal as it travels."""
        return Error(self.code, self.text, ask, self.args_)


class Error(msgspec.Struct, tag_field="t", tag="refused", omit_defaults=True):
    """A refusal as it travels."""

    code: str
    text: str
    id: int = 0
    args: dict[str, str] = {}


class Start(msgspec.Struct, kw_only=True):
    """Which game, and where it begins: a FEN or the game's own start.

    ``objective`` is an option of Cờ Tư Lệnh (10.2), ``chess960`` one of chess.
    """

    variant: Short = "official"
    fen: Fen | None = None
    chess960: bool = False
    objective: Objective = ""

    def board(self, moves: Iterable[str] = ()) -> AnyBoard:
        """The board after some moves, its history in it; a :class:`Refusal` says what is wrong."""
        if self.variant not in variants():
            raise Refusal("no_such_variant", "there is no such variant")
        try:
            board = new_board(
                self.variant, self.fen, chess960=self.chess960, objective=self.objective
            )
        except ValueError as error:
            raise Refusal("bad_position", str(error), reason=error) from None
        for at, text in enumerate(moves):
            try:
                push_text(board, text)
            except ValueError as error:
                raise Refusal("illegal_move", str(error), reason=error, at=at) from None
        return board


# Games ----------------------------------------------------------------------------------------


class ClockSetup(msgspec.Struct):
    """Seconds for each side, and seconds added after each turn."""

    base: Annotated[int, Meta(ge=1, le=86400)]
    increment: Annotated[int, Meta(ge=0, le=600)] = 0


class Seat(msgspec.Struct, omit_defaults=True):
    """Who plays a side: the engine at a level, a person (``key`` is a hash), or nobody yet."""

    level: int = 0
    key: str = ""
    name: str = ""


class NewGame(Start, kw_only=True):
    """Asks for a game. ``mode``: ``local`` (one screen), ``engine``, ``link`` (two browsers).

    ``side`` may be null: then the lot decides. A ``public`` game is listed in the lobby, first as
    an open challenge, then as a game to watch.
    """

    key: Key
    mode: Annotated[str, Meta(pattern="^(local|engine|link)$")] = "local"
    side: Side | None = 0
    level: Level = 3
    clock: ClockSetup | None = None
    name: Name = ""
    public: bool = False


class Setup(Start, kw_only=True):
    """How a game was set up; kept as it is."""

    mode: str
    seats: list[Seat]
    clock: ClockSetup | None = None
    public: bool = False


class Clock(msgspec.Struct):
    """What each side has left in milliseconds, and whether its clock runs now."""

    left: list[int]
    running: int | None = None


class Result(msgspec.Struct):
    """The end of a game, by the board or by the players."""

    winner: int | None
    reason: str


class Standing(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What may change in a game at any time. ``you`` are the sides this viewer plays.

    ``took`` is how many seconds went by from the first move to the end.
    """

    you: list[int]
    seats: list[str]
    clock: Clock | None = None
    result: Result | None = None
    draw_offer: int | None = None
    takeback_offer: int | None = None
    rematch_offer: int | None = None
    next: str = ""
    thinking: bool = False
    here: list[bool] = []
    names: list[str] = []
    spectators: int = 0
    can_draw: bool = False
    took: int | None = None


class GameState(Standing, tag_field="t", tag="game", omit_defaults=True, kw_only=True):
    """A game as one viewer sees it."""

    id: str
    mode: str
    view: View
    fen0: str
    moves: list[str]
    clock_setup: ClockSetup | None = None
    public: bool = False
    chess960: bool = False
    objective: str = ""


class Change(Standing, tag_field="t", tag="change", omit_defaults=True, kw_only=True):
    """What is new in a game: the moves after the first ``ply`` and the position they lead to.

    Of the turns in ``view`` only those after the first ``turn`` are there, of the legal moves only
    the viewer's own. Without new moves there is no view. What is left out has its default.
    """

    ply: int
    moves: list[str] = []
    view: View | None = None
    turn: int = 0


class Gone(msgspec.Struct, tag_field="t", tag="gone"):
    """A game that was called off before anyone joined."""

    id: str


class Declined(msgspec.Struct, tag_field="t", tag="declined"):
    """An offer was declined: ``draw``, ``takeback`` or ``rematch``, by a side."""

    what: str
    by: int


class ChatLine(msgspec.Struct, omit_defaults=True):
    """Something said in a game; ``side`` is -1 for spectators."""

    side: int
    name: str
    at: float
    text: str = ""
    preset: str = ""


class ChatLines(msgspec.Struct, tag_field="t", tag="chat"):
    """What was said: all that is kept, or only the new."""

    lines: list[ChatLine]
    all: bool = False


# The lobby ------------------------------------------------------------------------------------


class Challenge(msgspec.Struct, omit_defaults=True):
    """An open challenge; ``side`` is the free one."""

    id: str
    variant: str
    name: str
    side: int
    created: float
    clock: ClockSetup | None = None
    fen: str | None = None
    chess960: bool = False
    objective: str = ""


class Running(msgspec.Struct, omit_defaults=True):
    """A game to watch."""

    id: str
    variant: str
    names: list[str]
    moves: int
    spectators: int
    mode: str
    clock: ClockSetup | None = None


class Lobby(msgspec.Struct, tag_field="t", tag="lobby"):
    """Open challenges, games to watch, and how many pages are connected."""

    open: list[Challenge]
    running: list[Running]
    people: int


# What a page asks over the socket -----------------------------------------------------------------


class Ask(msgspec.Struct, tag_field="t"):
    """A question; ``id`` comes back with a refusal."""

    id: int = 0


class Open(Ask, tag="open", kw_only=True):
    """Watch a game; with the key of a seat, play it. ``join`` takes the free seat.

    Who asks for ``changes`` gets the whole game now, and then :class:`Change` while that will do.
    """

    game: Short
    key: Key
    join: bool = False
    name: Name = ""
    changes: bool = False


class Play(Ask, tag="move", kw_only=True):
    """A move. ``ply`` says on which position, so that nothing is played twice."""

    text: MoveText
    ply: Annotated[int, Meta(ge=0, le=100000)]


class Back(Ask, tag="back", kw_only=True):
    """In a deployment: take back the last step, or all of them."""

    whole: bool = False


class Act(Ask, tag="act", kw_only=True):
    """Resign, offer, answer, call off: ``resign draw takeback rematch decline cancel``."""

    what: Annotated[str, Meta(pattern="^(resign|draw|takeback|rematch|decline|cancel)$")]


class Chat(Ask, tag="chat", kw_only=True):
    """Say something in the game that is open: words, or one of the presets."""

    text: Annotated[str, Meta(max_length=200)] = ""
    preset: Annotated[str, Meta(pattern=f"^({'|'.join(PRESETS)})?$")] = ""


class WatchLobby(Ask, tag="lobby", kw_only=True):
    """Send the lobby now and whenever it changes, or no longer."""

    on: bool = True


class WatchStudy(Ask, tag="study", kw_only=True):
    """Say when someone else changes a study."""

    study: Id


class Analyse(Start, tag_field="t", tag="analyse", kw_only=True):
    """Think about a position and tell what is found, until told to stop or out of time."""

    id: int = 0
    moves: MoveTexts = msgspec.field(default_factory=list)
    lines: Annotated[int, Meta(ge=1, le=5)] = 3


class Review(Start, tag_field="t", tag="review", kw_only=True):
    """Judge every turn of a game, with so many seconds for each."""

    id: int = 0
    moves: MoveTexts = msgspec.field(default_factory=list)
    seconds: Annotated[float, Meta(ge=0.02, le=2)] = 0.12


class Stop(Ask, tag="stop"):
    """End what thinks for this page."""


class Ping(Ask, tag="ping"):
    """Asks for a ``pong``."""


class Pong(msgspec.Struct, tag_field="t", tag="pong"):
    """The answer to a ping."""

    id: int


class Waiting(msgspec.Struct, tag_field="t", tag="waiting"):
    """The engine is busy: so many others come first; 0 when it begins."""

    id: int
    place: int


class EngineLine(msgspec.Struct):
    """One line of play: the score for the first side, moves as text and to show."""

    score: int
    mate: int | None
    moves: list[str]
    sans: list[str]
    arrow: list[str]


class Lines(msgspec.Struct, tag_field="t", tag="lines"):
    """What the engine thinks of a position now; all lines are of one depth."""

    id: int
    depth: int
    nodes: int
    nps: int
    lines: list[EngineLine]
    done: bool = False
    state: str = "thinking"


class Step(msgspec.Struct, omit_defaults=True, rename={"origin": "from"}):
    """One move of a better turn, for words: what is done, by which pieces, from where to where.

    ``code`` is ``move take stay exchange breach combine castle promote commit``.
    """

    code: str
    pieces: str
    origin: str
    to: str
    taken: str = ""
    deploy: bool = False
    mate: bool = False


class Judged(msgspec.Struct, tag_field="t", tag="judged", omit_defaults=True):
    """A reviewed turn: its number, the score after it for the first side, a mark if it was bad.

    ``ply`` counts the single moves up to the end of the turn, ``best`` is the better turn.
    """

    id: int
    turn: int
    of: int
    score: int
    ply: int = 0
    mate: int | None = None
    mark: str = ""
    san: str = ""
    best: str = ""
    best_moves: list[str] = []
    better: list[Step] = []
    loss: int = 0
    accuracy: float = 100.0


class Reviewed(msgspec.Struct, tag_field="t", tag="reviewed"):
    """The end of a review, for each side: accuracy, inaccuracies, mistakes, blunders, mean loss."""

    id: int
    accuracy: list[float]
    counts: list[list[int]]
    loss: list[float]


class StudyChanged(msgspec.Struct, tag_field="t", tag="study_changed"):
    """Someone else has changed a study."""

    study: str
    version: int


Asked = Open | Play | Back | Act | Chat | WatchLobby | WatchStudy | Analyse | Review | Stop | Ping
Decoder = msgspec.json.Decoder(Asked)

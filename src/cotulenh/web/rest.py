"""The REST part: positions, games, the editor, PGN, studies, puzzles. Bodies and answers are JSON.

An endpoint is a method of :class:`Api` marked with :func:`endpoint`, which says address, question
and answer: routes and the OpenAPI document are made from that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from cotulenh.web import assets, editor, trees
from cotulenh.web import forms as f
from cotulenh.web.explorer import Explorer
from cotulenh.web.guard import MAX_BODY, Buckets
from cotulenh.web.hall import Hall
from cotulenh.web.messages import Error, GameState, Lobby, NewGame, Refusal
from cotulenh.web.puzzles import Puzzles
from cotulenh.web.studies import Studies
from cotulenh.web.view import View, reach, view

__all__ = ["ENDPOINTS", "Api", "Endpoint"]

log = logging.getLogger("cotulenh.web")
A = TypeVar("A", bound=msgspec.Struct)
H = TypeVar("H", bound=Callable[..., Awaitable[Any]])
R = TypeVar("R")

#: More moves than this are replayed beside the loop.
LONG = 60
#: Seconds that a body may take to arrive.
BODY_SECONDS = 20.0


class Endpoint(NamedTuple):
    """What there is at an address: for the routes and for the OpenAPI document."""

    method: str
    path: str
    summary: str
    asks: Any
    answers: Any
    handler: str
    status: int


ENDPOINTS: list[Endpoint] = []


def endpoint(
    method: str, path: str, summary: str, asks: Any = None, answers: Any = None, status: int = 200
) -> Callable[[H], H]:
    """Marks a method of :class:`Api`. With ``asks`` it gets the checked body too."""

    def mark(handler: H) -> H:
        name = handler.__name__
        ENDPOINTS.append(Endpoint(method, path, summary, asks, answers, name, status))
        return handler

    return mark


class Api:
    """The endpoints over the parts of a server."""

    def __init__(self, hall: Hall, studies: Studies, puzzles: Puzzles, explorer: Explorer) -> None:
        self._hall, self._studies, self._puzzles = hall, studies, puzzles
        self._explorer = explorer
        self._heavy = asyncio.Semaphore(1)
        self._makers = Buckets(rate=5, burst=400)  # new games and studies of one address

    def routes(self) -> list[Route]:
        """All endpoints, the fixed addresses before those with gaps."""
        order = sorted(
            ENDPOINTS, key=lambda e: [part.startswith("{") for part in e.path.split("/")]
        )
        return [Route(e.path, self._answer(e), methods=[e.method]) for e in order]

    def _answer(self, what: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        """The handler of an endpoint: reads the body, writes the answer, names what is refused."""
        handler = getattr(self, what.handler)

        async def answer(request: Request) -> Response:
            try:
                asked = () if what.asks is None else (await _asked(request, what.asks),)
                found = await handler(request, *asked)
                return found if isinstance(found, Response) else _json(found, what.status)
            except Refusal as refusal:
                log.info("refused %s: %s (%s)", request.url.path, refusal.code, refusal.text)
                return _json(refusal.message(), refusal.status)
            except Exception:
                log.exception("%s failed", request.url.path)
                return _json(Error("internal", "something went wrong here"), 500)

        return answer

    async def _aside(self, long: bool, work: Callable[..., R], *args: Any) -> R:
        """Long work runs beside the loop, one at a time, so that games go on."""
        if not long:
            return work(*args)
        async with self._heavy:
            return await asyncio.to_thread(work, *args)

    def _slow_down(self, request: Request) -> None:
        address = request.client.host if request.client else "?"
        if not self._makers.take(address):
            raise Refusal("too_fast", "too many new things at once, slow down", 429)

    # Positions ------------------------------------------------------------------------------------

    @endpoint("POST", "/api/position", "A position as data", f.PositionAsk, View)
    async def position(self, _: Request, ask: f.PositionAsk) -> View:
        """Pieces, moves, marks."""
        return await self._aside(len(ask.moves) > LONG, _position, ask)

    @endpoint("POST", "/api/reach", "Where a piece could go", f.ReachAsk, f.Reach)
    async def reach(self, _: Request, ask: f.ReachAsk) -> f.Reach:
        """The reach of any piece, the enemy's too."""
        return f.Reach(reach(ask.board(), ask.square))

    @endpoint("POST", "/api/line", "The notation of a line of moves", f.PositionAsk, list[f.Said])
    async def line(self, _: Request, ask: f.PositionAsk) -> list[f.Said]:
        """Each single move with its number."""
        return await self._aside(len(ask.moves) > LONG, _line, ask)

    @endpoint("POST", "/api/edit", "Whether a position can be, and its FEN", f.EditAsk, f.Edited)
    async def edit(self, _: Request, ask: f.EditAsk) -> f.Edited:
        """The editor's position."""
        return editor.edited(ask)

    @endpoint("POST", "/api/explorer", "What was played here before", f.PositionAsk, f.Explored)
    async def explore(self, _: Request, ask: f.PositionAsk) -> f.Explored:
        """Moves of the book and of this server's games."""
        return await self._explorer.ask(ask)

    # Games ----------------------------------------------------------------------------------------

    @endpoint("POST", "/api/games", "A new game", NewGame, f.Created, 201)
    async def create_game(self, request: Request, ask: NewGame) -> f.Created:
        """Its maker has a seat in it."""
        self._slow_down(request)
        return await self._hall.create(ask)

    @endpoint("POST", "/api/games/mine", "The games of a player", f.MineAsk, list[f.GameLine])
    async def my_games(self, _: Request, ask: f.MineAsk) -> list[f.GameLine]:
        """The latest first."""
        return await self._hall.of_key(ask.key)

    @endpoint("GET", "/api/games/{id}", "A game as a spectator sees it", None, GameState)
    async def game(self, request: Request) -> GameState:
        """The whole state."""
        return (await self._hall.room(request.path_params["id"])).state_for("")

    @endpoint("GET", "/api/games/{id}/pgn", "A game as PGN text")
    async def game_pgn(self, request: Request) -> Response:
        """With names and result."""
        room = await self._hall.room(request.path_params["id"])
        return _pgn(trees.game_text(room))

    @endpoint("GET", "/api/lobby", "Open challenges and games to watch", None, Lobby)
    async def lobby(self, _: Request) -> Lobby:
        """What the socket sends to who watches the lobby."""
        return self._hall.lobby()

    # PGN ------------------------------------------------------------------------------------------

    @endpoint("POST", "/api/pgn/read", "The first game of a PGN text", f.PgnAsk, f.Tree)
    async def read_pgn(self, _: Request, ask: f.PgnAsk) -> f.Tree:
        """As a tree of single moves."""
        return await self._aside(True, trees.read_tree, ask.text, ask.variant)

    @endpoint("POST", "/api/pgn/read_all", "The games of a PGN text", f.PgnAsk, list[f.Tree])
    async def read_all_pgn(self, _: Request, ask: f.PgnAsk) -> list[f.Tree]:
        """As trees, 64 at most."""
        return await self._aside(True, trees.read_trees, ask.text, ask.variant)

    @endpoint("POST", "/api/pgn/write", "A tree of moves as PGN text", f.Tree, f.Text)
    async def write_pgn(self, _: Request, ask: f.Tree) -> f.Text:
        """Variations, comments, arrows and all."""
        return f.Text(await self._aside(True, trees.write_tree, ask))

    # Studies --------------------------------------------------------------------------------------

    @endpoint("POST", "/api/studies", "A new study", f.NewStudy, f.MadeStudy, 201)
    async def create_study(self, request: Request, ask: f.NewStudy) -> f.MadeStudy:
        """Its address, and the secret of its edit link."""
        self._slow_down(request)
        return await self._studies.create(ask)

    @endpoint("POST", "/api/studies/mine", "The studies of a player", f.MineAsk, list[f.StudyLine])
    async def my_studies(self, _: Request, ask: f.MineAsk) -> list[f.StudyLine]:
        """The latest first."""
        return await self._studies.of_key(ask.key)

    @endpoint("GET", "/api/studies/{id}", "A study to read", None, f.StudyData)
    async def study(self, request: Request) -> f.StudyData:
        """All its chapters."""
        return await self._studies.load(request.path_params["id"])

    @endpoint("POST", "/api/studies/{id}", "A whole study anew", f.SaveStudy, f.SavedStudy)
    async def save_study(self, request: Request, ask: f.SaveStudy) -> f.SavedStudy:
        """Refused with ``conflict`` if someone else was faster."""
        return await self._studies.save(request.path_params["id"], ask)

    @endpoint("POST", "/api/studies/{id}/chapter", "One chapter", f.SaveChapter, f.SavedStudy)
    async def save_chapter(self, request: Request, ask: f.SaveChapter) -> f.SavedStudy:
        """New, or anew."""
        return await self._studies.save_chapter(request.path_params["id"], ask)

    @endpoint("POST", "/api/studies/{id}/order", "Title and order", f.OrderStudy, f.SavedStudy)
    async def order_study(self, request: Request, ask: f.OrderStudy) -> f.SavedStudy:
        """Chapters left out are deleted."""
        return await self._studies.order(request.path_params["id"], ask)

    @endpoint("POST", "/api/studies/{id}/link", "A new edit link", f.EditStudy, f.EditLink)
    async def study_link(self, request: Request, ask: f.EditStudy) -> f.EditLink:
        """The old one ends."""
        return await self._studies.new_link(request.path_params["id"], ask)

    @endpoint("POST", "/api/studies/{id}/delete", "A study goes", f.MineAsk, f.Text)
    async def delete_study(self, request: Request, ask: f.MineAsk) -> f.Text:
        """Only its owner may."""
        await self._studies.delete(request.path_params["id"], ask.key)
        return f.Text("deleted")

    @endpoint("GET", "/api/studies/{id}/pgn", "A study as PGN text")
    async def study_pgn(self, request: Request) -> Response:
        """A game for each chapter."""
        return _pgn(await self._studies.pgn(request.path_params["id"]))

    @endpoint("POST", "/api/studies/{id}/pgn", "PGN as new chapters", f.ImportStudy, f.SavedStudy)
    async def import_study(self, request: Request, ask: f.ImportStudy) -> f.SavedStudy:
        """A chapter for each game."""
        read = await self._aside(True, trees.read_trees, ask.text, ask.variant)
        return await self._studies.add_pgn(request.path_params["id"], ask, read)

    # Puzzles --------------------------------------------------------------------------------------

    @endpoint("POST", "/api/puzzles", "Whether moves solve a puzzle", f.PuzzleAsk, f.PuzzleVerdict)
    async def solve(self, _: Request, ask: f.PuzzleAsk) -> f.PuzzleVerdict:
        """Right, wrong or solved, with the other side's answer."""
        return await self._aside(True, self._puzzles.verdict, ask)

    @endpoint("POST", "/api/puzzles/done", "A puzzle is over", f.PuzzleDone, f.PuzzleRating)
    async def puzzle_done(self, _: Request, ask: f.PuzzleDone) -> f.PuzzleRating:
        """Counts it for the ratings of player and puzzle."""
        return await self._puzzles.done(ask)

    @endpoint("POST", "/api/puzzles/me", "Ratings and history", f.MineAsk, f.PuzzleRecord)
    async def my_puzzles(self, _: Request, ask: f.MineAsk) -> f.PuzzleRecord:
        """By variant; the latest tries first."""
        return await self._puzzles.record(ask.key)

    @endpoint("GET", "/api/puzzles/{variant}", "The next puzzle", None, f.PuzzleView)
    async def next_puzzle(self, request: Request) -> f.PuzzleView:
        """Near a rating (``rating`` or ``key``), of a ``theme``, not one of ``skip``."""
        return await self._puzzles.next(request.path_params["variant"], request.query_params)

    @endpoint("GET", "/api/puzzles/{variant}/themes", "How many puzzles of each theme")
    async def themes(self, request: Request) -> dict[str, int]:
        """And ``all``."""
        return self._puzzles.themes(request.path_params["variant"])

    @endpoint("GET", "/api/puzzles/{variant}/pack", "For offline", None, list[f.PackedPuzzle])
    async def pack(self, request: Request) -> list[f.PackedPuzzle]:
        """Some puzzles (``n``, 30 at most) with their solutions."""
        variant, wish = request.path_params["variant"], request.query_params
        return await self._puzzles.pack(variant, wish, self._aside)

    @endpoint("GET", "/api/puzzles/{variant}/{id}", "A puzzle", None, f.PuzzleView)
    async def puzzle(self, request: Request) -> f.PuzzleView:
        """By its id."""
        variant, name = request.path_params["variant"], request.path_params["id"]
        return await self._puzzles.view(variant, name)

    # The rest -------------------------------------------------------------------------------------

    @endpoint("GET", "/api/meta", "Variants, pieces, terrain, levels")
    async def meta(self, request: Request) -> Response:
        """What the page must know of the games."""
        return assets.meta().answer(request)


async def _asked(request: Request, kind: type[A]) -> A:
    """The body of a request, checked."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > MAX_BODY:
                    raise Refusal("too_large", f"at most {MAX_BODY} bytes", 413, most=MAX_BODY)
    except TimeoutError:
        raise Refusal("too_slow", "the request took too long to arrive", 408) from None
    except ClientDisconnect:
        raise Refusal("malformed", "the request was broken off") from None
    try:
        return msgspec.json.decode(bytes(body), type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Refusal("malformed", str(error)[:200], reason=error) from None


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _pgn(text: str) -> Response:
    return Response(text, media_type="application/x-chess-pgn; charset=utf-8")


def _position(ask: f.PositionAsk) -> View:
    board = ask.board(ask.moves)
    found = view(board, ask.board())
    found.played = trees.last_san(board)
    return found


def _line(ask: f.PositionAsk) -> list[f.Said]:
    return trees.line(ask.board(ask.moves))

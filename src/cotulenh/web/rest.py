"""The REST part: positions, games, the editor, PGN, puzzles. Bodies and answers are JSON."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cotulenh.board import Board
from cotulenh.engine import mates
from cotulenh.errors import ParseError, PositionError
from cotulenh.web import assets, story
from cotulenh.web import messages as m
from cotulenh.web.games import Hall
from cotulenh.web.guard import MAX_BODY, Buckets
from cotulenh.web.messages import Error, Refusal
from cotulenh.web.view import AnyBoard, View, board_of, new_board, play, variants, view

__all__ = ["ENDPOINTS", "routes"]

log = logging.getLogger("cotulenh.web")
A = TypeVar("A", bound=msgspec.Struct)
R = TypeVar("R")

#: More moves than this are replayed beside the loop.
LONG = 60

#: What there is, for the routes and for the OpenAPI document: method, path, question, answer.
ENDPOINTS: list[tuple[str, str, type | None, Any, str]] = [
    ("POST", "/api/position", m.PositionAsk, View, "A position as data: pieces, moves, marks"),
    ("POST", "/api/line", m.PositionAsk, list[m.Said], "The notation of a line of moves"),
    ("POST", "/api/games", m.NewGame, m.Created, "A new game"),
    ("POST", "/api/games/mine", m.MineAsk, list[m.GameLine], "The games of a player"),
    ("GET", "/api/games/{id}", None, m.GameState, "A game as a spectator sees it"),
    ("GET", "/api/games/{id}/pgn", None, None, "A game as PGN text"),
    ("POST", "/api/edit", m.EditAsk, m.Edited, "Whether a position can be, and its FEN"),
    ("POST", "/api/pgn/read", m.PgnAsk, m.Tree, "The first game of a PGN text"),
    ("POST", "/api/pgn/write", m.Tree, m.Text, "A tree of moves as PGN text"),
    ("GET", "/api/puzzles/{variant}/{index}", None, m.PuzzleView, "A puzzle"),
    ("POST", "/api/puzzles", m.PuzzleAsk, m.PuzzleVerdict, "Whether moves solve a puzzle"),
    ("GET", "/api/meta", None, None, "Variants, pieces, terrain, levels"),
    ("GET", "/api/openapi.json", None, None, "This description"),
]


def routes(hall: Hall) -> list[Route]:
    """The endpoints, bound to a hall."""
    heavy = asyncio.Semaphore(1)
    makers = Buckets(rate=5, burst=400)  # new games of one address

    async def aside(long: bool, work: Callable[..., R], *args: Any) -> R:
        """Long work runs beside the loop, one at a time, so that games go on."""
        if not long:
            return work(*args)
        async with heavy:
            return await asyncio.to_thread(work, *args)

    async def position(request: Request) -> Response:
        ask = await _asked(request, m.PositionAsk)
        return _json(await aside(len(ask.moves) > LONG, _position, ask))

    async def line(request: Request) -> Response:
        ask = await _asked(request, m.PositionAsk)
        return _json(await aside(len(ask.moves) > LONG, _line, ask))

    async def create(request: Request) -> Response:
        ask = await _asked(request, m.NewGame)
        address = request.client.host if request.client else "?"
        if not makers.take(address):
            raise Refusal("too_fast", "too many new games, slow down", 429)
        return _json(await hall.create(ask), 201)

    async def mine(request: Request) -> Response:
        ask = await _asked(request, m.MineAsk)
        return _json(await hall.of_key(ask.key))

    async def game(request: Request) -> Response:
        room = await hall.room(request.path_params["id"])
        return _json(room.told(""))

    async def game_pgn(request: Request) -> Response:
        room = await hall.room(request.path_params["id"])
        text = story.game_text(room)
        return Response(text, media_type="application/x-chess-pgn; charset=utf-8")

    async def edit(request: Request) -> Response:
        return _json(_edited(await _asked(request, m.EditAsk)))

    async def pgn_read(request: Request) -> Response:
        ask = await _asked(request, m.PgnAsk)
        return _json(await aside(True, story.read_tree, ask.text, ask.variant))

    async def pgn_write(request: Request) -> Response:
        tree = await _asked(request, m.Tree)
        return _json(m.Text(await aside(True, story.write_tree, tree)))

    async def puzzle(request: Request) -> Response:
        return _json(_puzzle(request.path_params["variant"], request.path_params["index"]))

    async def solve(request: Request) -> Response:
        return _json(await aside(True, _verdict, await _asked(request, m.PuzzleAsk)))

    async def meta(request: Request) -> Response:
        return assets.meta().answer(request)

    handlers = [
        position,
        line,
        create,
        mine,
        game,
        game_pgn,
        edit,
        pgn_read,
        pgn_write,
        puzzle,
        solve,
        meta,
    ]
    return [
        Route(path.replace("{index}", "{index:int}"), _safe(handler), methods=[method])
        for (method, path, *_), handler in zip(ENDPOINTS[:-1], handlers, strict=True)
    ]


def _safe(handler: Callable[[Request], Awaitable[Response]]) -> Any:
    """Turns refusals into answers with a name."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Refusal as refusal:
            log.info("refused %s: %s (%s)", request.url.path, refusal.code, refusal.text)
            return _json(Error(refusal.code, refusal.text), refusal.status)

    return answer


async def _asked(request: Request, kind: type[A]) -> A:
    """The body of a request, checked."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise Refusal("too_large", f"at most {MAX_BODY} bytes", 413)
    try:
        return msgspec.json.decode(bytes(body), type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refusal("malformed", str(error)[:200]) from None


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _board(variant: str, fen: str | None, moves: list[str]) -> AnyBoard:
    if variant not in variants():
        raise Refusal("no_such_variant", "there is no such variant")
    try:
        return board_of(variant, fen, moves)
    except (ParseError, PositionError) as error:
        raise Refusal("bad_position", str(error)) from None
    except ValueError as error:
        raise Refusal("illegal_move", str(error)) from None


def _position(ask: m.PositionAsk) -> View:
    board = _board(ask.variant, ask.fen, ask.moves)
    found = view(board, new_board(ask.variant, ask.fen))
    found.played = story.last_san(board)
    return found


def _line(ask: m.PositionAsk) -> list[m.Said]:
    return story.line(_board(ask.variant, ask.fen, ask.moves))


# The editor -----------------------------------------------------------------------------------


def _edited(ask: m.EditAsk) -> m.Edited:
    if ask.variant not in variants():
        raise Refusal("no_such_variant", "there is no such variant")
    fen = assets.edited_fen(ask.variant, ask.pieces, ask.turn)
    try:
        board = new_board(ask.variant, fen)
    except PositionError as error:
        square = _place(fen, error.offset)
        return m.Edited(fen, False, error.reason, sorted(error.problems), square)
    except ValueError as error:
        return m.Edited(fen, False, str(error), ["bad_position"])
    problems = sorted(board.problems) if isinstance(board, Board) else []
    return m.Edited(board.fen(), True, "", problems)


def _place(fen: str, offset: int | None) -> str:
    """The square that a place in the text of a FEN speaks of."""
    if offset is None or offset >= len(fen) or " " in fen[:offset]:
        return ""
    rank = 12 - fen[:offset].count("/")
    file, i = 0, fen.rfind("/", 0, offset) + 1
    inside = False
    while i < offset:
        if fen[i].isdigit():
            digits = i
            while i < offset and fen[i].isdigit():
                i += 1
            file += int(fen[digits:i])
            continue
        if fen[i] == "(":
            inside = True
        elif fen[i] == ")":
            inside, file = False, file + 1
        elif fen[i].isalpha() and not inside:
            file += 1
        i += 1
    return f"{chr(97 + file)}{rank}"


# Puzzles --------------------------------------------------------------------------------------


@cache
def _puzzles(variant: str) -> list[mates.Puzzle]:
    try:
        return mates.load(variant)
    except ValueError:
        return []


def _puzzle_of(variant: str, index: int) -> mates.Puzzle:
    if variant not in variants() or not 0 <= index < len(_puzzles(variant)):
        raise Refusal("no_such_puzzle", "there is no such puzzle", 404)
    return _puzzles(variant)[index]


def _puzzle(variant: str, index: int) -> m.PuzzleView:
    found = _puzzle_of(variant, index)
    return m.PuzzleView(index, len(_puzzles(variant)), found.turns, found.fen, view(found.board()))


def _verdict(ask: m.PuzzleAsk) -> m.PuzzleVerdict:
    """Judges the last move by proof, not by one stored line: every way to mate in time counts."""
    puzzle = _puzzle_of(ask.variant, ask.index)
    board = puzzle.board()
    solver, turns = board.turn, puzzle.turns
    moves = list(ask.moves)
    try:
        for text in moves:
            before = board.turn
            play(board, text)
            turns -= before is solver and board.turn is not solver
    except ValueError as error:
        raise Refusal("illegal_move", str(error)) from None
    outcome = board.outcome()
    if outcome is not None:
        won = outcome.winner is solver
        return m.PuzzleVerdict("solved" if won else "wrong", moves, view(board, puzzle.board()))
    prover = mates.Prover(solver, budget=200_000)
    try:
        if not moves:
            hint = next(iter(puzzle.moves), "")
            return m.PuzzleVerdict("right", moves, view(board), hint=hint[:12])
        if turns < 0 or not prover.wins(board, turns):
            return m.PuzzleVerdict("wrong", moves, view(board, puzzle.board()))
        while board.turn is not solver and board.outcome() is None:
            reply = board.legal_moves[0]
            moves.append(board.lan(reply))
            board.push(reply)
    except mates.OutOfWorkError:
        raise Refusal("too_hard", "this line could not be judged in time") from None
    return m.PuzzleVerdict("right", moves, view(board, puzzle.board()))

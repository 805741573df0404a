"""The board in the browser: an ASGI application and its page.

``create_app`` makes the application over a data directory; ``cotulenh serve`` runs it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from cotulenh.book import Book
from cotulenh.web import openapi
from cotulenh.web.explorer import Explorer
from cotulenh.web.guard import Guard, Hosts
from cotulenh.web.hall import Hall
from cotulenh.web.messages import Refusal
from cotulenh.web.puzzles import Puzzles
from cotulenh.web.rest import Api
from cotulenh.web.site import Site
from cotulenh.web.socket import MOST_SOCKETS, Connections
from cotulenh.web.store import Store
from cotulenh.web.studies import Studies
from cotulenh.web.think import Thinker

__all__ = ["create_app"]


def create_app(
    data: Path,
    *,
    host: str = "127.0.0.1",
    thinker: Thinker | None = None,
    sockets: int = MOST_SOCKETS,
    books: Sequence[Book] = (),
) -> Starlette:
    """The application, its games in ``data/games.sqlite``; so many sockets may be open at once.

    ``books`` are for the opening explorer, one a game.
    """
    data.mkdir(parents=True, exist_ok=True)
    store = Store(data / "games.sqlite")
    engine = thinker or Thinker()
    hall = Hall(store, engine.play)
    studies = Studies(store)
    api = Api(hall, studies, Puzzles(store), Explorer(store, books))
    connections = Connections(hall, engine, studies, sockets)
    site = Site()

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        yield
        await hall.close()
        engine.close()
        store.close()

    async def description(request: Request) -> Response:
        return openapi.document().answer(request)

    return Starlette(
        routes=[
            *site.routes(),
            *api.routes(),
            Route("/api/openapi.json", description),
            WebSocketRoute("/ws", connections.serve),
        ],
        middleware=[Middleware(Guard, hosts=Hosts(host))],
        lifespan=life,
        exception_handlers={404: site.not_found, HTTPException: _refused},
    )


async def _refused(_request: Request, error: Exception) -> Response:
    """What the framework refuses, such as a wrong method, by name."""
    assert isinstance(error, HTTPException)
    code = "method_not_allowed" if error.status_code == 405 else "bad_request"
    refusal = Refusal(code, str(error.detail), error.status_code)
    body = msgspec.json.encode(refusal.message())
    return Response(body, error.status_code, error.headers, "application/json")

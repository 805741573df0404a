"""The board in the browser: an ASGI application and its page.

``create_app`` makes the application over a data directory; ``cotulenh serve`` runs it.
"""

from __future__ import annotations

import asyncio
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
from cotulenh.web.hosting import Hosting
from cotulenh.web.messages import Refusal
from cotulenh.web.metrics import Gauge, Meter, Metrics
from cotulenh.web.puzzles import Puzzles
from cotulenh.web.rest import Api
from cotulenh.web.site import Site
from cotulenh.web.socket import Connections
from cotulenh.web.store import Store
from cotulenh.web.studies import Studies
from cotulenh.web.think import Thinker
from cotulenh.web.upkeep import Upkeep

__all__ = ["create_app"]


def create_app(
    data: Path,
    *,
    host: str = "127.0.0.1",
    thinker: Thinker | None = None,
    hosting: Hosting | None = None,
    books: Sequence[Book] = (),
) -> Starlette:
    """The application, its games in ``data/games.sqlite``; ``hosting`` has its limits.

    ``books`` are for the opening explorer, one a game.
    """
    hosting = hosting or Hosting()
    data.mkdir(parents=True, exist_ok=True)
    store = Store(data / "games.sqlite")
    engine = thinker or Thinker(hosting.searches, hosting.searches)
    hall = Hall(store, engine.play, hosting.games)
    studies = Studies(store, hosting.studies)
    api = Api(hall, studies, Puzzles(store), Explorer(store, books))
    connections = Connections(
        hall, engine, studies, hosting.sockets, hosting.sockets_of_one, hosting.searches_of_one
    )
    metrics = Metrics(store, _gauges(hall, engine, connections))
    site = Site()

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        upkeep = asyncio.create_task(Upkeep(store, hall, connections).watch())
        if hosting.metrics is not None:
            await metrics.listen(*hosting.metrics)
        yield
        upkeep.cancel()
        await metrics.close()
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
        middleware=[
            Middleware(Meter, answers=metrics.answers),
            Middleware(Guard, hosts=Hosts(host, hosting.names)),
        ],
        lifespan=life,
        exception_handlers={404: site.not_found, HTTPException: _refused},
    )


def _gauges(hall: Hall, engine: Thinker, connections: Connections) -> list[Gauge]:
    return [
        ("sockets", "Pages that are connected.", lambda: connections.open),
        ("rooms", "Games held in memory.", lambda: len(hall.rooms)),
        ("searches", "Analyses that run.", lambda: engine.load[0]),
        ("searches_waiting", "Analyses that wait.", lambda: engine.load[1]),
        ("engine_moves", "Games in which the engine thinks.", lambda: engine.load[2]),
    ]


async def _refused(_request: Request, error: Exception) -> Response:
    """What the framework refuses, such as a wrong method, by name."""
    assert isinstance(error, HTTPException)
    code = "method_not_allowed" if error.status_code == 405 else "bad_request"
    refusal = Refusal(code, str(error.detail), error.status_code)
    body = msgspec.json.encode(refusal.message())
    return Response(body, error.status_code, error.headers, "application/json")

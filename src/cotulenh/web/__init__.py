"""The board in the browser: an ASGI application and its page.

``create_app`` makes the application over a data directory; ``cotulenh serve`` runs it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from cotulenh.web import assets, openapi, rest
from cotulenh.web.games import Hall
from cotulenh.web.guard import Guard, Hosts
from cotulenh.web.messages import Error
from cotulenh.web.socket import Connections
from cotulenh.web.store import Store
from cotulenh.web.think import Thinker
from cotulenh.web.view import variants

__all__ = ["create_app"]

#: Addresses that show the page; what it shows there is the page's business.
PAGES = ("/", "/game/{id}", "/analysis", "/editor", "/puzzles", "/intro", "/review/{id}")


def create_app(data: Path, *, host: str = "127.0.0.1", thinker: Thinker | None = None) -> Starlette:
    """The application, its games in ``data/games.sqlite``."""
    data.mkdir(parents=True, exist_ok=True)
    store = Store(data / "games.sqlite")
    mind = thinker or Thinker()
    hall = Hall(store, mind.play)
    connections = Connections(hall, mind)
    static = assets.static_assets()

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        yield
        await hall.close()
        mind.close()
        store.close()

    async def page(request: Request) -> Response:
        return static["index.html"].answer(request)

    async def file(request: Request) -> Response:
        found = static.get(request.path_params["path"])
        return _missing() if found is None else found.answer(request)

    async def pieces(request: Request) -> Response:
        return assets.pieces_svg().answer(request)

    async def ground(request: Request) -> Response:
        variant = request.path_params["variant"]
        return assets.ground_svg(variant).answer(request) if variant in variants() else _missing()

    async def description(request: Request) -> Response:
        return openapi.document().answer(request)

    return Starlette(
        routes=[
            *(Route(path, page) for path in PAGES),
            Route("/static/{path:path}", file),
            Route("/drawn/pieces.svg", pieces),
            Route("/drawn/{variant}.svg", ground),
            *rest.routes(hall),
            Route("/api/openapi.json", description),
            WebSocketRoute("/ws", connections.serve),
        ],
        middleware=[Middleware(Guard, hosts=Hosts(host))],
        lifespan=life,
        exception_handlers={404: _not_found},
    )


async def _not_found(_request: Request, _error: Exception) -> Response:
    return _missing()


def _missing() -> Response:
    body = msgspec.json.encode(Error("not_found", "there is no such thing here"))
    return Response(body, 404, media_type="application/json")

"""The page's files: under an address that names their content they are cached for good.

The version is a hash over all files, drawings and facts. ``index.html`` and ``sw.js`` are served
anew each time and point to the files of the present version; modules import each other by relative
addresses, so they stay within it.
"""

from __future__ import annotations

import hashlib
import re

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cotulenh.web import assets
from cotulenh.web.assets import Asset
from cotulenh.web.messages import Refusal

__all__ = ["PAGES", "Site"]

#: Addresses that show the page; what it shows there is the page's business.
PAGES = (
    "/",
    "/play",
    "/game/{id}",
    "/analysis",
    "/study",
    "/study/{id}",
    "/puzzles",
    "/editor",
    "/learn",
    "/learn/{id}",
    "/intro",
    "/pieces",
    "/lobby",
    "/about",
    "/rules",
)
_VERSIONED = re.compile(r"([0-9a-f]{12})/(.+)")
_MACHINES = ("/api/", "/static/", "/drawn/", "/ws")


class Site:
    """All files of the page, and the answers for what is not there."""

    def __init__(self) -> None:
        self.files = assets.static_assets()
        self.files |= {f"drawn/{path}": asset for path, asset in assets.drawn().items()}
        self.files["meta.json"] = assets.meta()
        parts = [path.encode() + b"\0" + self.files[path].body for path in sorted(self.files)]
        self.version = hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]
        self.index = self._index()
        self._worker = self._service_worker()

    def _index(self) -> Asset:
        page = self.files["index.html"]
        body = page.body.replace(b"/static/", f"/static/{self.version}/".encode())
        return Asset(body, page.media_type)

    def _service_worker(self) -> Asset | None:
        worker = self.files.get("sw.js")
        if worker is None:
            return None
        addresses = [
            f"/static/{self.version}/{path}"
            for path in sorted(self.files)
            if path not in ("index.html", "sw.js")
        ]
        body = worker.body.replace(b'["__ASSETS__"]', msgspec.json.encode(addresses))
        return Asset(body.replace(b"__VERSION__", self.version.encode()), worker.media_type)

    def routes(self) -> list[Route]:
        """Pages, files, and what a browser looks for at the root."""
        return [
            *(Route(path, self.page) for path in PAGES),
            Route("/static/{path:path}", self.file),
            Route("/drawn/{path:path}", self.drawn),
            Route("/sw.js", self.service_worker),
            *(Route(f"/{name}", self.at_root) for name in self.files if _belongs_to_root(name)),
        ]

    async def page(self, request: Request) -> Response:
        """The page."""
        return self.index.answer(request)

    async def file(self, request: Request) -> Response:
        """A file: forever under its version, fresh without one or under an old one."""
        path = request.path_params["path"]
        found = _VERSIONED.fullmatch(path)
        version, name = found.groups() if found else ("", path)
        if name not in self.files:
            return missing()
        return self.files[name].answer(request, forever=version == self.version)

    async def drawn(self, request: Request) -> Response:
        """A drawing by its address without version."""
        found = self.files.get(f"drawn/{request.path_params['path']}")
        return missing() if found is None else found.answer(request)

    async def service_worker(self, request: Request) -> Response:
        """The worker that makes the page work without network; its scope is the whole site."""
        if self._worker is None:
            return missing()
        return self._worker.answer(request, scope="/")

    async def at_root(self, request: Request) -> Response:
        """The manifest and the icons."""
        return self.files[request.url.path.lstrip("/")].answer(request)

    async def not_found(self, request: Request, _error: Exception) -> Response:
        """People get the page, which says that there is nothing; programs get a named refusal."""
        wants_page = "text/html" in request.headers.get("accept", "")
        if wants_page and not request.url.path.startswith(_MACHINES):
            return self.index.answer(request, status=404)
        return missing()


def _belongs_to_root(name: str) -> bool:
    return name == "manifest.webmanifest" or (name.startswith("icon") and "/" not in name)


def missing() -> Response:
    """Nothing here, by name."""
    refusal = Refusal("not_found", "there is no such thing here", 404)
    return Response(msgspec.json.encode(refusal.message()), 404, media_type="application/json")

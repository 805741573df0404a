"""Who may talk to the server, how much and how fast; and what a browser may do with the page."""

from __future__ import annotations

import ipaddress
import logging
import socket
import time
from collections import OrderedDict
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cotulenh.web.messages import Error

__all__ = ["CSP", "Bucket", "Buckets", "Guard", "Hosts"]

log = logging.getLogger("cotulenh.web")

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

#: Bytes of a request's body at most.
MAX_BODY = 262_144


class Bucket:
    """Lets ``rate`` things a second through, and ``burst`` at once."""

    __slots__ = ("at", "burst", "level", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst, self.level, self.at = rate, burst, burst, time.monotonic()

    def take(self, amount: float = 1.0) -> bool:
        """Whether it may pass now."""
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < amount:
            return False
        self.level -= amount
        return True


class Buckets:
    """A bucket for each address, the least used forgotten first."""

    def __init__(self, rate: float, burst: float, most: int = 4096) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._held: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, amount: float = 1.0) -> bool:
        """Whether this address may pass now."""
        bucket = self._held.get(address)
        if bucket is None:
            bucket = self._held[address] = Bucket(self._rate, self._burst)
            if len(self._held) > self._most:
                self._held.popitem(last=False)
        self._held.move_to_end(address)
        return bucket.take(amount)


class Hosts:
    """The names under which this server may be called.

    A page of another site that makes its own name point here (DNS rebinding) has a foreign name in
    its ``Host`` header, so names are checked: loopback ones always, numbers and this machine's name
    when the server is open to the network.
    """

    def __init__(self, bound: str = "127.0.0.1", extra: tuple[str, ...] = ()) -> None:
        self._open = not _is_loopback(bound)
        own = socket.gethostname().lower()
        self._names = {"localhost", bound.lower(), *extra}
        if self._open:
            self._names |= {own, f"{own}.local"}

    def allows(self, host: str) -> bool:
        """Whether a ``Host`` header is one of ours."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:  # brackets that hold no address
            return False
        if name in self._names or _is_loopback(name):
            return True
        return self._open and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name).is_loopback)


def same_origin(headers: Headers, scheme: str) -> bool:
    """Whether a request comes from our own page; no ``Origin`` means: not from a page.

    ``scheme`` is the request's, as the server or a proxy before it (``--proxy``) has it.
    """
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    same_host = parts.netloc.lower() == headers.get("host", "").lower()
    return same_host and parts.scheme == {"ws": "http", "wss": "https"}.get(scheme, scheme)


class Guard:
    """The door: names, origins, sizes and speed are checked before anything else happens."""

    def __init__(self, app: ASGIApp, hosts: Hosts, rate: float = 50, burst: float = 1000) -> None:
        self._app, self._hosts = app, hosts
        self._speed = Buckets(rate, burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request in, or refuses it with a name."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is None:
            await self._app(scope, receive, _dressed(send))
            return
        status, error = refused
        client = scope.get("client") or ("?", 0)
        log.warning("refused %s from %s: %s", scope["path"], client[0], error.code)
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": error.code})
            return
        answer = Response(msgspec.json.encode(error), status, media_type="application/json")
        await answer(scope, receive, _dressed(send))

    def _refusal(self, scope: Scope) -> tuple[int, Error] | None:
        headers = Headers(scope=scope)
        if not self._hosts.allows(headers.get("host", "")):
            return 421, Error("wrong_host", "this server is not called that")
        reads = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if not reads and not same_origin(headers, scope.get("scheme", "http")):
            return 403, Error("wrong_origin", "only this server's own page may ask that")
        size = headers.get("content-length", "0")
        if not size.isdecimal() or len(size) > 12 or int(size) > MAX_BODY:
            return 413, Error("too_large", f"at most {MAX_BODY} bytes")
        address = (scope.get("client") or ("?", 0))[0]
        if not self._speed.take(address):
            return 429, Error("too_fast", "too many requests, slow down")
        return None


def _dressed(send: Send) -> Send:
    """Adds what a browser must know to every answer."""

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return dressed

"""How the server is: ``/healthz`` and Prometheus' ``/metrics``, on an address of their own."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cotulenh import __version__
from cotulenh.web.messages import Refusal
from cotulenh.web.store import Store

__all__ = ["Gauge", "Meter", "Metrics"]

log = logging.getLogger("cotulenh.web")
#: A number that is looked up when it is asked for: its name, what it is, where it comes from.
Gauge = tuple[str, str, Callable[[], float]]
#: Seconds after which the disk counts as stuck, and for a request to arrive.
PATIENCE = 3.0


class Meter:
    """Counts answers by their status; outermost, so that refusals count too."""

    def __init__(self, app: ASGIApp, answers: Counter[int]) -> None:
        self._app, self._answers = app, answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes everything on."""

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._answers[message["status"]] += 1
            await send(message)

        await self._app(scope, receive, counted if scope["type"] == "http" else send)


class Metrics:
    """Answers two questions over plain HTTP, one a connection."""

    def __init__(self, store: Store, gauges: list[Gauge]) -> None:
        self._store, self._gauges = store, gauges
        self.answers: Counter[int] = Counter()
        self._began = time.time()
        self._server: asyncio.Server | None = None

    async def listen(self, host: str, port: int) -> None:
        """Begins to answer."""
        self._server = await asyncio.start_server(self._serve, host, port)

    async def close(self) -> None:
        """Ends it."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
            status, text = await self._answer(head)
            body = text.encode()
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
                + body
            )
            await asyncio.wait_for(writer.drain(), PATIENCE)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def _answer(self, head: bytes) -> tuple[str, str]:
        match head.split(b" ", 2)[:2]:
            case [b"GET", b"/healthz"]:
                trouble = await self.trouble()
                return ("503 Service Unavailable", trouble) if trouble else ("200 OK", "ok\n")
            case [b"GET", b"/metrics"]:
                return "200 OK", self.text()
        return "404 Not Found", "there are /healthz and /metrics\n"

    async def trouble(self) -> str:
        """Why the server is not well; empty if it is: the disk takes a change and says so."""
        try:
            await asyncio.wait_for(self._store.do(_touch), PATIENCE)
        except Refusal as refusal:
            return f"{refusal.text}: {refusal.args_.get('reason', '')}\n"
        except TimeoutError:
            return f"the disk has not answered for {PATIENCE:g} seconds\n"
        return ""

    def text(self) -> str:
        """All numbers in Prometheus' format."""
        return "".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f'# TYPE cotulenh_info gauge\ncotulenh_info{{version="{__version__}"}} 1\n'
        yield f"# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds {self._began}\n"
        usage = os.times()
        yield "# TYPE process_cpu_seconds_total counter\n"
        yield f"process_cpu_seconds_total {usage.user + usage.system:.2f}\n"
        for name, what, number in [*self._gauges, *self._own()]:
            kind = "counter" if name.endswith("_total") else "gauge"
            yield f"# HELP cotulenh_{name} {what}\n# TYPE cotulenh_{name} {kind}\n"
            yield f"cotulenh_{name} {number():g}\n"
        yield "# HELP cotulenh_answers_total Answers over HTTP.\n"
        yield "# TYPE cotulenh_answers_total counter\n"
        for status, count in sorted(self.answers.items()):
            yield f'cotulenh_answers_total{{status="{status}"}} {count}\n'

    def _own(self) -> list[Gauge]:
        store = self._store
        return [
            ("transactions_total", "Changes and look-ups of the database.", lambda: store.done),
            ("transactions_failed_total", "Those the disk refused.", lambda: store.failed),
            ("transaction_seconds_total", "Time they took, waiting included.", lambda: store.spent),
            ("database_bytes", "Size of games.sqlite.", lambda: _size(store.path)),
        ]


def _touch(base: sqlite3.Connection) -> None:
    base.execute("INSERT OR REPLACE INTO facts VALUES ('healthz', ?)", (time.time(),))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0

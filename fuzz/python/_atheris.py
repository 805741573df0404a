"""What the targets in Python share: texts from bytes, the loop of the fuzzer, a server to ask.

Each target is a program: python fuzz/python/TARGET.py [options of libFuzzer] [corpora …]
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def run(target: Callable[[bytes], None]) -> None:
    """Hands the target to the fuzzer; whatever it raises is a finding."""
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


class Server:
    """The web application, called without a network: requests and messages one after the other."""

    def __init__(self) -> None:
        from cotulenh.web import create_app

        logging.disable(logging.CRITICAL)
        self.loop = asyncio.new_event_loop()
        self.directory = Path(tempfile.mkdtemp(prefix="fuzz-server-"))
        self.app = create_app(self.directory)
        self._visitor = 0

    def _scope(self, kind: str, path: str) -> dict[str, Any]:
        self._visitor += 1  # everyone is new, so that nobody is too fast
        number = self._visitor % (1 << 24)
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http" if kind == "http" else "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")],
            "client": (f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 1),
            "server": ("127.0.0.1", 80),
            "subprotocols": [],
        }

    def ask(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and body of the answer to a request."""
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {**self._scope("http", path), "method": method}
        self.loop.run_until_complete(self.app(scope, receive, send))
        return sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:])

    def say(self, messages: list[str]) -> list[str]:
        """What a page hears that says all this at once and goes away."""
        heard: list[str] = []
        waiting: list[dict[str, Any]] = [{"type": "websocket.connect"}]
        waiting += [{"type": "websocket.receive", "text": text} for text in messages]
        waiting.append({"type": "websocket.disconnect", "code": 1000})

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(0)
            return waiting.pop(0) if waiting else {"type": "websocket.disconnect", "code": 1000}

        async def send(message: Any) -> None:
            if message["type"] == "websocket.send":
                heard.append(message.get("text") or message["bytes"].decode())

        talk = asyncio.wait_for(self.app(self._scope("websocket", "/ws"), receive, send), 10)
        self.loop.run_until_complete(talk)
        return heard

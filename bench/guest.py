"""What the benches of the server share: a server of their own, and guests who play on it."""

import asyncio
import json
import random
import re
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager

from websockets.asyncio.client import connect


@contextmanager
def server(*options):
    """A server over a directory that goes with it: its process, its port, the directory."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "cotulenh", "serve", "--no-browser", "--port", "0"]
        started = subprocess.Popen(
            [*command, "--data", data, *options], stdout=subprocess.PIPE, text=True
        )
        try:
            yield started, int(re.search(r":(\d+)/", started.stdout.readline())[1]), data
        finally:
            started.terminate()
            started.wait()


def post(url, body, headers=None):
    request = urllib.request.Request(url, json.dumps(body).encode(), headers or {})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def dial(port, **options):
    """A socket as the page opens it, but without compression, which is not what is measured."""
    at = f"127.0.0.1:{port}"
    return connect(f"ws://{at}/ws", origin=f"http://{at}", compression=None, **options)


class Guest:
    """Someone with a local game and its socket; ``headers`` is what a proxy would add."""

    def __init__(self, port, headers=None):
        self.port, self.headers, self.key = port, headers or {}, secrets.token_urlsafe(24)
        self.id = self.socket = self.state = None

    async def open(self):
        self.socket = await dial(self.port, max_size=None, additional_headers=self.headers)
        url, body = f"http://127.0.0.1:{self.port}/api/games", {"key": self.key, "mode": "local"}
        self.id = (await asyncio.to_thread(post, url, body, self.headers))["id"]
        await self.socket.send(json.dumps({"t": "open", "game": self.id, "key": self.key}))
        await self._hear(0)
        return self

    async def close(self):
        await self.socket.close()

    async def move(self, text):
        """Plays a move; the seconds until the new position came, which is on the disk by then."""
        ply = len(self.state["moves"])
        began = time.perf_counter()
        await self.socket.send(json.dumps({"t": "move", "text": text, "ply": ply}))
        await self._hear(ply + 1)
        return time.perf_counter() - began

    async def random_move(self):
        """The same with a move by chance; nothing if the game is over."""
        if self.state.get("result"):
            return None
        return await self.move(random.choice(self.state["view"]["moves"])["text"])

    async def _hear(self, moves):
        """Waits for the game with so many moves."""
        while True:
            message = json.loads(await self.socket.recv())
            if message["t"] == "refused":
                raise RuntimeError(message)
            if message["t"] == "game":
                self.state = message
                if len(message["moves"]) == moves:
                    return

"""A real server in a process of its own, clients for it, and Debian's Chromium if there is one."""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

NEEDED = ("starlette", "uvicorn", "websockets", "msgspec", "click")
MISSING = [name for name in NEEDED if find_spec(name) is None]
if MISSING:
    print(f"tests/web is left out: {', '.join(MISSING)} missing", file=sys.stderr)
    collect_ignore_glob = ["test_*.py"]

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


#: Seconds after which a request is given up. Long, for machines with much else to do.
PATIENCE = 180


class Server:
    """``cotulenh serve`` on a free port of loopback."""

    def __init__(self, data, *args, env=None):
        self.data = data
        command = [sys.executable, "-m", "cotulenh", "serve", "--no-browser", "--port", "0"]
        self.log = (data / "log.txt").open("ab")
        self.process = subprocess.Popen(
            [*command, "--data", str(data), *args],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
        )
        try:
            line = self.process.stdout.readline()
            found = re.search(r"http://localhost:(\d+)/", line)
            assert found, f"no address in {line!r}: {(data / 'log.txt').read_text()}"
            self.port = int(found[1])
            self.url = f"http://localhost:{self.port}"
            self.wait()
        except BaseException:
            self.kill()
            raise

    def wait(self):
        for _ in range(100):
            try:
                return self.get("/api/meta")
            except (ConnectionError, urllib.error.URLError):
                continue
        raise AssertionError("the server does not answer")

    def ask(self, path, body=None, headers=None, raw=None):
        """Status and decoded answer."""
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers or {})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, _decoded(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _decoded(error.read())

    def get(self, path):
        return self.ask(path)[1]

    def post(self, path, body):
        status, answer = self.ask(path, body)
        assert status < 300, answer
        return answer

    def new_game(self, key=None, **ask):
        return self.post("/api/games", {"key": key or new_key(), **ask})["id"]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(8)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()


def _decoded(data):
    try:
        return json.loads(data)
    except ValueError:
        return data.decode()


def new_key():
    return secrets.token_urlsafe(24)


class Player:
    """One page's socket."""

    def __init__(self, server, game=None, key=None, **options):
        from websockets.sync.client import connect

        self.key = key or new_key()
        self.stack = ExitStack()
        options = {"origin": server.url, "compression": None, **options}
        self.socket = self.stack.enter_context(
            connect(f"ws://localhost:{server.port}/ws", **options)
        )
        self.state = None
        if game is not None:
            self.send("open", game=game, key=self.key, join=True)
            self.hear("game")

    def send(self, t, **fields):
        self.socket.send(json.dumps({"t": t, **fields}))

    def hear(self, *kinds, timeout=20):
        """The next message of a kind; games are remembered, others passed over."""
        while True:
            message = json.loads(self.socket.recv(timeout=timeout))
            if message["t"] == "game":
                self.state = message
            if message["t"] in kinds:
                return message

    def play(self, text):
        """Plays a move and waits for the answer: the game, or a refusal."""
        before = len(self.state["moves"])
        self.send("move", text=text, ply=before)
        while True:
            answer = self.hear("game", "refused")
            if answer["t"] == "refused" or len(answer["moves"]) != before:
                return answer

    def act(self, what):
        self.send("act", what=what)
        return self.hear("game", "refused")

    def close(self):
        self.stack.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("data"), "--verbose")
    yield server
    server.stop()


@pytest.fixture
def player(server):
    """Opens sockets that are closed when the test ends."""
    opened = []

    def open_player(*args, **options):
        opened.append(Player(server, *args, **options))
        return opened[-1]

    yield open_player
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def serve():
    """A server of one's own over a directory, and the player that speaks to it."""
    return serving


@pytest.fixture
def connect():
    return Player


@pytest.fixture
def key():
    return new_key()


@pytest.fixture
def new_keys():
    """Makes keys of players."""
    return new_key


@contextmanager
def serving(data, *args, env=None):
    server = Server(data, *args, env=env)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


# Faults ---------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def shim(tmp_path_factory):
    from faults import compiled

    found = compiled(tmp_path_factory.mktemp("shim"))
    if found is None:
        pytest.skip("faults need a C compiler and LD_PRELOAD")
    return found


@pytest.fixture
def faults(tmp_path, shim):
    from faults import Faults

    return Faults(tmp_path / "faults", shim)


# Browsers -------------------------------------------------------------------------------------


# For one module only: while Playwright runs, asyncio.run is not possible in other tests.
@pytest.fixture(scope="module")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is missing")
    with playwright.sync_playwright() as tools:
        path = CHROMIUM if CHROMIUM.exists() else Path(tools.chromium.executable_path)
        if not path.exists():
            pytest.skip("no browser: apt-get install chromium, or playwright install chromium")
        browser = tools.chromium.launch(executable_path=str(path), args=FLAGS)
        yield browser
        browser.close()


def is_bad(message):
    """Errors, but not the browser's own line about a refusal the page deals with."""
    known = ("status of 400", "status of 409", "ERR_INTERNET_DISCONNECTED")
    return message.type == "error" and not any(one in message.text for one in known)


@pytest.fixture
def browse(chromium, server):
    """Opens pages, each in a browser profile of its own; no page may log an error."""
    contexts, errors = [], []

    def open_page(path="/", *, width=1200, height=860, **options):
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            **{"locale": "en-US", **options},
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda m: errors.append(m.text) if is_bad(m) else None)
        page.goto(server.url + path)
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not errors, errors

"""Hosting: behind nginx as docs/hosting/nginx.conf has it, limits, backups, health, logs."""

import json
import re
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest

NAME = "club.example.org"
CONFIG = Path(__file__).parents[2] / "docs" / "hosting" / "nginx.conf"


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def verb(*args):
    return subprocess.run(
        [sys.executable, "-m", "cotulenh", "serve", "--no-browser", *map(str, args)],
        capture_output=True,
        text=True,
        timeout=90,
    )


@pytest.fixture
def start(serve, tmp_path):
    """Starts servers that end with the test."""
    with ExitStack() as all_:
        data = tmp_path / "data"
        data.mkdir()
        yield lambda *args: all_.enter_context(serve(data, *args))


@pytest.fixture
def page(connect):
    """Opens pages that are closed with the test."""
    with ExitStack() as all_:

        def open_page(*args, **options):
            opened = connect(*args, **options)
            all_.callback(opened.close)
            return opened

        yield open_page


# Behind nginx -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def proxied(tmp_path_factory, serve):
    """A server behind nginx: the documented file, with its ports and certificate exchanged."""
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    if nginx is None or shutil.which("openssl") is None:
        pytest.skip("nginx or openssl is missing: apt-get install nginx-light openssl")
    place = tmp_path_factory.mktemp("nginx")
    args = ("--name", NAME, "--proxy", "127.0.0.1", "--max-pages-each", "2", "--verbose")
    (place / "data").mkdir()
    with serve(place / "data", *args) as server:
        yield from behind(nginx, place, server)


def behind(nginx, place, server):
    key, cert = place / "key.pem", place / "cert.pem"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -keyout {key} -out {cert} -days 2"
    subprocess.run(
        [*command.split(), "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"],
        check=True,
        capture_output=True,
    )
    port, plain = free_port(), free_port()
    text = CONFIG.read_text("utf-8")
    for old, new in [
        (r"listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        (r"listen 80", f"listen 127.0.0.1:{plain}"),
        (r"127\.0\.0\.1:8480", f"127.0.0.1:{server.port}"),
        (r"/etc/\S+fullchain\.pem", str(cert)),
        (r"/etc/\S+privkey\.pem", str(key)),
    ]:
        text, count = re.subn(old, new, text)
        assert count == 1, old
    temporary = "".join(
        f"{kind}_temp_path {place}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = place / "nginx.conf"
    whole.write_text(
        f"daemon off; pid {place}/pid; error_log {place}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary}\n{text}\n}}\n"
    )
    process = subprocess.Popen([nginx, "-p", str(place), "-c", str(whole)], stderr=subprocess.PIPE)
    try:
        wait_for(port, process)
        yield Proxied(server, port, plain, cert)
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


def wait_for(port, process):
    for _ in range(200):
        assert process.poll() is None, process.stderr.read().decode()
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("nginx does not listen")


class Proxied:
    """nginx and the server behind it; the name of the site leads here."""

    def __init__(self, server, port, plain, cert):
        self.server, self.port, self.plain = server, port, plain
        self.context = ssl.create_default_context(cafile=str(cert))

    def ask(self, method="GET", path="/", body=b"", **headers):
        """One request over TLS: status and body."""
        asked = {"Host": f"{NAME}:{self.port}", "Connection": "close", **headers}
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in asked.items())
        with (
            socket.create_connection(("127.0.0.1", self.port), timeout=20) as raw,
            self.context.wrap_socket(raw, server_hostname=NAME) as line,
        ):
            line.sendall(
                f"{method} {path} HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            answer = b"".join(iter(lambda: line.recv(65536), b""))
        return int(answer.split(b" ", 2)[1]), answer.partition(b"\r\n\r\n")[2]

    def connect(self, **options):
        from websockets.sync.client import connect

        raw = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        options = {"origin": f"https://{NAME}:{self.port}", **options}
        return connect(
            f"wss://{NAME}:{self.port}/ws",
            sock=raw,
            ssl=self.context,
            server_hostname=NAME,
            compression=None,
            **options,
        )


def test_the_page_comes_over_tls(proxied):
    status, body = proxied.ask()
    assert status == 200
    assert b"<html" in body


def test_plain_http_is_sent_to_tls(proxied):
    with socket.create_connection(("127.0.0.1", proxied.plain), timeout=20) as line:
        line.sendall(f"GET /play HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(65536), b"")).decode()
    assert "301" in answer.splitlines()[0]
    assert f"https://{NAME}/play" in answer


def test_a_game_is_played_through_the_proxy(proxied):
    key = "k" * 32
    origin = f"https://{NAME}:{proxied.port}"
    body = json.dumps({"key": key, "mode": "local"}).encode()
    status, answer = proxied.ask("POST", "/api/games", body, Origin=origin)
    assert status == 201 or status == 200, answer
    game = json.loads(re.search(rb"\{.*\}", answer, re.DOTALL)[0])["id"]
    with proxied.connect() as page:
        page.send(json.dumps({"t": "open", "game": game, "key": key}))
        state = json.loads(page.recv(timeout=20))
        page.send(json.dumps({"t": "move", "text": state["view"]["moves"][0]["text"], "ply": 0}))
        assert len(json.loads(page.recv(timeout=20))["moves"]) == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example.org"}, 421),
        ({"Origin": "https://evil.example.org"}, 403),
        ({"Origin": f"http://{NAME}"}, 403),  # the scheme counts, and nginx tells which
    ],
)
def test_names_and_origins_are_checked_behind_the_proxy(proxied, headers, status):
    body = json.dumps({"key": "k" * 32, "mode": "local"}).encode()
    assert proxied.ask("POST", "/api/games", body, **headers)[0] == status


def test_a_foreign_page_gets_no_socket(proxied):
    from websockets.exceptions import InvalidStatus

    with pytest.raises(InvalidStatus), proxied.connect(origin="https://evil.example.org"):
        pass


def test_pages_are_counted_by_the_visitors_address_that_only_the_proxy_may_tell(proxied):
    """nginx overwrites what a visitor says; without it a forged header would be believed."""
    from websockets.exceptions import InvalidStatus

    with proxied.connect() as first, proxied.connect() as second:
        for page in (first, second):
            page.ping().wait(20)
        for forged in ("10.0.0.1", "10.0.0.2"):
            said = {"X-Forwarded-For": forged}
            with pytest.raises(InvalidStatus), proxied.connect(additional_headers=said):
                pass


@pytest.mark.parametrize("proxies", [(), ("--proxy", "10.9.8.7")])
def test_without_a_proxy_nobody_is_believed(start, proxies):
    """A visitor that sends the header itself is logged, and counted, under its real address."""
    server = start("--verbose", *proxies)
    server.ask("/", headers={"X-Forwarded-For": "203.0.113.9", "Host": "evil.example.org"})
    server.stop()
    log = Path(server.log.name).read_text("utf-8")
    assert "wrong_host" in log
    assert "203.0.113.9" not in log


# Limits -------------------------------------------------------------------------------------------


def test_games_and_studies_have_an_end(start, key):
    server = start("--max-games", "1", "--max-studies", "1")
    server.new_game()
    status, answer = server.ask("/api/games", {"key": key, "mode": "local"})
    assert (status, answer["code"]) == (503, "too_many_games")


def test_analyses_of_one_address_have_an_end(start, page):
    server = start("--searches-each", "1")
    first, second = page(server), page(server)
    for one in (first, second):
        one.send("analyse", id=1, variant="official", lines=1)
    assert first.hear("lines")["id"] == 1
    assert second.hear("refused")["code"] == "engine_busy"
    first.send("stop")
    first.send("ping", id=2)
    first.hear("pong")
    second.send("analyse", id=3, variant="official", lines=1)
    assert second.hear("lines", "refused")["t"] == "lines"


# Backups ------------------------------------------------------------------------------------------


def test_a_backup_of_a_running_server_comes_back_into_it(start, page, key, tmp_path):
    server = start()
    player = page(server, server.new_game(key), key=key)
    player.play(player.state["view"]["moves"][0]["text"])
    game = player.state["id"]
    kept = tmp_path / "kept.sqlite"
    done = verb("--backup", kept, "--data", server.data)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 games ")
    player.play(player.state["view"]["moves"][0]["text"])
    later = server.new_game()

    done = verb("--restore", kept, "--data", server.data)
    assert done.returncode == 0, done.stderr
    again = page(server, game, key=player.key)
    assert len(again.state["moves"]) == 1
    again.play(again.state["view"]["moves"][0]["text"])
    assert len(again.state["moves"]) == 2
    assert server.ask(f"/api/games/{later}")[0] == 404
    assert list(server.data.glob("games-before-*.backup.sqlite"))
    server.stop()
    assert verb("--check", "--data", server.data).returncode == 0


def test_a_backup_comes_back_without_a_server(start, tmp_path):
    server = start()
    server.new_game()
    server.stop()
    kept, elsewhere = tmp_path / "kept.sqlite", tmp_path / "elsewhere"
    assert verb("--backup", kept, "--data", server.data).returncode == 0
    (server.data / "games.sqlite").write_bytes(b"nothing of the kind")
    for data in (server.data, elsewhere):
        done = verb("--restore", kept, "--data", data)
        assert done.returncode == 0, done.stderr
        assert verb("--check", "--data", data).returncode == 0


@pytest.mark.parametrize("content", [b"", b"not a database", None])
def test_what_is_no_backup_is_not_taken(start, tmp_path, content):
    server = start()
    game = server.new_game()
    bad = tmp_path / "bad.sqlite"
    if content is None:
        with sqlite3.connect(bad) as base:
            base.execute("CREATE TABLE other (x)")
    else:
        bad.write_bytes(content)
    done = verb("--restore", bad, "--data", server.data)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert server.ask(f"/api/games/{game}")[0] == 200


def test_nothing_to_back_up_is_said(tmp_path):
    done = verb("--backup", tmp_path / "kept.sqlite", "--data", tmp_path)
    assert done.returncode == 2
    assert "there is nothing to back up" in done.stderr


# Health and numbers -------------------------------------------------------------------------------


def look(port, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_health_and_metrics_have_an_address_of_their_own(start, page, key):
    port = free_port()
    server = start("--metrics", f"127.0.0.1:{port}")
    player = page(server, server.new_game(key), key=key)
    player.play(player.state["view"]["moves"][0]["text"])
    assert look(port, "/healthz") == (200, "ok\n")
    status, text = look(port, "/metrics")
    assert status == 200
    numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert numbers["cotulenh_sockets"] == "1"
    assert numbers["cotulenh_rooms"] == "1"
    assert int(numbers["cotulenh_transactions_total"]) >= 2
    assert any(name.startswith("cotulenh_answers_total{status=") for name in numbers)
    assert look(port, "/")[0] == 404
    assert server.ask("/metrics")[0] == 404  # players do not see them
    assert server.ask("/healthz")[0] == 404


def test_a_log_of_json(start):
    server = start("--log", "json", "--verbose")
    server.ask("/", headers={"Host": "evil.example.org"})
    server.stop()
    lines = [json.loads(line) for line in Path(server.log.name).read_text("utf-8").splitlines()]
    refused = [line for line in lines if "wrong_host" in line["message"]]
    assert refused[0]["level"] == "warning"
    assert refused[0]["time"][:2] == "20"


@pytest.mark.parametrize(
    "args",
    [
        ("--proxy", "somewhere"),
        ("--metrics", "nowhere"),
        ("--max-games", "0"),
        ("--backup", "a", "--restore", __file__),
    ],
)
def test_bad_settings(args, tmp_path):
    done = verb("--port", "0", "--data", tmp_path, *args)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1

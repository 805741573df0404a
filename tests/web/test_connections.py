"""Connections: silent, half-written, too many, odd; nobody else notices."""

import json
import resource
import socket
import time
import urllib.request
from contextlib import suppress

import pytest
from websockets.exceptions import InvalidStatus

from cotulenh.web.protocol import HEADER_SECONDS, MOST_SILENT_OF_ONE


def raw(server):
    return socket.create_connection(("localhost", server.port), timeout=30)


def is_closed(connection):
    """Whether the other end hangs up, after whatever it still has to say."""
    connection.settimeout(HEADER_SECONDS + 20)
    try:
        while connection.recv(100):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


@pytest.fixture
def many_files():
    """Lets this process open a few thousand files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8000 if hard == resource.RLIM_INFINITY else min(8000, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield max(soft, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_half_a_request_and_silence_end_by_themselves(server):
    half, silent, second = raw(server), raw(server), raw(server)
    half.sendall(b"GET / HTTP/1.1\r\nHost: localho")
    second.sendall(f"GET /api/lobby HTTP/1.1\r\nHost: localhost:{server.port}\r\n\r\n".encode())
    assert b"200" in second.recv(4000)
    second.sendall(b"GET / HT")
    for connection in (half, silent, second):
        assert is_closed(connection)
        connection.close()


def test_silent_connections_lock_nobody_out(server, many_files):
    crowd = [raw(server) for _ in range(1200)]
    assert server.get("/api/lobby")["people"] >= 0
    with urllib.request.urlopen(server.url + "/", timeout=10) as answer:
        assert answer.status == 200
    # Of one address only so many may be silent at once: the oldest have gone at once.
    gone = 0
    for connection in crowd[: 1200 - MOST_SILENT_OF_ONE]:
        connection.settimeout(5)
        try:
            gone += connection.recv(1) == b""
        except ConnectionError:
            gone += 1
        except TimeoutError:
            pass
    assert gone > 900
    for connection in crowd:
        connection.close()
    assert (server.data / "log.txt").stat().st_size < 5_000_000


@pytest.mark.long
def test_two_thousand_sockets(tmp_path, serve, connect, many_files):
    """As many pages as are promised, from one address, within its speed; one more is refused."""
    if many_files < 5000:
        pytest.skip("this process may not open so many files")
    with serve(tmp_path) as server:
        pages = []
        while len(pages) < 2000:
            with suppress(InvalidStatus):  # faster than one address may be
                pages.append(connect(server, open_timeout=60))
            time.sleep(0.02)
        for page in pages[::100]:
            page.send("ping", id=1)
            assert page.hear("pong", timeout=60)["id"] == 1
        assert server.get("/api/lobby")["people"] == 2000
        for page in pages:
            page.close()


@pytest.mark.parametrize(
    ("name", "value", "status", "code"),
    [
        ("host", "[", 421, "wrong_host"),
        ("host", "[::1", 421, "wrong_host"),
        ("host", "]", 421, "wrong_host"),
        ("host", "localhost:[", 421, "wrong_host"),
        ("origin", "http://[", 403, "wrong_origin"),
        ("origin", "null", 403, "wrong_origin"),
        ("origin", "https://{host}", 403, "wrong_origin"),
        ("origin", "ftp://{host}", 403, "wrong_origin"),
        ("content-length", "٣", 413, "too_large"),
    ],
)
def test_odd_headers_are_refused_by_name(server, name, value, status, code):
    host = f"localhost:{server.port}"
    headers = {"host": host, "content-length": "2", name: value.format(host=host)}
    lines = "".join(f"{key}: {text}\r\n" for key, text in headers.items())
    with raw(server) as connection:
        head = f"POST /api/position HTTP/1.1\r\n{lines}connection: close\r\n\r\n"
        connection.sendall(head.encode() + b"{}")
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    first, _, body = answer.partition(b"\r\n\r\n")
    if name == "content-length":  # the HTTP layer may see to it before we do
        assert b" 400 " in first or b" 413 " in first
        return
    assert f" {status} ".encode() in first.splitlines()[0]
    assert json.loads(body)["code"] == code


def test_our_own_origin_is_let_in(server):
    headers = {"origin": server.url}
    assert server.ask("/api/position", {"variant": "official"}, headers)[0] == 200


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/api/games"), ("POST", "/api/lobby")])
def test_a_wrong_method_is_refused_as_json(server, method, path):
    request = urllib.request.Request(server.url + path, b"{}", method=method)
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=20)
    with caught.value as error:
        assert error.code == 405
        assert json.loads(error.read())["code"] == "method_not_allowed"


def test_people_get_a_page_and_programs_json_for_what_is_not_there(server):
    request = urllib.request.Request(server.url + "/foo", headers={"accept": "text/html"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=20)
    with caught.value as error:
        assert error.code == 404
        assert b"<!doctype html>" in error.read()
    assert server.ask("/foo")[1]["code"] == "not_found"
    assert server.ask("/api/foo", headers={"accept": "text/html"})[1]["code"] == "not_found"


# Files ----------------------------------------------------------------------------------------


def test_files_of_a_version_are_kept_for_good(server):
    with urllib.request.urlopen(server.url + "/") as answer:
        page = answer.read().decode()
        assert answer.headers["cache-control"] == "no-cache"
    address = page.split('src="', 1)[1].split('"', 1)[0]
    version = address.split("/")[2]
    for path in (address, f"/static/{version}/meta.json", f"/static/{version}/drawn/official.svg"):
        with urllib.request.urlopen(server.url + path) as answer:
            assert "immutable" in answer.headers["cache-control"]
    with urllib.request.urlopen(server.url + "/static/0123456789ab/style.css") as answer:
        assert answer.headers["cache-control"] == "no-cache"
    assert server.ask(f"/static/{version}/nothing.js")[0] == 404
    assert server.ask(f"/static/{version}/../../etc/passwd")[0] == 404

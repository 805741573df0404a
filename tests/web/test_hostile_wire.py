"""Requests and frames that are wrong on the wire: refused, and no trace of code in the log."""

import base64
import socket
import struct

import pytest

JSON = "POST /api/games HTTP/1.1\r\nHOSTContent-Type: application/json\r\n"
BODY = '{"mode": "local"}'
MASK = b"\0\0\0\0"

#: What is sent, and the status that comes back.
REQUESTS = {
    "two lengths": (f"{JSON}Content-Length: 5\r\nContent-Length: 17\r\n\r\n{BODY}", 400),
    "negative length": (f"{JSON}Content-Length: -5\r\n\r\n{BODY}", 400),
    "a length beyond all": (f"{JSON}Content-Length: {10**19}\r\n\r\n{BODY}", 413),
    "a chunk without a number": (f"{JSON}Transfer-Encoding: chunked\r\n\r\nzz\r\n{BODY}", 400),
    "two names": ("GET / HTTP/1.1\r\nHOSTHost: other\r\n\r\n", 400),
    "no name": ("GET / HTTP/1.1\r\n\r\n", 400),
    "a zero": ("GET / HTTP/1.1\r\nHOSTX: a\0b\r\n\r\n", 400),
    "a header of a megabyte": (f"GET / HTTP/1.1\r\nHOSTX: {'a' * 1_000_000}\r\n\r\n", 400),
    "50 000 headers": ("GET / HTTP/1.1\r\nHOST" + "X: a\r\n" * 50_000 + "\r\n", 400),
    "a path of bytes": ("GET /\xff\xfe HTTP/1.1\r\nHOST\r\n", 400),
    "a path out of the house": ("GET /..%2f..%2fetc/passwd HTTP/1.1\r\nHOST\r\n", 404),
    "no HTTP": ("GET /\r\n\r\n", 400),
    "TLS": ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\x55" * 300 + "\r\n\r\n", 400),
    "a method of one's own": ("BREW / HTTP/1.1\r\nHOST\r\n", 405),
    "wishes that are none": (
        "GET / HTTP/1.1\r\nHOSTAccept-Language: vi;q=nan,;;=\xff\r\nRange: bytes=-1-9,5-1\r\n"
        'If-None-Match: """\r\nIf-Modified-Since: never\r\nCookie: ===;\xff\r\n\r\n',
        200,
    ),
}

#: Frames, and the code that the socket is closed with.
FRAMES = {
    "no mask": (b"\x81\x02{}", 1002),
    "reserved bits": (b"\xf1\x82" + MASK + b"{}", 1002),
    "an unknown kind": (b"\x8b\x82" + MASK + b"{}", 1002),
    "no UTF-8": (b"\x81\x82" + MASK + b"\xff\xfe", 1007),
    "a length beyond all": (b"\x81\xff\x7f" + b"\xff" * 7 + MASK, 1009),
    "the end of nothing": (b"\x80\x82" + MASK + b"{}", 1002),
    "a long ping": (b"\x89\xfe\x04\x00" + MASK + b"a" * 1024, 1002),
    "a farewell of one byte": (b"\x88\x81" + MASK + b"\x01", 1002),
}


@pytest.fixture
def quiet(server):
    """After the test the server answers, and its log has no trace of an error of its own."""
    path = server.log.name
    with open(path, "rb") as file:
        before = len(file.read())
    yield server
    assert server.get("/api/lobby")["people"] >= 0
    with open(path, "rb") as file:
        assert b"Traceback" not in file.read()[before:]


def host(server):
    return f"Host: localhost:{server.port}\r\n"


@pytest.mark.parametrize("what", REQUESTS)
def test_requests(quiet, what):
    text, status = REQUESTS[what]
    with socket.create_connection(("localhost", quiet.port), timeout=30) as wire:
        wire.sendall(text.replace("HOST", host(quiet), 1).encode("latin-1"))
        answer = wire.recv(4096)
    assert answer.split()[1] == str(status).encode()


@pytest.mark.parametrize("what", FRAMES)
def test_frames(quiet, what):
    sent, code = FRAMES[what]
    with socket.create_connection(("localhost", quiet.port), timeout=30) as wire:
        key = base64.b64encode(bytes(16)).decode()
        wire.sendall(
            f"GET /ws HTTP/1.1\r\n{host(quiet)}Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"Origin: http://localhost:{quiet.port}\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in (answer := wire.recv(4096)):
            pass
        assert b" 101 " in answer
        wire.sendall(sent)
        heard = b""
        while part := wire.recv(4096):
            heard += part
    assert struct.pack(">H", code) in heard

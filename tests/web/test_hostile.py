"""Hostile input is refused with a named reason, logged, and harms no other game."""

import json
import socket
import threading

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus


@pytest.fixture(autouse=True)
def bystander(server, player):
    """Someone else's game goes on through all of it."""
    other = player()
    game = server.new_game(other.key, mode="local")
    other.send("open", game=game, key=other.key)
    other.hear("game")
    other.play("Mg5g6")
    yield other
    other.play("Mg8g7")
    assert other.state["moves"] == ["Mg5g6", "Mg8g7"]


def log_of(server):
    return (server.data / "log.txt").read_text()


def test_a_foreign_page_may_not_ask(server):
    body = {"key": "k" * 20}
    status, answer = server.ask("/api/games", body, {"origin": "http://evil.example"})
    assert (status, answer["code"]) == (403, "wrong_origin")
    assert "wrong_origin" in log_of(server)


def test_a_foreign_page_gets_no_socket(player):
    with pytest.raises(InvalidStatus) as caught:
        player(origin="http://evil.example")
    assert caught.value.response.status_code == 403


def test_a_foreign_name_is_not_ours(server):
    """DNS rebinding: the page's own name points here, so origin and host agree."""
    headers = {"host": "evil.example", "origin": "http://evil.example"}
    status, answer = server.ask("/api/games", {"key": "k" * 20}, headers)
    assert (status, answer["code"]) == (421, "wrong_host")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "{}",
        '{"t":"nothing"}',
        '{"t":"move"}',
        '{"t":"move","text":7,"ply":0}',
        '{"t":"move","text":"Mg5g6","ply":-1}',
        '{"t":"open","game":"x","key":"short"}',
        '{"t":"act","what":"__class__"}',
        "[" * 5000,
        "\x00",
        '{"t":"analyse","variant":"official","lines":99}',
    ],
)
def test_malformed_messages(player, text):
    one = player()
    one.socket.send(text)
    assert one.hear("refused")["code"] == "malformed"


def test_binary_nonsense(player):
    one = player()
    one.socket.send(b"\xff\xfe\x00")
    assert one.hear("refused")["code"] == "malformed"


def test_moves_that_are_none(server, player):
    one = player()
    game = server.new_game(one.key, mode="local")
    one.send("open", game=game, key=one.key)
    one.hear("game")
    for text in ("Mg5g9", "zzzz", "Mg8g7", "Mg5g6\n", "$(id)", "Mg5g6 Mg8g7"):
        assert one.play(text)["code"] == "illegal_move"
    assert one.play("Mg5g6")["t"] == "game"


def test_no_game_no_move(player):
    one = player()
    one.send("move", text="Mg5g6", ply=0)
    assert one.hear("refused")["code"] == "no_game"
    one.send("open", game="nosuchgame", key=one.key)
    assert one.hear("refused")["code"] == "no_such_game"


def test_someone_elses_game(server, player, bystander):
    thief = player(bystander.state["id"])
    for what in ("resign", "draw", "takeback", "rematch"):
        thief.send("act", what=what)
        assert thief.hear("refused")["code"] == "not_your_game"
    thief.send("back")
    assert thief.hear("refused")["code"] == "not_your_game"


def test_oversized_messages(server, player):
    one = player()
    one.socket.send(json.dumps({"t": "ping", "pad": "x" * 70_000}))
    assert one.hear("refused")["code"] == "too_large"
    one.socket.send("x" * 300_000)
    with pytest.raises(ConnectionClosed):
        one.hear("refused")
    status, answer = server.ask("/api/position", raw=b"x" * 300_000)
    assert (status, answer["code"]) == (413, "too_large")


def test_a_body_without_length_is_cut_off(server):
    with socket.create_connection(("localhost", server.port), timeout=20) as raw:
        head = f"POST /api/position HTTP/1.1\r\nhost: localhost:{server.port}\r\n"
        raw.sendall(head.encode() + b"transfer-encoding: chunked\r\n\r\n")
        chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
        try:
            for _ in range(20):
                raw.sendall(chunk)
        except OSError:
            pass
        assert b" 413 " in raw.recv(4096)


def test_a_flood_is_slowed_and_cut(player, server):
    one = player()
    for _ in range(60 + 120):
        one.socket.send('{"t":"ping"}')
    codes = []

    def read_on():
        while True:
            message = json.loads(one.socket.recv(timeout=10))
            codes.append(message.get("code", message["t"]))

    with pytest.raises(ConnectionClosed) as caught:
        read_on()
    assert "too_fast" in codes
    assert caught.value.rcvd.reason == "too_many_refusals"
    assert "too_many_refusals" in log_of(server)


def test_the_engine_is_not_for_one_alone(player):
    """Many analyses at once: they wait in a line, and stopping frees the place."""
    many = [player() for _ in range(7)]
    for one in many:
        one.send("analyse", id=1, variant="official", lines=1)
    waiting = many[-1].hear("waiting", timeout=10)
    assert waiting["place"] >= 1
    for one in many[:-1]:
        one.send("stop")
    assert many[-1].hear("lines")["lines"]
    many[-1].send("stop")


def test_hundreds_of_idle_connections(player, bystander):
    crowd = []

    def join():
        crowd.append(player(bystander.state["id"]))

    threads = [threading.Thread(target=join) for _ in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(crowd) == 60

"""A killed server loses nothing it has acknowledged."""

import random
import sqlite3
import threading
import time
from contextlib import suppress

import pytest
from bookkeeping import kill_once
from websockets.exceptions import ConnectionClosed


def test_kill_in_mid_game(tmp_path, serve, connect, key):
    acknowledged = []
    with serve(tmp_path) as server:
        game = server.new_game(key, mode="local", clock={"base": 600, "increment": 5})
        one = connect(server, game, key)
        choice = random.Random(7)
        ready = threading.Event()

        def kill():
            ready.wait(30)
            server.kill()

        killer = threading.Thread(target=kill)
        killer.start()
        with suppress(ConnectionClosed, OSError):
            while not one.state.get("result"):
                time.sleep(0.015)  # below the speed that is refused
                moves = one.state["view"]["moves"]
                acknowledged = one.play(choice.choice(moves)["text"])["moves"]
                if len(acknowledged) >= 20:
                    ready.set()  # from now on it may die at any moment
        killer.join()
        one.close()
    assert len(acknowledged) > 5
    with serve(tmp_path) as server:
        one = connect(server, game, key)
        kept = one.state["moves"]
        assert kept[: len(acknowledged)] == acknowledged
        assert len(kept) - len(acknowledged) <= 1  # one may have been saved but not yet told
        assert one.state["you"] == [0, 1]
        if not one.state.get("result"):
            assert one.play(one.state["view"]["moves"][0]["text"])["t"] == "game"
        one.close()


def test_the_file_is_a_write_ahead_log_and_holds_no_keys(tmp_path, serve, connect, key):
    with serve(tmp_path) as server:
        game = server.new_game(key, mode="local")
        one = connect(server, game, key)
        one.play("Mg5g6")
        one.close()
        base = sqlite3.connect(tmp_path / "games.sqlite")
        assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        rows = base.execute("SELECT game, n, text FROM moves").fetchall()
        assert rows == [(game, 0, "Mg5g6")]
        base.close()
    data = b"".join(path.read_bytes() for path in tmp_path.glob("games.sqlite*"))
    assert key.encode() not in data


def kill_and_compare(tmp_path, serve, connect, new_key, times, seed=1):
    """Kills a server again and again over the same directory; the books balance each time."""
    choice = random.Random(seed)
    changes = 0
    for n in range(times):
        keys = [new_key() for _ in range(3)]
        with serve(tmp_path) as server:
            actors = kill_once(server, connect, keys, seed + n, choice.uniform(0.02, 0.8))
        with serve(tmp_path) as server:
            for actor in actors:
                kept = actor.kept(server)
                assert actor.books.balance(kept), (n, type(actor).__name__, actor.books.told, kept)
                changes += getattr(actor, "count", 0)
    print(f"{times} kills, {changes} acknowledged changes, none lost")
    return changes


def test_kills_with_links_take_backs_clocks_and_studies(tmp_path, serve, connect, new_keys):
    assert kill_and_compare(tmp_path, serve, connect, new_keys, 3) > 0


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_five_hundred_kills(tmp_path, serve, connect, new_keys, part):
    assert kill_and_compare(tmp_path, serve, connect, new_keys, 25, seed=1000 + 25 * part) > 25

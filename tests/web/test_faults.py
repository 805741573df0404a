"""When the disk fails: what was told is on the disk, what is on the disk is told, and play goes on.

Every change is tried on a full disk and with a failing sync: it is refused by name, everybody still
sees the game as it was, a killed server comes back with exactly that, and when the disk is well
again the same change works.
"""

import asyncio
import os
import sqlite3
import subprocess
import sys
import time

import pytest

from cotulenh.web import hall as halls
from cotulenh.web.hall import Hall
from cotulenh.web.messages import NewGame
from cotulenh.web.room import hashed
from cotulenh.web.store import Store

STACK = "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1"
TREE = {"variant": "official", "nodes": [{"parent": -1, "move": "Mg5g6"}]}
KEY = "0123456789abcdef"


def essence(state):
    """What counts of a game as it is told."""
    wanted = ("moves", "result", "draw_offer", "takeback_offer", "rematch_offer", "seats", "next")
    return {name: state.get(name) for name in wanted}


class Table:
    """A link game with two players, and a spectator who must never be told what is not so."""

    def __init__(self, server, connect, **ask):
        self.server = server
        self.one, self.two, self.watcher = (connect(server) for _ in range(3))
        self.game = server.new_game(self.one.key, mode="link", **ask)
        for player, join in ((self.one, True), (self.two, True), (self.watcher, False)):
            player.send("open", game=self.game, key=player.key, join=join)
            player.hear("game")

    def told(self):
        """The game as a newcomer sees it."""
        return essence(self.server.get(f"/api/games/{self.game}"))

    def close(self):
        for player in (self.one, self.two, self.watcher):
            player.close()


def opened(table):
    table.one.play("Mg5g6")
    table.two.hear("game")


def offered(table):
    opened(table)
    table.one.act("draw")


def asked_back(table):
    opened(table)
    table.one.act("takeback")


def over(table):
    opened(table)
    table.one.act("resign")
    table.one.act("rematch")


def deployed(table):
    step = next(m for m in table.one.state["view"]["moves"] if m.get("deploy"))
    table.one.play(step["text"])


CHANGES = {
    "move": ({}, None, lambda t: t.one.send("move", text="Mg5g6", ply=0)),
    "resign": ({}, opened, lambda t: t.one.send("act", what="resign")),
    "draw": ({}, opened, lambda t: t.one.send("act", what="draw")),
    "agreed": ({}, offered, lambda t: t.two.send("act", what="draw")),
    "decline": ({}, offered, lambda t: t.two.send("act", what="decline")),
    "takeback": ({}, opened, lambda t: t.one.send("act", what="takeback")),
    "taken back": ({}, asked_back, lambda t: t.two.send("act", what="takeback")),
    "rematch": ({}, over, lambda t: t.two.send("act", what="rematch")),
    "back": ({"fen": STACK}, deployed, lambda t: t.one.send("back")),
    "chat": ({}, opened, lambda t: t.one.send("chat", preset="hello")),
}


def refusal(table):
    """The refusal of whoever asked."""
    for player in (table.one, table.two):
        while True:
            try:
                return player.hear("refused", timeout=2)
            except TimeoutError:
                break
    raise AssertionError("nobody was refused")


@pytest.mark.parametrize("fault", ["full", "sync"])
def test_changes_that_cannot_be_saved_have_not_happened(tmp_path, serve, connect, faults, fault):
    before = {}
    with serve(tmp_path, env=faults.environment) as server:
        for what, (ask, prepare, change) in CHANGES.items():
            table = Table(server, connect, **ask)
            if prepare is not None:
                prepare(table)
            before[what] = (table.game, table.told())
            with faults.on(fault):
                change(table)
                assert refusal(table)["code"] == "not_saved", what
                assert table.told() == before[what][1], what
            table.close()
        server.kill()
    with serve(tmp_path, env=faults.environment) as server:
        for what, (game, told) in before.items():
            assert essence(server.get(f"/api/games/{game}")) == told, what
    assert check(tmp_path).returncode == 0


def test_a_refused_change_does_not_come_back_from_the_journal(tmp_path, serve, connect, faults):
    """The sync fails after the write: the journal holds the change, and the server dies."""
    with serve(tmp_path, env=faults.environment) as server:
        table = Table(server, connect)
        opened(table)
        told = table.told()
        with faults.on("sync"):
            table.one.send("act", what="resign")
            assert refusal(table)["code"] == "not_saved"
            server.kill()
        table.close()
    with serve(tmp_path, env=faults.environment) as server:
        assert essence(server.get(f"/api/games/{table.game}")) == told


def test_after_the_fault_the_same_change_works(tmp_path, serve, connect, faults):
    with serve(tmp_path, env=faults.environment) as server:
        for what, (ask, prepare, change) in CHANGES.items():
            table = Table(server, connect, **ask)
            if prepare is not None:
                prepare(table)
            told = table.told()
            with faults.on("full"):
                change(table)
                refusal(table)
            change(table)
            for _ in range(100):
                if table.told() != told or what == "chat":
                    break
                time.sleep(0.05)
            else:
                raise AssertionError(f"{what} does not work any more")
            table.close()


def test_new_games_studies_seats_and_puzzles_on_a_full_disk(tmp_path, serve, connect, faults):
    with serve(tmp_path, env=faults.environment) as server:
        one = connect(server)
        game = server.new_game(one.key, mode="link")
        chapters = [{"title": "x", "tree": TREE}]
        study = server.post("/api/studies", {"key": KEY, "title": "x", "chapters": chapters})
        puzzle = server.get("/api/puzzles/official")["id"]
        asks = [
            ("/api/games", {"key": KEY}),
            ("/api/studies", {"key": KEY, "title": "x", "chapters": chapters}),
            (f"/api/studies/{study['id']}/chapter", {"key": KEY, "title": "y", "tree": TREE}),
            ("/api/puzzles/done", {"key": KEY, "variant": "official", "id": puzzle, "won": True}),
        ]
        with faults.on("full"):
            for path, body in asks:
                status, answer = server.ask(path, body)
                assert (status, answer["code"]) == (503, "not_saved"), path
            two = connect(server)
            two.send("open", game=game, key=two.key, join=True)
            assert two.hear("game")["you"] == []
            assert two.hear("refused")["code"] == "not_saved"
            assert server.get(f"/api/games/{game}")["seats"] == ["human", "open"]
        assert server.get(f"/api/studies/{study['id']}")["version"] == 1
        two.send("open", game=game, key=two.key, join=True)
        while two.hear("game")["you"] != [1]:
            pass
        for path, body in asks:
            assert server.ask(path, body)[0] in (200, 201), path
        one.close()
        two.close()


def test_the_flag_falls_when_the_disk_is_well_again(tmp_path, serve, connect, faults):
    with serve(tmp_path, env=faults.environment) as server:
        table = Table(server, connect, clock={"base": 1})
        table.one.play("Mg5g6")
        with faults.on("full"):
            time.sleep(1.5)
            assert table.told()["result"] is None
        while not table.two.hear("game").get("result"):
            pass
        assert table.two.state["result"] == {"winner": 0, "reason": "time"}
        table.close()


def test_the_engine_tries_again(tmp_path, serve, connect, faults):
    with serve(tmp_path, env=faults.environment) as server:
        one = connect(server)
        game = server.new_game(one.key, mode="engine", side=1, level=1)
        with faults.on("full"):
            one.send("open", game=game, key=one.key)
            one.hear("game")
            time.sleep(1)
            assert server.get(f"/api/games/{game}")["moves"] == []
        while not one.hear("game", timeout=40)["moves"]:
            pass
        one.close()


def test_an_engine_that_fails_is_asked_again(tmp_path, monkeypatch):
    monkeypatch.setattr(halls, "RETRY_FIRST", 0.01)
    tries = []

    async def think(board, level, clock, increment):
        tries.append(level)
        if len(tries) < 3:
            raise RuntimeError("the engine is broken")
        return str(board.legal_moves[0]), 0

    async def run():
        store = Store(tmp_path / "games.sqlite")
        hall = Hall(store, think)
        ask = NewGame(key=KEY, mode="engine", side=1)
        room = await hall.room((await hall.create(ask)).id)
        for _ in range(3000):
            if room.moves:
                break
            await asyncio.sleep(0.01)
        async with room.lock:  # the move is made; now it is also saved
            pass
        await hall.close()
        store.close()
        return room.moves

    assert len(asyncio.run(run())) == 1
    assert len(tries) == 3


def test_a_wall_clock_that_jumps_costs_nobody_time(tmp_path, serve, connect, faults):
    with serve(tmp_path, env=faults.environment) as server:
        table = Table(server, connect, clock={"base": 60, "increment": 1})
        table.one.play("Mg5g6")
        for jump in ("86400", "-86400"):
            with faults.on("clock", jump):
                left = server.get(f"/api/games/{table.game}")["clock"]["left"]
                assert min(left) > 50_000
                mover = table.two if len(table.told()["moves"]) % 2 else table.one
                mover.hear("game") if mover.state["moves"] != table.told()["moves"] else None
                mover.play(mover.state["view"]["moves"][0]["text"])
        assert table.told()["result"] is None
        table.close()


def test_a_locked_database_is_waited_for_and_then_named(tmp_path, serve, connect, key):
    with serve(tmp_path) as server:
        one = connect(server, server.new_game(key, mode="local"), key)
        base = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
        base.execute("BEGIN IMMEDIATE")
        answer = one.play("Mg5g6")
        assert (answer["t"], answer["code"]) == ("refused", "not_saved")
        base.execute("ROLLBACK")
        base.close()
        assert one.play("Mg5g6")["moves"] == ["Mg5g6"]
        one.close()


# At the start ---------------------------------------------------------------------------------


def start(data, env=None):
    command = [sys.executable, "-m", "cotulenh", "serve", "--no-browser", "--port", "0"]
    return subprocess.run(
        [*command, "--data", str(data)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **(env or {})},
    )


def check(data):
    return subprocess.run(
        [sys.executable, "-m", "cotulenh", "serve", "--check", "--data", str(data)],
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture
def kept(tmp_path, serve, connect, key):
    """A directory with a game of four moves in it, and the game's id."""
    with serve(tmp_path) as server:
        game = server.new_game(key, mode="local")
        one = connect(server, game, key)
        for _ in range(4):
            one.play(one.state["view"]["moves"][0]["text"])
        one.close()
    return tmp_path, game


@pytest.mark.parametrize(
    ("fault", "words"), [("full", "disk"), ("readonly", "cannot be"), ("sync", "disk")]
)
def test_a_bad_disk_at_the_start_is_named(tmp_path, faults, fault, words):
    with faults.on(fault):
        ended = start(tmp_path, faults.environment)
    assert ended.returncode == 2, ended.stderr
    assert words in ended.stderr
    assert "another server" not in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_an_emptied_database_does_not_start_as_new(kept):
    data, _ = kept
    (data / "games.sqlite").write_bytes(b"")
    for rest in data.glob("games.sqlite-*"):
        rest.unlink()
    ended = start(data)
    assert ended.returncode == 2
    assert "emptied or lost" in ended.stderr
    assert check(data).returncode == 1
    (data / "games.sqlite").unlink()
    assert "emptied or lost" in start(data).stderr


def test_another_database_in_its_place_is_noticed(kept, tmp_path_factory, serve):
    other = tmp_path_factory.mktemp("other")
    with serve(other):
        pass
    (kept[0] / "games.sqlite").write_bytes((other / "games.sqlite").read_bytes())
    ended = start(kept[0])
    assert ended.returncode == 2
    assert "not the database" in ended.stderr


def test_a_damaged_file_does_not_start(kept):
    data, _ = kept
    path = data / "games.sqlite"
    raw = bytearray(path.read_bytes())
    for at in range(4096, len(raw), 4096):
        raw[at : at + 200] = os.urandom(200)
    path.write_bytes(raw)
    ended = start(data)
    assert ended.returncode == 2
    assert "damaged" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert check(data).returncode == 1


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM moves WHERE n >= 2",
        "DELETE FROM moves WHERE n = 1",
        "UPDATE moves SET text = 'Mg5g6' WHERE n = 2",
        "UPDATE games SET setup = x'7b7d'",
        "UPDATE games SET state = x'00'",
    ],
)
def test_a_damaged_game_is_refused_and_the_others_go_on(kept, serve, connect, key, damage):
    data, game = kept
    base = sqlite3.connect(data / "games.sqlite")
    base.execute(damage)
    base.commit()
    base.close()
    found = check(data)
    assert found.returncode == 1
    assert game in found.stdout
    with serve(data) as server:
        status, answer = server.ask(f"/api/games/{game}")
        assert (status, answer["code"]) == (500, "damaged")
        other = server.new_game(key, mode="local")
        one = connect(server, other, key)
        assert one.play("Mg5g6")["t"] == "game"
        one.close()
        assert other in [g["id"] for g in server.post("/api/games/mine", {"key": key})]
    assert game in (data / "log.txt").read_text()


@pytest.mark.parametrize("damage", ["setup = x'7b7d'", "state = x'00'"])
def test_a_damaged_game_does_not_close_the_explorer(kept, serve, connect, key, damage):
    data, game = kept
    with serve(data) as server:
        connect(server, game, key).act("resign")
    base = sqlite3.connect(data / "games.sqlite")
    base.execute(f"UPDATE games SET {damage}")
    base.commit()
    base.close()
    with serve(data) as server:
        found = server.post("/api/explorer", {"variant": "official"})
    assert (found["total"], found["games"]) == (1, [])


def test_check_says_that_all_is_well(kept):
    found = check(kept[0])
    assert found.returncode == 0
    assert "1 games with 4 moves" in found.stdout


def test_a_database_of_the_first_version_is_copied_and_brought_up_to_date(tmp_path, serve, key):
    base = sqlite3.connect(tmp_path / "games.sqlite")
    base.executescript(FIRST_VERSION)
    setup = (
        '{"mode":"local","variant":"official","fen":null,'
        f'"seats":[{{"key":"{hashed(key)}"}},{{"key":"{hashed(key)}"}}],"clock":null}}'
    )
    base.execute("INSERT INTO games VALUES ('old', 1, 1, ?, ?)", (setup.encode(), b"{}"))
    base.execute("INSERT INTO moves VALUES ('old', 0, 'Mg5g6', 1)")
    base.execute("INSERT INTO seats VALUES (?, 'old')", (hashed(key),))
    base.commit()
    base.close()
    with serve(tmp_path) as server:
        assert server.get("/api/games/old")["moves"] == ["Mg5g6"]
        assert [g["id"] for g in server.post("/api/games/mine", {"key": key})] == ["old"]
    backups = list(tmp_path.glob("*.backup.sqlite"))
    assert len(backups) == 1
    copy = sqlite3.connect(backups[0])
    assert copy.execute("SELECT text FROM moves").fetchall() == [("Mg5g6",)]
    assert copy.execute("PRAGMA user_version").fetchone() == (0,)
    copy.close()


def test_a_database_of_a_newer_program_is_left_alone(kept):
    data, _ = kept
    base = sqlite3.connect(data / "games.sqlite")
    base.execute("PRAGMA user_version=99")
    base.close()
    ended = start(data)
    assert ended.returncode == 2
    assert "newer program" in ended.stderr


FIRST_VERSION = """
CREATE TABLE games (id TEXT PRIMARY KEY, created REAL NOT NULL, updated REAL NOT NULL,
    setup BLOB NOT NULL, state BLOB NOT NULL) STRICT;
CREATE TABLE moves (game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE, n INTEGER NOT NULL,
    text TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (game, n)) STRICT, WITHOUT ROWID;
CREATE TABLE seats (key TEXT NOT NULL, game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,
    PRIMARY KEY (key, game)) STRICT, WITHOUT ROWID;
"""

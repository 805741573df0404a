"""Parts of the server by themselves."""

import asyncio
import random
import threading
import time

import msgspec
import pytest
from halls import KEY, Watcher, in_hall

from cotulenh.web import hall as halls
from cotulenh.web import room as games
from cotulenh.web import view
from cotulenh.web.editor import edited
from cotulenh.web.forms import EditAsk
from cotulenh.web.guard import Bucket, Hosts
from cotulenh.web.messages import Change, ClockSetup, GameState, NewGame, Pong, Refusal, Seat, Setup
from cotulenh.web.socket import BACKLOG, Connection, Connections
from cotulenh.web.think import Thinker


@pytest.mark.parametrize(
    ("bound", "host", "allowed"),
    [
        ("127.0.0.1", "localhost:8480", True),
        ("127.0.0.1", "127.0.0.1:8480", True),
        ("127.0.0.1", "[::1]:8480", True),
        ("127.0.0.1", "192.168.1.5:8480", False),
        ("127.0.0.1", "evil.example", False),
        ("127.0.0.1", "", False),
        ("0.0.0.0", "192.168.1.5:8480", True),
        ("0.0.0.0", "evil.example", False),
        ("0.0.0.0", "localhost.evil.example", False),
        ("board.example", "board.example:8480", True),
    ],
)
def test_names_of_the_server(bound, host, allowed):
    assert Hosts(bound).allows(host) is allowed


def test_a_bucket_lets_a_burst_through_and_then_a_trickle():
    bucket = Bucket(rate=0.001, burst=3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_no_path_is_a_variant():
    for name in ("/etc/passwd", "official.toml", "../rules/official", ""):
        with pytest.raises(ValueError, match="variant"):
            view.new_board(name)


def test_idle_rooms_are_let_go_and_come_back(tmp_path, monkeypatch):
    monkeypatch.setattr(halls, "MAX_IDLE_ROOMS", 4)

    async def work(hall):
        watched = (await hall.create(NewGame(key=KEY))).id
        room = await hall.room(watched)
        await hall.join(room, Watcher(), wants_seat=False)
        await hall.play(room, games.hashed(KEY), "Mg5g6", 0)
        others = [(await hall.create(NewGame(key=KEY))).id for _ in range(12)]
        assert await hall.room(watched) is room
        assert len(hall.rooms) < 12
        assert (await hall.room(others[0])).moves == []

    in_hall(tmp_path, work)


def test_a_move_that_cannot_be_kept_has_not_happened(tmp_path, monkeypatch):
    async def work(hall):
        room = await hall.room((await hall.create(NewGame(key=KEY))).id)
        fen = room.board.fen()

        async def full(*args, **options):
            raise OSError("no space left")

        monkeypatch.setattr(hall.store, "save", full)
        with pytest.raises(OSError, match="no space"):
            await hall.play(room, games.hashed(KEY), "Mg5g6", 0)
        assert (room.board.fen(), room.moves) == (fen, [])

    in_hall(tmp_path, work)


def test_the_engine_plays_and_a_takeback_waits_for_nobody(tmp_path):
    async def work(hall):
        ask = NewGame(key=KEY, mode="engine", side=0)
        room = await hall.room((await hall.create(ask)).id)
        await hall.play(room, games.hashed(KEY), "Mg5g6", 0)
        for _ in range(200):
            if room.turn == 0:
                break
            await asyncio.sleep(0.01)
        assert len(room.moves) == 2
        await hall.act(room, games.hashed(KEY), "takeback")
        assert room.moves == []
        with pytest.raises(Refusal, match="plays on"):
            await hall.act(room, games.hashed(KEY), "draw")

    in_hall(tmp_path, work)


def test_games_end_by_the_board(tmp_path):
    async def work(hall):
        ask = NewGame(key=KEY, variant="chess")
        room = await hall.room((await hall.create(ask)).id)
        for n, text in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
            await hall.play(room, games.hashed(KEY), text, n)
        assert msgspec.to_builtins(room.state.result) == {"winner": 1, "reason": "checkmate"}
        again = await hall.store.load(room.id)
        assert again.moves[-1] == "d8h4"

    in_hall(tmp_path, work)


class DeadSocket:
    """A page that takes nothing any more."""

    def __init__(self):
        self.closed = None

    async def send_text(self, text):
        await asyncio.sleep(3600)

    async def close(self, code, reason):
        self.closed = reason

    async def receive(self):
        await asyncio.sleep(3600)


def test_a_slow_reader_is_cut_off_and_nobody_waits():
    async def run():
        connection = Connection(DeadSocket(), Connections(None, None, None), "?")
        connection._write_task = asyncio.create_task(connection._write())
        await asyncio.sleep(0)
        for n in range(BACKLOG + 10):
            connection.send(Pong(n))
        connection._write_task.cancel()
        return connection._reason, connection._out.qsize()

    reason, waiting = asyncio.run(run())
    assert reason == "slow_reader"
    assert waiting <= 11  # what waited was thrown away


def test_who_waits_for_the_engine_is_told_the_place():
    async def run():
        thinker = Thinker(study_threads=1)
        begun, heard = threading.Event(), []

        def work(search):
            begun.set()
            while not search.over:
                time.sleep(0.005)

        first = thinker.start(1, work, lambda message: None)
        await asyncio.to_thread(begun.wait, 10)
        others = [thinker.start(n, work, heard.append) for n in (2, 3)]
        places = [(m.id, m.place) for m in heard]
        thinker.stop(first)
        while not any(m.id == 2 and m.place == 0 for m in heard):
            await asyncio.sleep(0.01)
        moved_up = [m.place for m in heard if m.id == 3]
        for search in others:
            thinker.stop(search)
        thinker.close()
        return places, moved_up

    places, moved_up = asyncio.run(run())
    assert places == [(2, 1), (3, 2)]
    assert moved_up[-1] == 1


def test_an_analysis_that_fails_is_said():
    async def run():
        thinker, heard = Thinker(study_threads=1), []

        def work(search):
            raise RuntimeError("broken")

        thinker.start(7, work, heard.append)
        while not heard or heard[-1].__class__.__name__ != "Error":
            await asyncio.sleep(0.01)
        thinker.close()
        return heard[-1]

    error = asyncio.run(run())
    assert (error.code, error.id) == ("engine_failed", 7)


@pytest.mark.parametrize("what", ["resign", "takeback", "draw"])
def test_what_cannot_be_saved_leaves_no_trace(tmp_path, monkeypatch, what):
    """Also when it is no SQLite error: whatever goes wrong on the way to the disk."""

    async def work(hall):
        room = await hall.room((await hall.create(NewGame(key=KEY))).id)
        await hall.play(room, games.hashed(KEY), "Mg5g6", 0)
        watcher = Watcher()
        room.viewers.add(watcher)
        before = (room.board.fen(), list(room.moves), msgspec.to_builtins(room.state))

        async def broken(*args, **options):
            raise OSError("broken")

        monkeypatch.setattr(hall.store, "save", broken)
        with pytest.raises(OSError, match="broken"):
            await hall.act(room, games.hashed(KEY), what)
        assert (room.board.fen(), room.moves, msgspec.to_builtins(room.state)) == before
        assert watcher.heard == []

    in_hall(tmp_path, work)


def test_what_changes_in_a_long_game_is_as_short_as_in_a_new_one(tmp_path):
    """Of hundreds of turns none is told twice; steps of deployments are pieced together, too."""

    async def work(hall):
        room = await hall.room((await hall.create(NewGame(key=KEY))).id)
        page, whole, dice, sizes = Watcher(changes=True), Watcher(), random.Random(0), []
        room.viewers |= {page, whole}
        known = msgspec.to_builtins(room.state_for(page.key))
        while len(room.view().stops) < 400 and not room.over:
            room.play(dice.choice(lasting(room.view())))
            room.broadcast()
            change = page.heard[-1]
            assert isinstance(change, Change)
            sizes.append(len(msgspec.json.encode(msgspec.structs.replace(change.view, moves=[]))))
            assert change.ply == len(known["moves"])
            known["moves"] += change.moves
            for name in ("turns", "stops"):
                new = getattr(change.view, name)
                known["view"][name] = [*known["view"].get(name, [])[: change.turn], *new]
        assert len(room.view().stops) >= 300
        assert known["moves"] == room.moves
        assert known["view"]["turns"] == room.view().turns
        assert known["view"]["stops"] == room.view().stops
        assert max(sizes) < 1.5 * sizes[0]
        assert isinstance(whole.heard[-1], GameState)

    in_hall(tmp_path, work)


def lasting(view):
    """Moves of a game that lasts: a take now and then, but never of a Commander."""
    takes = int(view.fen.split()[4]) > 60  # turns without one
    kinds = ("capture", "stay") if takes else ("normal", "combine")
    safe = [
        move.text
        for move in view.moves
        if move.kind in kinds and not any(p.endswith("C") for p in view.pieces.get(move.to, ()))
    ]
    return safe or [move.text for move in view.moves]


def test_a_game_knows_how_long_it_took(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(games.time, "time", lambda: now[0])
    setup = Setup(mode="local", seats=[Seat(key="a"), Seat(key="a")])
    room = games.Room("game", setup, games.State(), [])
    now[0] += 500  # before the first move nobody plays
    room.play("Mg5g6")
    now[0] += 90
    room.play("Mg8g7")
    now[0] += 35
    assert room.state_for("a").took is None
    room.finish(0, "resigned")
    assert room.state_for("a").took == room.change_for("a", 2).took == 125


def test_a_game_taken_back_to_its_start_begins_anew(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(games.time, "time", lambda: now[0])
    setup = Setup(mode="local", seats=[Seat(key="a"), Seat(key="a")])
    room = games.Room("game", setup, games.State(), [])
    room.play("Mg5g6")
    room.turn_back()
    now[0] += 3600
    room.play("Ic5c6")
    now[0] += 7
    old = room.snapshot()
    room.turn_back()
    room.restore(old)  # what could not be saved has not happened
    room.finish(None, "agreed")
    assert room.state_for("a").took == 7
    unplayed = games.Room("other", setup, games.State(), [])
    unplayed.finish(0, "resigned")
    assert unplayed.state_for("a").took is None


ROOKS_AND_KINGS = {"e1": ["wK"], "h1": ["wR"], "a1": ["wN"], "e8": ["bK"], "a8": ["bR"]}


@pytest.mark.parametrize(
    ("pieces", "fen"),
    [
        (ROOKS_AND_KINGS, "r3k3/8/8/8/8/8/8/N3K2R b Kq - 0 1"),
        ({"d1": ["wK"], "h1": ["wR"], "e8": ["bK"]}, "4k3/8/8/8/8/8/8/3K3R b - - 0 1"),
    ],
    ids=["rights that kings and rooks allow", "a king that has left his square"],
)
def test_the_editor_of_chess_gives_castling_rights(pieces, fen):
    made = edited(EditAsk("chess", pieces, 1))
    assert (made.fen, made.ok) == (fen, True)


def test_the_editor_of_chess_names_what_is_wrong():
    made = edited(EditAsk("chess", {"e1": ["wK"], "e2": ["wP"]}, 0))
    assert not made.ok
    assert made.problems == ["no_black_king"]


def test_clocks_stop_when_all_rooms_are_let_go(tmp_path):
    """After a restoration the disk counts: the flag of a game that is no more must not fall."""

    async def work(hall):
        room = await hall.room((await hall.create(NewGame(key=KEY, clock=ClockSetup(60)))).id)
        await hall.play(room, games.hashed(KEY), "Mg5g6", 0)
        flag = room.flag
        await hall.forget_all()
        return flag, hall.rooms

    flag, rooms = in_hall(tmp_path, work)
    assert flag.cancelled()
    assert not rooms


def test_a_task_that_fails_is_logged_and_ends_nothing_else(tmp_path, caplog):
    async def fails():
        raise RuntimeError("broken")

    async def work(hall):
        await hall._run(fails(), "a game")
        return (await hall.create(NewGame(key=KEY))).id

    assert in_hall(tmp_path, work)
    assert "a game: a task failed" in caplog.text

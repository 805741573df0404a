"""What the rooms, studies and puzzles of a server refuse, each by its name."""

import asyncio

import pytest
from halls import KEY, OTHER_KEY, Watcher, in_hall

from cotulenh.engine import mates
from cotulenh.engine.puzzles import load
from cotulenh.web import hall as halls
from cotulenh.web import protocol, studies, think
from cotulenh.web import room as games
from cotulenh.web.check import check
from cotulenh.web.forms import Chapter, NewStudy, PuzzleAsk, Tree
from cotulenh.web.guard import Buckets, Guard, Hosts
from cotulenh.web.messages import ClockSetup, NewGame, Refusal
from cotulenh.web.puzzles import Puzzles, _packed
from cotulenh.web.studies import Studies
from cotulenh.web.view import new_board

ME, OTHER = games.hashed(KEY), games.hashed(OTHER_KEY)


class Second(Watcher):
    key = OTHER


async def refused(work):
    """The name under which something is refused."""
    with pytest.raises(Refusal) as refusal:
        await work
    return refusal.value.code


async def room_for_two(hall, **ask):
    """A game by link with both players there, the first of them on the first side."""
    made = await hall.create(NewGame(key=KEY, mode="link", side=0, **ask))
    room = await hall.room(made.id)
    await hall.join(room, Watcher(), wants_seat=True)
    await hall.join(room, Second(), wants_seat=True)
    return room


def test_a_game_without_moves_has_nothing_to_take_back(tmp_path):
    async def work(hall):
        room = await room_for_two(hall)
        assert await refused(hall.act(room, ME, "takeback")) == "nothing_to_take_back"

    in_hall(tmp_path, work)


def test_only_who_plays_may_act_and_only_while_the_game_lasts(tmp_path):
    async def work(hall):
        room = await room_for_two(hall)
        assert await refused(hall.act(room, "nobody", "resign")) == "not_your_game"
        assert await refused(hall.act(room, ME, "rematch")) == "game_goes_on"
        await hall.act(room, ME, "resign")
        for what in ("resign", "draw", "takeback"):
            assert await refused(hall.act(room, OTHER, what)) == "game_over"

    in_hall(tmp_path, work)


def test_a_no_to_nothing_changes_nothing(tmp_path):
    async def work(hall):
        room = await room_for_two(hall)
        before = room.snapshot()
        await hall.act(room, ME, "decline")
        assert room.snapshot() == before

    in_hall(tmp_path, work)


def test_a_rematch_is_made_once(tmp_path):
    async def work(hall):
        room = await room_for_two(hall)
        await hall.act(room, ME, "resign")
        for key in (ME, ME, OTHER, ME):  # asked twice, agreed, asked once more
            await hall.act(room, key, "rematch")
        again = await hall.room(room.state.next)
        assert [seat.key for seat in again.setup.seats] == [OTHER, ME]
        assert await hall.store.count() == 2

    in_hall(tmp_path, work)


def test_who_takes_back_does_not_wait_for_the_engine(tmp_path):
    """It thinks about a position that is no more: its thoughts are broken off."""

    async def for_ever(board, level, clock, increment):
        await asyncio.sleep(3600)

    async def work(hall):
        made = await hall.create(NewGame(key=KEY, mode="engine", side=0))
        room = await hall.room(made.id)
        await hall.play(room, ME, "Mg5g6", 0)
        await asyncio.sleep(0)
        thinking = room.thinking
        await hall.act(room, ME, "takeback")
        assert (room.moves, room.thinking) == ([], None)
        await asyncio.gather(thinking, return_exceptions=True)
        assert thinking.cancelled()

    in_hall(tmp_path, work, for_ever)


def test_a_move_after_the_flag_has_fallen_ends_the_game(tmp_path, monkeypatch):
    """Even if the timer has not come to it yet."""

    async def work(hall):
        room = await room_for_two(hall, clock=ClockSetup(60, 0))
        await hall.play(room, ME, "Mg5g6", 0)
        room.state.left = [60_000, 0]
        assert await refused(hall.play(room, OTHER, "Mg8g7", 1)) == "time_over"
        assert (room.state.result.winner, room.state.result.reason) == (0, "time")

    in_hall(tmp_path, work)


def test_chat_needs_words_and_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(halls, "MAX_CHAT", 2)

    async def work(hall):
        room = await room_for_two(hall)
        assert await refused(hall.say(room, ME, "", " \x00 ", "")) == "nothing_said"
        for words in ("xin chào", "hello"):
            await hall.say(room, ME, "", words, "")
        assert await refused(hall.say(room, ME, "", "once more", "")) == "too_long"

    in_hall(tmp_path, work)


def test_a_game_that_was_called_off_cannot_be_joined(tmp_path):
    async def work(hall):
        made = await hall.create(NewGame(key=KEY, mode="link"))
        room = await hall.room(made.id)
        await hall.act(room, ME, "cancel")
        assert await refused(hall.join(room, Second(), wants_seat=True)) == "no_such_game"
        assert not room.viewers

    in_hall(tmp_path, work)


def new_study(key):
    return NewStudy(key, "Openings", [Chapter("First", Tree())])


def test_one_owner_has_room_for_so_many_studies(tmp_path, monkeypatch):
    monkeypatch.setattr(studies, "MAX_OWN", 2)

    async def work(hall):
        kept = Studies(hall.store)
        for _ in range(2):
            await kept.create(new_study(KEY))
        assert await refused(kept.create(new_study(KEY))) == "too_many_studies"
        await kept.create(new_study(OTHER_KEY))

    in_hall(tmp_path, work)


def test_a_try_that_cannot_be_judged_in_time_is_refused_by_name(tmp_path, monkeypatch):
    async def work(hall):
        puzzles = Puzzles(hall.store)
        first = puzzles.of("official")[0]

        def out_of_work(*_):
            raise mates.OutOfWorkError

        monkeypatch.setattr(type(first), "judge", out_of_work)
        with pytest.raises(Refusal, match="judged in time") as refusal:
            puzzles.verdict(PuzzleAsk("official", [], id=first.id))
        assert refusal.value.code == "too_hard"

    in_hall(tmp_path, work)


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "found"),
    [
        (1024, 4096, 3000, 3000),
        (1024, 2048, 3000, 2048),
        (1024, -1, 3000, 3000),
        (5000, 5000, 3000, 5000),
        (-1, -1, 3000, 3000),
    ],
    ids=["raised", "as far as it goes", "no hard limit", "enough already", "no limit at all"],
)
def test_the_limit_of_open_files_is_raised_as_far_as_it_goes(
    monkeypatch, soft, hard, wanted, found
):
    resource = pytest.importorskip("resource")
    given = []
    monkeypatch.setattr(resource, "RLIM_INFINITY", -1)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: given.append(limits))
    assert protocol.raise_file_limit(wanted) == found
    assert given == ([(found, hard)] if soft == 1024 else [])


def test_a_system_that_forbids_more_open_files_is_lived_with(monkeypatch):
    resource = pytest.importorskip("resource")

    def forbidden(*_):
        raise OSError("not permitted")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", forbidden)
    assert protocol.raise_file_limit(3000) == 1024


def test_silent_connections_of_many_addresses_cost_the_oldest_its_place(monkeypatch):
    monkeypatch.setattr(protocol, "MOST_SILENT", 2)

    class Silent:
        def __init__(self, address):
            self.client, self.reason = (address, 1), None

        def give_up(self, reason):
            self.reason = reason
            limits.discard(self)

    limits = protocol.Limits(10)
    first, *others = [Silent(f"10.0.0.{n}") for n in range(3)]
    for one in (first, *others):
        limits.add(one)
    assert first.reason == "too_many_silent"
    assert list(limits.silent) == others


def test_waiting_for_visitors_to_go_has_an_end():
    from cotulenh.web.socket import Connections

    async def run():
        connections = Connections(None, None, None)
        connections.open = 1
        await connections.wait_for_none(0.05)
        return connections.open

    assert asyncio.run(run()) == 1


def test_what_is_checked_must_be_there(tmp_path):
    assert check(tmp_path / "none.sqlite").problems == ["there is no such file"]


def test_a_damaged_chapter_is_named(tmp_path):
    async def work(hall):
        kept = Studies(hall.store)
        made = await kept.create(new_study(KEY))
        assert check(hall.store.path).chapters == 1
        await hall.store.do(lambda base: base.execute("UPDATE chapters SET tree = x'00'"))
        assert await refused(kept.load(made.id)) == "damaged"
        assert any(made.id in problem for problem in check(hall.store.path).problems)

    in_hall(tmp_path, work)


def test_an_engine_with_a_full_line_refuses(monkeypatch):
    monkeypatch.setattr(think, "MOST_WAITING", 0)

    async def run():
        thinker = think.Thinker(queue=0)
        try:
            with pytest.raises(Refusal, match="too many analyses"):
                thinker.start(1, lambda search: None, lambda message: None)
            return await refused(thinker.play(new_board("chess"), 1, None, 0))
        finally:
            thinker.close()

    assert asyncio.run(run()) == "engine_busy"


def test_requests_come_no_faster_than_is_good_for_others():
    guard = Guard(None, Hosts(), rate=0, burst=1)
    scope = {"type": "http", "method": "GET", "headers": [(b"host", b"localhost")]}
    assert guard._refusal({**scope, "client": ("10.0.0.1", 1)}) is None
    status, error = guard._refusal({**scope, "client": ("10.0.0.1", 2)})
    assert (status, error.code) == (429, "too_fast")
    assert guard._refusal({**scope, "client": ("10.0.0.2", 1)}) is None


def test_of_many_addresses_the_least_used_are_forgotten():
    buckets = Buckets(rate=0, burst=1, most=2)
    assert [buckets.take(address) for address in "abab"] == [True, True, False, False]
    assert buckets.take("c")
    assert not buckets.take("b")
    assert buckets.take("a")  # forgotten when c came


def test_a_packed_tactic_accepts_what_the_server_would():
    """Tactics are no proven mates: they are compared with their line."""
    tactic = next(puzzle for puzzle in load("official") if not puzzle.proven)
    packed, made = _packed(tactic, {}), []
    for step in packed.line:
        for text in step.accept:
            assert tactic.judge([*made, text]).verdict != "wrong"
        made.append(step.move)
    assert tactic.judge(made).verdict == "solved"

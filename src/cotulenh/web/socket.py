"""The WebSocket part: one connection a page, small JSON messages, floods refused by name."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from cotulenh.web import messages as m
from cotulenh.web.guard import Bucket
from cotulenh.web.hall import Hall
from cotulenh.web.messages import Decoder, Error, Refusal
from cotulenh.web.review import review
from cotulenh.web.room import Room, hashed
from cotulenh.web.studies import Studies
from cotulenh.web.think import Search, Thinker, analysis

__all__ = ["Connections"]

log = logging.getLogger("cotulenh.web")

MAX_MESSAGE = 65_536
#: Sockets open at once.
MOST_SOCKETS = 2000
#: Messages a second, and at once; after this many refusals the connection is closed.
RATE, BURST, PATIENCE = 20, 60, 100
#: Messages that may wait for a slow reader.
BACKLOG = 256


class Connections:
    """All open sockets, and how many there may be."""

    def __init__(
        self,
        hall: Hall,
        thinker: Thinker,
        studies: Studies,
        most: int = MOST_SOCKETS,
        most_of_one: int = MOST_SOCKETS,
        searches_of_one: int = MOST_SOCKETS,
    ) -> None:
        self.hall, self.thinker, self.studies, self.most = hall, thinker, studies, most
        self.most_of_one, self.searches_of_one = most_of_one, searches_of_one
        self.open = 0
        self.by_address: Counter[str] = Counter()
        self.connected: set[Connection] = set()
        self._closed = False

    async def serve(self, socket: WebSocket) -> None:
        """Serves one page until it goes away."""
        address = socket.client.host if socket.client else "?"
        full = self.open >= self.most or self.by_address[address] >= self.most_of_one
        if full or self._closed:
            reason = "too_many_connections" if full else "restored"
            await socket.close(1013, reason)
            log.warning("refused a connection from %s: %s", address, reason)
            return
        await socket.accept()
        page = Connection(socket, self, address)
        self._count(page, 1)
        try:
            await page.run()
        finally:
            self._count(page, -1)

    def _count(self, page: Connection, change: int) -> None:
        self.open += change
        self.hall.people = self.open
        self.by_address[page.address] += change
        if change > 0:
            self.connected.add(page)
        else:
            self.connected.discard(page)
            self.by_address += Counter()  # forgets the addresses nobody is at

    def may_search(self, address: str) -> bool:
        """Whether this address may have one more search under way."""
        searching = sum(p.address == address and p.is_searching for p in self.connected)
        return searching < self.searches_of_one

    def close_all(self, reason: str) -> None:
        """Sends everybody away, and who comes until :meth:`reopen`."""
        self._closed = True
        for page in list(self.connected):
            page.hang_up(reason)

    async def wait_for_none(self, seconds: float) -> None:
        """Waits until all are gone, at most so long."""
        end = asyncio.get_running_loop().time() + seconds
        while self.open and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.02)

    def reopen(self) -> None:
        """Lets people in again."""
        self._closed = False


class Connection:
    """One page. It is a viewer of at most one room."""

    def __init__(self, socket: WebSocket, all_: Connections, address: str) -> None:
        self.socket, self._all, self.address = socket, all_, address
        self.hall, self.thinker, self.studies = all_.hall, all_.thinker, all_.studies
        self.key, self.name, self.changes = "", "", False
        self.room: Room | None = None
        self.search: Search | None = None
        self._chat = Bucket(0.5, 5)
        self._out: asyncio.Queue[bytes | None] = asyncio.Queue(BACKLOG)
        self._bucket = Bucket(RATE, BURST)
        self._refused = 0
        self._reason = ""

    def send(self, message: msgspec.Struct) -> None:
        """Queues a message; who does not read is cut off, so that nobody else waits."""
        try:
            self._out.put_nowait(msgspec.json.encode(message))
        except asyncio.QueueFull:
            while not self._out.empty():
                self._out.get_nowait()
            self._hang_up("slow_reader")

    def _hang_up(self, reason: str) -> None:
        """Ends the connection after what waits to be written."""
        log.warning("closed a connection: %s", reason)
        self._reason = reason
        self._out.put_nowait(None)

    def hang_up(self, reason: str) -> None:
        """Ends the connection from outside."""
        self._hang_up(reason)
        self._stop()

    @property
    def is_searching(self) -> bool:
        """Whether a search of this page runs or waits."""
        return self.search is not None and not self.search.ended

    async def run(self) -> None:
        """Reads and writes until either ends."""
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
            if self._reason:
                await asyncio.wait_for(writer, 5)
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            pass
        finally:
            self._stop()
            self.hall.lobby_watchers.discard(self)
            self.studies.unwatch(self)
            if self.room is not None:
                self.hall.leave(self.room, self)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _write(self) -> None:
        while (data := await self._out.get()) is not None:
            await self.socket.send_text(data.decode())
        await self.socket.close(1008, self._reason)

    async def _read(self) -> None:
        while self._refused < PATIENCE and not self._reason:
            event = await self.socket.receive()
            if event["type"] != "websocket.receive":
                return
            data = event.get("text") or event.get("bytes") or ""
            await self._answer(data)
        if not self._reason:
            self._hang_up("too_many_refusals")

    async def _answer(self, data: str | bytes) -> None:
        ask_id = 0
        try:
            if not self._bucket.take():
                raise Refusal("too_fast", "too many messages, slow down")
            if len(data) > MAX_MESSAGE:
                raise Refusal("too_large", f"at most {MAX_MESSAGE} bytes a message")
            try:
                ask = Decoder.decode(data)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                raise Refusal("malformed", str(error)[:200]) from None
            ask_id = ask.id
            await self._do(ask)
        except Refusal as refusal:
            self._refused += 1
            game = self.room.id if self.room else "-"
            log.info("refused in game %s: %s (%s)", game, refusal.code, refusal.text)
            self.send(refusal.message(ask_id))
        except Exception:
            self._refused += 1
            log.exception("an answer failed")
            self.send(Error("internal", "something went wrong here", ask_id))

    async def _do(self, ask: Any) -> None:
        match ask:
            case m.Open():
                await self._open(ask)
            case m.Play():
                await self.hall.play(self._here(), self.key, ask.text, ask.ply)
            case m.Back():
                await self.hall.back(self._here(), self.key, ask.whole)
            case m.Act():
                await self.hall.act(self._here(), self.key, ask.what)
            case m.Chat():
                await self._say(ask)
            case m.WatchLobby():
                self._watch_lobby(ask.on)
            case m.WatchStudy():
                self.studies.watch(self, ask.study)
            case m.Analyse() | m.Review():
                self._think(ask)
            case m.Stop():
                self._stop()
            case m.Ping():
                self.send(m.Pong(ask.id))

    def _here(self) -> Room:
        if self.room is None:
            raise Refusal("no_game", "open a game first")
        return self.room

    async def _open(self, ask: m.Open) -> None:
        room = await self.hall.room(ask.game)
        if self.room is not None and self.room is not room:
            self.hall.leave(self.room, self)
        self.key, self.name, self.room = hashed(ask.key), ask.name, room
        self.changes = ask.changes
        await self.hall.join(room, self, ask.join, ask.name)
        said = await self.hall.said(room)
        if said.lines:
            self.send(said)

    async def _say(self, ask: m.Chat) -> None:
        if not self._chat.take():
            raise Refusal("too_fast", "too many words at once, slow down")
        await self.hall.say(self._here(), self.key, self.name, ask.text, ask.preset)

    def _watch_lobby(self, on: bool) -> None:
        if on:
            self.hall.lobby_watchers.add(self)
            self.send(self.hall.lobby())
        else:
            self.hall.lobby_watchers.discard(self)

    def _think(self, ask: m.Analyse | m.Review) -> None:
        self._stop()
        if not self._all.may_search(self.address):
            raise Refusal("engine_busy", "too many analyses from your address", 503)
        first = ask.board()
        board = ask.board(ask.moves)
        if isinstance(ask, m.Review):
            work = review(first, ask.moves, ask.seconds)
        elif board.is_game_over():
            self.send(m.Lines(ask.id, 0, 0, 0, [], True, "finished"))
            return
        else:
            work = analysis(board, ask.lines)
        self.search = self.thinker.start(ask.id, work, self.send)

    def _stop(self) -> None:
        if self.search is not None:
            self.thinker.stop(self.search)
            self.search = None

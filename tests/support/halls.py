"""A hall of games in this process, over a store of its own: parts of the server by themselves."""

import asyncio

from cotulenh.web import room as games
from cotulenh.web import view
from cotulenh.web.hall import Hall
from cotulenh.web.store import Store

KEY, OTHER_KEY = "0123456789abcdef", "fedcba9876543210"


class Watcher:
    key = games.hashed(KEY)

    def __init__(self, changes=False):
        self.changes, self.heard = changes, []

    def send(self, message):
        self.heard.append(message)


async def first_move(board, level, clock, increment):
    return view.view(board).moves[0].text, 0


def in_hall(tmp_path, work, think=first_move):
    """Runs work(hall) over a store of its own; ``think`` is its engine."""

    async def run():
        store = Store(tmp_path / "games.sqlite")
        hall = Hall(store, think)
        try:
            return await work(hall)
        finally:
            await hall.close()
            store.close()

    return asyncio.run(run())

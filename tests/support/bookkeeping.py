"""Clients of a server that is about to be killed, and the books they keep.

Each actor makes changes as fast as it may and writes down what it was told last and what it has
asked since. After the server has come back, what is kept must be one of the two: what was told, or
what the one open question leads to.
"""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from http.client import HTTPException

from websockets.exceptions import ConnectionClosed

# Also between the head of an answer and its body, which is no OSError.
GONE = (ConnectionClosed, HTTPException, OSError, TimeoutError, AssertionError, EOFError)


def essence(state):
    """What counts of a game as it is told."""
    wanted = ("moves", "result", "draw_offer", "takeback_offer", "rematch_offer", "seats", "next")
    return {name: state.get(name) for name in wanted}


class Books:
    """What was told of a game, and what is asked and not yet answered."""

    def __init__(self):
        self.told, self.asked = None, None

    def balance(self, kept):
        """Whether what is kept is what was told, or what the open question leads to."""
        if kept == self.told:
            return True
        return self.asked is not None and self.asked(self.told, kept)


def moved(text):
    return lambda told, kept: (
        kept["moves"] == [*told["moves"], text] or kept["moves"][-1:] == [text]
    )


def taken_back(told, kept):
    shorter = told["moves"][: len(kept["moves"])] == kept["moves"]
    return shorter or kept["takeback_offer"] is not None


def acted(told, kept):
    """A resignation, an offer or an answer changes no move."""
    return told["moves"] == kept["moves"]


class LocalGame:
    """Moves, steps back in deployments, take-backs and a clock, on one screen."""

    def __init__(self, server, connect, key, seed):
        self.random, self.books = random.Random(seed), Books()
        clock = {"base": 600, "increment": 3}
        self.game = server.new_game(key, mode="local", clock=clock)
        self.page = connect(server, self.game, key)
        self.books.told = essence(self.page.state)

    def step(self):
        state = self.page.state
        what = self.random.random()
        if state.get("result"):
            return False
        if what < 0.15 and state["moves"]:
            self.ask(taken_back, "act", what="takeback")
        elif what < 0.3 and state["view"].get("deployment", {}).get("steps"):
            self.ask(taken_back, "back", whole=self.random.random() < 0.5)
        else:
            choice = self.random.choice(state["view"]["moves"])["text"]
            self.ask(moved(choice), "move", text=choice, ply=len(state["moves"]))
        return True

    def ask(self, leads_to, kind, **fields):
        self.books.asked = leads_to
        self.page.send(kind, **fields)
        answer = self.page.hear("game", "refused")
        if answer["t"] == "game":
            self.books.told = essence(answer)
        self.books.asked = None

    def kept(self, server):
        return essence(server.get(f"/api/games/{self.game}"))


class LinkGame(LocalGame):
    """Two players in two browsers: moves, offers, answers, the end."""

    def __init__(self, server, connect, key, seed):
        self.random, self.books = random.Random(seed), Books()
        self.game = server.new_game(key, mode="link", clock={"base": 300, "increment": 1})
        self.pages = [connect(server, self.game, key), connect(server, self.game)]
        self.page = self.pages[0]
        while self.page.state["seats"] != ["human", "human"]:
            self.page.hear("game")
        self.books.told = essence(self.page.state)

    def step(self):
        self.page = self.pages[self.random.randrange(2)]
        self.page.send("ping")
        self.page.hear("pong")  # all news before it has been heard
        state = self.page.state
        if state.get("result"):
            return False
        what = self.random.random()
        if what < 0.02:
            self.ask(acted, "act", what="resign")
        elif what < 0.2:
            self.ask(acted, "act", what=self.random.choice(("draw", "decline")))
        elif what < 0.35 and state["moves"]:
            self.ask(taken_back, "act", what="takeback")
        elif state["view"]["turn"] in state["you"] and state["view"]["moves"]:
            choice = self.random.choice(state["view"]["moves"])["text"]
            self.ask(moved(choice), "move", text=choice, ply=len(state["moves"]))
        return True


class Study:
    """A chapter saved again and again; its title says which time."""

    def __init__(self, server, connect, key, seed):
        self.server, self.key, self.books = server, key, Books()
        tree = {"variant": "official", "nodes": [{"parent": -1, "move": "Mg5g6"}]}
        self.chapter = {"title": "0", "tree": tree}
        body = {"key": key, "title": "study", "chapters": [self.chapter]}
        made = server.post("/api/studies", body)
        self.study, self.chapter["id"], self.version = made["id"], made["ids"][0], 1
        self.books.told = "0"

    def step(self):
        title = str(int(self.books.told) + 1)
        self.books.asked = lambda told, kept: kept == title
        body = {**self.chapter, "key": self.key, "title": title, "version": self.version}
        answer = self.server.post(f"/api/studies/{self.study}/chapter", body)
        self.books.told, self.version, self.books.asked = title, answer["version"], None
        return True

    def kept(self, server):
        return server.get(f"/api/studies/{self.study}")["chapters"][0]["title"]


def live(actor, over):
    """Runs an actor until the server is gone or the game is over."""
    with suppress(*GONE):
        while not over.is_set() and actor.step():
            actor.count = getattr(actor, "count", 0) + 1
            time.sleep(0.055)  # below the speed that is refused


def kill_once(server, connect, keys, seed, seconds):
    """Lets actors work and kills the server at some moment; the actors with their books."""
    kinds = (LocalGame, LinkGame, Study)
    actors = [kind(server, connect, key, seed) for kind, key in zip(kinds, keys, strict=True)]
    over = threading.Event()
    threads = [threading.Thread(target=live, args=(actor, over)) for actor in actors]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    server.kill()
    over.set()
    for thread in threads:
        thread.join()
    return actors

# %% [markdown]
# # A bot for the server
# A program that plays on `cotulenh serve` as a person does: it asks for a game, opens a socket and
# answers with one of the moves it is offered. docs/tutorial-bot.md explains it step by step.
# `python bot.py ADDRESS GAME` joins a friend's game; without arguments it starts a server of its
# own and plays a few turns against the engine there.

# %%
import json
import random
import re
import secrets
import subprocess
import sys
import tempfile
import urllib.request

from websockets.sync.client import connect

# %% [markdown]
# ## Asking for a game
# A player is who holds a random key. The server keeps only its hash.


# %%
def ask_for_game(address, key):
    """A new game against the engine's lowest level; its id."""
    body = json.dumps({"key": key, "mode": "engine", "level": 1, "variant": "official"})
    asked = urllib.request.Request(f"{address}api/games", body.encode())
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)["id"]


# %% [markdown]
# ## Choosing a move
# The state of a game holds the legal moves as data, so a bot needs no rules of its own: takes
# first, then anything. A deployment in progress offers its steps and its end in the same list.


# %%
def choose(moves):
    """A take if there is one."""
    takes = [move for move in moves if move["kind"] in ("capture", "stay")]
    return random.choice(takes or moves)["text"]


# %% [markdown]
# ## Playing
# Every message has a tag `t`. `ply` says which move ours follows, so that none is played twice.


# %%
def play(address, game, key, turns=None):
    """Plays until the game is over, or so many of our moves were made; how many."""
    made = 0
    site = address.rstrip("/")
    with connect(f"{site.replace('http', 'ws', 1)}/ws", origin=site) as socket:
        socket.send(json.dumps({"t": "open", "game": game, "key": key, "join": True}))
        while turns is None or made < turns:
            message = json.loads(socket.recv())
            if message["t"] == "refused":
                print("refused:", message["text"])
            if message["t"] != "game":
                continue
            if message.get("result"):
                break
            mine = message["view"]["turn"] in message["you"]
            if mine and message["view"]["moves"]:
                text = choose(message["view"]["moves"])
                ply = len(message["moves"])
                socket.send(json.dumps({"t": "move", "text": text, "ply": ply}))
                print("played", text)
                made += 1
    return made


# %% [markdown]
# ## Trying it


# %%
def on_a_server_of_its_own():
    """Three moves against the engine."""
    command = [sys.executable, "-m", "cotulenh", "serve", "--no-browser", "--port", "0"]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([*command, "--data", folder], stdout=subprocess.PIPE, text=True)
        try:
            address = re.search(r"http://\S+", server.stdout.readline())[0]
            key = secrets.token_urlsafe(24)
            print(play(address, ask_for_game(address, key), key, turns=3), "moves")
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()


if len(sys.argv) == 3:
    play(sys.argv[1], sys.argv[2], secrets.token_urlsafe(24))
else:
    on_a_server_of_its_own()

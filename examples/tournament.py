# %% [markdown]
# # A small tournament
# The engine against chance in both games, a few turns each; games to a file, standings from it.

# %%
import random
from collections import Counter
from pathlib import Path

from cotulenh import Board, chess, pgn
from cotulenh.engine import Engine, Limit
from cotulenh.game import Game

dice = random.Random(6)
TURNS = 12

# %% [markdown]
# ## Players
# A player is a function from a board to a move.

# %%
engine = Engine(hash_mb=1)


def thinker(board):
    """What the engine likes after a thousand positions."""
    return engine.play(board, Limit(nodes=1000)).move


def gambler(board):
    """Any legal move."""
    return dice.choice(list(board.legal_moves))


# %% [markdown]
# ## Games
# A game that is not over after some turns is left as it is.


# %%
def play(board, first, second, names):
    """One game; the two sides take turns, however many moves a turn has."""
    opening = board.turn
    while len(board.history()) < TURNS and not board.is_game_over():
        board.push((first if board.turn is opening else second)(board))
    sides = ("White", "Black") if isinstance(board, chess.Board) else ("Red", "Blue")
    players = dict(zip(sides, names, strict=True))
    return Game.from_board(board, {"Event": "Engine and chance", **players})


games = []
for make in (Board, chess.Board):
    games.append(play(make(), thinker, gambler, ("Engine", "Chance")))
    games.append(play(make(), gambler, thinker, ("Chance", "Engine")))
engine.close()
pgn.write(games, "tournament.pgn")

# %% [markdown]
# ## Standings

# %%
taken = Counter()
for game in pgn.read("tournament.pgn"):
    first = game.tags.get("Red", game.tags.get("White"))
    print(
        game.tags.get("Variant", "chess"), first, "began:", " ".join(game.sans()[:4]), game.result
    )
    taken[game.result] += 1
print(dict(taken))
assert sum(taken.values()) == len(games) == 4
assert Path("tournament.pgn").stat().st_size > 0

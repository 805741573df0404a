# %% [markdown]
# # A small tournament
# The engine, a greedy player and chance in both games; games to a file, standings from it.

# %%
import itertools
import random
from collections import Counter

from cotulenh import Board, chess, pgn
from cotulenh.engine import Engine, Limit
from cotulenh.game import Game

dice = random.Random(6)
TURNS = 60

# %% [markdown]
# ## Players
# A player is a function from a board to a move.

# %%
engine = Engine(hash_mb=1)


def thinker(board):
    """What the engine likes after some hundred positions."""
    return engine.play(board, Limit(nodes=600)).move


def grabber(board):
    """Mate if there is one, else a move that takes if there is one, else any."""
    moves = list(board.legal_moves)
    dice.shuffle(moves)
    return max(moves, key=lambda move: "x" in board.san(move) or board.san(move).endswith("#") * 2)


def gambler(board):
    """Any legal move."""
    return dice.choice(list(board.legal_moves))


# %% [markdown]
# ## Games
# Everyone meets everyone twice, once with each colour, in both games. A game that is not over
# after some turns is drawn.


# %%
def play(board, first, second, names):
    """One game; the two sides take turns, however many moves a turn has."""
    opening = board.turn
    while len(board.history()) < TURNS and not board.is_game_over():
        board.push((first if board.turn is opening else second)(board))
    sides = ("White", "Black") if isinstance(board, chess.Board) else ("Red", "Blue")
    players = dict(zip(sides, names, strict=True))
    game = Game.from_board(board, {"Event": "Small tournament", **players})
    if game.result == "*":
        game.result = "1/2-1/2"
    return game


PLAYERS = {"Engine": thinker, "Greed": grabber, "Chance": gambler}
games = [
    play(make(), PLAYERS[first], PLAYERS[second], (first, second))
    for make in (Board, chess.Board)
    for first, second in itertools.permutations(PLAYERS, 2)
]
engine.close()
pgn.write(games, "tournament.pgn")

# %% [markdown]
# ## Standings
# A win is a point, a draw half of one; the file alone says who stands where.

# %%
POINTS = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}
table = {name: Counter() for name in PLAYERS}
for game in pgn.read("tournament.pgn"):
    sides = ("White", "Black") if game.rules is None else ("Red", "Blue")
    for side, points in zip(sides, POINTS[game.result], strict=True):
        row = table[game.tags[side]]
        row["points"] += points
        row[{1: "won", 0: "lost"}.get(points, "drawn")] += 1

print(f"{'':<8} {'games':>5} {'won':>4} {'drawn':>5} {'lost':>4} {'points':>6}")
standings = sorted(table.items(), key=lambda item: -item[1]["points"])
for name, row in standings:
    played = row["won"] + row["drawn"] + row["lost"]
    print(
        f"{name:<8} {played:>5} {row['won']:>4} {row['drawn']:>5} {row['lost']:>4}"
        f" {row['points']:>6.1f}"
    )
assert sum(row["points"] for row in table.values()) == len(games) == 12
assert standings[0][0] == "Engine"

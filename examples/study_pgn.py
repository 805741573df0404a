# %% [markdown]
# # Studying PGN
# First some games to study: random ones, with clocks.

# %%
import random
from collections import Counter
from pathlib import Path

from cotulenh import Board, pgn
from cotulenh.game import Game


def random_game(number: int) -> Game:
    """Forty turns of random moves."""
    dice = random.Random(number)
    board = Board()
    while len(board.history()) < 40 and not board.is_game_over():
        board.push(dice.choice(list(board.legal_moves)))
    game = Game.from_board(
        board, {"Event": "Chance", "Round": str(number), "Red": f"R{number % 3}"}
    )
    for ply, node in enumerate(game.mainline()):
        node.clock = 600 - 5 * ply
    return game


path = Path("chance.pgn")
print(pgn.write((random_game(number) for number in range(20)), path), "games written")

# %% [markdown]
# ## Reading
# Games come one by one; the file may be of any size, and packed (`.gz`, `.zst`).

# %%
lengths, first = [], Counter()
for game in pgn.read(path):
    lengths.append(len(game))
    first[game.sans()[0]] += 1
print("turns in all:", sum(lengths), "most frequent beginning:", first.most_common(1))

# %% [markdown]
# ## Only some games
# An index knows the tags of all games and fetches those that are asked for.

# %%
index = pgn.index(path)
chosen = index.find(Red="R1")
print(len(index), "games,", len(chosen), "of them with R1 as Red")
game = index[chosen[0]]
print("clocks:", [node.clock for node in game.mainline()][:4])

# %% [markdown]
# ## Annotating
# A line to compare with, a mark and a few words.

# %%
third = list(game.mainline())[2]
other = next(move for move in third.parent.board().legal_moves if move != third.moves[0])
variation = third.parent.add(other)
variation.nags.append(5)
variation.comment = "worth a thought"
Path("annotated.pgn").write_text(str(game), "utf-8")
print(str(game)[:400])

# %% [markdown]
# ## Bad games
# They are passed over and reported with file, line, column and reason.

# %%
text = path.read_text("utf-8").replace("1. ", "1. Qx9 ", 1)
Path("bad.pgn").write_text(text, "utf-8")
reader = pgn.read("bad.pgn")
print(sum(1 for _ in reader), "good games;", *reader.problems)
assert len(reader.problems) == 1

# %% [markdown]
# # A rule set of one's own
# `armoured.toml` extends the official rules: tanks move three points, and there is a third bridge.

# %%
from pathlib import Path

from cotulenh import Board, Rules, draw, pgn
from cotulenh.game import Game

own = Rules.load(Path(__file__).parent / "armoured.toml")
official = Rules.load("official")
print(own.title)

# %% [markdown]
# ## What is different

# %%
for kind in official.kinds:
    if own.rows[kind] != official.rows[kind]:
        then, now = official.rows[kind].normal, own.rows[kind].normal
        print(kind.name, "moves", then.move, "->", now.move, "takes", then.take, "->", now.take)
print("bridges:", *own.terrain.bridges)

# %% [markdown]
# ## Playing it
# Everything works as with the official rules: moves, pictures, PGN (which needs to be told).

# %%
board = Board(rules=own)
print(len(board.legal_moves), "moves instead of", len(Board().legal_moves))
tank = [move for move in board.legal_moves if move.from_square.name == "f4" and not move.is_deploy]
Path("armoured.svg").write_text(draw.svg(board, moves=tank), "utf-8")

board.push_san("Tf7")
game = Game.from_board(board)
Path("armoured.pgn").write_text(str(game), "utf-8")
assert next(pgn.read("armoured.pgn", rules=own)) == game

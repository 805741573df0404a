# %% [markdown]
# # Bitboards
# Every table of the engine can be read as a set of squares or as an `int`.

# %%
from cotulenh import Rules, SquareSet
from cotulenh.chess import SquareSet as ChessSet
from cotulenh.chess import tables as chess_tables

tables = Rules.load("official").tables
print(tables.show("terrain"))

# %% [markdown]
# ## Rays and reach
# A ray ends at the edge, a ranged ray after some steps, a blocked one with the first piece.

# %%
print(tables.ray("NE", "c3"))
print(tables.ranged_ray("N", "e5", 3))
print(tables.blocked_ray("N", "e5", 4, SquareSet("e7")))
print(tables.reach("missile", "e5"))
print(tables.reach("missile", "e5", heroic=True))

# %% [markdown]
# ## Magics
# The pieces that matter, gathered by a multiplication, find the answer in a table.

# %%
occupied = SquareSet("e7 c5 h5 e2")
magic = tables.magic("T", "e5")
print(magic.lookup(occupied))
assert magic.lookup(occupied) == tables.moves("T", "e5", occupied, friendly="")

# %% [markdown]
# ## Chess, as the design notes have it

# %%
square, pieces = 27, int(ChessSet("d7 b4 g4 d2"))  # a rook on d4
index = chess_tables.rook_moves_hash(pieces, square)
moves = chess_tables.ROOK_MOVES_TABLE[square, index]
print(ChessSet(moves))
assert moves == chess_tables.rook_moves(square, pieces)

# %% [markdown]
# # A first game
# A board is a position with its history. It prints itself, and in a notebook it draws itself.

# %%
from cotulenh import BLUE, RED, Board, Kind

board = Board()
print(board)

# %% [markdown]
# ## Moves
# `legal_moves` is a snapshot: it has a length, and moves can be looked for in it.

# %%
print(len(board.legal_moves), "moves for", board.turn.name)
militia = board.parse_san("Mg6")
print(militia, militia in board.legal_moves, militia.from_square, "to", militia.to_square)

board.push(militia)
board.push_san("Mg7")
print(board.history())

# %% [markdown]
# ## Stacks and deployment
# A ship carries an aircraft and a tank. In one turn they may leave it, one after another.

# %%
board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
stack = board.stack_at("c3")
print(stack, "carried by", stack.carrier.kind.vietnamese)

board.push_san("F>c6")
print("still", board.turn.name, "to move; left:", *map(str, board.deployment.remaining))
board.push_san("T>d3")
board.commit()
print(board.history(), "and now it is the turn of", board.turn.name)

# %% [markdown]
# `undo` takes back the whole turn, `pop` a single move.

# %%
board.undo()
print(board.fen())
assert board.stack_at("c3") == stack

# %% [markdown]
# ## Looking around

# %%
board = Board()
print("air defence of Blue:", len(board.air_defence(BLUE)), "points")
print("aircraft of Red:", *board.pieces(Kind.AIR_FORCE, RED))
print("who attacks g5?", board.attackers(BLUE, "g5"))
print("perft 2:", board.perft(2))

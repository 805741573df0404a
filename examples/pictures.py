# %% [markdown]
# # Pictures
# Every drawing is a function from a board to a text; PNG needs `pip install cotulenh[draw]`.

# %%
from pathlib import Path

from cotulenh import BLUE, RED, Board, Kind, chess, draw

board = Board()
Path("start.svg").write_text(draw.svg(board, title="The start"), "utf-8")

# %% [markdown]
# ## What may be shown
# The last move, where a piece may go, arrows, air defence; from either side, light or dark.

# %%
board.push_san("Fei6")
board.push_san("Mg7")
ship = [move for move in board.legal_moves if move.from_square.name == "c4"]
picture = draw.svg(
    board,
    size=800,
    theme="dark",
    coordinates="numbers",
    last_move=("g8", "g7"),
    moves=ship,
    arrows=[("i6", "i9", "#e0442c")],
    air_defence=BLUE,
)
Path("middle.svg").write_text(picture, "utf-8")

# %% [markdown]
# ## Pieces alone, and all of them as symbols for a page of one's own

# %%
Path("tank.svg").write_text(draw.piece_svg(Kind.TANK, RED, heroic=True, size=96), "utf-8")
page = f"""<!doctype html><svg width="0" height="0">{draw.symbols()}</svg>
<svg width="60" height="60"><use href="#ctl-b-F"/></svg>"""
Path("page.html").write_text(page, "utf-8")

# %% [markdown]
# ## A deployment that moves
# The steps of a turn, over and over, without a script.

# %%
before = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
after = before.copy()
steps = after.push_san("N<F>c6,T>d3")
Path("deployment.svg").write_text(draw.animate(before, steps, seconds=1.5), "utf-8")

# %% [markdown]
# ## Chess, a terminal, an image

# %%
game = chess.Board()
game.push_sans("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#")
Path("mate.svg").write_text(draw.svg(game, last_move=("h5", "f7"), size=400), "utf-8")
print(draw.text(after))
print(draw.ansi(after))

try:
    Path("start.png").write_bytes(draw.png(Board(), size=640))
except ImportError as error:
    print(error)

# %% [markdown]
# # An engine of your own
# A search of both games in Python, and a UCI program made of it that chess programs and
# `cotulenh match` can drive. docs/tutorial-engine.md explains it step by step.

# %%
import sys

from cotulenh import games

WORTH = dict(zip("PNBRQ", (1, 3, 3, 5, 9), strict=True))


# %% [markdown]
# ## What a position is worth
# The pieces' points, for the side to move. Rule sets have their own; those of chess are above.


# %%
def worth(board):
    """Points of the side to move less those of the other."""
    if board.is_game_over():
        return draw_or_loss(board)
    return sum(
        points(board, piece) * (1 if piece.color == board.turn else -1) for piece in pieces(board)
    )


def pieces(board):
    """All pieces; in Cờ Tư Lệnh they may stand in stacks."""
    if hasattr(board, "stack_map"):
        return [piece for stack in board.stack_map().values() for piece in stack.pieces]
    return board.piece_map().values()


def points(board, piece):
    """What a piece is worth."""
    rules = getattr(board, "rules", None)
    return rules.row(piece.kind).points if rules else WORTH.get(piece.kind.letter.upper(), 0)


def draw_or_loss(board):
    """The end, for the side to move."""
    winner = board.outcome().winner
    if winner is None:
        return 0
    return 10_000 if winner == board.turn else -10_000


# %% [markdown]
# ## The search
# Negamax with alpha and beta. In Cờ Tư Lệnh a deployment is several moves of the same side: the
# score changes its sign only when the turn does.


# %%
def search(board, depth, alpha=-20_000, beta=20_000):
    """The score of the side to move, and the move that brings it."""
    if depth == 0 or board.is_game_over():
        return worth(board), None
    best = None
    side = board.turn
    for move in ordered(board):
        board.push(move)
        if board.turn == side:
            score = search(board, depth - 1, alpha, beta)[0]
        else:
            score = -search(board, depth - 1, -beta, -alpha)[0]
        board.pop()
        if best is None or score > alpha:
            alpha, best = max(alpha, score), move
        if alpha >= beta:
            break
    return alpha, best


def ordered(board):
    """Takes first: they cut most."""
    return sorted(board.legal_moves, key=lambda move: not board.is_capture(move))


# %% [markdown]
# ## The program
# As much of UCI as a match needs.


# %%
def talk(lines, depth=1):
    """Answers a UCI client until it says quit."""
    board = games.new_board("official")
    name = "official"
    for line in lines:
        match line.split():
            case ["uci"]:
                yield "id name tiny"
                yield f"option name UCI_Variant type combo default {name}" + "".join(
                    f" var {game}" for game in games.names()
                )
                yield "uciok"
            case ["isready"]:
                yield "readyok"
            case ["setoption", "name", "UCI_Variant", "value", name]:
                board = games.new_board(name)
            case ["position", "startpos", *rest]:
                board = played(games.new_board(name), rest[1:])
            case ["position", "fen", *rest]:
                cut = rest.index("moves") if "moves" in rest else len(rest)
                board = played(games.new_board(name, " ".join(rest[:cut])), rest[cut + 1 :])
            case ["go", *_]:
                yield f"bestmove {games.move_text(board, search(board, depth)[1])}"
            case ["quit"]:
                return


def played(board, moves):
    """The board after the moves of a position command."""
    for text in moves:
        board.push(games.parse_move(board, text))
    return board


if "--uci" in sys.argv:
    for answer in talk(sys.stdin):
        print(answer, flush=True)
else:
    for game in ("official", "chess"):
        board = games.new_board(game)
        score, move = search(board, 1 if game == "official" else 2)
        print(game, games.move_text(board, move), score)

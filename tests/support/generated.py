"""Games made up for tests: random moves, and on wish everything a game may carry."""

import random

from cotulenh import Board, Rules, chess
from cotulenh.game import Game

WORDS = ["a", "quick", "đội", "hình", "{strong", "[%clk", "0:00:01]", "[Event", '"x"]', "%odd"]
WORDS += ["(maybe)", ";", "1-0", "*", "$5", "…", "東", "}"]


def play(dice, board, plies):
    """Random legal moves; deployments are as likely as the moves of a piece."""
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            break
        steps = [move for move in moves if getattr(move, "is_deploy", False)]
        board.push(dice.choice(steps if steps and dice.random() < 0.5 else moves))
    while not isinstance(board, chess.Board) and board.deployment is not None:
        board.push(dice.choice(list(board.legal_moves)))
    return board


def comment(dice):
    return " ".join(dice.choice(WORDS) for _ in range(dice.randint(1, 30)))


def start_board(dice):
    kind = dice.choice(["chess", "chess960", "official", "official", "online", "blueprint", "fen"])
    if kind == "chess":
        return chess.Board()
    if kind == "chess960":
        fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
        return chess.Board(fen, chess960=True)
    if kind == "fen":
        middle = play(dice, dice.choice([chess.Board(), Board()]), 15)
        if isinstance(middle, chess.Board):
            return chess.Board(middle.fen())
        return Board(middle.fen())
    return Board(rules=Rules.load(kind))


def rich_game(seed, plies=40):
    """A game with variations, comments, marks, clocks, odd tags."""
    dice = random.Random(seed)
    board = play(dice, start_board(dice), dice.randint(0, plies))
    game = Game.from_board(board, {"Event": f'Game "{seed}" \\ Nguyễn', "Annotator": comment(dice)})
    if dice.random() < 0.5:
        game.root.comments.append(comment(dice))
    nodes = [game.root, *game.mainline()]
    for _ in range(dice.randint(0, 6)):
        node = dice.choice(nodes)
        here = node.board()
        if not list(here.legal_moves) or here.is_game_over():
            continue
        before = len(_moves(here))
        play(dice, here, 1)
        node = node.add(_moves(here)[before:])
        if node not in nodes:
            nodes.append(node)
    for node in nodes[1:]:
        if dice.random() < 0.3:
            node.comments.append(comment(dice))
        if dice.random() < 0.2:
            node.nags.append(dice.randint(0, 255))
        if dice.random() < 0.2:
            node.clock = dice.randint(0, 7200) / 10
    if game.result == "*":
        game.result = dice.choice(["1-0", "0-1", "1/2-1/2", "*"])
    return game


def _moves(board):
    return board.history(None) if isinstance(board, chess.Board) else board.move_stack

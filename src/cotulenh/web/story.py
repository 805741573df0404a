"""Games as trees and as PGN text, by way of :mod:`cotulenh.game` and :mod:`cotulenh.pgn`."""

from __future__ import annotations

import time
from typing import Any

from cotulenh import pgn
from cotulenh.board import Board
from cotulenh.game import Game
from cotulenh.web import messages as m
from cotulenh.web.games import Room
from cotulenh.web.messages import Refusal
from cotulenh.web.view import AnyBoard, new_board, play, side, variants

__all__ = ["game_text", "last_san", "read_tree", "write_tree"]


def last_san(board: AnyBoard) -> str:
    """The last single move in short notation."""
    if not board.ply:
        return ""
    before = board.copy()
    move: Any = before.pop()
    return str(before.san(move))


def line(board: AnyBoard) -> list[m.Said]:
    """All single moves that led to a board, in short notation."""
    walk = board.root()
    said = []
    for move in board.move_stack:
        said.append(m.Said(str(walk.san(move)), _label(walk)))
        walk.push(move)
    return said


# Writing --------------------------------------------------------------------------------------


def game_text(room: Room) -> str:
    """A played game as PGN."""
    names = [_name(seat) for seat in room.told("").seats]
    sides = ("White", "Black") if room.setup.variant == "chess" else ("Red", "Blue")
    tags = {"Date": time.strftime("%Y.%m.%d"), **dict(zip(sides, names, strict=True))}
    result = room.state.result
    if result is not None:
        tags["Result"] = {0: "1-0", 1: "0-1", None: "1/2-1/2"}[result.winner]
        tags["Termination"] = result.reason.replace("_", " ")
    return str(Game.from_board(room.board, tags))


def _name(seat: str) -> str:
    kind, _, level = seat.partition(":")
    return f"cotulenh, level {level}" if kind == "engine" else "?"


def write_tree(tree: m.Tree) -> str:
    """A tree as PGN. Steps of a deployment are joined to turns; a turn left open is dropped."""
    if tree.variant not in variants():
        raise Refusal("no_such_variant", "there is no such variant")
    try:
        start = new_board(tree.variant, tree.fen)
        game = Game(start, dict(tree.tags))
        game.root.comment = tree.comment
        _grow(game, tree)
    except ValueError as error:
        raise Refusal("bad_tree", str(error)) from None
    if tree.result in ("1-0", "0-1", "1/2-1/2", "*"):
        game.result = tree.result
    return str(game)


def _grow(game: Game, tree: m.Tree) -> None:
    # For every node of the page's tree: the turn it belongs to, and its moves that are not yet one.
    placed: list[tuple[Any, list[str]]] = []
    for number, node in enumerate(tree.nodes):
        if node.parent >= number:
            raise ValueError("a move comes before its parent")
        turn, begun = (game.root, []) if node.parent < 0 else placed[node.parent]
        board = turn.board()
        mover = side(board)
        texts = [*begun, node.move]
        before = board.ply
        for text in texts:
            play(board, text)
        if side(board) == mover and not board.is_game_over():
            placed.append((turn, texts))
            continue
        made = turn.add(board.move_stack[before:])
        if node.comment:
            made.comment = node.comment
        made.nags = list(node.nags)
        placed.append((made, []))


# Reading --------------------------------------------------------------------------------------


def read_tree(text: str, variant: str | None = None) -> m.Tree:
    """The first game of a PGN text. If its tags do not say which game it is, ``variant`` does."""
    if variant is not None and variant not in variants():
        raise Refusal("no_such_variant", "there is no such variant")
    silent = not any(tag in text for tag in ("[Variant ", "[White ", "[Red ", "[Blue "))
    try:
        game = pgn.parse(text, rules=variant if silent else None)
        name = "chess" if game.rules is None else game.rules.name
        tags = {k[:64]: v[:200] for k, v in list(game.tags.items())[:40]}
        fen = game.tags.get("FEN")
        tree = m.Tree(variant=name, fen=fen, tags=tags, result=game.result)
        tree.comment = game.root.comment[:2000]
        _flatten(game, tree)
    except ValueError as error:
        raise Refusal("bad_pgn", str(error)[:300]) from None
    return tree


def _flatten(game: Game, tree: m.Tree) -> None:
    """Turns become single moves, numbered so that parents come first and main lines too."""
    waiting = [(child, -1, game.board()) for child in reversed(game.root.children)]
    while waiting:
        node, parent, before = waiting.pop()
        board: Any = before.copy()
        for move in node.moves:
            text = str(board.lan(move) if game.rules is not None else board.uci(move))
            tree.nodes.append(m.Node(parent, text, str(board.san(move)), _label(board)))
            parent = len(tree.nodes) - 1
            board.push(move)
            if len(tree.nodes) > 5000:
                raise Refusal("too_large", "at most 5000 moves")
        if node.moves:
            tree.nodes[parent].comment = node.comment[:2000]
            tree.nodes[parent].nags = list(node.nags)[:8]
        waiting.extend((child, parent, board) for child in reversed(node.children))


def _label(board: AnyBoard) -> str:
    """The number before a move; the later steps of a deployment have none."""
    if isinstance(board, Board) and board.deployment is not None:
        return ""
    return f"{board.fullmove_number}{'…' if side(board) else '.'}"

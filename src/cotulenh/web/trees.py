"""Games as trees and as PGN text, by way of :mod:`cotulenh.game` and :mod:`cotulenh.pgn`.

Arrows, circles, scores and kept engine lines travel in comments as the field writes them:
``[%cal Gd2d4]``, ``[%csl Re4]``, ``[%eval 0.35,12]``; ``[%pv 0.35,12 Mg5g6 Mg8g7]`` is ours.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterable
from typing import Any

from cotulenh import pgn
from cotulenh.board import Board
from cotulenh.game import Game
from cotulenh.games import AnyBoard, move_text, push_text, side
from cotulenh.web import forms as f
from cotulenh.web.messages import Refusal
from cotulenh.web.room import Room
from cotulenh.web.view import variants

__all__ = ["game_text", "last_san", "line", "read_tree", "read_trees", "write_tree", "write_trees"]

#: Games of a PGN text that are read at most, and moves of one.
MAX_GAMES, MAX_NODES = 64, 5000

_SQUARE = r"[a-l]\d{1,2}"
_ARROW = re.compile(rf"([GRYB])({_SQUARE})({_SQUARE})")
_CIRCLE = re.compile(rf"([GRYB])({_SQUARE})")
_COMMAND = re.compile(r"\s*\[%(cal|csl|eval|pv|clk)\s([^\]]*)\]\s*")
_SCORE = re.compile(r"(#?)([-+]?\d+(?:\.\d+)?)(?:,(\d+))?$")


def last_san(board: AnyBoard) -> str:
    """The last single move in short notation."""
    if not board.ply:
        return ""
    before = board.copy()
    move: Any = before.pop()
    return str(before.san(move))


def line(board: AnyBoard) -> list[f.Said]:
    """All single moves that led to a board, in short notation."""
    walk = board.root()
    said = []
    for move in board.move_stack:
        said.append(f.Said(str(walk.san(move)), _label(walk)))
        walk.push(move)
    return said


def _label(board: AnyBoard) -> str:
    """The number before a move; the later steps of a deployment have none."""
    if isinstance(board, Board) and board.deployment is not None:
        return ""
    return f"{board.fullmove_number}{'…' if side(board) else '.'}"


# Writing --------------------------------------------------------------------------------------


def game_text(room: Room) -> str:
    """A played game as PGN."""
    names = [seat.name or _engine_name(seat.level) for seat in room.setup.seats]
    sides = ("White", "Black") if room.setup.variant == "chess" else ("Red", "Blue")
    tags = {"Date": time.strftime("%Y.%m.%d"), **dict(zip(sides, names, strict=True))}
    if room.setup.objective:
        tags["Objective"] = room.setup.objective
    result = room.state.result
    if result is not None:
        tags["Termination"] = result.reason.replace("_", " ")
    game = Game.from_board(room.board, tags)
    if result is not None:
        game.result = {0: "1-0", 1: "0-1", None: "1/2-1/2"}[result.winner]
    return str(game)


def _engine_name(level: int) -> str:
    return f"cotulenh, level {level}" if level else "?"


def write_trees(trees: Iterable[tuple[str, f.Tree]]) -> str:
    """Several trees with their titles as one PGN text."""
    texts = []
    for title, tree in trees:
        tree.tags = {**tree.tags, "Event": title} if title else tree.tags
        texts.append(write_tree(tree).strip())
    return "\n\n".join(texts) + "\n"


def write_tree(tree: f.Tree) -> str:
    """A tree as PGN. Steps of a deployment are joined to turns; a turn left open is dropped."""
    start = tree.board()
    try:
        tags = {k: v for k, v in tree.tags.items() if k not in ("FEN", "SetUp", "Variant")}
        if tree.objective:
            tags["Objective"] = tree.objective
        game = Game(start, tags)
        game.root.comment = _comment(tree)
        _grow(game, tree)
    except ValueError as error:
        raise Refusal("bad_tree", str(error), reason=error) from None
    if tree.result in ("1-0", "0-1", "1/2-1/2", "*"):
        game.result = tree.result
    return str(game)


def _grow(game: Game, tree: f.Tree) -> None:
    # For every node of the page's tree: the turn it belongs to, and its moves that are not yet one.
    placed: list[tuple[Any, list[f.Node]]] = []
    for number, node in enumerate(tree.nodes):
        if node.parent >= number:
            raise ValueError("a move comes before its parent")
        turn, begun = (game.root, []) if node.parent < 0 else placed[node.parent]
        board = turn.board()
        mover = side(board)
        steps = [*begun, node]
        before = board.ply
        for step in steps:
            push_text(board, step.move)
        if side(board) == mover and not board.is_game_over():
            placed.append((turn, steps))
            continue
        made = turn.add(board.move_stack[before:])
        comment = " ".join(text for step in steps if (text := _comment(step)))
        if comment:
            made.comment = comment
        if node.clock is not None:
            made.clock = node.clock
        made.nags = list(node.nags)
        placed.append((made, []))


def _comment(node: f.Node | f.Tree) -> str:
    """A node's words and what is drawn and known there, as one comment."""
    parts = [node.comment.replace("}", ")").strip()]
    if node.circles:
        parts.append(f"[%csl {','.join(c + s for s, c in node.circles)}]")
    if node.arrows:
        parts.append(f"[%cal {','.join(c + a + b for a, b, c in node.arrows)}]")
    if isinstance(node, f.Node) and node.eval is not None:
        parts.append(f"[%eval {_score_text(node.eval)}]")
    parts += [f"[%pv {_score_text(kept)} {' '.join(kept.moves)}]" for kept in node.lines]
    return " ".join(part for part in parts if part)


def _score_text(score: f.Eval) -> str:
    value = f"{score.score / 100:.2f}" if score.mate is None else f"#{score.mate}"
    return f"{value},{score.depth}" if score.depth else value


# Reading --------------------------------------------------------------------------------------


def read_tree(text: str, variant: str | None = None) -> f.Tree:
    """The first game of a PGN text. If its tags do not say which game it is, ``variant`` does."""
    return read_trees(text, variant, most=1)[0]


def read_trees(text: str, variant: str | None = None, most: int = MAX_GAMES) -> list[f.Tree]:
    """The games of a PGN text, the first ``most`` of them."""
    if variant is not None and variant not in variants():
        raise Refusal("no_such_variant", "there is no such variant")
    silent = not any(tag in text for tag in ("[Variant ", "[White ", "[Red ", "[Blue "))
    found: list[f.Tree] = []
    try:
        with pgn.read(
            io.StringIO(text), rules=variant if silent else None, errors="raise"
        ) as games:
            for game in games:
                found.append(_tree(game))
                if len(found) >= most:
                    break
    except pgn.PGNError as error:
        found_at = error.problem
        text = f"line {found_at.line}, column {found_at.column}: {found_at.reason}"
        raise Refusal(
            "bad_pgn",
            text[:300],
            line=found_at.line,
            column=found_at.column,
            reason=found_at.reason,
        ) from None
    except ValueError as error:
        raise Refusal("bad_pgn", str(error)[:300], line=1, column=1, reason=error) from None
    if not found:
        reason = "there is no game in the text"
        raise Refusal("bad_pgn", reason, line=1, column=1, reason=reason)
    return found


def _tree(game: Game) -> f.Tree:
    tags = {k[:64]: v[:200] for k, v in list(game.tags.items())[:40]}
    objective = tags.pop("Objective", "").lower()
    tree = f.Tree(
        variant="chess" if game.rules is None else game.rules.name,
        fen=game.tags.get("FEN"),
        chess960=game.rules is None and bool(game.chess960),
        objective=objective if objective in ("marine", "air", "land", "tactical") else "",
        tags=tags,
        result=game.result,
    )
    _read_comment(tree, game.root.comment)
    _flatten(game, tree)
    return tree


def _flatten(game: Game, tree: f.Tree) -> None:
    """Turns become single moves, numbered so that parents come first and main lines too."""
    waiting = [(child, -1, game.board()) for child in reversed(game.root.children)]
    while waiting:
        node, parent, before = waiting.pop()
        board: Any = before.copy()
        for move in node.moves:
            text = move_text(board, move)
            tree.nodes.append(f.Node(parent, text, str(board.san(move)), _label(board)))
            parent = len(tree.nodes) - 1
            board.push(move)
            if len(tree.nodes) > MAX_NODES:
                raise Refusal("too_large", f"at most {MAX_NODES} moves", most=MAX_NODES)
        if node.moves:
            _read_comment(tree.nodes[parent], node.comment)
            tree.nodes[parent].nags = list(node.nags)[:8]
        waiting.extend((child, parent, board) for child in reversed(node.children))


def _read_comment(node: f.Node | f.Tree, text: str) -> None:
    for command, value in _COMMAND.findall(text):
        _COMMANDS[command](node, value)
    node.comment = _COMMAND.sub(" ", text).strip()[:2000]


def _read_arrows(node: Any, value: str) -> None:
    node.arrows = [(a, b, colour) for colour, a, b in _ARROW.findall(value)][:40]


def _read_circles(node: Any, value: str) -> None:
    node.circles = [(square, colour) for colour, square in _CIRCLE.findall(value)][:40]


def _read_score(node: Any, value: str) -> None:
    if isinstance(node, f.Node):
        node.eval = _score(value)


def _score(value: str) -> f.Eval | None:
    found = _SCORE.match(value.strip())
    if found is None:
        return None
    mate, number, depth = found.groups()
    deep = min(255, int(depth or 0))
    if mate:
        turns = max(-1000, min(1000, int(float(number))))
        return f.Eval(score=100_000 if turns > 0 else -100_000, mate=turns, depth=deep)
    return f.Eval(score=max(-200_000, min(200_000, round(float(number) * 100))), depth=deep)


def _read_line(node: Any, value: str) -> None:
    words = value.split()
    score = _score(words[0]) if words else None
    if score is not None and len(node.lines) < 5:
        moves = [word for word in words[1:41] if 2 <= len(word) <= 32]
        node.lines.append(f.KeptLine(score.score, score.mate, score.depth, moves))


def _read_clock(node: Any, value: str) -> None:
    found = re.match(r"(\d+):(\d+):(\d+(?:\.\d+)?)$", value.strip())
    if found is not None and isinstance(node, f.Node):
        hours, minutes, seconds = found.groups()
        node.clock = min(1e7, 3600.0 * int(hours) + 60.0 * int(minutes) + float(seconds))


_COMMANDS = {
    "cal": _read_arrows,
    "csl": _read_circles,
    "eval": _read_score,
    "pv": _read_line,
    "clk": _read_clock,
}

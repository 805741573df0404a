"""Games as trees and as PGN text, by way of :mod:`cotulenh.game` and :mod:`cotulenh.pgn`.

Arrows, circles, scores and clocks travel in comments as the field writes them; the lines of an
engine that are kept with a position are ours: ``[%pv 0.35,12 Mg5g6 Mg8g7]``.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterable, Sequence
from typing import Any

from cotulenh import pgn
from cotulenh.annotations import Arrow, Circle, Eval
from cotulenh.board import Board
from cotulenh.game import Game
from cotulenh.games import AnyBoard, move_text, push_text, side
from cotulenh.web import forms as f
from cotulenh.web.messages import Refusal
from cotulenh.web.room import Room
from cotulenh.web.view import variants

__all__ = [
    "game_text",
    "last_san",
    "line",
    "read_tree",
    "read_trees",
    "said",
    "write_tree",
    "write_trees",
]

#: Games of a PGN text that are read at most, and moves of one.
MAX_GAMES, MAX_NODES = 64, 5000

#: What can be wrong with a PGN text, by the reader's reason: names for the page's own words.
_PGN_FAULTS = (
    ("illegal", re.compile(r"illegal move: '(.*)'")),
    ("ambiguous", re.compile(r"ambiguous move: '(.*)'")),
    ("word", re.compile(r"(?:not a move: )?'(.*?)'")),
    ("comment", re.compile(r"a comment that does not end")),
    ("variation", re.compile(r"a variation that does not end")),
    ("tag", re.compile(r"expected a tag")),
    ("fen", re.compile(r"the FEN: (.*)")),
    ("empty", re.compile(r"there is no game in the text")),
)
_PV = re.compile(r"\[%pv\s+([^\]]*)\]")
_COLOURS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}
_LETTERS = {name: letter for letter, name in _COLOURS.items()}


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
    found = []
    for move in board.move_stack:
        found.append(said(walk, move))
        walk.push(move)
    return found


def said(board: Any, move: Any) -> f.Said:
    """A single move in short notation with its number."""
    return f.Said(str(board.san(move)), _label(board))


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
        _annotate(game.root, tree, [tree])
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
        _annotate(made, node, steps)
        made.clock, made.nags = node.clock, list(node.nags)
        if node.eval is not None:
            made.eval = _written(node.eval)
        placed.append((made, []))


def _annotate(made: Any, last: f.Node | f.Tree, steps: Sequence[f.Node | f.Tree]) -> None:
    """Words of all steps of a turn; what is drawn and known at its last."""
    words = [step.comment.replace("}", ")").strip() for step in steps]
    words += [f"[%pv {_written(kept)} {' '.join(kept.moves)}]" for kept in last.lines]
    made.comment = " ".join(word for word in words if word)
    made.circles = [Circle(square, _COLOURS[colour]) for square, colour in last.circles]
    made.arrows = [Arrow(tail, head, _COLOURS[colour]) for tail, head, colour in last.arrows]


def _written(score: f.Eval) -> Eval:
    cp = None if score.mate is not None else score.score
    return Eval(cp, score.mate, score.depth or None)


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
        at = error.problem
        text = f"line {at.line}, column {at.column}: {at.reason}"
        raise _bad_pgn(text, at.reason, at.line, at.column) from None
    except ValueError as error:
        raise _bad_pgn(str(error), str(error)) from None
    if not found:
        reason = "there is no game in the text"
        raise _bad_pgn(reason, reason)
    return found


def _bad_pgn(text: str, reason: str, line: int = 1, column: int = 1) -> Refusal:
    """A refusal that says where the text is wrong, and by name what is."""
    kind, word = "", ""
    for name, pattern in _PGN_FAULTS:
        if (said := pattern.match(reason)) is not None:
            kind, word = name, said[1] if pattern.groups else ""
            break
    place = {"line": line, "column": column}
    return Refusal("bad_pgn", text[:300], 400, **place, reason=reason, kind=kind, word=word)


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
    _read_notes(tree, game.root)
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
            made = tree.nodes[parent]
            _read_notes(made, node)
            made.nags = list(node.nags)[:8]
            made.clock = None if node.clock is None else min(1e7, node.clock)
            made.eval = None if node.eval is None else f.Eval(*_read(node.eval))
        waiting.extend((child, parent, board) for child in reversed(node.children))


def _read_notes(made: f.Node | f.Tree, node: Any) -> None:
    """Words, drawings and kept lines of a turn."""
    made.comment = node.text[:2000]
    made.arrows = [(a.tail.name, a.head.name, _LETTERS[a.color]) for a in node.arrows[:40]]
    made.circles = [(c.square.name, _LETTERS[c.color]) for c in node.circles[:40]]
    made.lines = [kept for text in _PV.findall(node.comment)[:5] if (kept := _kept(text))]


def _read(score: Eval) -> tuple[int, int | None, int]:
    """Hundredths, turns to mate and depth, within what messages may hold."""
    deep = min(255, score.depth or 0)
    if score.mate is not None:
        turns = max(-1000, min(1000, score.mate))
        return (100_000 if turns > 0 else -100_000), turns, deep
    return max(-200_000, min(200_000, score.cp or 0)), None, deep


def _kept(text: str) -> f.KeptLine | None:
    first, *moves = text.split() or [""]
    score = Eval.parse(first)
    if score is None:
        return None
    fitting = [move for move in moves[:40] if 2 <= len(move) <= 32]
    return f.KeptLine(*_read(score), fitting)

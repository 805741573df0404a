"""A board as data for a page that knows no rule: what stands where, what may go where, marks."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any, cast

import msgspec

from cotulenh import chess, games
from cotulenh.board import Board, Move
from cotulenh.draw._svg import ring_sources
from cotulenh.games import AnyBoard, side
from cotulenh.rules import Rules
from cotulenh.squares import BLUE, RED

__all__ = [
    "MAX_MOVES",
    "DeploymentView",
    "MoveView",
    "OutcomeView",
    "View",
    "new_board",
    "reach",
    "variants",
    "view",
]

#: The longest game a client may ask about.
MAX_MOVES = 2000

_CHESS_POINTS = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}
_CHESS_KINDS = {chess.MoveKind.EN_PASSANT: "capture", chess.MoveKind.CASTLING: "castling"}


class MoveView(msgspec.Struct, frozen=True, omit_defaults=True, rename={"origin": "from"}):
    """A legal move. ``group`` are the letters that move, ``kind`` what happens at ``to``."""

    text: str
    origin: str
    to: str
    group: str = ""
    kind: str = "normal"
    deploy: bool = False
    promotion: str = ""


class DeploymentView(msgspec.Struct, omit_defaults=True):
    """A deployment under way: what it was, what has gone, what remains, how it may end."""

    origin: str
    stack: list[str]
    remaining: list[str]
    steps: list[str]
    commit: str = ""


class OutcomeView(msgspec.Struct):
    """How a game ended: the winner is 0, 1 or nobody."""

    winner: int | None
    reason: str


class View(msgspec.Struct, omit_defaults=True):
    """All that a page shows of a position. Pieces are texts: side, ``+`` if heroic, letter."""

    variant: str
    fen: str
    turn: int
    pieces: dict[str, list[str]]
    moves: list[MoveView]
    points: list[int]
    taken: list[list[str]]
    rings: list[list[str]]
    ply: int
    number: int
    #: What closes the sky for each side: points and the reach of the ring there.
    guns: list[list[tuple[str, int]]] = []
    check: str | None = None
    last: list[list[str]] = []
    turns: list[str] = []
    #: The single moves after each turn of ``turns``: where to look back to.
    stops: list[int] = []
    deployment: DeploymentView | None = None
    outcome: OutcomeView | None = None
    problems: list[str] = []
    played: str = ""


def variants() -> list[str]:
    """The games and rule sets a page may choose, the default first."""
    return games.names()


def new_board(
    variant: str, fen: str | None = None, *, chess960: bool = False, objective: str = ""
) -> AnyBoard:
    """A board at its start or from a FEN; only games of the list, never a path."""
    if variant not in variants():
        raise ValueError(f"expected a variant, got {variant[:40]!r}")
    if objective and variant != "chess":
        return Board(fen or None, Rules.load(variant, objective))
    try:
        return games.new_board(variant, fen or None, chess960=chess960)
    except ValueError:
        if variant != "chess" or chess960 or not fen:
            raise
        # Rights to castle that only Chess960 knows: the position is one of such a game.
        return games.new_board(variant, fen, chess960=True)


def view(board: AnyBoard, first: AnyBoard | None = None) -> View:
    """The data of a board; ``first`` is the position its history began with."""
    if isinstance(board, chess.Board):
        return _chess(board, first)
    assert isinstance(board, Board)
    return _ctl(board, first)


_OTHER = (str.maketrans("rb", "br"), str.maketrans("wb", "bw"))


def reach(board: AnyBoard, square: str) -> list[tuple[str, str]]:
    """Where the piece on a square could go if its side were to move, and what it would do there.

    By its own rules alone: whose Commander is in check does not matter.
    """
    stack = view(board).pieces.get(square)
    if stack is None:
        return []
    if (stack[0][0] not in "rw") != bool(side(board)):
        fields = board.fen().split()
        # A deployment and a pawn that may be taken in passing belong to the side to move.
        fields[1] = fields[1].translate(_OTHER[isinstance(board, chess.Board)])
        fields[3] = "-"
        board = _same_game(board, " ".join(fields[:6]))
    found = {
        (move.to_square.name, _kind(board, move))
        for move in cast(Any, board).pseudo_legal_moves
        if move.from_square.name == square
    }
    return sorted(found)


def _kind(board: AnyBoard, move: Any) -> str:
    """What a move does. It need not be legal, so it has no text."""
    return _chess_kind(board, move) if isinstance(board, chess.Board) else move.kind.name.lower()


def _same_game(board: AnyBoard, fen: str) -> AnyBoard:
    if isinstance(board, chess.Board):
        return new_board("chess", fen)
    assert isinstance(board, Board)
    return Board(fen, board.rules)


# Cờ Tư Lệnh -----------------------------------------------------------------------------------


def _ctl(board: Board, first: AnyBoard | None) -> View:
    outcome = board.outcome()
    pieces = _ctl_pieces(board)
    moves = [] if outcome else [_ctl_move(move) for move in board.legal_moves]
    commander = board.commander(board.turn)
    turns, stops = _turns(board)
    # The last turn, or what is under way of the present one.
    begin = stops[-1:] if board.deployment else stops[-2:-1]
    steps = board.move_stack[begin[0] if begin else 0 :]
    return View(
        variant=board.rules.name,
        fen=board.fen(),
        turn=side(board),
        pieces=pieces,
        moves=[move for move in moves if move.kind != "commit"],
        points=[board.points(RED), board.points(BLUE)],
        taken=_taken(board, pieces, first),
        rings=[[s.name for s in board.air_defence(color)] for color in (RED, BLUE)],
        guns=[[(s.name, ring) for s, ring in ring_sources(board, color)] for color in (RED, BLUE)],
        ply=board.ply,
        number=board.fullmove_number,
        check=commander.name if commander is not None and board.is_check() else None,
        last=[[m.from_square.name, m.to_square.name, m.kind.name.lower()] for m in steps],
        turns=turns,
        stops=stops,
        deployment=_deployment(board, moves),
        outcome=None
        if outcome is None
        else OutcomeView(
            None if outcome.winner is None else int(outcome.winner is BLUE),
            outcome.reason.name.lower(),
        ),
        problems=sorted(board.problems),
    )


def _ctl_pieces(board: Board) -> dict[str, list[str]]:
    found = {}
    for square in board.occupied():
        stack = board.stack_at(square)
        assert stack is not None
        mark = "r" if stack.color is RED else "b"
        found[square.name] = [f"{mark}{'+' * p.heroic}{p.kind.letter}" for p in stack.pieces]
    return found


@lru_cache(maxsize=50_000)
def _ctl_move(move: Move) -> MoveView:
    """A move says all about itself, so the same move is described once for all games."""
    return MoveView(
        text=move.lan(),
        origin=move.from_square.name,
        to=move.to_square.name,
        group="".join(map(str, move.pieces)),
        kind=move.kind.name.lower(),
        deploy=move.is_deploy,
    )


def _turns(board: Board) -> tuple[list[str], list[int]]:
    """The finished turns as text, and after how many single moves each of them ended."""
    walk = board.copy()
    # Walking back is cheaper than replaying: a turn ends where the one to move changes.
    sides = [side(walk)]
    while walk.ply:
        walk.pop()
        sides.append(side(walk))
    sides.reverse()
    stops = [n for n in range(1, len(sides)) if sides[n] != sides[n - 1]]
    if board.ply and board.outcome() is not None and board.ply not in stops:
        stops.append(board.ply)  # the Commander was taken in mid-turn
    return board.history("san")[: len(stops)], stops


def _deployment(board: Board, moves: list[MoveView]) -> DeploymentView | None:
    found = board.deployment
    if found is None:
        return None
    mark = "r" if found.color is RED else "b"

    def names(pieces: Any) -> list[str]:
        return [f"{mark}{'+' * p.heroic}{p.kind.letter}" for p in pieces]

    commit = next((move.text for move in moves if move.kind == "commit"), "")
    return DeploymentView(
        origin=found.origin.name,
        stack=names(found.stack.pieces),
        remaining=names(found.remaining),
        steps=[move.lan() for move in found.steps],
        commit=commit,
    )


def _taken(
    board: AnyBoard, pieces: dict[str, list[str]], first: AnyBoard | None
) -> list[list[str]]:
    """What each side has lost, the dearest first."""
    if first is None:
        return [[], []]
    lost = _first_census(first) - _census(pieces)
    values = _values(board)
    order = sorted(lost.elements(), key=lambda piece: (-values[piece[1]], piece))
    marks = ("r", "b") if isinstance(board, Board) else ("w", "b")
    return [[piece for piece in order if piece[0] == mark] for mark in marks]


def _census(pieces: dict[str, list[str]]) -> Counter[str]:
    return Counter(p.replace("+", "") for stack in pieces.values() for p in stack)


def _first_census(first: AnyBoard) -> Counter[str]:
    """Most games begin with the same position, so it is counted once."""
    key = (games.name_of(first), first.fen())
    if key not in _COUNTED:
        if len(_COUNTED) >= 1000:
            _COUNTED.clear()
        _COUNTED[key] = _census(pieces_of(first))
    return _COUNTED[key]


_COUNTED: dict[tuple[str, str], Counter[str]] = {}


def pieces_of(board: AnyBoard) -> dict[str, list[str]]:
    """What stands where."""
    if isinstance(board, chess.Board):
        return _chess_pieces(board)
    assert isinstance(board, Board)
    return _ctl_pieces(board)


def _values(board: AnyBoard) -> dict[str, int]:
    if isinstance(board, Board):
        return {kind.letter: row.points for kind, row in board.rules.rows.items()}
    return _CHESS_POINTS


# Chess ----------------------------------------------------------------------------------------


def _chess(board: chess.Board, first: AnyBoard | None) -> View:
    outcome = board.outcome(claim_draw=True)
    pieces = _chess_pieces(board)
    taken = _taken(board, pieces, first)
    played = board.history(None)
    turns = board.history("san")
    last = played[-1] if played else None
    return View(
        variant="chess",
        fen=board.fen(),
        turn=side(board),
        pieces=pieces,
        moves=[] if outcome else [_chess_move(board, move) for move in board.legal_moves],
        points=[sum(_CHESS_POINTS[p[1]] for p in taken[1 - s]) for s in (0, 1)],
        taken=taken,
        rings=[[], []],
        ply=board.ply,
        number=board.fullmove_number,
        check=str(board.king(board.turn)) if board.is_check() else None,
        last=[[last.from_square.name, last.to_square.name, _chess_did(turns[-1])]] if last else [],
        turns=turns,
        stops=list(range(1, len(played) + 1)),
        outcome=None
        if outcome is None
        else OutcomeView(
            None if outcome.winner is None else outcome.winner.index, outcome.reason.name.lower()
        ),
    )


def _chess_did(san: str) -> str:
    """What a move did, as its text says."""
    return "castling" if san.startswith("O-O") else "capture" if "x" in san else "normal"


def _chess_pieces(board: chess.Board) -> dict[str, list[str]]:
    return {
        square.name: [f"{piece.color.value}{piece.kind.letter}"]
        for square in board.occupied()
        if (piece := board.piece_at(square)) is not None
    }


def _chess_kind(board: chess.Board, move: chess.Move) -> str:
    kind = _CHESS_KINDS.get(move.kind, "normal")
    taken = kind == "normal" and board.piece_at(move.to_square) is not None
    return "capture" if taken else kind


def _chess_move(board: chess.Board, move: chess.Move) -> MoveView:
    return MoveView(
        text=board.uci(move),
        origin=move.from_square.name,
        to=move.to_square.name,
        kind=_chess_kind(board, move),
        promotion=move.promotion.letter if move.promotion else "",
    )


def title(variant: str) -> str:
    """A variant's name for people."""
    return "Chess" if variant == "chess" else Rules.load(variant).title

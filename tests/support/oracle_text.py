"""The oracle's reading and writing of FENs (§11) and LANs (§12.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from oracle_tables import Board, Law, Pieces, Stack, arrange, square, square_name, without

COMMIT = "<"
BREACH = "breach"


class Move(NamedTuple):
    """One move: a plain move, a deploy step or a commit (kind "<", no group)."""

    group: Pieces
    src: int
    dst: int
    kind: str  # "" "x" "_" "@" "&" BREACH COMMIT
    deploy: bool


@dataclass(frozen=True)
class Position:
    """All that a FEN says. `origin` is -1 when no deployment is under way."""

    board: Board
    turn: str
    halfmove: int
    fullmove: int
    origin: int = -1
    rest: Pieces = ()  # pieces on the origin that have not acted yet (11.2)


def pieces_text(pieces: Pieces) -> str:
    return pieces[0] if len(pieces) == 1 else f"({''.join(pieces)})"


def lan(move: Move) -> str:
    """12.1"""
    src = square_name(move.src)
    if move.kind == COMMIT:
        return src + COMMIT
    mark = "_" if move.kind == BREACH else move.kind  # 4.4
    step = ">" if move.deploy else ""
    return f"{pieces_text(move.group)}{src}{step}{mark}{square_name(move.dst)}"


def placement(law: Law, board: Board) -> str:
    """11.1"""
    return "/".join(_rank_text(law, board, r) for r in range(11, -1, -1))


def _rank_text(law: Law, board: Board, rank: int) -> str:
    out, empty = [], 0
    for f in range(law.files):
        stack = board.get(rank * 16 + f)
        if stack is None:
            empty += 1
            continue
        text = pieces_text(stack[1])
        out.append((str(empty) if empty else "") + (text if stack[0] == "r" else text.lower()))
        empty = 0
    return "".join(out) + (str(empty) if empty else "")


def fen(law: Law, pos: Position) -> str:
    fields = [placement(law, pos.board), pos.turn, "-", "-", str(pos.halfmove), str(pos.fullmove)]
    if pos.origin >= 0:  # 11.2
        fields.append(f"{square_name(pos.origin)}:{''.join(pos.rest)}")
    return " ".join(fields)


def parse_fen(law: Law, text: str) -> Position:
    """11.3: ValueError for anything that is not a position of this rule set."""
    fields = text.split()
    if len(fields) not in (6, 7):
        raise ValueError(f"{len(fields)} fields")
    board = parse_placement(law, fields[0])
    turn = fields[1]
    if turn not in ("r", "b") or fields[2:4] != ["-", "-"]:
        raise ValueError("bad side or dashes")
    if not all(n.isascii() and n.isdigit() for n in fields[4:6]) or int(fields[5]) < 1:
        raise ValueError("bad counters")
    origin = -1
    rest: Pieces = ()
    if len(fields) == 7:
        origin, rest = _parse_deployment(law, board, turn, fields[6])
    _check_board(law, board, origin)
    return Position(board, turn, int(fields[4]), int(fields[5]), origin, rest)


def parse_placement(law: Law, text: str) -> Board:
    ranks = text.split("/")
    if len(ranks) != 12:
        raise ValueError(f"{len(ranks)} ranks")
    board: Board = {}
    for r, row in zip(range(11, -1, -1), ranks, strict=True):
        _parse_rank(law, board, r, row)
    return board


def _parse_rank(law: Law, board: Board, rank: int, text: str) -> None:
    i = f = 0
    while i < len(text):
        if text[i].isdigit():
            end = i + 2 if text[i + 1 : i + 2].isdigit() else i + 1
            if text[i] == "0":
                raise ValueError("a run of empty points starting with 0")
            f += int(text[i:end])
        else:
            end = text.find(")", i) + 1 if text[i] == "(" else i + 1 + (text[i] == "+")
            body = text[i + 1 : end - 1] if text[i] == "(" else text[i:end]
            if f >= law.files:
                raise ValueError(f"rank {rank + 1} is too long")
            board[rank * 16 + f] = _parse_stack(law, body)
            f += 1
        i = end if end > i else len(text)
    if f != law.files:
        raise ValueError(f"rank {rank + 1} has {f} files")


def _parse_stack(law: Law, body: str) -> Stack:
    if not body.replace("+", "").isalpha() or not (body.isupper() or body.islower()):
        raise ValueError(f"bad stack {body!r}")
    return ("r" if body.isupper() else "b"), parse_pieces(law, body.upper())


def parse_pieces(law: Law, text: str) -> Pieces:
    """Letters with `+` marks, in any order, to the canonical order."""
    pieces, mark = [], ""
    for ch in text:
        if ch == "+" and not mark:
            mark = "+"
        elif mark + ch in law.rows:
            pieces.append(mark + ch)
            mark = ""
        else:
            raise ValueError(f"bad pieces {text!r}")
    if mark or not pieces:
        raise ValueError(f"bad pieces {text!r}")
    return arrange(tuple(pieces))


def _parse_deployment(law: Law, board: Board, turn: str, text: str) -> tuple[int, Pieces]:
    """11.2"""
    name, colon, letters = text.partition(":")
    origin = square(name)
    stack = board.get(origin)
    if not colon or stack is None or stack[0] != turn:
        raise ValueError("bad deployment field")
    rest = parse_pieces(law, letters)
    without(stack[1], rest)  # ValueError unless all of them are there
    return origin, rest


def _check_board(law: Law, board: Board, origin: int) -> None:
    """11.3; 11.2: the origin of a deployment is exempt from 7.2 and 2.2."""
    for point, (_, pieces) in board.items():
        if point != origin and not (law.valid(pieces) and law.stands(pieces, point)):
            raise ValueError(f"{pieces} cannot stand on {square_name(point)}")
    for color in "rb":
        letters = [p[-1] for c, pieces in board.values() if c == color for p in pieces]
        if letters.count("C") > 1:
            raise ValueError("more than one Commander a side")

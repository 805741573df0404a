"""6.4: who attacks, found backwards from the target, is who could take, found by the generator.

On random set-ups, not only reachable ones, under all rule sets; and the oracle says the same.
"""

from __future__ import annotations

import random

import pytest
from oracle import Oracle
from positions import random_fen

from cotulenh import BLUE, RED, Board, Color, Kind, Move, MoveKind, Square

RULES = ("official", "online", "blueprint")
LETTER = {RED: "r", BLUE: "b"}
SET_UPS = 150
Attack = tuple[str, str]  # point and letter


def set_ups(rules: str, seed: str, number: int) -> list[str]:
    rng = random.Random(f"attacks {rules} {seed}")
    return [random_fen(rng, rules) for _ in range(number)]


def turned(fen: str) -> str:
    """The same position, the other side to move."""
    placement, side, rest = fen.split(" ", 2)
    return f"{placement} {'b' if side == 'r' else 'r'} {rest}"


def attackers(board: Board, color: Color, square: Square) -> list[Attack]:
    return [(place.name, kind.letter) for place, kind in board.attackers(color, square)]


def single_takes(board: Board, target: Square) -> set[Attack]:
    """The single pieces, carried ones included, that have a pseudo-legal take of the target."""
    found = set()
    for move in board.pseudo_legal_moves:
        if move.to_square == target and move.is_take and move.kind is not MoveKind.BREACH:
            stack = board.stack_at(move.from_square)
            assert stack is not None
            if len(move.pieces) == 1 and move.is_deploy == (len(stack) > 1):
                found.add((move.from_square.name, move.pieces[0].kind.letter))
    return found


def only_facing(board: Board, attack: Attack, target: Square) -> bool:
    """A Commander who takes the other along the open line, beyond his own reach (6.3)."""
    stack = board.stack_at(attack[0])
    assert stack is not None
    heroic = any(piece.heroic for piece in stack.pieces if piece.kind is Kind("C"))
    here = Square(attack[0])
    distance = max(abs(here.file - target.file), abs(here.rank - target.rank))
    return attack[1] == "C" and distance > 1 + heroic


@pytest.mark.parametrize("rules", RULES)
def test_a_piece_attacks_the_commander_iff_it_could_take_him(rules: str) -> None:
    attacks = 0
    for fen in set_ups(rules, "takes", SET_UPS):
        for text in (fen, turned(fen)):
            board = Board(text, rules=rules)
            target = board.commander(board.turn.other)
            assert target is not None
            ours = set(attackers(board, board.turn, target))
            theirs = single_takes(board, target)
            if rules == "online":  # S12: facing is no attack, though he may be taken so
                theirs = {a for a in theirs if not only_facing(board, a, target)}
            assert ours == theirs, f"{rules}\n{text}"
            attacks += len(ours)
    assert attacks > SET_UPS // 4  # the set-ups were worth asking


@pytest.mark.parametrize("rules", RULES)
def test_check_is_being_attacked(rules: str) -> None:
    for fen in set_ups(rules, "check", SET_UPS):
        board = Board(fen, rules=rules)
        target = board.commander(board.turn)
        assert target is not None
        assert board.is_check() == bool(board.attackers(board.turn.other, target)), fen


@pytest.mark.parametrize("rules", RULES)
def test_attackers_equal_the_oracle_s(rules: str) -> None:
    """Of every stack on the board, not only of the Commander's."""
    for fen in set_ups(rules, "oracle", SET_UPS // 2):
        board, oracle = Board(fen, rules=rules), Oracle(fen, rules)
        for color in (RED, BLUE):
            for square in board.occupied(color.other):
                ours = set(attackers(board, color, square))
                theirs = set(oracle.attackers(LETTER[color], square.name))
                assert ours == theirs, f"{rules}\n{fen}\n{square.name}"


@pytest.mark.parametrize("rules", RULES)
def test_an_empty_point_at_sea_is_judged_as_a_ship_s_inland_as_a_land_piece_s(rules: str) -> None:
    """Where the law is silent: an empty point is attacked if a plain Headquarters or Navy of the
    other side, put there, would be. A Navy brings its ring: only aircraft could tell.
    """
    for fen in set_ups(rules, "empty", 12):
        board = Board(fen, rules=rules)
        rows = fen.split(" ")[0]
        for square in (Square("f5"), Square("j10"), Square("a2"), Square("b9")):
            if board.stack_at(square) is not None:
                continue
            guest = "n" if square.file < 2 else "h"
            other = Board(_with(rows, square, guest, board.rules.files), rules=rules)
            ours = [a for a in attackers(board, RED, square) if a[1] != "F"]
            assert ours == [a for a in attackers(other, RED, square) if a[1] != "F"], fen


def _with(rows: str, square: Square, guest: str, files: int) -> str:
    """A placement with one more piece, as a FEN."""
    lines = rows.split("/")
    cells: list[str] = []
    text = lines[11 - square.rank]
    while text:
        digits = len(text) - len(text.lstrip("0123456789"))
        if digits:
            cells += [""] * int(text[:digits])
            text = text[digits:]
            continue
        end = text.index(")") + 1 if text[0] == "(" else 1 + (text[0] == "+")
        cells.append(text[:end])
        text = text[end:]
    assert len(cells) == files
    cells[square.file] = guest
    lines[11 - square.rank] = _runs(cells)
    return "/".join(lines) + " r - - 0 1"


def _runs(cells: list[str]) -> str:
    out, empty = "", 0
    for cell in cells:
        empty += not cell
        if cell:
            out, empty = out + (str(empty) if empty else "") + cell, 0
    return out + (str(empty) if empty else "")


def test_the_two_notions_of_a_take_are_one() -> None:
    """Move.is_take and the marks of its text say the same."""
    for rules in RULES:
        for fen in set_ups(rules, "marks", 10):
            board = Board(fen, rules=rules)
            moves: list[Move] = list(board.pseudo_legal_moves)
            for move in moves:
                assert move.is_take == bool(set(move.lan()) & set("x_@")), move.lan()
                assert all(isinstance(piece.kind, Kind) for piece in move.pieces)

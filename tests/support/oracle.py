"""A slow mailbox implementation of the law, written from its text alone.

It shares no code and no table with the core; the tests compare the two. The articles' numbers are
those of the law. `oracle_tables` holds the facts, `oracle_text` FEN and LAN, `oracle_moves` single
steps (§2 to §7); this file holds what a turn is: deployment, safety, heroes and ends (§6.5, §8-10).
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import isqrt

from oracle_moves import (
    attackers,
    attacks,
    commander,
    cover,
    defenders,
    facing,
    holds_commander,
    meets_rings,
    quiet_moves,
    takes,
)
from oracle_tables import (
    OTHER,
    POINTS,
    Board,
    Law,
    Pieces,
    Stack,
    arrange,
    law_of,
    square,
    square_name,
)
from oracle_tables import without as less
from oracle_text import BREACH, COMMIT, Move, Position, fen, lan, parse_fen, placement

OBJECTIVES = {"commander": (), "marine": ("N",), "air": ("F",), "land": ("TIA",)}  # 10.2
OBJECTIVES["tactical"] = ("N", "F", "TIA")
COLOR_ORDER = "rb"

#: Boards and pieces left in one deployment, and whether the turn can be ended from there: steps in
#: another order lead to the same.
Known = dict[tuple[frozenset[tuple[int, Stack]], Pieces], bool]


# Making moves


def moved(board: Board, color: str, move: Move) -> Board:
    """The board after a step, before heroes are made."""
    after = dict(board)
    if move.kind == BREACH:  # 4.4: only the Headquarters falls
        after[move.dst] = (OTHER[color], board[move.dst][1][1:])
        return after
    if move.kind == "_":  # 4.1: the taker stays
        del after[move.dst]
        return after
    rest = less(board[move.src][1], move.group)
    if rest:
        after[move.src] = (color, rest)
    else:
        del after[move.src]
    if move.kind == "@":  # 5.2: both go
        del after[move.dst]
    elif move.kind == "&":  # 7.1
        after[move.dst] = (color, arrange(move.group + board[move.dst][1]))
    else:
        after[move.dst] = (color, move.group)
    return after


def taken_pieces(board: Board, move: Move) -> Pieces:
    """What the move takes from the enemy."""
    if move.kind == BREACH:
        return board[move.dst][1][:1]
    return board[move.dst][1] if move.kind in ("x", "_", "@") else ()


def takes_commander(board: Board, move: Move) -> bool:
    return holds_commander(taken_pieces(board, move))


def make_heroes(law: Law, board: Board, mover: str) -> set[tuple[int, str]]:
    """9.1, then 9.2, on `board` itself; tells who became heroic where."""
    new = _attacking_heroes(law, board, mover)
    for point, piece in new:
        _promote(board, point, piece)
    if law.last_guard:
        for color in COLOR_ORDER:
            for point, piece in _last_guard(board, color):
                _promote(board, point, piece)
                new.add((point, piece))
    return new


def _attacking_heroes(law: Law, board: Board, mover: str) -> set[tuple[int, str]]:
    """9.1: pieces, carried or not, that attack the enemy Commander; Commanders excepted."""
    target = commander(board, OTHER[mover])
    if target < 0:
        return set()
    lines = law.lines[target]
    return {
        (point, piece)
        for point, (owner, pieces) in board.items()
        if owner == mover and point in lines
        for piece in pieces
        if piece[0] != "+" and piece != "C" and attacks(law, board, mover, point, piece, target)
    }


def _last_guard(board: Board, color: str) -> list[tuple[int, str]]:
    """9.2: the only piece beside the Commander, if it is not heroic yet."""
    army: list[tuple[int, str]] = []
    for point, (owner, pieces) in board.items():
        if owner == color:
            army.extend((point, piece) for piece in pieces)
            if len(army) > 2:
                return []
    guards = [(point, piece) for point, piece in army if piece[-1] != "C"]
    if len(army) == 2 and len(guards) == 1 and guards[0][1][0] != "+":
        return guards
    return []


def _promote(board: Board, point: int, piece: str) -> None:
    """Equal pieces on one point attack alike, so all of them become heroic together."""
    color, pieces = board[point]
    board[point] = (color, arrange(tuple("+" + p if p == piece else p for p in pieces)))


# 6.4, 6.5 Safety


def attacked(law: Law, board: Board, color: str) -> bool:
    """6.4: is this side's Commander attacked?"""
    point = commander(board, color)
    if point < 0:
        return False
    lines, enemy = law.lines[point], OTHER[color]
    for src, (owner, pieces) in board.items():
        if owner == enemy and src in lines:
            for piece in pieces:
                if attacks(law, board, enemy, src, piece, point):
                    return True
    return False


def safe(law: Law, board: Board, color: str) -> bool:
    """6.1 and 6.5, on a board on which heroes have been made."""
    if attacked(law, board, color):
        return False
    if not law.facing or law.facing_is_check:
        return True
    mine, theirs = commander(board, color), commander(board, OTHER[color])
    return mine < 0 or theirs < 0 or not facing(law, board, mine, theirs)


def may_end(law: Law, board: Board, color: str, origin: int) -> bool:
    """8.2 for the rest on the origin, then safety at the end of the turn."""
    if origin in board:
        stays = board[origin][1]
        if not law.valid(stays) or not law.stands(stays, origin):
            return False
    if not law.heroes_each_step:  # S11
        board = dict(board)
        make_heroes(law, board, color)
    return safe(law, board, color)


# Pseudo-legal moves of groups


def group_moves(
    law: Law, board: Board, color: str, src: int, group: Pieces, deploy: bool
) -> list[Move]:
    """All that one piece or stack can do in one step."""
    moves = [Move(group, src, p, k, deploy) for p, k in quiet_moves(law, board, color, src, group)]
    lines = law.lines[src]
    for dst, (owner, _) in board.items():
        if owner != color and dst in lines:
            for kind in takes(law, board, color, src, group, dst, deploy):
                moves.append(Move(group, src, dst, kind, deploy))
    return moves


def groups(law: Law, rest: Pieces, first: bool) -> list[Pieces]:
    """8.1: the pieces or sub-stacks that may step, large ones first; equal pieces count once."""
    largest = 1 if law.single_steps else len(rest) - first  # S10; the first is a proper part
    return [
        group
        for size in range(largest, 0, -1)
        for group in dict.fromkeys(combinations(rest, size))
        if law.valid(group)
    ]


def step_moves(
    law: Law, board: Board, color: str, src: int, rest: Pieces, first: bool
) -> list[Move]:
    return [
        move
        for group in groups(law, rest, first)
        for move in group_moves(law, board, color, src, group, True)
    ]


# 8 Deployment


def after_step(
    law: Law, board: Board, color: str, rest: Pieces, move: Move
) -> tuple[Board, Pieces]:
    """Board and pieces that have not acted after a step (8.1, 8.3); S11."""
    after = moved(board, color, move)
    left = less(rest, move.group)
    if law.heroes_each_step:
        new = make_heroes(law, after, color)
        left = arrange(tuple("+" + p if (move.src, p) in new else p for p in left))
    return after, left


def finishable(law: Law, board: Board, color: str, origin: int, rest: Pieces, known: Known) -> bool:
    """8.4: the turn may end here, or some step leads to where it may."""
    key = (frozenset(board.items()), rest)
    found = known.get(key)
    if found is None:
        found = may_end(law, board, color, origin) or (
            not hopeless(law, board, color, origin, rest)
            and any(
                legal_step(law, board, color, rest, move, known)
                for move in step_moves(law, board, color, origin, rest, False)
            )
        )
        known[key] = found
    return found


def hopeless(law: Law, board: Board, color: str, origin: int, rest: Pieces) -> bool:
    """A shortcut of 6.5 and 8.4: the Commander stands still, and a piece attacks him that no step
    to come can block or take (by its widest, heroic range), nor can any take the enemy Commander
    (4.5). Most random set-ups are in check: it spares the oracle half of its work.
    """
    target, enemy = commander(board, color), OTHER[color]
    if holds_commander(rest) or target == origin:  # he, or the carrier under him, may yet leave
        return False
    if any(piece[-1] == "H" for piece in rest):  # it may yet shelter him (4.4)
        return False
    if target < 0 or _within_reach(law, origin, rest, commander(board, enemy)):
        return False
    return any(
        not _within_reach(law, origin, rest, src)
        for src, piece in attackers(law, board, enemy, target)
        if _unstoppable(law, board, color, origin, src, piece, target)
    )


def _unstoppable(
    law: Law, board: Board, color: str, origin: int, src: int, piece: str, target: int
) -> bool:
    """No piece between, no ring and no ship under the Commander can stop this attack.

    A piece that took by staying covers nothing until its carrier leaves it (5.1).
    """
    row, line = law.rows[piece], law.lines[src][target]
    if row.take_ships == (0, 0) or not (row.over or line.distance == 1):
        return False
    if not meets_rings(law, piece):
        return True
    if origin in board and any(law.rows[p].ring for p in board[origin][1]):
        return False
    widest = [(g, (isqrt(r) + 1) ** 2) for g, r in defenders(law, board, color)]
    return not any(cover(widest, point) for point in (*line.between, target))


def _within_reach(law: Law, origin: int, rest: Pieces, dst: int) -> bool:
    line = law.lines[origin].get(dst)
    return line is not None and any(
        line.distance <= max(row.take[line.diagonal], row.take_ships[line.diagonal])
        for row in (law.rows["+" + piece[-1]] for piece in rest)
    )


def legal_step(law: Law, board: Board, color: str, rest: Pieces, move: Move, known: Known) -> bool:
    """8.4: no dead ends; 4.5: taking the Commander ends all questions."""
    if takes_commander(board, move):
        return True
    after, left = after_step(law, board, color, rest, move)
    if law.safe_steps and attacked(law, after, color):  # 14.3
        return False
    return finishable(law, after, color, move.src, left, known)


def legal_steps(
    law: Law, board: Board, color: str, src: int, rest: Pieces, first: bool
) -> list[Move]:
    known: Known = {}
    pseudo = step_moves(law, board, color, src, rest, first)
    return [move for move in pseudo if legal_step(law, board, color, rest, move, known)]


# Legal moves


def legal_plain(law: Law, board: Board, color: str, move: Move) -> bool:
    """6.5, 6.1; 4.5"""
    if takes_commander(board, move):
        return True
    after = moved(board, color, move)
    make_heroes(law, after, color)
    return safe(law, after, color)


def legal_moves(law: Law, pos: Position) -> list[Move]:
    board, color = pos.board, pos.turn
    if (commander(board, "r") < 0) != (commander(board, "b") < 0):  # 10.1
        return []
    if pos.origin >= 0:
        moves = legal_steps(law, board, color, pos.origin, pos.rest, False)
        if may_end(law, board, color, pos.origin):
            moves.append(Move((), pos.origin, pos.origin, COMMIT, True))
        return moves
    moves = []
    for src, (owner, pieces) in board.items():
        if owner == color and not hopeless(law, board, color, src, pieces):
            whole = group_moves(law, board, color, src, pieces, False)
            moves += [move for move in whole if legal_plain(law, board, color, move)]
            if len(pieces) > 1:
                moves += legal_steps(law, board, color, src, pieces, True)
    return moves


def play(law: Law, pos: Position, move: Move) -> Position:
    """The position after a legal move; the turn may end by itself (8.2)."""
    if move.kind == COMMIT:
        return _end_turn(law, pos, dict(pos.board), pos.halfmove)
    took = bool(taken_pieces(pos.board, move))
    clock = 0 if took else pos.halfmove + (pos.origin < 0)  # 11.1
    if not move.deploy:
        return _end_turn(law, pos, moved(pos.board, pos.turn, move), clock, True)
    rest = pos.rest if pos.origin >= 0 else pos.board[move.src][1]
    board, left = after_step(law, pos.board, pos.turn, rest, move)
    over = takes_commander(pos.board, move) or not left  # 4.5, 8.2
    if over or not legal_steps(law, board, pos.turn, move.src, left, False):
        return _end_turn(law, pos, board, clock)
    return Position(board, pos.turn, clock, pos.fullmove, move.src, left)


def _end_turn(law: Law, pos: Position, board: Board, clock: int, whole: bool = False) -> Position:
    """9, 11.1: heroes (made after each step already under S11), side and counters."""
    if whole or not law.heroes_each_step:
        make_heroes(law, board, pos.turn)
    return Position(board, OTHER[pos.turn], clock, pos.fullmove + (pos.turn == "b"))


def perft(law: Law, pos: Position, depth: int) -> int:
    """Sequences of `depth` moves; steps and commits count as moves."""
    if depth == 0:
        return 1
    moves = legal_moves(law, pos)
    if depth == 1:
        return len(moves)
    return sum(perft(law, play(law, pos, move), depth - 1) for move in moves)


# The face


class Oracle:
    """A game under one of the rule sets, from a FEN or the start position."""

    def __init__(
        self, fen: str | None = None, rules: str = "official", objective: str = "commander"
    ) -> None:
        self.law = law_of(rules)
        self.objective = objective
        self.pos = parse_fen(self.law, self.law.start if fen is None else fen)
        self._groups = {(c, g) for c in COLOR_ORDER for g in self._living_groups(c)}
        self._points = {"r": 0, "b": 0}
        self._seen: Counter[str] = Counter()
        self._legal: dict[str, Move] | None = None
        self._remember()

    def copy(self) -> Oracle:
        other = Oracle.__new__(Oracle)
        other.law, other.objective, other.pos = self.law, self.objective, self.pos
        other._groups, other._legal = self._groups, self._legal
        other._points = dict(self._points)
        other._seen = Counter(self._seen)
        return other

    def fen(self) -> str:
        return fen(self.law, self.pos)

    def legal_moves(self) -> list[str]:
        return list(self._moves())

    def _moves(self) -> dict[str, Move]:
        if self._legal is None:
            moves = legal_moves(self.law, self.pos)
            self._legal = {lan(move): move for move in moves}
            assert len(self._legal) == len(moves), "two moves with one text"
        return self._legal

    def push(self, text: str) -> None:
        move = self._moves().get(text)
        if move is None:
            raise ValueError(f"illegal move {text!r} in {self.fen()}")
        self._count_points(move)
        self.pos = play(self.law, self.pos, move)
        self._legal = None
        self._remember()

    def _count_points(self, move: Move) -> None:
        """10.4; an aircraft lost in an exchange is removed, not taken."""
        taken = taken_pieces(self.pos.board, move)
        self._points[self.pos.turn] += sum(POINTS[p[-1]] for p in taken)

    def _remember(self) -> None:
        """10.3: repetition is asked at the start of a turn."""
        if self.pos.origin < 0:
            self._seen[self._key()] += 1

    def _key(self) -> str:
        return placement(self.law, self.pos.board) + self.pos.turn

    def is_check(self) -> bool:
        """6.4; 10.1: with one Commander the game is over, with none nothing is check."""
        return attacked(self.law, self.pos.board, self.pos.turn)

    def attackers(self, color: str, name: str) -> list[tuple[str, str]]:
        point = square(name)
        stack = self.pos.board.get(point)
        if stack is None or stack[0] == color:
            return []
        found = attackers(self.law, self.pos.board, color, point)
        return [(square_name(src), piece[-1]) for src, piece in found]

    def outcome(self) -> tuple[str | None, str] | None:
        """10.3: Commander taken, mate, objective, stalemate, repetition, clock."""
        board, turn = self.pos.board, self.pos.turn
        alive = [c for c in COLOR_ORDER if commander(board, c) >= 0]
        if len(alive) == 1:
            return alive[0], "commander_taken"
        stuck = not self._moves()
        if stuck and self.is_check():
            return OTHER[turn], "checkmate"
        # 10.2: if one step lost both, the side that made it has won.
        mover = turn if self.pos.origin >= 0 else OTHER[turn]
        for loser in (OTHER[mover], mover):
            if self._objective_lost(loser):
                return OTHER[loser], "objective"
        return (None, "stalemate") if stuck else self._draw_at_turn_start()

    def _draw_at_turn_start(self) -> tuple[None, str] | None:
        if self.pos.origin >= 0:
            return None
        if self._seen[self._key()] >= 3:
            return None, "repetition"
        return (None, "clock") if self.pos.halfmove >= 100 else None

    def _living_groups(self, color: str) -> list[str]:
        """10.2: the groups of the objective of which this side has a piece."""
        letters = {p[-1] for c, ps in self.pos.board.values() if c == color for p in ps}
        return [g for g in OBJECTIVES[self.objective] if letters & set(g)]

    def _objective_lost(self, color: str) -> bool:
        living = self._living_groups(color)
        return any(c == color and g not in living for c, g in self._groups)

    def points(self, color: str) -> int:
        return self._points[color]

    def perft(self, depth: int) -> int:
        return perft(self.law, self.pos, depth)

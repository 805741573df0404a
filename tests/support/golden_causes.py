"""The conditions of K1 to K12 (end of §13): known differences of the reference from the law.

A `Case` is one position, in mid-deployment or not. Its methods take one difference and answer
with the causes whose conditions hold and which together explain it; the empty set means that
nothing explains it. What the law itself says is asked of the oracle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from oracle import (
    after_step,
    attacked,
    group_moves,
    legal_moves,
    legal_plain,
    legal_step,
    legal_steps,
    make_heroes,
    moved,
    safe,
)
from oracle_moves import (
    attackers,
    commander,
    defenders,
    facing,
    facing_points,
    flight,
    holds_commander,
    quiet_moves,
)
from oracle_tables import OTHER, Board, Pieces, Stack, arrange, law_of, square
from oracle_text import Move, lan, parse_fen, parse_pieces, parse_placement, pieces_text

LAW = law_of("online")
NO_RINGS = replace(LAW, rings=False)
LAN = re.compile(r"(\(?[A-Z+]+\)?)([a-k]\d+)(>?)([x_@&]?)([a-k]\d+)")
_STACK = re.compile(r"\(([^)]*)\)")
NOTHING: frozenset[str] = frozenset()
Causes = frozenset[str]
Step = tuple[str, str, str, bool]  # letter, from, to, stayed


def parse_lan(text: str) -> Move:
    """12.1; passengers may come in any order."""
    match = LAN.fullmatch(text)
    assert match, text
    pieces, src, step, mark, dst = match.groups()
    return Move(parse_pieces(LAW, pieces.strip("()")), square(src), square(dst), mark, step == ">")


def canonical_lan(text: str) -> str:
    return _STACK.sub(_arranged, text)


def canonical_fen(text: str | None) -> str | None:
    """The reference orders passengers differently."""
    return None if text is None else _STACK.sub(_arranged, text)


def _arranged(match: re.Match[str]) -> str:
    pieces = match[1]
    text = "".join(parse_pieces(LAW, pieces.upper()))
    return f"({text if pieces.isupper() else text.lower()})"


def path(src: int, dst: int) -> tuple[int, ...]:
    line = LAW.lines[src].get(dst)
    return () if line is None else (*line.between, dst)


def falsely_attacks(piece: str, src: int, dst: int) -> bool:
    """K1: a Missile "attacks" one point further on the diagonal than it takes."""
    line = LAW.lines[src].get(dst)
    if piece[-1] != "S" or line is None or not line.diagonal:
        return False
    return line.distance == LAW.rows[piece].take[1] + 1


def falsely_attacked(board: Board, color: str) -> bool:
    """K1, against this side's Commander."""
    target = commander(board, color)
    return target >= 0 and any(
        falsely_attacks(piece, src, target)
        for src, (owner, pieces) in board.items()
        if owner != color
        for piece in pieces
    )


class Case:
    """A position; `earlier` are the steps made in the deployment under way."""

    def __init__(self, fen: str, earlier: Sequence[Step] = ()) -> None:
        self.fen = fen
        self.pos = parse_fen(LAW, fen)
        self.board, self.color = self.pos.board, self.pos.turn
        self.earlier = {square(dst): letter for letter, _, dst, _ in earlier}

    @cached_property
    def lawful(self) -> set[str]:
        return {lan(move) for move in legal_moves(LAW, self.pos)}

    def rest(self, move: Move) -> Pieces:
        """What may step: the stack, or what has not acted yet."""
        return self.pos.rest if self.pos.origin >= 0 else self.board[move.src][1]

    def is_move(
        self, text: str, letter: str, src: str, dst: str, deploy: bool | None = None
    ) -> bool:
        """Whether this LAN is a move of a piece (or a stack led by it) between two points."""
        if text.endswith("<"):
            return False
        move = parse_lan(text)
        same = (move.group[0][-1], move.src, move.dst) == (letter, square(src), square(dst))
        return same and (deploy is None or move.deploy == deploy)

    # Moves the reference has and the subject has not

    def missing_causes(self, text: str) -> Causes:
        if text in self.lawful:
            return NOTHING
        move = parse_lan(text)
        if self._rejoins(move):
            return frozenset({"K7"})
        causes = self._pseudo_causes(move)
        if causes is None:
            return NOTHING
        unfiltered = self._unfiltered_causes(move)
        return NOTHING if unfiltered is None else causes | unfiltered

    def _pseudo_causes(self, move: Move) -> Causes | None:
        """Why the reference thinks the piece can go there; None: no cause holds."""
        board, color = self.board, self.color
        if move in group_moves(LAW, board, color, move.src, move.group, move.deploy):
            return NOTHING
        if self._boards_in_ring(move):
            return frozenset({"K3"})
        if self._faces_on_the_way(move):
            return frozenset({"K9"})
        return None

    def _boards_in_ring(self, move: Move) -> bool:
        """K3: an aircraft may board inside a ring."""
        if move.kind != "&" or move.group[0] != "F":
            return False
        args = (self.board, self.color, move.src, move.group)
        there = (move.dst, "&")
        return there in quiet_moves(NO_RINGS, *args) and there not in quiet_moves(LAW, *args)

    def boards_in_ring(self, letter: str, src: str, dst: str) -> bool:
        """K3 for a move given by letter and points."""
        stack = self.board[square(src)][1]
        groups = {stack, *((p,) for p in stack if p[-1] == letter)}
        return any(
            self._boards_in_ring(Move(group, square(src), square(dst), "&", False))
            for group in groups
        )

    def _faces_on_the_way(self, move: Move) -> bool:
        """K9, too lax: an occupied last point, or a heroic diagonal; nothing but 6.2 forbids."""
        if len(move.group) > 1 or move.group[0][-1] != "C":
            return False
        lax = replace(LAW, facing=False)
        if move not in group_moves(lax, self.board, self.color, move.src, move.group, move.deploy):
            return False
        exposed = facing_points(LAW, self.board, self.color, move.src, move.group)
        on_the_way = exposed.intersection(path(move.src, move.dst))
        occupied_end = on_the_way == {move.dst} and move.dst in self.board
        return occupied_end or (move.group[0] == "+C" and LAW.lines[move.src][move.dst].diagonal)

    def _unfiltered_causes(self, move: Move) -> Causes | None:
        """Why the reference does not filter a move that the law finds unsafe or endless."""
        if not move.deploy:
            if legal_plain(LAW, self.board, self.color, move):
                return NOTHING
            return frozenset({"K8"}) if self._looks_safe(move) else None
        rest = self.rest(move)
        if legal_step(LAW, self.board, self.color, rest, move, {}):
            return NOTHING
        if self.pos.origin >= 0 or holds_commander(rest):  # never filtered
            return frozenset({"K6"})
        after, _ = after_step(LAW, self.board, self.color, rest, move)
        if safe(LAW, after, self.color):  # it cannot end, which is not asked
            return frozenset({"K6"})
        return frozenset({"K8"}) if self._looks_safe(move) else None

    def _rejoins(self, move: Move) -> bool:
        """K7: a remaining passenger joins what left earlier, as if they had left together."""
        if move.kind != "&" or not move.deploy or move.dst not in self.earlier:
            return False
        there = self.board.get(move.dst, (self.color, (self.earlier[move.dst],)))
        return there[0] == self.color and LAW.valid(arrange(move.group + there[1]))

    # Moves the subject has and the reference has not

    def extra_causes(self, text: str, theirs: set[str]) -> Causes:
        if text not in self.lawful:
            return NOTHING
        move = parse_lan(text)
        if move.group in (("C",), ("+C",)):
            if self._takes_at_two(move):
                return frozenset({"K2"})
            if self._seen_facing(move):
                return frozenset({"K9"})
        if self.pos.origin >= 0:  # later steps are not filtered at all (K6)
            return frozenset({"K7"}) if self._hidden_by_rejoining(move, theirs) else NOTHING
        return self._filter_causes(move)

    def _takes_at_two(self, move: Move) -> bool:
        """K2: a heroic Commander takes at one only."""
        way = path(move.src, move.dst)
        return move.group == ("+C",) and move.kind in ("x", "_") and len(way) == 2

    def _seen_facing(self, move: Move) -> bool:
        """K9, too strict: his own stack does not screen, and stay captures are stopped too."""
        alone = dict(self.board)
        alone[move.src] = (self.color, move.group)
        exposed = facing_points(LAW, alone, self.color, move.src, move.group)
        if not exposed.intersection(path(move.src, move.dst)):
            return False
        return move.kind == "_" or len(self.board[move.src][1]) > 1

    def _hidden_by_rejoining(self, move: Move, theirs: set[str]) -> bool:
        """K7: onto a stay capture or exchange, hiding the plain step; the heroic mark is lost."""
        joins = [m for m in map(parse_lan, theirs) if m.dst == move.dst and m.kind == "&"]
        same = any(m.group[0][-1] == move.group[0][-1] for m in joins)
        return move.dst in self.earlier and move.kind == "" and same

    def _filter_causes(self, move: Move) -> Causes:
        """Why the reference finds a lawful first move unsafe."""
        stack = self.board[move.src][1]
        if move.deploy and holds_commander(stack):
            return NOTHING  # not filtered (K6), so not found unsafe either
        after = self._after(move)[0]
        if move.deploy and not safe(LAW, after, self.color):
            return frozenset({"K6"})  # the first step must itself be safe
        if falsely_attacked(after, self.color):
            return frozenset({"K1"})
        return NOTHING if self._looks_safe(move) else frozenset({"K8"})

    def _after(self, move: Move) -> tuple[Board, set[tuple[int, str]]]:
        """The board after a move, and who became heroic."""
        after = moved(self.board, self.color, move)
        return after, make_heroes(LAW, after, self.color)

    # K8

    def _looks_safe(self, move: Move) -> bool:
        """The verdict of a safety test that uses stale rings (K8)."""
        after, new = self._after(move)
        mine = commander(after, self.color)
        guards = self._stale_guards(move, after, new)
        enemy = OTHER[self.color]
        for src, piece in attackers(NO_RINGS, after, enemy, mine):
            if piece != "F" or flight(LAW, guards, path(src, mine)) != "none":
                return False
        theirs = commander(after, enemy)
        return theirs < 0 or not facing(LAW, after, mine, theirs)

    def _stale_guards(
        self, move: Move, after: Board, new: set[tuple[int, str]]
    ) -> list[tuple[int, int]]:
        """K8: rings as they were before a carrier came or left, and before a new hero."""
        guards = dict(defenders(LAW, after, self.color))
        before = dict(defenders(LAW, self.board, self.color))
        if move.kind == "&" and move.dst in before:  # a carrier boarded a defender
            guards[move.dst] = before[move.dst]
        if move.src in guards and move.src not in before:  # a carrier left one
            del guards[move.src]
        for point, piece in new:
            if point in guards and after[point][1][0] == "+" + piece:
                guards[point] = LAW.rows[piece].ring ** 2
        return list(guards.items())

    # Check, and what stands on the board afterwards

    def check_causes(self, theirs: bool) -> Causes:
        if theirs and not attacked(LAW, self.board, self.color):
            return frozenset({"K1"}) if falsely_attacked(self.board, self.color) else NOTHING
        return NOTHING

    def after_causes(self, text: str, ours: str | None, theirs: str | None) -> Causes:
        """Causes of different FENs after the turn that ends right after this move."""
        move = parse_lan(text)
        if ours is None or theirs is None:
            after = self._after(move)[0]
            return self.commit_causes_on(after, move.src, theirs is not None)
        clock = move.kind in ("_", "@")
        return fen_causes(ours, theirs, self.pos.halfmove + 1 if clock else None)

    def commit_causes_on(self, board: Board, origin: int, theirs: bool) -> Causes:
        """Causes of different answers whether the turn may end on this board."""
        if theirs:
            stays = board[origin][1]
            valid = LAW.valid(stays) and LAW.stands(stays, origin)
            return NOTHING if valid else frozenset({"K12"})
        unsafe = not safe(LAW, board, self.color)
        return frozenset({"K1"}) if not unsafe and falsely_attacked(board, self.color) else NOTHING

    # Steps of a deployment being replayed

    def step_causes(self, letter: str, src: str, dst: str, stayed: bool) -> Causes:
        """Why the reference could make a step that the subject has not."""
        stack = self.board.get(square(src))
        rest = () if stack is None else self.pos.rest or stack[1]
        for piece in rest:
            for kind in self._kinds(square(dst), stayed) if piece[-1] == letter else ():
                move = Move((piece,), square(src), square(dst), kind, True)
                if causes := self.missing_causes(lan(move)):
                    return causes
        return NOTHING

    def _kinds(self, dst: int, stayed: bool) -> tuple[str, ...]:
        there = self.board.get(dst)
        if there is None:
            return ("", "&")
        return ("&",) if there[0] == self.color else ("_",) if stayed else ("x", "@")

    def ended_causes(self, text: str) -> Causes:
        """K6: the reference goes on where no step has a possible end."""
        move = parse_lan(text)
        after, left = after_step(LAW, self.board, self.color, self.rest(move), move)
        ended = not left or not legal_steps(LAW, after, self.color, move.src, left, False)
        return frozenset({"K6"}) if left and ended else NOTHING


def fen_causes(ours: str, theirs: str, unreset: int | None) -> Causes:
    """Causes of different FENs; `unreset` is the clock of a reference that misses a take (K5)."""
    a, b = ours.split(), theirs.split()
    if a[1:4] != b[1:4] or a[5:] != b[5:]:
        return NOTHING
    causes: Causes = NOTHING
    if a[4] != b[4]:
        if a[4] != "0" or unreset is None or int(b[4]) != unreset:
            return NOTHING
        causes = frozenset({"K5"})
    if a[0] != b[0]:
        heroes = placement_causes(a[0], b[0])
        return causes | heroes if heroes else NOTHING
    return causes


def placement_causes(ours: str, theirs: str) -> Causes:
    """Causes of different boards: only heroic marks may differ."""
    a, b = parse_placement(LAW, ours), parse_placement(LAW, theirs)
    causes: set[str] = set()
    for point in a.keys() | b.keys():
        if a.get(point) != b.get(point):
            cause = _mark_cause(a, point, a.get(point), b.get(point))
            if cause is None:
                return NOTHING
            causes.add(cause)
    return frozenset(causes)


def _mark_cause(board: Board, point: int, ours: Stack | None, theirs: Stack | None) -> str | None:
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return None
    plain = [arrange(tuple(p[-1] for p in s[1])) for s in (ours, theirs)]
    if plain[0] != plain[1]:
        return None
    more = [p for p in theirs[1] if p not in ours[1] and p[0] == "+"]
    fewer = [p for p in ours[1] if p not in theirs[1] and p[0] == "+"]
    target = commander(board, OTHER[ours[0]])
    if more == ["+S"] and not fewer and target >= 0 and falsely_attacks("S", point, target):
        return "K1"
    if more == ["+C"] and not fewer and target >= 0 and facing(LAW, board, point, target):
        return "K11"
    army = sum(len(pieces) for owner, pieces in board.values() if owner == ours[0])
    if fewer and not more and army == 2 and holds_commander(ours[1]):
        return "K10"
    return None


class Mid:
    """A deployment under way as the data tells it."""

    def __init__(
        self, base_fen: str, steps: Sequence[Step], board_fen: str, remaining: str
    ) -> None:
        self.base = Case(base_fen)
        self.base_fen, self.steps = base_fen, steps
        self.origin = steps[0][1]
        if remaining:
            self.case = Case(self._fen(board_fen, remaining), steps)

    def _fen(self, board_fen: str, remaining: str) -> str:
        """The data's FEN of the board with the clock and the field of the law (11.1, 11.2)."""
        fields = (canonical_fen(board_fen) or "").split()
        took = any(self._took(dst) for _, _, dst, _ in self.steps)
        fields[4] = "0" if took else str(self.base.pos.halfmove + 1)
        rest = pieces_text(parse_pieces(LAW, remaining)).strip("()")
        return " ".join([*fields, f"{self.origin}:{rest}"])

    def _took(self, dst: str) -> bool:
        there = self.base.board.get(square(dst))
        return there is not None and there[0] != self.base.color

    def part(self, fen: str, number: int) -> Case:
        """The position after some of the steps."""
        return Case(fen, self.steps[:number])

    def commit_causes(self, theirs: bool) -> Causes:
        case = self.case
        return case.commit_causes_on(case.board, case.pos.origin, theirs)

    def end_causes(self, ours: str, theirs: str | None) -> Causes:
        """K5: only the first step is looked at, and only a replacing take counts."""
        _, _, dst, stayed = self.steps[0]
        if theirs is None:
            return NOTHING
        gone = self.case.board.get(square(dst)) is None  # an exchange
        replaced = self._took(dst) and not stayed and not gone
        return fen_causes(ours, theirs, None if replaced else self.base.pos.halfmove + 1)

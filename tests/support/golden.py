"""Comparing an implementation of the `online` rules with positions of an independent one.

The reference has known differences from the law, K1 to K12 at the end of §13. Every difference
found is laid before the conditions of these causes (`golden_causes`); what none of them explains
is a fault. The causes are conditions on the position and the move, judged by the oracle's law, so
an implementation cannot hide an own fault behind them.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from golden_causes import Case, Mid, canonical_fen, canonical_lan, placement_causes

DATA = Path(__file__).parents[1] / "data" / "golden_online.jsonl.xz"
Record = dict[str, Any]


class Subject(Protocol):
    """What is compared: an implementation of the `online` rules."""

    def legal(self, fen: str) -> set[str]:
        """LANs of the legal moves, commit included."""

    def after(self, fen: str, lan: str) -> str:
        """The FEN after one move, seventh field included (11.2)."""

    def is_check(self, fen: str) -> bool:
        """6.4, of the side to move."""


@dataclass
class Report:
    """How many positions agree, and how many fall under which cause."""

    records: int = 0
    agree: int = 0
    moves: int = 0
    positions: Counter[str] = field(default_factory=Counter)
    differences: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, found: Iterable[tuple[str, frozenset[str]]], where: str) -> None:
        """Books the differences of one record: a text and its causes (none is a fault)."""
        found = list(found)
        self.records += 1
        self.agree += not found
        self.faults += [f"{where}\n  {text}" for text, causes in found if not causes]
        self.positions.update({cause for _, causes in found for cause in causes})
        self.differences.update(cause for _, causes in found for cause in causes)

    def __str__(self) -> str:
        causes = sorted(self.positions, key=lambda cause: int(cause[1:]))
        lines = [f"{self.records} positions, {self.moves} moves; {self.agree} agree in everything"]
        for cause in causes:
            n, m = self.positions[cause], self.differences[cause]
            lines.append(f"{cause:>4}: {n:5} positions, {m:6} differences")
        return "\n".join([*lines, f"unexplained: {len(self.faults)}"])


def records(path: Path = DATA) -> Iterator[Record]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def compare(subject: Subject, data: Iterable[Record]) -> Report:
    """Compares all records with the subject."""
    report = Report()
    for record in data:
        if record["kind"] == "position":
            report.moves += len(record["moves"])
            report.add(position_differences(subject, record), record["fen"])
        else:
            report.moves += len(record["moves"])
            where = f"{record['base_fen']} {record['steps']}"
            report.add(session_differences(subject, record), where)
    return report


Difference = tuple[str, frozenset[str]]


# Positions


def position_differences(subject: Subject, record: Record) -> Iterator[Difference]:
    case = Case(record["fen"])
    theirs = {canonical_lan(lan): canonical_fen(fen) for lan, fen in record["moves"]}
    ours = subject.legal(case.fen)
    yield from move_differences(case, ours, set(theirs))
    yield from _check_difference(case, subject, record)
    yield from _wrongly_rejected(case, ours, record)
    for lan in sorted(ours & theirs.keys()):
        fen = end_of_turn(subject, case.fen, lan)
        if fen != theirs[lan]:
            text = f"after {lan}: {fen}, not {theirs[lan]}"
            yield text, case.after_causes(lan, fen, theirs[lan])


def move_differences(case: Case, ours: set[str], theirs: set[str]) -> Iterator[Difference]:
    for lan in sorted(theirs - ours):
        yield f"missing {lan}", case.missing_causes(lan)
    for lan in sorted(ours - theirs):
        yield f"extra {lan}", case.extra_causes(lan, theirs)


def _check_difference(case: Case, subject: Subject, record: Record) -> Iterator[Difference]:
    """The ends follow: mate and stalemate are check and the lack of moves."""
    stuck, check = not record["moves"], record["in_check"]
    if (record["checkmate"], record["stalemate"]) != (stuck and check, stuck and not check):
        yield "the record contradicts itself", frozenset()
    if subject.is_check(case.fen) != check:
        yield f"check: not {check}", case.check_causes(check)


def _wrongly_rejected(case: Case, ours: set[str], record: Record) -> Iterator[Difference]:
    """Moves the data's makers found wrongly missing.

    Those by a Missile ("s") are there by the law too; a heroic Commander ("c") does attack along
    all eight directions up to two points (3.2, 3.3), so those are rightly missing.
    """
    theirs = {canonical_lan(lan) for lan, _ in record["moves"]}
    for letter, src, dst, by in record.get("wrongly_rejected", ()):
        if by != "s" or case.boards_in_ring(letter, src, dst):  # K3: not legal for another reason
            continue
        if not any(case.is_move(lan, letter, src, dst) for lan in ours - theirs):
            yield f"wrongly rejected too: {letter}{src}{dst}", frozenset()


def end_of_turn(subject: Subject, fen: str, lan: str) -> str | None:
    """The FEN when the turn ends right after this move; None where the rest may not stay."""
    after = subject.after(fen, lan)
    fields = after.split()
    if len(fields) == 6:
        return after
    commit = fields[6].split(":")[0] + "<"
    return subject.after(after, commit) if commit in subject.legal(after) else None


# Deployments under way


def session_differences(subject: Subject, record: Record) -> Iterator[Difference]:
    mid = Mid(record["base_fen"], record["steps"], record["board_fen"], record["remaining"])
    yield from _replay(subject, mid, record)
    if not record["remaining"]:
        return
    fen, commit = mid.case.fen, mid.origin + "<"
    legal = subject.legal(fen)
    theirs = {canonical_lan(lan) for lan in record["moves"]}
    yield from move_differences(mid.case, legal - {commit}, theirs)
    if (commit in legal) != record["can_commit"]:
        yield f"commit: not {record['can_commit']}", mid.commit_causes(record["can_commit"])
    elif commit in legal:
        after, expected = subject.after(fen, commit), canonical_fen(record["fen_after_commit"])
        if after != expected:
            yield f"after {commit}: {after}, not {expected}", mid.end_causes(after, expected)


def _replay(subject: Subject, mid: Mid, record: Record) -> Iterator[Difference]:
    """Plays the steps from the base position, as far as the law lets them be played."""
    fen, steps = mid.base_fen, record["steps"]
    for number, (letter, src, dst, stayed) in enumerate(steps):
        case = mid.part(fen, number)
        lans = [lan for lan in subject.legal(fen) if case.is_move(lan, letter, src, dst, True)]
        if len(lans) != 1:
            text = f"step {letter}{src}{dst} not played in {fen}"
            yield text, case.step_causes(letter, src, dst, stayed)
            return
        fen = subject.after(fen, lans[0])
        if len(fen.split()) == 6 and number + 1 < len(steps):
            yield f"the turn ended after {lans[0]}", case.ended_causes(lans[0])
            return
    yield from _board_difference(fen, record["board_fen"])


def _board_difference(fen: str, board_fen: str) -> Iterator[Difference]:
    ours, theirs = fen.split()[0], str(canonical_fen(board_fen)).split()[0]
    if ours != theirs:
        yield f"the board is {ours}, not {theirs}", placement_causes(ours, theirs)

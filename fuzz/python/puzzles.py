"""Puzzles: any tries are judged or refused, and any line of data is a puzzle or a ValueError."""

import _atheris
import atheris

with atheris.instrument_imports(include=["cotulenh.engine.puzzles", "cotulenh.engine.mates"]):
    from cotulenh.engine import mates, puzzles

VARIANTS = ("official", "chess")
MOST_TURNS = 2  # longer mates take their time to be judged
KNOWN = [p for v in VARIANTS for p in puzzles.load(v) if p.turns <= MOST_TURNS]


def target(data: bytes) -> None:
    if data[:1] == b"{":
        read(_atheris.text_of(data))
        return
    number = int.from_bytes(data[:2], "little")
    puzzle = KNOWN[number % len(KNOWN)]
    moves = _atheris.text_of(data[2:]).split()[:12]
    try:
        judged = puzzle.judge(moves)
    except (ValueError, mates.OutOfWorkError):
        return
    assert judged.verdict in ("right", "wrong", "solved"), judged.verdict


def read(text: str) -> None:
    try:
        puzzle = puzzles.read_line("official", text)
        puzzle.judge([])
    except ValueError as error:
        assert str(error), text


_atheris.run(target)

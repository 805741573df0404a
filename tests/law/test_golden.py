"""The core under `online` against positions of an independent implementation of these rules."""

from __future__ import annotations

import pytest
from golden import DATA, compare, records

import cotulenh


class BoardSubject:
    """`cotulenh.Board` as the comparison sees it."""

    def __init__(self) -> None:
        self._fen, self._board = "", cotulenh.Board()

    def _at(self, fen: str) -> cotulenh.Board:
        if fen != self._fen:
            self._fen, self._board = fen, cotulenh.Board(fen, rules="online")
        return self._board

    def legal(self, fen: str) -> set[str]:
        board = self._at(fen)
        return {board.lan(move) for move in board.legal_moves}

    def after(self, fen: str, lan: str) -> str:
        board = self._at(fen)
        board.push_lan(lan)
        after = board.fen()
        board.pop()
        return after

    def is_check(self, fen: str) -> bool:
        return self._at(fen).is_check()


@pytest.mark.skipif(
    (DATA.parents[2] / "PKG-INFO").exists() and not DATA.exists(),
    reason="the sdist has no reference positions",
)
def test_13_golden_data(capsys: pytest.CaptureFixture[str]) -> None:
    report = compare(BoardSubject(), records())
    with capsys.disabled():
        print(f"\n{report}")
    assert report.records == 4100
    assert not report.faults, "\n".join(report.faults[:20])

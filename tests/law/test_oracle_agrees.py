"""The core against the oracle: random play from varied set-ups, under all three rule sets."""

from __future__ import annotations

import pytest
from agreement import (
    RULES,
    agree,
    agree_on_perft,
    agree_on_set_ups,
    compare,
    compare_after_each,
    compare_attackers,
)
from oracle import Oracle
from positions import THEMES, start_positions

import cotulenh


@pytest.mark.parametrize("rules", RULES)
def test_set_ups_agree(rules: str) -> None:
    for fen in start_positions(rules):
        board, oracle = cotulenh.Board(fen, rules=rules), Oracle(fen, rules)
        compare(board, oracle, rules)
        compare_after_each(board, oracle, rules)
        compare_attackers(board, oracle, rules)
        assert board.perft(1) == oracle.perft(1), f"{rules}\n{fen}"


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(4))
def test_random_play_agrees(rules: str, seed: int) -> None:
    assert agree(seed, rules, 260) >= 260  # 3 rule sets, 4 seeds: 3120 positions


@pytest.mark.parametrize("rules", RULES)
def test_perft_agrees(rules: str) -> None:
    agree_on_perft(0, rules, 20)


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(100, 150))
def test_random_play_agrees_at_length(rules: str, seed: int) -> None:
    assert agree(seed, rules, 1000) >= 1000  # 3 rule sets, 50 seeds: 150 000 positions


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(100, 110))
def test_perft_agrees_at_length(rules: str, seed: int) -> None:
    agree_on_perft(seed, rules, 60)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("theme", THEMES)
def test_arbitrary_set_ups_agree(rules: str, theme: str) -> None:
    assert agree_on_set_ups(0, rules, theme, 25) >= 25  # 3 rule sets, 8 themes: 600 positions


#: Rule set and FEN where the two once differed, and why.
ONCE_DIFFERENT = {
    "a missile that took by staying covers again when its engineer leaves": (
        "online",
        "2(N+T)a5T1/1nn3(ES)i3/2T1(FT)1e(F+TM)2A/n1n5T2/1(NT)(T+M)(FI)2i1t2/N5a1i2/n(NFI)eTN6/"
        "2(e+s)2a(tc)4/2(nf)g+F2+e2(HC)/N4(f+t)t2(ft+m)1/3T4f2/n8(ftm)1 b - - 1 5",
    ),
}


@pytest.mark.parametrize("why", ONCE_DIFFERENT)
def test_where_they_once_differed(why: str) -> None:
    rules, fen = ONCE_DIFFERENT[why]
    board, oracle = cotulenh.Board(fen, rules=rules), Oracle(fen, rules)
    compare(board, oracle, rules)
    compare_after_each(board, oracle, rules)

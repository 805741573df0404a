"""§1 Board."""

from __future__ import annotations

from picture import board, fen, goes, words

import cotulenh
from cotulenh import BLUE, RED, Direction, Rules, Square


def test_1_1_eleven_files_and_twelve_ranks() -> None:
    rules = Rules.load("official")
    assert (rules.files, rules.ranks) == (11, 12)
    corners = board("""
           a b c d e f g h i j k
        12 n . . . . . . . . . i
         1 N . . . . . . . . . I
    """)
    names = {square.name for square in corners.occupied()}
    assert names == words("a1 k1 a12 k12")


def test_1_1_red_starts_in_the_south_and_blue_in_the_north() -> None:
    start = cotulenh.Board()
    assert {square.rank + 1 for square in start.occupied(RED)} == {1, 2, 3, 4, 5}
    assert {square.rank + 1 for square in start.occupied(BLUE)} == {8, 9, 10, 11, 12}


def test_1_1_red_moves_first() -> None:
    """[R] this side of the line: the game."""
    start = cotulenh.Board()
    assert start.turn is RED
    start.push_lan("Mg5g6")
    assert start.turn is BLUE


def test_1_1_a_set_up_may_give_blue_the_move() -> None:
    """[R] the other side: a set-up says itself who moves."""
    study = board("""
          g h
        8 m .
        5 M .
    """, "b")  # fmt: skip
    assert study.turn is BLUE
    assert goes(study, "Mg8") == words("f9 g9 h9 f8 h8 f7 g7 h7")


def test_1_2_the_start_position() -> None:
    drawn = fen("""
           a b c d e f g h i j k
        12 . . . . . . c . . . .
        11 . n . . f h . h f . .
        10 . . . a . . s . . a .
         9 . . n . g t . t g . .
         8 . . i e . . m . . e i
         7 . . . . . . . . . . .
         6 . . . . . . . . . . .
         5 . . I E . . M . . E I
         4 . . N . G T . T G . .
         3 . . . A . . S . . A .
         2 . N . . F H . H F . .
         1 . . . . . . C . . . .
    """)
    law = (
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/"
        "2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"
    )
    assert drawn == law == cotulenh.Board().fen() == Rules.load("official").start_fen


def test_1_3_north_raises_the_rank_and_east_the_file() -> None:
    tables = Rules.load("official").tables
    names = {
        direction.name: next(iter(tables.ranged_ray(direction, Square("f4"), 1))).name
        for direction in Direction
    }
    assert names == {
        "NORTH": "f5", "SOUTH": "f3", "EAST": "g4", "WEST": "e4",
        "NORTH_EAST": "g5", "NORTH_WEST": "e5", "SOUTH_EAST": "g3", "SOUTH_WEST": "e3",
    }  # fmt: skip

"""§10 End."""

from __future__ import annotations

import pytest
from picture import board, fen, lans, then, words

from cotulenh import BLUE, RED, Board, Reason, Rules


def mated(turn: str = "b", clock: int = 0) -> Board:
    """The guns shut their Commander in; no move of theirs stops the heroic aircraft."""
    return board("""
           d e g  j k
        12 . . .  g c
        11 . . .  . g
         8 . . +F . .
         1 C I .  . .
    """, turn, clock)  # fmt: skip


def stalemated(clock: int = 0, other: str = ".") -> Board:
    """On j12 he would face j1, on k11 the Artillery hits; he stands safe where he is."""
    return board(f"""
           d       j k
        12 .       . c
        11 .       . H
         8 .       . A
         5 {other} . .
         1 .       C .
    """, "b", clock)  # fmt: skip


def ending(b: Board) -> tuple[object, Reason] | None:
    found = b.outcome()
    return None if found is None else (found.winner, found.reason)


# 10.1


def test_10_1_check_and_no_legal_turn_is_mate() -> None:
    b = mated()
    assert b.is_check()
    assert lans(b) == set()
    assert b.is_checkmate()
    assert ending(b) == (RED, Reason.CHECKMATE)
    assert b.outcome().result == "1-0"


def test_10_1_mate_by_a_move() -> None:
    b = board("""
           d e g j k
        12 . . . g c
        11 . . . . g
         4 . . F . .
         1 C I . . .
    """)
    b.push_lan("Fg4g8")
    assert ending(b) == (RED, Reason.CHECKMATE)


def test_10_1_a_commander_taken() -> None:
    b = board("""
           d e k
        12 c . i
        10 T . .
         1 . C I
    """)
    b.push_lan("Td10xd12")
    assert ending(b) == (RED, Reason.COMMANDER_TAKEN)
    assert b.is_game_over()
    assert lans(b) == set()


def test_10_1_with_one_commander_the_game_is_over() -> None:
    b = board("""
          d e
        9 i .
        1 . C
    """, "b")  # fmt: skip
    assert ending(b) == (RED, Reason.COMMANDER_TAKEN)
    assert lans(b) == set()


def test_10_1_with_none_it_is_a_study() -> None:
    b = board("""
          d e
        9 i .
        1 . I
    """)
    assert ending(b) is None
    assert lans(b) == words("Ie1e2 Ie1d1 Ie1f1")
    assert not b.is_check()


# 10.2


def under(objective: str, drawing: str) -> Board:
    return Board(fen(drawing), rules=Rules.load("official", objective=objective))


FLEET = """
       c d e f k
    12 . . . c i
    11 . . . . i
     5 n . . . .
     4 . f . . .
     3 T A . . .
     2 . . . . .
     1 . . C . I
"""


@pytest.mark.parametrize("objective", ["marine", "tactical"])
def test_10_2_marine_all_ships_gone(objective: str) -> None:
    b = then(under(objective, FLEET), "Tc3xc5")
    assert ending(b) == (RED, Reason.OBJECTIVE)


@pytest.mark.parametrize("objective", ["air", "tactical"])
def test_10_2_air_all_air_forces_gone(objective: str) -> None:
    b = then(under(objective, FLEET), "Ad3xd4")
    assert ending(b) == (RED, Reason.OBJECTIVE)


@pytest.mark.parametrize(("objective", "more"), [("marine", "n . ."), ("air", "f . .")])
@pytest.mark.parametrize("any_group", [False, True])
def test_10_2_one_of_the_group_left_is_enough(objective: str, more: str, any_group: bool) -> None:
    drawing = FLEET.replace("     5 n", f"     9 {more} . .\n     5 n")
    b = under("tactical" if any_group else objective, drawing)
    assert ending(b) is None
    assert ending(then(b, "Tc3xc5" if objective == "marine" else "Ad3xd4")) is None


@pytest.mark.parametrize("objective", ["land", "tactical"])
def test_10_2_land_all_tanks_infantry_and_artillery_gone(objective: str) -> None:
    b = under(objective, """
           e f k
        12 . c .
         9 . m t
         8 . . T
         1 C . I
    """)  # fmt: skip
    assert ending(then(b, "Tk8xk9")) == (RED, Reason.OBJECTIVE)
    one_left = under(objective, """
           e f k
        12 . c .
         9 . i t
         8 . . T
         1 C . I
    """)  # fmt: skip
    assert ending(then(one_left, "Tk8xk9")) is None


def test_10_2_by_default_only_the_commander_counts() -> None:
    for move in ("Tc3xc5", "Ad3xd4"):
        assert ending(then(board(FLEET), move)) is None
    assert Rules.load("official").objective == "commander"


def test_10_2_a_group_the_first_position_did_not_have_is_not_missed() -> None:
    b = under("tactical", """
           e f k
        12 . c i
         9 . m i
         1 C . I
    """)  # fmt: skip
    assert ending(b) is None
    b.push_lan("Ik1k2")
    assert ending(b) is None


def test_10_2_one_step_loses_both_and_its_maker_wins_in_mid_deployment() -> None:
    """An exchange (5.2) takes both sides' last aircraft while the ship has yet to act."""
    b = under("air", """
           c     d e f g
        12 .     . . c .
         6 (NF)  . . f g
         1 .     C . . .
    """)  # fmt: skip
    assert "Fc6>@f6" in lans(b)
    b.push_lan("Fc6>@f6")
    assert b.deployment is not None
    assert ending(b) == (RED, Reason.OBJECTIVE)
    b.push_lan("c6<")
    assert ending(b) == (RED, Reason.OBJECTIVE)


def test_10_2_one_step_loses_both_at_the_end_of_a_turn() -> None:
    b = under("air", """
           c  d e f g
        12 .  . . c .
         6 F  . . f g
         1 .  C . . .
    """)  # fmt: skip
    assert ending(then(b, "Fc6@f6")) == (RED, Reason.OBJECTIVE)


def test_10_2_losing_ones_own_last_arm_alone_loses_in_mid_deployment() -> None:
    """The other side of the line: the target was no aircraft."""
    b = under("air", """
           c     d e f g j
        12 .     . . c . f
         6 (NF)  . . t g .
         1 .     C . . . .
    """)  # fmt: skip
    b.push_lan("Fc6>@f6")
    assert b.deployment is not None
    assert ending(b) == (BLUE, Reason.OBJECTIVE)


# 10.3


def test_10_3_no_legal_turn_and_no_check_is_a_draw() -> None:
    """[R] this side of the line."""
    b = stalemated()
    assert b.is_stalemate()
    assert ending(b) == (None, Reason.STALEMATE)
    assert b.outcome().result == "1/2-1/2"


def test_10_3_one_legal_move_is_enough_to_play_on() -> None:
    """[R] the other side."""
    b = stalemated(other="i")
    assert lans(b) == words("Id5d6 Id5d4 Id5c5 Id5e5")
    assert ending(b) is None


SHUFFLE = """
       d e k
    12 c . i
    11 . . i
     2 . . I
     1 . C I
"""
THERE_AND_BACK = ("Ce1f1", "Ik11j11", "Cf1e1", "Ij11k11")


def test_10_3_the_same_position_a_third_time_is_a_draw() -> None:
    """[R] this side of the line: the set-up counts as the first time."""
    b = then(board(SHUFFLE), *THERE_AND_BACK, *THERE_AND_BACK)
    assert b.is_repetition()
    assert ending(b) == (None, Reason.REPETITION)
    assert lans(b)  # legal moves do not depend on draws


def test_10_3_a_second_time_is_not() -> None:
    """[R] the other side."""
    b = then(board(SHUFFLE), *THERE_AND_BACK)
    assert b.is_repetition(2)
    assert not b.is_repetition(3)
    assert ending(b) is None
    b = then(b, *THERE_AND_BACK[:3])
    assert ending(b) is None


def test_10_3_a_new_hero_makes_another_position() -> None:
    b = board("""
           d e j k
        12 c . . i
        11 . . . i
        10 . T . .
         1 . . C I
    """)
    b = then(b, "Te10d10", "Cd12e12", "+Td10e10", "Ce12d12")
    assert not b.is_repetition(2)
    b = then(b, "+Te10d10", "Cd12e12", "+Td10e10", "Ce12d12")
    assert b.is_repetition(2)


def test_10_3_a_hundred_half_turns_without_a_take_are_a_draw() -> None:
    """[R] this side of the line."""
    b = then(board(SHUFFLE, clock=99), "Ce1f1")
    assert b.halfmove_clock == 100
    assert ending(b) == (None, Reason.CLOCK)
    assert lans(b)


def test_10_3_ninety_nine_are_not() -> None:
    """[R] the other side."""
    b = then(board(SHUFFLE, clock=98), "Ce1f1")
    assert ending(b) is None


@pytest.mark.parametrize(
    ("drawing", "move"),
    [
        ("c d k\n4 T i .\n12 . c i\n1 . . C", "Tc4xd4"),
        ("b c d k\n4 n T . .\n12 . . c i\n1 . . . C", "Tc4_b4"),
        ("d e f k\n4 F . g .\n12 c . . i\n1 . . . C", "Fd4@f4"),
        ("d e k\n12 (hc) . i\n11 . . i\n10 T . .\n1 . . C", "Td10_d12"),
    ],
    ids=["capture", "stay capture", "exchange", "breach"],
)
def test_10_3_a_take_of_any_kind_sets_the_clock_back(drawing: str, move: str) -> None:
    assert then(board(drawing, clock=70), move).halfmove_clock == 0


def test_10_3_a_turn_takes_if_any_of_its_steps_took() -> None:
    b = board("""
          c     d e
        3 (NFT) . i
    """, clock=70)  # fmt: skip
    b = then(b, "Tc3>xe3", "Fc3>f6", "c3<")
    assert b.halfmove_clock == 0


def test_10_3_repetition_and_clock_are_asked_at_the_start_of_a_turn() -> None:
    b = then(board("c k\n3 (NFT) .\n9 . i", clock=99), "Fc3>f6")
    assert b.halfmove_clock == 100
    assert ending(b) is None
    b.commit()
    assert ending(b) == (None, Reason.CLOCK)


def test_10_3_order() -> None:
    assert ending(mated(clock=100)) == (RED, Reason.CHECKMATE)
    assert ending(stalemated(clock=100)) == (None, Reason.STALEMATE)
    taken = board("d e\n9 i .\n1 . C", "b", clock=100)
    assert ending(taken) == (RED, Reason.COMMANDER_TAKEN)
    fleet = then(under("marine", FLEET), "Tc3xc5")
    assert ending(fleet) == (RED, Reason.OBJECTIVE)


def test_10_3_order_objective_before_stalemate() -> None:
    drawing = """
           c d j k
        12 . . . c
        11 . . . H
         8 . . . A
         5 n . . .
         3 T . . .
         1 . . C .
    """
    assert ending(then(board(drawing), "Tc3xc5")) == (None, Reason.STALEMATE)
    assert ending(then(under("marine", drawing), "Tc3xc5")) == (RED, Reason.OBJECTIVE)


def test_10_3_order_repetition_before_clock() -> None:
    b = then(board(SHUFFLE, clock=92), *THERE_AND_BACK, *THERE_AND_BACK)
    assert b.halfmove_clock == 100
    assert ending(b) == (None, Reason.REPETITION)


# 10.4


def test_10_4_points() -> None:
    values = {"I": 10, "M": 10, "E": 10, "T": 20, "A": 30, "G": 10, "S": 20, "F": 40, "H": 10}
    for letter, points in values.items():
        b = then(board(f"c d\n4 M {letter.lower()}"), "Mc4xd4")
        assert (b.points(RED), b.points(BLUE)) == (points, 0), letter
    ship = then(board("b c\n4 n M"), "Mc4_b4")
    assert ship.points(RED) == 80


def test_10_4_a_stack_counts_whole_and_a_breach_the_headquarters() -> None:
    b = then(board("c d\n4 M (ft)"), "Mc4xd4")
    assert b.points(RED) == 60
    breach = board("""
           d    e k
        12 (hc) . i
        11 T    . i
         1 .    C I
    """)
    assert then(breach, "Td11_d12").points(RED) == 10


def test_10_4_an_exchange_counts_for_who_took() -> None:
    b = then(board("d e f\n4 (FT) . g"), "(FT)d4@f4")
    assert (b.points(RED), b.points(BLUE)) == (10, 0)  # the aircraft is removed, not taken

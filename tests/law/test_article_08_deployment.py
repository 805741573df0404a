"""§8 Deployment."""

from __future__ import annotations

import pytest
from picture import after, board, fen, goes, lans, then, words

from cotulenh import BLUE, RED, Board, IllegalMoveError, MoveKind


def groups(texts: set[str], origin: str) -> set[str]:
    """What may step: the pieces of all deploy steps from a point."""
    return {text.split(f"{origin}>")[0] for text in texts if f"{origin}>" in text}


# 8.1


def test_8_1_the_first_step_takes_a_proper_part() -> None:
    b = board("c\n3 (NFT)")
    assert groups(lans(b), "c3") == words("N F T (NF) (NT) (FT)")


def test_8_1_sub_stacks_must_be_valid() -> None:
    b = board("c\n3 (NFF)")
    assert groups(lans(b), "c3") == words("N F (NF)")  # (FF) is no stack


def test_8_1_later_steps_may_take_all_that_is_left() -> None:
    b = then(board("c\n3 (NFT)"), "Fc3>f6")
    assert groups(lans(b), "c3") == words("N T (NT)")


def test_8_1_each_step_goes_by_the_rules_of_its_own_carrier() -> None:
    b = board("c\n3 (NFT)")
    assert goes(b, "Tc3>") == words("c4 c5 c2 c1 d3 e3")
    assert words("c7 a3 b4 a5") <= goes(b, "(NT)c3>")
    assert "d4" not in goes(b, "(NT)c3>")
    assert words("g7 g3 c7") <= goes(b, "(FT)c3>")


def test_8_1_steps_take_and_exchange_and_combine() -> None:
    b = board("""
          c     d e f
        5 I     . . g
        3 (NFT) . i .
    """)
    assert words("xe3 &c5") <= goes(b, "Tc3>")
    assert "@f5" not in goes(b, "Fc3>")
    c = board("""
          c     d e f
        6 .     . . g
        3 (NFT) . . .
    """)
    assert "@f6" in goes(c, "Fc3>")


def test_8_1_nothing_else_may_move_in_that_turn() -> None:
    b = board("""
          c     f
        5 .     T
        3 (NFT) .
    """)
    assert goes(b, "Tf5")
    assert not goes(then(b, "Fc3>f6"), "Tf5")


def test_8_1_each_piece_acts_at_most_once() -> None:
    b = then(board("c\n3 (NFT)"), "Fc3>f6", "Tc3>d3")
    assert groups(lans(b), "c3") == words("N")
    assert not any(lan.startswith(("F", "T")) for lan in lans(b))


def test_8_1_a_passenger_of_an_acting_group_has_acted() -> None:
    b = then(board("c\n3 (NFT)"), "(FT)c3>f6")
    assert [str(piece) for piece in b.deployment.remaining] == ["N"]


def test_8_1_equal_pieces_give_one_move() -> None:
    b = board("c\n3 (NFF)")
    texts = [b.lan(move) for move in b.legal_moves]
    assert texts.count("Fc3>f6") == 1
    marked = board("c\n3 (N+FF)")
    assert {"Fc3>f6", "+Fc3>f6"} <= lans(marked)


def test_8_1_a_step_may_board_a_piece_deployed_earlier() -> None:
    b = then(board("c\n3 (NFT)"), "Fc3>e3")
    assert "&e3" in goes(b, "Tc3>")
    assert after(b, "Tc3>&e3", "c3<") == fen("""
          c d e
        3 N . (FT)
    """, "b", 1)  # fmt: skip
    far = then(board("c\n3 (NFT)"), "Fc3>f3")
    assert "&f3" not in goes(far, "Tc3>")  # three away: not in its own reach


# 8.2


def test_8_2_the_rest_may_stay() -> None:
    b = then(board("c\n3 (NFT)"), "Fc3>f6")
    assert "c3<" in lans(b)
    (commit,) = (move for move in b.legal_moves if move.kind is MoveKind.COMMIT)
    assert b.lan(commit) == "c3<"
    b.commit()
    assert b.fen() == fen("""
          c    f
        6 .    F
        3 (NT) .
    """, "b", 1)  # fmt: skip


def test_8_2_the_turn_ends_by_itself_when_nothing_remains() -> None:
    b = then(board("c\n3 (NT)"), "Tc3>d3", "Nc3>c4")
    assert b.deployment is None
    assert b.turn is BLUE
    assert b.fen() == fen("""
          c d
        4 N .
        3 . T
    """, "b", 1)  # fmt: skip


def test_8_2_what_stays_must_be_able_to_stand_there() -> None:
    b = then(board("b\n3 (NT)"), "Nb3>b4")
    assert "b3<" not in lans(b)  # a tank does not swim
    assert lans(b) == words("Tb3>&b4 Tb3>c3 Tb3>d3")


def test_8_2_what_stays_must_be_a_valid_stack() -> None:
    """A piece that took by staying is on the origin still: (FF) may not be left there."""
    b = board("""
          a b c
        5 n . .
        3 . . (N+F+F)
    """)
    b = then(b, "+Fc3>_a5", "Nc3>c4")
    assert b.fen() == fen("""
          a b c
        4 . . N
        3 . . (+F+F)
    """, "r", 0, 1, "c3:+F")  # fmt: skip
    assert "c3<" not in lans(b)
    assert words("d3 &c4") <= goes(b, "+Fc3>")


def test_8_2_without_a_legal_step_the_turn_ends_by_itself() -> None:
    b = board("""
          a
        7 n
        3 (N+F)
    """)
    b.push_lan("+Fa3>_a7")  # taken and returned: it has acted, and cannot be left at sea
    assert b.deployment is None
    assert b.fen() == fen("""
          a
        3 (N+F)
    """, "b")  # fmt: skip


def test_8_2_there_is_no_commit_before_the_first_step() -> None:
    b = board("c\n3 (NFT)")
    assert "c3<" not in lans(b)
    with pytest.raises(IllegalMoveError):
        b.commit()
    with pytest.raises(IllegalMoveError):
        b.push_lan("c3<")


# 8.3


def test_8_3_the_side_to_move_does_not_change() -> None:
    b = board("c\n3 (NFT)")
    for step in ("Fc3>f6", "Tc3>d3"):
        b.push_lan(step)
        assert b.turn is RED
    b.push_lan("c3<")
    assert b.turn is BLUE


def test_8_3_a_stay_capture_leaves_the_piece_but_it_has_acted() -> None:
    b = board("""
          c     d e
        4 .     . .
        3 (NFT) . i
    """)
    b.push_lan("Nc3>_e3")
    assert b.fen() == fen("c\n3 (NFT)", "r", 0, 1, "c3:FT")
    assert groups(lans(b), "c3") == words("F T (FT)")
    assert str(b.stack_at("c3")) == "(NFT)"


# 8.4


def test_8_4_no_dead_ends() -> None:
    """The ship may leave its tank only where the tank can follow: its own shore is blocked."""
    b = board("""
          b    c
        3 (NT) H
    """)
    assert goes(b, "Nb3>") == words("b4 b2 a3")
    assert goes(b, "Tb3>") == set()
    assert words("b4 b5 b6 b7 a4 c4") <= goes(b, "(NT)b3")


def test_8_4_safety_is_judged_at_the_end_of_the_turn() -> None:
    """The Infantry opens the line to its Commander; the Militia closes it again."""
    drawing = """
           d e f    k
        12 c . .    i
        11 . . .    i
         5 . . t    .
         4 . . (TM) .
         3 . . C    I
    """
    b = board(drawing)
    assert "Tf4>g4" in lans(b)  # the Militia is still there
    b = then(b, "Tf4>g4")
    assert goes(b, "Mf4>") == words("xf5")  # leaving the file would expose f3


def test_8_4_a_step_into_check_that_nothing_mends_is_illegal() -> None:
    b = board("""
           d e f    k
        12 c . .    i
        11 . . .    i
         6 . . .    .
         5 . . t    .
         4 . . (TM) .
         3 . . C    I
    """)
    both = then(b, "Mf4>e4")
    assert goes(both, "Tf4>") == words("xf5")
    assert "f4<" in lans(both)


def test_8_4_an_unsafe_step_is_legal_if_a_later_one_mends_it() -> None:
    """The tank leaves e5 first: the Commanders face until the Commander's own step."""
    b = board("""
           d e    f k
        12 . c    . i
        11 . .    . i
         5 . (TC) . .
         1 . .    . I
    """)
    assert b.is_check()
    assert "Te5>e6" in lans(b)  # between them
    assert "Te5>d5" in lans(b)  # not between, but the Commander can still step aside
    aside = then(b, "Te5>d5")
    assert aside.is_check()
    assert "e5<" not in lans(aside)
    assert words("f5 g5 &d5 xe12") <= goes(aside, "Ce5>")


def test_8_4_or_if_a_commander_is_taken() -> None:
    b = board("""
           d e    f k
        12 . c    . i
         5 . (TC) . .
    """)
    b = then(b, "Te5>d5", "Ce5>xe12")
    assert b.outcome().winner is RED


# 8.5


def test_8_5_history_holds_one_entry_per_turn() -> None:
    b = board("""
           c     f
        11 .     i
         3 (NFT) .
    """)
    b = then(b, "Fc3>f6", "Tc3>d3")
    assert b.history() == []
    b.commit()
    assert len(b.history()) == 1
    b.push_lan("If11f10")
    assert len(b.history()) == 2


def test_8_5_undo_takes_back_a_step_else_a_whole_turn() -> None:
    b = board("c\n3 (NFT)")
    texts = [b.fen()]
    for step in ("Fc3>f6", "Tc3>d3"):
        b.push_lan(step)
        texts.append(b.fen())
    b.undo()
    assert b.fen() == texts[1]
    b.undo()
    assert b.fen() == texts[0]
    assert b.deployment is None
    b = then(b, "Fc3>f6", "Tc3>d3", "c3<")
    b.undo()
    assert b.fen() == texts[0]


def test_8_3_a_turn_that_began_before_the_board_is_taken_back_to_its_first_position() -> None:
    """What was sent out before is not known: the deployment stands there as it was given."""
    given = "10c/11/11/11/11/11/11/2(FT)8/11/11/11/2N1C6 r - - 1 1 c5:FT"
    b = Board(given)
    b.push_san("F>g1")
    b.commit()
    assert b.turn == BLUE
    b.undo()
    assert b.fen() == given

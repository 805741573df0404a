"""The rulings of docs/rules.md: what the package plays where the law itself is silent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from picture import board, fen, goes, lans, then, words

from cotulenh import BLUE, RED, Board, PositionError, Reason, Rules

PAGE = (Path(__file__).parent.parent.parent / "docs" / "rules.md").read_text("utf-8")


def test_every_ruling_of_the_page_is_tested_here() -> None:
    rulings = re.findall(r"^\* \*\*(.+?)\*\*", PAGE.split("## Rulings")[1], re.M)
    assert len(rulings) == 14


def test_an_empty_point_is_judged_as_a_land_piece_s_at_sea_as_a_ship_s() -> None:
    b = board("""
          a b c d
        4 . . S .
        3 . . T .
    """)
    assert {k.letter for _, k in b.attackers(RED, "c5")} == {"S"}
    assert {k.letter for _, k in b.attackers(RED, "b4")} == set()  # Missiles take no ships
    assert {k.letter for _, k in b.attackers(RED, "b3")} == {"T"}


def test_a_point_of_the_same_side_is_judged_as_if_an_enemy_held_it() -> None:
    b = board("""
          c d e
        3 T I .
        2 . . I
    """)
    assert [(s.name, k.letter) for s, k in b.attackers(RED, "d3")] == [("c3", "T")]
    assert b.attackers(BLUE, "d3") == []


def test_two_equal_passengers_are_named_once() -> None:
    b = board("""
          b     c d
        3 (NTT) . i
    """)
    assert [(s.name, k.letter) for s, k in b.attackers(RED, "d3")] == [("b3", "N"), ("b3", "T")]


def test_a_commander_beside_a_sheltered_one_takes_both() -> None:
    b = board("""
           e    k
        12 (hc) i
        11 C    i
         1 .    I
    """)
    assert {text for text in goes(b, "Ce11") if text[0] in "x_"} == words("xe12")
    breaches = [m.lan() for m in b.pseudo_legal_moves if m.kind.name == "BREACH"]
    assert breaches == ["Ce11_e12"]  # he could, but the turn would end facing


def test_what_leads_the_origin_in_mid_deployment() -> None:
    """The Engineer has left: the Missile is alone, carried by nobody, and covers again."""
    b = board("""
          d    k
        9 .    i
        3 (ES) I
    """)
    assert len(b.air_defence(RED)) == 0
    b.push_lan("Ed3>d4")
    assert len(b.air_defence(RED)) == 13
    tank = board("b k\n3 T .\n9 . i", deploying="b3:T")  # a tank at sea is no ship
    assert "b3" not in {square.name for square in tank.air_defence(RED)}


def test_a_deployment_field_that_leaves_no_step_is_accepted() -> None:
    b = board("""
          b    c k
        9 .    . i
        3 (NT) H .
    """, deploying="b3:T")  # fmt: skip
    assert lans(b) == words("b3<")
    b.commit()
    assert b.turn is BLUE
    stuck = board("""
          b c k
        9 . . i
        3 T H .
    """, deploying="b3:T")  # fmt: skip
    assert lans(stuck) == set()
    assert stuck.outcome().reason is Reason.STALEMATE


def test_the_stack_of_a_deployment_read_from_a_fen_is_as_the_fen_shows_it() -> None:
    b = board("""
          c    k
        9 .    i
        3 (NT) .
    """, deploying="c3:NT")  # fmt: skip
    assert str(b.deployment.stack) == "(NT)"
    assert b.deployment.steps == ()
    assert then(b, "Tc3>d3", "c3<").history() == ["N<T>d3"]


def test_the_san_of_a_commit_and_no_suffix_before_the_turn_ends() -> None:
    b = board("""
           c     d e k
        12 .     c . i
        10 (NFT) . . i
         1 .     . C I
    """)
    step = b.parse_lan("Tc10>d10")
    assert b.san(step) == "T>d10"  # it attacks d12, but the turn goes on
    b.push(step)
    (commit,) = (move for move in b.legal_moves if not move.pieces)
    assert b.san(commit) == "<#"
    b.push_san("<")
    assert b.history() == ["(NF)<T>d10#"]


def test_taking_the_commander_is_marked_as_mate_and_still_makes_a_last_guard() -> None:
    b = board("""
           d e
        12 c .
        10 T .
         1 . C
    """)
    assert b.san(b.parse_lan("Td10xd12")) == "Txd12#"
    assert str(then(b, "Td10xd12").stack_at("d12")) == "+T"


def test_an_end_that_strands_a_piece_is_read_back() -> None:
    b = board("""
          b    c d k
        5 (NT) . . .
        4 .    c . i
        1 .    . C I
    """)
    b.push_lan("Nb5>xc4")
    assert b.outcome().reason is Reason.COMMANDER_TAKEN
    assert Board(b.fen()) == b.copy() == b
    with pytest.raises(PositionError):  # one point is excused, of the side that won
        Board("11/11/11/11/11/11/11/TT9/2N7i/11/11/3C6I b - - 0 1")


def test_the_points_of_an_exchange() -> None:
    b = then(board("d e f\n4 F . g"), "Fd4@f4")
    assert (b.points(RED), b.points(BLUE)) == (10, 0)


AIR = """
       d e f g k
    12 c . . . i
     5 . . g . .
     4 F . f . .
     1 . . . C I
"""


def test_objectives_take_no_legal_move_away_and_the_mover_wins() -> None:
    b = Board(fen(AIR), rules=Rules.load("official", objective="air"))
    b.push_lan("Fd4@f4")  # the last aircraft of both sides
    assert (b.outcome().winner, b.outcome().reason) == (RED, Reason.OBJECTIVE)
    assert lans(b)


def test_an_objective_may_be_reached_in_the_midst_of_a_deployment() -> None:
    drawing = """
           c     d f k
        12 .     . c i
         5 n     . . i
         3 (NFT) . . .
         1 .     C . I
    """
    b = Board(fen(drawing), rules=Rules.load("official", objective="marine"))
    b.push_lan("Tc3>xc5")
    assert b.deployment is not None
    assert b.outcome().reason is Reason.OBJECTIVE


@pytest.mark.parametrize(
    ("drawing", "clock", "reason"),
    [("d\n4 T\n9 t", 100, Reason.CLOCK), ("d\n4 H\n9 t", 0, Reason.STALEMATE)],
)
def test_studies_know_draws(drawing: str, clock: int, reason: Reason) -> None:
    assert board(drawing, clock=clock).outcome().reason is reason


def test_the_first_position_counts_for_repetition() -> None:
    b = board("d\n4 T\n9 t")
    for _ in range(2):
        for lan in ("Td4d5", "Td9d10", "Td5d4", "Td10d9"):
            b.push_lan(lan)
    assert b.outcome().reason is Reason.REPETITION


def test_reading_a_fen_is_lenient_in_two_things() -> None:
    text = fen("c\n3 (NFT)")
    loose = text.replace("(NFT)", "(TFN)").replace(" ", "   ") + "  "
    assert Board(loose).fen() == text
    assert Board(text.replace(" 0 1", " 999999 999999")).fullmove_number == 999_999


def test_the_blueprint_follows_the_official_articles() -> None:
    b = board("c\n3 (NFT)", rules="blueprint")
    groups = {lan.split("c3>")[0] for lan in lans(b) if ">" in lan}
    assert groups == words("N F T (NF) (NT) (FT)")
    boards = board("""
          b c
        2 N T
    """, rules="blueprint")  # fmt: skip
    assert "Tc2&b2" in lans(boards)


def test_the_blueprint_has_no_last_guard_and_no_return_flights() -> None:
    b = board("""
           d e
        12 c .
         5 . I
         1 . C
    """, rules="blueprint")  # fmt: skip
    assert str(then(b, "Ie5e6").stack_at("e6")) == "I"
    f = board("""
          d e f
        4 F . t
    """, rules="blueprint")  # fmt: skip
    assert {text for text in goes(f, "Fd4") if text[0] in "x_"} == words("xf4")

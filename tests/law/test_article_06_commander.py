"""§6 Commander: facing, check, safety."""

from __future__ import annotations

from picture import after, board, fen, goes, lans, then, words

from cotulenh import BLUE, RED, Reason

# Most pictures hold two more pieces a side, so that nobody is the last guard (9.2).


# 6.1


def test_6_1_a_turn_may_not_end_with_the_commanders_facing() -> None:
    b = board("""
           d e f k
        12 . c . i
        11 . . . i
         5 . I . .
         1 . C . I
    """)
    assert goes(b, "Ie5") == words("e6 e4")  # the screen stays on the file


def test_6_1_carried_or_not() -> None:
    b = board("""
           d e    f k
        12 . (tc) . i
        11 . .    . i
         5 . I    . .
         1 . (TC) . I
    """)
    assert goes(b, "Ie5") == words("e6 e4")


def test_6_1_an_enemy_screen_counts_and_taking_it_must_not_open_the_line() -> None:
    b = board("""
           d e f g k
        12 . c . . i
        11 . . . . i
         5 . t . F .
         1 . C . . I
    """)
    takes = {text for text in goes(b, "Fg5") if text[0] in "x_"}
    assert takes == words("xe5")  # taking and returning would leave them facing


def test_6_1_on_a_diagonal_they_do_not_face() -> None:
    b = board("""
          d e f k
        6 . . c i
        5 . . . i
        4 C . . I
        1 . . . I
    """)
    assert not b.is_check()


# 6.2


def test_6_2_a_commander_neither_enters_nor_passes_a_facing_point() -> None:
    b = board("""
           d e f g
        8  . . . c
        1  C . . .
    """)
    assert goes(b, "Cd1") == words("c1 e1 f1", "d2 d3 d4 d5 d6 d7")


def test_6_2_carried_he_may_pass() -> None:
    b = board("""
           d    e f g
        8  .    . . c
        7  (TC) . . .
    """)
    assert goes(b, "(TC)d7") == words("d9 d6 d5 c7 e7 f7")  # d8 is passed, not entered


def test_6_2_the_rest_of_his_stack_may_screen() -> None:
    stack = board("""
           e
        8  c
        3  (TC)
    """)
    assert words("e2 e1") <= goes(stack, "Ce3>")
    assert not words("e4 e5 e6 e7") & goes(stack, "Ce3>")
    alone = board("""
           e
        8  c
        3  C
    """)
    assert goes(alone, "Ce3") == words("xe8", "c3 d3 f3 g3 h3 i3 j3 k3")


def test_6_2_holds_for_captures_by_replacing_and_for_boarding() -> None:
    b = board("""
           c d e f g
        8  . i . . c
        7  T C . . .
    """)
    assert "xd8" not in goes(b, "Cd7")
    boards = board("""
           c d e f g
        8  . T . . c
        7  . C . . .
    """)
    assert "&d8" not in goes(boards, "Cd7")
    assert "&d7" in goes(boards, "Td8")


def test_6_2_a_screened_point_may_be_entered() -> None:
    b = board("""
           c d e f g k
        8  . i . h c .
        7  T C . . . i
    """)
    assert "xd8" in goes(b, "Cd7")


def test_6_2_does_not_hold_for_stay_captures() -> None:
    b = board("""
           b    c k
        10 (nc) . i
         7 n    C .
         1 .    . I
    """)
    assert "_b7" in goes(b, "Cc7")  # b7 is in line with the other Commander, c7 is not


def test_6_2_nor_for_breaches() -> None:
    b = board("""
           d  e f    k
        12 .  . (hc) i
        11 .  . .    i
        10 +C . .    .
         1 .  . .    I
    """)
    assert "_f12" in goes(b, "+Cd10")
    beside = board("""
           e    k
        12 (hc) i
        11 C    i
         1 .    I
    """)
    # Breaching would leave them facing (6.1); he takes him instead (6.3).
    assert {text for text in goes(beside, "Ce11") if text[0] in "x_"} == words("xe12")


# 6.3


def test_6_3_a_facing_commander_takes_at_any_distance() -> None:
    b = board("""
           e
        12 c
         1 C
    """)
    assert "xe12" in goes(b, "Ce1")
    b.push_lan("Ce1xe12")
    assert (b.outcome().winner, b.outcome().reason) == (RED, Reason.COMMANDER_TAKEN)
    blue = board("""
           e
        12 c
         1 C
    """, "b")  # fmt: skip
    assert "xe1" in goes(blue, "Ce12")


def test_6_3_also_out_of_a_stack_as_a_deploy_step() -> None:
    b = board("""
           e
        12 c
         1 (TC)
    """)
    assert "xe12" in goes(b, "Ce1>")


def test_6_3_by_staying_where_he_cannot_stand() -> None:
    b = board("""
          a    b c d e
        5 (nc) . . . C
    """)
    assert "_a5" in goes(b, "Ce5")
    assert after(b, "Ce5_a5") == fen("""
          e
        5 C
    """, "b")  # fmt: skip


def test_6_3_the_target_stack_is_taken_whole_shelter_or_not() -> None:
    b = board("""
           e
        12 (hc)
         1 C
    """)
    assert after(b, "Ce1xe12") == fen("""
           e
        12 C
    """, "b")  # fmt: skip


def test_6_3_in_mid_deployment_the_line_may_open() -> None:
    """The tank leaves the line, the Infantry stays on it: legal only because it does."""
    b = board("""
           d e    f k
        12 . c    . i
        11 . .    . i
         5 . (TI) . .
         1 . C    . I
    """)
    b = then(b, "Ie5>d5")
    assert "e5<" in lans(b)
    assert goes(b, "Te5>") == words("e4 e3 e6 e7")


# 6.4


def test_6_4_check_by_a_piece_that_could_take() -> None:
    b = board("""
           d e k
        12 c . i
        10 T . i
         1 . C I
    """, "b")  # fmt: skip
    assert b.is_check()
    assert [(s.name, k.letter) for s, k in b.attackers(RED, "d12")] == [("d10", "T")]


def test_6_4_carried_pieces_attack_too() -> None:
    b = board("""
           c d     e k
         6 . .     . i
         4 . .     c i
         3 . (F+I) . .
         1 C .     . I
    """, "b")  # fmt: skip
    attackers = {kind.letter for _, kind in b.attackers(RED, "e4")}
    assert attackers == {"F", "I"}  # the heroic Infantry goes diagonally


def test_6_4_exchanges_count() -> None:
    b = board("""
           d e f g k
        12 . . . . i
         7 . . . g .
         6 . . . c .
         3 . . . F .
         1 C . . . I
    """, "b")  # fmt: skip
    assert b.is_check()  # g6 is covered by the gun: the aircraft would go down with him


def test_6_4_a_flight_that_does_not_exist_is_no_attack() -> None:
    b = board("""
           d e f g k
        12 . . . . i
         6 . . . c .
         4 . . g . .
         3 . . . F .
         1 C . . . I
    """, "b")  # fmt: skip
    assert not b.is_check()  # the gun on f4 hits it on g4 and does not cover g6


def test_6_4_facing_counts_as_being_attacked() -> None:
    """[R] this side of the line, shelter or not."""
    for him in ("c", "(hc)"):
        b = board(f"""
               e     k
            12 {him} i
             1 C     I
        """, "b")  # fmt: skip
        assert b.is_check()
        assert [(s.name, k.letter) for s, k in b.attackers(RED, "e12")] == [("e1", "C")]


def test_6_4_a_screen_ends_it() -> None:
    """[R] the other side."""
    b = board("""
           e k
        12 c i
         5 i .
         1 C I
    """, "b")  # fmt: skip
    assert not b.is_check()


def test_6_4_the_attacker_s_own_pins_do_not_matter() -> None:
    b = board("""
          f g h k
        5 C T t .
        4 . . . i
        3 . c . .
        1 . . . I
    """, "b")  # fmt: skip
    assert b.is_check()  # leaving g5 would expose f5 to the tank of h5; it attacks g3 all the same


def test_6_4_companions_do_not_matter() -> None:
    """5.3 keeps an aircraft with its Commander from exchanging; the aircraft alone attacks."""
    b = board("""
           d    e f k
        12 .    . . i
         7 .    . G .
         6 .    . C .
         4 (fc) . . .
         1 .    . . I
    """)
    assert [(s.name, k.letter) for s, k in b.attackers(BLUE, "f6")] == [("d4", "F")]
    assert b.is_check()


def test_6_4_in_mid_deployment_check_is_asked_of_the_board_as_it_stands() -> None:
    b = board("""
           e f    g k
        12 c .    . i
         4 . t    . i
         3 . (TI) . .
         2 . C    . I
    """)
    assert not b.is_check()
    b = then(b, "Tf3>xf4")
    assert not b.is_check()
    c = board("""
           e f    g k
        12 c .    . i
         4 . t    . i
         3 . (TI) . .
         2 . C    . I
    """)
    c = then(c, "If3>g3")
    assert not c.is_check()  # the tank still stands between
    assert goes(c, "Tf3>") == words("xf4")


# 6.5


def test_6_5_a_turn_may_not_leave_the_own_commander_attacked() -> None:
    b = board("""
           e f g k
        12 c . . i
         4 . t . i
         3 . I . .
         2 . C . I
    """)
    assert goes(b, "If3") == words("xf4")  # pinned, but the pinning tank may be taken
    assert {text for text in lans(b) if text.startswith("C")} == words(
        "Cf2f1 Cf2g2 Cf2h2 Cf2i2 Cf2j2"  # west of f he would pass e2, facing e12
    )


def test_6_5_check_must_be_answered() -> None:
    b = board("""
           e f g k
        12 c . . i
         4 . t . i
         2 . C . I
    """)
    # Nothing can come between or take the tank: he must go.
    assert lans(b) == words("Cf2f1 Cf2g2 Cf2h2 Cf2i2 Cf2j2")


def test_6_5_is_judged_after_heroes_are_made() -> None:
    """The gun that reaches f6 attacks f7: as a hero it covers f4 and stops the aircraft of h4."""
    b = board("""
           d e f g h k
        12 . . . . . i
         7 . . c . . i
         6 . G . . . .
         4 C . . . f .
         1 . . . . . I
    """)
    assert b.is_check()
    assert goes(b, "Ge6") == words("f6 e5")  # on e5 its plain ring is enough; d6 does not help

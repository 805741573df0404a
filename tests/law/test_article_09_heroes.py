"""§9 Heroes."""

from __future__ import annotations

from picture import after, board, fen, goes, then, words

# 9.1


def test_9_1_who_attacks_the_enemy_commander_becomes_heroic() -> None:
    b = board("""
           d e k
        12 c . i
        11 . . i
         9 . T .
         1 . C I
    """)
    assert after(b, "Te9e10") == fen("""
           d e k
        12 c . i
        11 . . i
        10 . T .
         1 . C I
    """, "b", 1)  # fmt: skip
    assert after(b, "Te9d9") == fen("""
           d e k
        12 c . i
        11 . . i
         9 T . .
         1 . C I
    """, "b", 1)  # fmt: skip
    near = board("""
           d e k
        12 c . i
        11 . . i
        10 . T .
         1 . C I
    """)
    assert after(near, "Te10d10") == fen("""
           d  e k
        12 c  . i
        11 .  . i
        10 +T . .
         1 .  C I
    """, "b", 1)  # fmt: skip


def test_9_1_each_piece_that_attacks_not_only_the_one_that_moved() -> None:
    b = board("""
           d e k
        12 c . i
        11 I . i
        10 T . .
         1 . C I
    """)
    # The Infantry steps aside and attacks no longer; the tank behind it does.
    assert after(b, "Id11e11") == fen("""
           d  e k
        12 c  . i
        11 .  I i
        10 +T . .
         1 .  C I
    """, "b", 1)  # fmt: skip


def test_9_1_carried_or_not() -> None:
    near = board("""
           d    e k
        12 c    . i
        10 (TI) . i
         1 .    C I
    """)
    assert after(near, "(TI)d10d11") == fen("""
           d      e k
        12 c      . i
        11 (+T+I) . .
        10 .      . i
         1 .      C I
    """, "b", 1)  # fmt: skip
    far = board("""
           d    e k
        12 c    . i
         9 (TI) . i
         1 .    C I
    """)
    assert after(far, "(TI)d9d10") == fen("""
           d     e k
        12 c     . i
        10 (+TI) . .
         9 .     . i
         1 .     C I
    """, "b", 1)  # fmt: skip


def test_9_1_a_possible_exchange_is_an_attack() -> None:
    b = board("""
           f g k
        12 g c i
         6 . F .
         1 C . I
    """)
    assert str(then(b, "Fg6g8").stack_at("g8")) == "+F"


def test_9_1_the_sheltered_commander_makes_no_heroes_of_direct_fire() -> None:
    b = board("""
           d    e k
        12 (hc) . i
        10 .    T .
         1 .    C I
    """)
    assert str(then(b, "Te10d10").stack_at("d10")) == "T"


def test_9_1_only_the_mover_s_pieces() -> None:
    """Blue's tank attacks d4 through Red's own set-up; it is Red's turn that ends."""
    b = board("""
           d e f k
        12 . . c i
         6 . . . i
         4 C . t .
         1 . I . I
    """)
    assert b.is_check()
    answered = then(b, "Cd4d5")
    assert str(answered.stack_at("f4")) == "t"


def test_9_1_for_good() -> None:
    b = board("""
           d  e k
        12 c  . i
        11 .  . i
        10 +T . .
         1 .  C I
    """)
    b = then(b, "+Td10d7")
    assert str(b.stack_at("d7")) == "+T"


def test_9_1_at_the_end_of_the_turn_not_after_a_step() -> None:
    b = board("""
           c     d e k
        12 .     c . i
        10 (NFT) . . i
         1 .     . C I
    """)
    b = then(b, "Tc10>d10")
    assert str(b.stack_at("d10")) == "T"
    assert str(then(b, "c10<").stack_at("d10")) == "+T"


# 9.2


def test_9_2_the_last_guard() -> None:
    b = board("""
           d e f k
        12 c . . i
        11 . . . i
         5 . I . .
         1 . C . .
    """)
    assert after(b, "Ie5e6") == fen("""
           d e  f k
        12 c .  . i
        11 . .  . i
         6 . +I . .
         1 . C  . .
    """, "b", 1)  # fmt: skip


def test_9_2_two_guards_are_none() -> None:
    b = board("""
           d e f k
        12 c . . i
        11 . . . i
         5 . I . .
         1 . C . H
    """)
    assert str(then(b, "Ie5e6").stack_at("e6")) == "I"


def test_9_2_of_either_side_at_the_end_of_any_turn() -> None:
    b = board("""
           d e f k
        12 c . . i
         6 . i . .
         5 . I . .
         1 . C . I
    """)
    taken = then(b, "Ie5xe6")
    assert str(taken.stack_at("k12")) == "+i"  # Blue's, though Red moved


def test_9_2_carried_ones_and_headquarters_count_also_with_the_commander() -> None:
    drawing = """
           d e     f k
        12 c .     . i
        11 . .     . i
         1 . {him} . .
    """
    tank = board(drawing.format(him="(TC)"))
    assert str(then(tank, "(TC)e1e2").stack_at("e2")) == "(+TC)"
    house = board(drawing.format(him="(HC)"), "b")
    assert str(then(house, "Ik11k10").stack_at("e1")) == "(+HC)"


def test_9_2_reading_a_fen_makes_no_heroes() -> None:
    text = fen("""
           d e f
        12 c . h
         5 . I .
         1 . C .
    """)
    b = board("""
           d e f
        12 c . h
         5 . I .
         1 . C .
    """)
    assert b.fen() == text
    assert goes(b, "Ie5") == words("e6 e4 d5 f5")

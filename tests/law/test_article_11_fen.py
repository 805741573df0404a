"""§11 FEN."""

from __future__ import annotations

import pytest
from picture import board, fen, goes, lans, then, words

from cotulenh import RED, Board, ParseError, PositionError

EMPTY = "11/11/11/11/11/11/11/11/11/11/11/11"
REST = " r - - 0 1"


# 11.1


@pytest.mark.parametrize(
    "text",
    [
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/"
        "1N2FH1HF2/6C4 r - - 0 1",
        "11/11/1(+n+ft)9/11/11/11/11/11/11/1(N+FF)9/11/11 b - - 17 203",
        f"{EMPTY} r - - 999 999",
        f"10T/10t/{EMPTY[6:]} b - - 0 1",
    ],
)
def test_11_1_a_fen_is_written_as_it_was_read(text: str) -> None:
    assert Board(text).fen() == text


def test_11_1_a_drawing_and_its_fen() -> None:
    text = fen("""
           a b       c  k
        12 n .       .  t
         5 . (+n+ft) +T .
         1 . (N+FF)  .  I
    """)
    assert text == "n9t/11/11/11/11/11/11/1(+n+ft)+T8/11/11/11/1(N+FF)8I r - - 0 1"
    assert Board(text).fen() == text


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("(TFN)", "(NFT)"),
        ("(IF)", "(FI)"),
        ("(NF+F)", "(N+FF)"),
        ("(AE)", "(EA)"),
        ("(CH)", "(HC)"),
    ],
)
def test_11_1_stacks_are_written_in_order(given: str, written: str) -> None:
    b = Board(f"2{given}8/{EMPTY[3:]}{REST}")
    assert b.fen() == f"2{written}8/{EMPTY[3:]}{REST}"


def test_11_1_fullmove_grows_after_blue_s_turn() -> None:
    b = Board()
    counters = [b.fullmove_number]
    for lan in ("Mg5g6", "Mg8g7", "Mg6f6"):
        b.push_lan(lan)
        counters.append(b.fullmove_number)
    assert counters == [1, 1, 2, 2]


def test_11_1_halfmove_counts_turns_and_falls_on_a_take() -> None:
    b = board("""
          f g
        8 . m
        6 M .
    """, clock=5)  # fmt: skip
    b.push_lan("Mf6f7")
    assert b.halfmove_clock == 6
    b.push_lan("Mg8xf7")
    assert b.halfmove_clock == 0


def test_11_1_halfmove_in_a_deployment() -> None:
    """The first step adds 1, a taking step sets 0, later quiet steps and the commit leave it."""
    b = board("""
          c     d e
        3 (NFT) . i
    """, clock=5)  # fmt: skip
    quiet = then(b, "Fc3>f6")
    assert quiet.halfmove_clock == 6
    assert then(quiet, "Tc3>d3").halfmove_clock == 6
    assert then(quiet, "c3<").halfmove_clock == 6
    assert then(quiet, "Tc3>xe3").halfmove_clock == 0
    assert then(quiet, "Tc3>xe3", "c3<").halfmove_clock == 0
    first = then(b, "Tc3>xe3")
    assert first.halfmove_clock == 0
    assert then(first, "Fc3>f6").halfmove_clock == 0


# 11.2


def test_11_2_the_seventh_field_names_what_may_still_move() -> None:
    b = then(board("c\n3 (N+FT)"), "Tc3>d3")
    assert b.fen() == fen("""
          c     d
        3 (N+F) T
    """, "r", 1, 1, "c3:N+F")  # fmt: skip


def test_11_2_upper_case_for_both_sides() -> None:
    b = then(board("c\n9 (n+ft)", "b"), "Tc9>d9")
    assert b.fen().endswith(" b - - 1 1 c9:N+F")


def test_11_2_the_order_is_n_f_t_e_h_c_i_m_a_g_s() -> None:
    text = fen("c\n3 (NFC)", deploying="c3:CFN")
    assert Board(text).fen().endswith("c3:NFC")


def test_11_2_the_origin_is_exempt_from_standing_and_from_valid_stacks() -> None:
    tank = board("b\n3 T", deploying="b3:T")
    assert lans(tank) == words("Tb3>c3 Tb3>d3")
    with pytest.raises(PositionError):
        board("b\n3 T")
    pair = board("c\n3 (+F+F)", deploying="c3:+F")
    assert words("d3 c4") <= goes(pair, "+Fc3>")
    with pytest.raises(PositionError):
        board("c\n3 (+F+F)")


def test_11_2_without_it_no_deployment_is_under_way() -> None:
    b = board("c\n3 (NF)")
    assert b.deployment is None
    assert "c3<" not in lans(b)


def test_11_2_reading_a_fen_back_gives_exactly_the_same_moves() -> None:
    b = board("""
          b c     d e f
        5 . .     g . i
        3 n (NFT) . i .
    """)
    for steps in (("Tc3>xe3",), ("Nc3>_e3",), ("Fc3>g3", "Tc3>d3")):
        mid = then(b, *steps)
        assert mid.deployment is not None
        again = Board(mid.fen())
        assert lans(again) == lans(mid)
        assert again == mid
        assert again.deployment.remaining == mid.deployment.remaining
        assert again.deployment.origin.name == "c3"
        assert again.deployment.color is RED


# 11.3


@pytest.mark.parametrize(
    ("text", "offset", "reason"),
    [
        ("", 0, "few"),
        ("11/11", 5, "ranks"),
        (f"{EMPTY}/11{REST}", 35, "ranks"),
        (f"12{EMPTY[2:]}{REST}", 0, "run"),
        (f"10{EMPTY[2:]}{REST}", 2, "few"),
        (f"11T{EMPTY[2:]}{REST}", 2, "many"),
        (f"0T{EMPTY[2:]}{REST}", 0, "run"),
        (f"X10{EMPTY[2:]}{REST}", 0, "unknown"),
        (f"1ø9{EMPTY[2:]}{REST}", 1, "unknown"),
        (f"+10{EMPTY[2:]}{REST}", 0, "+"),
        (f"++T10{EMPTY[2:]}{REST}", 0, "+"),
        (f"(N(F))10{EMPTY[2:]}{REST}", 2, "inside"),
        (f"()10{EMPTY[2:]}{REST}", 0, "empty"),
        (f"(N)10{EMPTY[2:]}{REST}", 0, "one"),
        (f"(NF{EMPTY[2:]}{REST}", 3, ""),
        (f"2(Nf)8{EMPTY[2:]}{REST}", 1, "colour"),
        (f"{EMPTY} w - - 0 1", 36, "side"),
        (f"{EMPTY} R - - 0 1", 36, "side"),
        (f"{EMPTY} r KQ - 0 1", 38, "-"),
        (f"{EMPTY} r - - x 1", 42, "halfmove"),
        (f"{EMPTY} r - - -1 1", 42, "halfmove"),
        (f"{EMPTY} r - - 0 0", 44, "fullmove"),
        (f"{EMPTY} r - - 0", 43, ""),
        (f"{EMPTY} r - - 0 99999999999999999999", 44, "fullmove"),
        (f"{EMPTY} r - - 0 1 c3:N x", 46, ""),
        (f"{EMPTY} r - - 0 1 c0:N", 46, "origin"),
        (f"{EMPTY} r - - 0 1 c13:N", 46, "origin"),
        (f"{EMPTY} r - - 0 1 c:N", 46, "origin"),
    ],
)
def test_11_3_bad_texts_are_refused_with_reason_and_place(
    text: str, offset: int, reason: str
) -> None:
    with pytest.raises((ParseError, PositionError)) as refused:
        Board(text)
    assert refused.value.offset == offset
    assert reason in refused.value.reason


@pytest.mark.parametrize(
    ("drawing", "problem"),
    [
        ("c\n3 (TF+N+T)", "invalid_stack"),
        ("c\n3 (TT)", "invalid_stack"),
        ("c\n3 (CI)", "invalid_stack"),
        ("a\n3 T", "cannot_stand"),
        ("d\n3 N", "cannot_stand"),
        ("a\n3 (FT)", "cannot_stand"),
        ("d e\n3 C C", "too_many_commanders"),
        ("d e\n3 c (tc)", "too_many_commanders"),
    ],
)
def test_11_3_impossible_positions_are_refused(drawing: str, problem: str) -> None:
    with pytest.raises(PositionError) as refused:
        board(drawing)
    assert problem in refused.value.problems
    assert refused.value.offset is not None


@pytest.mark.parametrize(
    "field", ["c3", "c3:", "z3:N", "c13:N", "c3:T", "c3:NFF", "c4:N", "c3:n", "c3:X", "d9:T", "-"]
)
def test_11_3_bad_deployment_fields_are_refused(field: str) -> None:
    with pytest.raises(PositionError) as refused:
        board("c d\n3 (NF) .\n9 . t", deploying=field)
    assert refused.value.problems == {"bad_deployment"}


@pytest.mark.parametrize("letter", "NFTEHIMAGS")
def test_11_3_more_pieces_of_a_kind_than_the_start_has_are_named(letter: str) -> None:
    """1.2 says how many there are."""
    most = Board().fen().split()[0].count(letter)
    for count in (most, most + 1):
        rows = "\n".join(f"{rank} {letter} . ." for rank in range(2, 2 + count))
        b = board(f"c f g\n12 . c .\n{rows}\n1 . . C")
        assert b.problems == ({"too_many_pieces"} if count > most else frozenset())


def test_11_3_odd_positions_are_accepted_and_named() -> None:
    none = Board(EMPTY + REST)
    assert none.problems == {"missing_commander"}
    assert lans(none) == set()
    crowd = board("c d e f g\n3 T T T . C\n12 c . . . .")
    assert crowd.problems == {"too_many_pieces"}
    check = board("d e\n12 c .\n10 T .\n1 . C")
    assert check.problems == {"opponent_in_check"}
    assert check.mirror().problems == {"opponent_in_check"}
    assert Board().problems == frozenset()


@pytest.mark.parametrize("start", [f"{EMPTY}{REST}", f"2(NF)8/{EMPTY[3:]} r - - 12 34 c12:F"])
def test_11_3_every_beginning_of_a_fen_is_refused_where_it_ends(start: str) -> None:
    """Unless it is a FEN by itself: with fewer digits, or without the deployment."""
    for end in range(len(start)):
        text = start[:end]
        if len(text.split()) == 6 and text[-1] != "-":
            assert Board(text).fen() == text.strip()
            continue
        with pytest.raises((ParseError, PositionError)) as refused:
            Board(text)
        assert refused.value.offset <= end, text


def test_11_3_nothing_follows_the_last_field() -> None:
    start = f"2(NF)8/{EMPTY[3:]} r - - 0 1 c12:F"
    assert Board(f"{start}  ").fen() == start
    with pytest.raises(ParseError, match="text after the last field") as refused:
        Board(f"{start} x")
    assert refused.value.offset == len(start) + 1


@pytest.mark.parametrize(
    "drawing", ["a b\n3 T I", "a\n9 T\n3 I"], ids=["on one rank", "on two ranks"]
)
def test_11_3_of_several_problems_the_first_in_the_text_is_described(drawing: str) -> None:
    with pytest.raises(PositionError, match=r"a\d: T cannot stand there"):
        board(drawing)


def test_11_3_only_who_took_the_commander_may_have_left_what_cannot_stay() -> None:
    """4.5: such a step ends the game at once; the other side's stacks have no such excuse."""
    assert board("a d\n12 . c\n3 t .").outcome().winner.name == "BLUE"
    with pytest.raises(PositionError, match="cannot stand"):
        board("a d\n12 . c\n3 T .")

"""The notes on runtime state and logic: each statement has a test that cites it.

They cover FEN generation from bitboards, attack detection, and deploy sessions. What the notes say
in the words of an implementation is asked here of what a user sees.
"""

from __future__ import annotations

import random

import pytest
from picture import board, fen, goes, lans, then, words
from positions import random_fen

from cotulenh import BLUE, RED, Board, IllegalMoveError, Kind, Rules, Square

FULL = """
      c     f k
    9 .     . i
    3 (NFT) . I
"""


def mid() -> Board:
    """After one step of three: the Air Force has left."""
    return then(board(FULL), "Fc3>f6")


# 1. FEN generation from bitboards


def test_fen_order_rank_12_down_to_1_file_a_to_k() -> None:
    """“in FEN order (rank 12 down to 1, file 'a' to 'k')”"""
    b = board("""
           a b k
        12 n . t
         1 N . T
    """)
    assert b.fen().split()[0] == "n9t/11/11/11/11/11/11/11/11/11/11/N9T"


def test_fen_empty_square_counter() -> None:
    """“If no pieces are on the square, increment empty_square_counter"; flushed before a piece"""
    rows = board("""
          c f k
        5 T I M
        4 . T .
    """).fen().split()[0].split("/")  # fmt: skip
    assert rows[7] == "2T2I4M"
    assert rows[8] == "5T5"


def test_fen_the_counter_is_flushed_at_the_end_of_a_rank_and_slashes_part_ranks() -> None:
    """“flush any remaining empty_square_counter value and append a / separator”"""
    placement = board("c\n1 T").fen().split()[0]
    assert placement.endswith("/2T8")
    assert placement.count("/") == 11
    assert placement.startswith("11/11/")


def test_fen_formats_pieces_heroes_and_stacks() -> None:
    """“Format the found piece(s) into the correct FEN notation (e.g., T, +n, or (NTF))”;

    of the passengers' order 11.1 has the last word: F before T.
    """
    b = board("""
          a  c     f
        5 +n (NTF) T
    """)
    assert b.fen().split()[0].split("/")[7] == "+n1(NFT)2T5"


def test_fen_agrees_with_the_bitboards_of_every_piece() -> None:
    """“what piece or stack occupies it by checking all the piece-specific bitboards”"""
    rng = random.Random("notes on FEN")
    for _ in range(20):
        b = Board(random_fen(rng, "official"))
        for color in (RED, BLUE):
            for kind in b.rules.kinds:
                named = {
                    square
                    for square in b.occupied(color)
                    if any(piece.kind is kind for piece in b.stack_at(square).pieces)
                }
                assert set(b.pieces(kind, color)) == named


def test_fen_full_text_adds_the_state_kept_apart() -> None:
    """“Combine the piece-placement string with the other game state variables”"""
    b = board(FULL, "b", 7, 31)
    assert b.fen().split(" ", 1)[1] == "b - - 7 31"


# 2. Attack detection


def test_attack_detection_is_reverse_and_does_not_generate_moves() -> None:
    """“the engine uses a reverse attack method with pre-computed tables”: the same answer for the
    side that is not to move, which has no moves to generate.
    """
    b = board("""
           d e k
        12 c . i
        10 T . .
         1 . C I
    """)
    assert b.turn is RED
    for turn in ("r", "b"):
        again = Board(b.fen().replace(" r ", f" {turn} "))
        assert [(s.name, k) for s, k in again.attackers(RED, "d12")] == [("d10", Kind("T"))]


def test_attack_sliding_blockers_are_isolated() -> None:
    """“find all pieces that could possibly block an attack on that square" (the notes' e8)"""
    open_line = board("e\n8 i\n6 T")
    assert [(s.name, k.letter) for s, k in open_line.attackers(RED, "e8")] == [("e6", "T")]
    blocked = board("e\n8 i\n7 H\n6 T")
    assert blocked.attackers(RED, "e8") == []


def test_attack_sliding_mask_is_every_square_a_tank_could_attack_from() -> None:
    """“This mask represents every square from which a Red Tank could attack e8”"""
    tables = Rules.load("official").tables
    mask = {square.name for square in tables.magic(Kind("T"), Square("e8")).lookup(0)}
    assert mask == words("e9 e10 e7 e6 d8 c8 f8 g8")
    for name in mask:
        file, rank = name[0], name[1:]
        cells = f"{file}\n{rank} T\n8 i" if file == "e" else f"e {file}\n8 i T"
        assert [s.name for s, _ in board(cells).attackers(RED, "e8")] == [name]


def test_attack_find_attackers_by_the_bitboard_of_actual_pieces() -> None:
    """“Perform a bitwise AND between this attack_mask and the bitboard of actual Red Tanks”"""
    b = board("""
          e f g
        8 i . T
        7 . T .
        6 T . .
    """)
    tables = b.rules.tables
    mask = tables.magic(Kind("T"), Square("e8")).lookup(int(b.occupied()))
    found = {square.name for square in mask & b.pieces(Kind("T"), RED)}
    assert found == {s.name for s, _ in b.attackers(RED, "e8")} == words("e6 g8")


def test_attack_non_sliding_patterns() -> None:
    """“This pattern has bits set on all adjacent squares" (an Infantry's: the four beside it)"""
    tables = Rules.load("official").tables
    assert {s.name for s in tables.reach(Kind("I"), Square("e8"))} == words("e9 e7 d8 f8")
    b = board("e\n8 t\n7 I")
    assert [(s.name, k.letter) for s, k in b.attackers(RED, "e8")] == [("e7", "I")]


# 3. Deploy sessions: the state object


def test_deploy_state_object() -> None:
    """“originSquare, deployingColor, originalStack, deployCommands”"""
    b = then(mid(), "Tc3>d3")
    state = b.deployment
    assert state.origin == Square("c3")
    assert state.color is RED
    assert str(state.stack) == "(NFT)"
    assert [move.lan() for move in state.steps] == ["Fc3>f6", "Tc3>d3"]
    assert [str(piece) for piece in state.remaining] == ["N"]


def test_deploy_state_is_absent_outside_a_session() -> None:
    """“A special DeployState object is used … when a deploy session is active”"""
    assert board(FULL).deployment is None
    assert then(mid(), "c3<").deployment is None


# move() and move generation


def test_move_only_the_remaining_pieces_move_from_the_origin() -> None:
    """“The only legal moves are for the remainingPieces to move from the originSquare”"""
    b = mid()
    assert all(move.from_square == Square("c3") for move in b.legal_moves)
    letters = {piece.kind.letter for move in b.legal_moves for piece in move.pieces}
    assert letters == {"N", "T"}
    with pytest.raises(IllegalMoveError):
        b.push_lan("Ik3k4")


def test_move_otherwise_generation_is_normal() -> None:
    """“Otherwise, it generates moves normally”"""
    b = board(FULL)
    assert goes(b, "Ik3") == words("k4 k2 j3")
    assert "(NFT)c3c4" in lans(b)


# turn() and turn changes


def test_turn_does_not_change_between_steps() -> None:
    """“The turn does not change between deploy steps”"""
    b = board(FULL)
    for step in ("Fc3>f6", "Tc3>d3"):
        b.push_lan(step)
        assert b.turn is RED


def test_turn_switches_when_all_pieces_are_accounted_for() -> None:
    """“The turn is only switched when the session is detected to be complete”"""
    assert then(mid(), "Tc3>d3", "Nc3>c4").turn is BLUE  # all have moved
    assert then(mid(), "c3<").turn is BLUE  # the rest stays


def test_turn_returns_the_deploying_color() -> None:
    """“The turn() function returns the deployingColor from the state object”"""
    b = mid()
    assert b.turn is b.deployment.color
    blue = then(board("c k\n9 (nft) .\n3 . I", "b"), "Fc9>f6")
    assert blue.turn is blue.deployment.color is BLUE


# fen()


def test_fen_updates_after_each_step() -> None:
    """“The FEN string updates after each deploy step to reflect the new board state”"""
    b = mid()
    assert b.fen() == fen("""
          c    f k
        9 .    . i
        6 .    F .
        3 (NT) . I
    """, "r", 1, 1, "c3:NT")  # fmt: skip
    b.push_lan("Tc3>d3")
    assert b.fen() == fen("""
          c d f k
        9 . . . i
        6 . . F .
        3 N T . I
    """, "r", 1, 1, "c3:N")  # fmt: skip


def test_fen_active_colour_is_the_deploying_player_s() -> None:
    """“The active color field in the FEN is supplied by the turn() function”"""
    assert mid().fen().split()[1] == "r"


# isCheck()


CHECKED = """
       d e f    k
    12 c . .    i
     6 . . t    i
     5 . . (TI) .
     4 . . C    I
"""


def test_is_check_looks_at_the_board_after_each_step() -> None:
    """“Works normally, checking the board state after each deploy step”"""
    b = board("""
           d e    f k
        12 . c    . i
        11 . .    . i
         5 . (TC) . .
         1 . .    . I
    """)
    assert b.is_check()  # facing
    b.push_lan("Te5>e6")  # between them
    assert not b.is_check()
    b.undo()
    b.push_lan("Te5>d5")
    assert b.is_check()


def test_is_check_the_filter_never_leaves_the_own_commander_in_check() -> None:
    """“ensure a player cannot make a deploy move that leaves their own Commander in check”"""
    b = board(CHECKED)
    b.push_lan("Tf5>g5")
    assert goes(b, "If5>") == words("xf6")
    assert not then(b, "f5<").copy().attackers(BLUE, "f4")


# history()


def test_history_is_not_updated_until_the_session_is_complete() -> None:
    """“The main game history is not updated until the entire deploy session is complete”"""
    b = board(FULL)
    for step in ("Fc3>f6", "Tc3>d3"):
        b.push_lan(step)
        assert b.history() == []


def test_history_steps_are_kept_in_the_state() -> None:
    """“Individual deploy steps are stored temporarily in _deployState.deployCommands”"""
    assert [move.lan() for move in mid().deployment.steps] == ["Fc3>f6"]


def test_history_gets_one_consolidated_move() -> None:
    """“Once the session ends, a single, consolidated DeployMove is pushed to the main history”"""
    b = then(mid(), "Tc3>d3", "c3<")
    assert b.history() == ["N<F>f6,T>d3"]
    assert b.history("lan") == ["N<Fc3>f6,Tc3>d3"]


# undo()


def test_undo_in_a_session_reverts_the_last_step_only() -> None:
    """“While a deploy session is active, undo() reverts only the last deploy step”"""
    b = mid()
    before = b._state()
    b.push_lan("Tc3>d3")
    b.undo()
    assert b._state() == before
    assert len(b.deployment.steps) == 1


def test_undo_of_the_only_step_ends_the_session() -> None:
    """“If this empties the command list, _deployState is set to null, ending the session”"""
    b = mid()
    b.undo()
    assert b.deployment is None
    assert b.fen() == board(FULL).fen()


def test_undo_otherwise_reverts_the_entire_turn() -> None:
    """“If _deployState is null: undo() pops the last command … reverting the entire turn”"""
    b = then(mid(), "Tc3>d3", "Nc3>c4", "Ik9k8")
    b.undo()
    assert b.history() == ["F>f6,T>d3,N>c4"]
    b.undo()
    assert b.fen() == board(FULL).fen()
    assert b.history() == []

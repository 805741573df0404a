"""What the engine says of positions and games: one depth, its states, whole turns, accuracy."""

import pytest

from cotulenh.games import new_board
from cotulenh.web.review import review
from cotulenh.web.think import analysis

STACK = "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1"


def reviewed(player, **ask):
    one = player()
    one.send("review", id=4, seconds=0.05, **ask)
    turns = []
    while True:
        found = one.hear("judged", "reviewed", "refused", timeout=60)
        if found["t"] != "judged":
            return turns, found
        turns.append(found)


def test_a_review_sums_up_both_sides(player):
    moves = ["e2e4", "e7e5", "d1h5", "b8c6", "h5e5", "c6e5"]
    turns, end = reviewed(player, variant="chess", moves=moves)
    assert [turn["turn"] for turn in turns] == list(range(7))
    assert turns[5]["mark"] == "??"
    assert turns[5]["san"] == "Qxe5+"
    assert turns[5]["best_moves"]
    assert turns[5]["better"][0]["code"] in ("move", "take")
    assert end["counts"][0][2] >= 1
    assert end["accuracy"][0] < end["accuracy"][1] <= 100


def test_a_deployment_is_one_entry(player):
    board = new_board("official", STACK)
    step = next(m for m in board.legal_moves if m.is_deploy and m.kind.name == "NORMAL")
    moves = [board.lan(step)]
    board.push(step)
    commit = next(m for m in board.legal_moves if m.kind.name == "COMMIT")
    moves.append(board.lan(commit))
    board.push(commit)
    moves.append(board.lan(board.legal_moves[0]))
    turns, end = reviewed(player, variant="official", fen=STACK, moves=moves)
    assert [turn.get("ply", 0) for turn in turns] == [0, 2, 3]
    assert end["t"] == "reviewed"


class Sent:
    """A search that keeps what it would send."""

    over, ask = False, 1

    def __init__(self, engine):
        self.engine, self.heard = engine, []

    def send(self, message):
        self.heard.append(message)


def test_a_long_game_is_reviewed_to_its_end(engine):
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 150
    search = Sent(engine)
    review(new_board("chess"), moves, 0.02)(search)
    assert search.heard[-2].turn == 600
    assert len(search.heard) == 602
    assert min(search.heard[-1].accuracy) > 90


@pytest.fixture
def engine():
    from cotulenh.engine import Engine

    with Engine(hash_mb=8) as one:
        yield one


def test_lines_are_of_one_depth(engine, monkeypatch):
    monkeypatch.setattr("cotulenh.web.think.ANALYSIS_SECONDS", 0.5)
    monkeypatch.setattr("cotulenh.web.think._PAUSE", 0.0)
    search = Sent(engine)
    analysis(new_board("official"), 3)(search)
    assert len(search.heard) > 2
    for lines in search.heard:
        assert len(lines.lines) == 3
        assert len({tuple(line.moves[:1]) for line in lines.lines}) == 3
    assert [lines.state for lines in search.heard[-2:]] == ["thinking", "finished"]
    depths = [lines.depth for lines in search.heard]
    assert depths == sorted(depths)

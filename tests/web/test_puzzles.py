"""Puzzles: judged by proof or along their line, rated by Glicko-2, with streak and history."""

import pytest

from cotulenh.engine.puzzles import Puzzle, load
from cotulenh.games import names, push_text
from cotulenh.web.glicko import Rating

DEPLOY = "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1"


@pytest.mark.parametrize("variant", names())
def test_every_line_is_legal_and_solves(variant):
    for puzzle in load(variant)[::7]:
        board = puzzle.board()
        for text in puzzle.moves():
            push_text(board, text)
        assert puzzle.judge(puzzle.moves()).verdict == "solved", puzzle.id


def test_ids_are_stable_and_differ():
    found = load("official")
    assert len({puzzle.id for puzzle in found}) == len(found)
    assert all(len(puzzle.id) == 8 for puzzle in found)


def tactic(line, goal="win"):
    return Puzzle("official", DEPLOY, goal, (len(line) + 1) // 2, line, (), 1500)


def test_a_deployment_may_be_made_in_any_order():
    board = tactic(()).board()
    steps = [m for m in board.legal_moves if m.is_deploy and m.kind.name == "NORMAL"]
    first = next(m for m in steps if len(m.pieces) == 1 and m.pieces[0].kind.letter == "F")
    board.push(first)
    other = [m for m in board.legal_moves if m.kind.name == "NORMAL"]
    second = next(m for m in other if m.pieces[0].kind.letter == "T" and len(m.pieces) == 1)
    board.push(second)
    commit = next(m for m in board.legal_moves if m.kind.name == "COMMIT")
    turn = (first.lan(), second.lan(), commit.lan())
    puzzle = tactic((turn,))
    assert puzzle.judge(turn).verdict == "solved"
    assert puzzle.judge([turn[0]]).verdict == "right"
    assert puzzle.judge([turn[1]]).verdict == "right"
    assert puzzle.judge([turn[1], turn[0], turn[2]]).verdict == "solved"
    assert puzzle.hint([turn[1]]) == turn[0]
    wrong = next(m.lan() for m in puzzle.board().legal_moves if m.lan() not in turn)
    assert puzzle.judge([wrong]).verdict == "wrong"


def test_the_answer_is_added_and_the_line_goes_on():
    fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    line = (("a1a7",), ("g8f8",), ("a7a8",))
    puzzle = Puzzle("chess", fen, "win", 2, line, (), 1500)
    judged = puzzle.judge(["a1a7"])
    assert (judged.verdict, judged.moves) == ("right", ["a1a7", "g8f8"])
    assert puzzle.hint(judged.moves) == "a7a8"
    assert puzzle.judge([*judged.moves, "a7a8"]).verdict == "solved"
    assert puzzle.judge([*judged.moves, "a7a6"]).verdict == "wrong"
    assert puzzle.judge(["a1a8"]).verdict == "solved"  # a mate is always right
    with pytest.raises(ValueError, match="legal"):
        puzzle.judge(["a1b8"])


# Ratings --------------------------------------------------------------------------------------


def test_glicko_2_as_in_the_paper():
    """Glickman's example, one game at a time: the first opponent of three."""
    after = Rating(1500, 200, 0.06).after(Rating(1400, 30, 0.06), 1.0)
    assert after.rating == pytest.approx(1563.56, abs=0.5)
    assert after.deviation == pytest.approx(175.4, abs=0.5)
    assert after.volatility == pytest.approx(0.06, abs=1e-4)


def test_a_loss_costs_and_certainty_grows():
    one, other = Rating(1500, 100, 0.06), Rating(1500, 100, 0.06)
    assert one.after(other, 0.0).rating < 1500 < one.after(other, 1.0).rating
    assert one.after(other, 0.0).deviation < 100


def solve(server, key, puzzle, moves, hint=False):
    body = {"variant": "official", "id": puzzle["id"], "moves": moves, "key": key, "hint": hint}
    return server.post("/api/puzzles", body)


def test_ratings_streak_and_history(server, key):
    puzzle = server.get("/api/puzzles/official?theme=mate1&key=" + key)
    assert "mate1" in puzzle["themes"]
    answer = next(p for p in load("official") if p.id == puzzle["id"]).moves()
    assert solve(server, key, puzzle, answer)["verdict"] == "solved"
    done = {"key": key, "variant": "official", "id": puzzle["id"], "won": True}
    rated = server.post("/api/puzzles/done", done)
    assert rated["rated"]
    assert rated["change"] > 0
    assert (rated["streak"], rated["best"]) == (1, 1)
    assert rated["puzzle_rating"] < puzzle["rating"]
    again = server.post("/api/puzzles/done", done)
    assert not again["rated"]
    assert (again["streak"], again["rating"]) == (1, rated["rating"])
    record = server.post("/api/puzzles/me", {"key": key})
    assert record["variants"]["official"]["rating"] == rated["rating"]
    assert [line["won"] for line in record["history"]] == [True, True]
    nxt = server.get("/api/puzzles/official?theme=mate1&key=" + key)
    assert nxt["id"] != puzzle["id"]


def test_the_servers_own_verdict_counts(server, key):
    puzzle = server.get("/api/puzzles/official?theme=mate2")
    wrong = next(
        move["text"]
        for move in puzzle["view"]["moves"]
        if solve(server, "k" * 20, puzzle, [move["text"]])["verdict"] == "wrong"
    )
    solve(server, key, puzzle, [wrong])
    done = {"key": key, "variant": "official", "id": puzzle["id"], "won": True}
    assert server.post("/api/puzzles/done", done)["change"] < 0


def test_a_hint_at_every_move_and_then_it_does_not_count(server, key):
    puzzle = server.get("/api/puzzles/official?theme=mate2")
    moves = []
    for _ in range(20):
        hint = solve(server, key, puzzle, moves, hint=True)["hint"]
        answer = solve(server, key, puzzle, [*moves, hint])
        moves = answer["moves"]
        if answer["verdict"] == "solved":
            break
        assert answer["verdict"] == "right"
    assert answer["verdict"] == "solved"
    done = {"key": key, "variant": "official", "id": puzzle["id"], "won": True}
    assert not server.post("/api/puzzles/done", done)["rated"]


def test_a_pack_for_the_way(server):
    pack = server.get("/api/puzzles/official/pack?n=5")
    assert len(pack) == 5
    for puzzle in pack:
        assert puzzle["line"][0]["own"]
        first = puzzle["line"][0]["move"]
        assert first in [move["text"] for move in puzzle["view"]["moves"]]


def test_nonsense_is_refused_by_name(server):
    assert server.ask("/api/puzzles/nonsense")[1]["code"] == "no_puzzles"
    assert server.ask("/api/puzzles/official?theme=nonsense")[1]["code"] == "no_puzzles"
    assert server.ask("/api/puzzles/official/zzzzzzzz")[1]["code"] == "no_such_puzzle"
    assert server.ask("/api/puzzles/official?rating=nan&n=x")[0] == 200
    assert server.get("/api/puzzles/official/themes")["all"] >= 300


def test_there_are_enough_of_every_theme():
    tactics = [p for p in load("official") if not p.proven]
    assert len(tactics) >= 2000
    assert sum(not p.proven for p in load("chess")) >= 300
    themes = {theme for p in load("official") for theme in p.themes}
    wanted = {"air", "navy", "stack", "deployment", "hero", "defence", "mate1", "mate2", "mate3"}
    assert wanted <= themes

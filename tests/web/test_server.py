"""Games over REST and sockets: moves, deployments, seats, offers, clocks."""

import gzip
import urllib.request

import pytest

STACK = "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1"


def view(server, fen=None, moves=(), variant="official"):
    return server.post("/api/position", {"variant": variant, "fen": fen, "moves": list(moves)})


# Positions as data ----------------------------------------------------------------------------


def test_the_start_as_data(server):
    found = view(server)
    assert len(found["moves"]) == 116
    assert found["pieces"]["c4"] == ["rN"]
    assert found["turn"] == 0
    assert "h3" in found["rings"][0]


@pytest.mark.parametrize("variant", ["official", "online", "blueprint", "chess"])
def test_every_variant_has_a_start_a_ground_and_moves(server, variant):
    assert view(server, variant=variant)["moves"]
    status, ground = server.ask(f"/drawn/{variant}.svg")
    assert status == 200
    assert "var(--" in ground


def test_a_deployment_as_data(server):
    found = view(server, STACK, ["Fc4>f4"])
    deployment = found["deployment"]
    assert deployment["origin"] == "c4"
    assert deployment["remaining"] == ["rN", "rT"]
    assert deployment["stack"] == ["rN", "rF", "rT"]
    assert deployment["commit"] == "c4<"
    assert found["turn"] == 0
    assert {move["from"] for move in found["moves"]} == {"c4"}
    ended = view(server, STACK, ["Fc4>f4", "c4<"])
    assert "deployment" not in ended
    assert ended["turn"] == 1
    assert len(ended["turns"]) == 1
    assert ended["stops"] == [2]


def test_an_exchange_is_marked_before_it_happens(server):
    found = view(server, "8c2/11/11/5g5/5t5/11/11/11/5F5/11/11/6C4 r - - 0 1")
    assert [m["kind"] for m in found["moves"] if m["to"] == "f8"] == ["exchange"]


def test_stay_or_replace_are_two_moves(server):
    found = view(server, "8c2/11/11/11/5t5/11/11/11/5F5/11/11/6C4 r - - 0 1")
    assert {m["kind"] for m in found["moves"] if m["to"] == "f8"} == {"capture", "stay"}


def test_taken_pieces_and_points(server):
    found = view(server, "8c2/11/11/11/5t5/11/11/11/5F5/11/11/6C4 r - - 0 1", ["Ff4xf8"])
    assert found["taken"] == [[], ["bT"]]
    assert found["points"] == [20, 0]


def test_bad_positions_and_moves_are_named(server):
    for body, code in (
        ({"fen": "nonsense r - - 0 1"}, "bad_position"),
        ({"moves": ["Mg5g9"]}, "illegal_move"),
        ({"variant": "../../etc/passwd"}, "no_such_variant"),
        ({"variant": 5}, "malformed"),
        ({"moves": ["Mg5g6"] * 3000}, "malformed"),
    ):
        status, answer = server.ask("/api/position", body)
        assert (status, answer["code"]) == (400, code)


# Games ----------------------------------------------------------------------------------------


def test_two_people_on_one_screen(server, player):
    one = player()
    game = server.new_game(one.key, mode="local")
    one.send("open", game=game, key=one.key)
    assert one.hear("game")["you"] == [0, 1]
    assert one.play("Mg5g6")["view"]["turn"] == 1
    assert one.play("Mg8g7")["view"]["turns"] == ["Mg6", "Mg7"]
    assert one.act("takeback")["moves"] == ["Mg5g6"]


def test_two_browsers_by_link(server, player):
    red = player()
    game = server.new_game(red.key, mode="link")
    red.send("open", game=game, key=red.key)
    assert red.hear("game")["seats"] == ["human", "open"]
    assert red.play("Mg5g6")["code"] == "no_opponent"
    blue = player(game)
    assert blue.state["you"] == [1]
    watcher = player(game)
    assert watcher.state["you"] == []
    assert red.play("Mg5g6")["view"]["turn"] == 1
    assert red.play("Mg6g7")["code"] == "not_your_turn"
    until(blue, lambda s: s["moves"])
    watcher.state = {"moves": ["Mg5g6"]}
    assert watcher.play("Mg8g7")["code"] == "not_your_game"
    assert blue.play("Mg8g7")["moves"] == ["Mg5g6", "Mg8g7"]


def test_a_move_is_not_played_twice(server, player):
    one = player()
    game = server.new_game(one.key, mode="local")
    one.send("open", game=game, key=one.key)
    one.hear("game")
    one.send("move", text="Mg5g6", ply=0, id=7)
    one.send("move", text="Mg5g6", ply=0, id=8)
    refused = one.hear("refused")
    assert (refused["code"], refused["id"]) == ("stale", 8)


def test_deployment_step_back_and_cancel(server, player):
    one = player()
    game = server.new_game(one.key, mode="local", fen=STACK)
    one.send("open", game=game, key=one.key)
    one.hear("game")
    one.play("Fc4>f4")
    one.play("Tc4>d4")
    one.send("back")
    assert one.hear("game")["moves"] == ["Fc4>f4"]
    one.send("back", whole=True)
    assert one.hear("game")["moves"] == []
    one.send("back")
    assert one.hear("refused")["code"] == "no_deployment"
    one.play("Fc4>f4")
    assert one.play("c4<")["view"]["turn"] == 1


def pair(server, player, **ask):
    red = player()
    game = server.new_game(red.key, mode="link", **ask)
    blue = player(game)
    red.send("open", game=game, key=red.key)
    red.hear("game")
    blue.hear("game")
    return red, blue


def until(one, test):
    while not test(one.state):
        one.hear("game")
    return one.state


def test_offers(server, player):
    red, blue = pair(server, player)
    red.play("Mg5g6")
    red.act("takeback")
    until(blue, lambda s: s.get("takeback_offer") == 0)
    blue.act("decline")
    until(red, lambda s: "takeback_offer" not in s)
    red.act("takeback")
    until(blue, lambda s: s.get("takeback_offer") == 0)
    blue.act("takeback")
    assert until(red, lambda s: not s["moves"])["view"]["turn"] == 0
    blue.act("draw")
    until(red, lambda s: s.get("draw_offer") == 1)
    red.act("draw")
    assert until(blue, lambda s: s.get("result"))["result"] == {"winner": None, "reason": "agreed"}
    red.act("rematch")
    until(blue, lambda s: s.get("rematch_offer") == 0)
    blue.act("rematch")
    fresh = until(red, lambda s: s.get("next"))["next"]
    again = player(fresh, key=red.key)
    assert again.state["you"] == [1]


def test_resigning(server, player):
    red, blue = pair(server, player)
    blue.act("resign")
    assert until(red, lambda s: s.get("result"))["result"] == {"winner": 0, "reason": "resigned"}
    assert red.play("Mg5g6")["code"] == "game_over"


def test_the_clock_ends_a_game(server, player):
    red, blue = pair(server, player, clock={"base": 1, "increment": 0}, variant="chess")
    state = red.play("e2e4")
    assert state["clock"]["running"] == 1
    assert state["clock"]["left"][0] == 1000
    ended = until(blue, lambda s: s.get("result"))
    assert ended["result"] == {"winner": 0, "reason": "time"}


def test_the_engine_answers(server, player):
    one = player()
    game = server.new_game(one.key, mode="engine", level=1, side=1)
    one.send("open", game=game, key=one.key)
    state = until_state(one, lambda s: s["view"]["turn"] == 1)
    assert len(state["moves"]) >= 1
    reply = state["view"]["moves"][0]["text"]
    one.play(reply)


def until_state(one, test):
    one.hear("game")
    return until(one, test)


def test_lines_of_an_analysis(server, player):
    one = player()
    one.send("analyse", id=3, variant="official", moves=["Mg5g6"], lines=2)
    found = one.hear("lines")
    assert found["id"] == 3
    assert 1 <= len(found["lines"]) <= 2
    assert found["lines"][0]["sans"]
    one.send("stop")


def test_a_review_marks_a_blunder(server, player):
    one = player()
    # The queen is given away on the second move.
    one.send(
        "review", id=4, variant="chess", moves=["e2e4", "e7e5", "d1h5", "b8c6", "h5e5", "c6e5"]
    )
    marks = []
    while True:
        judged = one.hear("judged")
        marks.append(judged.get("mark", ""))
        if judged["turn"] == judged["of"]:
            break
    assert judged["of"] == 6
    assert marks[5] in ("?", "??")


def test_my_games(server, player):
    one = player()
    game = server.new_game(one.key, mode="local")
    assert [g["id"] for g in server.post("/api/games/mine", {"key": one.key})] == [game]
    assert server.post("/api/games/mine", {"key": "x" * 20}) == []


def test_a_game_as_pgn(server, player):
    one = player()
    game = server.new_game(one.key, mode="local")
    one.send("open", game=game, key=one.key)
    one.hear("game")
    one.play("Mg5g6")
    one.act("resign")
    text = server.get(f"/api/games/{game}/pgn")
    assert '[Variant "official"]' in text
    assert text.rstrip().endswith("1. Mg6 1-0")
    tree = server.post("/api/pgn/read", {"text": text})
    assert [node["move"] for node in tree["nodes"]] == ["Mg5g6"]
    assert server.post("/api/pgn/write", tree)["text"] == text


def test_deployments_survive_pgn(server):
    nodes = [{"parent": -1, "move": "Fc4>f4"}, {"parent": 0, "move": "c4<", "comment": "landed"}]
    text = server.post("/api/pgn/write", {"fen": STACK, "nodes": nodes})["text"]
    assert "F>f4" in text
    tree = server.post("/api/pgn/read", {"text": text})
    assert [node["move"] for node in tree["nodes"]] == ["Fc4>f4", "c4<"]
    assert tree["nodes"][1]["comment"] == "landed"
    assert server.ask("/api/pgn/read", {"text": "1. Zz9"})[1]["code"] == "bad_pgn"


# Editor, puzzles ------------------------------------------------------------------------------


def test_the_editor_says_why(server):
    ask = {"variant": "official", "pieces": {"a1": ["rT"], "g1": ["rC"], "f12": ["bC"]}, "turn": 0}
    found = server.post("/api/edit", ask)
    assert not found.get("ok")
    assert found["square"] == "a1"
    assert (found["code"], found["args"]) == ("cannot_stand", {"square": "a1"})
    assert found["reason"]
    ask["pieces"]["a1"] = ["rN", "rT"]
    assert server.post("/api/edit", ask)["ok"]
    ask["pieces"]["e4"] = ["rI", "rM"]
    assert server.post("/api/edit", ask)["square"] == "e4"


def test_puzzles_are_judged(server):
    puzzle = server.get("/api/puzzles/official/0")
    moves = [move["text"] for move in puzzle["view"]["moves"]]
    verdicts = {}
    for text in moves:
        answer = server.post("/api/puzzles", {"variant": "official", "index": 0, "moves": [text]})
        verdicts.setdefault(answer["verdict"], []).append(text)
    assert verdicts["solved"]
    assert verdicts["wrong"]
    assert server.ask("/api/puzzles/official/99999")[0] == 404


# The page's files -----------------------------------------------------------------------------


def test_no_key_is_in_the_log(server, key):
    """Every request is logged here, but not what stands behind the question mark."""
    server.get(f"/api/puzzles/official?key={key}")
    log = (server.data / "log.txt").read_text()
    assert "/api/puzzles/official" in log
    assert key not in log


def test_headers_are_strict(server):
    with urllib.request.urlopen(server.url + "/") as answer:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_files_are_packed_and_remembered(server):
    request = urllib.request.Request(
        server.url + "/static/drawn/theme.css", headers={"accept-encoding": "gzip"}
    )
    with urllib.request.urlopen(request) as answer:
        assert b"--land" in gzip.decompress(answer.read())
        tag = answer.headers["etag"]
    status, _ = server.ask("/static/drawn/theme.css", headers={"if-none-match": tag})
    assert status == 304
    assert server.ask("/static/../__init__.py")[0] == 404


def test_the_description_lists_every_address(server):
    found = server.get("/api/openapi.json")
    assert found["openapi"].startswith("3.1")
    assert "/api/games/{id}" in found["paths"]
    assert "GameState" in found["components"]["schemas"]


def test_the_reach_of_a_piece_that_may_not_go_there(server):
    """By its own rules alone: the king's neighbours, though a rook looks at some of them."""
    ask = {"variant": "chess", "fen": "4k3/8/8/8/8/8/4K3/r5R1 w - - 0 1", "square": "e2"}
    assert len(server.post("/api/reach", ask)["targets"]) == 8


def test_a_position_of_chess960_needs_no_saying_so(server):
    game = server.new_game(variant="chess", chess960=True, mode="local")
    state = server.get(f"/api/games/{game}")
    seen = server.post("/api/position", {"variant": "chess", "fen": state["fen0"]})
    assert seen["fen"] == state["view"]["fen"]
    status, refused = server.ask("/api/position", {"variant": "chess", "fen": "nonsense"})
    assert (status, refused["code"]) == (400, "bad_position")


def follow(player, game, key):
    """A page that asks for changes."""
    page = player(key=key)
    page.send("open", game=game, key=key, join=True, changes=True)
    page.hear("game")
    return page


def test_a_move_is_told_by_what_has_changed(server, player, new_keys):
    keys = new_keys(), new_keys()
    game = server.new_game(keys[0], mode="link", side=0)
    red, blue = (follow(player, game, key) for key in keys)
    came = red.hear("change")  # somebody has sat down: nothing of the board
    assert (came["ply"], "view" in came, came["seats"]) == (0, False, ["human", "human"])
    for ply, (mover, text, turn) in enumerate(((red, "Mg5g6", "Mg6"), (blue, "Mg8g7", "Mg7"))):
        mover.send("move", text=text, ply=ply)
        told = {name: page.hear("change") for name, page in (("red", red), ("blue", blue))}
        for change in told.values():
            assert (change["ply"], change["moves"], change.get("turn", 0)) == (ply, [text], ply)
            assert change["view"]["turns"] == [turn]
            assert change["view"]["stops"] == [ply + 1]
        next_one, last = ("blue", "red") if ply == 0 else ("red", "blue")
        assert told[next_one]["view"]["moves"]
        assert not told[last]["view"]["moves"]  # nothing to choose from before one's turn
    state = server.get(f"/api/games/{game}")
    assert told["red"]["view"]["fen"] == state["view"]["fen"]


def test_what_is_taken_back_brings_the_whole_game(server, player, key):
    game = server.new_game(key, mode="local")
    page = follow(player, game, key)
    page.send("move", text="Mg5g6", ply=0)
    page.hear("change")
    page.send("act", what="takeback")
    assert page.hear("game", "change")["t"] == "game"
    assert page.state["moves"] == []
    page.send("move", text="Ic5c6", ply=0)
    assert page.hear("game", "change")["t"] == "change"


def test_who_opens_again_gets_the_whole_game(server, player, key):
    game = server.new_game(key, mode="local")
    page = follow(player, game, key)
    page.send("move", text="Mg5g6", ply=0)
    page.hear("change")
    page.send("open", game=game, key=key, changes=True)
    assert page.hear("game")["moves"] == ["Mg5g6"]

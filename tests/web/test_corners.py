"""What a page or another program rarely asks for: each has its answer or its named refusal."""

import json
import urllib.request

import pytest

TREE = {"variant": "official", "nodes": [{"parent": -1, "move": "Mg5g6"}]}


def code_of(server, path, body):
    """The name under which a question is refused."""
    status, answer = server.ask(path, body)
    assert status >= 400, answer
    return answer["code"]


@pytest.fixture
def study(server, key):
    """A study of two chapters: its address, and the answer that made it."""
    chapters = [{"title": title, "tree": TREE} for title in ("One", "Two")]
    made = server.post("/api/studies", {"key": key, "title": "Ours", "chapters": chapters})
    return f"/api/studies/{made['id']}", made


def test_what_a_browser_looks_for_at_the_root(server):
    with urllib.request.urlopen(server.url + "/sw.js") as worker:
        assert worker.headers["service-worker-allowed"] == "/"
    assert server.get("/manifest.webmanifest")["start_url"]


def test_a_game_does_not_begin_at_its_end(server, key):
    fen = "11/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1"
    assert code_of(server, "/api/games", {"key": key, "fen": fen}) == "game_over"


def test_the_reach_of_pieces_of_the_other_side(server):
    """By their own rules: whose turn it is does not matter."""
    ask = {"variant": "official", "square": "g8"}
    assert ["g7", "normal"] in server.post("/api/reach", ask)["targets"]
    ask = {"variant": "chess", "square": "b8"}
    assert ["c6", "normal"] in server.post("/api/reach", ask)["targets"]
    assert server.post("/api/reach", {"variant": "chess", "square": "e4"})["targets"] == []


def test_a_line_of_moves_in_notation(server):
    ask = {"variant": "chess", "moves": ["e2e4", "e7e5"]}
    said = server.post("/api/line", ask)
    assert [(one["san"], one["label"]) for one in said] == [("e4", "1."), ("e5", "1…")]


def test_a_commander_taken_in_mid_deployment_ends_the_turn(server):
    """4.5, 10.1: what is left on the origin is not asked for."""
    fen = "11/11/11/11/11/11/11/11/5c5/11/5(FT)5/6C4 r - - 0 1"
    ask = {"variant": "official", "fen": fen, "moves": ["Tf2>xf4"]}
    found = server.post("/api/position", ask)
    assert found["outcome"]["reason"] == "commander_taken"
    assert found["stops"] == [1]


def test_an_objective_reached_in_mid_deployment_ends_the_turn(server):
    """10.2: the last ship is gone, the rest of the deployment is not waited for."""
    fen = "6c4/11/11/11/11/11/11/2n(TI)7/11/11/11/7C3 r - - 0 1"
    ask = {"variant": "official", "fen": fen, "objective": "marine", "moves": ["Td5>xc5"]}
    found = server.post("/api/position", ask)
    assert found["outcome"] == {"winner": 0, "reason": "objective"}
    assert (found["turn"], found["stops"]) == (0, [1])


def test_chapters_are_known_by_one_id_each(server, key, study):
    path, made = study
    one = {"title": "One", "tree": TREE, "id": made["ids"][0]}
    ask = {"key": key, "version": 1, "title": "Ours"}
    assert code_of(server, path, {**ask, "chapters": [one, one]}) == "bad_tree"
    for chapters in (["none"], [one["id"], one["id"]]):
        body = {**ask, "chapters": chapters}
        assert code_of(server, f"{path}/order", body) == "no_such_chapter"
    late = {**ask, "version": 7, "chapters": [one["id"]]}
    assert code_of(server, f"{path}/order", late) == "conflict"
    body = {"key": key, "title": "X", "tree": TREE, "id": "none"}
    assert code_of(server, f"{path}/chapter", body) == "no_such_chapter"


def test_a_study_has_room_for_so_many_chapters(server, key, study):
    path, _ = study
    games = "1. e4 *\n\n" * 60
    server.post(f"{path}/pgn", {"key": key, "text": games, "variant": "chess"})
    ask = {"key": key, "text": "1. e4 *\n\n" * 3, "variant": "chess"}
    assert code_of(server, f"{path}/pgn", ask) == "too_large"
    body = {"key": key, "title": "X", "tree": TREE}
    for _ in range(2):
        server.post(f"{path}/chapter", body)
    assert code_of(server, f"{path}/chapter", body) == "too_large"


@pytest.mark.parametrize(
    "nodes",
    [
        [{"parent": 0, "move": "Mg5g6"}],
        [{"parent": -1, "move": "Mg5g9"}],
    ],
    ids=["its own parent", "an illegal move"],
)
def test_trees_that_cannot_be_written(server, nodes):
    assert code_of(server, "/api/pgn/write", {"variant": "official", "nodes": nodes}) == "bad_tree"


def test_annotations_of_other_programs(server):
    """Mates are cut to what messages hold; a line that begins with no score is left out."""
    text = "1. e4 {[%eval #-3]} e5 {[%pv nonsense e2e4] [%pv 0.35,12 g1f3]} *"
    one, two = server.post("/api/pgn/read", {"text": text, "variant": "chess"})["nodes"]
    assert (one["eval"]["score"], one["eval"]["mate"]) == (-100_000, -3)
    assert [line["score"] for line in two["lines"]] == [35]


def test_a_pgn_of_too_many_moves_is_refused(server):
    shuffle = "".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8 " for n in range(1, 2600, 2))
    ask = {"text": f"{shuffle}*", "variant": "chess"}
    assert code_of(server, "/api/pgn/read", ask) == "too_large"


def test_the_pgn_of_a_game_under_way_has_its_objective_and_no_end(server, key):
    game = server.new_game(key, mode="local", objective="marine")
    text = server.ask(f"/api/games/{game}/pgn")[1]
    assert '[Objective "marine"]' in text
    assert "Termination" not in text


def test_an_analysis_of_a_finished_game_is_finished_at_once(player):
    one = player()
    fen = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    one.send("analyse", id=3, variant="chess", fen=fen)
    assert one.hear("lines")["state"] == "finished"


def test_an_analysis_tells_mates(player):
    one = player()
    one.send("analyse", id=4, variant="chess", fen="7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", lines=1)
    while not (found := one.hear("lines"))["lines"] or found["lines"][0]["mate"] is None:
        pass
    assert found["lines"][0]["mate"] == 1
    one.send("stop")


def test_a_page_that_opens_another_game_leaves_the_first(server, player):
    one = player()
    games = [server.new_game(one.key, mode="link") for _ in range(2)]
    watcher = player(games[0])
    for game in games:
        one.send("open", game=game, key=one.key)
        while one.hear("game")["id"] != game:
            pass
    while watcher.hear("game")["here"][0]:
        pass


def test_words_come_no_faster_than_people_read(server, player):
    one = player()
    one.send("open", game=server.new_game(one.key, mode="link"), key=one.key)
    one.hear("game")
    for n in range(8):
        one.send("chat", text=f"word {n}")
    assert one.hear("refused")["code"] == "too_fast"


def test_the_engine_plays_by_the_clock(server, player):
    one = player()
    clock = {"base": 60, "increment": 1}
    game = server.new_game(one.key, mode="engine", side=0, level=1, clock=clock)
    one.send("open", game=game, key=one.key)
    one.hear("game")
    one.play("Mg5g6")
    while len(one.state["moves"]) < 2:
        one.hear("game")
    assert one.state["clock"]["left"][1] > 50_000


def test_puzzles_asked_for_oddly(server):
    near = server.get("/api/puzzles/official?rating=much&n=x")
    assert near["variant"] == "official"
    ask = {"variant": "official", "id": near["id"], "moves": ["Mg5g9"]}
    assert code_of(server, "/api/puzzles", ask) == "illegal_move"


def test_a_name_given_later_is_kept(server, player):
    one = player()
    game = server.new_game(one.key, mode="link")
    one.send("open", game=game, key=one.key)
    one.hear("game")
    one.send("open", game=game, key=one.key, name="An")
    while "An" not in one.hear("game")["names"]:
        pass
    assert json.dumps(server.get(f"/api/games/{game}")["names"]).count("An") == 1

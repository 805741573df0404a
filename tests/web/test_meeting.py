"""Meeting others: names, lobby, cancelling, offers, chat, options of a game."""

import json
import time

import pytest

from cotulenh.web.hall import chess960_fen


def link(server, player, **ask):
    """A link game with both players in it."""
    one = player()
    game = server.new_game(one.key, mode="link", name="An", **ask)
    one.send("open", game=game, key=one.key, name="An")
    one.hear("game")
    two = player()
    two.send("open", game=game, key=two.key, join=True, name="Bình")
    two.hear("game")
    while one.hear("game")["names"] != ["An", "Bình"]:
        pass
    return game, one, two


def test_names_and_presence(server, player):
    _, one, two = link(server, player)
    assert one.state["names"] == two.state["names"] == ["An", "Bình"]
    assert two.state["here"] == [True, True]
    two.close()
    while one.hear("game")["here"] != [True, False]:
        pass


def test_a_name_is_one_line(server, player):
    one = player()
    game = server.new_game(one.key, mode="local", name=" a\u202e\n b ")
    assert server.get(f"/api/games/{game}")["names"] == ["a b", "a b"]


def test_the_lot_decides(server):
    sides = set()
    for _ in range(40):
        key = "k" * 20
        game = server.new_game(key, mode="engine", side=None, level=1)
        sides.add(tuple(server.get(f"/api/games/{game}")["seats"]))
    assert len(sides) == 2


def test_cancel_before_anyone_joined(server, player):
    one = player()
    game = server.new_game(one.key, mode="link", public=True)
    one.send("open", game=game, key=one.key)
    one.hear("game")
    one.send("act", what="cancel")
    assert one.hear("gone")["id"] == game
    assert server.ask(f"/api/games/{game}")[0] == 404
    assert not [g for g in server.post("/api/games/mine", {"key": one.key}) if g["id"] == game]


def test_no_cancel_once_it_has_begun(server, player):
    _, one, _ = link(server, player)
    one.send("act", what="cancel")
    assert one.hear("refused")["code"] == "already_begun"


def test_one_draw_offer_a_turn_and_a_declined_one_is_said(server, player):
    _, one, two = link(server, player)
    one.act("draw")
    one.send("act", what="draw")
    assert one.hear("refused")["code"] == "one_offer_a_turn"
    two.send("act", what="decline")
    assert one.hear("declined") == {"t": "declined", "what": "draw", "by": 1}
    assert one.hear("game")["t"] == "game"
    assert not one.state.get("can_draw")
    one.play("Mg5g6")
    assert one.state["can_draw"]


def test_a_move_declines_an_offer(server, player):
    _, one, two = link(server, player)
    one.play("Mg5g6")
    one.act("draw")
    while two.hear("game").get("draw_offer") != 0:
        pass
    two.play("Mg8g7")
    assert one.hear("declined")["what"] == "draw"


def test_the_lobby_lists_challenges_and_games(server, player):
    watcher = player()
    watcher.send("lobby", on=True)
    watcher.hear("lobby")
    one = player()
    clock = {"base": 300, "increment": 2}
    game = server.new_game(one.key, mode="link", public=True, name="An", side=1, clock=clock)
    one.send("open", game=game, key=one.key)
    one.hear("game")
    found = wait_for(watcher, "open", game)
    assert (found["name"], found["side"], found["clock"]) == ("An", 0, clock)
    two = player(game)
    found = wait_for(watcher, "running", game)
    assert found["names"] == ["", "An"]
    assert [g["id"] for g in server.get("/api/lobby")["running"] if g["id"] == game] == [game]
    two.act("resign")
    for _ in range(20):
        if game not in [g["id"] for g in watcher.hear("lobby")["running"]]:
            return
    raise AssertionError("a finished game is still listed")


def wait_for(watcher, part, game):
    for _ in range(20):
        for line in watcher.hear("lobby")[part]:
            if line["id"] == game:
                return line
    raise AssertionError(f"{game} is not listed")


def test_a_private_game_is_not_listed(server, player):
    one = player()
    game = server.new_game(one.key, mode="link")
    one.send("open", game=game, key=one.key)
    one.hear("game")
    assert game not in json.dumps(server.get("/api/lobby"))


def test_chat_with_presets(server, player):
    game, one, two = link(server, player)
    one.send("chat", preset="good_luck")
    line = two.hear("chat")["lines"][0]
    assert (line["side"], line["name"], line["preset"]) == (0, "An", "good_luck")
    two.send("chat", text=" cảm\u0007 ơn \n")
    one.hear("chat")
    assert one.hear("chat")["lines"][0]["text"] == "cảm ơn"
    late = player()
    late.send("open", game=game, key=late.key)
    said = late.hear("chat")
    assert said["all"]
    assert [text.get("preset") or text["text"] for text in said["lines"]] == ["good_luck", "cảm ơn"]
    late.send("chat", text="hi")
    assert late.hear("refused")["code"] == "name_needed"
    one.send("chat", preset="nonsense")
    assert one.hear("refused")["code"] == "malformed"


def test_objectives_can_be_chosen(server, player):
    fen = "4c6/11/11/11/11/1n9/1N9/11/11/11/11/6C4 r - - 0 1"
    one = player()
    game = server.new_game(one.key, mode="local", fen=fen, objective="marine")
    one.send("open", game=game, key=one.key)
    assert one.hear("game")["objective"] == "marine"
    answer = one.play("Nb6xb7")
    assert answer["result"]["winner"] == 0


@pytest.mark.parametrize(
    ("number", "row"), [(0, "bbqnnrkr"), (518, "rnbqkbnr"), (959, "rkrnnqbb"), (534, "rnbkqbnr")]
)
def test_numbers_of_chess960(number, row):
    """From Scharnagl's published table."""
    assert chess960_fen(number).split("/")[0] == row


def test_all_starts_of_chess960_differ():
    assert len({chess960_fen(n) for n in range(960)}) == 960


def test_chess960_can_be_chosen_and_castled(server, player):
    one = player()
    fen = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1"
    game = server.new_game(one.key, mode="local", variant="chess", chess960=True, fen=fen)
    one.send("open", game=game, key=one.key)
    one.hear("game")
    castling = [m for m in one.state["view"]["moves"] if m.get("kind") == "castling"]
    assert castling
    one.play(castling[0]["text"])
    assert one.state["chess960"]
    assert len(one.state["moves"]) == 1
    random = server.new_game(one.key, mode="local", variant="chess", chess960=True)
    assert server.get(f"/api/games/{random}")["chess960"]


# Clocks ---------------------------------------------------------------------------------------


def test_a_take_back_gives_no_time_back(server, player):
    """Time used stays used, and the increment of the turn taken back goes."""
    one = player()
    game = server.new_game(one.key, mode="local", clock={"base": 60, "increment": 10})
    one.send("open", game=game, key=one.key)
    one.hear("game")
    one.play("Mg5g6")  # the first move is free
    time.sleep(0.3)
    one.play("Mg8g7")
    with_increment = one.state["clock"]["left"][1]
    assert 69_000 < with_increment <= 69_700
    time.sleep(0.2)
    left = one.act("takeback")["clock"]["left"]
    assert left[0] <= 59_800  # what Red thought meanwhile is spent
    assert left[1] <= with_increment - 10_000


# The end --------------------------------------------------------------------------------------


def test_the_export_of_a_resigned_game_has_its_result(server, player):
    game, one, _ = link(server, player)
    one.play("Mg5g6")
    one.act("resign")
    text = server.get(f"/api/games/{game}/pgn")
    assert '[Result "0-1"]' in text
    assert text.strip().endswith("0-1")
    assert '[Red "An"]' in text
    assert '[Blue "Bình"]' in text

"""The opening explorer: a finished game is in it at once, and only once."""

import subprocess
import sys


def play_out(server, player, moves):
    one = player()
    game = server.new_game(one.key, mode="local", variant="blueprint")
    one.send("open", game=game, key=one.key)
    one.hear("game")
    for _ in range(moves):
        one.play(one.state["view"]["moves"][0]["text"])
    one.act("resign")
    return one.state


def test_finished_games_are_counted(server, player):
    ask = {"variant": "blueprint", "moves": []}
    before = server.post("/api/explorer", ask)["total"]
    state = play_out(server, player, 6)
    found = server.post("/api/explorer", ask)
    assert found["total"] == before + 1
    move = next(m for m in found["moves"] if m["text"] == state["moves"][0])
    winner = state["result"]["winner"]
    assert move["wins"][2 * winner] >= 1
    assert sum(move["wins"]) == move["games"]
    deeper = server.post("/api/explorer", {**ask, "moves": state["moves"][:3]})
    assert state["moves"][3] in [m["text"] for m in deeper["moves"]]


def test_a_short_game_says_nothing(server, player):
    before = server.post("/api/explorer", {"variant": "blueprint"})["total"]
    play_out(server, player, 2)
    assert server.post("/api/explorer", {"variant": "blueprint"})["total"] == before


def test_public_games_are_named(server, player):
    one, two = player(), player()
    game = server.new_game(one.key, mode="link", variant="online", public=True, name="An")
    one.send("open", game=game, key=one.key)
    one.hear("game")
    two.send("open", game=game, key=two.key, join=True, name="Bo")
    two.hear("game")
    while one.hear("game")["names"] != ["An", "Bo"]:
        pass
    for turn in range(4):
        mover, other = (one, two) if turn % 2 == 0 else (two, one)
        mover.play(mover.state["view"]["moves"][0]["text"])
        while len(other.state["moves"]) <= turn:
            other.hear("game")
    one.act("resign")
    found = server.post("/api/explorer", {"variant": "online"})["games"]
    assert [g["names"] for g in found if g["id"] == game] == [["An", "Bo"]]


def test_an_illegal_line_is_refused(server):
    status, answer = server.ask("/api/explorer", {"variant": "official", "moves": ["Mg5g9"]})
    assert (status, answer["code"]) == (400, "illegal_move")


def test_a_book_is_in_it(tmp_path, serve):
    from cotulenh import pgn
    from cotulenh.book import Book

    games = [pgn.parse(f'[White "x"]\n\n{text}') for text in ("1. e4 e5 1-0", "1. e4 c5 0-1")]
    Book.build([*games, pgn.parse('[White "x"]\n\n1. d4 *')], tmp_path / "small.book")
    with serve(tmp_path, "--book", str(tmp_path / "small.book")) as server:
        found = server.post("/api/explorer", {"variant": "chess"})
        assert found["total"] == 3
        assert [(m["san"], m["games"], m["wins"]) for m in found["moves"]] == [
            ("e4", 2, [1, 0, 1]),
            ("d4", 1, [0, 0, 0]),
        ]
        after = server.post("/api/explorer", {"variant": "chess", "moves": ["e2e4"]})
        wins = {m["san"]: m["wins"] for m in after["moves"]}
        assert wins == {"e5": [1, 0, 0], "c5": [0, 0, 1]}


def test_a_bad_book_is_named(tmp_path):
    path = tmp_path / "bad.book"
    path.write_text("no book")
    command = [sys.executable, "-m", "cotulenh", "serve", "--no-browser", "--port", "0"]
    ended = subprocess.run(
        [*command, "--data", str(tmp_path), "--book", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 2
    assert "bad.book" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1

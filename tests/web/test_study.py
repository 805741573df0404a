"""Studies: kept under an address, shared to read or to edit, nobody's work lost; PGN in and out."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import cotulenh.web
from cotulenh.web import forms, trees
from cotulenh.web.messages import Refusal

STATIC = Path(cotulenh.web.__file__).parent / "static"

TREE = {
    "variant": "official",
    "comment": "Khai cuộc",
    "arrows": [["g5", "g6", "G"]],
    "nodes": [
        {"parent": -1, "move": "Mg5g6", "comment": "good", "nags": [1], "circles": [["g6", "R"]]},
        {"parent": 0, "move": "Mg8g7", "eval": {"score": 35, "depth": 12}},
        {
            "parent": 0,
            "move": "Ic8c7",
            "arrows": [["c8", "c7", "Y"], ["a10", "a1", "B"]],
            "lines": [{"score": -20, "depth": 9, "moves": ["Ic5c6", "Mg8g7"]}],
        },
    ],
}


def new_study(server, key, **more):
    chapters = [{"title": "One", "tree": TREE}]
    return server.post("/api/studies", {"key": key, "title": "Ours", "chapters": chapters, **more})


def test_a_study_is_read_by_its_address(server, key):
    made = new_study(server, key)
    found = server.get(f"/api/studies/{made['id']}")
    assert (found["title"], found["version"]) == ("Ours", 1)
    tree = found["chapters"][0]["tree"]
    assert tree["nodes"][2]["lines"][0]["moves"] == ["Ic5c6", "Mg8g7"]
    assert key not in str(found)
    assert made["edit"] not in str(found)
    mine = server.post("/api/studies/mine", {"key": key})
    assert [(line["id"], line["chapters"]) for line in mine] == [(made["id"], 1)]


def test_moves_of_another_program_get_their_notation(server, key):
    """It need not write any, nor write moves as the page does."""
    fen = "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1"
    nodes = [
        {"parent": -1, "move": "fc4>f4"},
        {"parent": 0, "move": "tc4>d4"},
        {"parent": 1, "move": "c4<"},
        {"parent": 2, "move": "tf9f8"},
        {"parent": 0, "move": "c4<", "san": "wrong", "label": "9."},
    ]
    chapters = [{"title": "Bare", "tree": {"fen": fen, "nodes": nodes}}]
    made = new_study(server, key, chapters=chapters)
    (chapter,) = server.get(f"/api/studies/{made['id']}")["chapters"]
    written = [(n["move"], n["san"], n.get("label", "")) for n in chapter["tree"]["nodes"]]
    assert written == [
        ("Fc4>f4", "F>f4", "1."),
        ("Tc4>d4", "T>d4", ""),
        ("c4<", "<", ""),
        ("+Tf9f8", "+Tf8", "1…"),  # the last guard is a hero
        ("c4<", "<", ""),
    ]


def test_a_study_kept_without_notation_gets_it_when_it_is_read(serve, tmp_path, key):
    with serve(tmp_path) as first:
        made = new_study(first, key)
    (base,) = tmp_path.glob("*.sqlite")
    with closing(sqlite3.connect(base)) as kept, kept:
        bare = json.dumps({"nodes": [{"parent": -1, "move": "Mg5g6"}]}).encode()
        odd = json.dumps({"nodes": [{"parent": -1, "move": "Mg5g12"}]}).encode()  # no longer legal
        kept.execute("UPDATE chapters SET tree=?", (bare,))
        kept.execute("INSERT INTO chapters VALUES (?, 'odd', 1, 1, 'Odd', ?)", (made["id"], odd))
    with serve(tmp_path) as second:
        chapters = second.get(f"/api/studies/{made['id']}")["chapters"]
    assert chapters[0]["tree"]["nodes"][0]["san"] == "Mg6"
    assert chapters[1]["tree"]["nodes"] == [{"parent": -1, "move": "Mg5g12"}]


def test_only_owner_and_edit_link_may_change(server, key):
    made = new_study(server, key)
    body = {"title": "Two", "tree": TREE}
    path = f"/api/studies/{made['id']}/chapter"
    status, answer = server.ask(path, {"key": "x" * 20, **body})
    assert (status, answer["code"]) == (403, "not_your_study")
    assert server.post(path, {"key": key, **body})["version"] == 2
    assert server.post(path, {"edit": made["edit"], **body})["version"] == 3
    fresh = server.post(f"/api/studies/{made['id']}/link", {"key": key})["edit"]
    assert server.ask(path, {"edit": made["edit"], **body})[0] == 403
    assert server.post(path, {"edit": fresh, **body})["version"] == 5
    assert server.ask(f"/api/studies/{made['id']}/delete", {"key": "x" * 20})[0] == 403
    server.post(f"/api/studies/{made['id']}/delete", {"key": key})
    assert server.ask(f"/api/studies/{made['id']}")[0] == 404


def test_two_editors_lose_nothing(server, key):
    made = new_study(server, key)
    path = f"/api/studies/{made['id']}"
    chapter = {"id": made["ids"][0], "title": "Mine", "tree": TREE}
    body = {"key": key, "version": 1, "title": "Ours", "chapters": [chapter]}
    assert server.post(path, body)["version"] == 2
    status, answer = server.ask(path, {**body, "title": "Theirs"})
    assert (status, answer["code"], answer["args"]["version"]) == (409, "conflict", "2")
    assert server.get(path)["title"] == "Ours"


def test_a_chapter_has_its_own_version(server, key):
    made = new_study(server, key)
    path = f"/api/studies/{made['id']}/chapter"
    body = {"key": key, "id": made["ids"][0], "version": 1, "title": "A", "tree": TREE}
    assert server.post(path, body)["version"] == 2
    status, answer = server.ask(path, body)
    assert (status, answer["code"], answer["args"]["version"]) == (409, "conflict", "2")


def test_order_and_deletion_of_chapters(server, key):
    made = new_study(server, key)
    path = f"/api/studies/{made['id']}"
    second = server.post(f"{path}/chapter", {"key": key, "title": "Two", "tree": TREE})["ids"][0]
    body = {"key": key, "version": 2, "title": "New", "chapters": [second, made["ids"][0]]}
    server.post(f"{path}/order", body)
    assert [c["title"] for c in server.get(path)["chapters"]] == ["Two", "One"]
    server.post(f"{path}/order", {**body, "version": 3, "chapters": [second]})
    assert [c["title"] for c in server.get(path)["chapters"]] == ["Two"]


def test_watchers_hear_of_changes(server, player, key):
    made = new_study(server, key)
    one = player()
    one.send("study", study=made["id"])
    one.send("ping")
    one.hear("pong")
    server.post(f"/api/studies/{made['id']}/chapter", {"key": key, "title": "B", "tree": TREE})
    assert one.hear("study_changed")["version"] == 2


@pytest.mark.parametrize(
    "nodes",
    [
        [{"parent": -1, "move": "Mg5g9"}],
        [{"parent": 0, "move": "Mg5g6"}],
        [{"parent": -1, "move": "Mg5g6"}, {"parent": 0, "move": "Mg5g6"}],
    ],
)
def test_trees_with_illegal_moves_are_refused(server, key, nodes):
    chapters = [{"title": "x", "tree": {"variant": "official", "nodes": nodes}}]
    status, answer = server.ask("/api/studies", {"key": key, "title": "x", "chapters": chapters})
    assert (status, answer["code"]) == (400, "bad_tree")


def test_the_whole_tree_through_pgn(server, key):
    made = new_study(server, key)
    text = server.get(f"/api/studies/{made['id']}/pgn")
    assert '[Event "One"]' in text
    assert "[%cal Yc8c7,Ba10a1]" in text
    added = server.post(f"/api/studies/{made['id']}/pgn", {"key": key, "text": text})
    chapters = server.get(f"/api/studies/{made['id']}")["chapters"]
    assert chapters[1]["id"] == added["ids"][0]
    one, two = (plain(chapter["tree"]) for chapter in chapters)
    assert one == two


def plain(tree):
    """A tree without what PGN adds: notation and tags."""
    nodes = [{k: v for k, v in n.items() if k not in ("san", "label")} for n in tree["nodes"]]
    return {**{k: v for k, v in tree.items() if k != "tags"}, "nodes": nodes}


def test_several_games_of_a_pgn_text(server):
    text = '[Event "A"]\n[White "x"]\n\n1. e4 *\n\n[Event "B"]\n[White "x"]\n\n1. d4 d5 *\n'
    found = server.post("/api/pgn/read_all", {"text": text})
    assert [len(tree["nodes"]) for tree in found] == [1, 2]


def test_an_import_says_where_it_is_wrong_once(server):
    text = '[White "x"]\n\n1. e4 e5 2. Qh9 *'
    status, answer = server.ask("/api/pgn/read", {"text": text})
    assert (status, answer["code"]) == (400, "bad_pgn")
    assert answer["args"]["line"] == "3"
    assert "<stream>" not in str(answer)
    assert answer["text"].count("Qh9") == 1


@pytest.mark.parametrize(
    ("text", "kind", "word"),
    [
        ("1. Mg6 Mg6", "illegal", "Mg6"),
        ("1. Mg6 nonsense", "word", "nonsense"),
        ("1. e4", "word", "e4"),
        ("1. Mg6 {open", "comment", ""),
        ("1. Mg6 (1. Ik6", "variation", ""),
        ('[Event "x"\n1. Mg6', "tag", ""),
        ('[FEN "foo"]\n\n1. Mg6', "fen", "unknown piece 'o'"),
        ("", "empty", ""),
    ],
)
@pytest.mark.parametrize("language", ["en", "vi"])
def test_what_is_wrong_with_a_pgn_text_has_words(server, text, kind, word, language):
    status, refused = server.ask("/api/pgn/read", {"text": text, "variant": "official"})
    assert (status, refused["code"]) == (400, "bad_pgn")
    assert (refused["args"]["kind"], refused["args"]["word"]) == (kind, word)
    words = json.loads((STATIC / "lang" / f"{language}.json").read_text("utf-8"))
    assert f"refused.bad_pgn.{kind}" in words


def test_comments_travel_with_braces_and_commands():
    node = forms.Node(-1, "e2e4", comment="a } b", clock=598.0)
    text = trees.write_tree(forms.Tree(variant="chess", nodes=[node]))
    read = trees.read_tree(text, "chess")
    assert (read.nodes[0].comment, read.nodes[0].clock) == ("a ) b", 598.0)


def test_a_tree_of_chess960_and_objectives():
    fen = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1"
    tree = forms.Tree(variant="chess", chess960=True, fen=fen, nodes=[forms.Node(-1, "b1a1")])
    read = trees.read_tree(trees.write_tree(tree))
    assert (read.chess960, read.nodes[0].move) == (True, "b1a1")
    tree = forms.Tree(objective="marine", nodes=[forms.Node(-1, "Mg5g6")])
    assert trees.read_tree(trees.write_tree(tree)).objective == "marine"


def test_no_game_in_the_text():
    with pytest.raises(Refusal, match="no game"):
        trees.read_trees("")

"""For everyone: languages, themes, accessibility, without a network, fast and small."""

import json
import re
from pathlib import Path

import pytest
from page import (
    STACK,
    click,
    give_up,
    in_game,
    meet,
    open_game,
    phone_of,
    turns,
    until,
    wait_for_turns,
)

STATIC = Path(__file__).parents[2] / "src" / "cotulenh" / "web" / "static"
KEYS = re.compile(r'(?<![\w.])(?:t|has)\(\s*"([\w./!?-]+)"')


def words(language):
    return json.loads((STATIC / "lang" / f"{language}.json").read_text("utf-8"))


def test_every_word_is_there_in_both_languages():
    english, vietnamese = words("en"), words("vi")
    assert english.keys() == vietnamese.keys()
    used = {key for path in (STATIC / "js").glob("*.js") for key in KEYS.findall(path.read_text())}
    assert used <= english.keys(), used - english.keys()
    for key, text in english.items():
        holes = re.findall(r"\{(\w+)\}", text)
        assert sorted(holes) == sorted(re.findall(r"\{(\w+)\}", vietnamese[key])), key


def test_the_players_own_terms():
    """RULES.md: ngầm for reefs, thế chỗ for replacing, khống chế for rings, biến for a line."""
    vietnamese = words("vi")
    assert "ngầm" in vietnamese["terrain.bridge"].lower()
    assert "thế chỗ" in vietnamese["choice.capture"]
    assert "khống chế" in vietnamese["rings"]
    assert "biến" in vietnamese["analysis.lines"]
    assert vietnamese["choice.combine"].split()[0] != vietnamese["analysis.import"].split()[0]


def test_lessons_can_be_done(server):
    for lesson in json.loads((STATIC / "lessons.json").read_text("utf-8")):
        for step in lesson["steps"]:
            view = server.post("/api/position", {"fen": step["fen"]})
            goal = step["goal"]
            fits = [
                move
                for move in view["moves"]
                if move["from"] in goal.get("from", [move["from"]])
                and move["to"] in goal.get("to", [move["to"]])
                and move.get("kind", "normal") in goal.get("kind", [move.get("kind", "normal")])
            ]
            assert fits, lesson["id"]
            assert view["turn"] == 0
            ends = [
                server.post("/api/position", {"fen": step["fen"], "moves": [move["text"]]})
                for move in (fits if goal.get("hero") or goal.get("won") else [])
            ]
            if goal.get("hero"):
                assert any("r+" in str(end["pieces"]) for end in ends)
            if goal.get("won"):
                assert any((end.get("outcome") or {}).get("winner") == 0 for end in ends)


def test_the_language(browse):
    page = browse("/")
    page.click("#language-button")
    page.wait_for_selector("text=Biển, đất và trời")
    assert page.get_attribute("html", "lang") == "vi"
    page.reload()
    page.wait_for_selector("text=Biển, đất và trời")


def test_themes_coordinates_and_pieces(browse, server):
    page = in_game(browse, server)
    page.click("#settings-button")
    page.select_option("#set-theme", "dark")
    page.select_option("#set-coordinates", "numbers")
    before = page.evaluate("document.getElementById('ctl-r-T').innerHTML")
    page.select_option("#set-pieces", "letters")
    until(page, "!document.getElementById('ctl-r-T').innerHTML.includes('rect')")
    assert page.evaluate("document.getElementById('ctl-r-T').innerHTML") != before
    assert page.get_attribute("html", "data-theme") == "dark"
    labels = page.locator(".layer-labels text").all_text_contents()
    assert {"0", "11"} <= set(labels)
    assert "a" not in labels


def test_the_sound_button_says_what_is(browse, server):
    page = browse("/learn")
    page.wait_for_selector(".board .stack")
    assert page.get_attribute("[data-tool=sound]", "aria-pressed") == "true"
    page.click("#settings-button")
    page.locator("#set-sound").uncheck()
    page.keyboard.press("Escape")
    assert page.get_attribute("[data-tool=sound]", "aria-pressed") == "false"


def test_an_address_that_is_none(browse, server, chromium):
    context = chromium.new_context(locale="en-US")
    page = context.new_page()
    answer = page.goto(f"{server.url}/foo")
    assert answer.status == 404
    page.wait_for_selector("h1:has-text('There is nothing here')")
    context.close()


def test_back_from_a_finished_game_leaves_no_dead_rematch(browse, server):
    page = browse("/")
    first = open_game(server, page)
    give_up(page)
    page.locator(".end-panel [data-do=rematch]").click()
    until(page, f"!location.pathname.endsWith('{first}')")
    page.go_back()
    page.wait_for_selector(".end-panel:not([hidden])")
    page.locator(".end-panel [data-do=rematch]").click()
    until(page, f"!location.pathname.endsWith('{first}')")
    page.wait_for_selector(".play .board .stack")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_axe_finds_nothing(browse, server, theme, size):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    page = browse("/", color_scheme=theme, width=size[0], height=size[1])
    bad = []
    paths = ["/", "/analysis?new=1", "/editor", "/puzzles", "/learn", "/study", "/lobby", "/about"]
    for path in [*paths, "/game"]:
        if path == "/game":
            open_game(server, page, fen=STACK)
            click(page, "c4")
        else:
            page.goto(server.url + path)
            page.wait_for_selector("html[data-ready]")
            page.wait_for_timeout(150)
        bad += [
            (path, one["id"], one["nodes"][0]["html"][:200])
            for one in axe.Axe().run(page).response["violations"]
        ]
    assert not bad


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_words_that_come_later(browse, server, player, theme):
    """A chat with an offer, the end of a game, what a lesson says."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    page = browse("/", color_scheme=theme, **phone_of("390x844"))
    bad = []

    def judge(what):
        found = axe.Axe().run(page).response["violations"]
        bad.extend((what, one["id"], one["nodes"][0]["html"][:200]) for one in found)

    open_game(server, page, mode="link")
    other = meet(page, player)
    other.send("chat", preset="hello")
    other.act("draw")
    page.wait_for_selector(".offer:not([hidden])")
    page.locator(".chat summary").tap()
    page.wait_for_selector(".chat-lines li")
    judge("chat")
    give_up(page)
    judge("end")
    page.goto(f"{server.url}/learn/tank")
    page.wait_for_selector(".board .stack")
    click(page, "g4", "g5")
    page.wait_for_selector(".verdict.bad")
    judge("wrong")
    page.locator("[data-do=again]").tap()
    page.wait_for_selector(".stack[data-at=g4]")
    click(page, "g4", "g6")
    page.wait_for_selector(".verdict.good")
    judge("right")
    assert not bad


# Without a network -----------------------------------------------------------------------------


def installed(page):
    """Waits until the service worker has everything."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    until(page, "caches.keys().then((names) => names.some((one) => /-[0-9a-f]{12}$/.test(one)))")
    until(page, "navigator.serviceWorker.controller !== null")


def test_lessons_puzzles_and_drafts_open_without_a_network(browse, server):
    page = browse("/learn/tank")
    page.wait_for_selector(".board .stack")
    installed(page)
    page.evaluate("caches.open('cotulenh-positions').then((one) => one.keys())")
    until(
        page, "caches.open('cotulenh-positions').then((c) => c.keys()).then((k) => k.length > 30)"
    )
    page.goto(server.url + "/puzzles?v=official")
    page.wait_for_selector(".board .stack")
    until(page, "localStorage.getItem('cotulenh.pack.official') !== null")
    page.goto(server.url + "/analysis?new=1")
    page.wait_for_selector(".board .stack")
    click(page, "g5", "g6")
    page.wait_for_selector("text=saved on this device")
    page.context.set_offline(True)
    page.goto(server.url + "/analysis")
    page.wait_for_selector(".tree .node:has-text('Mg6')")
    page.wait_for_selector("#offline:not([hidden])")
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('[data-sq=g6]').ariaLabel.includes('Militia')")
    page.goto(server.url + "/learn/tank")
    page.wait_for_selector(".board .stack")
    click(page, "g4", "g6")
    page.wait_for_selector(".verdict.good")
    page.goto(server.url + "/puzzles?v=official")
    page.wait_for_selector(".board .stack")
    page.context.set_offline(False)


def test_a_game_goes_on_by_itself_after_the_network_was_gone(browse, server):
    page = in_game(browse, server)
    click(page, "g5", "g6")
    wait_for_turns(page, 1)
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.wait_for_selector(".lost:not([hidden])", timeout=20_000)
    page.context.set_offline(False)
    page.wait_for_selector(".lost", state="hidden", timeout=20_000)
    click(page, "g8", "g7")
    wait_for_turns(page, 2)
    assert turns(page) == ["Mg6", "Mg7"]


def test_the_second_visit_asks_for_hardly_anything(server, chromium):
    context = chromium.new_context(locale="en-US")
    page = context.new_page()
    sizes, hosts = [], set()

    def count(request):
        hosts.add(request.url.split("/")[2])
        if not request.url.startswith(("data:", "blob:")):
            sizes.append(request.sizes()["responseBodySize"])

    page.on("requestfinished", count)
    page.goto(server.url)
    page.wait_for_selector("html[data-ready]")
    page.wait_for_selector(".board .stack")
    assert hosts == {server.url.removeprefix("http://")}
    assert sum(sizes) < 400_000, f"{sum(sizes)} bytes"
    installed(page)
    asked = []
    page.on("request", lambda request: asked.append(request))
    page.goto(server.url)
    page.wait_for_selector("html[data-ready]")
    page.wait_for_selector(".board .stack")
    far = [one for one in asked if not one.response() or not one.response().from_service_worker]
    assert len([one for one in far if "/static/" in one.url]) == 0
    context.close()

"""The real page in a real browser."""

import re
import time

import pytest

STACK = "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1"
STAY = "8c2/11/11/11/5t5/11/11/11/5F5/11/11/6C4 r - - 0 1"
EXCHANGE = "8c2/11/11/5g5/5t5/11/11/11/5F5/11/11/6C4 r - - 0 1"
BREACH = "11/6(hc)4/6T4/11/11/11/11/11/11/11/11/5C5 r - - 0 1"


def until(page, test, seconds=15):
    """Waits until an expression holds; ``wait_for_function`` needs eval, which is forbidden."""
    end = time.monotonic() + seconds
    while not page.evaluate(test):
        assert time.monotonic() < end, test
        page.wait_for_timeout(30)


def square(page, name):
    return page.locator(f'[data-sq="{name}"]')


def click(page, *names):
    for name in names:
        square(page, name).click()


def choose(page, text):
    page.locator(".popup button", has_text=text).first.click()


def turns(page):
    return page.locator(".moves .turn").all_inner_texts()


def wait_for_turns(page, count):
    until(page, f"document.querySelectorAll('.moves .turn').length >= {count}")


def local_game(server, page, **ask):
    key = page.evaluate("localStorage.getItem('cotulenh.key')")
    if key is None:
        page.evaluate("localStorage.setItem('cotulenh.key', 'playwright-key-0123456789')")
        key = "playwright-key-0123456789"
    game = server.new_game(key, mode="local", **ask)
    page.goto(f"{server.url}/game/{game}")
    page.wait_for_selector(".board .stack")
    return game


# Playing --------------------------------------------------------------------------------------


def test_one_click_to_play(browse):
    page = browse("/")
    page.click("[data-do=play]")
    page.wait_for_selector(".play .board .stack")
    click(page, "g5", "g6")
    wait_for_turns(page, 2)  # the engine has answered
    assert turns(page)[0] == "Mg6"


def test_a_whole_game_by_mouse(browse, server):
    """The fool's mate, then the rematch button."""
    page = browse("/")
    local_game(server, page, variant="chess")
    for start, end in (("f2", "f3"), ("e7", "e5"), ("g2", "g4")):
        click(page, start, end)
    wait_for_turns(page, 3)
    queen, target = square(page, "d8").bounding_box(), square(page, "h4").bounding_box()
    page.mouse.move(queen["x"] + 20, queen["y"] + 20)
    page.mouse.down()
    page.mouse.move(target["x"] + 10, target["y"] + 10, steps=4)
    page.mouse.move(target["x"] + 20, target["y"] + 20)
    page.mouse.up()
    page.wait_for_selector(".status.over")
    assert "Black won · checkmate" in page.inner_text(".status")
    assert page.locator(".layer-check .check").count() == 1
    page.click("text=Rematch")
    until(page, "!document.querySelector('.status.over')")


def test_dots_and_rings(browse, server):
    page = browse("/")
    local_game(server, page)
    click(page, "c4")
    assert page.locator(".dot").count() == 11
    assert page.locator(".target.combine").count() >= 1
    click(page, "k9")
    assert page.locator(".dot").count() == 0


def test_joining_asks_which_was_meant(browse, server):
    page = browse("/")
    local_game(server, page)
    click(page, "c4", "c5")
    choose(page, "Select that piece")
    assert page.locator(".layer-chosen rect").count() == 1
    click(page, "c4")
    choose(page, "Join")
    wait_for_turns(page, 1)
    assert "Navy with Infantry" in square(page, "c4").get_attribute("aria-label")


def test_a_deployment(browse, server):
    page = browse("/")
    local_game(server, page, fen=STACK)
    click(page, "c4")
    assert page.locator(".popup .choice").count() >= 5  # the whole, pairs, singles
    page.locator('.popup button[aria-label="Air Force"]').click()
    click(page, "f4")
    page.wait_for_selector(".tray:not([hidden])")
    assert page.locator(".tray .gone svg").count() == 1
    assert page.locator(".tray .remaining svg").count() == 2
    page.click("text=Step back")
    page.wait_for_selector(".tray[hidden]", state="attached")
    click(page, "c4")
    page.locator('.popup button[aria-label="Air Force"]').click()
    click(page, "f4")
    page.wait_for_selector(".tray:not([hidden])")
    click(page, "c4")
    page.locator('.popup button[aria-label="Tank"]').click()
    click(page, "d4")
    until(page, "document.querySelectorAll('.tray .gone svg').length === 2")
    page.click("text=Done, the rest stays")
    wait_for_turns(page, 1)
    assert page.locator(".tray[hidden]").count() == 1
    assert "Blue to move" in page.inner_text(".status")


def test_cancelling_a_deployment(browse, server):
    page = browse("/")
    local_game(server, page, fen=STACK)
    click(page, "c4")
    page.locator('.popup button[aria-label="Tank"]').click()
    click(page, "d4")
    page.wait_for_selector(".tray:not([hidden])")
    page.locator(".tray").get_by_text("Cancel").click()
    page.wait_for_selector(".tray[hidden]", state="attached")
    assert "Navy with Air Force, Tank" in square(page, "c4").get_attribute("aria-label")


@pytest.mark.parametrize(
    ("choice", "where"), [("Take and stay here", "f4"), ("Take and stand there", "f8")]
)
def test_stay_or_replace(browse, server, choice, where):
    page = browse("/")
    local_game(server, page, fen=STAY)
    click(page, "f4", "f8")
    choose(page, choice)
    wait_for_turns(page, 1)
    assert "Air Force" in square(page, where).get_attribute("aria-label")
    assert page.locator(".took").count() == 1
    assert "+20" in page.inner_text(".points >> nth=1")


def test_an_exchange_is_marked_and_asked(browse, server):
    page = browse("/")
    local_game(server, page, fen=EXCHANGE)
    click(page, "f4")
    assert page.locator(".target.exchange").count() == 1
    assert page.locator(".badge.exchange").count() == 1
    click(page, "f8")
    assert "both are lost" in page.inner_text(".popup")
    choose(page, "Exchange")
    wait_for_turns(page, 1)
    assert "empty" in square(page, "f8").get_attribute("aria-label")
    assert "empty" in square(page, "f4").get_attribute("aria-label")


def test_a_breach_is_marked_and_asked(browse, server):
    page = browse("/")
    local_game(server, page, fen=BREACH)
    click(page, "g10")
    assert page.locator(".target.breach").count() == 1
    click(page, "g11")
    choose(page, "Breach")
    wait_for_turns(page, 1)
    assert "Commander" in square(page, "g11").get_attribute("aria-label")


def test_a_promotion_asks_what(browse, server):
    page = browse("/")
    local_game(server, page, variant="chess", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    click(page, "a7", "a8")
    assert page.locator(".popup .choice").count() == 4
    choose(page, "Knight")
    wait_for_turns(page, 1)
    assert turns(page) == ["a8=N"]


def test_rings_flip_and_legend(browse, server):
    page = browse("/")
    local_game(server, page)
    page.click("[data-tool=rings]")
    assert page.locator(".ring-area").count() == 2
    before = square(page, "a1").bounding_box()
    page.click("[data-tool=flip]")
    after = square(page, "a1").bounding_box()
    assert after["x"] > before["x"]
    assert after["y"] < before["y"]
    page.click("[data-tool=legend]")
    assert "Sea: ships only" in page.inner_text("dialog")
    assert page.locator("dialog tbody tr").count() == 11


def test_two_browsers_in_one_game(browse, server):
    red = browse("/")
    red.select_option("#new-mode", "link")
    red.click("text=Start")
    red.wait_for_selector(".play .board .stack")
    blue = browse(red.url.removeprefix(server.url))
    blue.wait_for_selector(".board .stack")
    until(red, "!document.querySelector('.status').innerText.includes('link')")
    click(red, "g5", "g6")
    wait_for_turns(blue, 1)
    assert "Your turn" in blue.inner_text(".status")
    click(blue, "g8", "g7")
    wait_for_turns(red, 2)
    # Blue loses the connection, Red moves, Blue comes back by itself.
    blue.context.set_offline(True)
    click(red, "g6", "f6")
    wait_for_turns(red, 3)
    blue.context.set_offline(False)
    wait_for_turns(blue, 3)
    red.click("text=Draw")
    blue.wait_for_selector(".offer:not([hidden])")
    blue.click("text=Accept")
    red.wait_for_selector(".status.over")
    assert "Draw · agreed" in red.inner_text(".status")


def test_the_page_survives_a_killed_server(chromium, serve, tmp_path):
    context = chromium.new_context(locale="en-US", reduced_motion="reduce")
    page = context.new_page()
    with serve(tmp_path) as first:
        page.goto(first.url)
        page.wait_for_selector("html[data-ready]")
        local_game(first, page)
        click(page, "g5", "g6")
        wait_for_turns(page, 1)
        first.kill()
    page.wait_for_selector(".lost:not([hidden])")
    with serve(tmp_path, "--port", str(first.port)):
        page.wait_for_selector(".lost", state="hidden")
        assert turns(page) == ["Mg6"]
        click(page, "g8", "g7")
        wait_for_turns(page, 2)
    context.close()


# Study ----------------------------------------------------------------------------------------


def test_analysis(browse):
    page = browse("/analysis")
    page.wait_for_selector(".board .stack")
    click(page, "g5", "g6")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")
    page.click("[data-do=engine]")
    page.wait_for_selector(".lines b")
    page.wait_for_selector(".arrow")
    assert re.match(r"[+−]?\d", page.inner_text(".engine-head .score"))
    page.click("[data-do=engine]")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".tree .node.current:has-text('Start')")
    click(page, "k5", "k6")
    page.wait_for_selector(".variation .node.current:has-text('Ik6')")
    page.fill("#comment", "a quiet try")
    assert "a quiet try" in page.inner_text(".tree .comment")
    page.click("[data-do=share]")
    page.wait_for_url("**/analysis?v=official&m=Ik5k6")


def test_import_and_export(browse):
    page = browse("/analysis")
    page.wait_for_selector(".board .stack")
    page.click("[data-do=import]")
    page.fill("#import-text", STAY)
    page.click("[data-do=load]")
    until(page, "document.querySelectorAll('.board .stack').length === 4")
    page.click("[data-do=import]")
    page.fill("#import-text", "1. Zz9 is no move")
    page.click("[data-do=load]")
    page.wait_for_selector("dialog .toast.bad")
    page.fill("#import-text", '[Variant "official"]\n\n1. Mg6 {bold} (1. Ik6) 1... Mg7 *')
    page.click("[data-do=load]")
    page.wait_for_selector(".tree .node:has-text('Mg7')")
    assert "bold" in page.inner_text(".tree")
    page.click("[data-do=export]")
    text = page.input_value("#export-text")
    assert "1. Mg6 {bold} (1. Ik6) 1... Mg7" in text


def test_review_of_a_finished_game(browse, server):
    page = browse("/")
    game = local_game(server, page, variant="chess")
    for start, end in (("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")):
        click(page, start, end)
    page.wait_for_selector(".status.over")
    page.goto(f"{server.url}/analysis?game={game}")
    page.wait_for_selector(".tree .node:has-text('Qh4#')")
    page.click("[data-do=review]")
    page.wait_for_selector(".graph .area")
    page.wait_for_selector(".tree .mark", timeout=30_000)


def test_the_editor(browse):
    page = browse("/editor")
    page.wait_for_selector(".problems .fine")
    page.click("[data-do=clear]")
    page.click('[data-piece="rC"]')
    click(page, "g1")
    page.click('[data-piece="bC"]')
    click(page, "f12")
    page.click('[data-piece="rT"]')
    click(page, "a3")
    page.wait_for_selector(".problems li:not(.fine):has-text('a3')")
    page.click('[data-piece="rN"]')
    click(page, "a3")
    until(page, "!document.querySelector('.problems').innerText.includes('a3')")
    assert page.input_value("#editor-fen").startswith("5c5/")
    assert "(NT)" in page.input_value("#editor-fen")
    page.click("[data-do=analyse]")
    page.wait_for_selector(".analysis .board .stack")


def test_a_puzzle(browse, server):
    page = browse("/puzzles?v=official&n=0")
    page.wait_for_selector(".board .stack")
    puzzle = server.get("/api/puzzles/official/0")
    solved = None
    for move in puzzle["view"]["moves"]:
        verdict = server.post(
            "/api/puzzles", {"variant": "official", "index": 0, "moves": [move["text"]]}
        )
        if verdict["verdict"] == "solved" and move["group"] in ("F", "A", "T", "I"):
            solved = move
            break
    click(page, solved["from"], solved["to"])
    if page.locator(".popup").count():
        page.locator(".popup .choice").first.click()
    page.wait_for_selector(".verdict.good:has-text('Solved')")


def test_the_introduction(browse):
    page = browse("/intro")
    page.wait_for_selector(".board .stack")
    click(page, "b4", "b7")
    page.wait_for_selector(".verdict:has-text('Well done')")
    page.click("[data-do=next]")
    page.wait_for_selector("h2:has-text('Stacks')")
    click(page, "d4", "e4")
    choose(page, "Join")
    page.wait_for_selector(".verdict:has-text('Well done')")
    page.click("[data-do=next]")
    page.wait_for_selector("h2:has-text('Deployment')")
    until(page, "document.querySelectorAll('.board .plate').length === 1")
    click(page, "c4")
    page.locator('.popup button[aria-label="Air Force"]').click()
    click(page, "d4")
    page.click("text=Done, the rest stays")
    page.wait_for_selector(".verdict:has-text('Well done')")
    page.click("[data-do=next]")
    page.wait_for_selector("h2:has-text('Air defence')")
    page.wait_for_selector(".ring-area")
    click(page, "f4", "f8")
    choose(page, "Exchange")
    page.wait_for_selector(".verdict:has-text('Well done')")
    page.click("[data-do=next]")
    page.wait_for_selector("h2:has-text('Heroes')")
    until(page, "document.querySelectorAll('.board .stack').length === 4")
    click(page, "g5", "g6")
    page.wait_for_selector(".verdict:has-text('Well done')")


# Everyone -------------------------------------------------------------------------------------


def test_the_language(browse):
    page = browse("/")
    page.click("#settings-button")
    page.select_option("#set-lang", "vi")
    page.wait_for_selector("text=Chơi ngay")
    assert page.get_attribute("html", "lang") == "vi"
    page.reload()
    page.wait_for_selector("text=Chơi ngay")


def test_themes_and_coordinates(browse, server):
    page = browse("/")
    local_game(server, page)
    page.click("#settings-button")
    page.select_option("#set-theme", "dark")
    page.select_option("#set-coordinates", "numbers")
    assert page.get_attribute("html", "data-theme") == "dark"
    labels = page.locator(".layer-labels text").all_text_contents()
    assert "0" in labels
    assert "11" in labels
    assert "a" not in labels


def test_on_a_phone(browse, server):
    page = browse("/", width=360, height=720, has_touch=True, is_mobile=True)
    for path in ("/", "/analysis", "/editor", "/puzzles", "/intro"):
        page.goto(server.url + path)
        page.wait_for_selector("html[data-ready]")
        page.wait_for_selector(".board .stack")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
    local_game(server, page)
    square(page, "g5").tap()
    square(page, "g6").tap()
    wait_for_turns(page, 1)
    board = page.locator(".board").bounding_box()
    assert board["width"] > 340


def test_with_the_keyboard_alone(browse, server):
    page = browse("/")
    local_game(server, page)
    square(page, "a1").focus()
    for key in ["ArrowRight"] * 6 + ["ArrowUp"] * 4 + ["Enter", "ArrowUp", "Enter"]:
        page.keyboard.press(key)
    wait_for_turns(page, 1)
    assert turns(page) == ["Mg6"]
    until(page, "document.getElementById('live').textContent.includes('g6')")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=Looking back")
    page.keyboard.press("End")
    page.wait_for_selector("text=Blue to move")
    page.keyboard.press("?")
    page.wait_for_selector("dialog:has-text('This list')")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_a_deployment_with_the_keyboard_alone(browse, server):
    page = browse("/")
    local_game(server, page, fen=STACK)
    square(page, "c4").focus()
    page.keyboard.press("Enter")
    while page.evaluate("document.activeElement.getAttribute('aria-label')") != "Air Force":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tray:not([hidden])")
    done = page.get_by_role("button", name="Done, the rest stays")
    for _ in range(40):
        page.keyboard.press("Tab")
        if done.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("Enter")
    wait_for_turns(page, 1)


@pytest.mark.parametrize(
    ("theme", "paths"),
    [
        ("light", ["/", "/analysis", "/editor", "/puzzles", "/intro", "/game"]),
        ("dark", ["/analysis", "/game"]),
    ],
)
def test_axe_finds_nothing_serious(browse, server, theme, paths):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    page = browse("/", color_scheme=theme)
    bad = []
    for path in paths:
        if path == "/game":
            local_game(server, page, fen=STACK)
            click(page, "c4")
        else:
            page.goto(server.url + path)
        page.wait_for_selector(".board .stack")
        bad += [
            (path, one["id"], one["nodes"][0]["html"][:200])
            for one in axe.Axe().run(page).response["violations"]
            if one["impact"] in ("moderate", "serious", "critical")
        ]
    assert not bad


def test_fast_and_small(browse, server, chromium):
    context = chromium.new_context(locale="en-US")
    page = context.new_page()
    sizes, hosts = [], set()

    def count(response):
        hosts.add(response.url.split("/")[2])
        sizes.append(response.request.sizes()["responseBodySize"])

    page.on("requestfinished", lambda request: count(request.response()))
    page.goto(server.url)
    page.wait_for_selector("html[data-ready]")
    page.wait_for_selector(".board .stack")
    ready = page.evaluate("performance.now()")
    page.click("[data-do=play]")
    page.wait_for_selector(".play .board .stack")
    page.wait_for_timeout(200)
    assert hosts == {server.url.removeprefix("http://")}
    assert ready < 5000  # within a second on a machine that has nothing else to do
    assert sum(sizes) < 400_000, f"{sum(sizes)} bytes"
    print(f"usable after {ready:.0f} ms, {sum(sizes)} bytes in {len(sizes)} files")
    context.close()

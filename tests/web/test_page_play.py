"""The screens of a game: what stands where, what a press does, what is said."""

import json
import re

import pytest
from page import (
    KEY,
    PHONES,
    STACK,
    TOUCH,
    Finger,
    click,
    deploy,
    game_of,
    give_up,
    in_game,
    inside,
    meet,
    open_game,
    phone_of,
    play_line,
    square,
    toggle,
    turns,
    until,
    wait_for_turns,
)

SMALL = """() => {
  const place = document.querySelector("dialog[open]") || document.body;
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  return [...place.querySelectorAll("button, a[href], select, input, summary")]
    .filter((node) => seen(node) && !node.closest(".board, .skip"))
    .map((node) => [node, (node.closest("label") || node).getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
    .map(([{ className, textContent }, box]) => [className, textContent, box.width, box.height]);
}"""
CAPTURES = ("e2", "e4", "d7", "d5", "e4", "d5")


def too_small(page):
    """What on the page is smaller than a finger, as text."""
    return page.evaluate(SMALL)


@pytest.mark.parametrize("size", PHONES)
def test_nothing_to_press_is_smaller_than_a_finger(browse, server, size):
    page = in_game(browse, server, size, mode="link")
    assert too_small(page) == []
    page.goto(server.url)
    page.wait_for_selector(".tiles a")
    assert too_small(page) == []
    page.locator("#new-clock [data-value=more]").click()
    assert too_small(page) == []
    page.keyboard.press("Escape")
    open_game(server, page, fen=STACK)
    click(page, "c4")
    page.wait_for_selector(".chooser .toggle")
    assert too_small(page) == []
    toggle(page, "Air Force")
    click(page, "f4")
    page.wait_for_selector(".tray .gone .piece")
    assert too_small(page) == []
    page.locator("[data-do=tray-done]").click()
    wait_for_turns(page, 1)
    assert too_small(page) == []
    page.locator("[data-do=more]:visible").first.click()
    assert too_small(page) == []


@pytest.mark.parametrize("size", PHONES)
def test_who_has_lost_sees_the_same_panel(browse, server, size):
    page = in_game(browse, server, size, mode="engine", level=3)
    give_up(page)
    assert "You lost" in page.inner_text(".end-panel")
    links = page.locator(".end-links button:visible")
    assert "Easier level (2)" in links.first.inner_text()
    if size != "lying":  # there is room for one row of them
        assert len({link.bounding_box()["y"] for link in links.all()}) == 1
    for part in (".end-head", ".end-numbers", ".end-actions", ".end-links"):
        assert inside(page, f".end-panel {part}"), part
    heights = [
        page.locator(f".end-panel {part}").bounding_box()["y"]
        for part in (".end-head", ".end-numbers", ".end-actions", ".end-links")
    ]
    assert heights == sorted(set(heights))  # one below the other


def test_the_end_tells_reason_turns_and_time(browse, server):
    page = in_game(browse, server, variant="chess")
    play_line(page, *CAPTURES)
    page.wait_for_timeout(1000)  # no game is over in no time
    give_up(page)
    reason, count, time = page.inner_text(".end-head .note").split(" · ")
    assert reason == "Resignation"
    assert count == "2 turns"  # as they are numbered in the list
    assert re.fullmatch(r"[1-9]\d? seconds?", time)


def test_times_are_said_in_words_of_their_size(browse, server):
    page = in_game(browse, server)
    texts = page.evaluate(
        """async () => {
          const path = performance.getEntriesByType("resource").map((one) => one.name)
            .find((one) => one.endsWith("/js/said.js"));
          const { timeText } = await import(path);
          return [1, 59, 60, 750, 3600, 3900, 90000, 200000].map(timeText);
        }"""
    )
    assert texts == [
        "1 second",
        "59 seconds",
        "1 minute",
        "13 minutes",
        "1 hour",
        "1 h 5 min",
        "1 day",
        "2 days",
    ]


def test_on_a_phone_lying_down_the_end_leaves_the_board_free(browse, server):
    page = browse("/", width=844, height=390, **TOUCH)
    open_game(server, page, mode="engine", level=1)
    give_up(page)
    board = page.locator(".board").bounding_box()
    assert page.locator(".end-panel").bounding_box()["x"] >= board["x"] + board["width"]


def test_the_key_that_ended_a_game_starts_no_other(browse, server):
    page = in_game(browse, server, fen="4c6/11/4T6/11/11/11/11/11/11/11/11/6C4 r - - 0 1")
    game = game_of(page)
    square(page, "e10").focus()
    page.keyboard.press("Enter")
    square(page, "e12").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".end-panel:not([hidden])")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    page.wait_for_timeout(300)
    assert page.url.endswith(game)
    assert page.evaluate("document.activeElement.classList.contains('end-panel')")
    page.keyboard.press("Escape")
    assert page.locator(".end-panel").is_hidden()


def test_a_choice_stays_open_when_the_opponent_goes(browse, server, player):
    page = in_game(browse, server, mode="link", fen=STACK)
    other = meet(page, player)
    click(page, "c4")
    page.wait_for_selector(".chooser .toggle")
    other.close()
    page.wait_for_selector(".away")
    assert page.locator(".chooser .toggle").first.is_visible()


def test_a_free_seat_waits_and_is_not_away(browse, server):
    page = in_game(browse, server, mode="link")
    assert "Waiting for an opponent" in page.inner_text(".player-top")
    assert page.locator(".player-top .away").count() == 0


FITS = "node => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight"


@pytest.mark.parametrize("locale", ["en-US", "vi-VN"])
def test_who_is_waited_for_is_said_in_full(browse, server, locale):
    page = browse("/", width=1440, height=900, locale=locale)
    open_game(server, page, mode="link", clock={"base": 300, "increment": 3})
    assert page.locator(".player-top .called").evaluate(FITS)


def test_a_long_name_leaves_room_for_away(browse, server, player):
    page = in_game(browse, server, mode="link", clock={"base": 300, "increment": 3})
    other = player()
    other.send("open", game=game_of(page), key=other.key, join=True, name="W" * 24)
    other.hear("game")
    other.close()
    page.wait_for_selector(".player-top .away")
    bar, away = (page.locator(f".player-top {s}").bounding_box() for s in (".who", ".away"))
    assert away["x"] + away["width"] <= bar["x"] + bar["width"] + 1


def test_the_card_of_a_hero_tells_what_it_does_to_ships(browse, server):
    fen = "4c6/11/11/11/11/11/11/11/3+S7/1+N9/11/6C4 r - - 0 1"
    page = in_game(browse, server, fen=fen)
    square(page, "d4").hover()
    page.wait_for_selector(".piece-card:has-text('no ships')")
    square(page, "b3").hover()
    page.wait_for_selector(".piece-card:has-text('ships: 5 steps')")


def test_the_deployment_bar_says_what_went_where(browse, server):
    page = in_game(browse, server, fen=STACK)
    deploy(page, "Air Force", "f4")
    assert page.locator(".tray .gone").all_inner_texts()[0].split() == ["Air", "Force", "f4"]
    toggle(page, "Tank")
    click(page, "c6")
    until(page, "document.querySelectorAll('.tray .gone').length === 2")
    assert page.locator(".tray .gone").nth(1).inner_text().split()[-1] == "c6"


def test_the_status_tells_what_is_in_the_hand(browse, server):
    page = in_game(browse, server)
    click(page, "f4")
    until(page, "document.querySelector('.status .held').innerText === 'Tank, f4'")
    page.keyboard.press("Escape")
    until(page, "document.querySelector('.status .held').innerText === ''")


def test_a_game_is_walked_through_on_a_phone(browse, server):
    page = in_game(browse, server, "360x740")
    finger = Finger(page)
    finger.drag("g5", "g6")
    wait_for_turns(page, 1)
    page.locator(".action-bar .step").first.tap()
    until(page, "document.querySelector('.status').innerText.includes('Looking back')")
    assert page.locator(".stack[data-at=g5]").count() == 1
    page.locator(".action-bar .step").nth(1).tap()
    page.wait_for_selector(".stack[data-at=g6]")


def test_switches_beside_the_board_show_what_holds(browse, server):
    page = in_game(browse, server)
    assert page.locator(".left [data-switch=sound]").is_checked()
    page.click("#settings-button")
    page.locator("#set-sound").uncheck()
    page.keyboard.press("Escape")
    assert not page.locator(".left [data-switch=sound]").is_checked()


@pytest.mark.parametrize("games", [0, 2])
def test_the_start_needs_no_scrolling_on_a_desktop(browse, server, games, new_keys):
    page = browse("/", width=1440, height=900)
    key = new_keys()
    page.evaluate(f"localStorage.setItem('cotulenh.key', '{key}')")
    for _ in range(games):
        server.new_game(key, mode="local")
    page.goto(server.url)
    page.wait_for_selector(".tiles a")
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    assert page.locator(".picture .board").bounding_box()["width"] >= 640


def test_a_take_in_chess_is_said_and_heard(browse, server):
    page = in_game(browse, server, variant="chess")
    play_line(page, *CAPTURES)
    until(page, "document.getElementById('live').textContent.includes('takes')")


def test_the_turn_that_cost_the_game_is_shown(browse, server):
    page = browse("/")
    page.evaluate(f"localStorage.setItem('cotulenh.key', '{KEY}')")
    game = server.new_game(KEY, mode="engine", level=8, variant="chess")
    page.goto(f"{server.url}/game/{game}")
    page.wait_for_selector(".board .stack")
    for count, (start, end) in enumerate((("f2", "f3"), ("g2", "g4")), 1):
        click(page, start, end)
        wait_for_turns(page, 2 * count)
    page.wait_for_timeout(200)
    if not page.locator(".status.over").count():
        page.click("[data-do=resign]")
        page.click("[data-do=yes]")
    page.click(".end-panel [data-do=turning]", timeout=60_000)
    assert page.locator(".end-panel").is_hidden()
    page.wait_for_selector(".layer-arrows .arrow")
    assert "Better" in page.inner_text(".status")
    assert page.locator(".stack[data-at=g4]").count() == 0  # before the turn
    page.locator(".steps button").nth(3).click()
    until(page, "!document.querySelector('.layer-arrows .arrow')")


def test_a_refusal_is_read_on_a_phone(browse, server, player):
    """Words that pass by were hidden there, for they had the name of a hidden part of the page."""
    page = in_game(browse, server, "390x844", mode="link")
    other = meet(page, player)
    Finger(page).drag("g5", "g6")
    wait_for_turns(page, 1)
    page.locator("[data-do=draw]").tap()
    until(page, "document.querySelector('[data-do=draw]').disabled")  # one offer a turn
    other.hear("game")
    other.act("decline")
    page.wait_for_selector(".toast:has-text('declined')")


def test_a_wish_for_a_rematch_is_seen_in_the_panel(browse, server, player):
    page = in_game(browse, server, "390x844", mode="link")
    other = meet(page, player)
    other.act("resign")
    page.wait_for_selector(".end-panel:not([hidden])")
    other.act("rematch")
    page.locator(".end-panel button", has_text="Accept the rematch").tap()
    until(page, "!document.querySelector('.status.over')")


def test_an_own_wish_for_a_rematch_is_made_once(browse, server, player):
    page = browse("/", **phone_of("390x844"))
    player(open_game(server, page, mode="link")).act("resign")
    page.locator(".end-panel [data-do=rematch]").tap()
    until(page, "document.querySelector('.end-panel [data-do=rematch]').disabled")
    assert "You asked" in page.inner_text(".end-panel [data-do=rematch]")


def test_a_challenge_says_which_side_is_free(browse, server, player, key):
    player(server.new_game(key, mode="link", public=True, name="Lan", side=0), key)
    page = browse("/lobby")
    page.wait_for_selector(".rows a:has-text('Lan')")
    assert "you play Blue" in page.inner_text(".rows a:has-text('Lan')")


def test_an_own_game_stays_ones_own_after_a_reload_without_storage(browse, server):
    page = browse("/")
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.click("[data-do=play]")
    page.wait_for_selector(".status.mine")
    page.reload()
    page.wait_for_selector(".status.mine")
    assert "Your turn" in page.inner_text(".status")


def test_escape_closes_the_card_of_a_piece(browse, server):
    page = in_game(browse, server, "390x844")
    Finger(page).tap("f4", hold=900)
    page.wait_for_selector(".piece-card.full:not([hidden])")
    page.keyboard.press("Escape")
    assert page.locator(".piece-card").is_hidden()


def test_the_focus_returns_from_choosing_a_game(browse):
    page = browse("/")
    page.locator("[data-do=choose-game]").focus()
    page.keyboard.press("Enter")
    page.locator("[data-variant=chess]").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.variant") == "chess"
    page.keyboard.press("Escape")
    until(page, "document.activeElement.dataset.do === 'choose-game'")


def test_a_game_of_chess960_is_looked_back_through(browse, server):
    page = in_game(browse, server, variant="chess", chess960=True)
    game = game_of(page)
    start = server.get(f"/api/games/{game}")["view"]
    move = next(one for one in start["moves"] if one["from"][1] == "2")
    click(page, move["from"], move["to"])
    wait_for_turns(page, 1)
    page.keyboard.press("Home")
    page.wait_for_selector(f".stack[data-at={move['from']}]")
    assert not page.locator(".toast").count()


def test_a_page_out_of_step_asks_for_the_whole_game(browse, server, player):
    """A change that never arrived: the next one shows it, and the page asks."""
    page = browse("/")
    dropped, kinds = [], []

    def relay(client):
        upstream = client.connect_to_server()

        def down(message):
            kind = json.loads(message)["t"]
            kinds.append(kind)
            if kind == "change" and not dropped:
                dropped.append(message)
            else:
                client.send(message)

        upstream.on_message(down)

    page.route_web_socket("**/ws", relay)
    game = open_game(server, page)
    click(page, "g5", "g6")
    until(page, "!document.querySelector('.status.mine')")  # drawn, but never told
    page.wait_for_timeout(200)
    assert server.get(f"/api/games/{game}")["moves"] == ["Mg5g6"]
    assert dropped
    player(game, KEY).play("Mg8g7")
    wait_for_turns(page, 2)
    assert turns(page) == ["Mg6", "Mg7"]
    assert kinds.count("game") >= 2

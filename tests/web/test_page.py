"""Playing on the real page in a real browser: mouse, keyboard, two browsers."""

import pytest
from page import (
    BREACH,
    EXCHANGE,
    KEY,
    STACK,
    STAY,
    choose,
    click,
    deploy,
    game_of,
    in_game,
    label,
    middle,
    open_game,
    square,
    toggle,
    turns,
    until,
    wait_for_turns,
)

from cotulenh.engine.levels import rating
from cotulenh.web.think import LEVELS


def drag(page, start, end, *, button="left"):
    page.mouse.move(*middle(page, start))
    page.mouse.down(button=button)
    x, y = middle(page, end)
    page.mouse.move(x - 5, y - 5, steps=3)
    page.mouse.move(x, y)
    page.mouse.up(button=button)


def test_one_click_to_play(browse):
    page = browse("/")
    page.click("[data-do=play]")
    page.wait_for_selector(".play .board .stack")
    click(page, "g5", "g6")
    wait_for_turns(page, 2)  # the engine has answered
    assert turns(page)[0] == "Mg6"


def test_play_takes_the_form_as_it_is(browse):
    page = browse("/")
    page.locator("#new-mode [data-value=local]").click()
    page.click("[data-do=choose-game]")
    page.click("[data-variant=chess]")
    page.click("[data-do=take-game]")
    page.locator("#new-clock [data-value='5+3']").click()
    page.click("[data-do=play]")
    page.wait_for_selector(".play .board .stack")
    assert page.get_attribute(".board", "data-variant") == "chess"
    assert page.inner_text(".clock >> nth=0") == "5:00"
    page.goto(page.url.split("/game")[0])
    page.wait_for_selector("#new-clock [data-value='5+3'][aria-pressed=true]")  # remembered


def test_a_level_says_what_it_is_worth_in_the_game_chosen(browse):
    def shown(level):
        page.click(f".level-keys button >> nth={level - 1}")
        return page.inner_text(".new-game .field:has(.level-keys) .label")

    def worth(level, game):
        return 10 * round(rating(LEVELS[level - 1].skill, game) / 10)

    page = browse("/")
    assert shown(3) == f"Level 3 · easy · rating {worth(3, 'official')}"
    assert shown(7) == "Level 7 · very strong"  # above the ladder
    assert shown(8) == "Level 8 · full strength"
    page.click("[data-do=choose-game]")
    page.click("[data-variant=chess]")
    page.click("[data-do=take-game]")
    assert shown(1) == "Level 1 · first steps · rating 500"
    assert shown(4) == f"Level 4 · casual · rating {worth(4, 'chess')}"
    assert worth(4, "chess") != worth(4, "official")  # the game chosen matters


def test_colour_and_a_clock_of_ones_own_are_remembered(browse):
    page = browse("/")
    page.locator("#new-side [data-value='1']").click()
    page.locator("#new-clock [data-value=more]").click()
    page.fill("#clock-minutes", "7")
    page.fill("#clock-seconds", "2")
    page.click("[data-do=take-clock]")
    page.reload()
    page.wait_for_selector("#new-side [data-value='1'][aria-pressed=true]")
    page.click("[data-do=play]")
    page.wait_for_selector(".play .board .stack")
    assert page.locator(".clock").first.inner_text().startswith("7:0")
    assert square(page, "a1").bounding_box()["y"] < square(page, "a12").bounding_box()["y"]


def test_a_running_game_is_watched_from_the_lobby(browse, server, player):
    made = server.post("/api/games", {"key": KEY, "mode": "link", "public": True})
    red, blue = player(made["id"], key=KEY), player(made["id"])
    red.play("Mg5g6")
    page = browse("/lobby")
    page.locator(f".rows a[href='/game/{made['id']}']").click()
    wait_for_turns(page, 1)
    while len(blue.state["moves"]) < 1:
        blue.hear("game")
    blue.play("Mg8g7")
    wait_for_turns(page, 2)
    click(page, "f4")
    assert page.locator(".target").count() == 0  # who watches does not move


def test_a_whole_game_by_mouse(browse, server):
    """The fool's mate, the panel at the end, then the rematch."""
    page = in_game(browse, server, variant="chess")
    for start, end in (("f2", "f3"), ("e7", "e5"), ("g2", "g4")):
        click(page, start, end)
    wait_for_turns(page, 3)
    drag(page, "d8", "h4")
    page.wait_for_selector(".end-panel:not([hidden])")
    assert "Black won" in page.inner_text(".end-panel")
    assert "Checkmate" in page.inner_text(".end-panel")
    assert page.locator(".layer-check .check").count() == 1
    until(page, "document.querySelector('.end-numbers').innerText.includes('%')")  # accuracy
    page.click(".end-panel [data-do=see-board]")
    assert page.locator(".end-panel").is_hidden()
    page.locator(".action-bar .primary").click()
    until(page, "!document.querySelector('.status.over')")


def test_marks_differ_in_shape(browse, server):
    page = in_game(browse, server)
    click(page, "c4")
    assert page.locator(".mark.normal").count() == 11
    assert page.locator(".mark.combine").count() >= 1
    drawn = page.evaluate(
        "['normal','capture','stay','exchange','combine','breach']"
        ".map((n) => document.getElementById('mark-' + n).innerHTML)"
    )
    assert len(set(drawn)) == 6
    click(page, "k9")
    assert page.locator(".target").count() == 0


def test_escape_ends_a_choice_made_by_mouse(browse, server):
    page = in_game(browse, server)
    click(page, "c4", "c5")
    assert page.locator(".chooser").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".chooser").is_hidden()
    assert page.locator(".target").count() == 0


def test_joining_asks_which_was_meant(browse, server):
    page = in_game(browse, server)
    click(page, "c4", "c5")
    choose(page, "Select that piece")
    assert page.locator(".layer-chosen .selected").count() == 1
    click(page, "c4")
    choose(page, "Join")
    wait_for_turns(page, 1)
    assert "Navy with Infantry" in label(page, "c4")


def test_a_deployment(browse, server):
    page = in_game(browse, server, fen=STACK)
    click(page, "c4")
    assert page.locator(".chooser .toggle").count() == 3
    toggle(page, "Air Force")
    click(page, "f4")
    page.wait_for_selector(".tray .gone .piece")
    assert page.locator(".tray .toggle").count() == 2
    assert "Fc4>f4" in page.inner_text(".moves .pending")  # the list follows
    page.click("[data-do=tray-back]")
    page.wait_for_selector(".tray", state="hidden")
    deploy(page, "Air Force", "f4")
    toggle(page, "Tank")
    click(page, "d4")
    until(page, "document.querySelectorAll('.tray .gone .piece').length === 2")
    page.click("[data-do=tray-done]")
    wait_for_turns(page, 1)
    assert page.locator(".tray").is_hidden()
    assert "Blue to move" in page.inner_text(".status")


def test_cancelling_a_deployment(browse, server):
    page = in_game(browse, server, fen=STACK)
    deploy(page, "Tank", "d4")
    page.click("[data-do=tray-cancel]")
    page.wait_for_selector(".tray", state="hidden")
    assert "Navy with Air Force, Tank" in label(page, "c4")


def test_the_choice_of_a_stack_shows_its_targets_and_covers_none(browse, server):
    page = in_game(browse, server, fen=STACK)
    click(page, "c4")
    before = page.locator(".target").count()
    page.locator('.toggle[aria-label="Air Force"]').hover()
    until(page, "document.querySelectorAll('.target.preview').length > 0")
    assert page.locator(".target").count() != before
    page.mouse.move(5, 400)
    until(page, "document.querySelectorAll('.target.preview').length === 0")
    assert page.locator(".target").count() == before
    box, board = page.locator(".chooser").bounding_box(), page.locator(".board").bounding_box()
    beside = box["x"] + box["width"] <= board["x"] or box["x"] >= board["x"] + board["width"]
    assert beside


@pytest.mark.parametrize(
    ("choice", "where"), [("Take and stay here", "f4"), ("Take and stand there", "f8")]
)
def test_stay_or_replace(browse, server, choice, where):
    page = in_game(browse, server, fen=STAY)
    click(page, "f4", "f8")
    choose(page, choice)
    wait_for_turns(page, 1)
    assert "Air Force" in label(page, where)
    assert page.locator(".took").count() == 1
    assert "+20" in page.inner_text(".player-bottom .points")


def test_an_exchange_is_marked_and_asked(browse, server):
    page = in_game(browse, server, fen=EXCHANGE)
    click(page, "f4")
    assert page.locator(".target.exchange").count() == 1
    click(page, "f8")
    assert "both are lost" in page.inner_text(".chooser")
    choose(page, "Exchange")
    wait_for_turns(page, 1)
    assert "empty" in label(page, "f8")
    assert "empty" in label(page, "f4")


def test_a_breach_is_marked_and_asked(browse, server):
    page = in_game(browse, server, fen=BREACH)
    click(page, "g10")
    assert page.locator(".target.breach").count() == 1
    click(page, "g11")
    choose(page, "Breach")
    wait_for_turns(page, 1)
    assert "Commander" in label(page, "g11")


def test_a_promotion_asks_what(browse, server):
    page = in_game(browse, server, variant="chess", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    click(page, "a7", "a8")
    assert page.locator(".chooser .choice").count() == 4
    choose(page, "Knight")
    wait_for_turns(page, 1)
    assert turns(page) == ["a8=N"]


# Moves at once ------------------------------------------------------------------------------------


def slow_down(page):
    """What the page sends waits until it is let go."""
    page.evaluate(
        "() => { const send = WebSocket.prototype.send; window.held = [];"
        "WebSocket.prototype.send = function (text) {"
        "  const go = () => send.call(this, text);"
        "  if (text.includes('\"move\"')) window.held.push(go); else go(); } }"
    )


def test_a_move_is_drawn_before_the_server_has_answered(browse, server):
    page = in_game(browse, server)
    slow_down(page)
    drag(page, "g5", "g6")
    assert "Militia" in label(page, "g6")
    assert "empty" in label(page, "g5")
    assert turns(page) == []
    page.evaluate(
        "() => { window.moved = 0; const a = Element.prototype.animate;"
        "Element.prototype.animate = function (...x)"
        " { window.moved += 1; return a.apply(this, x) } }"
    )
    page.evaluate("window.held.forEach((go) => go())")
    wait_for_turns(page, 1)
    assert page.evaluate("window.moved") == 0  # not moved a second time


def test_a_refused_move_is_taken_back_with_a_word(browse, server, player):
    page = in_game(browse, server)
    game = game_of(page)
    slow_down(page)
    click(page, "g5", "g6")
    assert "Militia" in label(page, "g6")
    # Meanwhile the same player has moved elsewhere: the page's move comes too late.
    other = player(game, "playwright-key-0123456789")
    other.play("Mg5f5")
    page.evaluate("window.held.forEach((go) => go())")
    page.wait_for_selector(".toast.bad")
    until(page, "document.querySelector('[data-sq=f5]').ariaLabel.includes('Militia')")
    assert "empty" in label(page, "g6")


def test_a_premove_is_played_when_its_turn_comes(browse, server, player):
    page = in_game(browse, server, mode="link")
    game = game_of(page)
    other = player(game)
    until(page, "!document.querySelector('.status').innerText.includes('link')")
    click(page, "g5", "g6")
    wait_for_turns(page, 1)
    drag(page, "i4", "i5")
    assert page.locator(".layer-chosen .pre").count() == 2
    until(page, "true")
    other.hear("game")
    while len(other.state["moves"]) < 1:
        other.hear("game")
    other.play("Mg8f8")
    wait_for_turns(page, 3)
    assert turns(page)[2] == "Gi5"


def test_every_move_may_be_confirmed_first(browse, server):
    page = browse("/")
    page.evaluate("localStorage.setItem('cotulenh.settings', '{\"confirm\": true}')")
    open_game(server, page)
    click(page, "g5", "g6")
    choose(page, "Take it back")
    assert "Militia" in label(page, "g5")
    click(page, "g5", "g6")
    choose(page, "Play it")
    wait_for_turns(page, 1)


def test_arrows_and_circles_of_ones_own(browse, server):
    page = in_game(browse, server)
    drag(page, "g5", "g8", button="right")
    square(page, "e4").click(button="right")
    assert page.locator(".layer-notes .note").count() == 2
    drag(page, "g5", "g8", button="right")  # once more takes it away
    assert page.locator(".layer-notes .note").count() == 1
    click(page, "k12")
    assert page.locator(".layer-notes .note").count() == 0


# What pieces say of themselves ------------------------------------------------------------------


def test_a_card_and_the_reach_of_any_piece_on_hover(browse, server):
    page = browse("/", width=1440, height=900)
    open_game(server, page)
    square(page, "f9").hover()  # the enemy's
    page.wait_for_selector(".piece-card:not([hidden])")
    text = page.inner_text(".piece-card")
    for word in ("Tank", "Xe tăng", "20 points", "2 steps, straight", "Infantry"):
        assert word in text
    page.wait_for_selector(".layer-reach .reach")
    assert page.locator(".layer-reach .reach").count() == 4
    square(page, "a6").hover()
    page.wait_for_selector(".piece-card", state="hidden")


def test_rings_are_circles(browse, server):
    page = browse("/", width=1440, height=900)
    open_game(server, page)
    page.locator("[data-ring='0']").click()
    paths = page.locator(".ring-edge.side0").get_attribute("d")
    assert "A" in paths
    assert "h" not in paths
    assert page.locator(".ring-edge").count() == 1
    page.keyboard.press("r")
    page.keyboard.press("f")
    assert square(page, "a1").bounding_box()["x"] > square(page, "k1").bounding_box()["x"]


def test_the_legend_has_a_line_for_every_piece(browse, server):
    page = browse("/learn", width=390, height=844)
    page.wait_for_selector(".board .stack")
    page.click("[data-tool=legend]")
    assert "Sea: ships only" in page.inner_text("dialog")
    assert page.locator("dialog details").count() == 11
    page.locator("dialog summary").nth(6).click()
    assert "closes every point within distance 1" in page.inner_text("dialog")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


# Meeting -----------------------------------------------------------------------------------------


def test_two_browsers_in_one_game(browse, server):
    red = browse("/")
    red.locator("#new-mode [data-value=link]").click()
    red.click("[data-do=play]")
    red.wait_for_selector(".play .board .stack")
    assert red.locator("[data-do=resign]").count() == 0  # nobody is here yet: cancel, not resign
    red.click("[data-do=share-link]")
    assert red.locator("dialog .qr").count() == 1
    red.keyboard.press("Escape")
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
    red.click("[data-do=draw]")
    blue.wait_for_selector(".offer:not([hidden])")
    blue.click("text=Decline")
    red.wait_for_selector(".toast:has-text('declined')")
    blue.locator(".chat summary").click()
    blue.locator(".presets button").first.click()
    red.wait_for_selector(".chat-lines li", state="attached")
    blue.click("[data-do=draw]")
    red.wait_for_selector(".offer:not([hidden])")
    red.click("text=Accept")
    red.wait_for_selector(".end-panel.drawn")
    assert "Draw" in red.inner_text(".end-panel")


def test_a_game_nobody_joined_is_cancelled(browse):
    page = browse("/")
    page.locator("#new-mode [data-value=link]").click()
    page.click("[data-do=play]")
    page.click("[data-do=cancel-game]")
    page.wait_for_selector(".home")


def test_the_lobby_shows_open_challenges(browse, server):
    page = browse("/lobby")
    maker = browse("/")
    maker.locator("#new-mode [data-value=link]").click()
    maker.locator("#new-public").check()
    maker.click("[data-do=play]")
    maker.wait_for_selector(".play .board .stack")
    page.locator(f".rows a[href='{maker.url.removeprefix(server.url)}']").click()
    page.wait_for_selector(".play .board .stack")
    until(maker, "!document.querySelector('.status').innerText.includes('link')")


def test_on_one_screen_a_draw_is_asked_about(browse, server):
    page = in_game(browse, server)
    page.click("[data-do=draw]")
    page.click("dialog >> text=Cancel")
    assert page.locator(".status.over").count() == 0
    page.click("[data-do=draw]")
    page.click("[data-do=yes]")
    page.wait_for_selector(".end-panel.drawn")


def test_storage_that_is_blocked_leaves_one_a_player(browse):
    page = browse("/")
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })"
    )
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.click("[data-do=play]")
    page.wait_for_selector(".play .board .stack")
    click(page, "g5", "g6")
    wait_for_turns(page, 1)


def test_the_page_survives_a_killed_server(chromium, serve, tmp_path):
    context = chromium.new_context(locale="en-US", reduced_motion="reduce")
    page = context.new_page()
    with serve(tmp_path) as first:
        page.goto(first.url)
        page.wait_for_selector("html[data-ready]")
        open_game(first, page)
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


# Keys ---------------------------------------------------------------------------------------------


def test_with_the_keyboard_alone(browse, server):
    page = in_game(browse, server)
    square(page, "a1").focus()
    for key in ["ArrowRight"] * 6 + ["ArrowUp"] * 4 + ["Enter", "ArrowUp", "Enter"]:
        page.keyboard.press(key)
    wait_for_turns(page, 1)
    assert turns(page) == ["Mg6"]
    until(page, "document.getElementById('live').textContent.includes('g6')")
    page.keyboard.press("i")
    page.wait_for_selector(".piece-card:not([hidden])")
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
    page = in_game(browse, server, fen=STACK)
    square(page, "c4").focus()
    page.keyboard.press("Enter")
    while page.evaluate("document.activeElement.getAttribute('aria-label')") != "Air Force":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    square(page, "c4").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    square(page, "d4").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".tray .gone .piece")
    done = page.locator("[data-do=tray-done]")
    for _ in range(60):
        page.keyboard.press("Tab")
        if done.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("Enter")
    wait_for_turns(page, 1)


def test_a_list_of_600_turns_grows_by_one_row(browse, server):
    """Rows are appended: what was there stays the same node."""
    page = in_game(browse, server)
    click(page, "g5", "g6")
    wait_for_turns(page, 1)
    page.evaluate("window.first = document.querySelector('.moves button.turn')")
    click(page, "g8", "g7")
    wait_for_turns(page, 2)
    assert page.evaluate("window.first === document.querySelector('.moves button.turn')")

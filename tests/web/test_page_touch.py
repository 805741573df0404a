"""The page in the hand: real touch events on phones, upright and lying, and on tablets."""

import json

import pytest
from page import (
    PHONES,
    STACK,
    STAY,
    TOUCH,
    Finger,
    choose,
    click,
    game_of,
    give_up,
    in_game,
    in_sight,
    inside,
    label,
    more,
    open_game,
    phone_of,
    square,
    toggle,
    turns,
    until,
    wait_for_turns,
)


@pytest.fixture(params=PHONES)
def phone(request, browse):
    return browse("/", **phone_of(request.param))


def test_a_piece_is_dragged_by_finger(phone, server):
    open_game(server, phone)
    finger = Finger(phone)
    finger.drag("g5", "g6", lift=False)
    phone.wait_for_selector(".aim[visibility=visible]")
    phone.wait_for_timeout(100)
    ghost = phone.locator(".ghost").bounding_box()
    target = square(phone, "g6").bounding_box()
    middle = ghost["y"] + ghost["height"] / 2
    assert middle < target["y"] - 20  # above the finger, to be seen
    finger.lift()
    wait_for_turns(phone, 1)
    assert turns(phone) == ["Mg6"]
    assert phone.evaluate("scrollY") == 0  # the page did not scroll along


def test_two_taps_move_and_a_long_press_tells(phone, server):
    open_game(server, phone)
    finger = Finger(phone)
    finger.tap("g5")
    until(phone, "document.querySelectorAll('.target').length > 0")
    finger.tap("g6")
    wait_for_turns(phone, 1)
    finger.tap("f4", hold=600)
    phone.wait_for_selector(".piece-card.full:not([hidden])")
    assert "Tank" in phone.inner_text(".piece-card")
    phone.wait_for_selector(".layer-reach .reach")
    finger.drag("d5", "d8", hold=600)
    assert phone.locator(".layer-notes .note").count() == 1


def test_the_whole_board_is_seen_with_names_and_clocks(phone, server):
    open_game(server, phone, clock={"base": 300, "increment": 3})
    for part in (".board", ".player-top", ".player-bottom", ".action-bar"):
        assert inside(phone, part), part
    assert phone.locator(".top").is_hidden()  # the header is folded away
    assert phone.locator(".clock:visible").count() == 2
    board = phone.locator(".board").bounding_box()
    size = phone.viewport_size
    assert board["width"] >= size["width"] - 1 or board["height"] >= size["height"] - 1


def test_a_deployment_never_leaves_the_screen(phone, server):
    open_game(server, phone, fen=STACK)
    finger = Finger(phone)
    finger.tap("c4")
    phone.wait_for_selector(".chooser .toggle")
    assert inside(phone, ".chooser")
    phone.locator('.toggle[aria-label="Air Force"]').tap()
    finger.tap("f4")
    phone.wait_for_selector(".tray .gone .piece")
    for button in ("tray-done", "tray-back", "tray-cancel"):
        assert inside(phone, f"[data-do={button}]"), button
        box = phone.locator(f"[data-do={button}]").bounding_box()
        assert box["height"] >= 44
    board = phone.locator(".board").bounding_box()
    tray = phone.locator(".tray").bounding_box()
    covers_width = tray["x"] < board["x"] + board["width"] - 1
    assert not (covers_width and tray["y"] < board["y"] + board["height"] - 1)
    phone.locator("[data-do=tray-done]").tap()
    wait_for_turns(phone, 1)


def test_a_whole_game_and_its_end_by_finger(browse, server):
    page = in_game(browse, server, "390x844", variant="chess")
    finger = Finger(page)
    for n, (start, end) in enumerate((("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4"))):
        finger.drag(start, end)
        wait_for_turns(page, n + 1)
    page.wait_for_selector(".end-panel:not([hidden])")
    assert inside(page, ".end-panel [data-do=rematch]")
    page.locator("[data-do=rematch]").tap()
    until(page, "!document.querySelector('.status.over')")


def test_no_page_is_wider_than_the_screen(browse, server):
    for width, height in (*PHONES.values(), (820, 1180), (1024, 768)):
        page = browse("/", width=width, height=height, **TOUCH)
        for path in ("/", "/analysis", "/editor", "/puzzles", "/learn", "/lobby", "/about"):
            page.goto(server.url + path)
            page.wait_for_selector("html[data-ready]")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (path, width, height)


@pytest.mark.parametrize(("width", "height", "least"), [(1440, 900, 58), (820, 1180, 50)])
def test_screens_use_the_room_they_have(browse, server, width, height, least):
    page = browse("/", width=width, height=height)
    open_game(server, page)
    assert square(page, "g6").bounding_box()["width"] >= least
    for part in (".board", ".player-top", ".player-bottom", ".action-bar", ".moves"):
        assert inside(page, part), part


def test_the_browsers_font_size_counts(browse, server):
    page = in_game(browse, server)
    before = page.locator(".status").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    page.evaluate("document.documentElement.style.fontSize = '150%'")
    after = page.locator(".status").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert after == pytest.approx(1.5 * before)


def test_a_lesson_with_a_finger_alone(browse):
    page = browse("/learn/stacks", **phone_of("390x844"))
    page.wait_for_selector(".board .stack")
    finger = Finger(page)
    finger.drag("d4", "e4")
    page.wait_for_selector(".verdict.good")
    page.locator("[data-do=next]").tap()
    until(page, "location.pathname === '/learn/deployment'")  # the board changes with the address
    finger.tap("c4")
    toggle(page, "Air Force")
    finger.tap("d4")
    page.locator("[data-do=tray-done]").tap()
    page.wait_for_selector(".verdict.good")


def test_taking_from_afar_by_finger(browse, server):
    page = in_game(browse, server, "390x844", fen=STAY)
    click(page, "f4", "f8")
    assert inside(page, ".chooser")
    choose(page, "Take and stay here")
    wait_for_turns(page, 1)
    assert "Air Force" in label(page, "f4")


def test_a_puzzle_with_a_finger_alone(browse, server):
    for puzzle in server.get("/api/puzzles/official/pack?n=40&theme=mate1"):
        pieces, accept = puzzle["view"]["pieces"], puzzle["line"][0]["accept"]
        moves = [m for m in puzzle["view"]["moves"] if m["text"] in accept]
        alone = [m for m in moves if len(pieces[m["from"]]) == 1 and m["to"] not in pieces]
        if alone:
            break
    page = browse(f"/puzzles?v=official&id={puzzle['id']}", **phone_of("390x844"))
    page.wait_for_selector(".board .stack")
    Finger(page).drag(alone[0]["from"], alone[0]["to"])
    page.wait_for_selector(".verdict.good:has-text('Solved')")
    page.locator("[data-do=next]").tap()
    until(page, "!document.querySelector('.verdict.good')")


def meeting(browse, server, player, size, **options):
    """A page on a phone that plays by link, after a turn of each side, and its opponent."""
    page = browse("/", **phone_of(size), **options)
    open_game(server, page, mode="link")
    other = player(game_of(page))
    page.wait_for_selector(".status.mine")
    Finger(page).drag("g5", "g6")
    while len(other.state["moves"]) < 1:
        other.hear("game")
    other.play("Mg8g7")
    wait_for_turns(page, 2)
    return page, other


@pytest.mark.parametrize("size", PHONES)
def test_an_offer_is_in_sight_with_its_answers(browse, server, player, size):
    page, other = meeting(browse, server, player, size)
    other.act("draw")
    page.wait_for_selector(".offer:not([hidden])")
    assert in_sight(page, ".offer")
    assert in_sight(page, ".board")
    page.locator(".chat summary").tap()  # one may talk before one answers
    page.locator(".presets button").first.tap()
    page.locator(".offer button", has_text="Decline").tap()
    page.wait_for_selector(".offer", state="hidden")


@pytest.mark.parametrize("size", PHONES)
def test_players_talk_on_a_phone(browse, server, player, size):
    page, other = meeting(browse, server, player, size)
    other.send("chat", preset="hello")
    page.wait_for_selector(".chat .count:has-text('1')")
    page.locator(".chat summary").tap()
    page.locator(".presets button").first.tap()
    until(page, "document.querySelectorAll('.chat-lines li').length === 2")
    page.locator(".chat summary").tap()
    page.wait_for_selector(".chat .count", state="hidden")
    other.send("chat", preset="thanks")
    page.wait_for_selector(".chat .count:has-text('1')")  # what is new, not all that was said


@pytest.mark.parametrize("size", PHONES)
def test_all_of_a_lost_game_is_in_sight_in_both_languages(browse, server, player, size):
    page, _ = meeting(browse, server, player, size, locale="vi-VN")
    bad = {"turn": 1, "of": 2, "score": -300, "mark": "??", "loss": 300, "best_moves": ["Ic5c6"]}
    start = {"turn": 0, "of": 2, "score": 0}
    review = {"judged": [start, bad], "accuracy": [60, 90], "counts": [[0, 0, 1], [0, 0, 0]]}
    place = f"cotulenh.review.{game_of(page)}"
    page.evaluate(f"localStorage.setItem({place!r}, {json.dumps(json.dumps(review))})")
    give_up(page)
    for part in ("[data-do=turning]", "[data-do=rematch]", "[data-do=review-game]"):
        assert in_sight(page, f".end-panel {part}"), part
    for link in page.locator(".end-links button:visible").all():
        box = link.bounding_box()
        assert box["y"] + box["height"] <= page.viewport_size["height"], link.inner_text()


def test_an_invitation_is_copied_on_a_phone_that_lies(browse, server):
    page = in_game(browse, server, "lying", mode="link")
    page.locator("[data-do=share-link]").tap()
    page.wait_for_selector("dialog .qr")
    assert in_sight(page, "dialog .qr")
    assert in_sight(page, "[data-do=copy-link]")


@pytest.mark.parametrize("size", PHONES)
def test_the_end_of_a_puzzle_is_in_sight_and_so_is_the_next(browse, size):
    page = browse("/puzzles?v=official&theme=mate2", **phone_of(size))
    page.wait_for_selector(".board .stack")
    page.locator("[data-do=solution]").tap()
    page.wait_for_selector(".verdict:has-text('That was the solution.')")
    for part in (".verdict", ".played", "[data-do=next]"):
        assert in_sight(page, part), part
    before = page.url
    page.locator("[data-do=next]").tap()
    until(page, f"location.href !== {before!r}")
    assert in_sight(page, ".task-head")


def test_mistakes_are_learned_from_on_a_phone_that_lies(browse):
    page = browse("/analysis?v=chess&m=f2f3,e7e5,g2g4", **phone_of("lying"))
    page.wait_for_selector(".tree .node:has-text('g4')")
    more(page, "review")
    until(page, "document.querySelector('.review .sides').innerText.includes('%')", 60)
    page.locator("[data-do=learn-mistakes]").tap()
    page.wait_for_selector("[data-do=show-better]")
    assert in_sight(page, ".analysis .verdict")
    page.locator("[data-do=show-better]").tap()
    page.wait_for_selector(".verdict.good")
    assert in_sight(page, ".analysis .verdict")

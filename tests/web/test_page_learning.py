"""Course, puzzles and editor as a newcomer meets them, most of it on phones."""

import json
import re
from pathlib import Path

import pytest
from page import (
    TOUCH,
    click,
    inside,
    phone_of,
    square,
    until,
)

import cotulenh.web
from cotulenh.web.view import new_board, view

STATIC = Path(cotulenh.web.__file__).parent / "static"


def heroes(board):
    return sum("+" in piece for pieces in view(board).pieces.values() for piece in pieces)


def test_no_lesson_makes_heroes_before_they_are_explained():
    lessons = json.loads((STATIC / "lessons.json").read_text("utf-8"))
    names = [lesson["id"] for lesson in lessons]
    for lesson in lessons[: names.index("heroes")]:
        for step in lesson["steps"]:
            board = new_board("official", step["fen"])
            for move in board.legal_moves:
                after = board.copy()
                after.push(move)
                assert heroes(after) == 0, (lesson["id"], str(move))


def test_only_the_pieces_of_a_lesson_solve_it():
    lessons = json.loads((STATIC / "lessons.json").read_text("utf-8"))
    for lesson in lessons:
        for step in lesson["steps"]:
            if step["goal"].get("kind") == ["combine"]:
                assert {"from", "to"} <= step["goal"].keys(), lesson["id"]


def test_a_lesson_of_a_piece_tells_all_it_can_do(browse):
    page = browse("/learn/navy")
    page.wait_for_selector(".board .stack")
    assert "4 steps, 8 ways" in page.inner_text(".piece-facts")
    assert "0 of 20" in page.inner_text(".left")
    page.click("[data-lesson=facing]")
    until(page, "location.pathname === '/learn/facing'")
    assert page.locator(".piece-facts").is_hidden()


def test_the_lesson_is_in_sight_in_the_list_of_the_course(browse):
    page = browse("/learn/shelter", width=1280, height=720)
    page.wait_for_selector(".board .stack")
    box = page.locator(".course-list [aria-current]").bounding_box()
    assert box["y"] + box["height"] <= 720


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("/learn", "[data-lesson=objectives]"),
        ("/puzzles", ".themes button"),
        ("/puzzles", ".left select"),
        ("/editor", "#editor-turn"),
    ],
)
def test_nothing_is_missing_on_a_phone_that_lies(browse, path, what):
    page = browse(path, **phone_of("lying"))
    page.wait_for_selector(".board .stack")
    page.locator(what).first.scroll_into_view_if_needed()
    assert inside(page, what)
    assert abs(page.locator(".board").bounding_box()["y"]) < 4  # the board stays where it is


def test_the_steps_of_an_analysis_are_never_cut_off_on_a_phone_that_lies(browse):
    page = browse("/analysis?v=chess&m=e2e4,e7e5", width=844, height=390, **TOUCH)
    page.wait_for_selector(".tree .node:has-text('e5')")
    page.locator("[data-do=engine]").check()
    page.wait_for_selector(".lines li >> nth=2")
    assert inside(page, ".analysis .steps")


def test_what_the_engine_does_is_not_cut_off_on_a_phone(browse):
    page = browse("/analysis?v=chess&m=e2e4", **phone_of("360x740"))
    page.wait_for_selector(".tree .node:has-text('e4')")
    page.locator("[data-do=engine]").check()
    page.wait_for_selector(".lines li >> nth=2")
    note = page.locator(".engine-head .note")
    until(page, "document.querySelector('.engine-head .note').innerText.includes('depth')")
    assert note.evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844)])
def test_the_editor_under_a_thumb(browse, width, height):
    page = browse("/editor?v=official", width=width, height=height, **TOUCH)
    page.wait_for_selector(".problems .fine")
    for one in page.locator(".palette button").all():
        box = one.bounding_box()
        assert box["width"] >= 44
        assert box["height"] >= 44
    page.locator('[data-piece="rN"]').tap()
    square(page, "g6").tap()
    page.wait_for_selector(".problems li:has-text('g6')")
    assert inside(page, ".problems")


SMALL = """() => [...document.querySelectorAll("main button, main a[href], main select")]
  .filter((one) => !one.closest(".board") && one.getClientRects().length)
  .map((one) => [one.getBoundingClientRect(), one.innerText || one.getAttribute("aria-label")])
  .filter(([box]) => box.width < 43.5 || box.height < 43.5)
  .map(([box, name]) => `${name} ${box.width} x ${box.height}`)"""


@pytest.mark.parametrize(
    "path", ["/analysis?v=official&m=Mg5g6,Mg8g7", "/puzzles", "/learn", "/editor"]
)
def test_what_a_finger_presses_is_large_enough(browse, path):
    page = browse(path, **phone_of("360x740"))
    page.wait_for_selector(".board .stack")
    if path.startswith("/analysis"):
        page.wait_for_selector(".tree .node:has-text('Mg7')")
        page.locator("[data-do=engine]").check()
        page.wait_for_selector(".lines li >> nth=2")
    assert page.evaluate(SMALL) == []


def test_a_puzzle_survives_a_reload_and_has_an_address(browse):
    page = browse("/puzzles?v=official")
    until(page, "new URLSearchParams(location.search).has('id')")
    number = page.inner_text(".lead-block .label")
    assert re.search(r"PUZZLE \d+ ", number, re.IGNORECASE)
    page.reload()
    page.wait_for_selector(".board .stack")
    until(page, f"document.querySelector('.lead-block .label').innerText === {number!r}")


def test_the_solution_is_played_to_its_end(browse, server):
    pack = server.get("/api/puzzles/official/pack?n=30&theme=mate2")
    puzzle = next(one for one in pack if len(one["line"]) == 3)
    page = browse(f"/puzzles?v=official&id={puzzle['id']}")
    page.wait_for_selector(".board .stack")
    assert "counts as not solved" in page.inner_text(".cost")
    page.click("[data-do=solution]")
    page.wait_for_selector(".verdict:has-text('The move was')")
    page.wait_for_selector(".verdict:has-text('That was the solution.')")
    assert re.match(r"1\. \S+ \S+ 2\. \S+", page.inner_text(".played"))
    assert "0 of 1 solved" in page.inner_text(".streak")
    page.click("[data-do=again]")
    page.wait_for_selector("[data-do=hint]")
    assert page.locator(".played").is_hidden()


def test_the_solution_ends_when_another_puzzle_is_asked_for(browse):
    page = browse("/puzzles?v=official")
    page.wait_for_selector(".board .stack")
    before = page.url
    page.click("[data-do=solution]")
    page.wait_for_selector(".verdict:has-text('The move was')")
    page.keyboard.press("n")
    until(page, f"location.href !== {before!r}")
    page.wait_for_timeout(2200)
    assert page.locator(".verdict:has-text('solution')").count() == 0
    assert page.locator(".played").is_hidden()


def test_a_file_is_chosen_in_the_language_of_the_page(browse, tmp_path):
    page = browse("/analysis?new=1")
    page.wait_for_selector(".board .stack")
    page.click("[data-do=more]")
    page.click("[data-do=import]")
    file = tmp_path / "game.pgn"
    file.write_text('[Variant "official"]\n\n1. Mg6 Mg7 *\n')
    with page.expect_file_chooser() as chooser:
        page.click("dialog button:has-text('Choose a PGN file')")
    chooser.value.set_files(file)
    until(page, "document.querySelector('#import-text').value.includes('Mg6')")
    page.click("[data-do=load]")
    page.wait_for_selector(".tree .node:has-text('Mg7')")


def test_every_mark_of_the_annotators_can_be_set(browse):
    page = browse("/analysis?new=1&v=official")
    page.wait_for_selector(".board .stack")
    click(page, "g5", "g6")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")
    for mark, name in (("??", "Blunder"), ("!!", "Brilliant move")):
        page.click(f".glyphs button[aria-label='{name}']")
        until(page, f"document.querySelector('.tree .current .mark').innerText === {mark!r}")

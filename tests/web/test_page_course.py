"""The whole course as a learner walks it on a small phone: every step, first wrong, then right."""

import json
from pathlib import Path

import pytest
from page import TOUCH, Fingers, Keys, in_sight, make_move, until

import cotulenh.web
from cotulenh.web.view import new_board, view

STATIC = Path(cotulenh.web.__file__).parent / "static"
LESSONS = json.loads((STATIC / "lessons.json").read_text("utf-8"))
STEPS = [(lesson["id"], n, step) for lesson in LESSONS for n, step in enumerate(lesson["steps"], 1)]
NEXT, LAST = "[data-do=next]", "[data-do=finish]"


def after(fen, move):
    board = new_board("official", fen)
    board.push(board.parse_lan(move.text))
    return view(board)


def solves(goal, fen, move):
    """Whether a move does what a step asks for; of a deployment, whether it begins one."""
    if goal.get("deploy"):
        return move.deploy
    facts = {"from": move.origin, "to": move.to, "kind": move.kind}
    if move.deploy or any(fact not in goal.get(name, [fact]) for name, fact in facts.items()):
        return False
    end = after(fen, move)
    if goal.get("won"):
        return end.outcome is not None and end.outcome.winner == 0
    heroes = [p for pieces in end.pieces.values() for p in pieces if p.startswith("r+")]
    return bool(heroes) or not goal.get("hero")


def tries(step):
    """The position of a step, a whole turn that does not solve it, and a move that does."""
    fen, goal = step["fen"], step["goal"]
    start = view(new_board("official", fen))
    good = [
        move for move in start.moves if solves(goal, fen, move) and len(move.group.strip("+")) == 1
    ]
    poor = [m for m in start.moves if not m.deploy and m.kind == "normal" and m not in good]
    return start, next(m for m in poor if not solves(goal, fen, m)), good[0]


def said(words, lesson, number, end):
    """What the page says of a step; a lesson with one step has no numbers."""
    keys = (f"lesson.{lesson}.{number}.{end}", f"lesson.{lesson}.{end}")
    return next((words[key] for key in keys if key in words), words["learn.well"])


@pytest.mark.parametrize(("language", "hands"), [("en", Keys), ("vi", Fingers)])
def test_the_whole_course(browse, language, hands):
    words = json.loads((STATIC / "lang" / f"{language}.json").read_text("utf-8"))
    touch = TOUCH if hands is Fingers else {}
    page = browse("/learn", width=360, height=740, locale=f"{language}-{language}", **touch)
    page.wait_for_selector(".board .stack")
    hand = hands(page)
    for lesson, number, step in STEPS:
        until(page, f"location.pathname === '/learn/{lesson}'")
        task = said(words, lesson, number, "text")
        page.wait_for_selector(f".lead-block p:text-is('{task}')")
        for part in (".board", ".lead-block p", NEXT + "," + LAST):
            assert in_sight(page, part), (lesson, part)
        start, poor, good = tries(step)
        make_move(page, hand, start, poor)
        page.wait_for_selector(f".verdict.bad:text-is('{said(words, lesson, number, 'wrong')}')")
        assert in_sight(page, ".verdict"), lesson
        hand.press("[data-do=again]")
        page.wait_for_selector(f".stack[data-at={poor.origin}]")
        make_move(page, hand, start, good)
        if step["goal"].get("deploy"):
            page.wait_for_selector(".tray .gone .piece")
            assert page.inner_text(".verdict") == ""  # the last try is no longer spoken of
            assert in_sight(page, ".tray")
            assert in_sight(page, ".board")
            hand.press("[data-do=tray-done]")
        page.wait_for_selector(f".verdict.good:text-is('{said(words, lesson, number, 'done')}')")
        onward = page.locator(LAST if lesson == LESSONS[-1]["id"] else NEXT)
        assert in_sight(page, ".verdict")
        assert in_sight(page, ".pair-buttons .primary")
        if hands is Keys:
            assert onward.evaluate("node => node === document.activeElement"), lesson
            page.keyboard.press("Enter")
        else:
            onward.tap()
    page.wait_for_selector(".play .board .stack")
    until(page, "Object.keys(JSON.parse(localStorage['cotulenh.lessons'])).length === 20")

"""Analysis, studies, review, editor, puzzles and the course, on the real page."""

import re

from page import (
    KEY,
    STAY,
    choose,
    click,
    game_of,
    in_game,
    label,
    more,
    square,
    toggle,
    until,
    walk_to,
)


def test_analysis_with_the_engine(browse):
    page = browse("/analysis?new=1")
    page.wait_for_selector(".board .stack")
    click(page, "g5", "g6")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")
    page.locator("[data-do=engine]").check()
    page.wait_for_selector(".lines b")
    page.wait_for_selector(".layer-arrows .arrow")
    assert re.match(r"[+−]?\d|#", page.inner_text(".lines b >> nth=0"))
    page.locator("[data-do=engine]").uncheck()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".tree .node.current:has-text('Start')")
    click(page, "k5", "k6")
    page.wait_for_selector(".variation .node.current:has-text('Ik6')")
    page.fill("#comment", "a quiet try")
    assert "a quiet try" in page.inner_text(".tree .comment")
    page.click(".glyphs button[aria-label='Good move']")
    assert page.inner_text(".tree .current .mark") == "!"


def test_an_analysis_stays_after_a_reload(browse):
    page = browse("/analysis?new=1")
    page.wait_for_selector(".board .stack")
    click(page, "g5", "g6")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")
    square(page, "e4").click(button="right")
    page.fill("#comment", "kept")
    page.wait_for_selector("text=saved on this device")
    page.goto(page.url.split("/analysis")[0] + "/analysis")
    page.wait_for_selector(".tree .node:has-text('Mg6')")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".layer-notes circle.note")
    assert "kept" in page.inner_text(".tree")
    # Leaving at once loses nothing either.
    page.fill("#comment", "at the last moment")
    page.click("nav >> text=Editor")
    page.click("nav >> text=Analysis")
    page.wait_for_selector(".tree .comment:has-text('at the last moment')")


def test_a_study_is_saved_shared_and_edited(browse, server):
    page = browse("/analysis?new=1")
    page.wait_for_selector(".board .stack")
    click(page, "g5", "g6")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")
    more(page, "make-study")
    page.fill("#study-title", "Openings")
    page.click("dialog [data-do=yes]")
    page.wait_for_url("**/study/*")
    page.wait_for_selector(".tree .node:has-text('Mg6')")
    page.keyboard.press("End")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")
    page.fill("#comment", "shared")
    page.wait_for_selector("text=saved on the server")
    until(page, "!document.querySelector('.saved').textContent.includes('later')")
    page.click("[data-do=add-chapter]")
    until(page, "document.querySelectorAll('.chapters button[aria-pressed]').length === 2")
    page.wait_for_timeout(1200)
    page.click("[data-do=share]")
    links = page.locator("dialog input").evaluate_all("all => all.map((one) => one.value)")
    assert len(links) == 2
    reader = browse(links[0].removeprefix(server.url))
    reader.wait_for_selector(".tree .comment:has-text('shared')")
    assert "read only" in reader.inner_text(".saved")
    writer = browse(links[1].removeprefix(server.url))
    writer.wait_for_selector(".tree .comment:has-text('shared')")
    click(writer, "k5", "k6")
    writer.wait_for_selector("text=saved on the server")


OURS = {
    "variant": "official",
    "nodes": [
        {
            "parent": -1,
            "move": "Mg5g6",
            "eval": {"score": 35, "depth": 12},
            "lines": [{"score": 35, "depth": 12, "moves": ["Mg8g7", "Ic5c6"]}],
        },
        {"parent": 0, "move": "Mg8g7", "clock": 598.0},
    ],
}


def open_study(server, page, tree=OURS, titles=("One", "Two")):
    """A study of this browser's own player, opened."""
    page.evaluate(f"localStorage.setItem('cotulenh.key', '{KEY}')")
    chapters = [{"title": title, "tree": tree} for title in titles]
    made = server.post("/api/studies", {"key": KEY, "title": "Ours", "chapters": chapters})
    page.goto(f"{server.url}/study/{made['id']}")
    page.wait_for_selector(".board .stack")
    page.wait_for_selector(".saved:has-text('saved on the server')")
    return made


def chapters_of(server, made):
    return server.get(f"/api/studies/{made['id']}")["chapters"]


def until_saved(page, server, made, test):
    """Waits until the server's chapters are so; what the page says it has saved must be there."""
    for _ in range(500):
        if test(chapters_of(server, made)):
            return
        page.wait_for_timeout(30)
    raise AssertionError(chapters_of(server, made))


def nodes(chapter):
    return chapter["tree"]["nodes"]


def test_lines_of_the_engine_stay_in_a_study(browse, server):
    page = browse("/")
    made = open_study(server, page)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".lines li:has-text('+0.3'):has-text('Mg7 Ic6')")
    page.fill("#comment", "a word")
    until_saved(page, server, made, lambda all: nodes(all[0])[0].get("comment") == "a word")
    first, second = nodes(chapters_of(server, made)[0])
    assert first["lines"] == OURS["nodes"][0]["lines"]
    assert (first["eval"], second["clock"]) == (OURS["nodes"][0]["eval"], 598.0)
    page.click(".tree .node:has-text('g7')")
    page.wait_for_selector(".tree .node.current:has-text('Mg7')")
    page.locator("[data-do=engine]").check()
    page.click("[data-do=keep-lines]")
    until_saved(page, server, made, lambda all: nodes(all[0])[1].get("lines"))
    assert nodes(chapters_of(server, made)[0])[1]["eval"]["depth"] > 0


def test_a_second_viewer_sees_changes_at_once(browse, server):
    page, reader = browse("/"), browse("/")
    made = open_study(server, page)
    reader.goto(f"{server.url}/study/{made['id']}")
    reader.wait_for_selector(".saved:has-text('read only')")
    reader.keyboard.press("End")
    reader.wait_for_selector(".tree .node.current:has-text('Mg7')")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")
    page.fill("#comment", "look here")
    reader.wait_for_selector(".tree .comment:has-text('look here')")
    assert "Mg7" in reader.inner_text(".tree .node.current")  # where the reader was
    page.click("[data-do=add-chapter]")
    reader.wait_for_selector(".chapters button:nth-of-type(3)")


def test_two_editors_of_a_study_lose_nothing(browse, server):
    page = browse("/")
    made = open_study(server, page)
    page.context.set_offline(True)
    page.fill("#comment", "mine, without a network")
    page.wait_for_selector(".saved:has-text('when the network is back')")
    second = chapters_of(server, made)[1]
    theirs = {**OURS, "comment": "theirs"}
    body = {"key": KEY, "title": "Two", "tree": theirs, "version": 1, "id": second["id"]}
    server.post(f"/api/studies/{made['id']}/chapter", body)
    page.context.set_offline(False)
    # Different chapters: both changes are there.
    until_saved(page, server, made, lambda all: "mine" in all[0]["tree"].get("comment", ""))
    assert chapters_of(server, made)[1]["tree"]["comment"] == "theirs"
    page.context.set_offline(True)
    page.fill("#comment", "mine again")
    page.wait_for_selector(".saved:has-text('when the network is back')")
    first = chapters_of(server, made)[0]
    body = {"key": KEY, "title": "One", "tree": theirs, "version": first["version"]}
    server.post(f"/api/studies/{made['id']}/chapter", {**body, "id": first["id"]})
    page.context.set_offline(False)
    # The same chapter: theirs is shown, ours is kept.
    page.wait_for_selector(".tree .comment:has-text('theirs')")
    page.goto(f"{server.url}/study")
    page.click("text=One (my version)")
    page.wait_for_selector(".tree .comment:has-text('mine again')")


def test_leaving_a_study_loses_nothing(browse, server):
    page = browse("/")
    made = open_study(server, page)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")
    page.fill("#comment", "last word")
    page.goto("about:blank")
    until_saved(page, server, made, lambda all: nodes(all[0])[0].get("comment") == "last word")
    page.goto(f"{server.url}/study/{made['id']}")
    page.wait_for_selector(".tree .comment:has-text('last word')")
    page.context.set_offline(True)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")
    page.fill("#comment", "written in a tunnel")
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto(f"{server.url}/study/{made['id']}")
    page.wait_for_selector(".tree .comment:has-text('written in a tunnel')")
    until_saved(page, server, made, lambda all: "tunnel" in nodes(all[0])[0].get("comment", ""))


def test_chapters_are_renamed_deleted_and_imported(browse, server):
    page = browse("/")
    made = open_study(server, page)
    more(page, "rename-chapter")
    page.fill("#chapter-title", "Opening")
    page.click("dialog [data-do=yes]")
    until_saved(page, server, made, lambda all: all[0]["title"] == "Opening")
    page.click(".chapters button:nth-of-type(2)")
    more(page, "delete-chapter")
    page.click("dialog [data-do=yes]")
    until_saved(page, server, made, lambda all: len(all) == 1)
    more(page, "import")
    page.fill("#import-text", '[Event "A"]\n\n1. Mg6 Mg7 *\n\n[Event "B"]\n\n1. Ic6 *')
    page.click("[data-do=load]")
    until_saved(page, server, made, lambda all: len(all) == 3)
    titles = [one["title"] for one in chapters_of(server, made)]
    assert titles == ["Opening", "A", "B"]


def test_import_and_export(browse):
    page = browse("/analysis?new=1")
    page.wait_for_selector(".board .stack")
    more(page, "import")
    page.fill("#import-text", STAY)
    page.click("[data-do=load]")
    until(page, "document.querySelectorAll('.board .stack').length === 4")
    more(page, "import")
    page.fill("#import-text", "1. Zz9 is no move")
    page.click("[data-do=load]")
    page.wait_for_selector("dialog .toast.bad")
    assert page.locator("dialog .toast").count() == 1  # said once
    assert page.inner_text("dialog .toast").count("Zz9") == 1
    assert "<stream>" not in page.inner_text("dialog .toast")
    page.fill("#import-text", '[Variant "official"]\n\n1. Mg6 {bold} (1. Ik6) 1... Mg7 *')
    page.click("[data-do=load]")
    page.wait_for_selector(".tree .node:has-text('Mg7')")
    assert "bold" in page.inner_text(".tree")
    more(page, "export")
    text = page.input_value("#export-text")
    assert "1. Mg6 {bold} (1. Ik6) 1... Mg7" in text


def test_review_of_a_finished_game(browse, server):
    page = in_game(browse, server, variant="chess")
    game = game_of(page)
    for start, end in (("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")):
        click(page, start, end)
    page.wait_for_selector(".end-panel:not([hidden])")
    page.goto(f"{server.url}/analysis?game={game}&review=1")
    page.wait_for_selector(".tree .node:has-text('Qh4#')")
    page.wait_for_selector(".graph .area")
    until(page, "document.querySelector('.review .sides').innerText.includes('%')", 40)
    page.wait_for_selector(".tree .mark.bad")
    page.click("[data-do=learn-mistakes]")
    page.wait_for_selector(".verdict:has-text('Find a better turn')")
    page.click("[data-do=show-better]")
    page.wait_for_selector(".layer-arrows .arrow")
    assert "Better" in page.inner_text(".verdict.good")
    more(page, "export")
    assert "0-1" in page.input_value("#export-text")  # the result of the game, not a star


def test_openings_are_shown_and_played(browse, server, player):
    other = player(server.new_game(mode="local", key=KEY), KEY)
    other.play("Mg5g6")
    other.act("resign")
    page = browse("/analysis?new=1")
    page.wait_for_selector(".board .stack")
    page.click("#tab-openings")
    page.wait_for_selector(".explorer td button, .explorer .note")
    if page.locator(".explorer td button").count():
        page.locator(".explorer td button").first.click()
        page.wait_for_selector(".tree .node.current:not(:has-text('Start'))", state="attached")


def test_the_editor(browse):
    page = browse("/editor")
    page.wait_for_selector(".problems .fine")
    page.click("[data-do=clear]")
    page.click('[data-piece="rC"]')
    click(page, "g1")
    page.wait_for_selector(".problems li:has-text('Commander')")
    assert page.locator(".problems .fine").count() == 0  # not "can be played" beside it
    assert page.locator("[data-do=play]").is_disabled()
    page.click('[data-piece="bC"]')
    click(page, "f12")
    page.click('[data-piece="rT"]')
    click(page, "a3")
    page.wait_for_selector(".problems li:not(.fine)")
    page.click('[data-piece="rN"]')
    click(page, "a3")
    page.wait_for_selector(".problems .fine")
    assert page.input_value("#editor-fen").startswith("5c5/")
    assert "(NT)" in page.input_value("#editor-fen")
    page.click("[data-do=analyse]")
    page.wait_for_selector(".analysis .board .stack")


# Puzzles --------------------------------------------------------------------------------------


def solve(page, move):
    click(page, move["from"], move["to"])
    if page.locator(".chooser .choice").count():
        page.locator(".chooser .choice").first.click()


def easy(server):
    """A mate in one by a piece that stands alone."""
    for puzzle in server.get("/api/puzzles/official/pack?n=40&theme=mate1"):
        stack = puzzle["view"]["pieces"]
        for move in puzzle["view"]["moves"]:
            alone = len(stack[move["from"]]) == 1 and move["to"] not in stack
            if alone and move["text"] in puzzle["line"][0].get("accept", []):
                return puzzle, move
    raise AssertionError("no mate in one by a piece that stands alone")


def test_a_puzzle_counts(browse, server):
    puzzle, move = easy(server)
    page = browse(f"/puzzles?v=official&id={puzzle['id']}")
    page.wait_for_selector(".board .stack")
    before = int(page.inner_text(".rating"))
    page.click("[data-do=hint]")
    page.wait_for_selector(".mark.hint")
    page.reload()
    page.wait_for_selector(".board .stack")
    solve(page, move)
    page.wait_for_selector(".verdict.good:has-text('Solved')")
    until(page, f"Number(document.querySelector('.rating').innerText) > {before}")
    assert "1 in a row" in page.inner_text(".streak")
    assert page.locator(".last-twelve li").count() == 1
    page.reload()
    page.wait_for_selector(".last-twelve li")
    page.click("[data-do=skip]")
    page.wait_for_selector(".board .stack")


def test_a_puzzle_with_the_keyboard_alone(browse, server):
    puzzle, move = easy(server)
    page = browse(f"/puzzles?v=official&id={puzzle['id']}")
    page.wait_for_selector(".board .stack")
    for name in (move["from"], move["to"]):
        walk_to(page, name)
        page.keyboard.press("Enter")
    if page.locator(".chooser .choice").count():
        page.keyboard.press("Enter")
    page.wait_for_selector(".verdict.good:has-text('Solved')")
    page.keyboard.press("Enter")  # Next has the focus
    until(page, "!document.querySelector('.verdict.good')")


def test_a_wrong_answer_is_said_and_taken_back(browse, server):
    puzzle, _ = easy(server)
    stack = puzzle["view"]["pieces"]
    page = browse(f"/puzzles?v=official&id={puzzle['id']}")
    page.wait_for_selector(".board .stack")
    accept = puzzle["line"][0]["accept"]
    wrong = next(
        one
        for one in puzzle["view"]["moves"]
        if one["text"] not in accept and len(stack[one["from"]]) == 1 and one["to"] not in stack
    )
    solve(page, wrong)
    page.wait_for_selector(".verdict.bad")
    until(page, "!document.querySelector('.lifted')")
    assert int(page.inner_text(".rating")) < 1500


def two_turns(server):
    """A puzzle of two turns whose first is one move of a piece that stands alone."""
    for theme in ("mate2", "material", "defence", "air", "navy", "hero"):
        for puzzle in server.get(f"/api/puzzles/official/pack?n=30&theme={theme}"):
            view, line = puzzle["view"], puzzle["line"]
            move = next(one for one in view["moves"] if one["text"] == line[0]["move"])
            single = not move.get("deploy") and len(view["pieces"][move["from"]]) == 1
            if puzzle["turns"] == 2 and len(line) == 3 and single:
                return puzzle, move
    raise AssertionError("no such puzzle")


def test_a_hint_marks_the_move_that_comes_now(browse, server):
    puzzle, move = two_turns(server)
    page = browse(f"/puzzles?v=official&id={puzzle['id']}")
    page.wait_for_selector(".board .stack")
    page.click("[data-do=hint]")
    page.wait_for_selector(f".verdict:has-text('{move['from']}')")
    solve(page, move)
    page.wait_for_selector(".verdict.good")
    asked = {"variant": "official", "id": puzzle["id"], "hint": True}
    texts = [one["move"] for one in puzzle["line"][:2]]
    after = server.post("/api/puzzles", {**asked, "moves": texts[:1]})
    next_move = server.post("/api/puzzles", {**asked, "moves": after["moves"]})["hint"]
    squares = re.findall(r"[a-l]\d+", next_move)
    page.click("[data-do=hint]")
    page.wait_for_selector(f".verdict:has-text('{squares[0]}')")
    mark = page.locator(".mark.hint").bounding_box()
    cell = square(page, squares[0]).bounding_box()
    for side, length in (("x", "width"), ("y", "height")):
        middle = mark[side] + mark[length] / 2
        assert cell[side] <= middle <= cell[side] + cell[length]
    page.click("[data-do=hint]")
    page.wait_for_selector(f".verdict:has-text('{squares[1]}')")


def test_an_unknown_game_of_puzzles_does_not_break_the_page(browse):
    page = browse("/puzzles?v=nonsense")
    page.wait_for_selector(".board .stack")
    assert page.locator(".toast.bad").count() <= 1


# The course -----------------------------------------------------------------------------------


def test_a_wrong_move_in_a_lesson_gets_an_answer(browse):
    page = browse("/learn/tank")
    page.wait_for_selector(".board .stack")
    click(page, "g4", "g5")
    page.wait_for_selector(".verdict.bad:has-text('Two points')")
    until(page, "document.querySelector('[data-sq=g4]').ariaLabel.includes('Tank')")
    click(page, "g4", "g6")
    page.wait_for_selector(".verdict.good")
    assert page.locator("[data-lesson=tank] .done").count() == 1
    page.reload()
    page.wait_for_selector("[data-lesson=tank] .done")  # progress is kept


def test_a_lesson_comes_with_its_board_and_a_late_one_not_at_all(browse):
    page = browse("/learn/stacks")
    page.wait_for_selector(".board .stack")
    page.wait_for_load_state("networkidle")  # the course is being fetched for days without network
    held = []
    page.route("**/api/position", lambda route: held.append(route))
    page.evaluate("caches.delete('cotulenh-positions')")
    page.goto(page.url.replace("stacks", "tank"))
    until_held(page, held, 1)
    assert page.inner_text(".lead-block h2") == ""
    page.click("[data-lesson=navy]")
    page.click("[data-lesson=deployment]")
    until_held(page, held, 3)
    held[2].continue_()
    until(page, "location.pathname === '/learn/deployment'")
    assert "Navy" in label(page, "c4")
    for late in held[:2]:
        late.continue_()
    click(page, "c4")
    toggle(page, "Air Force")
    assert page.url.endswith("/learn/deployment")


def until_held(page, held, count):
    while len(held) < count:
        page.wait_for_timeout(20)


def test_the_deployment_of_the_course(browse):
    page = browse("/learn/deployment")
    page.wait_for_selector(".board .stack")
    click(page, "c4")
    toggle(page, "Air Force")
    click(page, "d4")
    page.wait_for_selector(".tray .gone svg")
    page.click("[data-do=tray-done]")
    page.wait_for_selector(".verdict.good")
    page.click("[data-do=next]")
    page.wait_for_selector("h2:has-text('Air defence')")
    page.wait_for_selector(".ring-edge.side1")
    click(page, "f4", "f8")
    choose(page, "Exchange")
    page.wait_for_selector(".verdict.good")


def test_a_lesson_with_the_keyboard_alone(browse):
    page = browse("/learn/infantry")
    page.wait_for_selector(".board .stack")
    square(page, "g5").focus()
    for key in ("Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(".verdict.good")
    page.keyboard.press("Enter")  # the focus is on what comes next
    page.wait_for_selector("h2:has-text('Militia')")


def test_the_course_ends_with_a_game(browse):
    page = browse("/learn/objectives")
    page.wait_for_selector(".board .stack")
    page.click("[data-do=hint]")
    page.wait_for_selector(".mark.hint")
    page.click("[data-do=finish]")
    page.wait_for_selector(".play .board .stack")
    assert "level 1" in page.inner_text(".info")

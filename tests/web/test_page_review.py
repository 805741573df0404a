"""The review on the page, what the bar knows, and addresses that say too much."""

from page import (
    KEY,
    click,
    game_of,
    in_game,
    more,
    until,
    wait_for_turns,
)

#: White lets itself be mated.
HASTY = "f2f3,e7e5,g2g4"


def reviewed(browse, path, **options):
    """A line that was reviewed; its first mark is open."""
    page = browse(path, **options)
    page.wait_for_selector(".tree .node >> nth=1")
    more(page, "review")
    until(page, "document.querySelector('.review .sides').innerText.includes('%')", 60)
    page.locator(".tree .node:has(.mark)").first.click()
    page.wait_for_selector(".tree .node.current .mark")
    return page


def test_the_better_turn_is_an_arrow_and_words_that_name_the_piece(browse):
    page = reviewed(browse, f"/analysis?v=chess&m={HASTY}")
    page.wait_for_selector(".layer-arrows .arrow")
    words = page.inner_text(".better")
    assert any(name in words for name in ("Pawn", "Knight", "Queen", "Bishop", "King", "Rook"))
    page.keyboard.press("Home")
    until(page, "!document.querySelector('.better').innerText")
    assert page.locator(".layer-arrows .arrow").count() == 0


def test_a_better_deployment_and_a_mate_are_said_in_words(browse):
    page = browse("/analysis?new=1")
    page.wait_for_selector(".board .stack")
    text = page.evaluate(
        """async () => {
          const path = performance.getEntriesByType("resource").map((one) => one.name)
            .find((one) => one.endsWith("/js/better.js"));
          const { betterText } = await import(path);
          const flags = { deploy: true, mate: true };
          const step = { code: "move", pieces: "T", from: "c4", to: "e4", ...flags };
          return betterText("official", { best: "N>e4", better: [step] });
        }"""
    )
    assert "deploys Tank to e4" in text
    assert text.endswith("mate")


#: Both sides make mistakes; Black gives up.
POOR = (("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("f7", "f6"))


def test_one_learns_from_ones_own_mistakes(browse, server, player):
    page = in_game(browse, server, variant="chess", mode="link", side=1)
    game = game_of(page)
    other = player(game)
    for n, (start, end) in enumerate(POOR):
        if n % 2:
            click(page, start, end)
        else:
            other.play(start + end)
        wait_for_turns(page, n + 1)
        while len(other.state["moves"]) <= n:
            other.hear("game")
    other.act("resign")
    page.goto(f"{server.url}/analysis?game={game}&review=1")
    page.wait_for_selector(".review .sides")
    until(page, "document.querySelector('.review .sides').innerText.includes('%')", 60)
    assert page.locator(".tree .node:has(.mark)").count() >= 2  # White's too
    assert "your mistakes" in page.inner_text("[data-do=learn-mistakes]")
    page.click("[data-do=learn-mistakes]")
    page.wait_for_selector(".verdict:has-text('Black: f6 was not best')")
    page.click("[data-do=next-mistake]")
    page.wait_for_selector(".toast:has-text('all the mistakes')")


def test_who_has_not_played_chooses_whose_mistakes(browse):
    moves = ",".join(start + end for start, end in POOR)
    page = reviewed(browse, f"/analysis?v=chess&m={moves}")
    for side, name, bad in ((0, "White", ("f3", "g4")), (1, "Black", ("f6",))):
        page.click("[data-do=learn-mistakes]")
        page.wait_for_selector(".verdict:has-text('Whose mistakes?')")
        page.click(f"[data-do=learn-side{side}]")
        page.wait_for_selector(f".verdict:has-text('{name}: ')")
        assert any(f"{name}: {one} was" in page.inner_text(".verdict") for one in bad)
    page.click(".verdict button:has-text('Stop')")
    assert page.locator(".verdict").is_hidden()


def test_accuracy_and_counts_are_told_for_each_side_by_name(browse):
    page = reviewed(browse, f"/analysis?v=chess&m={HASTY}")
    sides = page.inner_text(".review .sides")
    assert "White" in sides
    assert "Black" in sides
    chip = page.locator(".review-foot .chip").first
    assert chip.locator(".of-side0").count() == chip.locator(".of-side1").count() == 1
    assert "Blunders" in chip.text_content()


def test_the_bar_tells_what_the_review_found_and_nothing_when_nothing_is_known(browse):
    page = browse(f"/analysis?v=chess&m={HASTY}")
    page.wait_for_selector(".eval.unknown")
    assert page.get_attribute(".eval", "aria-label") == "not evaluated"
    page.keyboard.press("End")
    more(page, "review")
    page.wait_for_selector(".eval:not(.unknown)[aria-label='−#1']", timeout=60_000)


def test_a_refused_review_leaves_no_panel_that_waits_for_ever(browse):
    page = browse("/analysis?v=chess&m=e2e4")
    page.wait_for_selector(".tree .node:has-text('e4')")
    # A variant that the server does not know: what a page of another version would ask for.
    page.route_web_socket("**/ws", lambda ws: refusing(ws))
    page.reload()
    page.wait_for_selector(".tree .node:has-text('e4')")
    more(page, "review")
    page.wait_for_selector(".toast.bad")
    assert page.locator(".review").is_hidden()


def refusing(socket):
    """A server that refuses every review."""

    def answer(text):
        if '"review"' in text:
            number = text.split('"id":')[1].split(",")[0].rstrip("}")
            socket.send(f'{{"t":"refused","code":"engine_busy","text":"busy","id":{number}}}')

    socket.on_message(answer)


def test_of_an_address_with_a_move_that_cannot_be_the_rest_is_kept(browse):
    page = browse("/analysis?v=chess&m=e2e4,e7e5,e4e5,g1f3")
    page.wait_for_selector(".toast.bad:has-text('not legal')")
    page.wait_for_selector(".tree .node:has-text('e5')")
    assert page.locator(".tree .node").count() == 3  # the start and two moves
    assert "1." in page.inner_text(".tree")


def test_an_address_with_a_position_that_cannot_be_shows_a_board(browse):
    page = browse("/analysis?v=official&fen=nonsense")
    page.wait_for_selector(".toast.bad")
    page.wait_for_selector(".board .stack")


def test_openings_come_with_the_public_games_of_this_server(browse, server, player):
    game = server.new_game(key=KEY, mode="link", public=True, name="Lan")
    first, second = player(game, KEY), player(game)
    for n, text in enumerate(("Mg5g6", "Mg8g7", "Ic5c6", "Ic8c7")):
        (first, second)[n % 2].hear("game") if n else None
        (first, second)[n % 2].play(text)
    first.act("resign")
    page = browse("/analysis?new=1")
    page.wait_for_selector(".board .stack")
    page.click("#tab-openings")
    page.wait_for_selector(".explorer .rows a:has-text('Lan')")
    page.click(".explorer td button:has-text('Mg6')")
    page.click("#tab-moves")
    page.wait_for_selector(".tree .node.current:has-text('Mg6')")


def test_a_number_stands_with_its_move(browse):
    page = browse(f"/analysis?v=chess&m={HASTY}", width=390, height=844)
    page.wait_for_selector(".tree .node:has-text('g4')")
    numbers = page.locator(".tree .numbered")
    assert numbers.count() == 2
    for one in numbers.all():
        assert one.evaluate("node => getComputedStyle(node).whiteSpace") == "nowrap"
        assert one.locator(".node").count() == 1

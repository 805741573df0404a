"""What the tests of the page do with it: waiting, pointing, touching with real touch events."""

import time

STACK = "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1"
STAY = "8c2/11/11/11/5t5/11/11/11/5F5/11/11/6C4 r - - 0 1"
EXCHANGE = "8c2/11/11/5g5/5t5/11/11/11/5F5/11/11/6C4 r - - 0 1"
BREACH = "11/6(hc)4/6T4/11/11/11/11/11/11/11/11/5C5 r - - 0 1"
KEY = "playwright-key-0123456789"

PHONES = {"360x740": (360, 740), "390x844": (390, 844), "lying": (740, 360)}
TOUCH = {"has_touch": True, "is_mobile": True}


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
    page.locator(".chooser button", has_text=text).first.click()


def toggle(page, name):
    page.locator(f'.toggle[aria-label="{name}"]').click()


def turns(page):
    return page.locator(".moves button.turn").all_inner_texts()


def wait_for_turns(page, count):
    until(page, f"document.querySelectorAll('.moves button.turn').length >= {count}")


def label(page, name):
    return square(page, name).get_attribute("aria-label")


def more(page, what):
    """One of the choices behind the three dots."""
    page.click("[data-do=more]")
    page.click(f"dialog [data-do={what}]")


def open_game(server, page, **ask):
    """A game of this browser's own player, on one screen unless said otherwise."""
    page.evaluate(f"localStorage.setItem('cotulenh.key', '{KEY}')")
    game = server.new_game(KEY, **{"mode": "local", **ask})
    page.goto(f"{server.url}/game/{game}")
    page.wait_for_selector(".board .stack")
    page.wait_for_selector(".status b")
    return game


def phone_of(size):
    """What makes a page a phone of a size, by its name."""
    width, height = PHONES[size]
    return {"width": width, "height": height, **TOUCH}


def in_game(browse, server, size=None, **ask):
    """A page with a game of its own; on a phone if a size is named."""
    page = browse("/", **(phone_of(size) if size else {}))
    open_game(server, page, **ask)
    return page


def game_of(page):
    """The id of the game a page shows."""
    return page.url.rsplit("/", 1)[1]


def meet(page, player):
    """An opponent for a page that plays by link and has the first move."""
    other = player(game_of(page))
    until(page, "document.querySelector('.status').innerText.includes('Your turn')")
    return other


def give_up(page):
    """Resigns and waits for the panel at the end."""
    page.locator("[data-do=resign]").click()
    page.locator("[data-do=yes]").click()
    page.wait_for_selector(".end-panel:not([hidden])")


def play_line(page, *squares):
    """Moves by mouse, from and to in turn, each of them a whole turn."""
    for n in range(0, len(squares), 2):
        before = len(turns(page))
        click(page, squares[n], squares[n + 1])
        wait_for_turns(page, before + 1)


def deploy(page, piece, to, origin="c4"):
    """The first step of a deployment by mouse."""
    click(page, origin)
    toggle(page, piece)
    click(page, to)
    page.wait_for_selector(".tray .gone .piece")


def middle(page, name):
    box = square(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Finger:
    """Touches as the browser gets them from a screen, not events made by a script.

    They carry times of their own: a finger that draws for half a second and rests before it lifts.
    Without them a drag would be a fling, and the browser would take the next tap to end it.
    """

    def __init__(self, page):
        self.page = page
        self.tools = page.context.new_cdp_session(page)
        self.time = 0.0

    def _send(self, kind, points, after=0.1):
        self.time = max(self.time + after, time.time())
        touches = [{"x": x, "y": y} for x, y in points]
        event = {"type": kind, "touchPoints": touches, "timestamp": self.time}
        self.tools.send("Input.dispatchTouchEvent", event)

    def tap(self, name, hold=0):
        self._send("touchStart", [middle(self.page, name)])
        if hold:
            self.page.wait_for_timeout(hold)
        self._send("touchEnd", [], 0.05)

    def drag(self, start, end, *, steps=6, hold=0, lift=True):
        (x1, y1), (x2, y2) = middle(self.page, start), middle(self.page, end)
        self._send("touchStart", [(x1, y1)])
        if hold:
            self.page.wait_for_timeout(hold)
        for n in range(1, steps + 1):
            self._send("touchMove", [(x1 + (x2 - x1) * n / steps, y1 + (y2 - y1) * n / steps)])
        if lift:
            self.lift()

    def lift(self):
        self._send("touchEnd", [], 0.5)


def inside(page, selector):
    """Whether all of an element can be seen without scrolling."""
    box = page.locator(selector).first.bounding_box()
    size = page.viewport_size
    return (
        box is not None
        and box["x"] >= -1
        and box["y"] >= -1
        and box["x"] + box["width"] <= size["width"] + 1
        and box["y"] + box["height"] <= size["height"] + 1
    )


def in_sight(page, selector):
    """Whether an element is seen: all of it in the window, and nothing over its corners."""
    return inside(page, selector) and page.locator(selector).first.evaluate(
        """(node) => {
          const box = node.getBoundingClientRect();
          const corners = [[box.left + 5, box.top + 5], [box.right - 5, box.bottom - 5]];
          return corners.every(([x, y]) => {
            const there = document.elementFromPoint(x, y);
            return node.contains(there) || there.contains(node);
          });
        }"""
    )


def walk_to(page, name):
    """With keys alone: Tab to the board, then arrows to a square."""
    at = "document.activeElement.dataset.sq || ''"
    for _ in range(90):
        if page.evaluate(at):
            break
        page.keyboard.press("Tab")
    here = page.evaluate(at)
    flipped = middle(page, "a1")[1] < middle(page, "a2")[1]
    files, ranks = ord(name[0]) - ord(here[0]), int(name[1:]) - int(here[1:])
    side = "ArrowRight" if (files > 0) != flipped else "ArrowLeft"
    way = "ArrowUp" if (ranks > 0) != flipped else "ArrowDown"
    for key, count in ((side, abs(files)), (way, abs(ranks))):
        for _ in range(count):
            page.keyboard.press(key)
    assert page.evaluate(at) == name


class Keys:
    """Does everything with the keyboard alone."""

    def __init__(self, page):
        self.page = page

    def point(self, name):
        walk_to(self.page, name)
        self.page.keyboard.press("Enter")

    def press(self, selector):
        """Arrows go through choices, Tab through the rest."""
        node = self.page.locator(selector).first
        for key in ("ArrowRight",) * 6 + ("Tab",) * 90:
            if node.evaluate("node => node === document.activeElement"):
                break
            self.page.keyboard.press(key)
        else:
            raise AssertionError(f"no key leads to {selector}")
        self.page.keyboard.press("Enter")


class Fingers:
    """Does everything by touch."""

    def __init__(self, page):
        self.page = page
        self.finger = Finger(page)

    def point(self, name):
        self.finger.tap(name)

    def press(self, selector):
        self.page.locator(selector).first.tap()


def make_move(page, hand, view, move):
    """Makes a move of a position as a person does: piece, what of a stack, point, how."""
    hand.point(move.origin)
    page.wait_for_selector(".target", state="attached")
    stack = view.pieces[move.origin]
    if move.deploy:
        number = [piece[1:] for piece in stack].index(move.group)
        hand.press(f".chooser .toggle >> nth={number}")
    hand.point(move.to)
    same = [m for m in view.moves if (m.origin, m.to) == (move.origin, move.to)]
    asks = move.kind in ("exchange", "breach")
    twofold = move.kind == "combine" and any(m.origin == move.to for m in view.moves)
    if asks or twofold or len({m.kind for m in same if m.group == move.group}) > 1:
        hand.press(f".chooser .choice.{move.kind}")

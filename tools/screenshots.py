"""Pictures of every screen of the page: sizes, themes, languages.

    python tools/screenshots.py FOLDER [--sizes phone,desktop] [--screens home,play] [--langs vi]

Starts a server of its own over a temporary directory and walks through Debian's Chromium. A
picture is ``SCREEN-SIZE-THEME-LANGUAGE.png``, with ``--jpeg`` ``.jpg``; what cannot be seen without
scrolling is left out, as a visitor would see it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

CHROMIUM = "/usr/bin/chromium"
KEY = "screenshots-key-0123456789"
SIZES = {
    "small": (360, 740),
    "phone": (390, 844),
    "lying": (844, 390),
    "tablet": (820, 1180),
    "laptop": (1280, 720),
    "desktop": (1440, 900),
}
STACK = "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1"
LOST = "4c6/11/4T6/11/11/11/11/11/11/11/11/6C4 r - - 0 1"
TREE = {
    "variant": "official",
    "comment": "Khai cuộc",
    "nodes": [
        {"parent": -1, "move": "Mg5g6", "comment": "Dân quân", "nags": [1]},
        {"parent": 0, "move": "Mg8g7", "eval": {"score": 35, "depth": 12}},
        {"parent": 0, "move": "Ic8c7", "arrows": [["c8", "c7", "Y"]]},
        {"parent": 1, "move": "Ic5c6", "circles": [["c6", "R"]]},
    ],
}


class Visit:
    """One page in one size, theme and language."""

    def __init__(self, page: Any, url: str, touch: bool) -> None:
        self.page, self.url, self.touch = page, url, touch

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Asks the server."""
        request = urllib.request.Request(self.url + path, json.dumps(body).encode())
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())

    def open(self, path: str, wait: str = ".board .stack") -> None:
        """Goes to an address and waits until it can be used."""
        self.page.goto(self.url + path)
        self.page.wait_for_selector("html[data-ready]")
        if wait:
            self.page.wait_for_selector(wait)

    def game(self, **ask: Any) -> None:
        """A new game of this browser's player."""
        made = self.post("/api/games", {"key": KEY, "mode": "local", **ask})
        self.open(f"/game/{made['id']}")
        self.page.wait_for_selector(".status b")

    def press(self, *squares: str) -> None:
        """Points at squares."""
        for square in squares:
            place = self.page.locator(f'[data-sq="{square}"]')
            place.tap() if self.touch else place.click()

    def do(self, what: str) -> None:
        """Clicks on what has this name, the first that can be seen."""
        self.page.locator(f"[data-do={what}]:visible").first.click()


def _play(v: Visit) -> None:
    v.game(clock={"base": 300, "increment": 3})
    for start, end in (("g5", "g6"), ("g8", "g7"), ("c4", "c6"), ("k8", "k7")):
        v.press(start, end)
        v.page.wait_for_selector(f".stack[data-at={end}]")
    v.press("f4")


def _chess(v: Visit) -> None:
    v.game(variant="chess")
    v.press("e2", "e4", "e7", "e5", "g1")


def _stack(v: Visit) -> None:
    v.game(fen=STACK)
    v.press("c4")
    v.page.wait_for_selector(".chooser .toggle")


def _deployment(v: Visit) -> None:
    _stack(v)
    v.page.locator(".chooser .toggle").nth(1).click()
    v.press("f4")
    v.page.wait_for_selector(".tray .gone svg")


def _end(v: Visit) -> None:
    v.game(fen=LOST)
    v.press("e10", "e12")
    v.page.wait_for_selector(".end-panel:not([hidden])")


def _rings(v: Visit) -> None:
    v.game()
    v.page.keyboard.press("r")


def _invite(v: Visit) -> None:
    made = v.post("/api/games", {"key": KEY, "mode": "link"})
    v.open(f"/game/{made['id']}")


def _menu(v: Visit) -> None:
    v.game(mode="engine", level=1)
    v.do("more")
    v.page.wait_for_selector("dialog[open]")


def _analysis(v: Visit) -> None:
    v.open("/analysis?new=1")
    v.do("engine")
    v.page.wait_for_selector(".lines li")


def _study(v: Visit) -> None:
    chapters = [{"title": "Ruy Lopez", "tree": TREE}, {"title": "Sicilian", "tree": TREE}]
    made = v.post("/api/studies", {"key": KEY, "title": "Openings", "chapters": chapters})
    v.open(f"/study/{made['id']}")
    v.page.keyboard.press("End")


def _solution(v: Visit) -> None:
    v.open("/puzzles")
    v.do("solution")


def _settings(v: Visit) -> None:
    v.open("/")
    v.page.evaluate("document.getElementById('settings-button').click()")
    v.page.wait_for_selector("dialog[open]")


SCREENS: dict[str, Callable[[Visit], None]] = {
    "home": lambda v: v.open("/"),
    "play": _play,
    "chess": _chess,
    "stack": _stack,
    "deployment": _deployment,
    "end": _end,
    "rings": _rings,
    "invite": _invite,
    "menu": _menu,
    "analysis": _analysis,
    "study": _study,
    "studies": lambda v: v.open("/study", ""),
    "editor": lambda v: v.open("/editor"),
    "puzzle": lambda v: v.open("/puzzles"),
    "solution": _solution,
    "learn": lambda v: v.open("/learn/deployment"),
    "piece": lambda v: v.open("/learn/navy"),
    "lobby": lambda v: v.open("/lobby", ""),
    "about": lambda v: v.open("/about", ""),
    "settings": _settings,
    "nothing": lambda v: v.open("/foo", ""),
}


@contextmanager
def served() -> Any:
    """The address of a server of our own."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "cotulenh", "serve", "--no-browser", "--port", "0"]
        server = subprocess.Popen([*command, "--data", data], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            found = re.search(r"http://localhost:\d+", server.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            server.terminate()
            server.wait()


def _start(size: str, theme: str, lang: str) -> tuple[dict[str, Any], str]:
    """The browser's settings, and what it remembers when it comes."""
    width, height = SIZES[size]
    touch = size in ("small", "phone", "lying", "tablet")
    context = {
        "viewport": {"width": width, "height": height},
        "has_touch": touch,
        "is_mobile": touch,
        "device_scale_factor": 1,
        "reduced_motion": "reduce",
    }
    settings = json.dumps(json.dumps({"theme": theme, "lang": lang, "sound": False}))
    kept = f"localStorage.setItem('cotulenh.settings', {settings});"
    return context, f"{kept} localStorage.setItem('cotulenh.key', '{KEY}')"


def take(browser: Any, url: str, folder: Path, wish: tuple[str, str, str, str], jpeg: bool) -> str:
    """Takes one picture; what went wrong on the way to it, if anything did."""
    screen, size, theme, lang = wish
    context, script = _start(size, theme, lang)
    visit = browser.new_context(**context)
    visit.add_init_script(script)
    visit.set_default_timeout(20_000)
    page, name, wrong = visit.new_page(), "-".join(wish), ""
    try:
        SCREENS[screen](Visit(page, url, context["has_touch"]))
    except Exception as error:  # the picture shows how far it came
        wrong = f"{name}: {str(error).splitlines()[0]}"
    page.wait_for_timeout(300)
    path = folder / f"{name}.{'jpg' if jpeg else 'png'}"
    page.screenshot(path=path, **({"quality": 60} if jpeg else {}))
    visit.close()
    return wrong


def main() -> None:
    """Takes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    known = {"screens": SCREENS, "sizes": SIZES, "themes": ("light", "dark"), "langs": ("vi", "en")}
    for name, all_of_them in known.items():
        parser.add_argument(f"--{name}", default=",".join(all_of_them))
    parser.add_argument("--jpeg", action="store_true", help="smaller files, for documents")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    from playwright.sync_api import sync_playwright

    wishes = product(*(getattr(args, name).split(",") for name in known))
    with served() as url, sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        wrong = [take(browser, url, args.folder, wish, args.jpeg) for wish in wishes]
        browser.close()
    sys.exit("\n".join(filter(None, wrong)) or None)


if __name__ == "__main__":
    main()

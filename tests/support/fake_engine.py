"""A program that speaks UCI badly: ``python fake_engine.py MANNER``. It plays e2e4.

The clients must get through every manner of it with a move or with one clear error.
"""

import signal
import sys
import time

BEST = "bestmove e2e4 ponder e7e5"
INFO = "info depth 3 seldepth 4 multipv 1 score cp 20 nodes 90 nps 9000 time 10 pv e2e4 e7e5"
OPTION = "option name Hash type spin default 16 min 1 max 64"

#: What is answered to a command, where it is not as usual; None: nothing.
ANSWERS = {
    "plain": {},
    "tabs": {
        "uci": [
            "id\tname  Odd\tBlanks 1",
            "option\tname  Skill   Level \ttype spin default 3 min 0 max 9",
        ],
        "go": [
            "\tinfo\tdepth 3\tscore  cp\t20 pv\te2e4  e7e5 ",
            " \tbestmove\t e2e4\tponder   e7e5 ",
        ],
    },
    "upper": {"go": ["bestmove E2E4"]},
    "noise": {
        "uci": ["", "hello", "option", "option name", "option name X type", "id", "info string hi"],
        "go": [
            "info",
            "info depth",
            "info depth x score cp y pv e2e4",
            "info depth 99999999999999999999999999 score cp ++5",
            "info string bestmove a1a1",
            "info currmove e2e4 currmovenumber 1",
            "score cp 3",
            "info depth 2 score mate -0 pv e2e4 zz",
            "info depth ² score cp ² pv e2e4",
            INFO,
            BEST,
        ],
    },
    "bounds": {
        "go": [
            INFO,
            INFO.replace("cp 20", "cp 70 lowerbound"),
            INFO.replace("cp 20", "cp -30 upperbound"),
            BEST,
        ]
    },
    "illegal": {"go": ["bestmove e2e5"]},
    "other-game": {"go": ["bestmove Mg5g6"]},
    "none": {"go": ["bestmove (none)"]},
    "null": {"go": ["bestmove 0000"]},
    "nothing": {"go": ["bestmove"]},
    "bad-ponder": {"go": ["bestmove e2e4 ponder e2e4"]},
    "silent": {"uci": None},
    "hangs": {"go": None, "stop": None},
    "never-ready": {"isready": None},
    "stoppable": {"go": [INFO], "stop": [BEST]},
}
DIES = {"dies": "go", "dies-at-once": "uci", "dies-not-ready": "isready"}
USUAL = {
    "uci": ["id name Fake", "id author nobody", OPTION],
    "isready": ["readyok"],
    "go": [INFO, BEST],
    "stop": [],
}


def say(lines):
    for line in lines:
        sys.stdout.write(line + ("\r\n" if MANNER == "crlf" else "\n"))
    sys.stdout.flush()


def flood():
    """Lines without end, until somebody says stop; and one that never ends."""
    sys.stdout.write("x" * 3_000_000)
    say([""])
    for _ in range(60_000):
        sys.stdout.write("info string " + "y" * 40 + "\n")
    say([BEST])


def main():
    if MANNER in ("stays", "stays-hard"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        word = (line.split() or [""])[0]
        if DIES.get(MANNER) == word:
            if MANNER == "dies":
                say(["info depth 1 sco"])
            sys.exit(3)
        if word == "quit":
            if MANNER == "stays":
                time.sleep(60)
            return
        if word == "go" and MANNER == "flood":
            flood()
            continue
        answer = ANSWERS.get(MANNER, {}).get(word, USUAL.get(word, []))
        if answer is None:
            continue
        say([*answer, "uciok"] if word == "uci" else answer)


if __name__ == "__main__":
    MANNER = sys.argv[1]
    main()

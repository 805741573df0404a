"""The UCI protocol: the engine as a program that reads lines and answers lines.

All of UCI, for chess and for Cờ Tư Lệnh. A turn of several moves (a deployment) is told one move
at a time: ``bestmove`` names one step, and when after ``position … moves …`` it is still the same
side's turn the GUI says ``go`` again. Moves of Cờ Tư Lệnh are LAN (12.1): ``Tc3d3``, ``Fd2_h6``,
``(NF)b2b5``, ``Tc3>xe3``, ``c3<``. See docs/howto-gui.md.

Nothing typed at it ends the program but ``quit`` and the end of input: whatever is wrong is
answered with ``info string …``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import IO, cast

from cotulenh import __version__
from cotulenh.engine import (
    MAX_ELO,
    MAX_HASH_MB,
    MAX_THREADS,
    MIN_ELO,
    Analysis,
    Engine,
    Info,
    Limit,
    PlayResult,
)
from cotulenh.games import (
    AnyBoard,
    AnyMove,
    BoardLike,
    M,
    has_commander,
    line_text,
    move_text,
    names,
    new_board,
    parse_move,
    push_text,
    side,
)
from cotulenh.protocols.lines import converse, echo

__all__ = ["Uci", "info_line", "serve"]

MAX_PERFT = 20


class BadInputError(ValueError):
    """Something the other side said cannot be done; the text says why."""


# Options --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its type, default, and what it may be."""

    name: str
    kind: str
    default: str = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    def line(self) -> str:
        """How it is announced."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind != "button":
            text += f" default {self.default}"
        if self.kind == "spin":
            text += f" min {self.low} max {self.high}"
        return text + "".join(f" var {choice}" for choice in self.choices)

    def checked(self, value: str) -> str:
        """The value in its proper spelling, or the reason why it is none."""
        if self.kind == "spin":
            number = whole(self.name, value)
            if not self.low <= number <= self.high:
                raise BadInputError(f"{self.name} must be {self.low} to {self.high}: {number}")
            return str(number)
        if self.kind == "check":
            if value.lower() not in ("true", "false"):
                raise BadInputError(f"{self.name} must be true or false: {echo(value)}")
            return value.lower()
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == value.lower():
                    return choice
            raise BadInputError(f"{self.name} must be {' '.join(self.choices)}: {echo(value)}")
        return value


OPTIONS = (
    Option("Hash", "spin", "64", 1, MAX_HASH_MB),
    Option("Threads", "spin", "1", 1, MAX_THREADS),
    Option("Clear Hash", "button"),
    Option("MultiPV", "spin", "1", 1, 500),
    Option("Ponder", "check", "false"),
    Option("Move Overhead", "spin", "10", 0, 5000),
    Option("Skill Level", "spin", "20", 0, 20),
    Option("UCI_LimitStrength", "check", "false"),
    Option("UCI_Elo", "spin", str(MAX_ELO), MIN_ELO, MAX_ELO),
    Option("UCI_Chess960", "check", "false"),
    Option("UCI_Variant", "combo", "chess", choices=tuple(names())),
)
BY_NAME = {option.name.lower(): option for option in OPTIONS}
NEW_ENGINE = {"Hash", "Threads", "Skill Level", "UCI_LimitStrength", "UCI_Elo"}
NEW_BOARD = {"UCI_Variant", "UCI_Chess960"}


def whole(name: str, text: str) -> int:
    """A whole number, or the reason why it is none."""
    try:
        if len(text) > 18:
            raise ValueError
        return int(text)
    except ValueError:
        raise BadInputError(f"{name} must be a whole number: {echo(text)}") from None


# go -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Go:
    """What a ``go`` asks for; times are in milliseconds."""

    wtime: int | None = None
    btime: int | None = None
    winc: int = 0
    binc: int = 0
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: int | None = None
    perft: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: list[str] = field(default_factory=list)

    @classmethod
    def parse(cls, words: list[str]) -> Go:
        """Reads the words after ``go``."""
        asked, rest = cls(), list(words)
        while rest:
            word = rest.pop(0)
            if word in ("infinite", "ponder"):
                setattr(asked, word, True)
            elif word == "searchmoves":
                while rest and rest[0] not in _GO_WORDS:
                    asked.searchmoves.append(rest.pop(0))
            elif word in _GO_WORDS:
                if not rest:
                    raise BadInputError(f"go {word} needs a number")
                setattr(asked, word, whole(f"go {word}", rest.pop(0)))
            else:
                raise BadInputError(f"go knows no {echo(word)}")
        return asked

    def limit(self, mover: int, overhead: int) -> Limit:
        """The engine's limit. Clocks that have run out leave the least there is."""
        own = self.wtime if mover == 0 else self.btime
        times = None
        if own is not None:
            both = (self.wtime, self.btime)
            left = [max(1, (own if ms is None else ms) - overhead) / 1000 for ms in both]
            times = (left[0], left[1])
        limit = Limit(
            time=None if self.movetime is None else max(1, self.movetime) / 1000,
            depth=_at_least(1, self.depth, 245),
            nodes=_at_least(1, self.nodes, 2**62),
            mate=_at_least(1, self.mate, 120),
            infinite=self.infinite,
            times=times,
            increments=(max(0, self.winc) / 1000, max(0, self.binc) / 1000),
            moves_to_go=_at_least(1, self.movestogo, 1000),
        )
        return replace(limit, infinite=True) if limit.is_empty else limit


_GO_WORDS = frozenset(one.name for one in fields(Go))


def _at_least(low: int, number: int | None, high: int) -> int | None:
    return None if number is None else min(max(low, number), high)


def info_line(board: BoardLike[M], info: Info[M]) -> str:
    """An ``info`` line of UCI."""
    bound = f" {info.bound}bound" if info.bound else ""
    pv = " ".join(line_text(board, info.pv))
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}"
        f" score {info.score}{bound} nodes {info.nodes} nps {info.nps}"
        f" hashfull {info.hashfull} time {round(info.time * 1000)}" + (f" pv {pv}" if pv else "")
    )


# The program ----------------------------------------------------------------------------------


class Uci:
    """One conversation. ``say`` is called with each line to send; calls never overlap."""

    def __init__(
        self,
        say: Callable[[str], None],
        variant: str = "chess",
        engine_type: Callable[..., Engine] = Engine,
    ) -> None:
        self._print = say
        self._lock = threading.Lock()
        self._engine_type = engine_type
        self._engine: Engine | None = None
        self._values = {option.name: option.default for option in OPTIONS}
        self._values["UCI_Variant"] = variant
        self._board = new_board(variant)
        self._worker: threading.Thread | None = None
        self._release = threading.Event()  # a bestmove that must wait may be told now
        self._halt = threading.Event()  # the GUI wants the search to end
        self._done = threading.Event()  # the search is over, only its last line is to be sent
        self._debug = False

    def say(self, line: str) -> None:
        """Sends one line."""
        with self._lock:
            self._print(line)

    def explain(self, reason: object) -> None:
        """Tells what went wrong, on one line."""
        self.say("info string " + echo(" ".join(str(reason)[:1000].split()), 200))

    # Reading ----------------------------------------------------------------------------------

    def handle(self, line: str) -> bool:
        """Does what one line says. False: the conversation is over."""
        words = line.replace("\0", " ").split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        action = self._actions().get(words[0])
        if action is None:
            self.explain(f"unknown command: {line.strip()}")
            return True
        try:
            action(words[1:])
        except (ValueError, MemoryError, OverflowError, RecursionError) as error:
            self.explain(str(error) or type(error).__name__)
        return True

    def _actions(self) -> dict[str, Callable[[list[str]], None]]:
        return {
            "uci": self._uci,
            "debug": self._set_debug,
            "isready": self._isready,
            "setoption": self._setoption,
            "register": lambda words: None,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "d": self._show,
            "eval": self._eval,
        }

    def close(self) -> None:
        """Ends a search under way, tells its move, frees the engine."""
        self._stop([])
        self._wait()
        if self._engine is not None:
            self._engine.close()

    # Commands ---------------------------------------------------------------------------------

    def _uci(self, words: list[str]) -> None:
        self.say(f"id name cotulenh {__version__}")
        self.say("id author the cotulenh authors")
        for option in OPTIONS:
            default = self._values[option.name] if option.name == "UCI_Variant" else option.default
            self.say(replace(option, default=default).line())
        self.say("uciok")

    def _set_debug(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            raise BadInputError("debug is on or off")
        self._debug = words == ["on"]

    def _isready(self, words: list[str]) -> None:
        if not self._thinking():
            try:
                self._get_engine()
            except (ValueError, MemoryError) as error:
                self.explain(error)
        self.say("readyok")

    def _ucinewgame(self, words: list[str]) -> None:
        self._must_be_idle("ucinewgame")
        self._get_engine().new_game()
        self._board = self._start_board()

    def _setoption(self, words: list[str]) -> None:
        self._must_be_idle("setoption")
        if not words or words[0] != "name":
            raise BadInputError("setoption name … [value …]")
        cut = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:cut]), " ".join(words[cut + 1 :])
        option = BY_NAME.get(name.lower())
        if option is None:
            raise BadInputError(f"no such option: {name}")
        if option.kind == "button":
            self._get_engine().new_game()
            return
        old, new = self._values[option.name], option.checked(value)
        self._values[option.name] = new
        if option.name in NEW_ENGINE and old != new:
            self._new_engine(option.name, old)
        if option.name in NEW_BOARD and old != new:
            self._board = self._start_board()

    def _position(self, words: list[str]) -> None:
        self._must_be_idle("position")
        cut = words.index("moves") if "moves" in words else len(words)
        head, moves = words[:cut], words[cut + 1 :]
        if head == ["startpos"]:
            board = self._start_board()
        elif head[:1] == ["fen"] and len(head) > 1:
            board = self._start_board(" ".join(head[1:]))
        else:
            raise BadInputError("position startpos|fen … [moves …]")
        for number, text in enumerate(moves, 1):
            try:
                push_text(board, text)
            except ValueError as error:
                raise BadInputError(f"move {number}: {error}; the position stays") from None
        self._board = board

    def _show(self, words: list[str]) -> None:
        board = self._board
        lines = [*str(board).splitlines(), f"Fen: {board.fen()}", f"Key: {board.key:016x}"]
        if not self._thinking():
            lines.append("Moves: " + " ".join(move_text(board, m) for m in board.legal_moves))
        for line in lines:
            self.say(line)

    def _eval(self, words: list[str]) -> None:
        self._must_be_idle("eval")
        found = self._get_engine().evaluate(self._board)
        for name, (first, second) in found.terms.items():
            self.say(f"{name:<24} {first:>7} {second:>7} {first - second:>7}")
        self.say(f"Evaluation: {found.score} (side to move)")

    # Thinking ---------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> None:
        self._must_be_idle("go")
        asked = Go.parse(words)
        board = self._board.copy()
        self._halt.clear()
        self._release.clear()
        if asked.perft is not None:
            if not 0 <= asked.perft <= MAX_PERFT:
                raise BadInputError(f"go perft must be 0 to {MAX_PERFT}: {asked.perft}")
            depth = asked.perft
            self._spawn(lambda: self._perft(board, depth))
            return
        if not board.legal_moves:
            self._spawn(lambda: self._no_moves(board, asked))
            return
        only = [parse_move(board, text) for text in asked.searchmoves] or None
        limit = asked.limit(side(board), int(self._values["Move Overhead"]))
        lines = int(self._values["MultiPV"])
        found = self._get_engine().analyse(
            board,
            limit,
            lines,
            root_moves=only,
            ponder=asked.ponder,
        )
        analysis = cast("Analysis[AnyMove]", found)
        waits = limit.infinite or asked.ponder
        self._spawn(lambda: self._think(board, analysis, waits, lines))

    def _think(self, board: AnyBoard, analysis: Analysis[AnyMove], waits: bool, lines: int) -> None:
        for info in analysis:
            if info.multipv <= lines:
                self.say(info_line(board, info))
        result = analysis.result()
        if waits:  # "infinite" and "ponder" promise no bestmove before stop or ponderhit
            self._release.wait()
        self._done.set()
        self.say(best_line(board, result))

    def _no_moves(self, board: AnyBoard, asked: Go) -> None:
        lost = board.is_check() or not has_commander(board)
        self.say(f"info depth 0 score {'mate 0' if lost else 'cp 0'}")
        if asked.infinite or asked.ponder:
            self._release.wait()
        self._done.set()
        self.say("bestmove (none)")

    def _perft(self, board: AnyBoard, depth: int) -> None:
        total = 0 if depth else 1
        for move in board.legal_moves if depth else []:
            if self._halt.is_set():
                self.explain("perft stopped")
                return
            text = move_text(board, move)
            board.push(move)
            nodes = board.perft(depth - 1) if depth > 1 else 1
            board.pop()
            total += nodes
            self.say(f"{text}: {nodes}")
        self.say("")
        self._done.set()
        self.say(f"Nodes searched: {total}")

    def _stop(self, words: list[str]) -> None:
        self._halt.set()
        self._release.set()
        if self._thinking() and self._engine is not None:
            self._engine.stop()
        self._wait()

    def _ponderhit(self, words: list[str]) -> None:
        if not self._thinking():
            raise BadInputError("ponderhit without a search")
        if self._engine is not None:
            self._engine.ponderhit()
        self._release.set()

    # Parts ------------------------------------------------------------------------------------

    def _spawn(self, work: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except OSError:  # nobody listens any more
                self._halt.set()
            except Exception as error:
                self.explain(error)
                self._done.set()
                self.say("bestmove (none)")

        self._done.clear()
        self._worker = threading.Thread(target=run, name="uci-search", daemon=True)
        self._worker.start()

    def _thinking(self) -> bool:
        busy = self._worker is not None and self._worker.is_alive()
        return busy and not self._done.is_set()

    def _wait(self) -> None:
        if self._worker is not None:
            self._worker.join()
            self._worker = None

    def _must_be_idle(self, what: str) -> None:
        if self._thinking():
            raise BadInputError(f"{what} while thinking is ignored: stop first")
        self._wait()

    def _start_board(self, fen: str | None = None) -> AnyBoard:
        chess960 = self._values["UCI_Chess960"] == "true"
        return new_board(self._values["UCI_Variant"], fen, chess960=chess960)

    def _get_engine(self) -> Engine:
        if self._engine is None:
            values = self._values
            limited = values["UCI_LimitStrength"] == "true"
            skill = int(values["Skill Level"])
            self._engine = self._engine_type(
                threads=int(values["Threads"]),
                hash_mb=int(values["Hash"]),
                skill=None if limited or skill == 20 else skill,
                elo=int(values["UCI_Elo"]) if limited else None,
            )
        return self._engine

    def _new_engine(self, name: str, old: str) -> None:
        """Takes a new setting over; what cannot be had leaves the old engine in place."""
        before, self._engine = self._engine, None
        try:
            self._get_engine()
        except (ValueError, MemoryError) as error:
            new, self._values[name], self._engine = self._values[name], old, before
            reason = str(error) or "not enough memory"
            raise BadInputError(f"{name} {new} cannot be had: {reason}") from None
        if before is not None:
            before.close()


def best_line(board: BoardLike[M], result: PlayResult[M]) -> str:
    """The ``bestmove`` line. The move to ponder on is named only if the opponent is to make it."""
    line = f"bestmove {move_text(board, result.move)}"
    after = board.copy()
    after.push(result.move)
    if after.turn is board.turn or result.ponder is None:
        return line
    answer = line_text(after, [result.ponder])
    return f"{line} ponder {answer[0]}" if answer else line


def serve(lines: IO[bytes], out: IO[str], variant: str = "chess") -> int:
    """Talks UCI until ``quit`` or the end of input; returns the exit status."""
    return converse(lambda say: Uci(say, variant), lines, out)

"""The UCI protocol: the engine as a program that reads lines and answers lines.

All of UCI, for chess and for Cờ Tư Lệnh. A turn of several moves (a deployment) is told one move
at a time: ``bestmove`` names one step, and when after ``position … moves …`` it is still the same
side's turn the GUI says ``go`` again. Moves of Cờ Tư Lệnh are LAN (12.1): ``Tc3d3``, ``Fd2_h6``,
``(NF)b2b5``, ``Tc3>xe3``, ``c3<``. See docs/howto-gui.md.

Nothing typed at it ends the program but ``quit`` and the end of input: whatever is wrong is
answered with ``info string …``, and a ``go`` always with a ``bestmove``.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from typing import IO, Any

from cotulenh import __version__
from cotulenh.book import Book, open_book
from cotulenh.book.polyglot import PolyglotBook
from cotulenh.engine import MAX_ELO, MAX_HASH_MB, MAX_THREADS, MIN_ELO, Analysis, Engine
from cotulenh.games import (
    AnyBoard,
    has_commander,
    move_text,
    names,
    new_board,
    parse_move,
    push_text,
    side,
)
from cotulenh.protocols.session import BadInputError, Session, echo, run
from cotulenh.protocols.uci_text import Go, Option, best_line, info_line

__all__ = ["Uci", "serve"]

MAX_PERFT = 20
#: Depth of perft counted at once: milliseconds in any position, so that "stop" is heard.
PERFT_AT_ONCE = 2
NO_MOVE = "bestmove 0000"
NEW_ENGINE = {"Hash", "Threads", "Skill Level", "UCI_LimitStrength", "UCI_Elo"}
NEW_BOARD = {"UCI_Variant", "UCI_Chess960"}


def options_of(game: str) -> tuple[Option, ...]:
    """The options, with the game that is played at first."""
    return (
        Option("Hash", "spin", "64", 1, MAX_HASH_MB),
        Option("Threads", "spin", "1", 1, MAX_THREADS),
        Option("Clear Hash", "button"),
        Option("MultiPV", "spin", "1", 1, 500),
        Option("Ponder", "check", "false"),
        Option("Move Overhead", "spin", "10", 0, 5000),
        Option("Skill Level", "spin", "20", 0, 20),
        Option("UCI_LimitStrength", "check", "false"),
        Option("UCI_Elo", "spin", str(MAX_ELO), MIN_ELO, MAX_ELO),
        Option("OwnBook", "check", "false"),
        Option("BookFile", "string", ""),
        Option("UCI_Chess960", "check", "false"),
        Option("UCI_Variant", "combo", game, choices=tuple(names())),
    )


class _StoppedError(Exception):
    """A count was stopped before its end."""


class Uci(Session):
    """The engine's side of UCI."""

    def __init__(
        self,
        send: Callable[[str], None],
        game: str = "chess",
        engine_type: Callable[..., Engine] = Engine,
    ) -> None:
        super().__init__(send, engine_type)
        self._options = {option.name: option for option in options_of(game)}
        self._values = {option.name: option.default for option in self._options.values()}
        self._board: AnyBoard | None = new_board(game)  # None: the last one was refused
        self._book: Book | PolyglotBook | None = None
        self._release = threading.Event()  # a bestmove that must wait may be told now
        self._done = threading.Event()  # the search is over, only its last line is to be sent

    # Reading ----------------------------------------------------------------------------------

    def _obey(self, words: list[str], line: str) -> None:
        action = self._actions().get(words[0])
        if action is None:
            raise BadInputError(f"unknown command: {line}")
        action(words[1:])

    def _refuse(self, reason: str, words: list[str], line: str) -> None:
        self._explain(reason)
        if words[0] == "go" and not self._is_searching():
            self.say(NO_MOVE)  # a GUI waits for one

    def _explain(self, reason: object) -> None:
        """Tells what went wrong, on one line."""
        self.say("info string " + echo(" ".join(str(reason)[:1000].split()), 200))

    def _actions(self) -> dict[str, Callable[[list[str]], None]]:
        return {
            "uci": self._uci,
            "debug": lambda words: None,  # nothing is kept back that could be told
            "isready": self._isready,
            "setoption": self._setoption,
            "register": lambda words: None,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": lambda words: self._end_search(),
            "ponderhit": self._ponderhit,
            "d": self._show,
            "eval": self._eval,
        }

    # Commands ---------------------------------------------------------------------------------

    def _uci(self, words: list[str]) -> None:
        self.say(f"id name cotulenh {__version__}")
        self.say("id author the cotulenh authors")
        for option in self._options.values():
            self.say(option.line())
        self.say("uciok")

    def _isready(self, words: list[str]) -> None:
        if not self._is_searching():
            try:
                self._get_engine()
            except (ValueError, MemoryError) as error:
                self._explain(error)
        self.say("readyok")

    def _ucinewgame(self, words: list[str]) -> None:
        self._must_be_idle("ucinewgame")
        self._get_engine().new_game()
        self._board = self._new_board()

    def _setoption(self, words: list[str]) -> None:
        self._must_be_idle("setoption")
        if not words or words[0] != "name":
            raise BadInputError("setoption: expected name … [value …]")
        cut = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:cut]), " ".join(words[cut + 1 :])
        option = next((o for o in self._options.values() if o.name.lower() == name.lower()), None)
        if option is None:
            raise BadInputError(f"expected an option, got {name}")
        if option.kind == "button":
            self._get_engine().new_game()
        else:
            self._set(option.name, option.checked(value))

    def _set(self, name: str, new: str) -> None:
        old = self._values[name]
        if new == old:
            return
        if name in NEW_ENGINE:
            self._change_engine(
                lambda: self._values.update({name: new}), lambda: self._values.update({name: old})
            )
        if name == "BookFile":
            self._book = None if new in ("", "<empty>") else open_book(new)
        self._values[name] = new
        if name in NEW_BOARD:
            self._board = self._new_board()

    def _position(self, words: list[str]) -> None:
        self._must_be_idle("position")
        self._board = None  # until the new one is known: an old one would be played for it
        cut = words.index("moves") if "moves" in words else len(words)
        head, moves = words[:cut], words[cut + 1 :]
        if head == ["startpos"]:
            board = self._new_board()
        elif head[:1] == ["fen"] and len(head) > 1:
            board = self._read_fen(head[1:])
        else:
            raise BadInputError("position: expected startpos or fen … [moves …]")
        for number, text in enumerate(moves, 1):
            try:
                push_text(board, text)
            except ValueError as error:
                raise BadInputError(f"move {number}: {error}") from None
        self._board = board

    def _read_fen(self, fields: list[str]) -> AnyBoard:
        """A board from the fields of a FEN. What other engines put up with is put up with here.

        Missing fields and counters out of range get their usual values; castling rights and an en
        passant square that cannot be are dropped.
        """
        try:
            return self._new_board(" ".join(fields))
        except ValueError as error:
            for easier in _easier(fields, self._values["UCI_Variant"] == "chess"):
                try:
                    return self._new_board(" ".join(easier))
                except ValueError:
                    continue
            raise error from None

    def _show(self, words: list[str]) -> None:
        board = self._known_board()
        lines = [*str(board).splitlines(), f"Fen: {board.fen()}", f"Key: {board.key:016x}"]
        if not self._is_searching():
            lines.append("Moves: " + " ".join(move_text(board, m) for m in board.legal_moves))
        for line in lines:
            self.say(line)

    def _eval(self, words: list[str]) -> None:
        self._must_be_idle("eval")
        found = self._get_engine().evaluate(self._known_board())
        for name, (first, second) in found.terms.items():
            self.say(f"{name:<24} {first:>7} {second:>7} {first - second:>7}")
        self.say(f"Evaluation: {found.score} (side to move)")

    # Searching --------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> None:
        self._must_be_idle("go")
        asked = Go.parse(words)
        board = self._known_board().copy()
        self._release.clear()
        if asked.perft is not None:
            depth = _checked_depth(asked.perft)
            self._start_search(lambda: self._perft(board, depth))
        elif not board.legal_moves:
            self._start_search(lambda: self._no_moves(board, asked))
        elif (known := self._from_book(board, asked)) is not None:
            move = known
            self._start_search(lambda: self._play_book(board, move))
        else:
            only = [parse_move(board, text) for text in asked.searchmoves] or None
            limit = asked.limit(side(board), int(self._values["Move Overhead"]))
            lines = int(self._values["MultiPV"])
            analysis = self._get_engine().analyse(
                board, limit, lines, root_moves=only, ponder=asked.ponder
            )
            waits = limit.infinite or asked.ponder
            self._start_search(lambda: self._search(board, analysis, waits, lines))

    def _from_book(self, board: AnyBoard, asked: Go) -> Any:
        """The book's move, if it is to be asked and knows one; who analyses wants the engine."""
        book = self._book if self._values["OwnBook"] == "true" else None
        analysing = asked.ponder or asked.infinite or asked.searchmoves
        if book is None or analysing or not book.fits(board):
            return None
        return book.choose(board)

    def _play_book(self, board: AnyBoard, move: Any) -> None:
        self._done.set()
        self.say("info string from the book")
        self.say(f"bestmove {move_text(board, move)}")

    def _start_search(self, work: Callable[[], None]) -> None:
        self._done.clear()
        super()._start_search(work)

    def _search(self, board: AnyBoard, analysis: Analysis[Any], waits: bool, lines: int) -> None:
        for info in analysis:
            if info.multipv <= lines:
                self.say(info_line(board, info))
        result = analysis.result()
        if waits:  # "infinite" and "ponder" promise no bestmove before stop or ponderhit
            self._release.wait()
        self._done.set()
        self.say(best_line(board, result))

    def _search_failed(self, reason: str) -> None:
        self._explain(reason)
        self._done.set()
        self.say(NO_MOVE)

    def _no_moves(self, board: AnyBoard, asked: Go) -> None:
        lost = board.is_check() or not has_commander(board)
        self.say(f"info depth 0 score {'mate 0' if lost else 'cp 0'}")
        if asked.infinite or asked.ponder:
            self._release.wait()
        self._done.set()
        self.say("bestmove (none)")

    def _perft(self, board: AnyBoard, depth: int) -> None:
        total = 0 if depth else 1
        try:
            for move in board.legal_moves if depth else ():
                text = move_text(board, move)
                board.push(move)
                nodes = self._count(board, depth - 1)
                board.pop()
                total += nodes
                self.say(f"{text}: {nodes}")
        except _StoppedError:
            self._explain(f"perft stopped, {total} nodes of the moves above")
            return
        self.say("")
        self._done.set()
        self.say(f"Nodes searched: {total}")

    def _count(self, board: AnyBoard, depth: int) -> int:
        """The sequences of so many moves, counted in pieces small enough to be stopped."""
        if self._halt.is_set():
            raise _StoppedError
        if depth <= PERFT_AT_ONCE:
            return board.perft(depth)
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += self._count(board, depth - 1)
            board.pop()
        return total

    def _end_search(self) -> None:
        self._release.set()
        super()._end_search()

    def _ponderhit(self, words: list[str]) -> None:
        if not self._is_searching():
            raise BadInputError("ponderhit without a search")
        if self._engine is not None:
            self._engine.ponderhit()
        self._release.set()

    # Parts ------------------------------------------------------------------------------------

    def _is_searching(self) -> bool:
        return super()._is_searching() and not self._done.is_set()

    def _must_be_idle(self, what: str) -> None:
        if self._is_searching():
            raise BadInputError(f"{what} while searching is ignored: stop first")
        if self._worker is not None:
            self._worker.join()  # its last line is on the way

    def _known_board(self) -> AnyBoard:
        if self._board is None:
            raise BadInputError("no position: the last one was refused")
        return self._board

    def _new_board(self, fen: str | None = None) -> AnyBoard:
        chess960 = self._values["UCI_Chess960"] == "true"
        return new_board(self._values["UCI_Variant"], fen, chess960=chess960)

    def _engine_settings(self) -> dict[str, Any]:
        values = self._values
        limited = values["UCI_LimitStrength"] == "true"
        skill = int(values["Skill Level"])
        return {
            "threads": int(values["Threads"]),
            "hash_mb": int(values["Hash"]),
            "skill": None if limited or skill == 20 else skill,
            "elo": int(values["UCI_Elo"]) if limited else None,
        }


def _checked_depth(depth: int) -> int:
    if not 0 <= depth <= MAX_PERFT:
        raise BadInputError(f"go perft: expected 0 to {MAX_PERFT}, got {depth}")
    return depth


def _easier(fields: list[str], is_chess: bool) -> list[list[str]]:
    """What a refused FEN may have meant: missing fields filled in, then without doubtful ones."""
    usual = ["", "w" if is_chess else "r", "-", "-", "0", "1"]
    filled = [*fields, *usual[len(fields) :]]
    for at, low in ((4, 0), (5, 1)):
        digits = filled[at].lstrip("-+")
        number = int(digits[:6]) if digits.isdigit() and not filled[at].startswith("-") else low
        filled[at] = str(max(low, min(number, 9999)))
    if not is_chess:
        return [filled]
    squares = (filled[3], "-") if filled[3] != "-" else ("-",)
    rights = [
        "".join(some) or "-"
        for count in range(len(filled[2][:4]), -1, -1)
        for some in itertools.combinations(filled[2][:4], count)
    ]
    return [[*filled[:2], some, square, *filled[4:]] for some in rights for square in squares]


def serve(lines: IO[bytes], out: IO[str], game: str = "chess") -> int:
    """Speaks UCI until ``quit`` or the end of input; returns the exit status."""
    return run(lambda send: Uci(send, game), lines, out)

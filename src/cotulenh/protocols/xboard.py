"""The protocol of XBoard and WinBoard (CECP, version 2): the engine as a program for their windows.

XBoard learns the board of Cờ Tư Lệnh from the ``setup`` command, shows the legal moves of a lifted
piece by ``highlight``, and speaks of turns in legs (:mod:`cotulenh.protocols.compound`). What it
cannot show, and what happens then, is said in docs/xboard.md. Bad input is answered with
``Error (…): …`` or ``Illegal move (…): …``; only ``quit`` and the end of input end the program.
"""

from __future__ import annotations

import contextlib
import itertools
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, cast

from cotulenh import __version__
from cotulenh.board import Board, Move
from cotulenh.chess import Board as ChessBoard
from cotulenh.engine import MAX_HASH_MB, MAX_THREADS, Analysis, Engine, Info, Limit
from cotulenh.games import (
    AnyBoard,
    AnyMove,
    BoardLike,
    M,
    end,
    end_text,
    line_text,
    move_text,
    names,
    new_board,
    parse_move,
    placement,
    side,
)
from cotulenh.protocols.compound import (
    Turn,
    decode,
    faithful,
    letter_of,
    next_targets,
    sendable,
    shown,
    stops_of,
    targets,
    turns_from,
)
from cotulenh.protocols.session import BadInputError, Session, echo, run
from cotulenh.squares import RED, Square

__all__ = ["Xboard", "display_fen", "serve"]


def variants() -> dict[str, str]:
    """XBoard's name of each game: the rule sets of Cờ Tư Lệnh need names it does not know.

    >>> variants()["cotulenh-online"], variants()["cotulenh"], variants()["normal"]
    ('online', 'official', 'chess')
    """
    rule_sets = [name for name in names() if name != "chess"]
    ours = {f"cotulenh-{_word(name)}": name for name in rule_sets if name != "official"}
    return {"cotulenh": "official", **ours, "normal": "chess", "fischerandom": "chess"}


def _word(name: str) -> str:
    """A name without what the protocol's lists cannot hold: blanks, commas, quotes."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-").lower()


def variant_of(game: str) -> str:
    """XBoard's name of a game."""
    return next(name for name, known in variants().items() if known == game)


#: Which of XBoard's drawings (the place in the row) stands for which letter; the last is the king.
TABLE = ".NFT.EHI.MGA........S.......C"
MATE_SCORE = 100_000


@dataclass(slots=True)
class _Clock:
    """Time as the protocol tells it, in seconds."""

    moves: int = 40
    base: float = 300.0
    increment: float = 0.0
    fixed: float | None = None
    depth: int | None = None
    own: float | None = None
    other: float | None = None

    def limit(self, mover: int) -> Limit:
        """The limit for the next move of the side to move."""
        if self.fixed is not None:
            return Limit(time=self.fixed, depth=self.depth)
        own = self.base if self.own is None else self.own
        other = own if self.other is None else self.other
        times = (own, other) if mover == 0 else (other, own)
        plus = (self.increment, self.increment)
        togo = self.moves or None
        return Limit(times=times, increments=plus, moves_to_go=togo, depth=self.depth)


class Xboard(Session):
    """The engine's side of CECP."""

    def __init__(
        self,
        send: Callable[[str], None],
        variant: str = "cotulenh",
        engine_type: Callable[..., Engine] = Engine,
    ) -> None:
        super().__init__(send, engine_type)
        self._memory, self._cores = 64, 1
        self._only_faithful = True
        self._names = variants()
        self._preferred = variant
        self._variant = variant
        self._board = self._new_board()
        self._clock = _Clock()
        self._plays: int | None = 1  # the engine's side; None: it only follows
        self._post = False
        self._analysing = False
        self._clicked: list[Square] = []
        self._window = self._seen()

    # Reading ------------------------------------------------------------------------------------

    def _obey(self, words: list[str], line: str) -> None:
        action = self._actions().get(words[0])
        if action is not None:
            action(words[1:])
        elif words[0] not in IGNORED:
            self._maybe_move(words[0])

    def _refuse(self, reason: str, words: list[str], line: str) -> None:
        self.say(f"Error ({echo(reason)}): {echo(line)}")

    def _actions(self) -> dict[str, Callable[[list[str]], None]]:
        return {
            "protover": self._protover,
            "new": self._new,
            "variant": self._set_variant,
            "setboard": self._setboard,
            "usermove": lambda words: self._usermove(_one(words)),
            "force": lambda words: self._set_side(None),
            "go": lambda words: self._go(),
            "playother": lambda words: self._set_side(1 - side(self._board)),
            "?": lambda words: self._move_now(),
            "undo": lambda words: self._undo(1),
            "remove": lambda words: self._undo(2),
            "level": self._level,
            "st": lambda words: self._set_fixed(_number(words)),
            "sd": lambda words: self._set_depth(_number(words)),
            "time": lambda words: self._set_time("own", words),
            "otim": lambda words: self._set_time("other", words),
            "memory": lambda words: self._resize("_memory", words, MAX_HASH_MB),
            "cores": lambda words: self._resize("_cores", words, MAX_THREADS),
            "ping": lambda words: self._ping(words),
            "result": lambda words: self._set_side(None),
            "post": lambda words: self._set_post(True),
            "nopost": lambda words: self._set_post(False),
            "hint": lambda words: self._hint(),
            "analyze": lambda words: self._analyse(),
            "exit": lambda words: self._end_analysis(),
            "option": self._option,
            "lift": lambda words: self._lift(_one(words)),
            "put": lambda words: self._put(_one(words)),
        }

    # Handshake and settings ---------------------------------------------------------------------

    def _protover(self, words: list[str]) -> None:
        order = [self._preferred, *(name for name in self._names if name != self._preferred)]
        # A GUI starts with "normal" if it is offered, else with the first name of the list.
        if self._preferred not in ("normal", "fischerandom"):
            order = [name for name in order if self._names[name] != "chess"]
        self.say(
            f'feature myname="cotulenh {__version__}" ping=1 setboard=1 usermove=1 san=0 colors=0'
            " sigint=0 sigterm=0 debug=1 reuse=1 analyze=1 playother=1 memory=1 smp=1 draw=0"
            f' highlight=1 variants="{",".join(order)}"'
        )
        self.say('feature option="True picture -check 1"')
        self.say("feature done=1")

    def _option(self, words: list[str]) -> None:
        name, _, value = " ".join(words).partition("=")
        if name.lower() != "true picture" or value not in ("0", "1"):
            raise BadInputError("expected True picture=0 or 1")
        self._only_faithful = value == "1"

    def _resize(self, name: str, words: list[str], high: int) -> None:
        number = _number(words)
        if not 1 <= number <= high:
            raise BadInputError(f"expected 1 to {high}, got {number:g}")
        old, new = getattr(self, name), int(number)
        if new == old:
            return
        self._end_search()
        self._change_engine(lambda: setattr(self, name, new), lambda: setattr(self, name, old))

    def _engine_settings(self) -> dict[str, int]:
        return {"threads": self._cores, "hash_mb": self._memory}

    def _ping(self, words: list[str]) -> None:
        """A ping is answered after the move that is being thought of; ``?`` is heard meanwhile."""
        worker, answer = self._worker, f"pong {' '.join(words)}"
        if worker is None or self._analysing:
            self.say(answer)
            return

        def wait() -> None:
            worker.join()
            with contextlib.suppress(OSError):
                self.say(answer)

        threading.Thread(target=wait, daemon=True).start()

    def _level(self, words: list[str]) -> None:
        if len(words) != 3:
            raise BadInputError("expected level MOVES TIME INCREMENT")
        minutes, _, seconds = words[1].partition(":")
        base = _float(minutes) * 60 + (_float(seconds) if seconds else 0.0)
        self._clock = _Clock(int(_float(words[0])), base, _float(words[2]), depth=self._clock.depth)

    def _set_fixed(self, seconds: float) -> None:
        self._clock.fixed = max(0.01, seconds)

    def _set_depth(self, depth: float) -> None:
        self._clock.depth = int(depth) if 1 <= depth <= 240 else None

    def _set_time(self, which: str, words: list[str]) -> None:
        setattr(self._clock, which, max(1.0, _number(words)) / 100)

    def _set_post(self, on: bool) -> None:
        self._post = on

    # Positions --------------------------------------------------------------------------------

    def _new_board(self, fen: str | None = None) -> AnyBoard:
        chess960 = self._variant == "fischerandom"
        return new_board(self._names[self._variant], fen, chess960=chess960)

    def _seen(self) -> dict[Square, int]:
        """What XBoard's window shows after it was told the position: whose piece is where."""
        if not isinstance(self._board, Board):
            return {}
        colors = (self._board.turn, self._board.turn.other)
        own = side(self._board)
        return {s: own ^ n for n, color in enumerate(colors) for s in self._board.occupied(color)}

    def _new(self, words: list[str]) -> None:
        self._end_search()
        self._analysing = False
        self._variant = "normal" if self._preferred == "normal" else self._preferred
        self._board = self._new_board()
        self._window = self._seen()
        self._clock.depth = None
        self._plays = 1
        self._get_engine().new_game()

    def _set_variant(self, words: list[str]) -> None:
        name = _one(words)
        if name not in self._names:
            raise BadInputError("variant not supported")
        self._end_search()
        self._variant = name
        self._board = self._new_board()
        self._window = self._seen()
        if isinstance(self._board, Board):
            rules = self._board.rules
            size = f"{rules.files}x{rules.ranks}+0_fairy"
            fen = display_fen(self._board)
            self.say(f"setup ({TABLE}{TABLE.lower()}) {size} {fen}")

    def _setboard(self, words: list[str]) -> None:
        self._end_search()
        text = " ".join(words)
        if isinstance(self._board, Board):
            if text.split()[:2] == display_fen(self._board).split()[:2]:
                self._window = self._seen()
                return  # XBoard gives back what it was shown: stacks and heroes are known here
            if len(words) < 2:
                raise BadInputError("expected setboard PLACEMENT SIDE")
            text = f"{words[0]} {'r' if words[1] == 'w' else 'b'} - - 0 1"
        self._board = self._new_board(text)
        self._window = self._seen()
        self._restart()

    def _undo(self, turns: int) -> None:
        self._end_search()
        for _ in range(turns):
            if not self._board.ply:
                raise BadInputError("nothing to take back")
            self._board.undo()
        self._window = self._seen()
        self._restart()

    # Moves of the user ------------------------------------------------------------------------

    def _maybe_move(self, word: str) -> None:
        if len(word) >= 4 and word[0].isalpha() and word[1].isdigit():
            self._usermove(word)
        else:
            raise BadInputError("unknown command")

    def _usermove(self, text: str) -> None:
        self._end_search()
        if end(self._board) is not None:
            self.say(f"Illegal move (the game is over): {echo(text)}")
            return
        try:
            self._play(*self._read(text))
        except ValueError as error:
            self.say(f"Illegal move ({echo(str(error))}): {echo(text)}")
            return
        if not self._tell_end():
            self._restart()

    def _read(self, text: str) -> tuple[tuple[AnyMove, ...], str]:
        if isinstance(self._board, ChessBoard):
            try:
                return (parse_move(self._board, text),), text
            except ValueError:
                return (self._board.parse_san(text),), text
        assert isinstance(self._board, Board)
        turn = decode(self._board, text)
        if turn is None:
            raise BadInputError("expected a legal turn")
        if not faithful(turn):
            self._tell_truth(turn)
        return turn.moves, turn.text

    def _play(self, moves: tuple[AnyMove, ...], text: str) -> None:
        if isinstance(self._board, Board):
            mover, stops = side(self._board), stops_of(text)
            for stop in stops:
                self._window.pop(stop, None)
            self._window[stops[-1]] = mover
        for move in moves:
            self._board.push(move)

    def _tell_truth(self, turn: Turn) -> None:
        """Says in words what XBoard's picture cannot show."""
        board = self._board.copy()
        words = line_text(board, turn.moves)
        for move in turn.moves:
            board.push(move)
        fen = display_fen(cast("Board", board))
        self.say(f"telluser {' '.join(words)}: the window cannot show this. Position: {fen}")

    def _tell_end(self) -> bool:
        over = end(self._board)
        if over is not None:
            self.say(f"{over.result} {{{end_text(over)}}}")
        return over is not None

    # Lifting pieces ---------------------------------------------------------------------------

    def _lift(self, text: str) -> None:
        if not isinstance(self._board, Board) or self._is_searching():
            return
        place = Square(text)
        if self._clicked and self._clicked[-1] == place:
            return
        self._clicked = [place]
        self._highlight(targets(self._board, place))

    def _put(self, text: str) -> None:
        """A piece was set down: on the way, or where a boarding changes its drawing."""
        if not isinstance(self._board, Board) or not self._clicked or self._is_searching():
            return
        origin, place = self._clicked[0], Square(text)
        if len(self._clicked) == 1:
            letter = letter_of(self._board, origin, place)
            if letter is not None:
                self.say(f"choice {letter}")
                return
        self._clicked.append(place)
        names = [square.name for square in self._clicked]
        legs = ",".join(a + b for a, b in itertools.pairwise(names))
        marks = next_targets(self._board, legs)
        if marks:
            self._highlight(marks)

    def _highlight(self, marks: dict[Square, str]) -> None:
        rules = cast("Board", self._board).rules

        def sign(file: int, rank: int) -> str | None:
            mark = marks.get(Square.at(file, rank))
            return None if mark is None else mark.upper()

        self.say("highlight " + placement(rules.files, rules.ranks, sign))

    # Thinking ---------------------------------------------------------------------------------

    def _set_side(self, plays: int | None) -> None:
        self._end_search()
        self._analysing = False
        self._plays = plays

    def _go(self) -> None:
        self._end_search()
        self._plays = side(self._board)
        self._restart()

    def _restart(self) -> None:
        """Thinks if it is the engine's turn, or analyses if that is wanted."""
        if not self._board.legal_moves:
            return
        if self._analysing:
            self._start_search(lambda: self._ponder(Limit(infinite=True)))
        elif self._plays == side(self._board) and end(self._board) is None:
            self._start_search(self._think)

    def _think(self) -> None:
        board = self._board.copy()
        limit = self._clock.limit(side(board))
        if isinstance(board, Board):
            turn = self._choose_turn(board, limit)
            if self._halt.is_set():
                return
            if turn is None:
                self.say("telluser no legal turn can be shown in this window: the engine resigns")
                self.say("resign")
                return
            moves: tuple[AnyMove, ...] = turn.moves
            text = turn.text
            if not faithful(turn):
                self._tell_truth(turn)
        else:
            move = self._search(board, limit, None)
            moves, text = (move,), move_text(board, move)
        if self._halt.is_set():
            return
        self._play(moves, text)
        legs = text.split(",")
        for leg in legs[:-1]:
            self.say(f"move {leg},")
        self.say(f"move {legs[-1]}")
        self._tell_end()

    def _choose_turn(self, board: Board, limit: Limit) -> Turn | None:
        """A whole turn that XBoard passes on unharmed, and shows truly if that is wanted.

        XBoard refuses moves of pieces that it does not see.
        """
        mover = side(board)
        seen = [m for m in board.legal_moves if self._window.get(Square(m.from_square)) == mover]
        plain = [m for m in seen if faithful(Turn((m,), ""))]
        choices = [plain, seen] if self._only_faithful else [seen, plain]
        for only in filter(None, choices):
            turn = self._think_turn(board, limit, list(only))
            if turn is None or sendable(turn):
                return turn
        turns = (t for s in {Square(m.from_square) for m in seen} for t in turns_from(board, s))
        return next(filter(sendable, turns), None)

    def _think_turn(self, board: Board, limit: Limit, only: list[Move] | None) -> Turn | None:
        moves: list[Move] = []
        after, mover = board.copy(), board.turn
        while after.turn is mover and after.legal_moves:
            move = self._search(after, limit, only)
            if self._halt.is_set():
                return None
            moves.append(move)
            after.push(move)
            only = None
        turns = turns_from(board, Square(int(moves[0].from_square)))
        found = next((turn for turn in turns if turn.moves == tuple(moves)), turns[0])
        # If another turn reads alike and comes first it is played: so both sides mean the same.
        return decode(board, found.text) or found

    def _search(self, board: BoardLike[M], limit: Limit, only: list[M] | None) -> M:
        analysis = self._start(board, limit, only)
        for info in analysis:
            if self._post and info.multipv == 1:
                self.say(post_line(board, info))
        return analysis.result().move

    def _ponder(self, limit: Limit) -> None:
        board = self._board.copy()
        for info in self._start(board, limit, None):
            if self._halt.is_set():
                break
            self.say(post_line(board, info))

    def _start(self, board: BoardLike[M], limit: Limit, only: list[M] | None) -> Analysis[M]:
        return self._get_engine().analyse(board, limit, root_moves=only)

    def _move_now(self) -> None:
        if self._is_searching() and self._engine is not None and not self._analysing:
            self._engine.stop()

    def _hint(self) -> None:
        if not self._is_searching() and self._board.legal_moves:
            board = self._board
            limit = Limit(time=0.2)
            move = self._get_engine().play(board, limit).move
            self.say(f"Hint: {board.san(move)}")

    def _analyse(self) -> None:
        self._end_search()
        self._analysing, self._plays = True, None
        self._restart()

    def _end_analysis(self) -> None:
        self._end_search()
        self._analysing = False

    # Parts ------------------------------------------------------------------------------------

    def _search_failed(self, reason: str) -> None:
        self.say(f"telluser engine error: {echo(reason)}")

    def _end_search(self) -> None:
        """Ends a search without a move."""
        super()._end_search()
        self._clicked = []


IGNORED = {
    "xboard", "accepted", "rejected", "random", "hard", "easy", "computer", "name", "rating",
    "ics", "bk", "draw", "hover", "nps", "white", "black", ".", "pause", "resume", "edit",
}  # fmt: skip


def display_fen(board: Board) -> str:
    """The position as XBoard can show it: one letter a stack, no heroes, white for Red."""

    def sign(file: int, rank: int) -> str | None:
        stack = board.stack_at(Square.at(file, rank))
        if stack is None:
            return None
        letter = shown(stack.pieces).letter
        return letter if stack.color is RED else letter.lower()

    rows = placement(board.rules.files, board.rules.ranks, sign)
    return f"{rows} {'w' if side(board) == 0 else 'b'} - - 0 1"


def post_line(board: BoardLike[M], info: Info[M]) -> str:
    """A line of thinking output: depth, score, time in hundredths, nodes, moves."""
    score = info.score.cp
    if info.score.mate is not None:
        score = (
            (MATE_SCORE + info.score.mate) if info.score.mate > 0 else -MATE_SCORE + info.score.mate
        )
    line = " ".join(line_text(board, info.pv, "san"))
    return f"{info.depth} {score} {round(info.time * 100)} {info.nodes} {line}"


def _one(words: list[str]) -> str:
    if len(words) != 1:
        raise BadInputError(f"expected one word, got {len(words)}")
    return words[0]


def _float(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise BadInputError(f"expected a number, got {echo(text)}") from None
    if not 0 <= number < 1e9:
        raise BadInputError(f"expected a number from 0 to 1e9, got {echo(text)}")
    return number


def _number(words: list[str]) -> float:
    return _float(_one(words))


def serve(lines: IO[bytes], out: IO[str], variant: str = "cotulenh") -> int:
    """Speaks CECP until ``quit`` or the end of input; returns the exit status."""
    return run(lambda send: Xboard(send, variant), lines, out)

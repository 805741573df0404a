"""A game: tags, turns, comments, marks, variations, clocks, a result.

>>> from cotulenh import Board
>>> board = Board()
>>> _ = board.push_san("Mg6"), board.push_san("mg7")
>>> game = Game.from_board(board, {"Event": "A friendly game", "Red": "Lan", "Blue": "Minh"})
>>> first = next(game.mainline())
>>> first.comments.append("A quiet beginning.")
>>> _ = game.root.add("Ik6")
>>> print(game)
[Event "A friendly game"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[Red "Lan"]
[Blue "Minh"]
[Result "*"]
[Variant "official"]
<BLANKLINE>
1. Mg6 {A quiet beginning.} (1. Ik6) 1... Mg7 *
<BLANKLINE>
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from cotulenh import chess
from cotulenh._core import pgn as _core
from cotulenh.annotations import (
    Arrow,
    Circle,
    Eval,
    clock_text,
    decode,
    find,
    find_all,
    parse_arrows,
    parse_circles,
    replaced,
    said_of,
    seconds_of,
    shapes_text,
    without_commands,
)
from cotulenh.board import Board, Move
from cotulenh.games import AnyBoard, AnyMove
from cotulenh.rules import Rules
from cotulenh.squares import Square

__all__ = ["CLOSE", "COMMENT", "MOVE", "NAG", "OPEN", "AnyMove", "Game", "Node", "walk"]

# The tape of the core (core/games/pgn_read.hpp): what happens in the highest byte, the rest below.
MOVE, OPEN, CLOSE, NAG, COMMENT = range(1, 6)
_OP, _LENGTH = 56, 28
_ENDS_TURN = 1 << 32

_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_NULL = ("--", "Z0", "z0", "@@@@", "0000")  # how a turn that passes is written


class Node:
    """One turn of a game: the moves of a deployment are one turn. The root has no moves.

    ``children[0]`` goes on with the line, the others are variations of it.
    """

    __slots__ = ("_before", "_bits", "_comments", "_nags", "children", "game", "parent", "ply")

    def __init__(self, game: Game, parent: Node | None, bits: tuple[int, ...]) -> None:
        self.game, self.parent, self._bits = game, parent, bits
        #: How many turns lie between the start of the game and here.
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.children: list[Node] = []
        # Most turns have none of these: their lists are made when they are asked for.
        self._nags: list[int] | None = None
        self._comments: list[str] | None = None
        self._before: list[str] | None = None

    @property
    def nags(self) -> list[int]:
        """Numeric marks: 1 is ``!``, 2 ``?``, 3 ``!!``, 4 ``??``, 5 ``!?``, 6 ``?!``."""
        if self._nags is None:
            self._nags = []
        return self._nags

    @nags.setter
    def nags(self, nags: list[int]) -> None:
        self._nags = nags

    @property
    def comments(self) -> list[str]:
        """What is said after the turn."""
        if self._comments is None:
            self._comments = []
        return self._comments

    @comments.setter
    def comments(self, comments: list[str]) -> None:
        self._comments = comments

    @property
    def before(self) -> list[str]:
        """What is said before the turn: at the beginning of a variation, or after one."""
        if self._before is None:
            self._before = []
        return self._before

    @before.setter
    def before(self, before: list[str]) -> None:
        self._before = before

    @property
    def contents(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...], tuple[str, ...]]:
        """Packed moves, marks, and comments before and after: all that a turn is."""
        return (
            self._bits,
            tuple(self._nags or ()),
            tuple(self._before or ()),
            tuple(self._comments or ()),
        )

    @property
    def moves(self) -> tuple[AnyMove, ...]:
        """The single moves of the turn."""
        make: Any = self.game.move_type.from_int
        return tuple(make(bits) for bits in self._bits)

    @property
    def comment(self) -> str:
        """All comments after the turn as one text."""
        return " ".join(self.comments)

    @comment.setter
    def comment(self, text: str) -> None:
        self.comments = [text] if text else []

    @property
    def text(self) -> str:
        """The comment without commands such as ``[%clk …]``."""
        return without_commands(self.comment)

    # What programs say in comments --------------------------------------------------------------

    @property
    def clock(self) -> float | None:
        """The seconds left on the mover's clock, as ``[%clk 0:09:58]`` says.

        >>> from cotulenh import Board
        >>> node = Game().root.add("Mg6")
        >>> node.clock = 598
        >>> node.comment, node.clock
        ('[%clk 0:09:58]', 598.0)
        """
        return self._seconds("clk")

    @clock.setter
    def clock(self, seconds: float | None) -> None:
        self._say("clk", None if seconds is None else clock_text(seconds))

    @property
    def emt(self) -> float | None:
        """The seconds the turn took (elapsed move time), as ``[%emt 0:00:05]`` says."""
        return self._seconds("emt")

    @emt.setter
    def emt(self, seconds: float | None) -> None:
        self._say("emt", None if seconds is None else clock_text(seconds))

    @property
    def eval(self) -> Eval | None:
        """What an engine thought after the turn, as ``[%eval 0.35,18]`` or ``[%eval #-3]`` says.

        It is the first side's view, whoever moved. An ``int`` is set as centipawns.

        >>> node = Game().root.add("Mg6")
        >>> node.eval = Eval(cp=-7, depth=12)
        >>> node.comment, node.eval.cp
        ('[%eval -0.07,12]', -7)
        """
        said = find(self._comments or (), "eval")
        return None if said is None else Eval.parse(said)

    @eval.setter
    def eval(self, value: Eval | int | None) -> None:
        if isinstance(value, int):
            value = Eval(cp=value)
        self._say("eval", None if value is None else str(value))

    @property
    def arrows(self) -> list[Arrow]:
        """Arrows drawn on the board, as ``[%cal Gc2c3]`` says."""
        return parse_arrows(find_all(self._comments or (), "cal"), self.game.square_type)

    @arrows.setter
    def arrows(self, arrows: Iterable[Arrow]) -> None:
        self._say("cal", shapes_text(arrows))

    @property
    def circles(self) -> list[Circle]:
        """Squares marked on the board, as ``[%csl Rd5]`` says."""
        return parse_circles(find_all(self._comments or (), "csl"), self.game.square_type)

    @circles.setter
    def circles(self, circles: Iterable[Circle]) -> None:
        self._say("csl", shapes_text(circles))

    def _seconds(self, name: str) -> float | None:
        said = find(self._comments or (), name)
        return None if said is None else seconds_of(said)

    def _say(self, name: str, value: str | None) -> None:
        if value is not None or self._comments:
            self.comments = replaced(self.comments, name, value)

    # The tree -----------------------------------------------------------------------------------

    def board(self) -> AnyBoard:
        """A board with the position after this turn and how it came about."""
        return self.game._board_at(self).copy()

    def add(self, turn: str | AnyMove | Iterable[AnyMove]) -> Node:
        """Plays a turn from here and returns its node, the old one if there is such already.

        A turn is a text, a move, or the moves of a deployment. The first that is added goes on with
        the line, later ones are variations.
        """
        board = self.game._board_at(self)
        self.game._cursor = None  # until the board stands where it is said to stand
        bits = _play(board, turn)
        if not bits:
            raise ValueError("a turn has at least one move")
        node = self._child(bits)
        self.game._cursor = node, board
        return node

    def _child(self, bits: tuple[int, ...]) -> Node:
        for child in self.children:
            if child._bits == bits:
                return child
        node = Node(self.game, self, bits)
        self.children.append(node)
        return node

    def promote(self) -> None:
        """Makes this turn the one that goes on with its line."""
        if self.parent is None:
            raise ValueError("the root of a game is no variation")
        self.parent.children.remove(self)
        self.parent.children.insert(0, self)
        self.game._end = None

    def remove(self) -> None:
        """Takes this turn and all that follows out of its game."""
        if self.parent is None:
            raise ValueError("the root of a game cannot be removed")
        self.parent.children.remove(self)
        self.parent = self.game._end = None

    def __repr__(self) -> str:
        return f"<Node {' '.join(map(str, self.moves)) or 'root'} at ply {self.ply}>"


def walk(root: Node) -> Iterator[tuple[int, Node, int]]:
    """All turns in the order they are written: ``(MOVE | OPEN | CLOSE, node, ply)``.

    A variation comes after the turn it stands in for. Any depth: nothing here recurses.
    """
    stack: list[tuple[int, Node, int]] = [(MOVE, root, 0)] if root.children else []
    while stack:
        kind, node, ply = stack.pop()
        if kind == CLOSE:
            yield CLOSE, node, ply
            continue
        first, *others = (node,) if kind == OPEN else node.children
        if kind == OPEN:
            yield OPEN, node, ply
        yield MOVE, first, ply
        # What is pushed first comes last: the line goes on after the variations of its turn.
        if first.children:
            stack.append((MOVE, first, ply + 1))
        for other in reversed(others):
            stack.append((CLOSE, other, ply))
            stack.append((OPEN, other, ply))


class Game:
    """Tags, turns and result of a game. Turns are read from the file's text when first asked for.

    ``rules`` is ``None`` for chess. See :mod:`cotulenh.pgn` for reading and writing.
    """

    def __init__(
        self, start: AnyBoard | None = None, tags: Mapping[str, str] | None = None
    ) -> None:
        board = Board() if start is None else start
        self._begin(board, dict(tags or {}))
        self._result = self.tags["Result"] if self.tags["Result"] in _RESULTS else "*"
        self._tape, self._text, self._turns = b"", b"", 0
        self._root: Node | None = None
        self._cursor: tuple[Node, AnyBoard] | None = None
        self._end: Node | None = None  # of the main line, while nothing but adding happens
        #: What was wrong with its text, for a game that was read.
        self.problems: list[Any] = []

    def _begin(self, board: AnyBoard, tags: dict[str, str]) -> None:
        self.rules: Rules | None = None
        self.chess960 = False
        sides, usual = ("White", "Black"), chess.STARTING
        if isinstance(board, Board):
            self.rules, usual, sides = board.rules, board.rules.start_fen, ("Red", "Blue")
        elif isinstance(board, chess.Board):
            self.chess960 = board.chess960
        names = ("Event", "Site", "Date", "Round", *sides, "Result")
        values = ("?", "?", "????.??.??", "?", "?", "?", "*")
        self.tags: dict[str, str] = dict(zip(names, values, strict=True))
        if self.rules is not None:
            self.tags["Variant"] = self.rules.name
        elif self.chess960:
            self.tags["Variant"] = "Chess960"
        fen = board.fen()
        if fen != usual:
            self.tags.update(SetUp="1", FEN=fen)
        self.tags.update(tags)

    @classmethod
    def from_board(cls, board: AnyBoard, tags: Mapping[str, str] | None = None) -> Self:
        """The game that was played on a board, with its result if it is over."""
        start = board.root()
        game = cls(start, tags)
        node, bits = game.root, []
        for move in board.move_stack:
            start.push(move)
            bits.append(int(move))
            if not isinstance(start, Board) or start.deployment is None:
                node, bits = node._child(tuple(bits)), []
        if bits:
            node._child(tuple(bits))
        outcome = board.outcome()
        if outcome is not None and not (tags and "Result" in tags):
            game.result = outcome.result
        return game

    @classmethod
    def _read(
        cls,
        rules: Rules | None,
        chess960: bool,
        tags: dict[str, str],
        reading: tuple[bytes, int, str | None],
        text: bytes,
    ) -> Self:
        """What the reader found: a tape over a text."""
        game = cls.__new__(cls)
        game.rules, game.chess960, game.tags = rules, chess960, tags
        game._tape, game._turns, result = reading
        game._text, game._root, game.problems = text, None, []
        game._cursor = game._end = None
        if result is None:
            result = tags.get("Result", "*")
        game._result = result if result in _RESULTS else "*"
        return game

    # Looking ------------------------------------------------------------------------------------

    @property
    def move_type(self) -> type[Move] | type[chess.Move]:
        """The class of this game's moves."""
        return chess.Move if self.rules is None else Move

    @property
    def square_type(self) -> type[Square] | type[chess.Square]:
        """The class of this game's squares."""
        return chess.Square if self.rules is None else Square

    @property
    def fen(self) -> str:
        """The position the game began with."""
        usual = chess.STARTING if self.rules is None else self.rules.start_fen
        return usual if self.tags.get("SetUp") == "0" else self.tags.get("FEN", usual)

    @property
    def result(self) -> str:
        """``1-0`` (the first side won), ``0-1``, ``1/2-1/2`` or ``*``: then the tag may tell."""
        tag = self.tags.get("Result")
        return tag if self._result == "*" and tag in _RESULTS else self._result

    @result.setter
    def result(self, result: str) -> None:
        if result not in _RESULTS:
            raise ValueError(f"expected a result ({', '.join(_RESULTS)}), got {result!r}")
        self._result = self.tags["Result"] = result

    @property
    def root(self) -> Node:
        """The node before the first turn; its comments are said before the game."""
        if self._root is None:
            self._root = _build(self, self._words(), self._text)
            self._tape, self._text = b"", b""
        return self._root

    def _words(self) -> array[int]:
        words = array("Q")
        words.frombytes(self._tape)
        return words

    def mainline(self) -> Iterator[Node]:
        """The turns of the main line."""
        node = self.root
        while node.children:
            node = node.children[0]
            yield node

    def turns(self) -> list[tuple[AnyMove, ...]]:
        """The moves of the main line, turn by turn."""
        return [node.moves for node in self.mainline()]

    def moves(self) -> list[AnyMove]:
        """The single moves of the main line: for a game just read, without building its nodes."""
        make: Any = self.move_type.from_int
        if self._root is not None:
            return [move for node in self.mainline() for move in node.moves]
        out, depth = [], 0
        for word in self._words():
            op = word >> _OP
            if op == MOVE:
                if depth == 0:
                    out.append(make(word & 0xFFFFFFFF))
            elif op == OPEN:
                depth += 1
            elif op == CLOSE:
                depth -= 1
        return out

    def __len__(self) -> int:
        """The finished turns of the main line."""
        return self._turns if self._root is None else sum(1 for _ in self.mainline())

    def __bool__(self) -> bool:
        return True

    def sans(self) -> list[str]:
        """The turns of the main line as SAN (12.2)."""
        texts = iter(self.texts())
        out, depth = [], 0
        for kind, _, _ in walk(self.root):
            depth += (kind == OPEN) - (kind == CLOSE)
            if kind == MOVE:
                san = next(texts)
                if depth == 0:
                    out.append(san)
        return out

    def texts(self) -> list[str]:
        """The SAN of every turn, variations included, in the order of :func:`walk`."""
        tape = self.tape()
        if self.rules is None:
            return _core.write_chess(self.fen, self.chess960, tape)
        return _core.write_ctl(self.rules.core, self.fen, tape)

    def tape(self) -> bytes:
        """The moves of all lines in the core's form."""
        words = array("Q")
        for kind, node, _ in walk(self.root):
            if kind == MOVE:
                words.extend(MOVE << _OP | bits for bits in node._bits)
                words[-1] |= _ENDS_TURN
            else:
                words.append(kind << _OP)
        return words.tobytes()

    def board(self) -> AnyBoard:
        """A board with the first position."""
        if self.rules is None:
            return chess.Board(self.fen, self.chess960)
        return Board(self.fen, self.rules)

    def end(self) -> AnyBoard:
        """A board with the main line played on it."""
        board = self.board()
        for move in self.moves():
            _push(board, move)
        return board

    def _board_at(self, node: Node) -> AnyBoard:
        """The game's own board, led to a node from where it stood last: a step costs a step."""
        at, board = self._cursor or (self.root, self.board())
        self._cursor = None
        path: list[Node] = []
        here = node
        while here is not at:
            up = here.ply > at.ply
            above = here.parent if up else at.parent
            if up:
                path.append(here)
            else:
                for _ in at._bits:
                    board.pop()
            if above is None and up:
                raise ValueError("this turn was taken out of its game")
            if above is None:  # the board stood on a branch that was taken out
                return self._board_at(node)
            here, at = (above, at) if up else (here, above)
        for step in reversed(path):
            for move in step.moves:
                _push(board, move)
        self._cursor = node, board
        return board

    def add(self, turn: str | AnyMove | Iterable[AnyMove]) -> Node:
        """Plays a turn at the end of the main line."""
        node = self._end
        if node is None or node.children:
            node = self.root
            while node.children:
                node = node.children[0]
        self._end = node.add(turn)
        return self._end

    # Being a value ------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Whether tags, result, turns, comments and marks are the same."""
        if not isinstance(other, Game):
            return NotImplemented
        if (self.tags, self.result, self.rules, self.chess960) != (
            other.tags,
            other.result,
            other.rules,
            other.chess960,
        ):
            return False
        return self._contents() == other._contents()

    __hash__ = None  # type: ignore[assignment]

    def _contents(self) -> list[object]:
        contents: list[object] = [self.root.comments]
        for kind, node, _ in walk(self.root):
            if kind == MOVE:
                contents.append(node.contents)
            else:
                contents.append(kind)
        return contents

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and travels as a tape: however long the game, nothing recurses."""
        tape, text = (self._tape, self._text) if self._root is None else _flatten(self._root)
        reading = (tape, len(self), self._result)
        return _restore, (type(self), self.rules, self.chess960, self.tags, reading, text)

    def __str__(self) -> str:
        from cotulenh import pgn  # it imports this module

        return pgn.dumps(self)

    def __repr__(self) -> str:
        first, second = ("White", "Black") if self.rules is None else ("Red", "Blue")
        names = f"{self.tags.get(first, '?')} - {self.tags.get(second, '?')}"
        return f"<Game {names}, {len(self)} turns, {self.result}>"

    def _repr_svg_(self) -> str:
        """The end of the main line, as a notebook shows it."""
        board: Any = self.end()
        return str(board._repr_svg_())


def _push(board: Any, move: AnyMove) -> None:
    if int(move) == 0:
        board.push_null()
    else:
        board.push(move)


def _play(board: Any, turn: str | AnyMove | Iterable[AnyMove]) -> tuple[int, ...]:
    """Plays a turn and gives its moves in the core's form; the board is as it was if it fails."""
    if isinstance(turn, str) and turn not in _NULL:
        played = board.push_san(turn)
        return tuple(int(move) for move in (played if isinstance(played, list) else [played]))
    if isinstance(turn, str):
        board.push_null()
        return (0,)
    moves = (turn,) if isinstance(turn, Move | chess.Move) else tuple(turn)
    bits: list[int] = []
    try:
        for move in moves:
            _push(board, move)
            bits.append(int(board.peek()))
    except ValueError:
        for _ in bits:
            board.pop()
        raise
    return tuple(bits)


def _build(game: Game, words: Iterable[int], text: bytes) -> Node:
    """The nodes of a tape. A comment that no turn precedes in its line belongs to the next one."""
    root = node = Node(game, None, ())
    open_turn, fresh = False, False  # is the node's turn under way; has a line or variation begun
    before: list[str] = []
    marks: list[int] = []  # of a line's first turn, said before it
    begun = False  # has the line a turn
    branches: list[tuple[Node, bool]] = []
    # Places in the tape count bytes; in plain ASCII they are places in the decoded text as well.
    plain = text.decode("ascii") if text.isascii() else None
    for word in words:
        op = word >> _OP
        if op == MOVE:
            bits = word & 0xFFFFFFFF
            if open_turn:
                node._bits += (bits,)
            else:
                child = Node(game, node, (bits,))
                node.children.append(child)
                node = child
                if before:
                    node.before, before = before, []
                if marks:
                    node.nags, marks = marks, []
                begun = True
            open_turn, fresh = not word & _ENDS_TURN, False
        elif op == OPEN:
            if before:
                node.comments += before
                before = []
            branches.append((node, open_turn))
            assert node.parent is not None
            node, open_turn, fresh, begun = node.parent, False, True, False
        elif op == CLOSE:
            # A variation may have nothing but comments: they are said of the turn it stands in for.
            (turn, open_turn) = branches.pop()
            if before:
                (turn if node is turn.parent else node).comments += before
                before = []
            node, fresh, begun = turn, True, True
            marks = []
        elif op == NAG:
            (node.nags if begun else marks).append(word & 0xFF)
        else:
            start, length = word >> _LENGTH & 0xFFFFFFF, word & 0xFFFFFFF
            end = start + length
            said = said_of(decode(text[start:end]) if plain is None else plain[start:end])
            if not said:
                continue
            if fresh:
                before.append(said)
            elif node._comments is None:
                node._comments = [said]
            else:
                node._comments.append(said)
    if before:
        node.comments += before
    return root


def _flatten(root: Node) -> tuple[bytes, bytes]:
    """The tape of a game with its comments and marks, and the text the comments stand in."""
    words, text = array("Q"), bytearray()

    def say(comments: Iterable[str]) -> None:
        for comment in comments:
            raw = comment.encode("utf-8", "replace")
            words.append(COMMENT << _OP | len(text) << _LENGTH | len(raw))
            text.extend(raw)

    say(root.comments)
    for kind, node, _ in walk(root):
        if kind != MOVE:
            words.append(kind << _OP)
            continue
        moves, nags, before, after = node.contents
        say(before)
        words.extend(MOVE << _OP | bits for bits in moves)
        words[-1] |= _ENDS_TURN
        words.extend(NAG << _OP | nag for nag in nags)
        say(after)
    return words.tobytes(), bytes(text)


def _restore(
    kind: type[Game],
    rules: Rules | None,
    chess960: bool,
    tags: dict[str, str],
    reading: tuple[bytes, int, str | None],
    text: bytes,
) -> Game:
    return kind._read(rules, chess960, dict(tags), reading, text)

"""The C++ core of cotulenh."""

from collections.abc import Iterator, Sequence
import enum
from typing import Final, overload

from cotulenh._core import (
    book as book,
    chess as chess,
    env as env,
    pgn as pgn
)
import cotulenh.pieces
import cotulenh.squares


class Rules:
    """A rule set with its derived tables."""

    def __init__(self, spec: dict[str, object]) -> None: ...

    @property
    def table_bytes(self) -> int:
        """Bytes of all tables, the shared magics included."""

def rule_vocabulary() -> dict[str, tuple[str, ...]]:
    """
    The words of rule files as the core spells them: of each field that holds one, of the yes/no columns (flags), of the switches, of the groups of arms (objectives).
    """

class Tables:
    """Rays and magics of a rule set's board, as plain ints."""

    def __init__(self, rules: Rules) -> None: ...

    def ray(self, direction: int, square: int) -> int: ...

    def ranged_ray(self, direction: int, square: int, n: int) -> int: ...

    def blocked_ray(self, direction: int, square: int, n: int, occupied: int) -> int: ...

    def between(self, one: int, other: int) -> int: ...

    def disc(self, centre: int, radius: int) -> int: ...

    def lookup(self, kind: int, heroic: bool, square: int, occupied: int) -> int:
        """
        Points seen from a square within the piece's moving range, first blockers included.
        """

    def magic(self, kind: int, heroic: bool, square: int) -> list[tuple[int, int, int]]:
        """The parts of a lookup: (mask, magic, shift) each."""

    magics_exact: Final[bool] = ...
    """Whether every stored magic is free of collisions."""

class MoveKind(enum.Enum):
    """What a move does (4, 5, 7, 8)."""

    NORMAL = 0

    CAPTURE = 1

    STAY = 2

    EXCHANGE = 3

    COMBINE = 4

    BREACH = 5

    COMMIT = 6

class Move:
    @staticmethod
    def from_int(bits: int) -> Move:
        """The move of a packed integer; ValueError if none has these bits."""

    @staticmethod
    def from_lan(text: str) -> Move:
        """
        Takes a text such as Mg5g6 or Tc3>xe3 at its word (12.1); no board is asked.
        """

    @staticmethod
    def null() -> Move:
        """
        The null move, which passes the turn (Board.push_null plays it): false, 0000 as text, -- in PGN.
        """

    @property
    def from_square(self) -> cotulenh.squares.Square:
        """Where the pieces come from."""

    @property
    def to_square(self) -> cotulenh.squares.Square:
        """Where they go, or what they take; the origin again for a commit."""

    @property
    def pieces(self) -> tuple[cotulenh.pieces.Piece, ...]:
        """What moves, carrier first; the pieces have no colour here."""

    @property
    def kind(self) -> MoveKind:
        """What the move does."""

    @property
    def is_deploy(self) -> bool:
        """Whether it is a step or the end of a deployment."""

    @property
    def is_take(self) -> bool:
        """Whether it takes something."""

    def __bool__(self) -> bool: ...

    def __int__(self) -> int: ...

    def __index__(self) -> int: ...

    def __hash__(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

    def lan(self) -> str:
        """The move's text (12.1), unique in a position."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

class MoveSequence:
    """A snapshot of moves, in generation order."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Move: ...

    def __contains__(self, move: object, /) -> bool: ...

    def __iter__(self) -> Iterator[Move]: ...

    def __bool__(self) -> bool: ...

    def __repr__(self) -> str: ...

class Reason(enum.Enum):
    """Why a game is over (10)."""

    COMMANDER_TAKEN = 0

    CHECKMATE = 1

    OBJECTIVE = 2

    STALEMATE = 3

    REPETITION = 4

    CLOCK = 5

class Board:
    """A position with its history, in plain numbers."""

    @overload
    def __init__(self, rules: Rules, fen: str) -> None: ...

    @overload
    def __init__(self, other: Board) -> None: ...

    def _set_up(self, fen: str) -> None: ...

    def _rewind(self) -> None: ...

    @property
    def _unfinished(self) -> bool: ...

    def push_null(self) -> None:
        """Passes the turn; IllegalMoveError in check and during a deployment."""

    def fen(self) -> str:
        """The position as FEN (11)."""

    @property
    def _turn(self) -> int: ...

    @property
    def halfmove_clock(self) -> int:
        """Half-turns since the last take (10.3)."""

    @property
    def fullmove_number(self) -> int:
        """Grows after Blue's turn."""

    @property
    def key(self) -> int:
        """64-bit Zobrist key of placement, heroes, side and deployment state."""

    def _key_from_scratch(self) -> int: ...

    def _state(self) -> bytes: ...

    def _at(self, square: int) -> list[tuple[int, bool]]: ...

    def _side_at(self, arg: int, /) -> int: ...

    def _pieces(self, arg0: int, arg1: int, /) -> int: ...

    def _occupied(self, arg: int, /) -> int: ...

    def _commander(self, arg: int, /) -> int: ...

    def _takes_and_quiets(self) -> tuple[MoveSequence, MoveSequence]: ...

    def _cover(self, arg: int, /) -> int: ...

    def _attackers(self, by: int, square: int) -> list[tuple[int, int]]: ...

    def _points(self, arg: int, /) -> int: ...

    @property
    def _origin(self) -> int: ...

    @property
    def _remaining(self) -> list[tuple[int, bool]]: ...

    @property
    def _original(self) -> list[tuple[int, bool]]: ...

    @property
    def _steps(self) -> list[Move]: ...

    @property
    def _problems(self) -> list[str]: ...

    @property
    def legal_moves(self) -> MoveSequence:
        """A snapshot of the legal moves."""

    @property
    def pseudo_legal_moves(self) -> MoveSequence:
        """Moves by the pieces' own rules; the Commander's safety is not asked."""

    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal now."""

    def push(self, move: Move) -> None:
        """Plays a move; IllegalMoveError if it is not legal."""

    def push_unchecked(self, move: Move) -> None:
        """
        Plays a move that is known to be legal. One that would break the board is refused all the same (IllegalMoveError); nothing else is asked.
        """

    def push_lan(self, text: str) -> Move | list[Move]:
        """Plays the text of one move, or of a whole deployment turn."""

    def push_san(self, text: str) -> Move | list[Move]:
        """Plays the text of one move, or of a whole deployment turn."""

    def pop(self) -> Move:
        """Takes back the last single move and returns it."""

    def undo(self) -> None:
        """
        Takes back the last step of an open deployment, or the last whole turn.
        """

    def commit(self) -> None:
        """Ends a deployment: the rest stays (8.2)."""

    def lan(self, move: Move) -> str:
        """The text of a legal move, unique in the position (12.1)."""

    def san(self, move: Move) -> str:
        """The short text of a legal move (12.2)."""

    def parse_lan(self, text: str) -> Move:
        """The legal move of a text."""

    def parse_san(self, text: str) -> Move:
        """The legal move of a text."""

    def _history(self, arg: bool, /) -> list[str]: ...

    @property
    def ply(self) -> int:
        """Single moves played since the first position."""

    @property
    def move_stack(self) -> list[Move]:
        """The single moves played so far."""

    def is_check(self) -> bool:
        """Whether the side to move is in check (6.4)."""

    def is_checkmate(self) -> bool:
        """In check and without a legal move (10.1)."""

    def is_stalemate(self) -> bool:
        """Not in check and without a legal move (10.3)."""

    def is_game_over(self) -> bool:
        """Whether the game has ended (10)."""

    def is_repetition(self, n: int = 3) -> bool:
        """Whether the position stood n times at the start of a turn (10.3)."""

    def _outcome(self) -> tuple[int | None, Reason] | None: ...

    def perft(self, depth: int, threads: int = 1, hash_mb: int = 0, hash_seed: int = 0) -> int:
        """
        Counts the sequences of `depth` moves; steps and commits count as moves.
        """

    def divide(self, depth: int) -> dict[Move, int]:
        """Perft, move by move of the first ply."""

    def _same(self, arg: Board, /) -> bool: ...

class Report:
    """What a search has found at one moment, in plain numbers."""

    @property
    def depth(self) -> int: ...

    @property
    def seldepth(self) -> int: ...

    @property
    def multipv(self) -> int: ...

    @property
    def is_mate(self) -> bool: ...

    @property
    def value(self) -> int:
        """Centipawns, or turns to mate."""

    @property
    def bound(self) -> int:
        """1: at least this, -1: at most this, 0: exactly."""

    @property
    def nodes(self) -> int: ...

    @property
    def time(self) -> float: ...

    @property
    def hashfull(self) -> int: ...

    @property
    def pv(self) -> list[int]: ...

class Engine:
    """The search of both games, behind cotulenh.engine.Engine."""

    def __init__(self, threads: int, hash_mb: int) -> None: ...

    def start(self, board: object, limit: object, *, multipv: int, root_moves: Sequence[int] | None, ponder: bool) -> None: ...

    def next(self, ticket: int) -> Report | None:
        """Waits for the next report; None: it is over."""

    def best(self, ticket: int) -> tuple[int, int]:
        """The move to play and the expected answer, or 0."""

    def stop(self, ticket: int) -> None:
        """Ends a search soon; 0: whichever is under way."""

    def finish(self, ticket: int) -> None:
        """The same, and waits for the end."""

    def ponderhit(self) -> None: ...

    def new_game(self) -> None: ...

    @property
    def is_thinking(self) -> bool: ...

    @property
    def ticket(self) -> int: ...

    def evaluate(self, board: object) -> tuple[int, list[tuple[str, int, int]]]: ...

    @property
    def features(self) -> int:
        """Parts of the search that are switched on, as bits."""

    @features.setter
    def features(self, arg: int, /) -> None: ...

    def collect_statistics(self, sample_every: int) -> None:
        """Counts from now on; checks one guess of so many, 0: none."""

    def statistics(self) -> dict[str, dict[str, object]]:
        """
        Counters of the searches since, and of the guesses checked: (checked, wrong).
        """

    def set_weights(self, chess: bool, pairs: Sequence[tuple[int, int]]) -> None: ...

    def set_network(self, network: Network) -> None:
        """The network of its game from now on."""

    def set_parameters(self, values: dict[str, int]) -> None:
        """Margins of the search by name; the others get their defaults."""

def features() -> dict[str, int]:
    """The parts of the search and their bits."""

def parameters() -> dict[str, tuple[int, int, int]]:
    """The margins of the search: default, least, greatest."""

def weights(chess: bool) -> list[tuple[int, int]]:
    """The weights the evaluation was built with: (full board, bare board)."""

def term_groups(chess: bool) -> list[tuple[str, int, int]]:
    """Runs of weights: (name, first, count)."""

def trace(rules: Rules | None, fens: Sequence[str]) -> dict[str, bytes]:
    """
    What the evaluation counts in positions, first side minus second, as sparse rows.
    """

def see(board: object, move: int) -> int:
    """
    Static exchange evaluation: what a legal move wins if both sides go on taking on its target as long as it pays.
    """

def commute(board: object, first: int, second: int) -> bool:
    """
    Two steps of a deployment, the first of them made: may it make them in the other order?
    """

class Lessons:
    """Positions of games as a network sees them."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def add(self, rules: Rules | None, fen: str, games: bytes, plies: bytes, *, share: int = 0, held_out: bool = False, first_ply: int = 8, largest: int = 2000, siblings: int = 0, judge: Network | None = None) -> int:
        """
        Adds the quiet positions of games: of one game in `share`, or of all the others.
        """

    def arrays(self) -> dict[str, bytes]: ...

class TrainingOptions:
    """How a network learns."""

    def __init__(self) -> None: ...

    @property
    def batches(self) -> int: ...

    @batches.setter
    def batches(self, arg: int, /) -> None: ...

    @property
    def batch(self) -> int: ...

    @batch.setter
    def batch(self, arg: int, /) -> None: ...

    @property
    def first_rate(self) -> float: ...

    @first_rate.setter
    def first_rate(self, arg: float, /) -> None: ...

    @property
    def last_rate(self) -> float: ...

    @last_rate.setter
    def last_rate(self, arg: float, /) -> None: ...

    @property
    def trust(self) -> float: ...

    @trust.setter
    def trust(self, arg: float, /) -> None: ...

    @property
    def scale(self) -> float: ...

    @scale.setter
    def scale(self, arg: float, /) -> None: ...

    @property
    def decay(self) -> float: ...

    @decay.setter
    def decay(self, arg: float, /) -> None: ...

    @property
    def beside_terms(self) -> bool: ...

    @beside_terms.setter
    def beside_terms(self, arg: bool, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

class Trainer:
    """A network that learns."""

    def __init__(self, inputs: int, hidden: int, buckets: int, groups: Sequence[bytes], seed: int) -> None: ...

    def train(self, lessons: Lessons, options: TrainingOptions) -> float:
        """Learns from some batches; the mean loss."""

    def loss(self, lessons: Lessons, options: TrainingOptions) -> float:
        """The mean loss over all lessons."""

    def start_from(self, first: bytes, bias: bytes, last: bytes, offset: bytes) -> None:
        """Goes on from the layers of a network, as 32-bit numbers."""

    def weights(self) -> dict[str, bytes]:
        """The layers as 32-bit numbers: first, bias, last, offset."""

class Network:
    """The numbers of an evaluation; see cotulenh.engine.network."""

    def __init__(self, file: bytes) -> None: ...

    @property
    def game(self) -> str: ...

    @property
    def hidden(self) -> int: ...

    @property
    def buckets(self) -> int: ...

    @property
    def beside_terms(self) -> bool: ...

    @property
    def decided(self) -> int: ...

    @property
    def checksum(self) -> int: ...

def network_says(network: Network, rules: Rules | None, fens: Sequence[str]) -> list[int]:
    """
    What a network says of positions one after the other, for the side to move.
    """

def use_plain_loops(plain: bool) -> None:
    """Leaves out what only newer processors can; for tests."""

def selfplay_games(rules: Rules | None, fen: str, games: int, nodes: int, seed: int, random_moves: int, weights: Sequence[tuple[int, int]] | None, network: Network | None = None) -> tuple[bytes, bytes]:
    """
    Plays against itself: the records of games and of their plies (docs/networks.md).
    """

def quiet_positions(rules: Rules | None, fen: str, games: bytes, plies: bytes) -> list[tuple[str, int, int]]:
    """
    The quiet positions of games: FEN, what the search said, how the game ended (0, 1, 2), both for the first side.
    """

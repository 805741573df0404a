"""The core of the learning environments."""

from collections.abc import Sequence
from typing import Annotated, SupportsIndex

import numpy
from numpy.typing import NDArray

import cotulenh._core


CTL_ACTIONS: int = 41544

CTL_PAIRS: int = 5192

CTL_PLANES: int = 90

CHESS_ACTIONS: int = 1860

CHESS_PLANES: int = 18

def legal_actions(rules: cotulenh._core.Rules | None, fen: str, chess960: bool) -> list[tuple[int, int]]:
    """
    The legal moves of a position: their actions and bits, in the order of legal_moves.
    """

def pairs(chess: bool) -> list[tuple[int, int]]:
    """Pairs of squares on one line in their order, as rank * width + file."""

class State:
    """A game under way as a value."""

    def after(self, action: SupportsIndex) -> State:
        """The state after one more move."""

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __copy__(self) -> State: ...

    def __deepcopy__(self, memo: object) -> State: ...

    def __reduce__(self) -> str: ...

    @property
    def legal_actions(self) -> list[int]: ...

    @property
    def moves(self) -> list[int]:
        """The moves played, as bits."""

    @property
    def fen(self) -> str: ...

    @property
    def start_fen(self) -> str: ...

    def __bytes__(self) -> bytes: ...

    @property
    def player(self) -> int:
        """The side to move."""

    @property
    def agent(self) -> int:
        """The caller's side, where there is an opponent."""

    @property
    def terminated(self) -> bool: ...

    @property
    def truncated(self) -> bool: ...

    @property
    def returns(self) -> tuple[float, float]:
        """What the end is worth to both sides."""

    def write(self, viewer: int, out: object | None) -> None:
        """Writes the planes into an array."""

class VectorEnv:
    """Many games; cotulenh.env.VectorEnv is its face."""

    def __init__(self, rules: cotulenh._core.Rules | None, *, chess960: bool, id: str, fens: Sequence[str], num_envs: int, threads: int, autoreset: int, opponent: str, level: int, side: int, max_moves: int, history: int, illegal_loses: bool, floats: bool) -> None: ...

    @property
    def actions(self) -> int: ...

    @property
    def shape(self) -> tuple: ...

    def attach(self, arrays: dict) -> None: ...

    def reset(self, seeds: Sequence[int] | None, mask: Sequence[bool] | None) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def send(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def recv(self) -> None: ...

    def sample(self, out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def count_legal(self) -> int: ...

    def legal(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def state(self, env: int) -> State: ...

    def restore(self, envs: Sequence[int], states: Sequence[State]) -> None: ...

    def load(self, arg: bytes, /) -> State: ...

    def initial(self) -> State: ...

    def close(self) -> None: ...

"""The native vector environment as Gymnasium knows them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cotulenh._core import env as core
from cotulenh.env._actions import action_to_move, move_to_action
from cotulenh.env._game import game_of
from cotulenh.env._render import RENDER_MODES, check_mode, render
from cotulenh.rules import Rules

if TYPE_CHECKING:
    from cotulenh.games import AnyBoard, AnyMove

__all__ = ["State", "VectorEnv", "check_seed", "spaces_of"]

State = core.State
Observations = dict[str, Any]
Steps = tuple[Observations, Any, Any, Any, dict[str, Any]]

_SIDES = ("first", "second", "random")
_ILLEGAL = ("raise", "lose")
_RESETS = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED)
_SEEDS = 1 << 64
#: The greatest number in a plane: the clock's.
HIGHEST = 100


def check_seed(seed: object) -> int:
    """A seed as a whole number, or a clear complaint.

    >>> check_seed(1.5)
    Traceback (most recent call last):
    TypeError: expected a whole number as seed, got float
    """
    if isinstance(seed, bool) or not isinstance(seed, SupportsIndex):
        raise TypeError(f"expected a whole number as seed, got {type(seed).__name__}")
    number = int(seed)
    if not 0 <= number < _SEEDS:
        raise ValueError(f"expected a seed from 0 to 2**64 - 1, got {number}")
    return number


def spaces_of(
    shape: tuple[int, ...], actions: int, dtype: str, mask: bool
) -> tuple[gymnasium.spaces.Dict, gymnasium.spaces.Discrete[Any]]:
    """The observation and the action space of one environment."""
    kind: Any = np.dtype(dtype).type
    parts: dict[str, gymnasium.Space[Any]] = {
        "observation": gymnasium.spaces.Box(0, HIGHEST, shape, kind)
    }
    if mask:
        parts["action_mask"] = gymnasium.spaces.Box(0, 1, (actions,), np.int8)
    return gymnasium.spaces.Dict(parts), gymnasium.spaces.Discrete(actions)


def _choice(name: str, value: object, allowed: Sequence[str]) -> int:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    return list(allowed).index(str(value))


def parse_opponent(opponent: str | None) -> tuple[str, int]:
    """Kind and level of an opponent's name.

    >>> parse_opponent("engine:3"), parse_opponent(None)
    (('engine', 3), ('', 0))
    """
    if opponent is None:
        return "", 0
    kind, colon, level = str(opponent).partition(":")
    if kind in ("random", "greedy") and not colon:
        return kind, 0
    if kind == "engine" and level.isascii() and level.isdigit() and 1 <= int(level) <= 10:
        return kind, int(level)
    raise ValueError(f"opponent must be random, greedy or engine:1 to engine:10, got {opponent!r}")


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many games stepped at once in C++, on several threads, without the GIL.

    Without an opponent the caller plays both sides: ``current_player`` says who is to move, and a
    reward is that of the side that acted. With one it plays the other side of every game.

    :param num_envs: how many games.
    :param game: ``"official"``, ``"online"``, ``"blueprint"``, ``"chess"``, the path of a rules
        file, or a :class:`~cotulenh.rules.Rules`.
    :param threads: threads that share the games; what happens does not depend on it.
    :param autoreset_mode: as Gymnasium has them: ``NEXT_STEP``, ``SAME_STEP``, ``DISABLED``.
    :param opponent: ``None``, ``"random"``, ``"greedy"`` or ``"engine:1"`` to ``"engine:10"``.
    :param side: the caller's: ``"first"``, ``"second"``, or drawn for each episode.
    :param fen: the start position, or several, of which each episode draws one.
    :param max_moves: single moves after which an episode is truncated.
    :param history: earlier positions to show beside the current one.
    :param action_mask: whether observations hold the dense mask.
    :param illegal: ``"raise"``, or ``"lose"``: an illegal action ends the game, -1 for its side.
    :param dtype: of the planes, ``"uint8"`` or ``"float32"``.
    :param copy: whether what is returned may be kept; otherwise the next step overwrites it.
    :param buffers: arrays to write into (NumPy, or anything that speaks DLPack), by name:
        ``observation``, ``action_mask``, ``rewards``, ``rewards_of_both``, ``terminated``,
        ``truncated``, ``current_player``. They are what is returned then; ``copy`` is false.
    """

    def __init__(
        self,
        num_envs: int = 1,
        game: str | Rules = "official",
        *,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        opponent: str | None = None,
        side: str = "random",
        fen: str | Sequence[str] | None = None,
        chess960: bool = False,
        max_moves: int | None = None,
        history: int = 0,
        action_mask: bool = True,
        illegal: str = "raise",
        dtype: str = "uint8",
        copy: bool = True,
        buffers: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = game_of(game, chess960)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.render_mode = check_mode(render_mode)
        self.metadata = {"render_modes": RENDER_MODES, "autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        kind, level = parse_opponent(opponent)
        fens = self.game.start_fens(fen)
        self._options: dict[str, Any] = {
            "threads": threads,
            "autoreset": _RESETS.index(self.autoreset_mode),
            "opponent": kind,
            "level": level,
            "side": _choice("side", side, _SIDES),
            "illegal_loses": bool(_choice("illegal", illegal, _ILLEGAL)),
            "floats": bool(_choice("dtype", str(dtype), ("uint8", "float32"))),
            "max_moves": 0 if max_moves is None else _at_least_one("max_moves", max_moves),
            "history": history,
            "fens": fens,
            "chess960": chess960,
            "id": json.dumps([self.game.name, repr(self.game.rules), fens, max_moves, history]),
        }
        self._core = self._build()
        self._has_opponent = opponent is not None
        self.single_observation_space, self.single_action_space = spaces_of(
            self._core.shape, self._core.actions, str(dtype), action_mask
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mask, self._dtype, self._seeded = action_mask, np.dtype(str(dtype)), False
        self._copy = copy and buffers is None
        self._arrays = self._lend(buffers or {})

    def _build(self) -> core.VectorEnv:
        rules = None if self.game.rules is None else self.game.rules.core
        return core.VectorEnv(rules, num_envs=self.num_envs, **self._options)

    # Arrays ---------------------------------------------------------------------------------------

    def _lend(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arrays that the core writes into: the caller's, and our own for the rest."""
        n, planes, mask = self.num_envs, self._core.shape, (self._core.actions,)
        wanted: dict[str, tuple[tuple[int, ...], Any]] = {
            "observation": (planes, self._dtype),
            "rewards": ((), np.float32),
            "rewards_of_both": ((2,), np.float32),
            "terminated": ((), np.bool_),
            "truncated": ((), np.bool_),
            "current_player": ((), np.int8),
        }
        if self._mask:
            wanted["action_mask"] = (mask, np.int8)
        if unknown := sorted(set(given) - set(wanted)):
            raise ValueError(f"no such buffer: {unknown[0]} ({', '.join(wanted)})")
        arrays = {
            name: given[name] if name in given else np.zeros((n, *shape), dtype)
            for name, (shape, dtype) in wanted.items()
        }
        final = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            final["final_observation"] = np.zeros((n, *planes), self._dtype)
        self._core.attach({**arrays, **final})
        return {**arrays, **final}

    def _out(self, name: str) -> Any:
        array = self._arrays[name]
        return array.copy() if self._copy else array

    def _observations(self) -> Observations:
        names = ("observation", "action_mask") if self._mask else ("observation",)
        return {name: self._out(name) for name in names}

    def _infos(self) -> dict[str, Any]:
        return {
            "current_player": self._out("current_player"),
            "rewards_of_both": self._out("rewards_of_both"),
        }

    # Gymnasium ------------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins all games anew, or those of ``options["reset_mask"]``.

        A number seeds environment ``i`` with ``seed + i``; a sequence gives each its own.
        """
        mask = None
        if options is not None and "reset_mask" in options:
            mask = self._check_mask(options["reset_mask"])
        seeds = self._seeds(seed)
        self._core.reset(seeds, mask)
        self._seeded = True
        return self._observations(), self._infos()

    def _seeds(self, seed: int | Sequence[int] | None) -> list[int] | None:
        if seed is None:
            if self._seeded:
                return None
            seed = secrets.randbits(63)
        if isinstance(seed, (list, tuple, np.ndarray)):
            if len(seed) != self.num_envs:
                raise ValueError(f"expected {self.num_envs} seeds, got {len(seed)}")
            return [check_seed(one) for one in seed]
        first = check_seed(seed)
        return [(first + i) % _SEEDS for i in range(self.num_envs)]

    def _check_mask(self, mask: Any) -> list[bool]:
        array = np.asarray(mask)
        if array.dtype != np.bool_ or array.shape != (self.num_envs,):
            raise ValueError(
                f"expected a reset_mask of {self.num_envs} booleans, "
                f"got {array.dtype} of shape {array.shape}"
            )
        return [bool(one) for one in array]

    def _check_actions(self, actions: Any) -> NDArray[np.int64]:
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or not np.issubdtype(array.dtype, np.integer):
            raise ValueError(
                f"expected {self.num_envs} whole numbers as actions, "
                f"got {array.dtype} of shape {array.shape}"
            )
        return np.ascontiguousarray(array, np.int64)

    def step(self, actions: Any) -> Steps:
        """Plays one move in every game."""
        self._core.step(self._check_actions(actions))
        return self._results()

    def send(self, actions: Any) -> None:
        """Begins a step and does not wait for it."""
        self._core.send(self._check_actions(actions))

    def recv(self) -> Steps:
        """Waits for the step that was sent, and returns what :meth:`step` returns."""
        self._core.recv()
        return self._results()

    def _results(self) -> Steps:
        infos = self._infos()
        terminated, truncated = self._out("terminated"), self._out("truncated")
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            ended = np.flatnonzero(np.asarray(terminated) | np.asarray(truncated))
            for i in ended:
                infos = self._add_info(infos, self._final(int(i)), int(i))
        return self._observations(), self._out("rewards"), terminated, truncated, infos

    def _final(self, i: int) -> dict[str, Any]:
        """The last observation of an episode that has begun anew in this very step."""
        last: Observations = {"observation": self._arrays["final_observation"][i].copy()}
        if self._mask:  # nothing is legal any more
            last["action_mask"] = np.zeros(self._core.actions, np.int8)
        both = np.array(self._arrays["rewards_of_both"][i])
        return {"final_obs": last, "final_info": {"rewards_of_both": both}}

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every game."""
        return tuple(render(self.board(i), self.render_mode) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing can be asked of it any more."""
        self._core.close()

    # Beyond Gymnasium -----------------------------------------------------------------------------

    @property
    def current_player(self) -> Any:
        """The side to move in each game: 0 moves first in the game (Red, White), 1 second."""
        return self._out("current_player")

    def sample_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game, drawn in C++; 0 where the game is over."""
        out = np.empty(self.num_envs, np.int64)
        self._core.sample(out)
        return out

    def legal_actions(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """All legal actions one after another, and where those of each game begin.

        Those of game ``i`` are ``actions[offsets[i]:offsets[i + 1]]``, in the order of
        ``board(i).legal_moves``.
        """
        actions = np.empty(self._core.count_legal(), np.int32)
        offsets = np.empty(self.num_envs + 1, np.int64)
        self._core.legal(actions, offsets)
        return actions, offsets

    def action_masks(self) -> Any:
        """The dense mask, under the name that masking learners ask for."""
        if not self._mask:
            raise ValueError("the environment was made without action masks")
        return self._out("action_mask")

    def state(self, i: int) -> State:
        """A game as a value, for tree searches: it never changes."""
        return self._core.state(i)

    def states(self) -> list[State]:
        """All games as values."""
        return [self._core.state(i) for i in range(self.num_envs)]

    def restore(
        self, states: Sequence[State], indices: Sequence[int] | None = None
    ) -> Observations:
        """Puts games back to states of this or an equal environment; returns what is seen then."""
        places = range(self.num_envs) if indices is None else indices
        self._core.restore([int(i) for i in places], list(states))
        self._seeded = True
        return self._observations()

    def load_state(self, data: bytes) -> State:
        """The state that ``bytes(state)`` wrote."""
        return self._core.load(data)

    def initial_state(self) -> State:
        """The (first) start position as a state."""
        return self._core.initial()

    def clone(self) -> VectorEnv:
        """An environment of its own in the same states, dice included."""
        states = self.states()
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._core = made._build()
        made._copy = True
        made._arrays = made._lend({})
        made.restore(states)
        return made

    def board(self, i: int) -> AnyBoard:
        """A game as a board with its history."""
        state = self._core.state(i)
        return self.game.board(state.start_fen, state.moves)

    def action_to_move(self, board: AnyBoard, action: int) -> AnyMove:
        """See :func:`cotulenh.env.action_to_move`."""
        return action_to_move(board, action)

    def move_to_action(self, board: AnyBoard, move: AnyMove) -> int:
        """See :func:`cotulenh.env.move_to_action`."""
        return move_to_action(board, move)


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")
    return value

"""The native vector environment as Gymnasium knows them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cotulenh._core import env as core
from cotulenh.env._actions import action_to_move, move_to_action
from cotulenh.env._checks import SEEDS, check_seed, choice, dtype_name, flag, mode_of, whole
from cotulenh.env._game import game_of
from cotulenh.env._render import RENDER_MODES, check_mode, render
from cotulenh.rules import Rules

if TYPE_CHECKING:
    from cotulenh.games import AnyBoard, AnyMove

__all__ = ["State", "VectorEnv", "spaces_of"]

State = core.State
Observations = dict[str, Any]
Steps = tuple[Observations, Any, Any, Any, dict[str, Any]]

_SIDES = ("first", "second", "random")
_ILLEGAL = ("raise", "lose")
_RESETS = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED)
#: The greatest number in a plane: the clock's.
HIGHEST = 100


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
        self.game = game_of(game, flag("chess960", chess960))
        self.autoreset_mode = mode_of(autoreset_mode)
        self.render_mode = check_mode(render_mode)
        self.metadata = {"render_modes": RENDER_MODES, "autoreset_mode": self.autoreset_mode}
        self.num_envs = whole("num_envs", num_envs, 1, 1 << 20)
        numbers = dtype_name(dtype)
        kind, level = parse_opponent(opponent)
        fens = self.game.start_fens(fen)
        self._options: dict[str, Any] = {
            "threads": whole("threads", threads, 1, 256),
            "autoreset": _RESETS.index(self.autoreset_mode),
            "opponent": kind,
            "level": level,
            "side": choice("side", side, _SIDES),
            "illegal_loses": bool(choice("illegal", illegal, _ILLEGAL)),
            "floats": numbers == "float32",
            "max_moves": 0 if max_moves is None else whole("max_moves", max_moves, 1, 1 << 30),
            "history": whole("history", history, 0, 64),
            "fens": fens,
            "chess960": chess960,
        }
        same = [self._options[name] for name in ("fens", "max_moves", "history", "chess960")]
        self._options["id"] = json.dumps([self.game.name, repr(self.game.rules), *same])
        self._core = self._build()
        self._has_opponent = opponent is not None
        self.single_observation_space, self.single_action_space = spaces_of(
            self._core.shape, self._core.actions, numbers, flag("action_mask", action_mask)
        )
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._mask, self._dtype, self._seeded = action_mask, np.dtype(numbers), False
        self._copy = flag("copy", copy) and buffers is None
        self._arrays = self._lend({} if buffers is None else buffers)

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
        if not isinstance(given, Mapping):
            raise TypeError(f"buffers must be arrays by name, got {type(given).__name__}")
        if unknown := sorted(set(given) - set(wanted)):
            raise ValueError(f"expected a buffer ({', '.join(wanted)}), got {unknown[0]}")
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
        """By Gymnasium's custom beside each array one that says which games have such a number."""
        everyone = np.ones(self.num_envs, np.bool_)
        return {
            "current_player": self._out("current_player"),
            "_current_player": everyone,
            "rewards_of_both": self._out("rewards_of_both"),
            "_rewards_of_both": everyone.copy(),
        }

    # Gymnasium ------------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins all games anew, or those of ``options["reset_mask"]``.

        A number seeds environment ``i`` with ``seed + i``; a sequence gives each its own, and where
        it has ``None`` the game goes on with its dice.
        """
        mask = self._reset_mask(options)
        seeds = self._seeds(seed)
        if not self._seeded:
            seeds = [secrets.randbits(63) if one is None else one for one in seeds]
        given = np.array([one is not None for one in seeds])
        if (mask & given).any():
            self._core.reset([one or 0 for one in seeds], (mask & given).tolist())
        if (mask & ~given).any():
            self._core.reset(None, (mask & ~given).tolist())
        self._seeded = True
        return self._observations(), self._infos()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        given: Any = seed.tolist() if hasattr(seed, "tolist") else seed
        if isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
            if len(given) != self.num_envs:
                raise ValueError(f"expected {self.num_envs} seeds, got {len(given)}")
            return [None if one is None else check_seed(one) for one in given]
        first = check_seed(given)
        return [(first + i) % SEEDS for i in range(self.num_envs)]

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options must be values by name, got {type(options).__name__}")
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        return self._check_mask(options["reset_mask"])

    def _check_mask(self, mask: Any) -> NDArray[np.bool_]:
        array = np.asarray(mask)
        if array.dtype != np.bool_ or array.shape != (self.num_envs,):
            raise ValueError(
                f"expected a reset_mask of {self.num_envs} booleans, "
                f"got {array.dtype} of shape {array.shape}"
            )
        if not self._seeded and not array.all():
            raise ValueError("the first reset must be of all environments")
        return array

    def _check_actions(self, actions: Any) -> NDArray[np.int64]:
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or not np.issubdtype(array.dtype, np.integer):
            raise ValueError(
                f"expected {self.num_envs} whole numbers as actions, "
                f"got {array.dtype} of shape {array.shape}"
            )
        if array.dtype == np.uint64:  # beyond the signed numbers: not legal, nor a negative one
            array = np.minimum(array, np.uint64(np.iinfo(np.int64).max))
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
        self._core.count_legal()  # complains where nothing can be asked
        return self._out("action_mask")

    def state(self, i: int) -> State:
        """A game as a value, for tree searches: it never changes."""
        return self._core.state(self._place(i))

    def _place(self, i: int) -> int:
        if isinstance(i, SupportsIndex) and not 0 <= int(i) < self.num_envs:
            raise ValueError(f"no such environment: {int(i)}")
        return whole("the number of an environment", i, 0, self.num_envs - 1)

    def states(self) -> list[State]:
        """All games as values."""
        return [self._core.state(i) for i in range(self.num_envs)]

    def restore(
        self, states: Sequence[State], indices: Sequence[int] | None = None
    ) -> Observations:
        """Puts games back to states of this or an equal environment; returns what is seen then."""
        places = range(self.num_envs) if indices is None else indices
        given = list(states)
        for one in given:
            if not isinstance(one, State):
                raise TypeError(f"expected states of an environment, got {type(one).__name__}")
        self._core.restore([self._place(i) for i in places], given)
        self._seeded = True
        return self._observations()

    def load_state(self, data: bytes) -> State:
        """The state that ``bytes(state)`` wrote."""
        if not isinstance(data, bytes):
            raise TypeError(f"expected the bytes of a state, got {type(data).__name__}")
        return self._core.load(data)

    def initial_state(self) -> State:
        """The (first) start position as a state."""
        return self._core.initial()

    def clone(self) -> Self:
        """An environment of its own in the same states, dice included."""
        states = self.states()
        made = self._empty_copy()
        made.restore(states)
        return made

    def _empty_copy(self) -> Self:
        """The same options, arrays of its own, and no games yet."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._copy = True
        made._core = made._build()
        made._arrays = made._lend({})
        made._seeded = False
        return made

    def __deepcopy__(self, memo: object) -> Self:
        if self.closed or not self._seeded:
            made = self._empty_copy()
            if self.closed:
                made._core.close()
            return made
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        kept = {k: v for k, v in self.__dict__.items() if k not in ("_core", "_arrays")}
        played = self._seeded and not self.closed
        return {**kept, "_states": [bytes(one) for one in self.states()] if played else None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        states = kept.pop("_states")
        self.__dict__.update(kept)
        self._core = self._build()
        self._arrays = self._lend({})
        if states is not None:
            self.restore([self.load_state(one) for one in states])
        if self.closed:
            self._core.close()

    def board(self, i: int) -> AnyBoard:
        """A game as a board with its history."""
        state = self.state(i)
        return self.game.board(state.start_fen, state.moves)

    def action_to_move(self, board: AnyBoard, action: int) -> AnyMove:
        """See :func:`cotulenh.env.action_to_move`."""
        return action_to_move(board, action)

    def move_to_action(self, board: AnyBoard, move: AnyMove) -> int:
        """See :func:`cotulenh.env.move_to_action`."""
        return move_to_action(board, move)

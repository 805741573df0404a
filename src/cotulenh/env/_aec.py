"""Both games as PettingZoo has turn-based games."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from cotulenh.errors import install_hint

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(f"PettingZoo is needed: {install_hint('env')}") from error

from cotulenh.env._checks import check_seed, whole
from cotulenh.env._render import RENDER_MODES, check_mode, render
from cotulenh.env._vector import State, VectorEnv, spaces_of
from cotulenh.games import AnyBoard
from cotulenh.rules import Rules

__all__ = ["GameEnv", "wrapped"]

AGENTS = ["player_0", "player_1"]
OPTIONS = {"fen", "chess960", "history", "dtype"}  # those of the vector that mean something here


class GameEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """A game between two agents; ``player_0`` moves first. A turn may last several moves."""

    metadata: dict[str, Any] = {  # noqa: RUF012  # as PettingZoo declares it
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str | Rules,
        name: str,
        *,
        render_mode: str | None,
        max_cycles: int | None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.metadata = {**type(self).metadata, "name": name}
        for option in sorted(set(options) - OPTIONS):
            raise TypeError(f"a game of two agents has no option {option!r}")
        most = None if max_cycles is None else whole("max_cycles", max_cycles, 1, 1 << 29)
        moves = None if most is None else len(AGENTS) * most
        self._source = VectorEnv(1, game, max_moves=moves, **options)
        core = self._source._core
        self.observation_spaces = {}
        self.action_spaces = {}
        for agent in AGENTS:
            seen, acts = spaces_of(core.shape, core.actions, str(self._source._dtype), True)
            self.observation_spaces[agent], self.action_spaces[agent] = seen, acts
        self.possible_agents = list(AGENTS)
        self.render_mode = check_mode(render_mode)
        self._closed = False
        self._state: State | None = None

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The same for both agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins the game anew; the seed chooses among several start positions."""
        if self._closed:
            raise ValueError("the environment is closed")
        self._source.reset(seed=None if seed is None else check_seed(seed))
        self._state = state = self._source.state(0)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[state.player]

    def observe(self, agent: str) -> dict[str, Any]:
        """The board through an agent's eyes; the mask is empty for the one not to move."""
        state = self._current()
        space: Any = self.observation_spaces[agent]["observation"]
        planes = np.empty(space.shape, space.dtype)
        viewer = AGENTS.index(agent)
        state.write(viewer, planes)
        mask = np.zeros(self._source._core.actions, np.int8)
        if viewer == state.player:
            mask[state.legal_actions] = 1
        return {"observation": planes, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Plays a move for the agent to move."""
        state = self._current()
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        mover = self.agent_selection
        self._state = after = state.after(action)
        self._cumulative_rewards[mover] = 0
        self.rewards = dict(zip(AGENTS, after.returns, strict=True))
        self.terminations = dict.fromkeys(AGENTS, after.terminated)
        self.truncations = dict.fromkeys(AGENTS, after.truncated)
        self.agent_selection = AGENTS[after.player]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The board, as the render mode says."""
        return render(self.board(), self.render_mode)

    def close(self) -> None:
        """Nothing can be stepped any more."""
        self._closed = True

    def _current(self) -> State:
        if self._closed:
            raise ValueError("the environment is closed")
        if self._state is None:
            raise ValueError("reset the environment first")
        return self._state

    def board(self) -> AnyBoard:
        """The game as a board with its history."""
        state = self._current()
        return self._source.game.board(state.start_fen, state.moves)

    def __getstate__(self) -> dict[str, Any]:
        kept = None if self._state is None else bytes(self._state)
        return {**self.__dict__, "_state": kept}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        if kept["_state"] is not None:
            self._state = self._source.load_state(kept["_state"])

    def __str__(self) -> str:
        return str(self.metadata["name"])


def wrapped(env: GameEnv) -> Any:
    """With PettingZoo's usual wrappers: an illegal action loses the game."""
    ended = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ended))

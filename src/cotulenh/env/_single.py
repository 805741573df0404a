"""One game as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
from gymnasium.vector import AutoresetMode

from cotulenh.env._checks import check_seed, whole
from cotulenh.env._render import RENDER_MODES, render
from cotulenh.env._vector import State, VectorEnv
from cotulenh.games import AnyBoard
from cotulenh.rules import Rules

__all__ = ["BoardEnv"]


class BoardEnv(gymnasium.Env[Any, Any]):
    """One game: a :class:`VectorEnv` of one, with the same options but for those of vectors.

    >>> env = gymnasium.make("cotulenh/Chess-v0", opponent="greedy")
    >>> observation, info = env.reset(seed=3)
    >>> observation["observation"].shape, int(observation["action_mask"].sum())
    ((18, 8, 8), 20)
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self, game: str | Rules = "official", render_mode: str | None = None, **options: Any
    ) -> None:
        for name in ("num_envs", "threads", "autoreset_mode", "copy", "buffers"):
            if name in options:
                raise TypeError(f"{name} is an option of the vector environment")
        self._vector = VectorEnv(
            1, game, autoreset_mode=AutoresetMode.DISABLED, render_mode=render_mode, **options
        )
        self.render_mode = self._vector.render_mode
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins the game anew."""
        super().reset(seed=None if seed is None else check_seed(seed))
        observations, infos = self._vector.reset(seed=seed)
        return _first(observations), _first(infos)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays one move."""
        number = whole("an action", action, *_INT64)
        observations, rewards, terminated, truncated, infos = self._vector.step([number])
        return (
            _first(observations),
            float(rewards[0]),
            bool(terminated[0]),
            bool(truncated[0]),
            _first(infos),
        )

    def render(self) -> Any:
        """The board, as the render mode says."""
        return render(self.board(), self.render_mode)

    def close(self) -> None:
        """Nothing can be asked of it any more."""
        self._vector.close()

    def action_masks(self) -> Any:
        """The mask of legal actions, under the name that masking learners ask for."""
        return self._vector.action_masks()[0]

    def sample_action(self) -> int:
        """A random legal action."""
        return int(self._vector.sample_actions()[0])

    def state(self) -> State:
        """The game as a value."""
        return self._vector.state(0)

    def restore(self, state: State) -> dict[str, Any]:
        """Puts the game back to a state; returns what is seen then."""
        return _first(self._vector.restore([state]))

    def board(self) -> AnyBoard:
        """The game as a board with its history."""
        return self._vector.board(0)


_INT64 = (-(1 << 63), (1 << 63) - 1)


def _first(batch: dict[str, Any]) -> dict[str, Any]:
    """Of a batch of one; which games have an info is a vector's question."""
    return {name: value[0] for name, value in batch.items() if not name.startswith("_")}

"""Chess for PettingZoo: ``chess_v0.env(render_mode=None)``.

>>> from cotulenh.env import chess_v0
>>> env = chess_v0.env()
>>> env.reset(seed=42)
>>> env.agent_selection, int(env.last()[0]["action_mask"].sum())
('player_0', 20)
"""

from __future__ import annotations

from typing import Any

from cotulenh.env._aec import GameEnv, wrapped

__all__ = ["env", "raw_env"]


class raw_env(GameEnv):  # noqa: N801  # the name that PettingZoo's modules have
    """The game without wrappers: an illegal action raises ``ValueError``."""

    def __init__(
        self, render_mode: str | None = None, max_cycles: int | None = None, **options: Any
    ) -> None:
        super().__init__(
            "chess", "chess_v0", render_mode=render_mode, max_cycles=max_cycles, **options
        )


def env(**options: Any) -> Any:
    """The game with PettingZoo's wrappers."""
    return wrapped(raw_env(**options))

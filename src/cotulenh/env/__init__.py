"""Learning environments: a native vector environment, PettingZoo, Gymnasium, OpenSpiel.

>>> from cotulenh.env import VectorEnv
>>> env = VectorEnv(8, game="online")
>>> observations, infos = env.reset(seed=1)
>>> observations["observation"].shape, observations["action_mask"].shape
((8, 90, 12, 11), (8, 41544))
>>> observations, rewards, terminated, truncated, infos = env.step(env.sample_actions())

Importing this module registers ``cotulenh/Official-v0``, ``cotulenh/Online-v0``,
``cotulenh/Blueprint-v0`` and ``cotulenh/Chess-v0`` with Gymnasium. ``cotulenh_v0`` and ``chess_v0``
are modules as PettingZoo has them; ``cotulenh.env.openspiel`` registers the games with OpenSpiel.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cotulenh.errors import install_hint

try:
    import gymnasium as _gymnasium
except ImportError as error:
    raise ImportError(f"the environments need an extra: {install_hint('env')}") from error

from cotulenh.env._actions import (
    ActionSpace,
    action_space,
    action_to_move,
    action_to_text,
    move_to_action,
    text_to_action,
)
from cotulenh.env._planes import Plane, planes, read_planes
from cotulenh.env._single import BoardEnv
from cotulenh.env._vector import VectorEnv

__all__ = [
    "ActionSpace",
    "BoardEnv",
    "Plane",
    "VectorEnv",
    "action_space",
    "action_to_move",
    "action_to_text",
    "chess_v0",
    "cotulenh_v0",
    "move_to_action",
    "planes",
    "read_planes",
    "text_to_action",
]


def __getattr__(name: str) -> Any:
    """PettingZoo's modules, when they are asked for: Gymnasium's users need not install it."""
    if name in ("cotulenh_v0", "chess_v0"):
        return import_module(f"cotulenh.env.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


for _name, _game in (
    ("Official", "official"),
    ("Online", "online"),
    ("Blueprint", "blueprint"),
    ("Chess", "chess"),
):
    _gymnasium.register(
        id=f"cotulenh/{_name}-v0",
        entry_point="cotulenh.env:BoardEnv",
        vector_entry_point="cotulenh.env:VectorEnv",
        kwargs={"game": _game, "opponent": "random", "illegal": "lose"},
    )

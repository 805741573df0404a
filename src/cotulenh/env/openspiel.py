"""Both games for OpenSpiel, registered when this module is imported.

>>> import cotulenh.env.openspiel
>>> import pyspiel
>>> game = pyspiel.load_game("cotulenh(rules=online)")
>>> state = game.new_initial_state()
>>> len(state.legal_actions()), state.current_player()
(116, 0)
>>> state.action_to_string(state.legal_actions()[0])
'Cg1g2'

The games are ``cotulenh``, with the parameter ``rules`` (a rule set's name or a file's path), and
``cotulenh_chess``; both take ``max_moves``, after which a game is drawn.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from cotulenh.errors import install_hint

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise ImportError(f"OpenSpiel is needed: {install_hint('openspiel')}") from error

from cotulenh.env._actions import action_to_text, text_to_action
from cotulenh.env._vector import State, VectorEnv
from cotulenh.games import AnyBoard

__all__ = ["ChessGame", "CotulenhGame", "GameState"]

#: Longer than any game: a hundred half-turns pass between takes (or pawns' moves) at most.
LONGEST = {"cotulenh": 20_000, "cotulenh_chess": 12_000}


def _type(name: str, title: str, parameters: dict[str, Any]) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name=title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


CTL_TYPE = _type("cotulenh", "Cờ Tư Lệnh", {"rules": "official", "max_moves": 0})
CHESS_TYPE = _type("cotulenh_chess", "Chess by cotulenh", {"max_moves": 0})


class PlayerAction(NamedTuple):
    """Who did what; OpenSpiel's own type cannot be made from Python."""

    player: int
    action: int


class _Game(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """What both games share."""

    def __init__(self, kind: Any, params: dict[str, Any], game: str) -> None:
        moves = int(params.get("max_moves", 0))
        if moves < 0:
            raise ValueError(f"max_moves must be 0 or more, got {moves}")
        self.name, self.moves = game, moves
        source = source_of(game, moves)
        self.shape: tuple[int, int, int] = source._core.shape
        info = pyspiel.GameInfo(
            num_distinct_actions=source.game.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=moves or LONGEST[kind.short_name],
        )
        super().__init__(kind, info, params)

    def new_initial_state(self, text: str | None = None) -> GameState:
        """The start of a game, or the position of a FEN."""
        return GameState(self, text)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Planes and text of a position; where all that went before is asked for, the moves."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.shape)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class CotulenhGame(_Game):
    """Cờ Tư Lệnh by some rule set."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        super().__init__(CTL_TYPE, given, str(given.get("rules", "official")))


class ChessGame(_Game):
    """Chess."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(CHESS_TYPE, params or {}, "chess")


@cache
def source_of(game: str, moves: int, fen: str | None = None) -> VectorEnv:
    """Where states of a game come from."""
    return VectorEnv(1, game, max_moves=moves or None, action_mask=False, fen=fen)


class Line:
    """The states that a game went through: taking back means remembering them.

    OpenSpiel copies and pickles what a state holds; states of the core never change, so copies
    share them, and written down are only the moves.
    """

    def __init__(
        self,
        source: tuple[str, int, str | None],
        states: list[State],
        actions: list[tuple[int, int]],
    ) -> None:
        self.named, self.states, self.actions = source, states, actions

    @classmethod
    def begin(cls, *source: Any) -> Line:
        """A game that has just begun; the source as :func:`source_of` wants it."""
        return cls(source, [source_of(*source).initial_state()], [])

    def play(self, action: int) -> None:
        """One more move."""
        after = self.states[-1].after(action)
        self.actions.append((self.states[-1].player, action))
        self.states.append(after)

    def take_back(self) -> None:
        """One move less."""
        if not self.actions:
            raise ValueError("there is no move to take back")
        self.actions.pop()
        self.states.pop()

    @property
    def source(self) -> VectorEnv:
        """Where the states come from."""
        return source_of(*self.named)

    def __deepcopy__(self, memo: object) -> Line:
        return Line(self.named, list(self.states), list(self.actions))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.named, [action for _, action in self.actions])


def _restore(source: tuple[str, int, str | None], actions: list[int]) -> Line:
    line = Line.begin(*source)
    for action in actions:
        line.play(action)
    return line


class GameState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A game under way."""

    def __init__(self, game: _Game, fen: str | None = None) -> None:
        super().__init__(game)
        self._line = Line.begin(game.name, game.moves, fen)

    @property
    def state(self) -> State:
        """The core's state."""
        return self._line.states[-1]

    def current_player(self) -> int:
        """The side to move."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.state.player

    def is_terminal(self) -> bool:
        """Whether the game is over, or was cut off."""
        return self.state.terminated or self.state.truncated

    def returns(self) -> list[float]:
        """What the game was worth to both players."""
        return list(self.state.returns)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.state.legal_actions)

    def _apply_action(self, action: int) -> None:
        self._line.play(action)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last move back, which must be this one."""
        if self._line.actions and self._line.actions[-1] != (player, action):
            raise ValueError(f"the last move is not action {action} of player {player}")
        self._line.take_back()

    # OpenSpiel's own list of moves cannot be shortened from Python, so these tell ours.

    def history(self) -> list[int]:
        """The actions so far."""
        return [action for _, action in self._line.actions]

    def history_str(self) -> str:
        """The same as text."""
        return ", ".join(map(str, self.history()))

    def full_history(self) -> list[PlayerAction]:
        """The actions so far with their players."""
        return [PlayerAction(*pair) for pair in self._line.actions]

    def move_number(self) -> int:
        """How many actions there were."""
        return len(self._line.actions)

    def serialize(self) -> str:
        """The state as text, in the form that OpenSpiel reads."""
        fields = dict(line.split("=", 1) for line in super().serialize().splitlines())
        fields["history"] = ",".join(f"{player}:{action}" for player, action in self._line.actions)
        fields["move_number"] = str(self.move_number())
        return "\n".join(f"{name}={value}" for name, value in fields.items())

    def board(self) -> AnyBoard:
        """The game as a board with its history."""
        return self._line.source.game.board(self.state.start_fen, self.state.moves)

    def _action_to_string(self, player: int, action: int) -> str:
        return action_to_text(self.board(), action)

    def string_to_action(self, *text: Any) -> int:
        """The action of a move's text; a player may stand before it."""
        return text_to_action(self.board(), str(text[-1]))

    def __str__(self) -> str:
        """The position as FEN."""
        return self.state.fen


class Observer:
    """Planes of the side to move, or of the player asked for."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: GameState, player: int) -> None:
        """Writes what a player sees."""
        state.state.write(player, self.tensor)

    def string_from(self, state: GameState, player: int) -> str:
        """The position as FEN."""
        return str(state)


pyspiel.register_game(CTL_TYPE, CotulenhGame)
pyspiel.register_game(CHESS_TYPE, ChessGame)

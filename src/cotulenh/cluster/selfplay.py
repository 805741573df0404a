"""The job ``selfplay``: games of the engine against itself, as a data set and as PGN.

A unit is a block of games. Limited by nodes they are played natively, with dice that come from the
unit's name (:mod:`cotulenh.engine.dataset`); players of a level, and limits of time, depth or a
clock, play as in a match. Both write the same data set; the files of all units are put together in
their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any, ClassVar

from cotulenh.cluster.fingerprint import environment, game_name
from cotulenh.cluster.job import Files, Job, Outputs, Payload, Result, register
from cotulenh.cluster.players import file_hashes, settings_from, settings_of
from cotulenh.engine import dataset
from cotulenh.engine.dataset import Played, games_in, merged, play_unit
from cotulenh.game import Game
from cotulenh.games import end, new_board, parse_move, side
from cotulenh.match import GameRecord, Settings
from cotulenh.match.run import Arena

__all__ = ["SelfplayJob"]

REASONS = ("law", "resigned", "too long")
BLOCK = 20  # games of a unit, played natively
PLAYED_BLOCK = 2  # those of players take longer
MATE = 31_000  # the core's score of a mate on the board
MATES = 30_000  # from here on a score is a mate, or that of a move nobody searched


@register
@dataclass(frozen=True)
class SelfplayJob(Job):
    """So many games of so many nodes a move, after some random moves each.

    ``network`` is a file's path, "" for the one of the package, None for the terms alone. With
    ``match`` (fields of :class:`cotulenh.match.Settings`) its first player plays both sides as it
    says, and nodes, random moves and network are the match's.
    """

    kind: ClassVar[str] = "selfplay"
    needs_files: ClassVar[bool] = True

    games: int
    nodes: int = 500
    random_moves: int = 8
    seed: int = 1
    network: str | None = ""
    match: dict[str, Any] | None = None

    @classmethod
    def by_players(cls, settings: Settings) -> SelfplayJob:
        """Games of a player of any kind, of a match's limits."""
        game = game_name(settings.variant)
        match = {**settings_of(settings), "variant": game}
        return cls(game, settings.games, 0, 0, settings.seed, match=match)

    def environment(self) -> dict[str, str]:
        """With the networks and books of players."""
        files = {} if self.match is None else file_hashes(self.match["players"])
        return environment(self.game, self.network or None) | files

    def units(self) -> Iterator[Payload]:
        """Blocks of games."""
        block = BLOCK if self.match is None else PLAYED_BLOCK
        for first in range(0, self.games, block):
            yield {"seed": self.seed, "first": first, "games": min(block, self.games - first)}

    def work(self, payload: Payload, seed: int, files: Files) -> Result:
        """Plays a block and writes its file."""
        name = f"{seed:016x}"
        if self.match is None:
            wanted = (payload["games"], self.nodes, self.random_moves, self.network)
            data = play_unit(dataset.Settings(self.game, *wanted), name)
        else:
            numbers = range(payload["first"], payload["first"] + payload["games"])
            data = dataset.packed(self.game, seed, name, map(self._play, numbers))
        played = list(games_in(data))
        return {
            "games": len(played),
            "plies": sum(len(one.moves) for one in played),
            "ends": [f"{one.last_key:016x}" for one in played],
            "results": dict(sorted(Counter(one.result for one in played).items())),
            "data": files.write("games", data),
        }

    def _play(self, number: int) -> Played:
        """A game of players; only every second number of the arena has an opening of its own."""
        return _played(self.game, self._arena.play(2 * number), number)

    @cached_property
    def _arena(self) -> Arena:
        assert self.match is not None
        return Arena(settings_from(self.match))

    def close(self) -> None:
        """Ends the players."""
        if "_arena" in self.__dict__:
            self._arena.close()

    def finish(self, outputs: Outputs) -> Result:
        """One data set, one PGN file, and how many games are doubles of others."""
        ends: Counter[str] = Counter()
        results: Counter[str] = Counter()
        plies = 0
        for _, result in outputs.results():
            ends.update(result["ends"])
            results.update(result["results"])
            plies += result["plies"]
        return {
            "games": sum(results.values()),
            "plies": plies,
            "results": dict(sorted(results.items())),
            "duplicates": sum(count - 1 for count in ends.values()),
            "data": outputs.write("games.data", merged(lambda: outputs.data("data"))),
            "pgn": outputs.write("games.pgn", self._pgn(outputs)),
        }

    def _pgn(self, outputs: Outputs) -> Iterator[bytes]:
        number = 0
        for data in outputs.data("data"):
            for played in games_in(data):
                number += 1
                yield f"{_game(self.game, played, number)}\n".encode()


def _played(name: str, record: GameRecord, seed: int) -> Played:
    """A game of a match as the data set has it."""
    board: Any = new_board(name)
    plies, last = [], None
    texts = zip(record.moves, record.evals or repeat(""), strict=False)
    for ply, (text, evaluation) in enumerate(texts):
        move, mover = parse_move(board, text), side(board)
        flags = dataset.RANDOM if ply < record.opening else 0
        flags |= dataset.TAKE if board.is_capture(move) else 0
        if mover == last:
            flags |= dataset.MID_TURN
        elif board.is_check():
            flags |= dataset.CHECK
        plies.append((int(move), _score(evaluation, mover), flags))
        board.push(move)
        last = mover
    reason = 0 if end(board) is not None else 2 if record.reason.endswith(" turns") else 1
    moves, scores, flags_of = zip(*plies, strict=True) if plies else ((), (), ())
    return Played(record.result, reason, record.opening, seed, board.key, moves, scores, flags_of)


def _score(text: str, mover: int) -> int:
    """What a player said, for the side to move, in the core's numbers.

    >>> _score("0.31", 1), _score("#-3", 0), _score("", 0)
    (-31, -30997, 32001)
    """
    if not text:
        return dataset.NOT_SEARCHED
    mates = text.startswith("#")
    value = int(text[1:]) if mates else round(100 * float(text))
    first = (MATE - abs(value)) * (1 if value > 0 else -1) if mates else value
    return -first if mover else first


def _game(name: str, played: Played, number: int) -> Game:
    """A game of the data set with the engine's evaluations."""
    board: Any = new_board(name)
    kind = type(next(iter(board.legal_moves)))
    for bits in played.moves:
        board.push(kind.from_int(bits))
    game = Game.from_board(board, {"Event": "self-play", "Round": str(number)})
    game.tags["Result"] = played.result
    game.tags["Termination"] = REASONS[played.reason]
    _annotate(game, played)
    return game


def _annotate(game: Game, played: Played) -> None:
    """What the search said before each turn, after it as PGN has it: for the first side."""
    ply = 0
    for turn, node in enumerate(game.mainline()):
        score = played.scores[ply]
        ply += len(node.moves)
        if abs(score) < MATES:
            node.eval = -score if turn % 2 else score

"""A deployment, or any run of moves, as an animated SVG that needs no script."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cotulenh import chess
from cotulenh.board import MoveKind
from cotulenh.draw._pieces import number
from cotulenh.draw._scene import AnyBoard, Item, Place, Scene, places_of, scene_of
from cotulenh.draw._svg import Canvas

__all__ = ["animate"]

_STAYS = (MoveKind.STAY, MoveKind.BREACH)


def animate(
    board: AnyBoard,
    moves: Iterable[Any],
    *,
    seconds: float = 1.0,
    size: int | None = None,
    flip: bool = False,
    theme: str = "light",
    coordinates: str | None = "letters",
    title: str | None = None,
) -> str:
    """Moves played one after another from a position, over and over: ``seconds`` each.

    What moves glides to its target; a piece that takes without moving sends a shot. The board given
    stays as it is. Illegal moves raise ``IllegalMoveError``.

    >>> from cotulenh import Board
    >>> board = Board("6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1")
    >>> turn = [board.parse_lan("Fc3>c6")]
    >>> "<animate" in animate(board, turn)
    True
    """
    if not seconds > 0:
        raise ValueError(f"a move takes some time, not {seconds} seconds")
    film = _Film(board, list(moves), seconds)
    canvas = Canvas(film.scenes[0], flip=flip, theme=theme, coordinates=coordinates)
    canvas.ground()
    for place in film.places:
        film.show(canvas, place)
    for step in range(len(film.moves)):
        film.glide(canvas, step)
    return canvas.text(size=size, title=title)


class _Film:
    """The scenes between moves, and when they are seen. Half of each move is rest."""

    def __init__(self, board: AnyBoard, moves: list[Any], seconds: float) -> None:
        play = board.copy()
        self.moves = [m for m in moves if not self._is_commit(m)]
        self.scenes: list[Scene] = [scene_of(play)]
        for move in moves:
            self._push(play, move)
            if self._is_commit(move):
                self.scenes[-1] = scene_of(play)
            else:
                self.scenes.append(scene_of(play))
        self.total = seconds * (len(self.moves) + 1)
        everywhere = {place for scene in self.scenes for place in scene.stacks}
        self.places = sorted(everywhere)

    @staticmethod
    def _is_commit(move: Any) -> bool:
        return getattr(move, "kind", None) is MoveKind.COMMIT

    @staticmethod
    def _push(board: AnyBoard, move: Any) -> None:
        board.push(move)

    def begins(self, step: int) -> float:
        """When a move begins, as a part of the whole; each has one part, the last scene too."""
        return (step + 0.4) / (len(self.moves) + 1)

    def ends(self, step: int) -> float:
        """When it arrives."""
        return (step + 1) / (len(self.moves) + 1)

    def during(self, step: int, place: Place) -> tuple[Item, ...]:
        """What stands still on a point while a move is under way."""
        start, target = places_of(self.scenes[step], self.moves[step])
        before = self.scenes[step].stacks.get(place, ())
        if place != start or place == target or self._stays(step):
            return before
        return self.scenes[step + 1].stacks.get(place, ())

    def _stays(self, step: int) -> bool:
        return getattr(self.moves[step], "kind", None) in _STAYS

    def show(self, canvas: Canvas, place: Place) -> None:
        """What stands on a point through the whole film, each state in its time."""
        spans: list[tuple[float, tuple[Item, ...]]] = [(0.0, self.scenes[0].stacks.get(place, ()))]
        for step in range(len(self.moves)):
            for when, items in (
                (self.begins(step), self.during(step, place)),
                (self.ends(step), self.scenes[step + 1].stacks.get(place, ())),
            ):
                if items != spans[-1][1]:
                    spans.append((when, items))
        x, y = canvas.grid.xy(place)
        for i, (when, items) in enumerate(spans):
            if not items:
                continue
            until = spans[i + 1][0] if i + 1 < len(spans) else 1.0
            drawn = canvas.stack(items, x, y)
            if when == 0.0 and until == 1.0:
                canvas.body.append(drawn)
            else:
                # Where nothing moves (a printer, PNG), the first scene is seen and nothing else.
                later = ' visibility="hidden"' if when > 0 else ""
                canvas.body.append(f"<g{later}>{self._seen(when, until)}{drawn}</g>")

    def _seen(self, when: float, until: float) -> str:
        keys, values = [0.0], ["visible" if when == 0 else "hidden"]
        if when > 0:
            keys.append(when)
            values.append("visible")
        if until < 1:
            keys.append(until)
            values.append("hidden")
        times = ";".join(f"{key:.4g}" for key in keys)
        return (
            f'<animate attributeName="visibility" calcMode="discrete" dur="{number(self.total)}s"'
            f' repeatCount="indefinite" values="{";".join(values)}" keyTimes="{times}"/>'
        )

    def glide(self, canvas: Canvas, step: int) -> None:
        """What moves, on its way."""
        start, target = places_of(self.scenes[step], self.moves[step])
        (x1, y1), (x2, y2) = canvas.grid.xy(start), canvas.grid.xy(target)
        begin, end = self.begins(step), self.ends(step)
        times = f"0;{begin:.4g};{end:.4g};1"
        if self._stays(step):
            drawn = f'<circle r="10" fill="{canvas.theme.take}" stroke="#fff" stroke-width="3"/>'
        else:
            drawn = canvas.stack(self._movers(step, start), 0, 0)
        canvas.body.append(
            f'<g visibility="hidden">{self._seen(begin, end)}<animateTransform'
            f' attributeName="transform" type="translate" dur="{number(self.total)}s"'
            f' repeatCount="indefinite" values="{x1} {y1};{x1} {y1};{x2} {y2};{x2} {y2}"'
            f' keyTimes="{times}"/>{drawn}</g>'
        )

    def _movers(self, step: int, start: Place) -> tuple[Item, ...]:
        move, there = self.moves[step], self.scenes[step].stacks[start]
        if isinstance(move, chess.Move):
            return there
        side = there[0].side
        return tuple(Item(p.kind.letter, side, p.heroic) for p in move.pieces)

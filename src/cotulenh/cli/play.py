"""``cotulenh play``: a game in the terminal, against the engine or another person."""

from __future__ import annotations

import json
import random
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from cotulenh import draw
from cotulenh.board import Board
from cotulenh.cli._games import fen_option, game_option, hash_option, threads_option
from cotulenh.cli.analyse import score_text
from cotulenh.engine import Engine, Limit
from cotulenh.games import (
    AnyBoard,
    end,
    end_text,
    line_text,
    name_of,
    new_board,
    play_text,
    push_text,
    side,
    side_name,
)

__all__ = ["Session", "verb"]

HELP = """\
Type a move: [b]Mg6[/b] or [b]Mg5g6[/b]; taking [b]Txd6[/b], taking from afar [b]F_h6[/b], \
boarding [b]T&c3[/b].
Deploy step by step ([b]F>e5[/b], then the next or [b]commit[/b]), or in one go: \
[b]N<F>e5,T>d3[/b].

  [b]moves[/b] \\[square]   the legal moves, of one piece or of all
  [b]hint[/b]             what the engine would play
  [b]undo[/b]             take back the last step, or your last turn and the answer
  [b]commit[/b]           end a deployment, the rest stays
  [b]go[/b]               let the engine move for you, then change sides with it
  [b]flip[/b]  [b]board[/b]  [b]fen[/b]  [b]history[/b]
  [b]save[/b] FILE        [b]load[/b] FILE
  [b]resign[/b]  [b]quit[/b]"""


@click.command("play")
@game_option
@fen_option
@click.option(
    "--side",
    "own",
    type=click.Choice(["first", "second", "random", "both", "none"]),
    default="first",
    show_default=True,
    help="Yours. both: two persons; none: the engine against itself.",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.01),
    default=1.0,
    show_default=True,
    help="Seconds a move.",
)
@click.option("--skill", type=click.IntRange(0, 20), default=20, show_default=True)
@click.option("--load", "path", type=click.Path(path_type=Path), help="Go on with a saved game.")
@threads_option
@hash_option
def verb(
    game: str,
    fen: str | None,
    own: str,
    seconds: float,
    skill: int,
    path: Path | None,
    threads: int,
    hash_mb: int,
) -> int:
    """Play a game in the terminal. "help" lists what can be typed."""
    board = new_board(game, fen) if path is None else load(path)
    choice = random.choice(["first", "second"]) if own == "random" else own
    people = {"first": {0}, "second": {1}, "both": {0, 1}, "none": set()}[choice]
    with Engine(threads, hash_mb, skill=None if skill == 20 else skill) as engine:
        Session(
            board, people, engine, Limit(time=seconds), Console(highlight=False, soft_wrap=True)
        ).run()
    return 0


def ask(prompt: str) -> str:
    """One line from the player."""
    return input(prompt)


class Session:
    """A game under way: the board, who plays which side, and the conversation about it."""

    def __init__(
        self,
        board: AnyBoard,
        people: set[int],
        engine: Engine,
        limit: Limit,
        console: Console,
    ) -> None:
        self.board, self.people = board, people
        self.engine, self.limit = engine, limit
        self.console = console
        self.flipped = people == {1}
        self.over = False

    def run(self) -> None:
        """Plays until the game is over or the player leaves."""
        self.console.print('Type a move, or "help".', style="dim")
        self.show()
        try:
            while not self.over:
                ended = end(self.board)
                if ended is not None:
                    reason = end_text(ended)
                    self.console.print(f"[bold]{ended.result}[/bold]  {reason}")
                    if not self._after_game():
                        return
                elif side(self.board) in self.people:
                    self._ask()
                else:
                    self._engine_turn()
        except (EOFError, KeyboardInterrupt):
            self.console.print()

    def _after_game(self) -> bool:
        """Whether the game goes on after all: a turn was taken back, or another game loaded."""
        if not self.people:
            return False
        self._ask("undo, save, load or quit> ")
        return True

    # Talking ----------------------------------------------------------------------------------

    def _ask(self, prompt: str | None = None) -> None:
        text = ask(prompt or f"{side_name(self.board)}{self._where()}> ").strip()
        if not text:
            return
        word, _, rest = text.partition(" ")
        action = getattr(self, f"do_{word.lower()}", None)
        try:
            if action is not None:
                action(rest.strip())
            else:
                self._move(text)
        except (ValueError, OSError) as error:
            self.console.print(f"[red]{escape(str(error))}[/red]")

    def _where(self) -> str:
        deployment = self.board.deployment if isinstance(self.board, Board) else None
        if deployment is None:
            return ""
        left = "".join(map(str, deployment.remaining))
        return f" (deploying from {deployment.origin}, {left} may still move)"

    def _move(self, text: str) -> None:
        play_text(self.board, text)
        self.show()

    def show(self) -> None:
        """Draws the board."""
        color = self.console.is_terminal and not self.console.no_color
        picture = draw.ansi if color else draw.text
        self.console.file.write("\n" + picture(self.board, flip=self.flipped) + "\n\n")
        if self.board.is_check() and not self.over:
            self.console.print(f"[yellow]{side_name(self.board)} is in check[/yellow]")

    def _engine_turn(self) -> None:
        """All moves of the engine's turn, then the board."""
        mover, name, words = side(self.board), side_name(self.board), []
        score = ""
        while end(self.board) is None and side(self.board) == mover:
            result = self.engine.play(self.board, self.limit)
            words.append(self.board.san(result.move))
            if result.info is not None:
                score = score_text(result.info.score)
            self.board.push(result.move)
        self.console.print(f"{name}: [bold]{escape(' '.join(words))}[/bold]  [dim]{score}[/dim]")
        self.show()

    # What can be typed ------------------------------------------------------------------------

    def do_help(self, rest: str) -> None:
        """Lists what can be typed."""
        self.console.print(HELP)

    def do_moves(self, rest: str) -> None:
        """The legal moves, of one square or of all."""
        moves = list(self.board.legal_moves)
        if rest:
            moves = [move for move in moves if str(move.from_square) == rest.lower()]
        self.console.print(escape(" ".join(self.board.san(move) for move in moves) or "none"))

    def do_hint(self, rest: str) -> None:
        """What the engine would play."""
        found = self.engine.play(self.board, self.limit)
        moves = found.info.pv if found.info else (found.move,)
        line = " ".join(line_text(self.board, moves, "san"))
        score = score_text(found.info.score) if found.info else ""
        self.console.print(f"{escape(line)}  [dim]{score}[/dim]")

    def do_undo(self, rest: str) -> None:
        """Takes back the last step, or turns until a person is to move again."""
        if not self.board.ply:
            raise ValueError("nothing to take back")
        self.board.undo()
        while self.board.ply and self.people and side(self.board) not in self.people:
            self.board.undo()
        self.show()

    def do_commit(self, rest: str) -> None:
        """Ends a deployment."""
        if not isinstance(self.board, Board) or self.board.deployment is None:
            raise ValueError("no deployment is under way")
        self.board.commit()
        self.show()

    def do_go(self, rest: str) -> None:
        """The engine moves, and sides are changed if it had one."""
        self._engine_turn()
        if len(self.people) == 1:
            self.people = {1 - min(self.people)}

    def do_flip(self, rest: str) -> None:
        """Turns the board round."""
        self.flipped = not self.flipped
        self.show()

    def do_board(self, rest: str) -> None:
        """Draws the board again."""
        self.show()

    def do_fen(self, rest: str) -> None:
        """The position as FEN."""
        self.console.print(escape(self.board.fen()))

    def do_history(self, rest: str) -> None:
        """The turns so far."""
        self.console.print(escape(" ".join(self.board.history("san"))))

    def do_save(self, rest: str) -> None:
        """Writes the game to a file."""
        save(Path(_given(rest)), self.board)
        self.console.print(f"saved: {escape(rest)}")

    def do_load(self, rest: str) -> None:
        """Goes on with the game of a file."""
        self.board = load(Path(_given(rest)))
        self.show()

    def do_resign(self, rest: str) -> None:
        """Gives the game up."""
        self.console.print(f"{side_name(self.board)} resigns")
        self.over = True

    def do_quit(self, rest: str) -> None:
        """Leaves."""
        self.over = True

    do_exit = do_quit


def _given(name: str) -> str:
    if not name:
        raise ValueError("a file name is wanted")
    return name


def save(path: Path, board: AnyBoard) -> None:
    """Writes a game: variant, first position and moves, as JSON."""
    root = board.root()
    moves = line_text(root, board.move_stack)
    story = {"variant": name_of(board), "fen": root.fen(), "moves": moves}
    path.write_text(json.dumps(story, indent=1) + "\n", "utf-8")


def load(path: Path) -> AnyBoard:
    """Reads a saved game; ``ValueError`` says why it is none."""
    try:
        story = json.loads(path.read_text("utf-8"))
        board = new_board(story["variant"], story["fen"])
        for text in story["moves"]:
            push_text(board, text)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no saved game: {error}") from None
    return board

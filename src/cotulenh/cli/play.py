"""``cotulenh play``: a game in the terminal, against the engine or another person."""

from __future__ import annotations

import json
import random
import textwrap
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from cotulenh import draw
from cotulenh.board import Board
from cotulenh.cli._common import data_dir
from cotulenh.cli._games import (
    fen_option,
    game_option,
    hash_option,
    moves_from,
    square_on,
    threads_option,
    why_no_moves,
)
from cotulenh.cli._prompt import set_up
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

SIGNS = """\
[b]C[/b] Commander   [b]I[/b] Infantry  [b]M[/b] Militia    [b]E[/b] Engineer  [b]T[/b] Tank  \
[b]A[/b] Artillery
[b]G[/b] Anti-air    [b]S[/b] Missile   [b]F[/b] Air Force  [b]N[/b] Navy      \
[b]H[/b] Headquarters

[b]Tc3d3[/b] or [b]Td3[/b]  goes          [b]Txd3[/b]   takes
[b]F_h6[/b]          takes, stays  [b]F@h6[/b]   takes, and both are lost
[b]T&c4[/b]          boards        [b]F>e5[/b]   a step out of a stack
[b]c3<[/b] or [b]commit[/b]  the rest stays     [b]N<F>e5,T>d3[/b]  a whole deployment
[b]+T[/b]            a hero        [b]^[/b] check  [b]#[/b] mate  (not typed)"""
CHESS_SIGNS = """\
[b]e4[/b] or [b]e2e4[/b]  [b]Nf3[/b]  [b]exd5[/b] takes  [b]O-O[/b] castles  [b]e8=Q[/b] promotes"""
COMMANDS = """\
  [b]moves[/b] \\[square]   the legal moves, of one piece or of all
  [b]hint[/b]             what the engine would play
  [b]undo[/b]             take back the last step, or your last turn and the answer
  [b]commit[/b]           end a deployment, the rest stays
  [b]go[/b]               let the engine move for you, then change sides with it
  [b]flip[/b]  [b]board[/b]  [b]fen[/b]  [b]history[/b]
  [b]save[/b] FILE        [b]load[/b] FILE        [b]resume[/b] the game that was left last
  [b]resign[/b]  [b]quit[/b]             a game that is left is kept"""


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
@click.option("--resume", is_flag=True, help="Go on with the game that was left last.")
@threads_option
@hash_option
def verb(
    game: str,
    fen: str | None,
    own: str,
    seconds: float,
    skill: int,
    path: Path | None,
    resume: bool,
    threads: int,
    hash_mb: int,
) -> int:
    """Play a game in the terminal. "help" lists what can be typed.

    A game that is left, by "quit" or Ctrl-C, is kept: --resume goes on with it.
    """
    choice = random.choice(["first", "second"]) if own == "random" else own
    people = {"first": {0}, "second": {1}, "both": {0, 1}, "none": set()}[choice]
    if resume:
        board, people = _left_game()
    else:
        board = new_board(game, fen) if path is None else load(path)
    console = Console(highlight=False, soft_wrap=True)
    with Engine(threads, hash_mb, skill=None if skill == 20 else skill) as engine:
        session = Session(board, people, engine, Limit(time=seconds), console)
        set_up(session.words, data_dir() / "history")
        session.run()
    return 0


def _left_game() -> tuple[AnyBoard, set[int]]:
    if not kept_path().exists():
        raise ValueError("no game was left: there is nothing to resume")
    return load_with_people(kept_path())


def kept_path() -> Path:
    """Where the game that was left last is kept."""
    return data_dir() / "play.json"


def ask(prompt: str) -> str:
    """One line from the player."""
    return input(prompt)


class Session:
    """A game under way: the board, who plays which side, and what is typed and shown."""

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
        self.over = self.given_up = False

    def run(self) -> None:
        """Plays until the game is over or the player leaves."""
        self.console.print('Type a move, or "help".', style="dim")
        if not self.board.ply and kept_path().exists():
            self.console.print('A game was left: "resume" goes on with it.', style="dim")
        self.show()
        try:
            self._play()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        self._keep()

    def _play(self) -> None:
        while not self.over:
            ended = end(self.board)
            if ended is not None:
                self.console.print(f"[bold]{ended.result}[/bold]  {end_text(ended)}")
                if not self._after_game():
                    return
            elif side(self.board) in self.people:
                self._ask()
            else:
                self._engine_turn()

    def _keep(self) -> None:
        """Keeps a game that is not over for another time; one that is over need not be kept."""
        path = kept_path()
        if self.given_up or end(self.board) is not None:
            path.unlink(missing_ok=True)
        elif self.board.ply:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                save(path, self.board, self.people)
            except OSError as error:
                self.console.print(f"[red]the game cannot be kept: {escape(str(error))}[/red]")
            else:
                self.console.print("The game is kept: cotulenh play --resume", style="dim")

    def words(self) -> list[str]:
        """What may be typed now: commands and legal moves."""
        commands = [name[3:] for name in dir(self) if name.startswith("do_")]
        return [*commands, *(self.board.san(move) for move in self.board.legal_moves)]

    def print_words(self, words: Iterable[str]) -> None:
        """A list of moves, wrapped between them."""
        text = " ".join(words) or "none"
        width = max(20, self.console.width)
        wrapped = textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)
        self.console.print(escape(wrapped))

    def _after_game(self) -> bool:
        """Whether the game goes on after all: a turn was taken back, or another game loaded."""
        if not self.people:
            return False
        self._ask("undo, save, load or quit> ")
        return True

    # Reading ---------------------------------------------------------------------------------

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
        signs = SIGNS if isinstance(self.board, Board) else CHESS_SIGNS
        self.console.print(f"{signs}\n\n{COMMANDS}")

    def do_moves(self, rest: str) -> None:
        """The legal moves, of one square or of all."""
        moves = list(self.board.legal_moves)
        if rest:
            place = square_on(self.board, rest)
            moves = moves_from(self.board, place)
            if not moves:
                raise ValueError(why_no_moves(self.board, place))
        self.print_words(self.board.san(move) for move in moves)

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
        self.print_words(self.board.history("san"))

    def do_save(self, rest: str) -> None:
        """Writes the game to a file."""
        save(Path(_given(rest)), self.board, self.people)
        self.console.print(f"saved: {escape(rest)}")

    def do_load(self, rest: str) -> None:
        """Goes on with the game of a file."""
        self.board = load(Path(_given(rest)))
        self.show()

    def do_resign(self, rest: str) -> None:
        """Gives the game up."""
        self.console.print(f"{side_name(self.board)} resigns")
        self.over = self.given_up = True

    def do_resume(self, rest: str) -> None:
        """Goes on with the game that was left last."""
        self.board, self.people = _left_game()
        self.show()

    def do_quit(self, rest: str) -> None:
        """Leaves."""
        self.over = True

    do_exit = do_quit


def _given(name: str) -> str:
    if not name:
        raise ValueError("expected the name of a file, got nothing")
    return name


def save(path: Path, board: AnyBoard, people: Iterable[int] = (0,)) -> None:
    """Writes a game: its name, first position, moves, and whose sides are people's, as JSON."""
    name, root = name_of(board), board.root()
    kept = {
        "game": str(Path(name).resolve()) if Path(name).is_file() else name,
        "fen": root.fen(),
        "moves": line_text(root, board.move_stack),
        "people": sorted(people),
    }
    # Beside it first: a full disk must not cost the game that was kept there before.
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def load(path: Path) -> AnyBoard:
    """Reads a saved game; ``ValueError`` says why it is none."""
    return load_with_people(path)[0]


def load_with_people(path: Path) -> tuple[AnyBoard, set[int]]:
    """A saved game, and whose sides were people's."""
    try:
        kept = json.loads(path.read_text("utf-8"))
        board = new_board(kept.get("game") or kept["variant"], kept["fen"])
        for text in kept["moves"]:
            push_text(board, text)
        return board, {int(number) for number in kept.get("people", [0])}
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} is no saved game: {error}") from None

"""``cotulenh book``: opening books of both games."""

from __future__ import annotations

import os
import time
from typing import Any

import click

from cotulenh import chess
from cotulenh._core import book as _core
from cotulenh.book import MEMORY_MB, TURNS, Book, book_name, least_of, polyglot
from cotulenh.cli._common import as_json, print_json
from cotulenh.cli._files import Files, check_output, files_argument, game_option, threads_option
from cotulenh.games import new_board

__all__ = ["verb"]

_out = click.option("-o", "--output", required=True, help="The file to write.")
_least = click.option(
    "--least",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Leave out positions that fewer games reached.",
)
_rules = click.option(
    "-g", "--game", metavar="FILE", help="The rules, if the book is of rules of one's own."
)
_least_of_many = click.option(
    "--least",
    type=click.IntRange(1),
    help="Leave out positions that fewer games reached; 2 if there are more than 100000 games.",
)
_memory = click.option(
    "--memory",
    type=click.IntRange(1),
    default=MEMORY_MB,
    show_default=True,
    help="MB to sort in; what exceeds it is laid aside in files.",
)


@click.group("book")
def verb() -> None:
    """Build, merge, list and ask opening books.

    \b
    cotulenh book build games.pgn.zst more.pgn -o games.book --least 3
    cotulenh book probe games.book --moves "e4 e5"
    cotulenh book merge a.book b.book -o both.book
    """  # noqa: D301  (click reads the sign)


@verb.command("build")
@_out
@click.option("--turns", type=click.IntRange(1, 1000), default=TURNS, show_default=True)
@_least_of_many
@_memory
@threads_option
@game_option
@files_argument
def build(
    files: tuple[str, ...],
    game: str | None,
    threads: int,
    memory: int,
    least: int | None,
    turns: int,
    output: str,
) -> int:
    """Build a book of the main lines of FILEs; "-" is standard input.

    The game is that of the first game, or the one given; games of another are left out. With an
    OUTPUT that ends in .bin, a book in Polyglot's format is written (chess only). Exit status 1 if
    a file could not be read to its end.
    """
    check_output(output, files)
    native = f"{output}.native" if output.endswith(".bin") else output
    started = time.perf_counter()
    source = Files(files, game, None)
    builder: _core.Builder | None = None
    count = 0
    for _, parts in source.each(
        lambda block: _core.collect(source.variants, block.text, source.game or "", turns), threads
    ):
        for _, batch in parts:
            if source.game is None:  # nothing but blanks and remarks so far
                continue
            builder = builder or _core.Builder(book_name(native), source.game, memory)
            builder.add(batch)
            count += batch.games
    if builder is None:
        raise click.ClickException("there is no game in the files")
    least = least_of(least, count)
    builder.finish(least)
    book = Book(native)
    if native != output:
        try:
            polyglot.from_book(book, output, turns=turns, least=least)
        finally:
            del book
            os.remove(native)
        return int(source.damaged)
    seconds = time.perf_counter() - started
    click.echo(f"{book.games} games, {len(book)} positions; {seconds:.1f} s", err=True)
    return int(source.damaged)


@verb.command("merge")
@click.argument("books", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@_out
@_least
@_memory
def merge(books: tuple[str, ...], output: str, least: int, memory: int) -> None:
    """Put BOOKS of one game together."""
    made = Book.merge(books, output, least=least, memory_mb=memory)
    click.echo(f"{made.games} games, {len(made)} positions", err=True)


@verb.command("dump")
@click.argument("book", type=click.Path(exists=True, dir_okay=False))
@click.option("--turns", type=click.IntRange(1, 1000), default=4, show_default=True)
@_least
@click.option("--all", "whole", is_flag=True, help="Every position by its key, not the tree.")
@_rules
@as_json
def dump(book: str, turns: int, least: int, whole: bool, game: str | None, as_json: bool) -> None:
    """List the lines of BOOK from the start position, one move a line."""
    opened = Book(book)
    if whole:
        for position in opened.dump():
            print_json({"key": f"{position.key:016x}", "moves": position.moves})
        return
    for line, one in opened.lines(turns, least, new_board(game or opened.game)):
        values = {"line": " ".join(line), **_values(one)}
        if as_json:
            print_json(values)
        else:
            click.echo(f"{'  ' * (len(line) - 1)}{line[-1]:8} {_numbers(one)}")


@verb.command("probe")
@click.argument("book", type=click.Path(exists=True, dir_okay=False))
@click.option("--fen", help="The position; without it, the start.")
@click.option("--moves", default="", help="Moves in short notation, played first.")
@_rules
@as_json
def probe(book: str, fen: str | None, moves: str, game: str | None, as_json: bool) -> int:
    """Show what was played in a position. Polyglot's .bin files can be asked too.

    Exit status 1 if the book does not know the position.
    """
    if book.endswith(".bin"):
        return _probe_polyglot(book, fen, moves, as_json)
    opened = Book(book)
    board = _board(game or opened.game, fen, moves)
    found = opened.moves(board)
    if as_json:
        print_json([{"move": board.san(one.move), **_values(one)} for one in found])
    else:
        for one in found:
            click.echo(f"{board.san(one.move):8} {_numbers(one)}")
    return 0 if found else 1


def _board(game: str, fen: str | None, moves: str) -> Any:
    board = new_board(game, fen)
    for text in moves.split():
        board.push_san(text)
    return board


def _probe_polyglot(path: str, fen: str | None, moves: str, as_json: bool) -> int:
    board: chess.Board = _board("chess", fen, moves)
    found = polyglot.PolyglotBook(path).find(board)
    rows = [{"move": board.san(entry.move), "weight": entry.weight} for entry in found]
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            click.echo(f"{row['move']:8} {row['weight']:6}")
    return 0 if found else 1


def _values(one: Any) -> dict[str, Any]:
    return {
        "count": one.count,
        "wins": one.wins,
        "draws": one.draws,
        "losses": one.losses,
        "score": None if one.score is None else round(one.score, 1),
    }


def _numbers(one: Any) -> str:
    known = max(1, one.wins + one.draws + one.losses)
    shares = "".join(f"{100 * n / known:5.0f}%" for n in (one.wins, one.draws, one.losses))
    score = "" if one.score is None else f"{one.score / 100:+7.2f}"
    return f"{one.count:8}{shares}{score}"

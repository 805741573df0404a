"""Tools for collections: ``pgn filter``, ``convert``, ``annotate``, ``duplicates``, ``openings``.

All stream: memory depends on the longest game, not on the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from cotulenh import pgn
from cotulenh._core import pgn as _core
from cotulenh.annotations import Eval
from cotulenh.cli._common import as_json, print_json
from cotulenh.cli._files import Files, check_output, files_argument, game_option, threads_option
from cotulenh.engine import Engine, Limit
from cotulenh.game import Game
from cotulenh.games import new_board, side
from cotulenh.pgn._blocks import Block, blocks
from cotulenh.pgn._file import writing

__all__ = ["TOOLS"]

_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_out_option = click.option(
    "-o", "--output", default="-", help='Where to write; .gz and .zst are packed. "-": here.'
)


class Record(NamedTuple):
    """One game of a block, as the core tells of it."""

    start: int
    moves: int
    end: int
    moves_hash: int
    last_key: int
    turns: int
    hit: int
    kind: int
    result: str
    lost: bool


@contextmanager
def _output(path: str) -> Iterator[Callable[[str], object]]:
    if path != "-":
        try:
            with writing(path) as put:
                yield put
        except ImportError as error:
            raise click.ClickException(f"{path}: {error}") from None
        return
    yield lambda text: click.echo(text, nl=False)


def _text(block: Block, record: Record) -> str:
    """A game as it stands in its file, with an empty line behind."""
    raw = block.text[record.start : record.end].strip(b"\r\n\t \x1a")
    try:
        return raw.decode() + "\n\n"
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace") + "\n\n"


# filter -----------------------------------------------------------------------------------------


def _condition(text: str) -> tuple[str, Callable[[str], bool]]:
    """``NAME=VALUE``, ``NAME~REGEX``, or a comparison of numbers or dates: ``WhiteElo>=2400``."""
    found = re.fullmatch(r"([^=~<>\s]+?)\s*(=|~|<=|>=|<|>)\s*(.*)", text)
    if found is None:
        raise click.BadParameter(f"expected NAME=VALUE, NAME~REGEX or NAME>=NUMBER, got {text!r}")
    name, sign, wanted = found.groups()
    if sign == "=":
        return name, lambda value: value == wanted
    if sign == "~":
        try:
            pattern = re.compile(wanted)
        except re.error as error:
            raise click.BadParameter(f"expected a regular expression: {error}") from None
        return name, lambda value: pattern.search(value) is not None
    return name, lambda value: value != "" and _compare(value, sign, wanted)


def _compare(value: str, sign: str, wanted: str) -> bool:
    try:
        difference = float(value) - float(wanted)
    except ValueError:
        if wanted[:1].isdigit() and not value[:1].isdigit():
            return False  # a rating of "?"
        difference = (value > wanted) - (value < wanted)  # dates sort as text
    return {
        "<": difference < 0,
        ">": difference > 0,
        "<=": difference <= 0,
        ">=": difference >= 0,
    }[sign]


def _key(fen: str, game: str | None) -> int:
    name = game or ("official" if fen.count("/") == 11 else "chess")
    try:
        return new_board(name, fen).key
    except ValueError as error:
        raise click.BadParameter(f"--position: {error}") from None


@click.command("filter")
@click.option("--tag", "tags", multiple=True, metavar="NAME=VALUE", help="Or ~REGEX, >=, <, ….")
@click.option("--result", "results", multiple=True, type=click.Choice(_RESULTS))
@click.option("--position", "fens", multiple=True, metavar="FEN", help="Reached in the main line.")
@click.option("--min-turns", type=int, default=0, help="Of the main line.")
@click.option(
    "--max-turns", type=int, default=1 << 30, show_default="any", help="Of the main line."
)
@click.option("--invert", is_flag=True, help="The games that do not fit.")
@_out_option
@threads_option
@game_option
@files_argument
def filter_games(
    files: tuple[str, ...],
    game: str | None,
    threads: int,
    output: str,
    invert: bool,
    min_turns: int,
    max_turns: int,
    fens: tuple[str, ...],
    results: tuple[str, ...],
    tags: tuple[str, ...],
) -> int:
    """Copy the games that fit all conditions, as they stand in FILEs.

    Conditions of one kind are alternatives for --result and --position, and all hold for --tag.
    Exit status 1 if no game fits or a file could not be read to its end.
    """
    check_output(output, files)
    conditions = [_condition(text) for text in tags]
    keys = [_key(fen, game) for fen in fens]
    source = Files(files, game, None)

    def fits(block: Block, record: Record) -> bool:
        if not min_turns <= record.turns <= max_turns or (results and record.result not in results):
            return False
        if keys and record.hit < 0:
            return False
        if not conditions:
            return True
        found, _ = _core.read_header(block.text, record.start, record.end)
        return all(test(found.get(name, "")) for name, test in conditions)

    def work(block: Block) -> tuple[int, list[str]]:
        records = [Record(*r) for r in _core.records(source.variants, block.text, keys)]
        return len(records), [_text(block, r) for r in records if fits(block, r) != invert]

    seen = kept = 0
    with _output(output) as put:
        for _, parts in source.each(work, threads):
            for _, (games, texts) in parts:
                seen, kept = seen + games, kept + len(texts)
                put("".join(texts))
    click.echo(f"{kept} of {seen} games", err=True)
    return int(not kept or source.damaged)


# convert ----------------------------------------------------------------------------------------


def _as_json(game: Game) -> str:
    value = {
        "game": "chess" if game.rules is None else game.rules.name,
        "tags": game.tags,
        "fen": game.fen,
        "result": game.result,
        "moves": game.sans(),
    }
    if game.problems:
        value["problems"] = [str(problem) for problem in game.problems]
    return json.dumps(value, ensure_ascii=False) + "\n"


class _Split:
    """Where the games go: one place, or files of so many games each."""

    def __init__(self, output: str, size: int | None, stack: ExitStack) -> None:
        self._output, self._size = output, size
        self._stack, self._inner = stack, ExitStack()
        stack.push(self._inner)
        self._count = self._files = 0
        self._put: Callable[[str], object] = lambda _text: None
        if size is None:
            self._put = stack.enter_context(_output(output))

    def write(self, text: str) -> None:
        """Writes one game."""
        if self._size is not None and self._count % self._size == 0:
            self._files += 1
            self._inner.close()
            self._put = self._inner.enter_context(_output(self._name()))
        self._count += 1
        self._put(text)

    def _name(self) -> str:
        path = Path(self._output)
        stem, _, endings = path.name.partition(".")
        return str(path.with_name(f"{stem}-{self._files:04}.{endings or 'pgn'}"))


@click.command("convert")
@click.option("--to", "form", type=click.Choice(["pgn", "jsonl"]), default="pgn", show_default=True)
@click.option(
    "--split", type=click.IntRange(1), metavar="N", help="Files of N games: out-0001.pgn."
)
@click.option("--renumber", is_flag=True, help="Number the games in the tag Round.")
@click.option("--no-comments", is_flag=True, help="Leave comments and marks out.")
@click.option("--no-variations", is_flag=True, help="Leave variations out.")
@_out_option
@game_option
@files_argument
def convert(
    files: tuple[str, ...],
    game: str | None,
    output: str,
    no_variations: bool,
    no_comments: bool,
    renumber: bool,
    split: int | None,
    form: str,
) -> int:
    """Write the games of FILEs anew: merged, split, numbered, or as JSON lines.

    What is written follows the standard, whatever was read: moves are numbered from the start
    position, lines are short. Games that cannot be read to their end are kept as far as they go.
    Exit status 1 if a file could not be read to its end.
    """
    if split is not None and output == "-":
        raise click.UsageError("--split needs a file: -o games.pgn")
    check_output(output, files)
    source = Files(files, game, None)
    count = 0
    with ExitStack() as stack:
        out = _Split(output, split, stack)
        for one in source.games():
            count += 1
            if renumber:
                one.tags["Round"] = str(count)
            if no_variations or no_comments:
                _strip(one, no_variations, no_comments)
            out.write(_as_json(one) if form == "jsonl" else pgn.dumps(one) + "\n")
    click.echo(f"{count} games", err=True)
    return int(source.damaged)


def _strip(game: Game, variations: bool, comments: bool) -> None:
    nodes = [game.root]
    while nodes:
        node = nodes.pop()
        if variations:
            del node.children[1:]
        if comments:
            node.comments, node.before, node.nags = [], [], []
        nodes += node.children


# annotate ---------------------------------------------------------------------------------------


@click.command("annotate")
@click.option("--depth", type=click.IntRange(1, 99), help="Depth of each search.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes of each search.")
@click.option("--time", "seconds", type=click.FloatRange(0.001), help="Seconds of each search.")
@click.option("--hash", "hash_mb", type=click.IntRange(1), default=64, show_default=True)
@click.option("--resume", is_flag=True, help="Go on behind the games that OUTPUT has already.")
@_out_option
@threads_option
@game_option
@files_argument
def annotate(
    files: tuple[str, ...],
    game: str | None,
    threads: int,
    output: str,
    resume: bool,
    hash_mb: int,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
) -> int:
    """Write the engine's evaluation beside every turn of the main lines, as [%eval …].

    An evaluation that a turn has already is replaced. Without a limit, depth 12. Exit status 1 if
    a file could not be read to its end.
    """
    check_output(output, files)
    if resume and (output == "-" or output.endswith((".gz", ".zst"))):
        raise click.UsageError("--resume needs a plain file: -o games.pgn")
    limit = Limit(seconds, depth, nodes)
    if not (seconds or depth or nodes):
        limit = Limit(depth=12)
    done = _written(Path(output)) if resume else 0
    source, count = Files(files, game, None), 0
    mode = _appending(output) if done else _output(output)
    with mode as put, Engine(threads=threads, hash_mb=hash_mb) as engine:
        for one in source.games():
            count += 1
            if count > done:
                _annotate(one, engine, limit)
                put(pgn.dumps(one) + "\n")
    click.echo(f"{count} games", err=True)
    return int(source.damaged)


def _written(path: Path) -> int:
    """How many whole games a file has; what an interruption left of another is cut off."""
    if not path.exists():
        return 0
    games = last = 0  # whole games, and where the last one begins
    tail = b""
    for block in blocks(path):
        at, tail = 0, block.text[-2:]
        while (found := _core.find(block.text, at, True))[0] == 0:
            _, start, _, at = found
            games, last = games + 1, block.offset + start
    if games and tail != b"\n\n":  # a game is whole with the empty line behind it
        games -= 1
        with path.open("r+b") as file:
            file.truncate(last)
    return games


@contextmanager
def _appending(path: str) -> Iterator[Callable[[str], object]]:
    with open(path, "a", encoding="utf-8", newline="") as file:
        yield file.write


def _annotate(game: Game, engine: Engine, limit: Limit) -> None:
    board: Any = game.board()
    for node in game.mainline():
        for move in node.moves:
            if int(move):
                board.push(move)
            else:
                board.push_null()
        node.eval = _evaluation(engine, board, limit)


def _evaluation(engine: Engine, board: Any, limit: Limit) -> Eval | None:
    """From the first side's view; nothing when the game is over."""
    if not len(board.legal_moves) or board.is_game_over():
        return None
    info = engine.play(board, limit).info
    if info is None:
        return None
    sign = -1 if side(board) else 1
    score = info.score
    if score.mate is not None:
        return Eval(None, sign * score.mate, info.depth)
    return Eval(sign * (score.cp or 0), None, info.depth)


# duplicates and openings ------------------------------------------------------------------------


@click.command("duplicates")
@click.option("--moves-only", is_flag=True, help="Whoever played them.")
@click.option("-o", "--output", help="Write every game once; without it, list the others.")
@as_json
@threads_option
@game_option
@files_argument
def duplicates(
    files: tuple[str, ...],
    game: str | None,
    threads: int,
    as_json: bool,
    output: str | None,
    moves_only: bool,
) -> int:
    """Find games that are there twice: same start, same moves, same players.

    Exit status 1 if there are any and they are only listed, or if a file could not be read to its
    end.
    """
    if output:
        check_output(output, files)
    source = Files(files, game, None)
    sides = ("White", "Black", "Red", "Blue")

    def work(block: Block) -> list[tuple[Record, int]]:
        out = []
        for raw in _core.records(source.variants, block.text, []):
            record = Record(*raw)
            names: tuple[str, ...] = ()
            if not moves_only:
                tags, _ = _core.read_header(block.text, record.start, record.end)
                names = tuple(tags.get(name, "").casefold() for name in sides)
            # What could not be read to its end is only the same if its text is.
            rest = block.text[record.moves : record.end].strip() if record.lost else b""
            out.append((record, hash((record.moves_hash, names, rest))))
        return out

    first: dict[int, tuple[str, int]] = {}
    again, listed = 0, []
    with _output(output) if output else ExitStack() as put:
        for name, parts in source.each(work, threads):
            number = 0
            for block, records in parts:
                for record, sign in records:
                    number += 1
                    if sign not in first:
                        first[sign] = name, number
                        if output:
                            put(_text(block, record))  # type: ignore[operator]
                        continue
                    again += 1
                    there, which = first[sign]
                    if as_json:
                        listed.append({"file": name, "game": number, "of": first[sign]})
                    elif not output:
                        click.echo(f"{name}: game {number} is game {which} of {there}")
    if as_json:
        print_json({"games": len(first), "duplicates": listed})
    click.echo(f"{len(first)} different games, {again} duplicates", err=True)
    return int((again and not output) or source.damaged)


@click.command("openings")
@click.option("--turns", type=click.IntRange(1, 100), default=4, show_default=True)
@click.option("--most", type=click.IntRange(1), default=20, show_default=True, help="Lines listed.")
@as_json
@threads_option
@game_option
@files_argument
def openings(
    files: tuple[str, ...], game: str | None, threads: int, as_json: bool, most: int, turns: int
) -> int:
    """Sum up how the games of FILEs begin, and how they ended.

    Games that begin from a position of their own are left out. Exit status 1 if a file could not be
    read to its end.
    """
    source = Files(files, game, None)
    totals = _core.Totals()
    for _, parts in source.each(lambda b: _core.scan(source.variants, b.text, turns), threads):
        for _, (part, _, _) in parts:
            totals.merge(part)
    rows = sorted(totals.openings.items(), key=lambda row: (-sum(row[1]), row[0]))[:most]
    if as_json:
        names = ("first", "second", "draws", "open")
        print_json(
            [
                {"moves": line, "games": sum(n), **dict(zip(names, n, strict=True))}
                for line, n in rows
            ]
        )
        return int(source.damaged)
    whole = sum(sum(n) for n in totals.openings.values())
    click.echo("  games      %   1-0   1/2   0-1  opening")
    for line, n in rows:
        games = sum(n)
        parts_of = "".join(f"{100 * part / games:5.0f}%" for part in (n[0], n[2], n[1]))
        click.echo(f"{games:7} {100 * games / whole:5.1f}%{parts_of}  {line}")
    return int(source.damaged)


TOOLS = (filter_games, convert, annotate, duplicates, openings)

"""A book of many games: minutes, MB on disk, MB in memory, and microseconds to look a position up.

    python bench/book.py [--games 1000000] [--game chess] [--threads 2] [--least 2] [--folder DIR]

The games are made first: of the legal moves in their order the first are played most, so that they
meet in the opening and part later, as games do. Their number, not their sense, is what a book has
to bear. `--folder` keeps them for another run. The book is built in a process of its own, as
`cotulenh book build` does it; lookups are of positions that games reached in their first turns, and
of positions after them, which the book has not.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from multiprocessing import Pool
from pathlib import Path

from cotulenh.book import Book
from cotulenh.games import new_board

PLIES = 60
RESULTS = ("1-0", "0-1", "1/2-1/2")


def game_text(game, dice, plies=PLIES):
    """A game as PGN, its moves in long notation, which readers take as well."""
    board, words = new_board(game), []
    while len(words) < plies:
        moves = list(board.legal_moves)
        if not moves:
            break
        move = moves[int(len(moves) * dice.random() ** 8)]
        words.append(str(move))
        board.push(move)
    variant = "" if game == "chess" else f'[Variant "{game}"]\n'
    return f'[Event "b"]\n{variant}\n{" ".join(words)} {dice.choice(RESULTS)}\n\n'


def part_of(work):
    game, seed, count = work
    dice = random.Random(seed)
    return "".join(game_text(game, dice) for _ in range(count))


def write_games(path, game, count, processes):
    """Writes games, the same for the same number, however many processes make them."""
    size = 1000
    parts = [(game, i, min(size, count - i)) for i in range(0, count, size)]
    with Pool(processes) as pool, open(path, "w", encoding="ascii") as file:
        for text in pool.imap(part_of, parts):
            file.write(text)


def build(pgn, book, options):
    """Builds a book; seconds by the clock and the most MB the process had."""
    command = [sys.executable, __file__, "--build", pgn, book, "--threads", str(options.threads)]
    command += ["--game", options.game, "--least", str(options.least)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    seconds, peak = out.split()
    return float(seconds), float(peak)


def build_here(options):
    began = time.perf_counter()
    pgn, path = options.build
    Book.build(pgn, path, game=options.game, least=options.least, threads=options.threads)
    seconds = time.perf_counter() - began
    status = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
    peak = next((line.split()[1] for line in status if line.startswith("VmHWM")), "0")
    print(seconds, int(peak) / 1024)


def boards_of(game, turns, count):
    """Positions after so many turns of games like those of the book."""
    boards = []
    for seed in range(count):
        dice, board = random.Random(1000 * seed), new_board(game)
        for _ in range(turns):
            moves = list(board.legal_moves)
            if moves:
                board.push(moves[int(len(moves) * dice.random() ** 8)])
        boards.append(board)
    return boards


def lookup(call, boards):
    """Microseconds of the best of five rounds, and the share of positions that are known."""
    best, known = float("inf"), 0
    for _ in range(5):
        began = time.perf_counter()
        known = sum(1 for board in boards if call(board))
        best = min(best, time.perf_counter() - began)
    return 1e6 * best / len(boards), known / len(boards)


def report(path, options, seconds, peak):
    began = time.perf_counter()
    book = Book(path)
    opened = time.perf_counter() - began
    print(f"{book.games} games of {book.game}, {len(book)} positions")
    print(
        f"built in {seconds / 60:.1f} minutes on {options.threads} threads, {peak:.0f} MB at most"
    )
    print(f"{os.path.getsize(path) / 1e6:.0f} MB on disk, opened and checked in {opened:.2f} s")
    for name, turns in (("turn 4", 4), ("turn 12", 12), ("turn 80", 80)):
        boards = boards_of(options.game, turns, 500)
        raw, share = lookup(lambda board: book._book.find(board.key), boards)
        moves, _ = lookup(book.moves, boards)
        print(
            f"{name}: {100 * share:3.0f} % known, {raw:.1f} µs in the file, "
            f"{moves:.1f} µs as legal moves of a board"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--game", default="chess")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--least", type=int, default=2)
    parser.add_argument("--folder", help="where games and book are kept; without it, nowhere")
    parser.add_argument("--build", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.build:
        build_here(options)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        pgn = folder / f"{options.game}-{options.games}.pgn"
        if not pgn.exists():
            write_games(pgn, options.game, options.games, options.threads)
        print(f"{pgn.stat().st_size / 1e6:.0f} MB of games")
        path = str(folder / f"{options.game}-{options.games}.book")
        report(path, options, *build(str(pgn), path, options))


if __name__ == "__main__":
    main()

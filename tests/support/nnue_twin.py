"""The networks of both games, written a second time, slowly, from the bytes of their files."""

import re
import struct

import numpy as np

KINDS = {"chess": "PNBRQK", "cotulenh": "NFTEHCIMAGS"}
INPUTS = {"chess": 768, "cotulenh": 2 * 2 * 22 * 144}
BUCKETS, ONE, UNIT, CENTIPAWNS = 8, 255, 64, 400


def stacks(fen):
    """(first side?, kind, heroic, carried, file, rank) of every piece of a FEN, both games."""
    rows = fen.split()[0].split("/")
    kinds = KINDS["chess" if len(rows) == 8 else "cotulenh"]
    for row, text in enumerate(rows):
        file = 0
        for number, inside, single in re.findall(r"(\d+)|\(([^)]*)\)|(\+?[a-zA-Z])", text):
            if number:
                file += int(number)
                continue
            for place, piece in enumerate(re.findall(r"\+?[a-zA-Z]", inside or single)):
                letter = piece[-1]
                kind = kinds.index(letter.upper())
                yield letter.isupper(), kind, "+" in piece, place > 0, file, len(rows) - 1 - row
            file += 1


def chess_inputs(fen, first):
    board = list(stacks(fen))
    king = next(file for owner, kind, *_, file, _ in board if owner == first and kind == 5)
    for owner, kind, _, _, file, rank in board:
        square = (rank if first else 7 - rank) * 8 + (file if king < 4 else 7 - file)
        yield (owner != first) * 384 + kind * 64 + square


def cotulenh_inputs(fen, first):
    for owner, kind, heroic, carried, file, rank in stacks(fen):
        code = 2 * kind + (not heroic)
        point = (rank if first else 11 - rank) * 12 + file
        yield (((owner != first) * 2 + carried) * 22 + code) * 144 + point


def inputs(fen):
    """What the side to move sees, and what the other side sees."""
    seen = chess_inputs if fen.count("/") == 7 else cotulenh_inputs
    mover = fen.split()[1] in "wr"
    return sorted(seen(fen, mover)), sorted(seen(fen, not mover))


def bucket(fen):
    pieces = len(list(stacks(fen)))
    return min((pieces - 1) // (4 if fen.count("/") == 7 else 5), BUCKETS - 1)


def layers(raw):
    count, hidden = struct.unpack("<II", raw[32:40])
    numbers = np.frombuffer(raw[64:], "<i2").astype(int)
    sizes = np.cumsum([count * hidden, hidden, BUCKETS * 2 * hidden])
    first, bias, last, offset = np.split(numbers, sizes)
    return first.reshape(count, hidden), bias, last.reshape(BUCKETS, 2 * hidden), offset


def says(raw, fen):
    """What the network says of a position, for the side to move."""
    first, bias, last, offset = layers(raw)
    layer = np.concatenate([bias + first[rows].sum(0) for rows in inputs(fen)])
    layer = np.clip(layer, 0, ONE)
    total = int((layer * layer * last[bucket(fen)]).sum())
    total = int(total / ONE) + int(offset[bucket(fen)])  # towards zero, as in C++
    return max(-20000, min(20000, int(total * CENTIPAWNS / (ONE * UNIT))))

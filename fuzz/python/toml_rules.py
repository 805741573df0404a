"""Rule files: any text is a rule set that can be played, or refused with file and reason."""

import tempfile
from pathlib import Path

import _atheris
import atheris

with atheris.instrument_imports(include=["cotulenh"]):
    from cotulenh import Board, Rules
    from cotulenh.rules import RulesError, check

PATH = Path(tempfile.mkdtemp(prefix="fuzz-rules-")) / "own.toml"


def target(data: bytes) -> None:
    # Half of them change a shipped rule set: others seldom come as far as a board.
    extends = b'extends = "official"\nname = "own"\n' if data[:1] > b"\x60" else b""
    PATH.write_bytes(extends + data[1:])
    try:
        rules = Rules.load(PATH)
    except RulesError as error:
        assert error.problems, "a refusal without a problem"
        assert ".toml" in str(error), str(error)
        assert "\n" not in str(error.problems[0]), str(error)
        assert check(PATH), "refused, but nothing is wrong"
        return
    board = Board(rules=rules)
    for _ in range(4):
        moves = board.legal_moves
        if not moves or board.is_game_over():
            break
        assert board.parse_lan(board.lan(moves[0])) == moves[0]
        board.push(moves[len(data) % len(moves)])
    assert Board(board.fen(), rules=rules).fen() == board.fen()


_atheris.run(target)

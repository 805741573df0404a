"""Both games behind one interface: names, boards, texts, and what every board can do."""

import subprocess
import sys
from pathlib import Path

import pytest

import cotulenh
from cotulenh import Board, Rules, RulesError, chess, games

ARMOURED = Path(__file__).parents[1] / "examples" / "armoured.toml"


@pytest.fixture
def own_rules():
    """A rule set of one's own on the list of games, for one test."""
    name = games.add(ARMOURED)
    yield name
    games._added.clear()


def played(name):
    """A board after three moves."""
    board = games.new_board(name)
    for _ in range(3):
        board.push(next(iter(board.legal_moves)))
    return board


def test_the_list_of_games():
    assert games.names() == ["official", "online", "blueprint", "chess"]
    assert set(Rules.names()) < set(games.names())


def test_the_interface_has_a_name_at_the_front_door():
    assert cotulenh.BoardLike is games.BoardLike
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = cotulenh.Nothing


def test_a_board_of_either_game_is_what_the_interface_says(tmp_path):
    """The type checker is asked, both ways: a board is one, a text is none."""
    program = tmp_path / "program.py"
    program.write_text(
        "from cotulenh import Board, BoardLike, Move, chess\n"
        "ctl: BoardLike[Move] = Board()\n"
        "other: BoardLike[chess.Move] = chess.Board()\n"
        "wrong: BoardLike[Move] = chess.Board()\n"
        "text: BoardLike[Move] = 'a text'\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", program]
    root = Path(__file__).parents[1]
    found = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False).stdout
    errors = {line.split(":")[1] for line in found.splitlines() if ": error:" in line}
    assert errors == {"4", "5"}, found


@pytest.mark.parametrize("name", games.names())
def test_a_board_remembers_how_it_came_about(name):
    board = played(name)
    assert board.move_stack[-1] == board.peek()
    assert len(board.move_stack) == board.ply == 3
    assert board.root() == games.new_board(name) == games.start_of(board)
    assert board.root().move_stack == []
    assert board.ply == 3
    with pytest.raises(IndexError):
        board.root().peek()


@pytest.mark.parametrize("name", games.names())
def test_a_line_of_moves_as_text(name):
    board = played(name)
    for form, play in (("san", games.play_text), ("protocol", games.push_text)):
        again = games.new_board(name)
        texts = games.line_text(board.root(), board.move_stack, form)
        assert len(texts) == 3
        for text in texts:
            play(again, text)
        assert again == board
    assert games.line_text(board, board.move_stack) == []  # nothing of it can be played now


@pytest.mark.parametrize("name", games.names())
def test_a_board_knows_the_name_of_its_game(name):
    assert games.name_of(played(name)) == name


def test_a_rule_set_given_by_its_path():
    board = games.new_board(ARMOURED)
    assert board.rules.title.startswith("Armoured")
    assert Path(games.name_of(board)) == ARMOURED
    assert games.new_board(games.name_of(board), board.fen()) == board


def test_a_rule_set_put_on_the_list(own_rules):
    assert own_rules == "armoured"
    assert games.names()[-1] == "armoured"
    assert games.add(ARMOURED) == "armoured"
    assert games.name_of(games.new_board("armoured")) == "armoured"
    assert games.check_name("armoured") == "armoured"


def test_a_rule_set_cannot_take_the_name_of_another(own_rules, tmp_path):
    path = tmp_path / "mine.toml"
    for name in ("chess", own_rules):
        path.write_text(f'extends = "official"\nname = "{name}"\ntitle = "Mine"\n')
        assert games.add(path) == str(path)
        assert games.new_board(path).rules.title == "Mine"
    assert games.new_board(own_rules).rules.title.startswith("Armoured")
    assert isinstance(games.new_board("chess"), chess.Board)


def test_a_game_that_is_not_there():
    for ask in (games.new_board, games.check_name, games.add):
        with pytest.raises(RulesError, match="expected a rule set"):
            ask("draughts")


def test_sides_and_results():
    assert [games.side_name(Board(), n) for n in (0, 1)] == ["Red", "Blue"]
    assert games.side_name(chess.Board()) == "White"
    assert games.side(played("official")) == 1
    mate = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert games.result(mate) == "1/2-1/2"
    assert games.end_text(games.end(mate)) == "stalemate"


def test_rows_as_in_a_fen():
    board = Board()

    def sign(file, rank):
        stack = board.stack_at(cotulenh.Square.at(file, rank))
        return None if stack is None else str(stack)

    assert games.placement(11, 12, sign) == board.fen().split()[0]


@pytest.mark.parametrize("given", ["Mg6", None, 5])
@pytest.mark.parametrize("name", ["push", "push_unchecked", "is_legal", "san", "as_text"])
@pytest.mark.parametrize("board", [Board(), chess.Board()])
def test_what_is_no_move_is_named(board, name, given):
    own = "uci" if isinstance(board, chess.Board) else "lan"
    with pytest.raises(TypeError, match=f"^expected a Move, got {given!r}"):
        getattr(board, own if name == "as_text" else name)(given)

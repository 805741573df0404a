import pytest

from cotulenh import games
from cotulenh.cli import main


@pytest.fixture
def cli(capsys):
    """Runs a command line; returns exit status, standard output, standard error."""

    def run(*args):
        with pytest.raises(SystemExit) as stopped:
            main(list(args))
        captured = capsys.readouterr()
        return stopped.value.code, captured.out, captured.err

    return run


@pytest.fixture(autouse=True)
def _no_games_left_behind():
    """A verb may put a rule set on the list of games; the next test starts without it."""
    yield
    games._added.clear()


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path_factory, monkeypatch):
    """Games that are left and lines that were typed are kept in the user's data directory."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))


@pytest.fixture
def file(tmp_path):
    """Writes a file of this content; returns its path as text."""

    def make(text, name="games.pgn"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return make

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

import pytest

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

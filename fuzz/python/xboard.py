"""XBoard: any lines."""

import _atheris
import atheris
from _session import session

with atheris.instrument_imports(include=["cotulenh.protocols"]):
    from cotulenh.protocols.xboard import Xboard


def target(data: bytes) -> None:
    said = session(Xboard, ["xboard", "protover 2", "st 0.01", "sd 2"], data)
    assert any(line.startswith("feature") for line in said)


_atheris.run(target)

"""UCI: any lines. Every search ends in exactly one bestmove."""

import _atheris
import atheris
from _session import session

with atheris.instrument_imports(include=["cotulenh.protocols"]):
    from cotulenh.protocols.uci import Uci

GAMES = ("chess", "official", "online", "blueprint")


def target(data: bytes) -> None:
    game = GAMES[data[0] % len(GAMES)] if data else "chess"

    def uci(send, **settings):
        return Uci(send, game=game, **settings)

    said = session(uci, ["uci", "isready"], data[1:])
    assert said.count("uciok") >= 1
    assert said.count("readyok") >= 1


_atheris.run(target)

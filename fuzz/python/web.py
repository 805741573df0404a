"""The web application: any body at any address of the API, any messages over the socket."""

import _atheris
import atheris

with atheris.instrument_imports(include=["cotulenh.web", "cotulenh.games"]):
    from cotulenh.web.rest import ENDPOINTS

server = _atheris.Server()
ASKS = sorted((e.method, e.path) for e in ENDPOINTS)


def target(data: bytes) -> None:
    if not data:
        return
    if data[0] < 0xA0:
        method, path = ASKS[data[0] % len(ASKS)]
        status, body = server.ask(method, path.replace("{id}", "x" * 12), data[1:])
        assert status < 500, (method, path, status, body)
        assert b'"internal"' not in body, (path, body)
    else:
        heard = server.say(_atheris.text_of(data[1:]).split("\n")[:8])
        assert not any('"internal"' in line for line in heard), heard


_atheris.run(target)

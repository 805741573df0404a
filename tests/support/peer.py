"""The other end of a protocol, in this process: what the engine said, and waiting for a line."""

import threading


class Peer:
    def __init__(self, protocol, *args):
        self.lines, self._new = [], threading.Condition()
        self.engine = protocol(self._receive, *args)

    def _receive(self, line):
        with self._new:
            self.lines.append(line)
            self._new.notify_all()

    def __call__(self, *commands):
        """What is answered at once."""
        before = len(self.lines)
        for command in commands:
            assert self.engine.handle(command)
        return self.lines[before:]

    def until(self, word, seconds=60):
        """The last line that begins so, as soon as there is one."""

        def found():
            return next((line for line in reversed(self.lines) if line.startswith(word)), None)

        with self._new:
            assert self._new.wait_for(found, seconds), self.lines[-5:]
            return found()

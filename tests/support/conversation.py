"""A conversation with a protocol in this process: what was said, and waiting for a line."""

import threading


class Talk:
    def __init__(self, protocol, *args):
        self.lines, self._new = [], threading.Condition()
        self.other = protocol(self._hear, *args)

    def _hear(self, line):
        with self._new:
            self.lines.append(line)
            self._new.notify_all()

    def __call__(self, *commands):
        """What is said at once."""
        before = len(self.lines)
        for command in commands:
            assert self.other.handle(command)
        return self.lines[before:]

    def until(self, word, seconds=60):
        """The last line that begins so, as soon as there is one."""

        def found():
            return next((line for line in reversed(self.lines) if line.startswith(word)), None)

        with self._new:
            assert self._new.wait_for(found, seconds), self.lines[-5:]
            return found()

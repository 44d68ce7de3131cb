"""The log: each record is one line, and logging never blocks."""

from __future__ import annotations

import atexit
import io
import logging
import os
import sys
from threading import Condition, Thread

_MAX_UNREAD_CHARACTERS = 1 << 18
_FLUSH_SECONDS = 0.5
_STANDARD_ERROR = 2


def printable(text: str) -> str:
    """Return the text with escaped control characters, line ends and lone surrogates."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape", "surrogatepass").decode("ascii") for each in text
    )


class LineFormatter(logging.Formatter):
    """Formats each record on one line, whatever its content; the lines of a traceback are indented."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        record.message = printable(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: object) -> str:  # noqa: N802
        text = super().formatException(ei)  # type: ignore[arg-type]
        return "\n".join("  " + printable(line) for line in text.split("\n"))


class Stderr(io.TextIOBase):
    """Standard error that the client may never read: lines that do not fit are dropped and counted.

    A separate thread writes; logging only waits for a lock.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._changed = Condition()
        self._waiting: list[bytes] = []
        self._size = 0
        self._dropped = 0
        self._thread: Thread | None = None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, text: str) -> int:
        with self._changed:
            if self._size + len(text) > _MAX_UNREAD_CHARACTERS:
                self._dropped += 1
                return len(text)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="stderr", daemon=True)
                self._thread.start()
            self._waiting.append(text.encode("utf-8", "backslashreplace"))
            self._size += len(text)
            self._changed.notify_all()
        return len(text)

    def finish(self) -> None:
        """Wait briefly until everything is written."""
        with self._changed:
            self._changed.wait_for(lambda: not self._size, _FLUSH_SECONDS)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._dropped)
                data, self._waiting = b"".join(self._waiting), []
                if self._dropped:
                    data += b"(%d lines of the log were dropped because they were not read)\n" % self._dropped
                    self._dropped = 0
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._descriptor, view) :]
            except BlockingIOError:
                # a process that shares the descriptor made it non-blocking, and it is full
                pass
            except OSError:
                return
            with self._changed:
                self._size = sum(map(len, self._waiting))
                self._changed.notify_all()


def start_log(level: str, file: str | None) -> None:
    """Send the log to a file, or to standard error. Raises `OSError` if the file cannot be written."""
    if sys.stderr is None:
        # closed by the parent: the next opened file must not become standard error
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, _STANDARD_ERROR)
    sys.stderr = stderr = Stderr(_STANDARD_ERROR)
    atexit.register(stderr.finish)
    handler = (
        logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
        if file
        else logging.StreamHandler(stderr)
    )
    handler.setFormatter(LineFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])

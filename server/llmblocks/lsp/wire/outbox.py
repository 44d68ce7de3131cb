"""Bytes for readers that may never read them, and the log: each record is one line, and logging never blocks."""

from __future__ import annotations

import atexit
import io
import logging
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread, get_ident
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

_T = TypeVar("_T")
_PAUSE_SECONDS = 0.01
_MAX_UNREAD_BYTES = 1 << 18
_FLUSH_SECONDS = 0.5
_STANDARD_ERROR = 2


class Outbox:
    """Writes in a thread, so that `write` never blocks. May be used from any thread.

    Args:
        write: Waits until bytes are written.
        on_error: Called in the thread after an `OSError`; from then on, everything is dropped.
    """

    def __init__(self, write: Callable[[bytes], object], on_error: Callable[[], None] = lambda: None) -> None:
        self.unread = 0
        """The number of waiting bytes."""
        self._write = write
        self._on_error = on_error
        self._lock = Lock()
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Send bytes. Never raises."""
        self._count(len(data))
        self._waiting.put(data)

    def close(self, seconds: float = 1.0) -> None:
        """Wait until everything is written, as long as somebody reads: who may pause for `seconds`."""
        self._waiting.put(None)
        left = self.unread + 1
        while self._thread.is_alive() and self.unread < left:
            left = self.unread
            self._thread.join(seconds)

    def _count(self, size: int) -> None:
        with self._lock:
            self.unread += size

    def _run(self) -> None:
        is_over = False
        while (data := self._waiting.get()) is not None:
            if not is_over:
                try:
                    self._write(data)
                except OSError:
                    is_over = True
                    self._on_error()
            self._count(-len(data))


class PolledOutbox:
    """Writes as much as the reader of a pipe or socket takes at once, and the rest later. May be used from any thread.

    Args:
        loop: The loop of this thread.
        descriptor: Of the pipe or socket.
        write: Writes a part of the bytes, and returns its length, or raises `BlockingIOError`.
        on_error: Called after another `OSError`; from then on, everything is dropped.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        descriptor: int,
        write: Callable[[bytearray], int],
        on_error: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._write = write
        self._on_error = on_error
        self._thread = get_ident()
        self._waiting = bytearray()
        self._is_polling = self._is_over = False

    @property
    def unread(self) -> int:
        """The number of waiting bytes."""
        return len(self._waiting)

    def write(self, data: bytes) -> None:
        """Send bytes. Never raises."""
        if get_ident() != self._thread:
            # the loop may have ended
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.write, data)
        elif not self._is_over:
            self._waiting += data
            if not self._is_polling:
                self._flush()

    def _flush(self) -> None:
        try:
            del self._waiting[: self._write(self._waiting)]
        except BlockingIOError:
            pass
        except OSError:
            self._is_over = True
            self._waiting.clear()
            self._on_error()
        if self._is_polling != bool(self._waiting):
            self._is_polling = not self._is_polling
            if self._is_polling:
                self._loop.add_writer(self._descriptor, self._flush)
            else:
                self._loop.remove_writer(self._descriptor)


def write_all(write: Callable[[Any], int], data: bytes) -> None:
    """Write bytes by a function that returns how many it has written."""
    view = memoryview(data)
    while view:
        view = view[retried(partial(write, view)) :]


def retried(call: Callable[[], _T]) -> _T:
    """Read or write, even if another process shares the descriptor and made it non-blocking."""
    while True:
        try:
            return call()
        except BlockingIOError:
            time.sleep(_PAUSE_SECONDS)


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
    """Standard error that the client may never read: texts that do not fit are dropped and counted."""

    def __init__(self, descriptor: int) -> None:
        self._outbox = Outbox(partial(write_all, partial(os.write, descriptor)))
        self._dropped = 0

    def write(self, text: str) -> int:
        if self._outbox.unread + len(text) > _MAX_UNREAD_BYTES:
            self._dropped += 1
            return len(text)
        if self._dropped:
            self._outbox.write(b"(%d lines of the log were dropped because they were not read)\n" % self._dropped)
            self._dropped = 0
        self._outbox.write(text.encode("utf-8", "backslashreplace"))
        return len(text)

    def finish(self) -> None:
        """Wait briefly until everything is written."""
        self._outbox.close(_FLUSH_SECONDS)


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

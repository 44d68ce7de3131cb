"""Bytes for readers that may never read them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Condition, Thread
from typing import TypeVar

_T = TypeVar("_T")
_CHUNK = 1 << 18
_PAUSE_SECONDS = 0.01
_WAIT_SECONDS, _MOST_WAITS = 0.0002, 10


class Outbox:
    """Writes in a thread, so that `write` never blocks. May be used from any thread.

    Args:
        write: Waits until bytes are written. After an `OSError`, everything is dropped.
        close: Called in the thread once everything is written.
        on_end: Called in the thread after an error.
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        close: Callable[[], None] = lambda: None,
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        self.unread = 0
        """The number of waiting bytes."""
        self._write = write
        self._close = close
        self._on_end = on_end
        self._changed = Condition()
        self._waiting: deque[bytes] = deque()
        self._is_over = self._is_closing = False
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Send bytes. Never raises."""
        with self._changed:
            if not self._is_over:
                self._waiting.append(data)
                self.unread += len(data)
                self._changed.notify()

    def catch_up(self) -> None:
        """Wait briefly for the thread: on a busy machine, it waits for this one."""
        for _ in range(_MOST_WAITS):
            if not self.unread:
                return
            time.sleep(_WAIT_SECONDS)

    def close(self, seconds: float = 1.0) -> None:
        """Wait until everything is written, as long as somebody reads: who may pause for `seconds`."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        left = self.unread + 1
        while self._thread.is_alive() and self.unread < left:
            left = self.unread
            self._thread.join(seconds)

    def _run(self) -> None:
        try:
            while (data := self._next()) is not None:
                self._write(data)
                with self._changed:
                    self.unread -= len(data)
            self._close()
        except OSError:
            with self._changed:
                self._is_over = True
                self._waiting.clear()
                self.unread = 0
            self._on_end()

    def _next(self) -> bytes | None:
        with self._changed:
            while not self._waiting:
                if self._is_closing:
                    return None
                self._changed.wait()
            return self._waiting.popleft()


def write_all(write: Callable[[memoryview], int], data: bytes) -> None:
    """Write bytes by a function that returns how many it has written."""
    view = memoryview(data)
    while view:
        view = view[retried(partial(write, view[:_CHUNK])) :]


def retried(call: Callable[[], _T]) -> _T:
    """Read or write, even if another process shares the descriptor and made it non-blocking."""
    while True:
        try:
            return call()
        except BlockingIOError:
            time.sleep(_PAUSE_SECONDS)

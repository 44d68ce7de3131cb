"""Bytes for readers that may never read them."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TypeVar

_T = TypeVar("_T")
_PAUSE_SECONDS = 0.01


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


def write_all(write: Callable[[memoryview], int], data: bytes) -> None:
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

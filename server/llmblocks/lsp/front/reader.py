"""The thread that reads messages, and pygls's loop that takes them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Thread

from llmblocks.lsp.front.connections import Connection

logger = logging.getLogger(__name__)
_PAUSE_SECONDS = 0.01
_WAIT_SECONDS, _MOST_WAITS = 0.0002, 10


class Reader:
    """The reader of `pygls.io_.run_async`: a thread reads ahead, with one hop for a message instead of pygls's three.

    `size` is that of the last returned message. The thread pauses while `is_full(unread bytes)`, and calls `on_end`
    once the client has closed its end.
    """

    def __init__(self, connection: Connection, is_full: Callable[[int], bool], on_end: Callable[[], None]) -> None:
        self.size = 0
        self._connection = connection
        self._is_full = is_full
        self._on_end = on_end
        self._bodies: deque[bytes] = deque()
        self._unread = 0
        self._is_header = self._has_ended = False
        self._arrived = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        Thread(target=self._run, name="reader", daemon=True).start()

    @property
    def has_more(self) -> bool:
        """Whether there is a message to return."""
        return bool(self._bodies)

    def catch_up(self) -> None:
        """Wait briefly for the thread if data has arrived: on a busy machine, it waits for this one."""
        for _ in range(_MOST_WAITS):
            if self._bodies or not self._connection.is_readable():
                return
            time.sleep(_WAIT_SECONDS)

    def take(self) -> bytes:
        """Return the next waiting message."""
        body = self._bodies.popleft()
        self._unread -= len(body)
        self.size = len(body)
        # pygls loses a message without content, which is not JSON anyway
        return body or b" "

    async def readline(self) -> bytes:
        """Return both lines of a header; nothing at the end."""
        self._is_header = not self._is_header
        if not self._is_header:
            return b"\r\n"
        while not self._bodies:
            if self._has_ended:
                return b""
            self._arrived.clear()
            await self._arrived.wait()
        # `readexactly` returns a whole message, of any length
        return b"Content-Length: 1\r\n"

    async def readexactly(self, n: int) -> bytes:
        """Return the message after its header."""
        return self.take()

    def _run(self) -> None:
        try:
            while (bodies := self._connection.read()) is not None:
                for body in bodies:
                    self._unread += len(body)
                    self._bodies.append(body)
                self._tell()
                while self._is_full(self._unread):
                    time.sleep(_PAUSE_SECONDS)
        except OSError as error:
            logger.warning("cannot read from the client: %s", error)
        self._has_ended = True
        self._tell()
        self._on_end()

    def _tell(self) -> None:
        # the loop may have ended
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._arrived.set)

"""A connection to one client, and the thread that reads it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from threading import Thread
from typing import NamedTuple

from llmblocks.lsp.wire.limits import MAX_WAITING_BYTES

logger = logging.getLogger(__name__)
_PAUSE_SECONDS = 0.01
_WAIT_SECONDS, _MOST_WAITS = 0.0002, 10


class Transport(NamedTuple):
    """A connection to one client. Errors are `OSError`."""

    read: Callable[[], list[bytes] | None]
    """Waits for messages, and returns None at the end."""
    write: Callable[[bytes], None]
    """Waits until a message is written."""
    close: Callable[[], None]
    """Closes the connection politely."""
    is_framed: bool = True
    """Whether messages are written with a header."""
    is_readable: Callable[[], bool] = lambda: False
    """Whether unread data has arrived."""
    writes: int | None = None
    """The descriptor of the output; None if its end is also the end of the input."""


class Reader:
    """The reader of `pygls.io_.run_async`: a thread reads ahead, with one hop for a message instead of pygls's three.

    `size` is that of the last returned message; `waiting` returns that of all returned ones that still wait. `on_end`
    is called in the thread once the client has closed its end.
    """

    def __init__(self, transport: Transport, waiting: Callable[[], int], on_end: Callable[[], None]) -> None:
        self.size = 0
        self._transport = transport
        self._waiting = waiting
        self._on_end = on_end
        self._bodies: deque[bytes] = deque()
        self._unread = 0
        self._given: bytes | None = None
        self._ended = False
        self._arrived = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        Thread(target=self._run, name="reader", daemon=True).start()

    @property
    def has_more(self) -> bool:
        """Whether there is a message to return."""
        return bool(self._bodies)

    def catch_up(self) -> None:
        """Wait briefly for the reading thread if data has arrived: on a busy machine, it waits for this one."""
        for _ in range(_MOST_WAITS):
            if self._bodies or not self._transport.is_readable():
                return
            time.sleep(_WAIT_SECONDS)

    def take(self) -> bytes | None:
        """Return the next waiting message, if there is one."""
        if not self._bodies:
            return None
        body = self._bodies.popleft()
        self._unread -= len(body)
        self.size = len(body)
        # pygls loses a message without content, which is not JSON anyway
        return body or b" "

    async def readline(self) -> bytes:
        """Return both lines of a header; nothing at the end."""
        if self._given is not None:
            return b"\r\n"
        while (body := self.take()) is None:
            if self._ended:
                return b""
            self._arrived.clear()
            await self._arrived.wait()
        self._given = body
        return b"Content-Length: %d\r\n" % len(body)

    async def readexactly(self, n: int) -> bytes:
        """Return the message after its header."""
        body, self._given = self._given or b"", None
        return body

    def _run(self) -> None:
        while (bodies := self._next()) is not None:
            for body in bodies:
                self._unread += len(body)
                self._bodies.append(body)
            if bodies:
                self._tell()
            while self._unread + self._waiting() > MAX_WAITING_BYTES:
                time.sleep(_PAUSE_SECONDS)
        self._ended = True
        self._tell()
        self._on_end()

    def _next(self) -> list[bytes] | None:
        try:
            return self._transport.read()
        except OSError as error:
            logger.warning("cannot read from the client: %s", error)
            return None

    def _tell(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._arrived.set)
        except RuntimeError:
            logger.debug("the server has ended while a message came")

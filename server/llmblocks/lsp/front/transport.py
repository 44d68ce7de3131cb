"""The bytes of one client, read and written by threads: pygls blocks its event loop when a client does not read."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from threading import Condition, Thread
from typing import NamedTuple

from llmblocks.lsp.wire.limits import MAX_UNREAD_BYTES, MAX_WAITING_BYTES

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

    `size` is that of the last returned message; `is_full` if enough messages are waiting. `on_end` is called in the
    thread once the client has closed its end.
    """

    def __init__(self, transport: Transport, is_full: Callable[[], bool], on_end: Callable[[], None]) -> None:
        self.size = 0
        self._transport = transport
        self._is_full = is_full
        self._on_end = on_end
        self._bodies: deque[bytes] = deque()
        self._unread = 0
        self._given: bytes | None = None
        self._ended = False
        self._arrived = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        Thread(target=self._run, name="reader", daemon=True).start()

    @property
    def waiting(self) -> bool:
        """Whether messages are waiting."""
        return bool(self._bodies)

    def catch_up(self) -> None:
        """Wait briefly for the reading thread if data has arrived: on a busy machine, it waits for this one."""
        for _ in range(_MOST_WAITS):
            if self._bodies or not self._transport.is_readable():
                return
            time.sleep(_WAIT_SECONDS)

    def take(self) -> bytes | None:
        """Return the next waiting message, if there is one."""
        if not self._bodies or self._is_full():
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
            if self._bodies:
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
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
            while self._unread > MAX_WAITING_BYTES:
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


class TransportOutput:
    """The writer of pygls, which never blocks.

    May be called from any thread. `on_closed` is called in the thread once nobody reads any more.
    """

    def __init__(self, transport: Transport, on_closed: Callable[[], None]) -> None:
        self._transport = transport
        self._on_closed = on_closed
        self._changed = Condition()
        self._waiting: deque[bytes] = deque()
        self._unread = 0
        self._is_over = self._is_closing = False
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    @property
    def is_full(self) -> bool:
        """Whether too much is unread."""
        return self._unread > MAX_UNREAD_BYTES

    def write(self, data: bytes) -> None:
        """Send a message. Never raises; after the client's end, messages are dropped."""
        with self._changed:
            if not self._is_over:
                self._waiting.append(data)
                self._unread += len(data)
                self._changed.notify()

    def catch_up(self) -> None:
        """Wait a little for the thread to write: see `Reader.catch_up`."""
        for _ in range(_MOST_WAITS):
            if not self._unread:
                return
            time.sleep(_WAIT_SECONDS)

    def close(self, seconds: float = 1.0) -> None:
        """Wait until everything is written, as long as the client reads: it may pause for `seconds`."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        left = self._unread + 1
        while self._thread.is_alive() and self._unread < left:
            left = self._unread
            self._thread.join(seconds)

    def _run(self) -> None:
        try:
            while (data := self._next()) is not None:
                self._transport.write(data)
                with self._changed:
                    self._unread -= len(data)
            self._transport.close()
        except OSError:
            with self._changed:
                self._is_over = True
                self._waiting.clear()
                self._unread = 0
            self._on_closed()

    def _next(self) -> bytes | None:
        with self._changed:
            while not self._waiting:
                if self._is_closing:
                    return None
                self._changed.wait()
            return self._waiting.popleft()

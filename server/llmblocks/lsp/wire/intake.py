"""The reader of a channel's messages."""

from __future__ import annotations

import logging
import math
import os
import select
import time
from collections.abc import Callable
from threading import Lock, Thread

from llmblocks.lsp.wire.channel import Channel
from llmblocks.lsp.wire.framing import Framing, Lost
from llmblocks.lsp.wire.inbox import END, Arrival, Inbox
from llmblocks.lsp.wire.rpc import PARSE_ERROR, RequestError, TooDeepError, decode

logger = logging.getLogger(__name__)


class Intake:
    """Reads messages into the inbox, in the thread that serves them.

    A keystroke then wakes one thread and no second one, which on a busy machine is the difference between a tenth of a
    millisecond and a time slice. What comes while a message is served is read before the next one is.

    Shape: `woken` is the descriptor that `wake` makes ready; `ended` says that the client has closed its end.
    """

    def __init__(self, channel: Channel, framing: Framing, inbox: Inbox) -> None:
        self._channel = channel
        self._framing = framing
        self._inbox = inbox
        self.ended = False
        # the watch reads too, once the client has closed its end
        self._reading = Lock()
        self.woken, self._waker = os.pipe()
        self._both, self._input = select.poll(), select.poll()
        self._both.register(self.woken, select.POLLIN)
        for poller in (self._both, self._input):
            poller.register(channel.reads, select.POLLIN)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is something in the inbox; returns whether there is, or the time is over."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._inbox.waiting():
            left = None if until is None else math.ceil((until - time.monotonic()) * 1000)
            if left is not None and left <= 0:
                return False
            self._take(left)
        return True

    def take(self) -> None:
        """Take the messages that have arrived, and note calls of `wake`."""
        self._take(0)

    def look(self) -> None:
        """Read the bytes that have arrived."""
        if not self.ended and not self._inbox.full and self._input.poll(0):
            self._read()

    def drain(self) -> None:
        """Read the rest, after the client has closed its end. May be called from any thread."""
        while not self.ended:
            self._read()

    def wake(self) -> None:
        """Make `wait` look at the inbox again. May be called from any thread."""
        os.write(self._waker, b"x")

    def _take(self, timeout: int | None) -> None:
        ready = dict(self._both.poll(timeout))
        if self.woken in ready:
            os.read(self.woken, 64)
        if self._channel.reads in ready and not self._inbox.full:
            self._read()

    def _read(self) -> None:
        with self._reading:
            if self.ended:
                return
            try:
                data = _next(self._channel)
            except BlockingIOError:
                # another process shares the descriptor, made it non-blocking, and read the bytes
                return
            for body in self._framing.feed(data):
                self._inbox.put(arrival(body))
            if not data or self._framing.ended:
                self.ended = True
                self._both.unregister(self._channel.reads)
                end_input(self._framing, self._inbox)


def read_into(
    channel: Channel, framing: Framing, inbox: Inbox, on_arrival: Callable[[], None], on_end: Callable[[], None]
) -> None:
    """Start a thread that reads into the inbox, for systems whose pipes cannot be asked whether they are ready.

    Shape: both functions are called from the thread: `on_arrival` after something was put into the inbox, `on_end`
           after the end was.
    """

    def read() -> None:
        while not framing.ended and (data := _next(channel)):
            while inbox.full:
                time.sleep(0.01)
            for body in framing.feed(data):
                inbox.put(arrival(body))
            on_arrival()
        end_input(framing, inbox)
        on_arrival()
        on_end()

    Thread(target=read, name="reader", daemon=True).start()


def _next(channel: Channel) -> bytes:
    """The next bytes; none at the end, or if the connection is broken. Errors: `BlockingIOError`."""
    try:
        return channel.read()
    except BlockingIOError:
        raise
    except OSError as error:
        logger.warning("cannot read from the client: %s", error)
        return b""


def end_input(framing: Framing, inbox: Inbox) -> None:
    """The client has closed its end."""
    if framing.unfinished:
        logger.warning("the input ended inside a message, %d bytes of it had come", framing.unfinished)
    inbox.put(END)


def arrival(body: bytes | Lost) -> Arrival:
    """The inbox item for the bytes of a message, or for invalid bytes."""
    if isinstance(body, Lost):
        return Arrival(None, 0, PARSE_ERROR, f"{body.reason}; skipped to the next header, lost {body.sample!r}")
    try:
        return Arrival(decode(body), len(body))
    except TooDeepError as error:
        return Arrival(None, len(body), error.code, error.message, error.message_id)
    except RequestError as error:
        return Arrival(None, len(body), error.code, error.message)

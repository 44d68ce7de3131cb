"""Where messages come in from a descriptor."""

from __future__ import annotations

import logging
import os
import select
import sys
import time
from collections.abc import Callable
from threading import Thread

from llmblocks.lsp.wire.framing import Framer, Lost
from llmblocks.lsp.wire.inbox import END, Arrival, Inbox
from llmblocks.lsp.wire.rpc import PARSE_ERROR, RequestError, decode

logger = logging.getLogger(__name__)
_CHUNK = 1 << 20


class Intake:
    """Reads messages into the inbox, in the thread that serves them.

    A keystroke then wakes one thread and no second one, which on a busy machine is the difference between a tenth of a
    millisecond and a time slice. What comes while a message is served is read before the next one is.
    """

    def __init__(self, descriptor: int, inbox: Inbox) -> None:
        self._descriptor = descriptor
        self._inbox = inbox
        self._framer = Framer()
        self._ended = False
        self._woken, self._waker = os.pipe()
        self._both, self._input = select.poll(), select.poll()
        self._both.register(self._woken, select.POLLIN)
        for poller in (self._both, self._input):
            poller.register(descriptor, select.POLLIN)
        _enlarge(descriptor)

    def wait(self) -> None:
        """Wait until there is something in the inbox."""
        while not self._inbox.waiting():
            ready = dict(self._both.poll())
            if self._woken in ready:
                os.read(self._woken, 64)
            if self._descriptor in ready:
                self._read()

    def look(self) -> None:
        """Take what has come already."""
        if not self._ended and not self._inbox.full and self._input.poll(0):
            self._read()

    def wake(self) -> None:
        """Make `wait` look at the inbox again. May be called from any thread."""
        os.write(self._waker, b"x")

    def _read(self) -> None:
        try:
            data = _next(self._descriptor)
        except BlockingIOError:
            # somebody who shares the descriptor made it non-blocking, and took what was there
            return
        for body in self._framer.feed(data):
            self._inbox.put(arrival(body))
        if not data:
            self._ended = True
            self._both.unregister(self._descriptor)
            end_input(self._framer, self._inbox)


def read_into(descriptor: int, inbox: Inbox, on_end: Callable[[], None]) -> None:
    """Start a thread that reads into the inbox, for systems whose pipes cannot be asked whether they are ready.

    Shape: `on_end` is called from the thread, after the end was put into the inbox.
    """

    def read() -> None:
        framer = Framer()
        while data := _next(descriptor):
            while inbox.full:
                time.sleep(0.01)
            for body in framer.feed(data):
                inbox.put(arrival(body))
        end_input(framer, inbox)
        on_end()

    Thread(target=read, name="reader", daemon=True).start()


def _next(descriptor: int) -> bytes:
    """What has come; nothing at the end, and where the pipe is broken. Errors: `BlockingIOError`."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        raise
    except OSError as error:
        logger.warning("cannot read from the client: %s", error)
        return b""


def end_input(framer: Framer, inbox: Inbox) -> None:
    """The client has closed its end."""
    if framer.unfinished:
        logger.warning("the input ended inside a message, %d bytes of it had come", framer.unfinished)
    inbox.put(END)


def arrival(body: bytes | Lost) -> Arrival:
    """What the bytes of one message, or of none, are to the inbox."""
    if isinstance(body, Lost):
        return Arrival(None, 0, PARSE_ERROR, f"{body.reason}; skipped to the next header, lost {body.sample!r}")
    try:
        return Arrival(decode(body), len(body))
    except RequestError as error:
        return Arrival(None, len(body), error.code, error.message)


def _enlarge(descriptor: int) -> None:
    """Let the client's pipe hold a large document, so that it is sent without waiting."""
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _CHUNK)
        except OSError:
            logger.debug("the pipe from the client keeps its size")

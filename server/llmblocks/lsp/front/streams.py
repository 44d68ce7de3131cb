"""Standard input and output, and sockets, as transports."""

from __future__ import annotations

import io
import logging
import os
import select
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from llmblocks.core.system import POSIX
from llmblocks.lsp.front.framing import Framer, LostBytes
from llmblocks.lsp.front.transport import Transport
from llmblocks.lsp.wire.outbox import retried, write_all

logger = logging.getLogger(__name__)
_CHUNK = 1 << 18
LOST = b"(lost)"
"""Stands for bytes that are not a message; it is answered as invalid JSON."""


def take_stdio() -> Transport:
    """Reserve standard input and output for the protocol; other output goes to the log or to stderr.

    Raises:
        OSError: One of them is closed.
    """
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None:
            raise OSError(f"standard {name} is closed: start the server with both pipes open")
    sys.stdout.flush()
    reads, writes = os.dup(sys.stdin.fileno()), os.dup(sys.stdout.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = _Printed()
    made = _stream(
        lambda: os.read(reads, _CHUNK), lambda data: os.write(writes, data), lambda: os.close(writes), writes
    )
    return made._replace(is_readable=partial(_is_readable, reads)) if POSIX else made


def _is_readable(descriptor: int) -> bool:
    found = select.poll()
    found.register(descriptor, select.POLLIN)
    return bool(found.poll(0))


def of_socket(connection: socket.socket, first: bytes) -> Transport:
    """Return a TCP connection whose first bytes were read. Never raises."""
    connection.settimeout(None)
    came = [first]

    def close() -> None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_WR)

    return _stream(lambda: came.pop() if came else connection.recv(_CHUNK), connection.send, close)


def _stream(
    read: Callable[[], bytes], write: Callable[[memoryview], int], close: Callable[[], None], writes: int | None = None
) -> Transport:
    framer = Framer()

    def bodies() -> list[bytes] | None:
        data = retried(read)
        if not data:
            if framer.unfinished:
                logger.warning("the input ended inside a message, %d bytes of it had come", framer.unfinished)
            return None
        found = framer.feed(data)
        for each in found:
            if isinstance(each, LostBytes):
                logger.warning("unreadable input: %s; skipped to the next header, lost %r", each.reason, each.sample)
        return [LOST if isinstance(each, LostBytes) else each for each in found]

    return Transport(bodies, partial(write_all, write), close, writes=writes)


class _Printed(io.TextIOBase):
    """The replacement of `sys.stdout`: each printed line becomes a line of the log."""

    def __init__(self) -> None:
        self._line = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            logger.warning("printed to standard output: %s", line)
        return len(text)

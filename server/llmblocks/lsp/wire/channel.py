"""Both directions of a connection to one client: a pair of descriptors, or a socket."""

from __future__ import annotations

import logging
import os
import socket
import stat
from collections.abc import Callable
from typing import Protocol

from llmblocks.core.system import LINUX, POSIX

logger = logging.getLogger(__name__)
CHUNK = 1 << 20
_SMALL = 1 << 15
WriteNow = Callable[[bytes], int]


class Channel(Protocol):
    """Bytes to and from one client.

    Shape: `reads` and `writes` are the descriptors to poll; `write_now` takes what fits and raises `BlockingIOError`
           where nothing does, None where the system has no such write.
    """

    reads: int
    writes: int
    write_now: WriteNow | None

    def read(self) -> bytes:
        """Wait for bytes; returns none at the end. Errors: `OSError`."""

    def write(self, data: memoryview) -> int:
        """Wait until some of the bytes are written. Errors: `OSError`."""


class Descriptors:
    """A channel over two file descriptors, such as standard input and output."""

    def __init__(self, reads: int, writes: int) -> None:
        self.reads = reads
        self.writes = writes
        self.write_now = _immediate(writes)
        self._size = _SMALL
        _enlarge(reads)

    def read(self) -> bytes:
        # for a large buffer the system maps fresh memory each time, which costs a keystroke more than to read it
        data = os.read(self.reads, self._size)
        self._size = CHUNK if len(data) == self._size else _SMALL
        return data

    def write(self, data: memoryview) -> int:
        return os.write(self.writes, data)


class SocketChannel:
    """A channel over a connected socket."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(None)
        self._socket = connection
        self.reads = self.writes = connection.fileno()
        self.write_now = _immediate_socket(connection)

    def read(self) -> bytes:
        return self._socket.recv(CHUNK)

    def write(self, data: memoryview) -> int:
        return self._socket.send(data)


def _immediate(descriptor: int) -> WriteNow | None:
    """A write that never blocks and takes as much as fits, for descriptors that support it.

    The descriptor itself must not be made non-blocking: its description may be shared with other processes.
    """
    if not POSIX:
        return None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISSOCK(mode):
        return _immediate_socket(socket.socket(fileno=os.dup(descriptor)))
    if stat.S_ISFIFO(mode) and LINUX:
        try:
            # opening it anew gives a description of our own
            own = os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return None
        _enlarge(own)
        return lambda data: os.write(own, data)
    return None


def _immediate_socket(connection: socket.socket) -> WriteNow | None:
    if not POSIX:
        return None
    return lambda data: connection.send(data, socket.MSG_DONTWAIT)


def _enlarge(descriptor: int) -> None:
    """Enlarge a pipe of the client, so that a large document is sent without waiting."""
    if LINUX:
        import fcntl

        try:
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, CHUNK)
        except OSError:
            logger.debug("a pipe of the client keeps its size")

"""The first client on standard input and output, on a TCP port or on a WebSocket."""

from __future__ import annotations

import logging
import os
import re
import select
import socket
import stat
import sys
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.core.system import LINUX, POSIX

if TYPE_CHECKING:
    from websockets.http11 import Request, Response
    from websockets.sync.server import ServerConnection

logger = logging.getLogger(__name__)
_MAX_MESSAGE_BYTES, _MAX_HEADER_BYTES = 999_999_999, 1 << 14
_CHUNK = 1 << 18
_PIPE_BYTES = 1 << 20
"""As large as the answer for a long document: with 64 KB, each part waits until the client has read the one before."""
_LOOK_SECONDS, _SILENT_SECONDS = 1.0, 10.0
_UNDECIDED = re.compile(rb"[A-Z]{0,16}( )?")
_HTTP = re.compile(rb"[A-Z]{3,16} [/*h]")
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_HEADER = re.compile(rb"content-length[ \t]*:[ \t]*0*(\d{1,9})[ \t]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n", re.IGNORECASE)
_BLANK_LINE = re.compile(rb"[^\r\n]\r?\n\r?\n")
_LOOPBACK = re.compile(r"https?://(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?", re.IGNORECASE)
_ORIGIN = re.compile(r"null|[a-z][\w+.-]*://(\[[0-9a-f:.]+\]|[\w.-]+)(:\d+)?", re.IGNORECASE)


class Connection(NamedTuple):
    """A connection to one client. Errors are `OSError`."""

    read: Callable[[], list[bytes] | None]
    """Returns the next messages, or None at the end."""
    write: Callable[[Any], int]
    """Writes a part of the bytes, and returns its length."""
    close: Callable[[], None] = lambda: None
    """Closes the connection politely."""
    is_framed: bool = True
    """Whether messages are written with a header."""
    is_parent: bool = False
    """Whether the process that it names runs on this machine."""
    reads: int | None = None
    """The descriptor to poll: `read` never waits, but raises `BlockingIOError`; None if it waits."""
    writes: int | None = None
    """The same for `write`."""


class Framer:
    """Splits a stream into messages, however carelessly it is framed: pygls loses the stream.

    Header names in any case, missing or extra spaces, bare newlines, other headers and stray lines before a header are
    accepted. Bytes without a usable header are skipped up to the next one, and become one empty message.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._is_lost = False

    @property
    def unfinished(self) -> int:
        """The number of bytes held of an incomplete message."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[bytes]:
        """Read bytes, and return the complete messages. Never raises."""
        self._buffer += data
        found: list[bytes] = []
        while True:
            if self._length is None:
                header = _HEADER.search(self._buffer)
                if header is None:
                    break
                start, end = header.span()
                self._length = int(header[1])
                self._skip(start)
                self._take(end - start)
                if self._is_lost:
                    found.append(b"")
                self._is_lost = False
            if len(self._buffer) < self._length:
                return found
            found.append(self._take(self._length))
            self._length = None
        if len(self._buffer) > _MAX_HEADER_BYTES:
            self._skip(len(self._buffer) - _MAX_HEADER_BYTES // 2)
        return found

    def _skip(self, size: int) -> None:
        skipped = self._take(size)
        if not self._is_lost and (size > _MAX_HEADER_BYTES // 2 or _BLANK_LINE.search(skipped)):
            logger.warning("input that is not a message is skipped: %r", skipped[:80])
            self._is_lost = True

    def _take(self, size: int) -> bytes:
        taken = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return taken


def read_origin(text: str) -> str:
    """Return an origin as browsers write it.

    Raises:
        ValueError: It is invalid.
    """
    origin = text.rstrip("/")
    if _ORIGIN.fullmatch(origin) is None:
        raise ValueError(f"invalid origin {text}: write scheme://host or scheme://host:port")
    return origin


def standard_connection() -> Connection:
    """Reserve standard input and output for the protocol; printed text goes to standard error.

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
    sys.stdout = sys.stderr
    return _polled(
        _framed(partial(os.read, reads, _CHUNK), partial(os.write, writes))._replace(is_parent=True), reads, writes
    )


def _polled(connection: Connection, reads: int, writes: int) -> Connection:
    """Return a connection that is polled where pipes and sockets can be."""
    if POSIX and all(_can_poll(os.fstat(each).st_mode) for each in (reads, writes)):
        for each in (reads, writes):
            os.set_blocking(each, False)
        if LINUX:
            from fcntl import F_SETPIPE_SZ, fcntl

            # not of a socket
            with suppress(OSError):
                fcntl(writes, F_SETPIPE_SZ, _PIPE_BYTES)
        return connection._replace(reads=reads, writes=writes)
    return connection


def _can_poll(mode: int) -> bool:
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def is_hung_up(descriptor: int) -> bool:
    """Return whether the other end of a polled connection writes no more."""
    found = select.poll()
    found.register(descriptor, getattr(select, "POLLRDHUP", 0))
    return bool(found.poll(0))


def has_more(descriptor: int) -> bool:
    """Return whether data has arrived on a polled connection."""
    import fcntl
    import termios

    count = array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0] > 0


def tcp_connection(host: str, port: int) -> Connection:
    """Return the first client that speaks the protocol: pygls serves all, the last in place of others (#219).

    Raises:
        OSError: The port cannot be used.
    """
    refused: list[socket.socket] = []
    with _listener("tcp", host, port) as listener:
        # an interrupt just before the wait is handled after it
        listener.settimeout(_LOOK_SECONDS)
        while True:
            with suppress(OSError):
                client, _ = listener.accept()
                client.settimeout(_SILENT_SECONDS)
                first = b""
                while _UNDECIDED.fullmatch(first) and (data := client.recv(_CHUNK)):
                    first += data
                if not _UNDECIDED.fullmatch(first) and not _HTTP.match(first):
                    client.settimeout(None)
                    return _of_socket(client, first)
                # a web page
                client.sendall(_BAD_REQUEST if first else b"")
                client.shutdown(socket.SHUT_WR)
                refused.append(client)


def _listener(scheme: str, host: str, port: int) -> socket.socket:
    addresses = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    # IPv4, if a name has addresses of both kinds
    family, _, _, _, address = min(addresses, key=lambda each: each[0])
    listener = socket.create_server((address[0], port), family=family)
    if sys.stderr is not None:
        sys.stderr.write(f"llmblocks server: listening on {scheme}://{host}:{listener.getsockname()[1]}\n")
    return listener


def _of_socket(connection: socket.socket, first: bytes) -> Connection:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    came = [first]
    client = _framed(
        lambda: came.pop() if came else connection.recv(_CHUNK),
        connection.send,
        partial(connection.shutdown, socket.SHUT_WR),
    )
    return _polled(client, connection.fileno(), connection.fileno())


def _framed(
    read: Callable[[], bytes], write: Callable[[Any], int], close: Callable[[], None] = lambda: None
) -> Connection:
    framer = Framer()

    def bodies() -> list[bytes] | None:
        data = read()
        if not data and framer.unfinished:
            logger.warning("the input ended inside a message, %d bytes of it had come", framer.unfinished)
        return framer.feed(data) if data else None

    return Connection(bodies, write, close)


def web_connection(host: str, port: int, origins: Sequence[str]) -> Connection:
    """Return the first client whose page may connect: pygls accepts every page, and no message of more than 1 MB.

    Browsers always send the origin of a page with a WebSocket; other programs send none.

    Raises:
        OSError: The port cannot be used.
        ValueError: An origin is invalid.
    """
    from websockets.sync.server import serve

    quiet = logging.getLogger(f"{__name__}.protocol")
    quiet.setLevel(logging.CRITICAL)
    clients: SimpleQueue[Connection] = SimpleQueue()
    place = Lock()

    def check(connection: ServerConnection, request: Request) -> Response | None:
        is_served = place.locked()
        return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "a client is being served\n") if is_served else None

    def handle(connection: ServerConnection) -> None:
        if place.acquire(blocking=False):
            closed = Event()
            clients.put(_of_web_socket(connection, closed))
            closed.wait()

    server = serve(
        handle,
        sock=_listener("ws", host, port),
        origins=[None, _LOOPBACK, *(re.compile(re.escape(read_origin(each)), re.IGNORECASE) for each in origins)],
        process_request=check,
        max_size=_MAX_MESSAGE_BYTES,
        compression=None,
        ping_interval=None,
        close_timeout=1,
        logger=quiet,
    )
    Thread(target=server.serve_forever, name="listener", daemon=True).start()
    while True:
        # an interrupt just before the wait is handled after it
        with suppress(Empty):
            return clients.get(timeout=_LOOK_SECONDS)


def _of_web_socket(connection: ServerConnection, closed: Event) -> Connection:
    """Return a client that gets messages as text, which a browser receives as a string: pygls sends bytes."""
    from websockets.exceptions import ConnectionClosed
    from websockets.protocol import State

    def read() -> list[bytes] | None:
        try:
            return [connection.recv(_LOOK_SECONDS, decode=False)]
        except TimeoutError:
            # after an invalid frame, the library waits for the client to close
            if connection.protocol.state is State.OPEN:
                return []
        except ConnectionClosed as error:
            logger.info("the WebSocket was closed: %s", error)
        closed.set()
        return None

    def write(data: memoryview) -> int:
        try:
            connection.send(bytes(data).decode("utf-8"))
            return len(data)
        except ConnectionClosed as error:
            raise OSError(str(error)) from None

    return Connection(read, write, connection.close, is_framed=False)

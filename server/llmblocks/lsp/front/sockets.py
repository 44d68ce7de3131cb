"""The first client of a TCP port or of a WebSocket. pygls accepts all, and the last replaces the others (#219)."""

from __future__ import annotations

import logging
import re
import select
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from llmblocks.lsp.front.origin import AllowedOrigins
from llmblocks.lsp.front.streams import of_socket
from llmblocks.lsp.front.transport import Transport
from llmblocks.lsp.wire.limits import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from websockets.http11 import Request, Response
    from websockets.sync.server import ServerConnection

logger = logging.getLogger(__name__)
_quiet = logging.getLogger(f"{__name__}.protocol")
_quiet.setLevel(logging.CRITICAL)
_GREETED_AT_ONCE = 16
_PAUSE_SECONDS = 0.1
_LOOK_SECONDS = 1.0
_CHUNK = 1 << 16
_UNDECIDED = re.compile(rb"[A-Z]{0,16}( )?")
_HTTP = re.compile(rb"[A-Z]{3,16} [/*h]")
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


def listen(host: str, port: int) -> Sequence[socket.socket]:
    """Return a socket for each address of a host.

    Raises:
        OSError: None of them can be bound.
    """
    found: list[socket.socket] = []
    refused: OSError | None = None
    for family, _, _, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
        # a name with two addresses gets the same port on both
        chosen = found[0].getsockname()[1] if found else port
        try:
            found.append(socket.create_server((address[0], chosen), family=family))
        except OSError as error:
            refused = error
    if not found:
        raise refused or OSError(f"{host} has no address")
    return found


def tcp_client(sockets: Sequence[socket.socket]) -> Transport:
    """Return the first client that speaks the protocol, ignoring silent ones. Nobody else can connect afterwards."""
    came: dict[socket.socket, bytes] = {}
    while True:
        # an interrupt just before the wait is handled after it
        for each in select.select([*sockets, *came], [], [], _LOOK_SECONDS)[0]:
            try:
                if each not in came:
                    connection, _ = each.accept()
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    came[connection] = b""
                    if len(came) > _GREETED_AT_ONCE:
                        _close(came, next(iter(came)))
                    continue
                data = each.recv(_CHUNK)
            except OSError as error:
                # a client has left again, or the descriptors are exhausted for the moment
                logger.warning("a connection broke before it was of use: %s", error)
                time.sleep(_PAUSE_SECONDS)
                data = b""
            if each in sockets:
                continue
            came[each] += data
            if not data:
                _close(came, each)
            elif _HTTP.match(came[each]):
                logger.warning("an HTTP request was refused: this is a language server")
                with suppress(OSError):
                    each.sendall(_BAD_REQUEST)
                _close(came, each)
            elif not _UNDECIDED.fullmatch(came[each]):
                first = came.pop(each)
                for other in (*sockets, *came):
                    other.close()
                return of_socket(each, first)


def _close(came: dict[socket.socket, bytes], connection: socket.socket) -> None:
    """Close a connection so that the last bytes sent arrive: unread ones would make it a reset."""
    del came[connection]
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        # others wait
        connection.settimeout(0.1)
        for _ in range(4):
            if not connection.recv(_CHUNK):
                break
    connection.close()


def web_client(sockets: Sequence[socket.socket], allowed: AllowedOrigins) -> Transport:
    """Return the first client whose page may connect: pygls accepts every page on the web."""
    from websockets.sync.server import serve

    clients: SimpleQueue[Transport] = SimpleQueue()
    place = Lock()

    def check(connection: ServerConnection, request: Request) -> Response | None:
        refusal = allowed.refusal(request.headers.get_all("Origin"), request.headers.get_all("Host"))
        if refusal is not None:
            logger.warning("a connection was refused: %s", refusal)
            return connection.respond(HTTPStatus.FORBIDDEN, refusal + "\n")
        if place.locked():
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "a client is being served already\n")
        return None

    def handle(connection: ServerConnection) -> None:
        if place.acquire(blocking=False):
            closed = Event()
            clients.put(_of_web_socket(connection, closed))
            closed.wait()

    options: Any = {
        "max_size": MAX_MESSAGE_BYTES,
        "compression": None,
        "ping_interval": None,
        "close_timeout": 1,
        "logger": _quiet,
    }
    for each in sockets:
        server = serve(handle, sock=each, process_request=check, **options)
        Thread(target=server.serve_forever, name="listener", daemon=True).start()
    return clients.get()


def _of_web_socket(connection: ServerConnection, closed: Event) -> Transport:
    """Return a transport that sends messages as text, which a browser receives as a string: pygls sends bytes."""
    from websockets.exceptions import ConnectionClosed, ConnectionClosedOK
    from websockets.protocol import State

    def read() -> list[bytes] | None:
        try:
            return [connection.recv(_LOOK_SECONDS, decode=False)]
        except TimeoutError:
            if connection.protocol.state is State.OPEN:
                return []
            # after an invalid frame, the library waits for the client to close
            logger.warning("the WebSocket was closed: %s", connection.protocol.parser_exc)
        except ConnectionClosed as error:
            if not isinstance(error, ConnectionClosedOK):
                logger.warning("the WebSocket was closed: %s", error)
        closed.set()
        return None

    def write(data: bytes) -> None:
        try:
            connection.send(data.decode("utf-8"))
        except ConnectionClosed as error:
            raise OSError(str(error)) from None

    return Transport(read, write, connection.close, is_framed=False)

"""The server on a TCP port, bare or as a WebSocket. Its client is the first connection that speaks the protocol."""

from __future__ import annotations

import logging
import re
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from typing import NamedTuple

from llmblocks.lsp.connection import Connection, Serve
from llmblocks.lsp.session.session import Session
from llmblocks.lsp.wire.channel import CHUNK, SocketChannel
from llmblocks.lsp.wire.framing import Framer, Framing
from llmblocks.lsp.wire.origin import BAD_REQUEST, AllowedOrigins

logger = logging.getLogger(__name__)
_GREETED_AT_ONCE = 16
_SILENCE_SECONDS = 30.0
_PAUSE_SECONDS = 0.1
_UNDECIDED = re.compile(rb"[A-Z]{0,16}( )?")
_HTTP = re.compile(rb"[A-Z]{3,16} [/*h]")


class Address(NamedTuple):
    """The address to listen on.

    Shape: `scheme` is "tcp" or "ws"; `origins` are the web pages that may connect besides those of this machine.
    """

    scheme: str
    host: str
    port: int
    origins: tuple[str, ...] = ()


class AcceptedClient(NamedTuple):
    """The accepted client, and its first bytes."""

    channel: SocketChannel
    framing: Framing
    first: bytes


class Listener:
    """Listens on a port and accepts one client. It refuses every other, earlier or later.

    Errors: `OSError` for an address that cannot be bound; `ValueError` for an invalid origin.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._allowed = AllowedOrigins(address.host, address.origins)
        self._clients: SimpleQueue[AcceptedClient] = SimpleQueue()
        self._greeting = Semaphore(_GREETED_AT_ONCE)
        self._choosing = Lock()
        self._taken = False
        self._sockets = _listen(address.host, address.port)
        self.port = self._sockets[0].getsockname()[1]

    def client(self) -> AcceptedClient:
        """Wait for the client."""
        for listening in self._sockets:
            Thread(target=self._accept, args=(listening,), name="listener", daemon=True).start()
        return self._clients.get()

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError as error:
                # the client has left again, or there are no descriptors left for the moment
                logger.warning("cannot accept a connection: %s", error)
                time.sleep(_PAUSE_SECONDS)
                continue
            if self._greeting.acquire(blocking=False):
                Thread(target=self._greet, args=(connection,), name="greeter", daemon=True).start()
            else:
                connection.close()

    def _greet(self, connection: socket.socket) -> None:
        client = None
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client = self._greeted(connection)
        except OSError as error:
            logger.info("a connection broke before it was of use: %s", error)
        finally:
            self._greeting.release()
            if client is None:
                _close(connection)

    def _greeted(self, connection: socket.socket) -> AcceptedClient | None:
        if self._address.scheme == "ws":
            from llmblocks.lsp.wire.websocket import greet

            # the second of two at the same moment is let in here and closed below
            framing: Framing | None = greet(connection, self._allowed, self._taken)
            first = b""
        else:
            first = _first_bytes(connection) if not self._taken else b""
            framing = Framer() if first else None
        if framing is None:
            return None
        with self._choosing:
            if self._taken:
                return None
            self._taken = True
        client = AcceptedClient(SocketChannel(connection), framing, first)
        self._clients.put(client)
        return client


def serve_port(
    session: Session, listener: Listener, process: int | None = None, serve: Serve = Connection.serve
) -> int:
    """Serve the first client that speaks the protocol. Returns the exit status."""
    return serve(connect(session, listener.client(), process))


def connect(session: Session, client: AcceptedClient, process: int | None = None) -> Connection:
    """Begin to serve a client."""
    connection = Connection(session, client.channel, client.framing)
    connection.start(process, client.first)
    return connection


def _listen(host: str, port: int) -> Sequence[socket.socket]:
    """A socket for each address of the host. Errors: `OSError` if none of them can be bound."""
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


def _first_bytes(connection: socket.socket) -> bytes:
    """The first bytes of a client; none if it leaves, is silent, or is a browser sent here by a page."""
    connection.settimeout(_SILENCE_SECONDS)
    first = b""
    while _UNDECIDED.fullmatch(first):
        data = connection.recv(CHUNK)
        if not data:
            return b""
        first += data
    if _HTTP.match(first):
        logger.warning("an HTTP request was refused: this is a language server")
        connection.sendall(BAD_REQUEST)
        return b""
    return first


def _close(connection: socket.socket) -> None:
    """Close a connection so that the last bytes sent arrive: unread ones would make it a reset."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(1.0)
        for _ in range(8):
            if not connection.recv(CHUNK):
                break
    connection.close()

"""WebSocket messages. The only module that needs the package websockets."""

from __future__ import annotations

import logging
import socket
import time
from http import HTTPStatus

from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from llmblocks.lsp.wire.channel import CHUNK
from llmblocks.lsp.wire.framing import Answer, Lost
from llmblocks.lsp.wire.limits import MAX_MESSAGE_BYTES
from llmblocks.lsp.wire.origin import BAD_REQUEST, AllowedOrigins

logger = logging.getLogger(__name__)
_quiet = logging.getLogger(f"{__name__}.protocol")
_quiet.setLevel(logging.CRITICAL)
_HANDSHAKE_SECONDS = 10.0
_NORMAL_CLOSURE = 1000


class WebSocketFraming:
    """The messages of a WebSocket that is open. Text and binary messages are the same here."""

    def __init__(self, protocol: ServerProtocol) -> None:
        self._protocol = protocol
        self._parts: list[bytes] = []
        self.answer: Answer = lambda *_: None

    @property
    def ended(self) -> bool:
        return self._protocol.state is not State.OPEN

    @property
    def unfinished(self) -> int:
        return sum(map(len, self._parts))

    def feed(self, data: bytes) -> list[bytes | Lost]:
        """Take the bytes that came, give the messages that are complete. Errors: none."""
        protocol, found = self._protocol, []
        if data:
            protocol.receive_data(data)
        else:
            protocol.receive_eof()
        for event in protocol.events_received():
            if isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self._parts.append(bytes(event.data))
                if event.fin:
                    found.append(b"".join(self._parts))
                    self._parts.clear()
        for owed in protocol.data_to_send():
            if owed:
                # pongs and the like: a client that does not read them is owed the newest alone
                self.answer(owed, self)
        if protocol.parser_exc is not None:
            logger.warning("the WebSocket was closed: %s", protocol.parser_exc)
        return list[bytes | Lost](found)

    @staticmethod
    def frame(body: bytes) -> bytes:
        """The message as text: a browser takes it as a string. All of it is ASCII."""
        return Frame(Opcode.TEXT, body).serialize(mask=False)

    @staticmethod
    def farewell() -> bytes:
        """A normal closure."""
        return Frame(Opcode.CLOSE, _NORMAL_CLOSURE.to_bytes(2, "big")).serialize(mask=False)


def greet(connection: socket.socket, allowed: AllowedOrigins, taken: bool) -> WebSocketFraming | None:
    """Answer the handshake of a client; None if it is refused.

    Errors: `OSError` if the connection breaks or takes too long.
    """
    protocol = ServerProtocol(max_size=MAX_MESSAGE_BYTES, logger=_quiet)
    until = time.monotonic() + _HANDSHAKE_SECONDS
    request = None
    while request is None and protocol.handshake_exc is None:
        connection.settimeout(max(0.001, until - time.monotonic()))
        data = connection.recv(CHUNK)
        if not data:
            return None
        protocol.receive_data(data)
        request = next((event for event in protocol.events_received() if isinstance(event, Request)), None)
    if request is None:
        logger.warning("a connection was refused: it did not begin with a WebSocket's handshake")
        connection.sendall(BAD_REQUEST)
        return None
    headers = request.headers
    refusal = allowed.refusal(headers.get_all("Origin"), headers.get_all("Host"))
    if refusal is not None:
        logger.warning("a connection was refused: %s", refusal)
        response = protocol.reject(HTTPStatus.FORBIDDEN, refusal + "\n")
    elif taken:
        response = protocol.reject(HTTPStatus.SERVICE_UNAVAILABLE, "a client is being served already\n")
    else:
        response = protocol.accept(request)
    protocol.send_response(response)
    connection.sendall(b"".join(protocol.data_to_send()))
    return WebSocketFraming(protocol) if protocol.state is State.OPEN else None

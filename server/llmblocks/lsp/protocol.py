"""pygls, with documents, dispatch and standard input and output of our own."""

from __future__ import annotations

import asyncio
import logging
import select
from collections.abc import Callable
from typing import Any, BinaryIO

from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from llmblocks import __version__
from llmblocks.lsp.session.session import Session
from llmblocks.lsp.wire import rpc
from llmblocks.lsp.wire.inbox import Arrival
from llmblocks.lsp.wire.outbox import Outbox
from llmblocks.lsp.wire.process import Channel, Watch, end_after, take_stdio
from llmblocks.lsp.wire.transport import Intake, read_into

logger = logging.getLogger(__name__)
_INPUT_GRACE_SECONDS = 1.0
_OUTPUT_GRACE_SECONDS = 1.0


class Protocol(LanguageServerProtocol):
    """Hands every message to the session as the plain object it came as.

    pygls's own TCP and WebSocket loops call `structure_message` and `handle_message`; standard input does not come by
    here.
    """

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self.session = Session(self.send_bytes, server.version)
        self._scheduled = False
        self._sending: set[asyncio.Future[None]] = set()

    def structure_message(self, data: Any) -> Any:
        """Leave messages as they are: building typed objects costs more than serving them."""
        return data

    def handle_message(self, message: Any) -> None:
        """Take a message from pygls's loop; it is served once the loop has nothing more to hand over."""
        if isinstance(message, dict):
            arrival = Arrival(message, 0)
        else:
            arrival = Arrival(None, 0, rpc.INVALID_REQUEST, "a message must be an object")
        self.take(arrival)

    def take(self, arrival: Arrival) -> None:
        """Put what came into the session's turn."""
        self.session.inbox.put(arrival)
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._serve_waiting)

    def set_writer(self, writer: Any, include_headers: bool = True) -> None:
        """pygls has a connection, and says where to write. Errors: `ConnectionRefusedError` for a second one."""
        if self.writer is not None:
            # pygls would send it what the first client asked for, and end with it
            raise ConnectionRefusedError("a client is being served already, a second one is not")
        super().set_writer(writer, include_headers)
        connection = asyncio.current_task()
        if connection is not None:
            connection.add_done_callback(_end_with)

    def send_bytes(self, body: bytes, key: object = None) -> None:
        """Send one message through pygls's writer."""
        if self.writer is None:
            return
        # a browser takes text frames; ours are ASCII
        framed = b"Content-Length: %d\r\n\r\n%b" % (len(body), body) if self._include_headers else body.decode("ascii")
        sent: Any = self.writer.write(framed)  # type: ignore[arg-type]
        if sent is not None:
            task = asyncio.ensure_future(sent)
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    def _serve_waiting(self) -> None:
        self._scheduled = False
        self.session.serve_waiting()
        if self.session.exit_code is not None:
            # as pygls itself ends: out of the loop, whatever else runs in it
            raise SystemExit(self.session.exit_code)


def _end_with(connection: asyncio.Task[Any]) -> None:
    """A connection that was reset, or cut inside a message, ends its task and nothing else: pygls would listen on."""
    if not connection.cancelled() and connection.exception() is not None:
        raise SystemExit(1)


class Server(LanguageServer):
    """The language server."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("llmblocks", __version__, protocol_cls=Protocol)

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve standard input until the client is gone or says exit.

        Errors: `SystemExit` with the exit status at the end.
        """
        channel = Channel(stdin.fileno(), stdout.fileno()) if stdin and stdout else take_stdio()
        raise SystemExit(serve_stdio(self.protocol.session, channel))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What pygls's own loops could not read is answered, not shown to the user."""
        if isinstance(error, ValueError | RecursionError):
            self.protocol.take(Arrival(None, 0, rpc.PARSE_ERROR, f"the message is not JSON in UTF-8: {error}"))
        else:
            self.protocol.session.dispatcher.faults.report("a message", None, error)


def serve_stdio(session: Session, channel: Channel) -> int:
    """Serve one client on two descriptors; gives the exit status."""
    gone: Callable[[str], None] = session.abandon
    outbox = Outbox(channel.write, lambda: gone("the client no longer reads"))
    session.send = outbox.put
    session.watch = Watch(channel, gone)
    if hasattr(select, "poll"):
        session.intake = Intake(channel.read, session.inbox)
    else:
        read_into(channel.read, session.inbox, lambda: end_after(_INPUT_GRACE_SECONDS))
    session.watch.start()
    status = session.serve_until_exit()
    outbox.finish(_OUTPUT_GRACE_SECONDS)
    return status

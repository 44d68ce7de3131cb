"""The language server as a pygls `LanguageServer`, for others to extend. docs/extending.md shows how."""

from __future__ import annotations

import logging
import sys
from functools import partial
from typing import Any

from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from llmblocks import __version__
from llmblocks.lsp.connection import Connection
from llmblocks.lsp.extension.guest import ExtensionGuest
from llmblocks.lsp.extension.loop import Loop
from llmblocks.lsp.extension.protocol import ExtensionProtocol
from llmblocks.lsp.extension.shared import SharedSession
from llmblocks.lsp.listen import Address, Listener, serve_port
from llmblocks.lsp.session.session import Session
from llmblocks.lsp.stdio import serve_stdio

# it logs what it raises
logging.getLogger("pygls.feature_manager").setLevel(logging.CRITICAL)


class ExtensibleServer(LanguageServer):
    """A session with its usual requests, and handlers of pygls for everything else.

    Shape: `session` is ours; `protocol`, `workspace` and all that sends requests to the client are those of pygls;
           `shared` is what both look at. It serves one client, once.
    """

    protocol: ExtensionProtocol

    def __init__(self, name: str, version: str, max_workers: int | None = None) -> None:
        self.session = Session(__version__)
        self.shared = SharedSession(self.session)
        super().__init__(
            name,
            version,
            protocol_cls=partial(ExtensionProtocol, self.shared),
            converter_factory=default_converter,
            max_workers=max_workers,
        )
        self.session.dispatcher.guest = ExtensionGuest(self.shared, self.protocol)

    def serve(self, connection: Connection) -> int:
        """Serve the client of a connection; gives the exit status."""
        loop = Loop(connection, self.shared.lock, self.protocol.leave)
        self.shared.call = loop.call
        try:
            return loop.run()
        finally:
            self.thread_pool.shutdown(wait=False, cancel_futures=True)

    def start_io(self, stdin: Any = None, stdout: Any = None) -> None:
        """Serve a client on standard input and output, then end the process."""
        if stdin is not None or stdout is not None:
            raise ValueError("the server speaks on standard input and output, on no other streams")
        sys.exit(serve_stdio(self.session, serve=self.serve))

    def start_tcp(self, host: str, port: int) -> None:
        """Serve the first client on a TCP port, then end the process."""
        sys.exit(serve_port(self.session, Listener(Address("tcp", host, port)), serve=self.serve))

    def start_ws(self, host: str, port: int) -> None:
        """Serve the first client on a WebSocket, then end the process."""
        sys.exit(serve_port(self.session, Listener(Address("ws", host, port)), serve=self.serve))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log an error; the user is shown the first."""
        self.session.dispatcher.faults.report("an extension's handler", None, error)


def make_server(
    name: str = "llmblocks", version: str = __version__, max_workers: int | None = None
) -> ExtensibleServer:
    """A server to extend by `@server.feature` and `@server.command`, before it is started.

    Shape: `name` and `version` are told to the client; `max_workers` is how many threaded handlers run at once.
    """
    return ExtensibleServer(name, version, max_workers)

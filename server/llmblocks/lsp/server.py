"""The language server: a pygls `LanguageServer` with the features of a session. docs/extending.md extends it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from llmblocks import __version__
from llmblocks.lsp.answers.commands import METHOD, NAMES
from llmblocks.lsp.answers.table import TABLE, WORKSPACE_TABLE
from llmblocks.lsp.front.connections import Connection, standard_connection, tcp_connection, web_connection
from llmblocks.lsp.front.protocol import Protocol
from llmblocks.lsp.session.session import ServerSession

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Server(LanguageServer):
    """A pygls server to extend by `@server.feature` and `@server.command` before it is started. It serves one client.

    Args:
        name: Sent to the client.
        version: Sent to the client.
        max_workers: The maximum number of threaded handlers that run at once.
    """

    protocol: Protocol

    def __init__(self, name: str = "llmblocks", version: str = __version__, max_workers: int | None = None) -> None:
        super().__init__(
            name, version, protocol_cls=Protocol, converter_factory=default_converter, max_workers=max_workers
        )
        answers = self.session.dispatcher.requests
        for row in (*TABLE, *WORKSPACE_TABLE):
            super().feature(row.method)(answers[row.method])
        for command in NAMES:
            super().command(command)(partial(_run, answers[METHOD], command))

    @property
    def session(self) -> ServerSession:
        """The state of the client, and the answers of the server itself."""
        return self.protocol.session

    def feature(self, feature_name: str, options: Any | None = None) -> Callable[[_Function], _Function]:
        """Register a handler of an extension, beside or instead of the server's, according to `JOINED`."""
        if feature_name not in self.protocol.features:
            self.protocol.fm.features.pop(feature_name, None)
            self.protocol.add(feature_name)
        return super().feature(feature_name, options)

    def command(self, command_name: str) -> Callable[[_Function], _Function]:
        """Register a command of an extension."""
        self.protocol.commands.add(command_name)
        return super().command(command_name)

    # pygls's own are not used: a message costs three hops between threads, its cancellation is not seen before it is
    # served, an interrupt ends with status 0, and a waiting read keeps the process; `connections` names more

    def start_io(self, stdin: Any = None, stdout: Any = None) -> None:
        """Serve a client on standard input and output, then end the process."""
        if stdin is not None or stdout is not None:
            raise ValueError("the server speaks on standard input and output, on no other streams")
        self._serve(standard_connection())

    def start_tcp(self, host: str, port: int) -> None:
        """Serve the first client on a TCP port, then end the process."""
        self._serve(tcp_connection(host, port))

    def start_ws(self, host: str, port: int, origins: Sequence[str] = ()) -> None:
        """Serve the first client on a WebSocket, then end the process. Pages of the `origins` may connect."""
        self._serve(web_connection(host, port, origins))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log an error, and show the user only the first: pygls shows each (#282)."""
        if not isinstance(error, JsonRpcException) or isinstance(error, JsonRpcInternalError):
            if isinstance(error, JsonRpcInternalError) and isinstance(error.data, dict):
                # the log shows where it was raised
                error.add_note("".join(error.data.get("traceback", ())))
            self.session.dispatcher.report("an extension's handler", None, error)

    def _serve(self, connection: Connection) -> None:
        try:
            status = self.protocol.serve(connection)
        finally:
            self.thread_pool.shutdown(wait=False, cancel_futures=True)
        sys.exit(status)


def _run(execute: Callable[[Any], Any], command: str, *arguments: Any) -> Any:
    return execute({"command": command, "arguments": [*arguments]})


make_server = Server

"""The server on standard input and output."""

from __future__ import annotations

from llmblocks.lsp.connection import Connection, Serve
from llmblocks.lsp.session.session import Session
from llmblocks.lsp.wire.framing import Framer
from llmblocks.lsp.wire.process import take_stdio


def serve_stdio(session: Session, process: int | None = None, serve: Serve = Connection.serve) -> int:
    """Serve one client. Returns the exit status. Shape: `process` is the client's process id, if known.

    Errors: `OSError` if standard input or output is closed.
    """
    connection = Connection(session, take_stdio(), Framer())
    session.on_process = connection.watch.start
    connection.start(process)
    return serve(connection)

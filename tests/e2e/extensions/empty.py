"""An extension that adds nothing: the extended server is then the plain one."""

from __future__ import annotations

from llmblocks.lsp.server import Server


def register(server: Server) -> None:
    assert server.session.exit_code is None

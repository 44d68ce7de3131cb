"""An extension that adds nothing: the extended server is then the plain one."""

from __future__ import annotations

from llmblocks.lsp.extensible import ExtensibleServer


def register(server: ExtensibleServer) -> None:
    assert server.session.exit_code is None

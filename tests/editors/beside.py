"""A small server for Markdown that runs beside ours: it says where it is, and finds a mistake in each first line."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("beside", "1")


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(parameters: types.HoverParams) -> types.Hover:
    return types.Hover(f"beside, in line {parameters.position.line + 1}")


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(parameters: types.DidOpenTextDocumentParams) -> None:
    start = types.Position(0, 0)
    found = types.Diagnostic(types.Range(start, types.Position(0, 1)), "from beside", source="beside")
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(parameters.text_document.uri, [found]))


if __name__ == "__main__":
    server.start_io()

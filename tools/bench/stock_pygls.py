"""A stock pygls server that answers each change with an empty list of diagnostics."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("stock-pygls", "1")


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(params: types.DidChangeTextDocumentParams) -> None:
    document = params.text_document
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri=document.uri, version=document.version, diagnostics=[])
    )


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(params: types.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri=document.uri, version=document.version, diagnostics=[])
    )


if __name__ == "__main__":
    server.start_io()

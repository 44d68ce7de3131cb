"""A stock pygls server that keeps documents and does nothing with them: what ours is measured against."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("stock-pygls", "1")


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(params: types.DidChangeTextDocumentParams) -> None:
    """An empty handler."""


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(params: types.HoverParams) -> None:
    """The answer that tells the client that the change before it was served."""


if __name__ == "__main__":
    server.start_io()

"""The session's documents, as pygls shows them to extensions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from threading import Lock
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument, Workspace

from llmblocks.lsp.documents.open import OpenDocument
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.uris import name_of, path_of

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line as the protocol has it, with its end."""


class SessionDocument(TextDocument):
    """An open document of the session. It stores no text: each access to `source` joins the current one."""

    def __init__(self, opened: OpenDocument, lock: Lock, codec: PositionCodec) -> None:
        # pygls's raises for URIs that name no file
        self._opened = opened
        self._lock = lock
        self._position_codec = codec
        self.uri = opened.uri
        self.path = path_of(opened.uri) or ""
        self.filename = name_of(opened.uri)
        self.version = opened.version
        self.language_id = opened.language_id

    @property
    def source(self) -> str:
        """The current text."""
        with self._lock:
            return self._opened.content.text if self._opened.content else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text with their ends: pygls breaks them at more characters than the protocol."""
        return tuple(_LINE.findall(self.source))


class SessionWorkspace(Workspace):
    """pygls's workspace with the documents of the session; pygls keeps those of notebooks.

    `lock` is held while the session works.
    """

    def __init__(
        self, session: ServerSession, lock: Lock, root_uri: str | None, folders: list[types.WorkspaceFolder]
    ) -> None:
        encoding = types.PositionEncodingKind(session.client.encoding)
        # pygls's raises for URIs that name no file
        root_uri = root_uri if root_uri and path_of(root_uri) else None
        super().__init__(root_uri, workspace_folders=folders, position_encoding=encoding)
        self._opened = session.document_requests.documents
        self._lock = lock

    @property
    def text_documents(self) -> Mapping[str, TextDocument]:
        """All open documents, by their URI without percent-encoding."""
        return {
            **self._text_documents,
            **{unquote(opened.uri): self._shown(opened) for opened in self._opened},
        }

    def get_text_document(self, doc_uri: str) -> TextDocument:
        """Return the open document with this URI, in any percent-encoding; otherwise the file."""
        opened = self._opened.get(doc_uri)
        return super().get_text_document(doc_uri) if opened is None else self._shown(opened)

    def put_text_document(self, text_document: types.TextDocumentItem, notebook_uri: str | None = None) -> None:
        """Keep a cell of a notebook; every other document is the session's."""
        if notebook_uri is not None:
            super().put_text_document(text_document, notebook_uri)

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Change a cell of a notebook; every other document is the session's."""
        if unquote(text_doc.uri) in self._text_documents:
            super().update_text_document(text_doc, change)

    def _shown(self, opened: OpenDocument) -> SessionDocument:
        return SessionDocument(opened, self._lock, self.position_codec)

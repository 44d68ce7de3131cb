"""The session's documents, as pygls shows them to extensions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from threading import Lock
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument, Workspace

from llmblocks.lsp.documents.open import OpenDocument
from llmblocks.lsp.documents.plain import ClientText
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.uris import path_of

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line as the protocol has it, with its end."""


class UnreadableDocumentError(OSError, ValueError):
    """The text of a document is unavailable: its file cannot be read, or the document is too large."""


class FileDocument(TextDocument):
    """A document that is not open. `source` raises `UnreadableDocumentError` if it cannot be read."""

    @property
    def source(self) -> str:
        """The text of the file."""
        try:
            return super().source
        except (OSError, ValueError) as error:
            raise UnreadableDocumentError(f"{self.uri} cannot be read: {error}") from error


class SessionDocument(TextDocument):
    """An open document of the session, up to date. It stores no text: each access to `source` joins it.

    Lines end at `\\n`, `\\r\\n` and a lone `\\r`, as in the protocol. `source` and `lines` raise
    `UnreadableDocumentError` for a document larger than `files.maxSizeMB`.
    """

    def __init__(self, opened: OpenDocument, lock: Lock, codec: PositionCodec) -> None:
        # the inner constructor fails for URIs that name no file
        self._opened = opened
        self._lock = lock
        self._position_codec = codec
        self.uri = opened.uri
        self.path = path_of(opened.uri) or ""
        self.filename = re.split(r"[/\\]", self.path)[-1] or None

    @property
    def version(self) -> int | None:  # type: ignore[override]
        """The last version from the client."""
        return self._opened.version

    @property
    def language_id(self) -> str:  # type: ignore[override]
        """The client's language id."""
        return self._opened.language_id

    @property
    def source(self) -> str:
        """The current text."""
        with self._lock:
            return self._content.text

    @property
    def _content(self) -> ClientText:
        if self._opened.content is None or self._opened.oversize:
            raise UnreadableDocumentError(f"{self.uri} is larger than files.maxSizeMB allows")
        return self._opened.content

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text with their ends."""
        return tuple(_LINE.findall(self.source))

    def offset_at_position(self, client_position: types.Position) -> int:
        """Return the code point at a place of the client."""
        with self._lock:
            return self._content.offset(client_position.line, client_position.character)

    def client_position_at_offset(self, offset: int) -> types.Position:
        """Return the client's place of a code point."""
        with self._lock:
            return types.Position(*self._content.position(offset))

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Raise `TypeError`: only the session changes documents."""
        raise TypeError("an open document is changed by the client alone: ask it with workspace_apply_edit")


class SessionWorkspace(Workspace):
    """pygls's workspace with the documents of the session; pygls keeps those of notebooks.

    `lock` is held while the session works.
    """

    def __init__(
        self, session: ServerSession, lock: Lock, root_uri: str | None, folders: list[types.WorkspaceFolder]
    ) -> None:
        encoding = types.PositionEncodingKind(session.client.encoding)
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

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> TextDocument:
        return FileDocument(doc_uri, source, version, language_id, position_codec=self.position_codec)

    def _shown(self, opened: OpenDocument) -> SessionDocument:
        return SessionDocument(opened, self._lock, self.position_codec)

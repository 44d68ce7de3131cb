"""Extensions: the join of their answers with those of the session, and the documents that they see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from threading import Lock
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument, Workspace

from llmblocks.lsp.documents.plain import OpenDocument
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import name_of, path_of

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line as the protocol has it, with its end."""
JOINED = frozenset(
    {
        "callHierarchy/incomingCalls",
        "callHierarchy/outgoingCalls",
        "textDocument/codeAction",
        "textDocument/codeLens",
        "textDocument/completion",
        "textDocument/diagnostic",
        "textDocument/documentHighlight",
        "textDocument/documentLink",
        "textDocument/foldingRange",
        "textDocument/inlayHint",
        "textDocument/prepareCallHierarchy",
        "textDocument/references",
        "workspace/symbol",
    }
)
"""Requests with lists of independent items: the client gets both lists. For other requests, the extension's answer
counts.
"""

_REPLACED = "semanticTokensProvider"
"""The legend of the results defines their numbers, so two results cannot be mixed."""


def is_replaced(method: str) -> bool:
    """Return whether only the extension answers a request that both serve, even without a result."""
    # the session answers a request for the findings of the workspace later
    return method.startswith("textDocument/semanticTokens") or method == "workspace/diagnostic"


def merged_capabilities(ours: dict[str, Json], theirs: dict[str, Json]) -> dict[str, Json]:
    """Merge the capabilities of the session with those of the extension alone, as pygls builds them."""
    known = {name: value for name, value in theirs.items() if name != "positionEncoding"}
    found: dict[str, Json] = _merged(ours, known)
    return found | {name: theirs[name] for name in (_REPLACED,) if name in theirs}


def _merged(ours: Json, theirs: Json) -> Json:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        # pygls also lists capabilities that an extension lacks
        told = {name: value for name, value in theirs.items() if value not in (None, False, {})}
        return ours | {name: _merged(ours.get(name), value) for name, value in told.items()}
    if isinstance(ours, list) and isinstance(theirs, list):
        return ours + [each for each in theirs if each not in ours]
    # `true` promises less than options do
    return ours if theirs is True and isinstance(ours, dict) else theirs


def merged_results(method: str, theirs: Json, ours: Json) -> Json:
    """Return the result of a request that both serve: both for those in `JOINED`, otherwise the extension's, if any."""
    if theirs is None:
        return ours
    if method not in JOINED or ours is None:
        return theirs
    if isinstance(theirs, list) and isinstance(ours, list):
        return theirs + ours
    if isinstance(theirs, list) and isinstance(ours, dict):
        # ours is a completion list
        return ours | {"items": theirs + ours.get("items", [])}
    if isinstance(theirs, dict):
        # a completion list, or a report of diagnostics, whose id stands for its own items alone
        more = ours.get("items", []) if isinstance(ours, dict) else ours
        kept = {name: value for name, value in theirs.items() if name != "resultId"}
        kind = {"kind": "full"} if "kind" in theirs else {}
        return kept | kind | {"items": theirs.get("items", []) + more}
    return theirs


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
        with self._lock:
            return self._opened.content.text if self._opened.content else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text with their ends: pygls breaks them at more characters than the protocol."""
        return tuple(_LINE.findall(self.source))


class SessionWorkspace(Workspace):
    """pygls's workspace with the documents of the session.

    `lock` is held while the session works.
    """

    def __init__(
        self, session: ServerSession, lock: Lock, root_uri: str | None, folders: list[types.WorkspaceFolder]
    ) -> None:
        encoding = types.PositionEncodingKind(session.client.encoding)
        # pygls's raises for URIs that name no file
        root_uri = root_uri if root_uri and path_of(root_uri) else None
        super().__init__(root_uri, workspace_folders=folders, position_encoding=encoding)
        self._opened = session.documents
        self._lock = lock

    @property
    def text_documents(self) -> Mapping[str, TextDocument]:
        """All open documents, by their URI without percent-encoding."""
        return {unquote(opened.uri): self._shown(opened) for opened in self._opened}

    def get_text_document(self, doc_uri: str) -> TextDocument:
        """Return the open document with this URI, in any percent-encoding; otherwise the file."""
        opened = self._opened.get(doc_uri)
        return super().get_text_document(doc_uri) if opened is None else self._shown(opened)

    def put_text_document(self, text_document: types.TextDocumentItem, notebook_uri: str | None = None) -> None:
        """Do nothing: the session has it already."""

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Do nothing: the session has changed it already."""

    def _shown(self, opened: OpenDocument) -> SessionDocument:
        return SessionDocument(opened, self._lock, self.position_codec)

"""The documents that the client has open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from llmblocks.lsp.wire.uris import identity

if TYPE_CHECKING:
    from llmblocks.lsp.documents.hosted import HostedText
    from llmblocks.lsp.documents.plain import ClientText, PlainText
    from llmblocks.lsp.documents.text import AnalysedText


@dataclass(slots=True)
class OpenDocument:
    """An open document, as the client has described it.

    It has one text: the analysed `text`, `hosted` for a document that may embed texts, or `plain` for a settings file
    and for text that is not analysed.
    """

    uri: str
    language_id: str
    version: int | None
    text: AnalysedText | None = None
    oversize: int = 0
    """The size in bytes if it is too large, otherwise 0."""
    most_bytes: int = 0
    """An upper bound of the text's size."""
    limit: float = 0
    """The maximum size."""
    hosted: HostedText | None = None
    plain: PlainText | None = None
    is_settings: bool = False
    is_ours: bool = False
    """Whether it would be analysed if it were not too large."""
    is_arriving: bool = False
    """Whether another program is still writing its end."""

    @property
    def content(self) -> ClientText | None:
        """Its text, in any of these forms."""
        return self.text or self.hosted or self.plain


class Documents:
    """Open documents by their URI, with any percent-encoding."""

    def __init__(self) -> None:
        self._by_uri: dict[str, OpenDocument] = {}
        self._spelled: dict[str, str] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(tuple(self._by_uri.values()))

    def get(self, uri: str) -> OpenDocument | None:
        """Return the open document with this URI."""
        found = self._by_uri.get(uri)
        if found is None and self._by_uri:
            spelled = self._spelled.get(identity(uri))
            found = None if spelled is None else self._by_uri.get(spelled)
        return found

    def put(self, document: OpenDocument) -> None:
        """Add or replace a document."""
        self.remove(document.uri)
        self._by_uri[document.uri] = document
        self._spelled[identity(document.uri)] = document.uri

    def remove(self, uri: str) -> OpenDocument | None:
        """Remove a document and return it."""
        found = self.get(uri)
        if found is not None:
            del self._by_uri[found.uri]
            self._spelled.pop(identity(found.uri), None)
        return found

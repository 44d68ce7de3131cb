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
    """The size in bytes if it would be analysed, but is too large; otherwise 0."""
    hosted: HostedText | None = None
    plain: PlainText | None = None
    is_settings: bool = False
    is_arriving: bool = False
    """Whether another program is still writing its end."""

    @property
    def content(self) -> ClientText | None:
        """Its text, in any of these forms."""
        return self.text or self.hosted or self.plain


class Documents:
    """Open documents by their URI, with any percent-encoding."""

    def __init__(self) -> None:
        self._known: dict[str, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(tuple(self._known.values()))

    def get(self, uri: str) -> OpenDocument | None:
        """Return the open document with this URI."""
        return self._known.get(identity(uri))

    def put(self, document: OpenDocument) -> None:
        """Add or replace a document."""
        self._known[identity(document.uri)] = document

    def remove(self, uri: str) -> OpenDocument | None:
        """Remove a document and return it."""
        return self._known.pop(identity(uri), None)

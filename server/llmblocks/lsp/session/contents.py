"""The read-only documents that a client shows, each until the document after it changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from llmblocks.lsp.wire.dispatch import Dispatcher
from llmblocks.lsp.wire.uris import identity

_MOST_FOLLOWED = 64


@dataclass(eq=False)
class Contents:
    """Makes a client fetch such a document again: once, since fetching follows it again."""

    _dispatcher: Dispatcher
    _followed: dict[str, str] = field(default_factory=dict)

    def follow(self, uri: str, document: str) -> None:
        """Follow the document shown by a view."""
        self._followed.pop(uri, None)
        self._followed[uri] = identity(document)
        if len(self._followed) > _MOST_FOLLOWED:
            del self._followed[next(iter(self._followed))]

    def documents_changed(self, documents: Collection[str]) -> None:
        """Register that documents have changed."""
        changed = {*map(identity, documents)}
        self._refresh([uri for uri, document in self._followed.items() if document in changed])

    def changed(self) -> None:
        """Register that files on disk, which sessions are read from, or settings have changed."""
        self._refresh([*self._followed])

    def _refresh(self, uris: Iterable[str]) -> None:
        for uri in uris:
            del self._followed[uri]
            self._dispatcher.ask("workspace/textDocumentContent/refresh", {"uri": uri})

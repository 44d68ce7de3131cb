"""The names of an open document, for the index of its folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from llmblocks.core.places import Elsewhere

if TYPE_CHECKING:
    from llmblocks.core.document import Document
    from llmblocks.core.symbol import Role
    from llmblocks.lsp.documents.columns import ClientPositions
    from llmblocks.rules.name_findings import NameFindings


class LiveNames:
    """The names of an open document as they are at the moment. Shape: `uri` is the client's."""

    __slots__ = ("_document", "_names", "_positions", "_uri")

    def __init__(self, names: NameFindings, document: Document, positions: ClientPositions, uri: str) -> None:
        self._names = names
        self._document = document
        self._positions = positions
        self._uri = uri

    def follow(self, follow: Callable[[Mapping[str, set[str]]], None]) -> None:
        """Call a function after each edit, with the names that it has touched, by kind."""
        self._names.follow = follow

    def kinds(self) -> Collection[tuple[Role, str]]:
        return self._names.index.kinds()

    def names(self, role: Role, kind: str) -> Collection[str]:
        return self._names.index.names(role, kind)

    def places(self, role: Role, kind: str, name: str) -> list[Elsewhere]:
        index = self._names.index
        placed = index.definitions(kind, name) if role == "definition" else index.references(kind, name)
        return [self._place(index.start_of(piece), symbol.start, symbol.end) for piece, symbol in placed]

    def _place(self, piece: int, start: int, end: int) -> Elsewhere:
        start, end = piece + start, piece + end
        line, _ = self._positions.position(start)
        before = self._document.slice(self._positions.line_start(line) or 0, start)
        return Elsewhere(self._uri, start, line, before, self._document.slice(start, end))

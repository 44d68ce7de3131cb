"""The outline of a document as JSON, remembered by block: an edit costs those it changed, and less those it moved."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from llmblocks.core.query import Query
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.symbols import (
    MovableSymbols,
    WrittenSymbols,
    closed_message,
    gathered,
    joined,
    left_out,
    written_place,
)
from llmblocks.lsp.documents.columns import Encoding
from llmblocks.lsp.wire.limits import MAX_OUTLINED
from llmblocks.lsp.wire.rpc import Json, RawJson

if TYPE_CHECKING:
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Block
    from llmblocks.features.outline import Shown
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.documents.text import AnalysedText

_PIECES: Final = 16
"""The pieces that are looked at between two pauses."""


def symbols(ask: Ask, asker: Asker) -> Json:
    """The symbols of a document: as a tree, or as a list for clients that know no trees.

    Where they are more than `MAX_OUTLINED`, they are those of the outermost layer; where these are more, the first.
    """
    from llmblocks.features.outline import shown

    tree = _tree(ask, asker.text, shown(ask.language)) or _tree(ask, asker.text, shown(ask.language, True), cuts=True)
    assert tree is not None, "one that is cut off is there"
    return tree if asker.client.nests_symbols else [*_flat(json.loads(bytes(tree)), asker.uri)]


def _flat(tree: Iterable[Json], uri: str, around: str = "") -> Iterator[Json]:
    container = {"containerName": around} if around else {}
    for each in tree:
        name = {"name": each["name"], "kind": each["kind"]}
        yield {**name, **container, "location": {"uri": uri, "range": each["range"]}}
        yield from _flat(each.get("children", ()), uri, each["name"])


def _tree(ask: Ask, text: AnalysedText, what: Shown, cuts: bool = False) -> RawJson | None:
    """The symbols as a tree. If they are too many, it is None, or `cuts` them off where the next section has some."""
    found = _Outline(what, text.encoding, ask.pause)
    find = _symbols_from(what, text.encoding)
    for block, _ in ask.document.sections.blocks(1):
        known = find(block)
        part = known.get(found.character)
        if part is None:
            known.clear()
            part = known[found.character] = found.symbols_of(block, MAX_OUTLINED)
        if not part.entries or found.entries + part.entries <= MAX_OUTLINED:
            found.take(part)
            continue
        if not cuts:
            return None
        for section in block:
            part = found.symbols_of([section], sys.maxsize)
            if part.entries and found.entries > MAX_OUTLINED:
                return found.written(written_place(*text.position(len(ask.document))))
            found.take(part)
    return found.written()


class _Outline:
    """The symbols of the sections from the start of a document to a place, block by block."""

    __slots__ = ("_encoding", "_parts", "_pause", "_what", "character", "entries", "line")

    def __init__(self, what: Shown, encoding: Encoding, pause: Callable[[], None]) -> None:
        self._what, self._encoding, self._pause = what, encoding, pause
        self._parts: list[tuple[_Symbols, int]] = []
        self.line = self.character = self.entries = 0

    def symbols_of(self, sections: Iterable[Section], most: int) -> _Symbols:
        """The symbols of the sections that come next: only those that come first if they are more than `most`."""
        self._pause()
        return _Symbols(sections, most, self._what, self._encoding, self.line, self.character, self._pause)

    def take(self, part: _Symbols) -> None:
        self._parts.append((part, self.line))
        self.line, self.character = self.line + part.lines, part.character
        self.entries += part.entries

    def written(self, end: str = "") -> RawJson:
        """All of them. Shape: `end` is that of the document, where the symbols of the rest of it are left out."""
        before, _, after, head, children = gathered(part.from_line(line, self._pause) for part, line in self._parts)
        place = written_place(self.line, self.character)
        if head:
            after.append(closed_message(head, place, children))
        if end:
            after.append(left_out(place, end))
        return RawJson(b"[", b",".join(before + after), b"]")


class _Symbols:
    """The symbols of neighbouring sections.

    Shape: these have so many `lines`, and end at a `character`. If `entries` are more than `most`, these are those of
           sections that are left out: they are counted before they are written.
    """

    __slots__ = ("_line", "_movable", "_written", "character", "entries", "lines")

    def __init__(
        self,
        sections: Iterable[Section],
        most: int,
        what: Shown,
        encoding: Encoding,
        line: int,
        character: int,
        pause: Callable[[], None],
    ) -> None:
        from llmblocks.features.outline import outlines_of_pieces
        from llmblocks.lsp.answers.section_outline import symbols_of_section

        parts = []
        entries = 0
        self._line = line
        for section in sections:
            outlines = []
            for number, each in enumerate(outlines_of_pieces(section, what)):
                if number % _PIECES == 0:
                    pause()
                outlines.append(each)
                entries += len(each[1].entries)
                if entries > most:
                    break
            if entries > most:
                break
            part, line, character = symbols_of_section(section, outlines, what, encoding, line, character, pause)
            parts.append(part)
        self._written = joined(parts)
        self._movable: MovableSymbols | None = None
        self.lines: Final = line - self._line
        self.character: Final = character
        self.entries: Final = entries

    def from_line(self, line: int, pause: Callable[[], None]) -> WrittenSymbols:
        """These symbols, where the sections begin on a line."""
        if line != self._line:
            pause()
            if self._movable is None:
                self._movable = MovableSymbols(self._written, self._line)
            self._written, self._line = self._movable.at(line), line
        return self._written


@lru_cache(maxsize=32)
def _symbols_from(_: Shown, __: Encoding) -> Query[Block, dict[int, _Symbols]]:
    """The symbols of a block, by the character at which it begins."""
    return Query("symbols as JSON", lambda _: {})

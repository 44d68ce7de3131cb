"""The outline of a document as JSON, remembered by block: an edit costs those it changed, and less those it moved."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.query import Query
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.symbols import WrittenSymbols, closed_message, gathered, joined, moved, written_place
from llmblocks.lsp.documents.columns import Encoding
from llmblocks.lsp.wire.limits import MAX_OUTLINED
from llmblocks.lsp.wire.rpc import Json, RawJson

if TYPE_CHECKING:
    from llmblocks.core.sequence import Block
    from llmblocks.features.outline import Shown
    from llmblocks.languages.ask import Ask


def symbols(ask: Ask, asker: Asker) -> Json:
    """The symbols of a document: as a tree, or as a list for clients that know no trees."""
    tree = _tree(ask, asker.text.encoding)
    return tree if asker.client.nests_symbols else [*_flat(json.loads(bytes(tree)), asker.uri)]


def _flat(tree: Iterable[Json], uri: str, around: str = "") -> Iterator[Json]:
    container = {"containerName": around} if around else {}
    for each in tree:
        name = {"name": each["name"], "kind": each["kind"]}
        yield {**name, **container, "location": {"uri": uri, "range": each["range"]}}
        yield from _flat(each.get("children", ()), uri, each["name"])


def _tree(ask: Ask, encoding: Encoding) -> RawJson:
    from llmblocks.features.outline import shown

    parts: list[WrittenSymbols] = []
    line = character = 0
    what = shown(ask.language, only_outermost=len(ask.document) > MAX_OUTLINED)
    find = _symbols_from(what, encoding)
    for block, _ in ask.document.sections.blocks(1):
        known = find(block)
        there = known.get(character)
        if there is None:
            ask.pause()
            known.clear()
            there = known[character] = _of_block(block, what, encoding, line, character, ask.pause)
        elif there.line != line:
            ask.pause()
            there = known[character] = there._replace(line=line, written=moved(there.written, line - there.line))
        parts.append(there.written)
        line, character = line + there.lines, there.character
    before, _, after, head, children = gathered(parts)
    if head:
        after.append(closed_message(head, written_place(line, character), children))
    return RawJson(b"[", b",".join(before + after), b"]")


class _Block(NamedTuple):
    """The symbols of a block. Shape: it begins on `line`, has so many `lines`, and ends at a `character`."""

    line: int
    written: WrittenSymbols
    lines: int
    character: int


@lru_cache(maxsize=32)
def _symbols_from(_: Shown, __: Encoding) -> Query[Block, dict[int, _Block]]:
    """The symbols of a block, by the character at which it begins."""
    return Query("symbols as JSON", lambda _: {})


def _of_block(
    block: Block, what: Shown, encoding: Encoding, line: int, character: int, pause: Callable[[], None]
) -> _Block:
    from llmblocks.lsp.answers.section_outline import symbols_of_section

    parts = []
    first = line
    for section in block:
        part, line, character = symbols_of_section(section, what, encoding, line, character, pause)
        parts.append(part)
    return _Block(first, joined(parts), line - first, character)

"""The outline of a document as JSON, remembered by block: an edit costs the blocks that it changed or moved."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.symbols import (
    SYMBOL_KINDS,
    UNNAMED,
    closed,
    json_text,
    place_after,
    places_in,
    written_place,
)
from llmblocks.lsp.documents.columns import Encoding
from llmblocks.lsp.wire.rpc import Json, RawJson

if TYPE_CHECKING:
    from llmblocks.core.query import Query
    from llmblocks.core.sequence import Block
    from llmblocks.languages.ask import Ask
    from llmblocks.languages.language import Language


def symbols(ask: Ask, asker: Asker) -> Json:
    """The symbols of a document: as a tree, or as a list for clients that know no trees."""
    return _tree(ask, asker) if asker.client.nests_symbols else _flat(ask, asker)


def _flat(ask: Ask, asker: Asker) -> Json:
    from llmblocks.features.outline import outline

    entries = outline(ask)
    places = _places_in_document(
        ask, asker.text.encoding, {offset for each in entries for offset in (each.start, each.end)}
    )
    found: list[str] = []
    around: list[str] = []
    uri = json_text(asker.uri)
    for entry in entries:
        del around[entry.depth :]
        container = f',"containerName":{around[-1]}' if around else ""
        around.append(json_text(entry.name or UNNAMED))
        found.append(
            f'{{"name":{around[-1]},"kind":{SYMBOL_KINDS[entry.kind]}{container},"location":{{"uri":{uri},'
            f'"range":{{"start":{places[entry.start]},"end":{places[entry.end]}}}}}}}'
        )
    return RawJson(f"[{','.join(found)}]".encode("ascii"))


def _places_in_document(ask: Ask, encoding: Encoding, offsets: Iterable[int]) -> dict[int, str]:
    """Places anywhere in a document as JSON; each character is looked at once."""
    found: dict[int, str] = {}
    wanted = sorted(offsets, reverse=True)
    line = character = 0
    for placed in ask.document.placed():
        inside = []
        while wanted and wanted[-1] <= placed.start + placed.section.length:
            inside.append(wanted.pop() - placed.start)
        written = places_in(placed.section, inside, encoding, line, character)
        found |= {placed.start + offset: place for offset, place in written.items()}
        line, character = place_after(placed.section, encoding, line, character)
    return found


class WrittenSymbols(NamedTuple):
    """The symbols of neighbouring sections as JSON, each list of them as one text: few are put together for an answer.

    Shape: `before` are those before `stop`, where a message ends that began earlier; `roots` are after it.
           `head` is a message that goes on after these sections, without its end, and `children` what is in it so far.
    """

    before: bytes
    stop: str
    roots: bytes
    head: str
    children: str


def _tree(ask: Ask, asker: Asker) -> Json:
    text = asker.text
    found: list[bytes] = []
    children: list[str] = []
    head = ""
    line = character = 0
    for block, _ in ask.document.sections.blocks(1):
        known = _symbols_at(ask.language, text.encoding)(block)
        if (line, character) not in known:
            ask.pause()
            known.clear()
            known[line, character] = _of_block(block, ask, text.encoding, line, character)
        (before, stop, roots, next_head, next_children), line, character = known[line, character]
        if not head:
            found.append(before)
        else:
            children.append(before.decode("ascii"))
            if stop:
                found.append(closed(head, stop, filter(None, children)).encode("ascii"))
                head, children = "", []
        found.append(roots)
        if next_head:
            head, children = next_head, [next_children]
    if head:
        found.append(closed(head, written_place(line, character), filter(None, children)).encode("ascii"))
    return RawJson(b"[%b]" % b",".join(filter(None, found)))


_Known = dict[tuple[int, int], tuple[WrittenSymbols, int, int]]


@lru_cache(maxsize=16)
def _symbols_at(_: Language, __: Encoding) -> Query[Block, _Known]:
    """The symbols of a block, and where it ends, by the line and character at which it begins."""
    from llmblocks.core.query import Query

    return Query("symbols as JSON", lambda _: {})


def _of_block(block: Block, ask: Ask, encoding: Encoding, line: int, character: int) -> tuple[WrittenSymbols, int, int]:
    from llmblocks.lsp.answers.section_outline import tree_of_section

    before: list[str] = []
    roots: list[str] = []
    children: list[str] = []
    stop = head = ""
    nesting = ask.language.nesting

    def end_message(place: str) -> None:
        nonlocal stop, head, children
        if head:
            roots.append(closed(head, place, children))
            head, children = "", []
        stop = stop or place

    for section in block:
        first = written_place(line, character)
        tree, line, character = tree_of_section(section, ask, encoding, line, character)
        if nesting.breaks_run(section.pieces):
            end_message(first)
        (children if head else roots if stop else before).extend(tree.complete)
        if tree.runs:
            head, children = tree.head, tree.children
        elif tree.closes:
            end_message(written_place(line, character))
    written = WrittenSymbols(
        ",".join(before).encode("ascii"), stop, ",".join(roots).encode("ascii"), head, ",".join(children)
    )
    return written, line, character

"""The outline of a document as JSON, remembered by block: an edit costs the blocks that it changed or moved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.documents.columns import Encoding
from llmblocks.lsp.wire.rpc import Json, RawJson, encode

if TYPE_CHECKING:
    from llmblocks.core.query import Query
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Block
    from llmblocks.features.outline import Entry
    from llmblocks.languages.ask import Ask
    from llmblocks.languages.language import Language

SYMBOL_KINDS: Final = {"message": 3, "call": 12, "argument": 7, "data": 14, "block": 2}
"""The protocol's symbol kinds, all of them known to every client: namespace, function, property, constant, module."""
_UNNAMED = "(unnamed)"


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
    uri = _text(asker.uri)
    for entry in entries:
        del around[entry.depth :]
        container = f',"containerName":{around[-1]}' if around else ""
        around.append(_text(entry.name or _UNNAMED))
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
        written = _places(placed.section, inside, encoding, line, character)
        found |= {placed.start + offset: place for offset, place in written.items()}
        line, character = _after(placed.section, encoding, line, character)
    return found


class Written(NamedTuple):
    """The symbols of neighbouring sections as JSON.

    Shape: `before` are those in front of `stop`, where a message ends that began earlier; `roots` are behind it.
           `head` is a message that goes on behind these sections, without its end, and `children` what is in it so far.
    """

    before: Sequence[str]
    stop: str
    roots: Sequence[str]
    head: str
    children: Sequence[str]


def _tree(ask: Ask, asker: Asker) -> Json:
    text = asker.text
    found: list[str] = []
    children: list[str] = []
    head = ""
    line = character = 0
    for block, _ in ask.document.sections.blocks():
        known = _symbols_at(ask.language, text.encoding)(block)
        if (line, character) not in known:
            known.clear()
            known[line, character] = _of_block(block, ask.language, text.encoding, line, character)
        (before, stop, roots, next_head, next_children), line, character = known[line, character]
        if not head:
            found += before
        else:
            children += before
            if stop:
                found.append(_closed(head, stop, children))
                head, children = "", []
        found += roots
        if next_head:
            head, children = next_head, [*next_children]
    if head:
        found.append(_closed(head, _written_place(line, character), children))
    return RawJson(f"[{','.join(found)}]".encode("ascii"))


_Known = dict[tuple[int, int], tuple[Written, int, int]]


@lru_cache(maxsize=16)
def _symbols_at(_: Language, __: Encoding) -> Query[Block, _Known]:
    """The symbols of a block, and where it ends, by the line and character at which it begins."""
    from llmblocks.core.query import Query

    return Query("symbols as JSON", lambda _: {})


def _of_block(
    block: Block, language: Language, encoding: Encoding, line: int, character: int
) -> tuple[Written, int, int]:
    from llmblocks.features.outline import outline_of_section

    find = outline_of_section(language)
    before: list[str] = []
    roots: list[str] = []
    children: list[str] = []
    stop = head = ""

    def end_message(place: str) -> None:
        nonlocal stop, head, children
        if head:
            roots.append(_closed(head, place, children))
            head, children = "", []
        stop = stop or place

    for section in block.sections:
        entries, runs, breaks, closes = find(section)
        wanted = {
            0,
            section.length,
            *[offset for each in entries for offset in (each.start, each.end, each.name_start, each.name_end)],
        }
        places = _places(section, wanted, encoding, line, character)
        if breaks:
            end_message(places[0])
        complete, open_head, open_children = _nested(entries, places, runs=runs)
        (children if head else roots if stop else before).extend(complete)
        if runs:
            head, children = open_head, open_children
        elif closes:
            end_message(places[section.length])
        line, character = _after(section, encoding, line, character)
    return Written(before, stop, roots, head, children), line, character


def _places(section: Section, offsets: Iterable[int], encoding: Encoding, line: int, character: int) -> dict[int, str]:
    """Places in a section that begins at a line and character, as JSON."""
    from llmblocks.lsp.documents.cursor import Cursor

    cursor = Cursor(section, encoding)
    found: dict[int, str] = {}
    for offset in sorted(offsets):
        at_line, at_character = cursor.place(offset)
        found[offset] = _written_place(line + at_line, at_character if at_line else character + at_character)
    return found


def _after(section: Section, encoding: Encoding, line: int, character: int) -> tuple[int, int]:
    """The line and character behind a section that begins at a line and character."""
    from llmblocks.lsp.documents.cursor import Cursor

    lines, last = Cursor(section, encoding).place(section.length)
    return line + lines, last if lines else character + last


def _nested(entries: Sequence[Entry], places: dict[int, str], *, runs: bool) -> tuple[list[str], str, list[str]]:
    """The entries of a section as trees; the last one in two parts, a head and its children, if it goes on."""
    levels: list[list[str]] = [[]]
    heads: list[tuple[str, str]] = []

    def close(depth: int) -> None:
        while len(heads) > depth:
            head, end = heads.pop()
            children = levels.pop()
            levels[-1].append(_closed(head, end, children))

    for entry in entries:
        close(entry.depth)
        heads.append((_opened(entry, places), places[entry.end]))
        levels.append([])
    close(1 if runs else 0)
    return (levels[0], heads[0][0], levels[1]) if runs else (levels[0], "", [])


def _opened(entry: Entry, places: dict[int, str]) -> str:
    detail = f'"detail":{_text(entry.detail)},' if entry.detail else ""
    return (
        f'{{"name":{_text(entry.name or _UNNAMED)},{detail}"kind":{SYMBOL_KINDS[entry.kind]},'
        f'"selectionRange":{{"start":{places[entry.name_start]},"end":{places[entry.name_end]}}},'
        f'"range":{{"start":{places[entry.start]},"end":'
    )


def _closed(head: str, end: str, children: Iterable[str]) -> str:
    inside = ",".join(children)
    return f'{head}{end}}},"children":[{inside}]}}' if inside else f"{head}{end}}}}}"


def _written_place(line: int, character: int) -> str:
    return f'{{"line":{line},"character":{character}}}'


def _text(value: str) -> str:
    return encode(value).decode("ascii")

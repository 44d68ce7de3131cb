"""The outline of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.documents.places import Kept, Places, SectionPlaces
from llmblocks.lsp.wire.limits import MAX_OUTLINED
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.values import DocumentSymbol, Position, Range

if TYPE_CHECKING:
    from llmblocks.core.sequence import Placed
    from llmblocks.features.outline import SectionOutline
    from llmblocks.languages.ask import Ask

SYMBOL_KINDS: Final = {"message": 3, "call": 12, "argument": 7, "data": 14, "block": 2}
"""The protocol's symbol kinds, known to every client: namespace, function, property, constant, module."""
UNNAMED: Final = "(unnamed)"
_SECTIONS: Final = 128
"""The number of sections read between two pauses."""
_KEPT: Final = Kept("outline")
_LEFT_OUT: Final = "… (the outline ends here)"


def symbols(ask: Ask, asker: Asker) -> Json:
    """Return the symbols of a document as a tree.

    Beyond `MAX_OUTLINED`, only those of the outermost layer; if these are still too many, the first ones.
    """
    from llmblocks.features.outline import entry_count

    count, number = entry_count(ask.language), 0
    for block in ask.document.sections.blocks:
        ask.pause()
        number += count(block)
    return _tree(ask, asker.places, only_outermost=number > MAX_OUTLINED)


def _tree(ask: Ask, places: Places, *, only_outermost: bool) -> list[DocumentSymbol]:
    from llmblocks.features.outline import outline_of

    find = outline_of(ask.language, only_outermost)
    roots: list[DocumentSymbol] = []
    # a message continues over the sections after its own
    running: DocumentSymbol | None = None
    count = 0
    last: Placed | None = None
    for placed in ask.document.placed():
        section = placed.section
        if placed.number % _SECTIONS == 0:
            ask.pause()
        own = find(section)
        if running is not None and own.begins:
            running["range"]["end"] = _end(places, last)
            running = None
        last = placed
        if own.entries:
            count += len(own.entries)
            inside = places.in_section(placed)
            if count > MAX_OUTLINED:
                here = inside.place(0)
                end = places.place(len(ask.document))
                whole, name = Range(start=here, end=end), Range(start=here, end=here)
                kind = SYMBOL_KINDS["data"]
                roots.append(DocumentSymbol(name=_LEFT_OUT, kind=kind, range=whole, selectionRange=name, children=[]))
                break
            level = roots if running is None else running["children"]
            found, going_on = _KEPT(section, (inside.key, only_outermost), _symbols, own, inside)
            if own.running == 0 and going_on is not None:
                # its end and its contents will change
                running = going_on.copy()
                running["range"], running["children"] = running["range"].copy(), [*running["children"]]
                found = [running, *found[1:]]
            elif own.running is not None:
                found, running = _symbols(own, inside)
            level += found
        if running is not None and own.running is None and own.closes:
            running["range"]["end"] = _end(places, placed)
            running = None
    if running is not None:
        running["range"]["end"] = _end(places, last)
    return roots


def _end(places: Places, placed: Placed | None) -> Position:
    assert placed is not None, "a symbol that goes on has begun in a section"
    return places.in_section(placed).end(placed.section.length)


def _symbols(outline: SectionOutline, inside: SectionPlaces) -> tuple[list[DocumentSymbol], DocumentSymbol | None]:
    """Return the symbols of a section as a tree, and the one that continues after it."""
    entries, number, *_ = outline
    # a cursor moves forward
    starts = {at: inside.place(at) for at in sorted([at for each in entries for at in (each.start, each.name_start)])}
    ends = {at: inside.end(at) for at in sorted([at for each in entries for at in (each.end, each.name_end)])}

    def span(start: int, end: int) -> Range:
        return {"start": starts[start], "end": ends[end] if start < end else starts[start]}

    running = None
    levels: list[list[DocumentSymbol]] = [[]]
    for index, each in enumerate(entries):
        name = each.name or UNNAMED
        made: DocumentSymbol = {
            "name": name,
            "kind": SYMBOL_KINDS[each.kind],
            "range": span(each.start, each.end),
            "selectionRange": span(each.name_start, each.name_end),
            "children": [],
        }
        if each.detail:
            made["detail"] = each.detail
        del levels[each.depth + 1 :]
        levels[-1].append(made)
        levels.append(made["children"])
        if index == number:
            running = made
    return levels[0], running

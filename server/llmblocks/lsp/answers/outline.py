"""The outline of a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.documents.places import Kept, Places, SectionPlaces
from llmblocks.lsp.wire.limits import MAX_OUTLINED
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.values import DocumentSymbol, Position, Range

if TYPE_CHECKING:
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Placed
    from llmblocks.features.outline import SectionOutline
    from llmblocks.languages.ask import Ask

    _Find: TypeAlias = Callable[[Section], SectionOutline]

SYMBOL_KINDS: Final = {"message": 3, "call": 12, "argument": 7, "data": 14, "block": 2}
"""The protocol's symbol kinds, known to every client: namespace, function, property, constant, module."""
UNNAMED: Final = "(unnamed)"
_KEPT: Final = Kept("outline")
_UNKNOWN: Final = Position(line=-1, character=-1)
_LEFT_OUT: Final = "… (the outline ends here)"


def symbols(ask: Ask, asker: Asker) -> Json:
    """Return the symbols of a document as a tree.

    Beyond `MAX_OUTLINED`, only those of the outermost layer; if these are still too many, the first ones.
    """
    from llmblocks.features.outline import entry_count

    count, number = entry_count(ask.language, only_outermost=False), 0
    for block in ask.document.sections.blocks:
        ask.pause()
        number += count(block)
    return _tree(ask, asker.places, only_outermost=number > MAX_OUTLINED)


def _tree(ask: Ask, places: Places, *, only_outermost: bool) -> list[DocumentSymbol]:
    from llmblocks.features.outline import entry_count, outline_of

    find, count = outline_of(ask.language, only_outermost), entry_count(ask.language, only_outermost)
    sections = ask.document.sections
    roots: list[DocumentSymbol] = []
    # a message continues over the sections, and the blocks of them, after its own
    running: DocumentSymbol | None = None
    room = MAX_OUTLINED
    for block in sections.blocks:
        ask.pause()
        room -= count(block)
        if room < 0:
            fitting, rest = _fitting([*sections.placed_in(block)], find, room + count(block))
            part = _block_outline(fitting, places, find)
        else:
            rest = None
            key = places.in_section(sections.first_of(block)).key, only_outermost
            part = _KEPT(block, key, _block_outline, sections.placed_in(block), places, find)
        level = roots if running is None else running["children"]
        level += part.before["children"]
        if running is not None:
            if (end := part.before["range"]["end"]) is not _UNKNOWN:
                running["range"]["end"] = end
            running = running if part.running is part.before else None
        if part.roots:
            level = roots
            level += part.roots
        if part.running is not None and part.running is not part.before:
            # its end and its contents will change
            running = level[-1] = part.running.copy()
            running["range"], running["children"] = running["range"].copy(), [*running["children"]]
        if rest is not None:
            here = places.in_section(rest).place(0)
            whole, name = Range(start=here, end=places.place(len(ask.document))), Range(start=here, end=here)
            kind = SYMBOL_KINDS["data"]
            roots.append(DocumentSymbol(name=_LEFT_OUT, kind=kind, range=whole, selectionRange=name, children=[]))
            break
    return roots


def _fitting(block: list[Placed], find: _Find, room: int) -> tuple[list[Placed], Placed]:
    """Return the sections of a block whose entries fit, and the first that does not."""
    for number, placed in enumerate(block):
        room -= len(find(placed.section).entries)
        if room < 0:
            return block[:number], placed
    raise AssertionError("all fit")


class _BlockOutline(NamedTuple):
    """The symbols of a block of sections."""

    before: DocumentSymbol
    """Stands for the symbol that goes on from earlier blocks, if there is one, with the end and the children here."""
    roots: list[DocumentSymbol]
    running: DocumentSymbol | None
    """The last symbol, or `before`, if it goes on after the block; it ends with the block for now."""


def _block_outline(block: Iterable[Placed], places: Places, find: _Find) -> _BlockOutline:
    nowhere = Range(start=_UNKNOWN, end=_UNKNOWN)
    before = DocumentSymbol(name="", kind=0, range=nowhere, selectionRange=nowhere, children=[])
    running: DocumentSymbol | None = before
    roots: list[DocumentSymbol] = []
    last: Placed | None = None
    for placed in block:
        own = find(placed.section)
        if running is not None and own.begins:
            if last is not None:
                running["range"]["end"] = _end(places, last)
            running = None
        last = placed
        if own.entries:
            level = roots if running is None else running["children"]
            found, going_on = _symbols(own, places.in_section(placed))
            level += found
            running = going_on or running
        if running is not None and own.running is None and own.closes:
            running["range"]["end"] = _end(places, placed)
            running = None
    if running is not None and last is not None:
        running["range"]["end"] = _end(places, last)
    return _BlockOutline(before, roots, running)


def _end(places: Places, placed: Placed) -> Position:
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

"""The outline of a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from llmblocks.core.query import Query
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.documents.cursor import Cursor
from llmblocks.lsp.wire.limits import MAX_OUTLINED
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.core.section import Section
    from llmblocks.features.outline import Entry, ShownEntries
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.documents.columns import Encoding
    from llmblocks.lsp.documents.text import AnalysedText

SYMBOL_KINDS: Final = {"message": 3, "call": 12, "argument": 7, "data": 14, "block": 2}
"""The protocol's symbol kinds, all of them known to every client: namespace, function, property, constant, module."""
UNNAMED: Final = "(unnamed)"
_SECTIONS: Final = 128
"""The sections that are looked at between two pauses."""
_LEFT_OUT: Final = "… (the outline ends here)"


def symbols(ask: Ask, asker: Asker) -> Json:
    """The symbols of a document: as a tree, or as a list for clients that know no trees.

    Where they are more than `MAX_OUTLINED`, they are those of the outermost layer; where these are more, the first.
    """
    from llmblocks.features.outline import shown

    tree = _tree(ask, asker.text, shown(ask.language)) or _tree(ask, asker.text, shown(ask.language, True), cuts=True)
    assert tree is not None, "one that is cut off is there"
    return tree if asker.client.nests_symbols else [*_flat(tree, asker.uri)]


def _flat(tree: Iterable[Json], uri: str, around: str = "") -> Iterator[Json]:
    container = {"containerName": around} if around else {}
    for each in tree:
        name = {"name": each["name"], "kind": each["kind"]}
        yield {**name, **container, "location": {"uri": uri, "range": each["range"]}}
        yield from _flat(each.get("children", ()), uri, each["name"])


def _tree(ask: Ask, text: AnalysedText, what: ShownEntries, *, cuts: bool = False) -> list[Json] | None:
    """The symbols as a tree. If they are too many, it is None, or `cuts` them off where the next section has some."""
    from llmblocks.features.outline import outline_of

    find, places = outline_of(what), _places_in(what, text.encoding)
    roots: list[Json] = []
    # a message goes on over the sections after the one that it begins in
    running: Json = None
    count = 0
    for placed in ask.document.placed():
        section, start, line, returns, number = placed
        if number % _SECTIONS == 0:
            ask.pause()
        own = find(section)
        line += returns
        if running is not None and own.begins:
            running["range"]["end"] = text.place(start)
            running = None
        if own.entries:
            count += len(own.entries)
            if count > MAX_OUTLINED:
                if not cuts:
                    return None
                here, end = text.place(start), text.place(len(ask.document))
                span = {"range": {"start": here, "end": end}, "selectionRange": {"start": here, "end": here}}
                roots.append({"name": _LEFT_OUT, "kind": SYMBOL_KINDS["data"], **span})
                break
            column = 0 if ask.document.sections.begins_line(placed) else text.position(start)[1]
            levels = [roots if running is None else running.setdefault("children", [])]
            for index, (entry, places_of) in enumerate(zip(own.entries, places(section), strict=True)):
                made = _symbol(entry, places_of, line, column)
                del levels[entry.depth + 1 :]
                levels[-1].append(made)
                levels.append(made.setdefault("children", []))
                if index == own.running:
                    running = made
        if running is not None and own.running is None and own.closes:
            running["range"]["end"] = text.place(start + section.length)
            running = None
    if running is not None:
        running["range"]["end"] = text.place(len(ask.document))
    return roots


def _symbol(entry: Entry, places: tuple[int, ...], line: int, column: int) -> Json:
    if column:
        places = tuple(
            [each + column if number % 2 and not places[number - 1] else each for number, each in enumerate(places)]
        )
    down, right, last_down, last, name_down, name, name_end_down, name_end = places
    detail = {"detail": entry.detail} if entry.detail else {}
    return {
        "name": entry.name or UNNAMED,
        **detail,
        "kind": SYMBOL_KINDS[entry.kind],
        "selectionRange": {
            "start": {"line": line + name_down, "character": name},
            "end": {"line": line + name_end_down, "character": name_end},
        },
        "range": {
            "start": {"line": line + down, "character": right},
            "end": {"line": line + last_down, "character": last},
        },
    }


@lru_cache(maxsize=32)
def _places_in(what: ShownEntries, encoding: Encoding) -> Query[Section, list[tuple[int, ...]]]:
    """Line and character of the four places of each entry of a section, counted from its start."""
    from llmblocks.features.outline import outline_of

    find = outline_of(what)

    def of(section: Section) -> list[tuple[int, ...]]:
        entries = find(section).entries
        cursor = Cursor(section, encoding)
        offsets = {at for each in entries for at in (each.start, each.end, each.name_start, each.name_end)}
        places = {at: cursor.place(at) for at in sorted(offsets)}
        return [
            (*places[each.start], *places[each.end], *places[each.name_start], *places[each.name_end])
            for each in entries
        ]

    return Query("places of an outline", of)

"""The dependencies between calls: a call, the uses of its id, and the ids that it waits for; and results of calls."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from llmblocks.core.symbol import Symbol
from llmblocks.features.lenses import standing
from llmblocks.features.selection import DocumentRange
from llmblocks.languages.ask import Ask


class ItemCall(NamedTuple):
    """A call, as its first line describes it.

    Shape: `title` is the gadget's name and `id` may be empty; `header` is the stretch of all names, `name` that of the
           id, or of the title. `waits` are the places of the ids that it waits for, `standing` is its fate.
    """

    title: str
    id: str
    header: DocumentRange
    name: DocumentRange
    waits: tuple[DocumentRange, ...]
    standing: str


class ResultPlace(NamedTuple):
    """The result of a call. Shape: `place` is that of the id."""

    id: str
    place: DocumentRange


def call_at(ask: Ask) -> ItemCall | None:
    """The call in whose first line a position is."""
    placed = ask.document.sections.at(ask.position)
    return _call_in(ask, ask.language.symbols(placed.section), placed.start)


def result_at(ask: Ask) -> ResultPlace | None:
    """The result of a call in whose first line a position is: in a text that repeats calls, its id is no call's."""
    if not ask.language.repeats or call_at(ask) is not None:
        return None
    section, start, *_ = ask.document.sections.at(ask.position)
    for role, _, name, *place in ask.language.symbols(section):
        if role == "reference" and place[0] <= ask.position - start <= place[1]:
            return ResultPlace(name, DocumentRange(start + place[0], start + place[1]))
    return None


def _call_in(ask: Ask, symbols: tuple[Symbol, ...], start: int) -> ItemCall | None:
    inside = ask.position - start
    for kind, known in ask.language.name_kinds.items():
        if not known.titled_by:
            continue
        names: list[Symbol] = []
        for symbol in symbols:
            if symbol.kind == known.titled_by:
                if symbol.start > inside:
                    break
                names = [symbol]
            elif symbol.kind == kind and names:
                names.append(symbol)
        if names and names[0].start <= inside <= names[-1].end:
            return _call(ask, names, start)
    return None


def _call(ask: Ask, names: list[Symbol], start: int) -> ItemCall:
    title, *others = names
    own = next((each for each in others if each.role == "definition"), None)
    name = own or title
    end = start + names[-1].end
    found = standing(replace(ask, start=end, end=end))
    return ItemCall(
        title.name,
        own.name if own is not None else "",
        DocumentRange(start + title.start, end),
        DocumentRange(start + name.start, start + name.end),
        tuple([DocumentRange(start + each.start, start + each.end) for each in others if each.role == "reference"]),
        found.says if found is not None else "",
    )

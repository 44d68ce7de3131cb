"""Call dependencies: a call, the uses of its id, the ids that it waits for, and its results; the graph of all calls."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from llmblocks.contract.answers import NO_CALLS, CallGraph
from llmblocks.core.symbol import Symbol
from llmblocks.features.lenses import standing
from llmblocks.features.selection import DocumentRange
from llmblocks.languages.ask import Ask


class ItemCall(NamedTuple):
    """A call, as its first line describes it."""

    title: str
    """The gadget's name."""
    id: str
    """May be empty."""
    header: DocumentRange
    """The stretch of all names."""
    name: DocumentRange
    """The place of the id, or else of the title."""
    waits: tuple[DocumentRange, ...]
    """The places of the ids that it waits for."""
    standing: str
    """Its fate."""


class ResultPlace(NamedTuple):
    """The result of a call."""

    id: str
    place: DocumentRange
    """The place of the id."""


def call_at(ask: Ask) -> ItemCall | None:
    """Return the call whose first line contains a position."""
    placed = ask.document.sections.at(ask.position)
    return _call_in(ask, ask.language.symbols(placed.section), placed.start)


def result_at(ask: Ask) -> ResultPlace | None:
    """Return the result whose first line contains a position.

    In a text that repeats calls, its id belongs to no call.
    """
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


def graph_of(ask: Ask) -> CallGraph:
    """Return the graph of the calls of a document, which may wait for calls of earlier files of its session."""
    for layer in ask.language.loaded:
        if layer.graph is not None:
            return layer.graph()(ask.index(), ask.settings, lambda _: ask.pause())
    return NO_CALLS

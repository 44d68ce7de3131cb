"""Names at a position: their definitions and uses, renaming, and the calls and results that depend on one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from llmblocks.contract.answers import NO_CALLS, CallGraph
from llmblocks.contract.headings import NameKind
from llmblocks.contract.other_files import SameName, other_files
from llmblocks.core.index import Index
from llmblocks.core.places import Elsewhere
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.features.marks import standing
from llmblocks.features.structure import DocumentRange, linked
from llmblocks.languages.ask import Ask


class NameUse(NamedTuple):
    start: int
    end: int
    defines: bool
    """Whether it is a definition."""


class Refused(NamedTuple):
    """The reason why a name cannot be changed."""

    reason: str


class Renamed(NamedTuple):
    """The places to write a new name, in order: in the document, and in the other files of its session."""

    places: tuple[DocumentRange, ...]
    elsewhere: tuple[Elsewhere, ...] = ()


class _Name(NamedTuple):
    names: Index
    kind: NameKind
    place: PlacedSymbol
    part: int | None
    """The part of the document whose definitions it refers to; None if nothing in the document defines it."""

    def defining(self) -> Iterator[tuple[PlacedSymbol, bool]]:
        """Yield the definitions of the name, and whether the text spells it there."""
        if self.part is None:
            return
        symbol = self.place.symbol
        every = self.names.definitions(symbol.kind, symbol.name)
        written = [each for each in every if _own_part(self.names, self.kind, each) == self.part]
        yield from [(each, True) for each in written]
        if not written and self.kind.implied is not None:
            implied = self.kind.implied(self.names, symbol.name, self.part)
            if implied is not None:
                yield implied, False

    def uses(self, *, with_definitions: bool) -> list[NameUse]:
        symbol = self.place.symbol
        every = self.names.references(symbol.kind, symbol.name)
        found = [self.use(each) for each in every if _part(self.names, self.kind, each) == self.part]
        if with_definitions:
            found += [self.use(each, defines=True) for each, written in self.defining() if written]
        return sorted(found)

    def use(self, place: PlacedSymbol, *, defines: bool = False) -> NameUse:
        start = self.names.start_of(place.section)
        return NameUse(start + place.symbol.start, start + place.symbol.end, defines)

    def same(self) -> SameName:
        """Return the places of the name in the other files of its session."""
        symbol = self.place.symbol
        every = self.names.definitions(symbol.kind, symbol.name)
        last = max([_own_part(self.names, self.kind, each) for each in every], default=-1)
        # a later response may give the name another meaning, or only the runtime gives it
        if not self.kind.per_message or self.part not in (None, last):
            return SameName()
        return other_files(self.names).same(symbol.kind, symbol.name, own=self.part is not None)

    def results(self) -> list[Elsewhere]:
        """Return the places of the results of calls with the id, in the next request of the session."""
        if not self.kind.per_message or self.part is None:
            return []
        answer = other_files(self.names).answer(self.place.symbol.name, len([*self.defining()]))
        return [] if answer is None else [each.place for each in answer.results]


def definitions(ask: Ask) -> list[NameUse]:
    """Return the definitions of the name at a position. A block is defined by its opening tag."""
    name = _name_at(ask)
    if name is None:
        return [NameUse(*each, defines=True) for each in linked(ask)[:1]]
    return [name.use(each, defines=True) for each, _ in name.defining()]


def references(ask: Ask, *, with_definitions: bool = True) -> list[NameUse]:
    """Return the uses of the name at a position, in order; the tags of a block."""
    name = _name_at(ask)
    if name is not None:
        return name.uses(with_definitions=with_definitions)
    tags = [NameUse(*each, defines=not number) for number, each in enumerate(linked(ask))]
    return [each for each in tags if with_definitions or not each.defines]


def definitions_elsewhere(ask: Ask) -> list[Elsewhere]:
    """Return the definitions of the name at a position in other files of the session or of the settings."""
    section, start = ask.document.sections.at(ask.position)[:2]
    known = ask.language.sources(section, ask.position - start, ask.settings)
    name = None if known else _name_at(ask)
    if name is None:
        return known
    # where the call itself is the definition, people want its result
    results = name.results() if name.place.symbol.role == "definition" else []
    return results or [*name.same().definitions]


def references_elsewhere(ask: Ask, *, with_definitions: bool = True) -> list[Elsewhere]:
    """Return the uses of the name at a position in the other files of its session, in order."""
    name = _name_at(ask)
    if name is None:
        return []
    same = name.same()
    return [*(same.definitions if with_definitions else ()), *same.references, *name.results()]


def results_elsewhere(ask: Ask) -> list[Elsewhere]:
    """Return the places of the results of calls with the id at a position, in the next request of the session."""
    name = _name_at(ask)
    return [] if name is None else name.results()


def highlights(ask: Ask) -> list[NameUse]:
    """Return the ranges to highlight for a position: the uses of a name, or both tags of a block."""
    name = _name_at(ask)
    return [NameUse(*each, False) for each in linked(ask)] if name is None else name.uses(with_definitions=True)


def renamable(ask: Ask) -> DocumentRange | Refused | None:
    """Return the name at a position if it can be renamed; None without a name."""
    name = _name_at(ask)
    if name is None:
        twins = linked(ask)
        return next((each for each in twins if each.start <= ask.position <= each.end), None)
    if name.kind.refuses is None:
        return Refused(name.kind.fixed)
    if not all(written for _, written in name.defining()):
        return Refused(f"the runtime gives the id `{name.place.symbol.name}`: write an id in the header of that call")
    use = name.use(name.place)
    return DocumentRange(use.start, use.end)


def rename(ask: Ask, new: str) -> Renamed | Refused | None:
    """Return the edits that rename the name at a position; None without a name."""
    can = renamable(ask)
    if can is None or isinstance(can, Refused):
        return can
    name = _name_at(ask)
    if name is None:
        reason = ask.language.refuses_twin(new, ask.settings)
        return Refused(reason) if reason else Renamed((*linked(ask),))
    index, old = name.names, name.place.symbol
    reason = name.kind.refuses(new) if name.kind.refuses else name.kind.fixed
    if not reason and new != old.name and (index.definitions(old.kind, new) or index.references(old.kind, new)):
        reason = f"`{new}` is another {name.kind.title} in this document"
    if not reason and name.kind.per_message:
        others = other_files(index)
        reason = others.unread
        if not reason and new != old.name and others.has(old.kind, new):
            reason = f"`{new}` is another {name.kind.title} in this session"
    if reason:
        return Refused(reason)
    places = tuple([DocumentRange(use.start, use.end) for use in name.uses(with_definitions=True)])
    # requests repeat earlier text
    same = name.same()
    return Renamed(places, (*same.definitions, *same.references))


def _name_at(ask: Ask) -> _Name | None:
    index = ask.index()
    section, start, *_ = ask.document.sections.at(ask.position)
    for symbol in index.symbols(section):
        kind = ask.language.name_kinds.get(symbol.kind)
        if kind is not None and symbol.name and symbol.start <= ask.position - start <= symbol.end:
            found = PlacedSymbol(section, symbol)
            return _Name(index, kind, found, _part(index, kind, found))
    return None


def _part(index: Index, kind: NameKind, found: PlacedSymbol) -> int | None:
    """Return the part of the document whose definitions a name refers to; None if none defines it."""
    symbol = found.symbol
    here = _own_part(index, kind, found)
    if symbol.role == "definition":
        return here
    parts = [_own_part(index, kind, each) for each in index.definitions(symbol.kind, symbol.name)]
    known = max([part for part in parts if part <= here], default=None)
    if kind.implied is not None:
        for part in range(here, -1 if known is None else known, -1):
            if kind.implied(index, symbol.name, part) is not None:
                return part
    return known


def _own_part(index: Index, kind: NameKind, found: PlacedSymbol) -> int:
    return index.part_of(found) if kind.per_message else 0


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
    id: str
    place: DocumentRange
    """The place of the id."""


def call_at(ask: Ask) -> ItemCall | None:
    placed = ask.document.sections.at(ask.position)
    return _call_in(ask, ask.language.symbols(placed.section), placed.start)


def result_at(ask: Ask) -> ResultPlace | None:
    """Return the result whose first line contains a position; only in a text that repeats calls."""
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

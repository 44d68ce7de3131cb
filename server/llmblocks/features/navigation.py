"""Names at a position: their definitions, their uses, and renaming."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from llmblocks.contract.naming import NameKind
from llmblocks.contract.other_files import SameName, other_files
from llmblocks.core.index import Index
from llmblocks.core.places import Elsewhere
from llmblocks.core.symbol import PlacedSymbol
from llmblocks.features.linked_editing import linked
from llmblocks.features.selection import DocumentRange
from llmblocks.languages.ask import Ask


class NameUse(NamedTuple):
    """A place of a name, in code points of the document."""

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
    """The name at a position."""

    kind: NameKind
    symbol: PlacedSymbol
    part: int | None
    """The part of its definition; None if nothing in the document defines it."""


def definitions(ask: Ask) -> list[NameUse]:
    """Return the definitions of the name at a position. A block is defined by its opening tag."""
    index = ask.index()
    name = _name_at(ask, index)
    if name is None:
        return [NameUse(*each, defines=True) for each in linked(ask)[:1]]
    return [*_uses(ask, index, [each for each, _ in _defining(index, name)], defines=True)]


def references(ask: Ask, *, with_definitions: bool = True) -> list[NameUse]:
    """Return the uses of the name at a position, in order; the tags of a block."""
    found = _of_name(ask, with_definitions=with_definitions)
    if found is None:
        tags = [NameUse(*each, defines=not number) for number, each in enumerate(linked(ask))]
        found = [each for each in tags if with_definitions or not each.defines]
    return found


def _of_name(ask: Ask, *, with_definitions: bool) -> list[NameUse] | None:
    """Return the uses of the name at a position, in order; None without one."""
    index = ask.index()
    name = _name_at(ask, index)
    if name is None:
        return None
    found = [*_uses(ask, index, _referring(index, name), defines=False)]
    if with_definitions:
        found += _uses(ask, index, [each for each, written in _defining(index, name) if written], defines=True)
    return sorted(found)


def definitions_elsewhere(ask: Ask) -> list[Elsewhere]:
    """Return the definitions of the name at a position in other files of the session or of the settings."""
    section, start = ask.document.sections.at(ask.position)[:2]
    known = ask.language.sources(section, ask.position - start, ask.settings)
    if known:
        return known
    index = ask.index()
    name = _name_at(ask, index)
    if name is not None and name.symbol.symbol.role == "definition":
        # the definition is the call itself: from there, people want its result
        told = results_elsewhere(ask, index)
        if told:
            return told
    return [*_same(ask, index).definitions]


def references_elsewhere(ask: Ask, *, with_definitions: bool = True) -> list[Elsewhere]:
    """Return the uses of the name at a position in the other files of its session, in order."""
    index = ask.index()
    same = _same(ask, index)
    return [*(same.definitions if with_definitions else ()), *same.references, *results_elsewhere(ask, index)]


def highlights(ask: Ask) -> list[NameUse]:
    """Return the ranges to highlight for a position: the uses of a name, or both tags of a block."""
    found = _of_name(ask, with_definitions=True)
    return [NameUse(*each, defines=False) for each in linked(ask)] if found is None else found


def renamable(ask: Ask) -> DocumentRange | Refused | None:
    """Return the name at a position if it can be renamed; None without a name."""
    index = ask.index()
    name = _name_at(ask, index)
    if name is None:
        twins = linked(ask)
        return next((each for each in twins if each.start <= ask.position <= each.end), None)
    if name.kind.refuses is None:
        return Refused(name.kind.fixed)
    if not all(written for _, written in _defining(index, name)):
        return Refused(f"the runtime gives the id `{name.symbol.symbol.name}`: write an id in the header of that call")
    (use,) = _uses(ask, index, [name.symbol], defines=False)
    return DocumentRange(use.start, use.end)


def rename(ask: Ask, new: str) -> Renamed | Refused | None:
    """Return the edits that rename the name at a position; None without a name."""
    can = renamable(ask)
    if can is None or isinstance(can, Refused):
        return can
    index = ask.index()
    name = _name_at(ask, index)
    if name is None:
        reason = ask.language.refuses_twin(new, ask.settings)
        return Refused(reason) if reason else Renamed((*linked(ask),))
    old = name.symbol.symbol
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
    places = tuple([DocumentRange(use.start, use.end) for use in references(ask)])
    # requests repeat earlier text
    same = _same(ask, index)
    return Renamed(places, (*same.definitions, *same.references))


def _same(ask: Ask, index: Index) -> SameName:
    """Return the places of the name at a position in the other files of its session."""
    name = _name_at(ask, index)
    if name is None or not name.kind.per_message:
        return SameName()
    kind, (_, symbol), part = name
    defined = [_own_part(index, kind, each) for each in index.definitions(symbol.kind, symbol.name)]
    if part is not None and part != max(defined, default=-1):
        # a later response gives the name another meaning, or only the runtime gives it
        return SameName()
    return other_files(index).same(symbol.kind, symbol.name, own=part is not None)


def results_elsewhere(ask: Ask, index: Index) -> list[Elsewhere]:
    """Return the places of the results of calls with the id at a position, in the next request of the session."""
    name = _name_at(ask, index)
    if name is None or not name.kind.per_message or name.part is None:
        return []
    symbol = name.symbol.symbol
    count = len([*_defining(index, name)])
    answer = other_files(index).answer(symbol.name, count)
    return [] if answer is None else [each.place for each in answer.results]


def _name_at(ask: Ask, index: Index) -> _Name | None:
    section, start, *_ = ask.document.sections.at(ask.position)
    for symbol in index.symbols(section):
        if (
            symbol.start <= ask.position - start <= symbol.end
            and symbol.name
            and symbol.kind in ask.language.name_kinds
        ):
            found, kind = PlacedSymbol(section, symbol), ask.language.name_kinds[symbol.kind]
            return _Name(kind, found, _part(index, kind, found))
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


def _defining(index: Index, name: _Name) -> Iterator[tuple[PlacedSymbol, bool]]:
    """Yield the definitions of a name, and whether the text spells it there."""
    kind, (_, symbol), part = name
    if part is None:
        return
    written = [each for each in index.definitions(symbol.kind, symbol.name) if _own_part(index, kind, each) == part]
    yield from [(each, True) for each in written]
    if not written and kind.implied is not None:
        implied = kind.implied(index, symbol.name, part)
        if implied is not None:
            yield implied, False


def _referring(index: Index, name: _Name) -> list[PlacedSymbol]:
    kind, (_, symbol), part = name
    return [each for each in index.references(symbol.kind, symbol.name) if _part(index, kind, each) == part]


def _uses(ask: Ask, index: Index, found: Iterable[PlacedSymbol], *, defines: bool) -> Iterator[NameUse]:
    for section, symbol in found:
        start = index.start_of(section)
        yield NameUse(start + symbol.start, start + symbol.end, defines)

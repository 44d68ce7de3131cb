"""The index of a document: the definitions and references of each name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Remembers, Section
from llmblocks.core.symbol import Role, Symbol
from llmblocks.core.symbol_order import Counts, PlacedSymbol, counts_of

if TYPE_CHECKING:
    from llmblocks.core.document import Change
    from llmblocks.core.sequence import Sections
    from llmblocks.core.symbol_order import SymbolsOf


class Touched(NamedTuple):
    """The names that an edit has touched."""

    names: dict[str, set[str]]
    """By kind of symbol, without boundaries. If a boundary was added or removed: all names between its neighbours."""
    replaced: Sequence[tuple[Section, Section]] = ()
    """The sections that have another text and the same symbols as before."""
    change: Change | None = None
    """The edit; None if everything must be checked again."""


_Key = tuple[Role, str]
_Row = dict[Section, None]
_MANY: Final = 64
"""From this number of symbols in a section, use a by-name table."""


class Index(Remembers):
    """The symbols of a document by name. Cached answers about it are dropped with each edit.

    A lookup costs the places of its name, an edit the names in the sections that it replaced. Positions are not stored:
    `place_of` and `count_before` compute them. `context` is for the checks of formats; see
    `contract/other_files.py`.
    """

    __slots__ = ("_by_name", "_rows", "_sections", "_symbols", "boundaries", "context")

    def __init__(self, sections: Sections, symbols: SymbolsOf, context: object = None) -> None:
        self.memory = None
        self.context = context
        self.boundaries = 0
        self._sections = sections
        self._symbols = symbols
        self._by_name = _by_name(symbols)
        # most names are in one section
        self._rows: dict[_Key, dict[str, Section | _Row]] = {}
        for section in sections:
            self._put(section, symbols(section))

    def in_order(self) -> Iterator[Symbol]:
        """Return all symbols in document order."""
        return chain.from_iterable(map(self._symbols, self._sections))

    def placed(self) -> Iterator[tuple[int, PlacedSymbol]]:
        """Yield all symbols in document order, each with the start of its section."""
        for section, start, *_ in self._sections.all():
            for symbol in self._symbols(section):
                yield start, PlacedSymbol(section, symbol)

    def definitions(self, kind: str, name: str) -> list[PlacedSymbol]:
        """Return the definitions of a name, in document order."""
        return self._found(("definition", kind), name)

    def references(self, kind: str, name: str) -> list[PlacedSymbol]:
        """Return the references to a name, in document order."""
        return self._found(("reference", kind), name)

    def names(self, role: Role, kind: str) -> Collection[str]:
        """Return all defined or referenced names of a kind, unordered."""
        return self._rows.get((role, kind), {}).keys()

    def repeated(self, role: Role, kind: str, names: Iterable[str]) -> list[str]:
        """Return those of the names that more than one section defines or refers to."""
        row = self._rows.get((role, kind), {})
        return [name for name in names if isinstance(row.get(name), dict)]

    def kinds(self) -> list[tuple[Role, str]]:
        """Return the roles and kinds of all names."""
        return [key for key, row in self._rows.items() if row]

    def symbols(self, section: Section) -> tuple[Symbol, ...]:
        """Return the symbols of a section of the document, in order."""
        return self._symbols(section)

    def count(self, role: Role, kind: str) -> int:
        """Return the number of symbols of a role and a kind."""
        return self._counted(role, kind).total(self._sections)

    def count_before(self, role: Role, kind: str, place: PlacedSymbol) -> int:
        """Return the number of symbols of a role and a kind before a place."""
        return self._counted(role, kind).before(self._sections, self.number(place.section), place.symbol.start)

    def nth(self, role: Role, kind: str, number: int) -> PlacedSymbol:
        """Return the symbol of a role and a kind at an index."""
        return self._counted(role, kind).nth(self._sections, number)

    def part_of(self, place: PlacedSymbol) -> int:
        """Return the number of boundaries before a place."""
        return self.count_before("boundary", "", place) if self.boundaries else 0

    @property
    def end_state(self) -> Any:
        """The state of the scanner at the end of the document."""
        return self._sections[len(self._sections) - 1].after

    def has(self, section: Section) -> bool:
        """Return whether the document contains a section."""
        return self._sections.number(section) is not None

    def number(self, section: Section) -> int:
        """Return the index of a section in the document, valid until the next edit."""
        found = self._sections.number(section)
        assert found is not None, "the index knows the sections of its document only"
        return found

    def start_of(self, section: Section) -> int:
        """Return the start of a section in the document."""
        return self._sections.place_of(section).start

    def after(self, section: Section) -> Iterator[Section]:
        """Yield the sections after one, in order."""
        return self._sections.onward(self.number(section) + 1)

    def before(self, section: Section) -> Iterator[Section]:
        """Yield the sections before one, nearest first."""
        return self._sections.backward(self.number(section))

    def beyond(self, change: Change) -> Iterator[Section]:
        """Yield the sections after an edit, in order."""
        return self._sections.onward(self._sections.at(change.start).number + len(change.added))

    def with_symbols(self, role: Role, kind: str) -> list[Section]:
        """Return the sections with symbols of a role and a kind, unordered."""
        rows = self._rows.get((role, kind), {}).values()
        return [*dict.fromkeys(section for row in rows for section in (row if isinstance(row, dict) else (row,)))]

    def changed_by(self, role: Role, kind: str, change: Change, *, before: int = 0) -> list[Section]:
        """Return the sections that an edit changed, and those of as many symbols of a role and a kind before them."""
        counted, first = self._counted(role, kind), self._sections.at(change.start).number
        number = counted.before(self._sections, first)
        around = [counted.nth(self._sections, each).section for each in range(max(number - before, 0), number)]
        return [*dict.fromkeys([*change.removed, *change.added, *around])]

    def in_text_order(self, places: Iterable[PlacedSymbol]) -> list[PlacedSymbol]:
        """Sort symbols by their places in the document."""
        return sorted(places, key=lambda each: (self.number(each.section), each.symbol.start))

    def all(self) -> Touched:
        """Return all names, as if an edit had touched them."""
        names: dict[str, set[str]] = {}
        for (_, kind), row in self._rows.items():
            names.setdefault(kind, set()).update(row)
        return Touched(names)

    def note(self, change: Change) -> Touched:
        """Update the index after an edit."""
        self.memory = None
        symbols = self._symbols
        gone = {section: found for section in change.removed if (found := symbols(section))}
        come = {section: found for section in change.added if (found := symbols(section))}
        for section, found in gone.items():
            self._remove(section, found)
        for section, found in come.items():
            self._put(section, found)
        if [*gone.values()] == [*come.values()]:
            return Touched({}, [*zip(gone, come, strict=True)], change)
        names: dict[str, set[str]] = {}
        sections = [*gone, *come]
        if _boundary_flags(gone.values()) != _boundary_flags(come.values()):
            sections += self._around(change)
        for symbol in chain.from_iterable(map(symbols, sections)):
            if symbol.role != "boundary":
                names.setdefault(symbol.kind, set()).add(symbol.name)
        return Touched(names, (), change)

    def _put(self, section: Section, symbols: Iterable[Symbol]) -> None:
        for role, kind, name, *_ in symbols:
            if role == "boundary":
                self.boundaries += 1
                continue
            row = self._rows.setdefault((role, kind), {})
            there = row.get(name)
            if there is None:
                row[name] = section
            elif isinstance(there, dict):
                there[section] = None
            else:
                row[name] = {there: None, section: None}

    def _remove(self, section: Section, symbols: Iterable[Symbol]) -> None:
        for role, kind, name, *_ in symbols:
            if role == "boundary":
                self.boundaries -= 1
                continue
            row = self._rows[role, kind]
            there = row.get(name)
            if there is section:
                del row[name]
            elif isinstance(there, dict):
                there.pop(section, None)
                if not there:
                    del row[name]

    def _found(self, key: _Key, name: str) -> list[PlacedSymbol]:
        there = self._rows.get(key, {}).get(name)
        if there is None:
            return []
        sections = [*there] if isinstance(there, dict) else [there]
        if len(sections) > 1:
            sections.sort(key=self.number)
        role, kind = key
        return [
            PlacedSymbol(section, symbol)
            for section in sections
            for symbol in self._named(section, name)
            if symbol.name == name and symbol.kind == kind and symbol.role == role
        ]

    def _named(self, section: Section, name: str) -> Iterable[Symbol]:
        """Return the symbols of a section with a name; all of them if they are few."""
        symbols = self._symbols(section)
        return symbols if len(symbols) < _MANY else self._by_name(section).get(name, ())

    def _counted(self, role: Role, kind: str) -> Counts:
        return counts_of(role, kind, self._symbols)

    def _around(self, change: Change) -> Iterator[Section]:
        """Yield the sections from the last boundary before a change to the first one after it."""
        sections, counted = self._sections, self._counted("boundary", "")
        first = sections.at(change.start).number
        ahead, every = counted.before(sections, first), counted.total(sections)
        after = counted.before(sections, first + len(change.added))
        last = counted.nth(sections, after).section if after < every else None
        for section in sections.onward(self.number(counted.nth(sections, ahead - 1).section) if ahead else 0):
            yield section
            if section is last:
                break


# kept, because its answers are cached on the sections below it
@lru_cache(maxsize=16)
def _by_name(symbols: SymbolsOf) -> Query[Section, dict[str, list[Symbol]]]:
    def read(section: Section) -> dict[str, list[Symbol]]:
        found: dict[str, list[Symbol]] = {}
        for symbol in symbols(section):
            found.setdefault(symbol.name, []).append(symbol)
        return found

    return Query("symbols by name", read)


def _boundary_flags(stated: Iterable[Iterable[Symbol]]) -> list[bool]:
    """Return whether each symbol is a boundary; empty if none is."""
    found = [symbol.role == "boundary" for symbols in stated for symbol in symbols]
    return found if any(found) else []

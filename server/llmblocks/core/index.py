"""The index of a document: the definitions and references of each name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.query import Query
from llmblocks.core.section import Remembers, Section
from llmblocks.core.symbol import PlacedSymbol, Role, Symbol

if TYPE_CHECKING:
    from llmblocks.core.document import Change
    from llmblocks.core.sequence import Block, Sections
    from llmblocks.core.symbol import SymbolsOf


class Touched(NamedTuple):
    """The names that an edit has touched."""

    names: dict[str, set[str]]
    """By kind of symbol, without boundaries. With an edit beside a boundary: all names up to the next boundaries."""
    replaced: Sequence[tuple[Section, Section]] = ()
    """The sections that have another text and the same symbols as before."""
    change: Change | None = None
    """The edit; None if everything must be checked again."""


_Key = tuple[Role, str]
# by role and kind: how many symbols are before each block, as far as this was asked
_SUMS: Query[Index, dict[_Key, list[int]]] = Query("symbols before blocks", lambda _: {})


class Index(Remembers):
    """The symbols of a document by name. Cached answers about it are dropped with each edit.

    A lookup costs the places of its name, an edit the names in the sections that it replaced. Positions are not stored:
    `start_of` and `count_before` compute them. `context` is for the checks of formats; see
    `contract/other_files.py`.
    """

    __slots__ = ("_counts", "_rows", "_symbols", "boundaries", "context", "sections")

    def __init__(self, sections: Sections, symbols: SymbolsOf, context: object = None) -> None:
        self.memory = None
        self.context = context
        self.boundaries = 0
        self.sections = sections
        """The sections of the document."""
        self._symbols = symbols
        self._counts = _counts(symbols)
        self._rows: dict[_Key, dict[str, PlacedSymbol | dict[Section, list[Symbol]]]] = {}
        for section in sections:
            self._put(section, symbols(section))

    def placed(self) -> Iterator[tuple[int, PlacedSymbol]]:
        """Yield all symbols in document order, each with the start of its section."""
        for section, start, *_ in self.sections.all():
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
        return [name for name in names if isinstance(there := row.get(name), dict) and len(there) > 1]

    def kinds(self) -> list[tuple[Role, str]]:
        """Return the roles and kinds of all names."""
        return [key for key, row in self._rows.items() if row]

    def symbols(self, section: Section) -> tuple[Symbol, ...]:
        """Return the symbols of a section of the document, in order."""
        return self._symbols(section)

    def count(self, role: Role, kind: str) -> int:
        """Return the number of symbols of a role and a kind."""
        return self._before((role, kind), len(self.sections))

    def count_before(self, role: Role, kind: str, place: PlacedSymbol) -> int:
        """Return the number of symbols of a role and a kind before a place."""
        section, symbol = place
        within = [each for each in self._of((role, kind), section) if each.start < symbol.start]
        return self._before((role, kind), self.number(section)) + len(within)

    def nth(self, role: Role, kind: str, number: int) -> PlacedSymbol:
        """Return the symbol of a role and a kind at an index.

        Raises:
            IndexError: There are fewer.
        """
        key = role, kind
        for block in self.sections.blocks:
            if number < self._counts(block)[key]:
                placed = (PlacedSymbol(section, symbol) for section in block for symbol in self._of(key, section))
                return next(islice(placed, number, None))
            number -= self._counts(block)[key]
        raise IndexError(number)

    def part_of(self, place: PlacedSymbol) -> int:
        """Return the number of boundaries before a place."""
        return self.count_before("boundary", "", place) if self.boundaries else 0

    def number(self, section: Section) -> int:
        """Return the index of a section in the document, valid until the next edit."""
        return self.sections.place_of(section).number

    def start_of(self, section: Section) -> int:
        """Return the start of a section in the document."""
        return self.sections.place_of(section).start

    def with_symbols(self, role: Role, kind: str) -> list[Section]:
        """Return the sections with symbols of a role and a kind, unordered."""
        rows = self._rows.get((role, kind), {}).values()
        return [*dict.fromkeys(chain.from_iterable([each if isinstance(each, dict) else each[:1] for each in rows]))]

    def changed_by(self, role: Role, kind: str, change: Change) -> list[Section]:
        """Return the sections that an edit changed, and that of the last symbol of a role and a kind before them."""
        number = self._before((role, kind), self.sections.at(change.start).number)
        before = [self.nth(role, kind, number - 1).section] if number else []
        return [*dict.fromkeys([*change.removed, *change.added, *before])]

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
        if any(symbol.role == "boundary" for symbol in chain(*gone.values(), *come.values())):
            sections += self._around(change)
        for symbol in chain.from_iterable(map(symbols, sections)):
            if symbol.role != "boundary":
                names.setdefault(symbol.kind, set()).add(symbol.name)
        return Touched(names, (), change)

    def _put(self, section: Section, symbols: Iterable[Symbol]) -> None:
        for symbol in symbols:
            role, kind, name, *_ = symbol
            if role == "boundary":
                self.boundaries += 1
                continue
            row = self._rows.setdefault((role, kind), {})
            if (there := row.get(name)) is None:
                row[name] = PlacedSymbol(section, symbol)
                continue
            if not isinstance(there, dict):
                there = row[name] = {there.section: [there.symbol]}
            there.setdefault(section, []).append(symbol)

    def _remove(self, section: Section, symbols: Iterable[Symbol]) -> None:
        for role, kind, name, *_ in symbols:
            if role == "boundary":
                self.boundaries -= 1
                continue
            row = self._rows[role, kind]
            if isinstance(there := row.get(name), dict):
                there.pop(section, None)
            if not isinstance(there, dict) or not there:
                row.pop(name, None)

    def _found(self, key: _Key, name: str) -> list[PlacedSymbol]:
        there = self._rows.get(key, {}).get(name, {})
        if not isinstance(there, dict):
            return [there]
        sections = sorted(there, key=self.number) if len(there) > 1 else there
        return [PlacedSymbol(section, symbol) for section in sections for symbol in there[section]]

    def _of(self, key: _Key, section: Section) -> list[Symbol]:
        return [each for each in self._symbols(section) if each[:2] == key]

    def _before(self, key: _Key, number: int) -> int:
        """Return the number of symbols of a role and a kind before the section at an index."""
        sums, blocks = _SUMS(self).setdefault(key, [0]), self.sections.blocks
        block, inside = self.sections.inside(number)
        while len(sums) <= block:
            sums.append(sums[-1] + self._counts(blocks[len(sums) - 1])[key])
        return sums[block] + sum([len(self._of(key, section)) for section in blocks[block].sections[:inside]])

    def _around(self, change: Change) -> Iterator[Section]:
        """Yield the sections around a change, up to the boundaries before and after it."""
        first = self.sections.at(change.start).number
        for beside in (self.sections.backward(first), self.sections.onward(first + len(change.added))):
            for section in beside:
                yield section
                if any(symbol.role == "boundary" for symbol in self._symbols(section)):
                    break


# kept, because its answers are cached on the blocks of documents
@lru_cache(maxsize=16)
def _counts(symbols: SymbolsOf) -> Query[Block, Counter[_Key]]:
    """Return the query for the number of symbols of each role and kind in a block."""
    return Query("counts of symbols", lambda block: Counter([each[:2] for one in block for each in symbols(one)]))

"""The index of a document: the definitions and references of each name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.core.other_files import ALONE, OtherFiles
from llmblocks.core.query import SHORT, Query, Summary, evict
from llmblocks.core.sequence import Address
from llmblocks.core.symbol import Role, Symbol
from llmblocks.core.symbol_order import Counts, PlacedSymbol, counts_of
from llmblocks.core.tree import Remembers

if TYPE_CHECKING:
    from llmblocks.core.rescan import Change
    from llmblocks.core.section import Piece, Section, Tree
    from llmblocks.core.sequence import Sections
    from llmblocks.core.symbol_order import SymbolsOf


class Touched(NamedTuple):
    """The names that an edit has touched.

    Shape: `names` by kind of symbol, boundaries left out: where one has come or gone, these are all names up to the
           boundaries around it. `replaced` are the pieces that have other text and the same symbols as before. Without
           a `change`, all is to be looked at anew.
    """

    names: dict[str, set[str]]
    replaced: Sequence[tuple[Piece, Piece]] = ()
    change: Change | None = None


_Key = tuple[Role, str]
_Row = dict["Piece", None]
_FIRST = Address(0, 0)
_MANY = 64
"""Of so many symbols in a piece, those of one name are looked up."""


class Index(Remembers):
    """The symbols of a document by name. It forgets the answers of queries about it with each edit.

    A question costs the places of the name that is asked for, an edit the names in the pieces that it made anew.
    Positions are not stored: `find` and `count_before` look them up.

    Shape: `symbols` states those of a piece, in order, places counted from its start. `boundaries` is their number.
    """

    __slots__ = ("_by_name", "_named", "_parts", "_rows", "_sections", "_symbols", "boundaries", "other_files")

    def __init__(self, sections: Sections, symbols: SymbolsOf, other_files: OtherFiles = ALONE) -> None:
        self.memory = None
        self.other_files = other_files
        self._sections = sections
        self._symbols = symbols
        self._by_name = _by_name(symbols)
        self._named = _named(symbols)
        self.boundaries = 0
        # a piece that stands by itself has a name once
        self._rows: dict[_Key, dict[str, Piece | _Row]] = {}
        self._parts: dict[tuple[Piece, int], int] = {}
        for section in sections:
            for piece in section.pieces:
                self._put(piece, symbols(piece))
            if sections.length >= SHORT:
                evict(section)

    def in_order(self) -> Iterator[Symbol]:
        """All symbols of the document, in its order."""
        return chain.from_iterable(map(self._symbols, self._sections.pieces_from(_FIRST)))

    def definitions(self, kind: str, name: str) -> list[PlacedSymbol]:
        """The definitions of a name, in document order."""
        return self._found(("definition", kind), name)

    def references(self, kind: str, name: str) -> list[PlacedSymbol]:
        """The references to a name, in document order."""
        return self._found(("reference", kind), name)

    def names(self, role: Role, kind: str) -> Collection[str]:
        """All defined or referenced names of a kind, unordered."""
        return self._rows.get((role, kind), {}).keys()

    def repeated(self, role: Role, kind: str, names: Iterable[str]) -> list[str]:
        """Those of some names that may be defined, or referenced, at several places."""
        row = self._rows.get((role, kind), {})
        return [name for name in names if isinstance(row.get(name), dict)]

    def kinds(self) -> list[tuple[Role, str]]:
        """The roles and kinds of all names."""
        return [key for key, row in self._rows.items() if row]

    def symbols(self, piece: Piece) -> tuple[Symbol, ...]:
        """The symbols of a piece of the document."""
        return self._symbols(piece)

    def pieces_with_symbols(self, pieces: Tree) -> tuple[Piece, ...]:
        """Those of some pieces that have symbols, in order. An edit in a long section costs what it changes."""
        return self._named(pieces)

    def count(self, role: Role, kind: str) -> int:
        """The number of symbols of a role and a kind."""
        return self._counted(role, kind).total(self._sections.root)

    def part_of(self, place: PlacedSymbol) -> int:
        """The number of boundaries before a place."""
        if not self.boundaries:
            return 0
        key = place.piece, place.symbol.start
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = self.count_before("boundary", "", place)
        return part

    def count_before(self, role: Role, kind: str, place: PlacedSymbol) -> int:
        """The number of symbols of a role and a kind before a place."""
        return self._counted(role, kind).before(self._sections.root, self.address(place.piece), place.symbol.start)

    def nth(self, role: Role, kind: str, number: int) -> PlacedSymbol:
        """The symbol of a role and a kind at this index."""
        return self._counted(role, kind).nth(self._sections.root, number)

    @property
    def end_state(self) -> Any:
        """The state of the scanner at the end of the document."""
        return self._sections.at(self._sections.length).section.after

    def has(self, piece: Piece) -> bool:
        """Whether a piece is one of the document."""
        return self._sections.find(piece) is not None

    def beside(self, place: PlacedSymbol) -> tuple[Symbol, ...]:
        """The symbols that are stated together with one, in order."""
        return self._symbols(place.piece)

    def behind(self, place: PlacedSymbol) -> Iterator[tuple[int, tuple[Symbol, ...]]]:
        """What the lines behind those of a symbol state, with where they start, counted like its place."""
        at = place.piece.length
        for piece in self.after(place.piece):
            yield at, self._symbols(piece)
            at += piece.length

    def after(self, piece: Piece) -> Iterator[Piece]:
        """The pieces after one, in order."""
        section, number = self.address(piece)
        return self._sections.pieces_from(Address(section, number + 1))

    def with_symbols(self, role: Role, kind: str) -> list[Piece]:
        """The pieces with symbols of a role and a kind, unordered."""
        rows = self._rows.get((role, kind), {}).values()
        return [*dict.fromkeys(piece for row in rows for piece in (row if isinstance(row, dict) else (row,)))]

    def changed_by(self, role: Role, kind: str, change: Change, before: int) -> list[Piece]:
        """The pieces that an edit has changed, and those of so many symbols of a role and a kind before them."""
        pieces = [*change.gone, *change.come]
        if change.come:
            first = self.address(change.come[0])
        else:
            # nothing says where in its section pieces have gone
            placed = self._sections.at(change.start)
            first = Address(placed.number, 0)
            pieces += [piece for section in change.added for piece in section.pieces]
        number = self._counted(role, kind).before(self._sections.root, first, 0)
        pieces += [self.nth(role, kind, each).piece for each in range(max(number - before, 0), number)]
        return [*dict.fromkeys(pieces)]

    def all(self) -> Touched:
        """All names, as if an edit had touched them."""
        names: dict[str, set[str]] = {}
        for (_, kind), row in self._rows.items():
            names.setdefault(kind, set()).update(row)
        return Touched(names)

    def note(self, change: Change) -> Touched:
        """Update the index after an edit."""
        self.memory, self._parts = None, {}
        symbols = self._symbols
        gone = {piece: found for piece in change.gone if (found := symbols(piece))}
        come = {piece: found for piece in change.come if (found := symbols(piece))}
        for piece, found in gone.items():
            self._remove(piece, found)
        for piece, found in come.items():
            self._put(piece, found)
        if [*gone.values()] == [*come.values()]:
            return Touched({}, [*zip(gone, come, strict=True)], change)
        names: dict[str, set[str]] = {}
        pieces = [*gone, *come]
        if self._boundary_flags(gone) != self._boundary_flags(come):
            pieces += self._around(change)
        for symbol in chain.from_iterable(map(self._symbols, pieces)):
            if symbol.role != "boundary":
                names.setdefault(symbol.kind, set()).add(symbol.name)
        return Touched(names, (), change)

    def _boundary_flags(self, pieces: Iterable[Piece]) -> list[bool]:
        """Whether each symbol is a boundary; empty if none is."""
        found = [symbol.role == "boundary" for piece in pieces for symbol in self._symbols(piece)]
        return found if any(found) else []

    def _put(self, piece: Piece, symbols: Iterable[Symbol]) -> None:
        for role, kind, name, *_ in symbols:
            if role == "boundary":
                self.boundaries += 1
                continue
            row = self._rows.setdefault((role, kind), {})
            there = row.get(name)
            if there is None:
                row[name] = piece
            elif isinstance(there, dict):
                there[piece] = None
            else:
                row[name] = {there: None, piece: None}

    def _remove(self, piece: Piece, symbols: Iterable[Symbol]) -> None:
        for role, kind, name, *_ in symbols:
            if role == "boundary":
                self.boundaries -= 1
                continue
            row = self._rows[role, kind]
            there = row.get(name)
            if there is piece:
                del row[name]
            elif isinstance(there, dict):
                there.pop(piece, None)
                if not there:
                    del row[name]

    def _found(self, key: _Key, name: str) -> list[PlacedSymbol]:
        there = self._rows.get(key, {}).get(name)
        if there is None:
            return []
        pieces = [*there] if isinstance(there, dict) else [there]
        if len(pieces) > 1:
            pieces.sort(key=self.address)
        role, kind = key
        return [
            PlacedSymbol(piece, symbol)
            for piece in pieces
            for symbol in self._like(piece, name)
            if symbol.name == name and symbol.kind == kind and symbol.role == role
        ]

    def _like(self, piece: Piece, name: str) -> Sequence[Symbol]:
        """The symbols of a piece with a name, or all if they are few."""
        symbols = self._symbols(piece)
        return symbols if len(symbols) < _MANY else self._by_name(piece).get(name, ())

    def address(self, piece: Piece) -> Address:
        """The place of a piece in the document, valid until the next edit."""
        found = self._sections.find(piece)
        assert found is not None, "the index knows the pieces of its document only"
        return found

    def section_of(self, place: PlacedSymbol) -> Section:
        """The section that a symbol is in."""
        return self._sections.placed(self.address(place.piece).section).section

    def in_text_order(self, places: Iterable[PlacedSymbol]) -> list[PlacedSymbol]:
        """Some symbols in the order of the document."""
        return sorted(places, key=lambda each: (self.address(each.piece), each.symbol.start))

    def start_of(self, piece: Piece) -> int:
        """Where a piece starts in the document."""
        return self._sections.start_of(self.address(piece))

    def base_of(self, place: PlacedSymbol) -> int:
        """What the place of a symbol counts from, in the document."""
        return self.start_of(place.piece)

    def placed(self) -> Iterator[tuple[int, PlacedSymbol]]:
        """All symbols of the document in its order, each with what its place counts from."""
        start = 0
        for piece in self._sections.pieces_from(_FIRST):
            for symbol in self._symbols(piece):
                yield start, PlacedSymbol(piece, symbol)
            start += piece.length

    def _counted(self, role: Role, kind: str) -> Counts:
        return counts_of(role, kind, self._symbols)

    def _around(self, change: Change) -> Iterator[Piece]:
        """The pieces from the last boundary before a change to the first one after it."""
        sections, counted = self._sections, self._counted("boundary", "")
        root, first = sections.root, sections.at(change.start).number
        behind = first + len(change.added)
        ahead, all_of_them = counted.before(root, Address(first, 0), 0), counted.total(root)
        after = counted.before(root, Address(behind, 0), 0) if behind < len(sections) else all_of_them
        last = counted.nth(root, after).piece if after < all_of_them else None
        for piece in sections.pieces_from(self.address(counted.nth(root, ahead - 1).piece) if ahead else _FIRST):
            yield piece
            if piece is last:
                break


# kept, because its answers are remembered on the pieces under it
@lru_cache(maxsize=64)
def _by_name(symbols: SymbolsOf) -> Query[Piece, dict[str, list[Symbol]]]:
    def read(piece: Piece) -> dict[str, list[Symbol]]:
        found: dict[str, list[Symbol]] = {}
        for symbol in symbols(piece):
            found.setdefault(symbol.name, []).append(symbol)
        return found

    return Query("symbols by name", read)


@lru_cache(maxsize=16)
def _named(symbols: SymbolsOf) -> Summary[tuple[Piece, ...]]:
    def join(parts: Iterable[tuple[Piece, ...]]) -> tuple[Piece, ...]:
        return (*chain.from_iterable(parts),)

    return Summary("pieces with names", lambda piece: (piece,) if symbols(piece) else (), join)

"""Problems of names, across a document or several."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from llmblocks.core.index import Index, Touched
from llmblocks.core.places import Elsewhere
from llmblocks.core.section import Piece
from llmblocks.core.symbol import PlacedSymbol, Role
from llmblocks.facts.rule import Rule


class NamedProblem(NamedTuple):
    """A problem of a name at a place in a document.

    Shape: `name` is the name that it is found by: it is judged again when that is checked again. `related` are the
           other places that it is about, each with its message; `elsewhere` are those in other files.
    """

    kind: Rule
    name: str
    place: PlacedSymbol
    data: Mapping[str, object]
    related: tuple[tuple[PlacedSymbol, str], ...] = ()
    elsewhere: tuple[tuple[Elsewhere, str], ...] = ()


class PieceCheck(NamedTuple):
    """The search of a format for problems of what begins in one piece and ends in another.

    Shape: `begins` are the role and the kind of the symbols at which the problems are, `reads` the kinds of all symbols
           that decide. `check` finds the problems of some pieces. Each looks forward, no further than the next of
           these: what is behind that judges nothing anew.
    """

    kind: Rule
    begins: tuple[Role, str]
    reads: frozenset[str]
    check: Callable[[Index, Iterable[Piece]], Iterable[NamedProblem]]


class NameCheck(NamedTuple):
    """The search of a format for problems of names. It sees the index, never the text.

    Shape: `affected` are the names about which something else may be said after an edit; `check` finds the problems
           of some names. `across_files` says that it looks at what is the `other_files` of the document, too.
    """

    kind: Rule
    affected: Callable[[Index, Touched], Collection[str]]
    check: Callable[[Index, Iterable[str]], Iterable[NamedProblem]]
    across_files: bool = False

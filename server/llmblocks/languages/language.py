"""A language: an id, file names, and layers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from llmblocks.contract.answers import Describe
    from llmblocks.contract.headings import Heading, NameKind
    from llmblocks.contract.layer import Layer
    from llmblocks.contract.paint import Paint, Paints
    from llmblocks.core.document import CountFindings, Document
    from llmblocks.core.nest import Nesting
    from llmblocks.core.places import Elsewhere
    from llmblocks.core.scan import Kind, Scanner
    from llmblocks.core.section import Section
    from llmblocks.core.symbol import Symbol, SymbolsOf
    from llmblocks.settings.values import Settings


# not a dataclass: to load that module takes a tenth of `llmblocks check` for a small file
class _Described(NamedTuple):
    id: str
    title: str
    layers: tuple[str, ...]
    """The names of formats, outermost first: each is a folder with a module `editor/layer.py` that defines `LAYER`."""
    sample: str
    """A short text with a part for each layer."""
    suffixes: tuple[str, ...] = ()
    """The suffixes of its files."""
    paths: tuple[str, ...] = ()
    """The glob patterns of files that a runtime writes."""
    comment: str = ""
    """Begins a comment line, or is empty."""
    triggers: str = ""
    """The characters after which an editor requests completions."""
    repeats: bool = False
    """A document repeats calls of others: it runs nothing, and its names are not checked."""
    names_files: bool = False
    """A document may name files by their paths."""
    data: bool = False
    """A host that embeds only the strings that settings name, or those of a known form."""
    code: bool = False
    """A host that embeds the strings that a comment marks or settings name."""
    fixed: bool = True
    """Its signs cannot be configured. Otherwise, it has no tree-sitter grammar."""


class Language(_Described):
    """A language. Its layers are loaded on first use."""

    _made: tuple[Settings, Scanner] | None = None
    # of the object: it is the key of caches that each key stroke asks
    __hash__ = object.__hash__

    def has_file(self, path: str) -> bool:
        """Return whether the path of a file matches this language. `/` separates folders."""
        return path.lower().endswith(self.suffixes) or self._paths.fullmatch(path) is not None

    def is_log(self, path: str) -> bool:
        """Return whether a runtime writes a file as one of several of a session."""
        return self._paths.fullmatch(path) is not None

    def scanner(self, settings: Settings) -> Scanner:
        """Return the scanner of all layers. The last one is cached by its settings.

        Raises:
            ValueError: This is a host of embedded texts, which has no layers.
        """
        if not self.layers:
            raise ValueError(
                f"{self.title} embeds texts of other languages and cannot be parsed: use check, fix or format"
            )
        made = self._made
        if made is None or made[0] is not settings:
            from llmblocks.core.layered import nested

            self._made = made = settings, nested([(layer.name, layer.scanner(settings)) for layer in self.loaded])
        return made[1]

    def open(self, text: str, settings: Settings, count_findings: CountFindings | None = None) -> Document:
        """Return a document of this language. See `Document` for `count_findings`."""
        from llmblocks.core.document import Document

        scanner = self.scanner(settings)
        return Document(scanner, text, count_findings) if count_findings else Document(scanner, text)

    @cached_property
    def loaded(self) -> tuple[Layer[Settings], ...]:
        """The layers, outermost first."""
        return tuple(map(self.load, self.layers))

    @staticmethod
    def load(name: str) -> Layer[Settings]:
        """Return one layer, by the name of its format's folder."""
        layer: Layer[Settings] = import_module(f"llmblocks.{name}.editor.layer").LAYER
        return layer

    @cached_property
    def nesting(self) -> Nesting:
        """The merged tables of all layers."""
        *around, nesting = (layer.nesting for layer in self.loaded)
        for outer in reversed(around):
            nesting = outer.around(nesting)
        return nesting

    @cached_property
    def hover(self) -> Mapping[Kind, Describe[Settings]]:
        """The hover texts of all layers, by kind of token."""
        return {kind: words for layer in self.loaded for kind, words in layer.hover().items()}

    def paints(self, settings: Settings) -> Paints:
        """Return the colours of all layers, as the same object for settings with the same colours."""
        marks = tuple([layer.marks(settings) if layer.marks is not None else None for layer in self.loaded])
        return _painted(self, marks)

    @cached_property
    def headings(self) -> Mapping[Kind, Heading]:
        """The names of nodes in an outline, of all layers, by kind of token."""
        return {kind: heading for layer in self.loaded for kind, heading in layer.headings().items()}

    @cached_property
    def outermost_headings(self) -> Mapping[Kind, Heading]:
        """The names of nodes of the outermost layer without arguments, for the outline of a long text."""
        return {kind: heading for kind, heading in self.loaded[0].headings().items() if heading.entry != "argument"}

    @cached_property
    def twins(self) -> Mapping[str, Kind]:
        """The kinds of nodes with the same name at both ends, of all layers, with the kind of its token."""
        return {node: kind for layer in self.loaded for node, kind in layer.twins.items()}

    def refuses_twin(self, name: str, settings: Settings) -> str:
        """Return the reason why a node cannot have a name at both ends; empty if it can."""
        reasons = (layer.refuses_twin(name, settings) for layer in self.loaded if layer.refuses_twin is not None)
        return next(filter(None, reasons), "")

    def sources(self, section: Section, offset: int, settings: Settings) -> list[Elsewhere]:
        """Return the places in other files that define the name at a place of a section."""
        return [
            place
            for layer in self.loaded
            if layer.sources is not None
            for place in layer.sources(section, offset, settings)
        ]

    def is_inside(self, state: Any) -> bool:
        """Return whether the free text after a state of the scanner is part of a value that begins before it."""
        return any(layer.is_inside(state) for layer in self.loaded if layer.is_inside is not None)

    @cached_property
    def name_kinds(self) -> Mapping[str, NameKind]:
        """The kinds of symbols that have names, of all layers."""
        return {kind: known for layer in self.loaded for kind, known in layer.name_kinds().items()}

    @cached_property
    def findable(self) -> Mapping[str, NameKind]:
        """The kinds of names that a search finds, of all layers."""
        return {kind: known for kind, known in self.name_kinds.items() if known.entry is not None}

    def stored(self, piece: Section) -> tuple[Symbol, ...]:
        """Return the names in a section, including those that only a search finds, in order; uncached."""
        queries = [query for layer in self.loaded for query in (layer.symbols, layer.landmarks) if query is not None]
        return _in_order([query(piece) for query in queries])

    @cached_property
    def comments(self) -> frozenset[Kind]:
        """The kinds of tokens that are comments in some layer."""
        return frozenset(kind for layer in self.loaded for kind in layer.comments)

    @cached_property
    def symbols(self) -> SymbolsOf:
        """Returns the names in a section, of all layers, in order. They are cached on the section."""
        stated = [layer.symbols for layer in self.loaded if layer.symbols is not None]

        def of_piece(piece: Section) -> tuple[Symbol, ...]:
            found = piece.symbols
            if found is None:
                found = piece.symbols = _alike((*map(_shared, _in_order([symbols(piece) for symbols in stated])),))
            return found

        return of_piece

    @cached_property
    def _paths(self) -> re.Pattern[str]:
        return re.compile("|".join(map(_pattern, self.paths)) or "(?!)", re.IGNORECASE | re.DOTALL)


@lru_cache(maxsize=64)
def _painted(language: Language, marks: tuple[Any, ...]) -> Paints:
    from llmblocks.contract.paint import Paints
    from llmblocks.settings.values import DEFAULTS

    found: dict[Kind, Paint] = {}
    # an outer layer's statements about its text also hold for inner layers
    for number in reversed(range(len(language.loaded))):
        layer = language.loaded[number]
        if layer.paint_over is not None and layer.marks is not None:
            over = layer.paint_over(marks[number], layer.marks(DEFAULTS))
            of_text = next((over[kind] for kind in layer.text if kind in over), None)
            if of_text is not None:
                found |= {kind: of_text for inner in language.loaded[number:] for kind in inner.text}
            found |= over
    for layer in language.loaded:
        found |= layer.paint()
    return Paints(found)


def _in_order(stated: Iterable[tuple[Symbol, ...]]) -> tuple[Symbol, ...]:
    first, *others = [*filter(None, stated)] or [()]
    return tuple(sorted(chain(first, *others), key=attrgetter("start"))) if others else first


# most names have the same place in many calls, and without ids, so do all those of a call
_shared: Final[Callable[[Symbol], Symbol]] = lru_cache(maxsize=4096)(lambda symbol: symbol)
_alike: Final[Callable[[tuple[Symbol, ...]], tuple[Symbol, ...]]] = lru_cache(maxsize=4096)(tuple)
_WILD = {"**/": "(?:.*/)?", "*": "[^/]*", "+([0-9])": "[0-9]+"}


def _pattern(glob: str) -> str:
    """Convert a glob pattern to a regular expression: `**/` is any folders, `*` part of a name, `+([0-9])` digits."""
    parts = re.split(r"(\*\*/|\*|\+\(\[0-9\]\))", glob)
    return "".join([_WILD.get(part) or re.escape(part) for part in parts])

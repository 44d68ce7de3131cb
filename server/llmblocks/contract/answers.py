"""The answers that a format gives about a text: hovers, hints, links, lenses, calls as received, and their graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, Literal, NamedTuple, TypeVar

from llmblocks.core.index import Index
from llmblocks.core.places import Elsewhere
from llmblocks.core.section import Section, Span
from llmblocks.facts.rule import Rule

S = TypeVar("S", contravariant=True)
T = TypeVar("T", covariant=True)


@dataclass(frozen=True, slots=True)
class Subject(Generic[T]):
    """The subject of a hover: a token in a section."""

    section: Section
    span: Span
    """The token, from the start of the section."""
    offset: int
    """The position of the hover, from the start of the section."""
    settings: T
    index: Callable[[], Index]
    """The names of the document."""

    @property
    def text(self) -> str:
        return self.section.text[self.span.start : self.span.end]


Describe = Callable[[Subject[T]], "str | None"]
"""Returns Markdown for a token at its place, or None."""


class Link(NamedTuple):
    """A link, in code points."""

    start: int
    end: int
    target: str
    """A URL, or a path from the folder of the document."""


HintKind = Literal["types", "waves", "ends"]


class Hint(NamedTuple):
    offset: int
    """Code points from the start of the section."""
    label: str
    kind: HintKind
    tooltip: str


HintsOf = Callable[[Section, int, int, S, Callable[[], Index]], "list[Hint]"]
"""Returns the hints of a section between two offsets in it. The function gives the names of the document."""


LensKind = Literal["order", "result", "parameters"]


class Reply(NamedTuple):
    """The result of a call, or the fact that it has none."""

    says: str
    place: Elsewhere | None = None
    excerpt: str = ""
    """The beginning of the result."""


class Standing(NamedTuple):
    """The place of a call or another construct in the order of a run."""

    says: str
    message: str = ""
    """The runtime's message if it does not run."""
    obstacle: int | None = None
    """The offset in the document of the construct that keeps it from running."""
    reply: Reply | None = None
    """Its result; None if no later file can have it."""


class Lenses(NamedTuple, Generic[S]):
    """The lenses of a format."""

    places: Callable[[Section], tuple[int, ...]]
    """Returns the offsets of the lenses of a section, in order."""
    standing: Callable[[Section, int, S, Callable[[], Index]], Standing | None]
    """Returns the standing of the construct that begins on the line that ends at an offset of a section; None without
    one. The function gives the names of the document.
    """
    has_order: Callable[[Index], bool]
    """Whether any construct of a document waits for another. If all begin at once, standings need not be shown."""


class ReceivedCall(NamedTuple):
    title: str
    json: str
    """Its parameters; empty if none can be read."""
    notes: tuple[str, ...] = ()


ReceivedAt = Callable[[Section, int, S], "ReceivedCall | None"]
"""Returns the call at an offset in a section; None outside of calls."""


class RejectedCalls(NamedTuple, Generic[S]):
    """The calls of a document that the runtime rejects."""

    rules: tuple[Rule, ...]
    """A document without problems of these rules has no rejected calls."""
    in_section: Callable[[Section, S], Iterable[int]]
    """Finds offsets in the calls of a section, in order, even if rules are switched off."""


GraphFormat = Literal["text", "mermaid", "dot", "svg"]
GRAPH_FORMATS: Final[tuple[GraphFormat, ...]] = ("text", "mermaid", "dot", "svg")


class CallGraph(NamedTuple):
    places: tuple[int, ...]
    """The offsets of its calls, in order."""
    is_empty: bool
    all_run: bool
    """Whether every call runs: none is rejected or waits for one that never ends."""
    write: Callable[[GraphFormat], str]


_EMPTY: Final[dict[GraphFormat, str]] = {
    "text": "no calls\n",
    "mermaid": "flowchart LR\n",
    "dot": "digraph calls {}\n",
    "svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
}
NO_CALLS: Final = CallGraph((), True, True, _EMPTY.__getitem__)
"""The graph of a document whose formats have no calls."""
GraphOf = Callable[[Index, S, Callable[[int], None]], CallGraph]
"""Returns the graph of the calls in a document. It is called with each offset that is done, which may raise."""

"""The contract of a format with the editor: everything that features need, as one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from llmblocks.contract.answers import Describe, GraphOf, HintsOf, Lenses, Link, ReceivedAt, RejectedCalls
    from llmblocks.contract.caret import Caret, Signature, Suggestion
    from llmblocks.contract.decoded import Decode, Style
    from llmblocks.contract.headings import Heading, NameKind
    from llmblocks.contract.paint import Paint
    from llmblocks.contract.streaming import Streaming
    from llmblocks.core.nest import Nesting
    from llmblocks.core.places import Elsewhere
    from llmblocks.core.query import Query
    from llmblocks.core.scan import Kind, Scanner
    from llmblocks.core.section import Section, Span
    from llmblocks.core.symbol import SymbolsOf
    from llmblocks.facts.name_checks import NameCheck
    from llmblocks.facts.problem import Facts
    from llmblocks.facts.silence import Silencing

S = TypeVar("S", contravariant=True)


class Layer(NamedTuple, Generic[S]):
    """One format as a layer of languages. It reads the text that the layer around it leaves free.

    Findings are computed eagerly; answer modules load on first request. `S` are the settings that the format reads.
    """

    name: str
    """The name of the format's folder."""
    scanner: Callable[[S], Scanner]
    """Makes the scanner for some settings: an `Outer` if another layer can be inside this one."""
    nesting: Nesting
    """A node of the kind "comment" folds as a comment."""
    hover: Callable[[], Mapping[Kind, Describe[S]]]
    """Loads a function for each kind of token that has an explanation."""
    paint: Callable[[], Mapping[Kind, Paint]]
    """Loads a function for each kind of token that has colours."""
    complete: Callable[[Caret, S], Iterable[Suggestion]]
    """Suggests completions anywhere but in tokens of the kinds in `comments`."""
    comments: frozenset[Kind] = frozenset()
    complete_comment: Callable[[Caret, S], Iterable[Suggestion]] | None = None
    """Suggests completions in tokens of the kinds in `comments`."""
    signature: Callable[[Caret, S], Signature | None] | None = None
    """The signature of a call."""
    closing: Callable[[Caret, str, S], str] | None = None
    """Returns the text that ends the construct begun by a character typed at the caret; empty if nothing is open."""
    ended: Callable[[Caret], str] | None = None
    """Returns the end marker before the caret, if the same text after the caret would be a second one; otherwise
    nothing.
    """
    closed: frozenset[Kind] = frozenset()
    """The kinds of tokens in which no inner layer completes."""
    owns: Callable[[Caret], bool] | None = None
    """Whether all text at the caret belongs to this layer, so that no inner layer completes."""
    facts: Callable[[S], Facts] | None = None
    """Makes the problems for some settings."""
    symbols: SymbolsOf | None = None
    landmarks: SymbolsOf | None = None
    """Definitions that only a search for names finds."""
    checks: tuple[NameCheck, ...] = ()
    headings: Callable[[], Mapping[Kind, Heading]] = dict
    """Loads the names of nodes in an outline."""
    twins: Mapping[str, Kind] = {}
    """The kinds of nodes with the same name at both ends, with the kind of its token."""
    refuses_twin: Callable[[str, S], str] | None = None
    """Returns the reason why twins cannot be renamed; empty if they can."""
    name_kinds: Callable[[], Mapping[str, NameKind]] = dict
    """Loads the description of each kind of symbol."""
    sources: Callable[[Section, int, S], Sequence[Elsewhere]] | None = None
    """Returns the places in other files that define the name at a place of a section, for some settings."""
    silencing: Callable[[], Silencing] | None = None
    """Loads the comments that silence findings, for texts in which this is the outermost layer. All begin with `SIGN`.
    """
    hints: Callable[[], HintsOf[S]] | None = None
    """Loads the function that returns the hints of a section."""
    links: Callable[[S], Query[Section, tuple[Link, ...]] | None] | None = None
    """Loads the function that returns the links of a section."""
    received: Callable[[], ReceivedAt[S]] | None = None
    """Loads the function that returns the call at a place, as a program receives it."""
    lenses: Callable[[], Lenses[S]] | None = None
    """Loads the lenses of the format."""
    marks: Callable[[S], Any] | None = None
    """Returns the part of the settings that decides which text is of the format. If it is not the default, the grammars
    of editors are wrong.
    """
    paint_over: Callable[[Any, Any], Mapping[Kind, Paint]] | None = None
    """Loads the additional colours for such marks, given these and the default ones."""
    text: frozenset[Kind] = frozenset()
    """The kinds of tokens outside the format."""
    parts: Callable[[], Callable[[Section, Sequence[Span], int], Iterable[tuple[int, int]]]] | None = None
    """Loads the steps of a growing selection: from a section, its tokens and the index of one, to the stretches around
    it.
    """
    is_inside: Callable[[Any], bool] | None = None
    """Whether the free text after a scanner's state is part of a value that begins before it."""
    decoded: Callable[[], Decode[S]] | None = None
    """Loads the values that fixes must keep. Without it, fixes must keep the text."""
    style: Callable[[], Style[S]] | None = None
    """Loads the formatter of the format."""
    streaming: Callable[[], Streaming[S]] | None = None
    """Loads the public stream."""
    graph: Callable[[], GraphOf[S]] | None = None
    """Loads the function that draws call dependencies."""
    rejected: Callable[[], RejectedCalls[S]] | None = None
    """Loads the function that finds the calls that the runtime rejects."""

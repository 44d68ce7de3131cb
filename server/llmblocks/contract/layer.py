"""The contract of a format with the editor: everything that features need, as one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from llmblocks.contract.call_graph import GraphOf
    from llmblocks.contract.caret import Caret, Signature, Suggestion
    from llmblocks.contract.decoded import Decode
    from llmblocks.contract.headings import Heading
    from llmblocks.contract.hint import HintsOf
    from llmblocks.contract.lens import Lenses
    from llmblocks.contract.link import Link
    from llmblocks.contract.naming import NameKind
    from llmblocks.contract.paint import Paint
    from llmblocks.contract.received import ReceivedAt, RejectedCalls
    from llmblocks.contract.streaming import Streaming
    from llmblocks.contract.style import Style
    from llmblocks.contract.subject import Describe
    from llmblocks.core.nest import Nesting
    from llmblocks.core.places import Elsewhere
    from llmblocks.core.query import Query
    from llmblocks.core.scan import Kind, Scanner
    from llmblocks.core.section import Section, Span
    from llmblocks.core.symbol_order import SymbolsOf
    from llmblocks.facts.name_checks import AnyCheck
    from llmblocks.facts.problem import Facts
    from llmblocks.facts.silence import Silencing

S = TypeVar("S", contravariant=True)


class Layer(NamedTuple, Generic[S]):
    """One format as a layer of languages. It takes the text that the layer around it leaves free.

    Findings are told before anybody asks for anything: what only answers questions is loaded when somebody asks.

    Shape: `name` is the name of the format's folder; `S` are the settings that the format reads.
           `scanner` makes the scanner for some settings, an `Outer` where a layer can be inside this one. `hover` and
           `paint` load a function for each kind of token that they explain or colour. `complete` is asked everywhere
           but in tokens of the kinds in `comments`, and `complete_comment` in those. No layer inside this one is asked
           in tokens of the kinds in `closed`, nor where `owns` says that all text is this layer's. `signature` is
           that of a call. A node of `nesting` of the kind "comment" folds as a comment.
           `facts` states the problems for some settings. `headings` loads the names of nodes in an outline. `twins` are
           the kinds of nodes that have the same name at both ends, with the kind of its token; `refuses_twin` gives the
           reason why they cannot have a new one, empty if they can. `name_kinds` loads what is known of the kinds of
           symbols; `landmarks` are definitions that only a search for names finds. `sources` gives the places in other
           files that define what is at a place of a section, for some settings. `hints` and `links` load the functions
           that give those of a section, `lenses` those of the format, and `received` the one that tells what a program
           receives of the call at a place. `silencing` loads that of the comments of a text in which it is the
           outermost layer; they all begin with `SIGN`. `closing` gives the text that ends what a character typed at
           the caret has begun, empty where nothing has begun or its end is there; `ended` gives the end in front of the
           caret, where the same text behind it would be a second end, and else nothing. `text` are the kinds of tokens
           outside of the format, and `marks` gives what in the settings decides which text is of the format. Where that
           is not the default, the grammars of editors are wrong: `paint_over` loads what more is coloured then, for
           those marks and the default ones. `parts` loads the function that tells where a selection stops that grows:
           from a section, its tokens and the number of one of them to the stretches in and around it.
           `is_inside` says whether the free text behind a scanner's state is part of a value that begins before it.
           `decoded` loads the values that fixes must keep, where none the text must stay; `style` loads the formatter's
           part, `streaming` the public stream, `graph` the function that draws calls that wait for each other, and
           `rejected` the one that finds those that the runtime rejects.
    """

    name: str
    scanner: Callable[[S], Scanner]
    nesting: Nesting
    hover: Callable[[], Mapping[Kind, Describe[S]]]
    paint: Callable[[], Mapping[Kind, Paint]]
    complete: Callable[[Caret, S], Iterable[Suggestion]]
    comments: frozenset[Kind] = frozenset()
    complete_comment: Callable[[Caret, S], Iterable[Suggestion]] | None = None
    signature: Callable[[Caret, S], Signature | None] | None = None
    closing: Callable[[Caret, str, S], str] | None = None
    ended: Callable[[Caret], str] | None = None
    closed: frozenset[Kind] = frozenset()
    owns: Callable[[Caret], bool] | None = None
    facts: Callable[[S], Facts] | None = None
    symbols: SymbolsOf | None = None
    landmarks: SymbolsOf | None = None
    checks: tuple[AnyCheck, ...] = ()
    headings: Callable[[], Mapping[Kind, Heading]] = dict
    twins: Mapping[str, Kind] = {}
    refuses_twin: Callable[[str, S], str] | None = None
    name_kinds: Callable[[], Mapping[str, NameKind]] = dict
    sources: Callable[[Section, int, S], Sequence[Elsewhere]] | None = None
    silencing: Callable[[], Silencing] | None = None
    hints: Callable[[], HintsOf[S]] | None = None
    links: Callable[[S], Query[Section, tuple[Link, ...]] | None] | None = None
    received: Callable[[], ReceivedAt[S]] | None = None
    lenses: Callable[[], Lenses[S]] | None = None
    marks: Callable[[S], Any] | None = None
    paint_over: Callable[[Any, Any], Mapping[Kind, Paint]] | None = None
    text: frozenset[Kind] = frozenset()
    parts: Callable[[], Callable[[Section, Sequence[Span], int], Iterable[tuple[int, int]]]] | None = None
    is_inside: Callable[[Any], bool] | None = None
    decoded: Callable[[], Decode[S]] | None = None
    style: Callable[[], Style[S]] | None = None
    streaming: Callable[[], Streaming[S]] | None = None
    graph: Callable[[], GraphOf[S]] | None = None
    rejected: Callable[[], RejectedCalls[S]] | None = None

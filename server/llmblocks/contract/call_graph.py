"""The graph of the calls of a document: which waits for which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeVar

from llmblocks.core.index import Index

S = TypeVar("S", contravariant=True)
GraphFormat = Literal["text", "mermaid", "dot", "svg"]
GRAPH_FORMATS: Final[tuple[GraphFormat, ...]] = ("text", "mermaid", "dot", "svg")


class CallGraph(NamedTuple):
    """The graph of a document.

    Shape: `places` are the offsets of its calls in order; `all_run` says whether none is rejected or waits in vain.
           `write` draws it.
    """

    places: tuple[int, ...]
    is_empty: bool
    all_run: bool
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
"""The graph of the calls in a document, by its names; called with each offset that is done, which may raise."""

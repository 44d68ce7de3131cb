"""The graph of the calls of a document: which call waits for which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeVar

from llmblocks.core.index import Index

S = TypeVar("S", contravariant=True)
GraphFormat = Literal["text", "mermaid", "dot", "svg"]
GRAPH_FORMATS: Final[tuple[GraphFormat, ...]] = ("text", "mermaid", "dot", "svg")


class CallGraph(NamedTuple):
    """The graph of a document."""

    places: tuple[int, ...]
    """The offsets of its calls, in order."""
    is_empty: bool
    all_run: bool
    """Whether every call runs: none is rejected or waits for one that never ends."""
    write: Callable[[GraphFormat], str]
    """Draws it."""


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

"""The requests of an agent as a layer: the messages, the ids of results, and answers about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from llmblocks.contract.layer import Layer
from llmblocks.core.late import late
from llmblocks.core.nest import Nesting
from llmblocks.core.section import Section, tokens_in
from llmblocks.core.symbol import Symbol
from llmblocks.request import kinds
from llmblocks.request.scanner import CallMarkers, RequestScanner

if TYPE_CHECKING:
    from llmblocks.request.editor import answers
else:
    (answers,) = late(__package__, "answers")


class RequestSettings(Protocol):
    """The settings of requests."""

    @property
    def markers(self) -> CallMarkers: ...


MESSAGE: Final = "message"

NESTING: Final = Nesting(
    opens={kinds.ROLE: MESSAGE},
    closes={},
    ends={MESSAGE: frozenset((MESSAGE,))},
    leads=frozenset((kinds.SIGN,)),
    runs=frozenset((MESSAGE,)),
    breaks=frozenset((kinds.ROLE,)),
)

INVOCATION: Final = "invocation"
"""The kind of the names of calls, as in the gadget format."""
_NAMED: Final = frozenset((kinds.ROLE, kinds.RESULT_ID))


def names_in(lines: Section) -> tuple[Symbol, ...]:
    """Return the ids of calls with a result, and a boundary where a message begins."""
    found: list[Symbol] = []
    for kind, start, end in () if _NAMED.isdisjoint(lines.kinds) else tokens_in(lines, _NAMED):
        if kind is kinds.ROLE:
            # each message of the assistant is a separate response
            found.append(Symbol("boundary", "", "", start, start))
        else:
            found.append(Symbol("reference", INVOCATION, lines.text[start:end], start, end))
    return (*found,)


LAYER: Final[Layer[RequestSettings]] = Layer(
    name="request",
    scanner=lambda settings: RequestScanner(settings.markers),
    nesting=NESTING,
    hover=lambda: answers.WORDS,
    paint=lambda: answers.PAINT,
    complete=lambda caret, settings: answers.suggest(caret, settings),
    closed=frozenset((kinds.PROMPT, kinds.OUTPUT, kinds.MEDIA, kinds.EXAMPLE_HEADER, kinds.EXAMPLE_POINTER)),
    headings=lambda: answers.HEADINGS,
    symbols=names_in,
    streaming=lambda: answers.STREAMING,
    decoded=lambda: answers.decoded,
)

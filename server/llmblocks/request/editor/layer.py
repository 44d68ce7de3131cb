"""The requests of an agent as a layer: the messages, the ids of results, and answers about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final, Protocol

from llmblocks.contract.answers import Describe, Subject
from llmblocks.contract.caret import Caret, Suggestion
from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.contract.headings import LONGEST, Heading, Title, first_words, said_by
from llmblocks.contract.layer import Layer
from llmblocks.contract.markup import code
from llmblocks.contract.paint import Paint, as_whole
from llmblocks.contract.streaming import Event, Streaming, TerminalEvent, plain
from llmblocks.core.nest import Nesting
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, tokens_in
from llmblocks.core.symbol import Symbol
from llmblocks.request import scanner
from llmblocks.request.scanner import HEADERS, MEDIA_LINE, RESULT_LINE
from llmblocks.request.stream import MessageEnded, MessageStarted, RequestStream, Text, read_messages


class RequestSettings(Protocol):
    """The settings of requests."""

    @property
    def markers(self) -> tuple[str, str, str]: ...


MESSAGE: Final = "message"
NESTING: Final = Nesting(
    opens={scanner.ROLE: MESSAGE},
    closes={},
    ends={MESSAGE: frozenset((MESSAGE,))},
    leads=frozenset((scanner.SIGN,)),
    runs=frozenset((MESSAGE,)),
    breaks=frozenset((scanner.ROLE,)),
)
INVOCATION: Final = "invocation"
"""The kind of the names of calls, as in the gadget format."""
_NAMED: Final = frozenset((scanner.ROLE, scanner.RESULT_ID))


def names_in(lines: Section) -> tuple[Symbol, ...]:
    """Return the ids of calls with a result, and a boundary where a message begins."""
    found: list[Symbol] = []
    for kind, start, end in () if _NAMED.isdisjoint(lines.kinds) else tokens_in(lines, _NAMED):
        # each message of the assistant is a separate response
        boundary = Symbol("boundary", "", "", start, start) if kind is scanner.ROLE else None
        found.append(boundary or Symbol("reference", INVOCATION, lines.text[start:end], start, end))
    return (*found,)


_ROLES: Final = {
    "SYSTEM": "Message of the system: instructions for the model. Calls in it are examples: none of them runs.",
    "USER": "Message of the user, or the result of a call. Calls in it are text: none of them runs.",
    "ASSISTANT": "Message of the model, as the runtime repeats it: calls that have run, with the parameters received.",
}
_UNESCAPED = "The runtime escapes nothing: a line of text that looks like this begins a message here, too."
_EXAMPLE = "Instruction or example for the model: only calls in the messages of the assistant have run."


def _message(text: str, start: int, end: int) -> Title:
    begin = text.find("\n", end) + 1 or len(text)
    found = RESULT_LINE.match(text, begin)
    said, begin = (f"Result {found['id']}", found.end()) if found else (text[start:end].lower(), begin)
    # an assistant's text is mostly calls, which have entries
    return said_by(said, "" if said == "assistant" else first_words(text, begin, begin + 4 * LONGEST))


HEADINGS: Final[dict[Kind, Heading]] = {scanner.ROLE: Heading("message", MESSAGE, _message)}


def _result(subject: Subject[object]) -> str:
    section, index = subject.section, subject.index()
    name = next(section.text[start:end] for kind, start, end in section.spans() if kind is scanner.RESULT_ID)
    defined = index.definitions(INVOCATION, name)
    if not defined:
        return f"Result of the call {code(name)}, which this request does not repeat."
    # the last call with this id; the name of its gadget is the symbol before the id
    symbols = index.symbols(defined[-1].section)
    called = symbols[symbols.index(defined[-1].symbol) - 1].name
    return f"Result of the call {code(name)}: what {code(called)} returned."


def _media(subject: Subject[object]) -> str:
    found = MEDIA_LINE.fullmatch(subject.text)
    if found is None:
        return "Media that a call returned."
    kept = f", kept in {code(found['path'])}" if found["path"] else ""
    return f"Media that a call returned: {found['kind']} {code(found['id'])}{kept}. The model got it with this message."


WORDS: Final[dict[Kind, Describe[object]]] = {
    scanner.SIGN: lambda _: f"Header of a message.\n\n{_UNESCAPED}",
    scanner.ROLE: lambda subject: f"{_ROLES[subject.text]}\n\n{_UNESCAPED}",
    **dict.fromkeys((scanner.RESULT, scanner.RESULT_ID, scanner.RESULT_END), _result),
    scanner.MEDIA: _media,
    **dict.fromkeys((scanner.EXAMPLE, scanner.EXAMPLE_HEADER, scanner.EXAMPLE_POINTER), lambda _: _EXAMPLE),
}
PAINT: Final[dict[Kind, Paint]] = {
    scanner.SIGN: as_whole("operator"),
    scanner.ROLE: as_whole("type"),
    **dict.fromkeys((scanner.RESULT, scanner.RESULT_END, scanner.EXAMPLE), as_whole("keyword")),
    scanner.RESULT_ID: as_whole("variable"),
    scanner.MEDIA: as_whole("comment"),
    scanner.EXAMPLE_HEADER: as_whole("function"),
    scanner.EXAMPLE_POINTER: as_whole("property"),
}


def suggest(caret: Caret, _: object) -> Iterator[Suggestion]:
    """Yield the headers that the line can become."""
    for header in HEADERS:
        if caret.before and header.startswith(caret.before) and not caret.after.strip():
            yield Suggestion(header, len(caret.before), "Begins a message", over=len(caret.after))


def _item(event: Any) -> Event | None:
    if not isinstance(event, MessageEnded) or event.message.role == "assistant":
        return None  # the inner formats read the assistant's text
    message = event.message
    if message.result_of is None:
        return {"type": "message", "role": message.role, "text": message.text}
    media = [asdict(each) for each in message.media]
    return {"type": "result", "id": message.result_of, "text": message.text, "media": media}


def _shown(event: Any) -> TerminalEvent | None:
    if isinstance(event, MessageStarted):
        return TerminalEvent(f"=== {event.role.upper()} ===", "bold blue", own_line=True)
    if isinstance(event, MessageEnded) and event.message.role != "assistant":
        message = event.message
        return TerminalEvent(f"Result ({message.result_of}): {message.text}" if message.result_of else message.text)
    return None


STREAMING: Final[Streaming[object]] = Streaming(
    open=lambda _: RequestStream(),
    free=lambda event: event.text if isinstance(event, Text) else None,
    event=plain,
    item=_item,
    why=lambda held, _: "the line may be the header of a message; its end decides" if held.end.startswith("=") else "",
    shown=_shown,
)


def decoded(text: str, _: RequestSettings) -> Decoded:
    """Return each message, and after one of the assistant its text, which contains calls and blocks."""
    found: Decoded = []
    for message in read_messages(text):
        if message.role == "assistant":
            found += [DecodedValue(repr(message.role)), message.text]
        else:
            found.append(DecodedValue(repr(message)))
    return found


LAYER: Final[Layer[RequestSettings]] = Layer(
    name="request",
    scanner=lambda settings: scanner.RequestScanner(settings.markers),
    nesting=NESTING,
    hover=lambda: WORDS,
    paint=lambda: PAINT,
    complete=suggest,
    closed=frozenset((scanner.PROMPT, scanner.OUTPUT, scanner.MEDIA, scanner.EXAMPLE_HEADER, scanner.EXAMPLE_POINTER)),
    headings=lambda: HEADINGS,
    symbols=names_in,
    streaming=lambda: STREAMING,
    decoded=lambda: decoded,
)

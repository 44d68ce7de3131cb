"""The answers about requests: hover, headings, completion, colours, and decoded values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from llmblocks.contract.answers import Describe, Subject
from llmblocks.contract.caret import Caret, Suggestion
from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.contract.headings import LONGEST, Heading, Title, first_words, said_by
from llmblocks.contract.markup import code
from llmblocks.contract.paint import Paint, as_whole
from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain, plain_value
from llmblocks.core.index import Index
from llmblocks.core.scan import Kind
from llmblocks.request import kinds
from llmblocks.request.editor.layer import INVOCATION, MESSAGE, RequestSettings
from llmblocks.request.scanner import HEADERS, MEDIA_LINE, RESULT_LINE
from llmblocks.request.stream import MessageEnded, MessageStarted, RequestStream, Text, read_messages


def _message(text: str, start: int, end: int) -> Title:
    begin = text.find("\n", end) + 1 or len(text)
    found = RESULT_LINE.match(text, begin)
    if found is not None:
        return said_by(f"Result {found['id']}", first_words(text, found.end(), found.end() + 4 * LONGEST))
    role = text[start:end].lower()
    # an assistant's text is mostly calls, which have entries
    return said_by(role, "" if role == "assistant" else first_words(text, begin, begin + 4 * LONGEST))


HEADINGS: Final[dict[Kind, Heading]] = {kinds.ROLE: Heading("message", MESSAGE, _message)}


_ROLES: Final = {
    "SYSTEM": "Message of the system: instructions for the model. Calls in it are examples: none of them runs.",
    "USER": "Message of the user, or the result of a call. Calls in it are text: none of them runs.",
    "ASSISTANT": "Message of the model, as the runtime repeats it: calls that have run, with the parameters received.",
}
_UNESCAPED = "The runtime escapes nothing: a line of text that looks like this begins a message here, too."


def _role(subject: Subject[object]) -> str:
    return f"{_ROLES[subject.text]}\n\n{_UNESCAPED}"


def _sign(_: Subject[object]) -> str:
    return f"Header of a message.\n\n{_UNESCAPED}"


def _result(subject: Subject[object]) -> str:
    name = next(
        subject.section.text[start:end] for kind, start, end in subject.section.spans() if kind is kinds.RESULT_ID
    )
    called = _gadget(subject.index(), name)
    if called is None:
        return f"Result of the call {code(name)}, which this request does not repeat."
    return f"Result of the call {code(name)}: what {code(called)} returned."


def _gadget(index: Index, name: str) -> str | None:
    """Return the gadget of the last call with an id. Its name is the symbol before the id."""
    defined = index.definitions(INVOCATION, name)
    if not defined:
        return None
    symbols = index.symbols(defined[-1].section)
    return symbols[symbols.index(defined[-1].symbol) - 1].name


def _media(subject: Subject[object]) -> str:
    found = MEDIA_LINE.fullmatch(subject.text)
    if found is None:
        return "Media that a call returned."
    kept = f", kept in {code(found['path'])}" if found["path"] else ""
    return f"Media that a call returned: {found['kind']} {code(found['id'])}{kept}. The model got it with this message."


def _example(_: Subject[object]) -> str:
    return "Instruction or example for the model: only calls in the messages of the assistant have run."


WORDS: Final[dict[Kind, Describe[object]]] = {
    kinds.SIGN: _sign,
    kinds.ROLE: _role,
    kinds.RESULT: _result,
    kinds.RESULT_ID: _result,
    kinds.RESULT_END: _result,
    kinds.MEDIA: _media,
    **dict.fromkeys((kinds.EXAMPLE, kinds.EXAMPLE_HEADER, kinds.EXAMPLE_POINTER), _example),
}


def suggest(caret: Caret, _: object) -> Iterator[Suggestion]:
    """Yield the headers that the line can become."""
    for header in HEADERS:
        if caret.before and header.startswith(caret.before) and not caret.after.strip():
            yield Suggestion(header, len(caret.before), "Begins a message", over=len(caret.after))


PAINT: Final[dict[Kind, Paint]] = {
    kinds.SIGN: as_whole("operator"),
    kinds.ROLE: as_whole("type"),
    kinds.RESULT: as_whole("keyword"),
    kinds.RESULT_ID: as_whole("variable"),
    kinds.RESULT_END: as_whole("keyword"),
    kinds.MEDIA: as_whole("comment"),
    kinds.EXAMPLE: as_whole("keyword"),
    kinds.EXAMPLE_HEADER: as_whole("function"),
    kinds.EXAMPLE_POINTER: as_whole("property"),
}


def _event(event: Any) -> Event:
    return plain(event)


def _item(event: Any) -> Event | None:
    if not isinstance(event, MessageEnded) or event.message.role == "assistant":
        # the inner formats read the assistant's text
        return None
    message = event.message
    if message.result_of is None:
        return {"type": "message", "role": message.role, "text": message.text}
    media = [plain_value(each) for each in message.media]
    return {"type": "result", "id": message.result_of, "text": message.text, "media": media}


def _shown(event: Any) -> TerminalEvent | None:
    if isinstance(event, MessageStarted):
        return TerminalEvent(f"=== {event.role.upper()} ===", "bold blue", own_line=True)
    if isinstance(event, MessageEnded) and event.message.role != "assistant":
        message = event.message
        return TerminalEvent(f"Result ({message.result_of}): {message.text}" if message.result_of else message.text)
    return None


def _why(held: Held, _: object) -> str:
    return "the line may be the header of a message; its end decides" if held.end.startswith("=") else ""


STREAMING: Final[Streaming[object]] = Streaming(
    open=lambda _: RequestStream(),
    free=lambda event: event.text if isinstance(event, Text) else None,
    event=_event,
    item=_item,
    why=_why,
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

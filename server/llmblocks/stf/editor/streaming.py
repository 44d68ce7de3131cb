"""The stream of chats, for the features, and the values that a fix must keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from llmblocks.contract.decoded import Decoded, DecodedValue, InnerText
from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain
from llmblocks.stf.editor.roles import formats_in
from llmblocks.stf.reading.assembler import ContentDelta, Found, MessageEnded, MessageStarted
from llmblocks.stf.stream import StfStream, decode

if TYPE_CHECKING:
    from llmblocks.stf.editor.settings import StfSettings
    from llmblocks.stf.values.messages import Message


def _event(event: Any) -> Event:
    if isinstance(event, MessageEnded):
        return {"event": "MessageEnded", "message": event.message.as_dict()}
    if isinstance(event, Found):
        finding = event.finding
        return {"event": "Found", "line": finding.line, "code": finding.code, "message": finding.message}
    return plain(event)


def _item(event: Any) -> Event | None:
    return event.message.as_dict() if isinstance(event, MessageEnded) else None


def _why(held: Held, settings: StfSettings) -> str:
    if held.size == held.at and held.text.startswith(held.begin):
        return "no complete line has determined the dialect yet"
    _, newline, line = held.end.rpartition("\n")
    if not newline and held.size > len(held.end):
        may_be_command = held.begin.startswith(("@", ";")) and "\n" not in held.begin
    else:
        may_be_command = line.startswith(("@", ";")) and held.text.startswith(line, held.at - len(line))
    if may_be_command:
        return "the line may be a command; its end decides"
    if held.end == "\r":
        return "it may be the first half of a line end"
    return "the body of a command is given when it ends"


def _shown(event: Any) -> TerminalEvent | None:
    if isinstance(event, ContentDelta):
        return TerminalEvent(event.delta)
    if isinstance(event, MessageStarted):
        return TerminalEvent(f"@{event.role}", "bold blue", own_line=True)
    if isinstance(event, Found):
        finding = event.finding
        return TerminalEvent(f"line {finding.line}: {finding.code} {finding.message}", "bold red", own_line=True)
    return None


def _whole(text: str, settings: StfSettings) -> Event:
    return decode(text, dialect=settings.dialect, default_role=settings.default_role or None).as_dict()


def decoded(text: str, settings: StfSettings) -> Decoded:
    """Return the metadata, then each message, followed by its text."""
    transcript = decode(text, dialect=settings.dialect, default_role=settings.default_role or None)
    found: Decoded = [DecodedValue(repr((transcript.has_metadata, transcript.metadata)))]
    for message in transcript.messages:
        found += [_value(message), InnerText(message.text, formats_in(message.role, settings))]
    return found


def _value(message: Message) -> DecodedValue:
    rest = message.as_dict()
    if isinstance(message.content, str):
        del rest["content"]
    else:
        # the inner formats also read the text between resources
        rest["content"] = [part | {"text": ""} if part.get("type") == "text" else part for part in rest["content"]]
    return DecodedValue(repr(rest), message=message.text)


STREAMING: Final[Streaming[StfSettings]] = Streaming(
    open=lambda settings: StfStream(dialect=settings.dialect, default_role=settings.default_role or None),
    free=lambda _: None,
    event=_event,
    item=_item,
    why=_why,
    shown=_shown,
    whole=_whole,
)

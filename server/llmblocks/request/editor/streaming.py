"""The stream of requests, as the features read it."""

from __future__ import annotations

from typing import Any, Final

from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain, plain_value
from llmblocks.request.reading.events import MessageEnded, MessageStarted, Text
from llmblocks.request.reading.stream import RequestStream


def _event(event: Any) -> Event:
    return plain(event)


def _item(event: Any) -> Event | None:
    if not isinstance(event, MessageEnded) or event.message.role == "assistant":
        # the formats inside tell what an assistant says
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

"""The stream of completions, for the features, and the values that a fix must keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from llmblocks.completions.content import value_of
from llmblocks.completions.machine import machine_of, regions_of
from llmblocks.completions.message import parse
from llmblocks.completions.shipped import template_called
from llmblocks.completions.stream import CompletionStream, RegionChunk, RegionClosed, RegionMalformed, RegionOpened
from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent

if TYPE_CHECKING:
    from .settings import CompletionSettings

_NAMES: Final = {
    RegionOpened: "region_open",
    RegionChunk: "region_chunk",
    RegionClosed: "region_close",
    RegionMalformed: "region_malformed",
}


def _event(event: Any) -> Event:
    values = event._asdict()
    if isinstance(event, RegionMalformed):
        values["reason"] = event.reason.reason
    return {"event": _NAMES[type(event)], **values}


def _item(event: Any) -> Event | None:
    if isinstance(event, RegionClosed):
        return {"type": "region", "field": event.field, "value": event.value}
    if isinstance(event, RegionMalformed):
        return {"type": "malformed", "field": event.field, "text": event.text, "reason": event.reason.reason}
    return None


def _shown(event: Any) -> TerminalEvent | None:
    if isinstance(event, RegionChunk):
        return TerminalEvent(event.text, "dim" if event.dirty else "cyan")
    if isinstance(event, RegionOpened):
        return TerminalEvent(event.field, "bold magenta", own_line=True)
    if isinstance(event, RegionMalformed):
        return TerminalEvent(f"no value: {event.reason.reason}", "bold red", own_line=True)
    return None


def _why(held: Held, _: CompletionSettings) -> str:
    return "it may become a delimiter"


def _whole(text: str, settings: CompletionSettings) -> Event:
    return parse(text, template_called(settings.template)).openai()


def decoded(text: str, settings: CompletionSettings) -> Decoded:
    """Return each region with its value, and the text outside of regions."""
    values: Decoded = []
    free: list[str] = []
    before = 0
    for region in regions_of(machine_of(template_called(settings.template)), text):
        field = region.field
        if field is None or field.open is None:
            free.append(text[region.content : region.content_end])
            before += region.content_end - region.content
            continue
        value, malformed = value_of(field, text[region.content : region.content_end], region.captures)
        parts = (("value", repr(value)),)
        values.append(DecodedValue(field.name, parts, accepted=malformed is None, before=before))
    return [*values, "".join(free)]


STREAMING: Final[Streaming[CompletionSettings]] = Streaming(
    open=lambda settings: CompletionStream(template_called(settings.template)),
    free=lambda _: None,
    event=_event,
    item=_item,
    why=_why,
    shown=_shown,
    whole=_whole,
)

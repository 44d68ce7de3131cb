"""The values of a text: the events of a stream, and the calls that a fix must keep."""

from __future__ import annotations

from typing import Any, Final

from llmblocks.contract.decoded import Decoded, DecodedValue
from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain
from llmblocks.gadget.call import GadgetCall, values_by_pointer
from llmblocks.gadget.editor.calls import GadgetSettings
from llmblocks.gadget.stream import ArgDelta, ArgStarted, CallEnded, CallStarted, GadgetStream, Text, read_calls


def _free(event: Any) -> str | None:
    return event.text if isinstance(event, Text) else None


def _event(event: Any) -> Event:
    if isinstance(event, CallEnded):
        return {"event": "CallEnded", "call": _as_json(event.call)}
    return plain(event)


def _item(event: Any) -> Event | None:
    return _as_json(event.call) if isinstance(event, CallEnded) else None


def _as_json(call: GadgetCall) -> Event:
    """Return a call as JSON. If it was rejected, `parameters` is null and `error` is the runtime's message."""
    return {
        "type": "call",
        "name": call.name,
        "id": call.invocation_id,
        "dependencies": list(call.dependencies),
        "parameters": call.parameters,
        "error": call.error,
        "errorKind": call.error_kind,
    }


def _why(held: Held, settings: GadgetSettings) -> str:
    markers = settings.markers
    known = (markers.start, markers.arg, markers.end)
    for marker in known:
        if marker in held.begin:
            return f"the line of {marker} is not complete"
    possible = [marker for marker in known if any(held.end.endswith(marker[:size]) for size in range(1, len(marker)))]
    if possible:
        return f"it may become {' or '.join(possible)}"
    if held.end.endswith(("\n", "\r")):
        return f"a line end before {markers.arg} or {markers.end} is not part of the value"
    return ""


def _shown(event: Any) -> TerminalEvent | None:
    if isinstance(event, ArgDelta):
        return TerminalEvent(event.delta, "cyan")
    if isinstance(event, CallStarted):
        needs = f" after {', '.join(event.dependencies)}" if event.dependencies else ""
        return TerminalEvent(f"> {event.name} {event.invocation_id}{needs}", "bold green", own_line=True)
    if isinstance(event, ArgStarted):
        return TerminalEvent(f"  {event.pointer}:", "green", own_line=True)
    if isinstance(event, CallEnded):
        error = event.call.error
        return TerminalEvent(f"< {error or 'complete'}", "bold red" if error else "bold green", own_line=True)
    return None


STREAMING: Final[Streaming[GadgetSettings]] = Streaming(
    open=lambda settings: GadgetStream(settings.markers),
    free=_free,
    event=_event,
    item=_item,
    why=_why,
    shown=_shown,
)


def decoded(text: str, settings: GadgetSettings) -> Decoded:
    """Return each call with its arguments, and the text outside of calls."""
    if settings.markers.start not in text:
        return [text]
    calls, places, free = read_calls(text, settings.markers)
    values: Decoded = [
        DecodedValue(
            repr((call.name, call.invocation_id, call.dependencies)),
            values_by_pointer(call),
            call.parameters is not None,
            before,
            name=call.name,
            body=call.parameters_raw,
        )
        for call, before in zip(calls, places, strict=True)
    ]
    return [*values, free]

"""The values of a text: the events of a stream, the calls that a fix must keep, and the style that keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from llmblocks.contract.decoded import Decoded, DecodedValue, gaps, without_gaps
from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain
from llmblocks.core.edits import Edit
from llmblocks.core.scan import Token
from llmblocks.core.section import Span
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call, GadgetCall, read_call, values_by_pointer
from llmblocks.gadget.editor.calls import GadgetSettings
from llmblocks.gadget.stream import ArgDelta, ArgStarted, CallEnded, CallStarted, GadgetStream, Text, read_calls
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.gadget.syntax.values import SPACE


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
    start, end, arg = settings.markers
    known = (start, arg, end)
    for marker in known:
        if marker in held.begin:
            return f"the line of {marker} is not complete"
    possible = [marker for marker in known if any(held.end.endswith(marker[:size]) for size in range(1, len(marker)))]
    if possible:
        return f"it may become {' or '.join(possible)}"
    if held.end.endswith(("\n", "\r")):
        return f"a line end before {arg} or {end} is not part of the value"
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
    free=lambda event: event.text if isinstance(event, Text) else None,
    event=lambda event: (
        {"event": "CallEnded", "call": _as_json(event.call)} if isinstance(event, CallEnded) else plain(event)
    ),
    item=lambda event: _as_json(event.call) if isinstance(event, CallEnded) else None,
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


def edits(text: str, spans: Iterable[Span], settings: GadgetSettings) -> Iterator[Edit]:
    """Yield the edits for plain headers and pointers, end markers, and one blank line between two calls."""
    marks: list[tuple[int, bool]] = []
    calls: list[list[Span]] = []
    for span in spans:
        if span.kind is kinds.START:
            marks.append((span.start, True))
            calls.append([])
        elif span.kind is kinds.END:
            marks.append((span.end, False))
        if calls:
            calls[-1].append(span)
    for each in calls:
        start = each[0].start
        call = read_call(text[start : each[-1].end], [Token(kind, end - at) for kind, at, end in each])
        for at, written, uniform in _parts(call, settings.markers) if call is not None else ():
            if written != uniform:
                yield Edit(start + at, start + at + len(written), uniform)
    yield from gaps(text, marks)


def _parts(call: Call, markers: Markers) -> Iterator[tuple[int, str, str]]:
    """Yield the place of the header, of each pointer and of a missing end marker, their text, and the uniform text."""
    text, (name, invocation_id, dependencies) = call.text, call.names
    parts = [name.of(text), *([invocation_id.of(text)] if invocation_id is not None else [])]
    if dependencies:
        parts.append(",".join([each.of(text) for each in dependencies]))
    yield call.header, text[call.header : call.header_end].rstrip("\r"), ":".join(parts)
    for each in call.arguments:
        at = each.start + len(markers.arg)
        line = text[at : each.value].removesuffix("\n").rstrip("\r")
        yield at, line, line.strip(SPACE)
    if not call.closed:
        head = call.arguments[-1].value if call.arguments else call.header_end + 1
        start = max(head, len(text[: call.end].rstrip("\r\n")) if text[call.end - 1] in "\r\n" else call.end)
        newline = "\r\n" if text[max(head - 2, 0) : head] == "\r\n" else "\n"
        added = [markers.end, ""] if text[start - 1] == "\n" else ["", markers.end, ""]
        yield start, text[start : call.end], newline.join(added)


def keeps(text: str, settings: GadgetSettings) -> object:
    """Return the calls as the runtime receives them, and the text between them without blank lines after a call."""
    calls, ends, free = read_calls(text, settings.markers)
    rejected = [(each.error, values_by_pointer(each)) if each.error else None for each in calls]
    kept = [(each.name, each.invocation_id, each.dependencies, each.parameters) for each in calls]
    return kept, rejected, without_gaps(free, ends)

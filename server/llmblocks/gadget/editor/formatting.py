"""The style of gadget calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from llmblocks.contract.decoded import DecodedValue
from llmblocks.contract.style import gaps, without_gaps
from llmblocks.core.edits import Edit
from llmblocks.core.scan import Token
from llmblocks.core.section import Span
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call, read_call, values_by_pointer
from llmblocks.gadget.editor.calls import GadgetSettings
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers


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
        for at, written, plain in _parts(call, settings.markers) if call is not None else ():
            if written != plain:
                yield Edit(start + at, start + at + len(written), plain)
    yield from gaps(text, marks)


def _parts(call: Call, markers: Markers) -> Iterator[tuple[int, str, str]]:
    """Yield the place of the header, of each pointer and of a missing end marker, their text, and the uniform text.

    The `\\r` of a line end is not part of a header or a pointer.
    """
    text, (name, invocation_id, dependencies, _) = call.text, call.names
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


def settled(edits: Sequence[Edit]) -> bool:
    """Return whether no further round is needed: a new marker needs a gap after it."""
    return not any(edit.text.strip() for edit in edits)


def keeps(text: str, settings: GadgetSettings, _: Sequence[DecodedValue]) -> object:
    """Return the calls as the runtime receives them, and the text between them without blank lines after a call."""
    calls, ends, free = read_calls(text, settings.markers)
    kept: list[object] = []
    for call in calls:
        read: object = call.parameters
        if read is None:
            read = call.error, [*values_by_pointer(call)]
        kept.append((call.name, call.invocation_id, call.dependencies, read))
    return kept, without_gaps(free, ends)

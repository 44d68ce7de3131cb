"""The style of gadget calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

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

_PADDED = re.compile(r"(?<![^/])0+(?=[0-9]+(?:/|$))")
_INDEX = re.compile(r"0|[1-9][0-9]*")


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
    places = [each.start + len(markers.arg) for each in call.arguments]
    lines = [
        text[at : each.value].removesuffix("\n").rstrip("\r") for at, each in zip(places, call.arguments, strict=True)
    ]
    written = [each.strip(SPACE) for each in lines]
    plain = [_PADDED.sub("", each) for each in written]
    if plain != written:
        # errors and the values of a rejected call quote the pointers as written
        plain = _without_zeros(written, plain) if call.decoded()[0] is not None else written
    yield from zip(places, lines, plain, strict=True)
    if not call.closed:
        head = call.arguments[-1].value if call.arguments else call.header_end + 1
        start = max(head, len(text[: call.end].rstrip("\r\n")) if text[call.end - 1] in "\r\n" else call.end)
        newline = "\r\n" if text[max(head - 2, 0) : head] == "\r\n" else "\n"
        added = [markers.end, ""] if text[start - 1] == "\n" else ["", markers.end, ""]
        yield start, text[start : call.end], newline.join(added)


def _without_zeros(written: Sequence[str], plain: Sequence[str]) -> list[str]:
    """Return the pointers of an accepted call, without leading zeros if the indices stay unique."""
    counts = Counter(plain)
    firsts: dict[str, str] = {}
    for pointer in written:
        parent = ""
        for segment in pointer.split("/"):
            firsts.setdefault(parent, segment)
            parent += f"/{segment}"
    return [
        new if new == old or (counts[new] == 1 and _in_arrays(old, firsts)) else old
        for old, new in zip(written, plain, strict=True)
    ]


def _in_arrays(pointer: str, firsts: Mapping[str, str]) -> bool:
    """Return whether all segments with leading zeros are indices. `firsts` are the first segments of each parent."""
    parent = ""
    for segment in pointer.split("/"):
        if _PADDED.match(segment) and not _INDEX.fullmatch(firsts[parent]):
            return False
        parent += f"/{segment}"
    return True


def settled(edits: Sequence[Edit]) -> bool:
    """Return whether no further round is needed.

    A new marker needs a gap after it, and a pointer without zeros may be the parent of others.
    """
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

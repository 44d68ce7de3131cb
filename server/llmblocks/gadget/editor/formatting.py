"""The style of gadget calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from llmblocks.contract.decoded import DecodedValue
from llmblocks.contract.style import gaps, without_gaps
from llmblocks.core.edits import Edit
from llmblocks.core.section import Span
from llmblocks.gadget import kinds
from llmblocks.gadget.call import values_by_pointer
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.syntax.header import locate_header
from llmblocks.gadget.syntax.javascript import SPACE

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_PADDED = re.compile(r"(?<![^/])0+(?=[0-9]+(?:/|$))")
_PLAIN_HEADER = re.compile(r"\w+(?::\w+(?::\w+(?:,\w+)*)?)?")
_INDEX = re.compile(r"0|[1-9][0-9]*")


def edits(text: str, spans: Iterable[Span], settings: GadgetSettings) -> Iterator[Edit]:
    """Yield the edits for plain headers and pointers, end markers, and one blank line between two calls."""
    marks: list[tuple[int, bool]] = []
    pointers: list[Span] = []
    head = tail = -1  # the end of the open call's last header or pointer, and the end of the call so far
    for kind, start, end in spans:
        if kind is kinds.START or kind is kinds.END:
            if kind is kinds.START and tail >= 0:
                yield _ended(text, head, tail, settings.markers.end)
            yield from _plain_pointers(text, marks, pointers, end, settings)
            pointers = []
            head = tail = -1
            marks.append((start, True) if kind is kinds.START else (end, False))
        elif kind is kinds.HEADER and not _PLAIN_HEADER.fullmatch(text, start, end):
            yield _changed(text, start, end, _header(text, start, end))
        elif kind is kinds.POINTER:
            pointers.append(Span(kind, start, end))
        if kind in (kinds.HEADER_END, kinds.POINTER, kinds.POINTER_END):
            head = end
        if head >= 0 and kind in kinds.CALL:
            tail = end
    if tail >= 0:
        yield _ended(text, head, tail, settings.markers.end)
    yield from _plain_pointers(text, marks, pointers, len(text), settings)
    yield from gaps(text, marks)


def _changed(text: str, start: int, end: int, plain: str) -> Edit:
    """Return the change of a header or a pointer. It does not include the `\\r` of a line end."""
    return Edit(start, start + len(text[start:end].rstrip("\r")), plain)


def _plain_pointers(
    text: str, marks: Sequence[tuple[int, bool]], pointers: Sequence[Span], end: int, settings: GadgetSettings
) -> Iterator[Edit]:
    """Yield the removals of spaces and leading zeros in the pointers of the call that began at the last mark."""
    written = [text[each.start : each.end].strip(SPACE) for each in pointers]
    plain = [_PADDED.sub("", each) for each in written]
    if plain != written:
        calls, *_ = read_calls(text[marks[-1][0] : end] if marks else "", settings.markers)
        # errors and the values of a rejected call quote the pointers as written
        accepted = any(call.error is None for call in calls)
        plain = _without_zeros(written, plain) if accepted else written
    for (_, start, stop), pointer in zip(pointers, plain, strict=True):
        if pointer != text[start:stop]:
            yield _changed(text, start, stop, pointer)


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


def _header(text: str, start: int, end: int) -> str:
    name, identifier, dependencies, _ = locate_header(text, start, end)
    parts = [name.of(text)]
    if identifier is not None:
        parts.append(identifier.of(text))
    if dependencies:
        parts.append(",".join([each.of(text) for each in dependencies]))
    return ":".join(parts)


def _ended(text: str, head: int, tail: int, marker: str) -> Edit:
    """Return the edit that adds an end marker on its own line after the last value."""
    start = max(head, len(text[:tail].rstrip("\r\n")) if text[tail - 1] in "\r\n" else tail)
    newline = "\r\n" if text[max(head - 2, 0) : head] == "\r\n" else "\n"
    lines = [marker, ""] if text[start - 1] == "\n" else ["", marker, ""]
    return Edit(start, tail, newline.join(lines))


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

"""The problems of markers inside of lines, of text after them, and of headers without an end."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.layered import state_in
from llmblocks.core.section import Section, tokens_in
from llmblocks.facts.problem import Problem
from llmblocks.gadget import kinds, rules
from llmblocks.gadget.call import Call
from llmblocks.gadget.scanner import BEHIND_END, INSIDE_LINE
from llmblocks.gadget.syntax.javascript import SPACE, SPACES
from llmblocks.gadget.syntax.markers import Markers

_BLANK = " \t\r\ufeff"


def problems_of_markers(section: Section, call: Call | None, markers: Markers) -> Iterator[Problem]:
    """The problems of the markers of a section."""
    text, before = section.text, state_in(section.before, int)
    # a custom block in front of the call makes a section begin right behind it
    if before == BEHIND_END and text[:1] not in SPACES:
        yield from _glued(text, 0, markers)
    if kinds.START not in section.kinds:
        return
    if before == INSIDE_LINE and text.startswith(markers.start):
        yield Problem(rules.MARKER_INSIDE_LINE, 0, len(markers.start), {"marker": markers.start})
    if call is None:
        spans = [*tokens_in(section, (kinds.START, kinds.HEADER))]
        yield Problem(rules.UNTERMINATED_HEADER, spans[0].start, len(text[: spans[-1].end].rstrip(SPACE)))
        return
    arguments = call.arguments
    for number, each in enumerate(arguments):
        if text[each.start - 1] != "\n":
            yield from _beside(call, number - 1, each.start, markers.arg)
    if call.closed:
        if text[call.end - 1] != "\n":
            yield from _beside(call, len(arguments) - 1, call.end, markers.end)
        end = call.end + len(markers.end)
        if text[end : end + 1] not in SPACES:
            yield from _glued(text, end, markers)


def _beside(call: Call, before: int, at: int, marker: str) -> Iterator[Problem]:
    """An argument or end marker behind an argument, or behind the header, where text or a marker is on its line."""
    data: dict[str, object] = {"marker": marker}
    start = call.arguments[before].value if before >= 0 else call.header_end + 1
    for gap, behind in call.gaps:
        if behind == at:
            return
        start = max(start, behind) if gap < at else start
    # the line of a pointer goes up to the marker
    if start < at:
        line = call.text[max(call.text.rfind("\n", start, at) + 1, start) : at]
        if not line.strip(_BLANK):
            # the runtime trims the last value, and drops what is in front of the first argument
            if at == call.end or before < 0:
                return
            data["case"] = "blanks"
    yield Problem(rules.MARKER_INSIDE_LINE, at, at + len(marker), data)


def _glued(text: str, start: int, markers: Markers) -> Iterator[Problem]:
    """The text right after an end marker, up to the next marker or the end of the line."""
    line = text.find("\n", start)
    line = line if line >= 0 else len(text)
    next_markers = [text.find(marker, start, line) for marker in (markers.start, markers.end, markers.arg)]
    end = min([line, *[each for each in next_markers if each >= 0]])
    if end > start:
        end = start + len(text[start:end].rstrip(SPACE))
        yield Problem(rules.TEXT_AFTER_END, start, end, {"marker": markers.end})

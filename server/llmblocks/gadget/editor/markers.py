"""The problems of markers inside of lines, of text after them, and of headers without an end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from llmblocks.core.layered import state_in
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.gadget import rules
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.pointers import CallPart
from llmblocks.gadget.editor.scanner import BEHIND_END, INSIDE_LINE
from llmblocks.gadget.syntax.javascript import SPACE, SPACES
from llmblocks.gadget.syntax.markers import Markers

_BLANK = " \t\r\ufeff"
_TEXTS = frozenset((kinds.VALUE, kinds.IGNORED))
_ON_LINE = frozenset((kinds.ARG, kinds.POINTER))


def problems_of_markers(lines: Section, part: CallPart, markers: Markers) -> Iterable[Problem]:
    """The problems of the markers in some lines, which have this part of a call."""
    before = state_in(lines.before, int)
    # a custom block in front of the call makes a section begin right behind it
    glued = before == BEHIND_END and lines.text[:1] not in SPACES
    odd = before == INSIDE_LINE or part.odd
    if not (glued or odd):
        return ()
    return chain(_glued(lines.text, 0, markers) if glued else (), _odd(lines, markers) if odd else ())


def _odd(lines: Section, markers: Markers) -> Iterator[Problem]:
    """Those of the tokens."""
    text, at, last = lines.text, 0, 0
    header = header_end = -1
    before: Kind | None = None
    for kind, width in lines.tokens:
        end = at + width
        if kind is kinds.ARG or kind is kinds.END:
            if at and text[at - 1] != "\n":
                yield from _beside(text, before, last, at, end, kind)
            if kind is kinds.END and text[end : end + 1] not in SPACES:
                yield from _glued(text, end, markers)
        elif kind is kinds.START:
            header, header_end = at, end
            if at == 0 and state_in(lines.before, int) == INSIDE_LINE:
                yield Problem(rules.MARKER_INSIDE_LINE, at, end, {"marker": markers.start})
        elif kind is kinds.HEADER:
            header_end = end
        elif kind is kinds.HEADER_END:
            header = -1
        before, last, at = kind, at, end
    if header >= 0:
        yield Problem(rules.UNTERMINATED_HEADER, header, header + len(text[header:header_end].rstrip(SPACE)))


def _beside(text: str, before: Kind | None, start: int, at: int, end: int, kind: Kind) -> Iterator[Problem]:
    """An argument or end marker after a token that starts at `start`, where text or a marker is on its line."""
    data: dict[str, object] = {"marker": text[at:end]}
    if before in _TEXTS:
        line = text[max(text.rfind("\n", start, at) + 1, start) : at]
        if not line.strip(_BLANK):
            # the runtime trims the last value, and drops what is in front of the first argument
            if kind is kinds.END or before is kinds.IGNORED:
                return
            data["case"] = "blanks"
    elif before not in _ON_LINE:
        return
    yield Problem(rules.MARKER_INSIDE_LINE, at, end, data)


def _glued(text: str, start: int, markers: Markers) -> Iterator[Problem]:
    """The text right after an end marker, up to the next marker or the end of the line."""
    line = text.find("\n", start)
    line = line if line >= 0 else len(text)
    next_markers = [text.find(marker, start, line) for marker in (markers.start, markers.end, markers.arg)]
    end = min([line, *[each for each in next_markers if each >= 0]])
    if end > start:
        end = start + len(text[start:end].rstrip(SPACE))
        yield Problem(rules.TEXT_AFTER_END, start, end, {"marker": markers.end})

"""Completion of markers at the start of a line."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.layer import Caret, Suggestion
from llmblocks.gadget.editor.view import calls
from llmblocks.gadget.syntax.markers import Markers


def suggest(caret: Caret, markers: Markers) -> Iterator[Suggestion]:
    """The markers that are valid at a place."""
    line = caret.before
    inside = any(call.header_end < caret.offset <= call.end for call in calls(caret.section))
    offered = [(markers.start, "Begins a gadget call: its name follows, then `:id` and `:dependencies`")]
    if inside:
        offered = [
            (markers.arg, "Begins an argument: its pointer follows, the value starts on the next line"),
            (markers.end, "Ends the gadget call"),
            *offered,
        ]
    for marker, detail in offered:
        typed = _typed(line, marker)
        if typed or not line:
            yield Suggestion(marker, typed, detail)


def _typed(line: str, marker: str) -> int:
    """The length of the marker's part at the end of the line."""
    for length in range(min(len(line), len(marker)), 0, -1):
        if line.endswith(marker[:length]):
            return length
    return 0

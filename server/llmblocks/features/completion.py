"""What could be typed next."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.document import Document
from llmblocks.core.suggest import Suggestion
from llmblocks.gadget.editor.completion import suggest as suggest_markers
from llmblocks.languages.registry import Format
from llmblocks.stf.editor import kinds as stf
from llmblocks.stf.editor.completion import suggest as suggest_commands
from llmblocks.tags.editor.completion import suggest as suggest_tags

_COMMENTS = frozenset((stf.COMMENT, stf.COMMENT_LINE))
_LONGEST_LINE = 1 << 12


class Completion(NamedTuple):
    """Shape: `text` replaces what stands from `start` to `end`, code points of the document."""

    start: int
    end: int
    text: str
    detail: str


def complete(document: Document, offset: int, format_: Format) -> list[Completion]:
    """What makes sense at a place, most likely first."""
    line, col = document.position(offset)
    if col > _LONGEST_LINE:
        return []
    before = document.slice(document.line_start(line), offset)
    # the section that what is typed belongs to: the cursor stands behind it
    placed = document.section_at(max(offset - 1, 0))
    section, inside = placed.section, offset - placed.start
    if any(span.kind in _COMMENTS and span.start < inside <= span.end for span in section.spans()):
        return []
    settings = format_.settings
    found: list[Suggestion] = []
    if "stf" in format_.layers:
        found += suggest_commands(before, settings.dialect)
    if "gadget" in format_.layers:
        found += suggest_markers(section, inside, before, settings.markers)
    found += suggest_tags(section, inside, before, settings.tags)
    return [Completion(offset - each.typed, offset, each.text, each.detail) for each in found]

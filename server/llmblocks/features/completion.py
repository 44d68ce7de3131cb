"""Completion."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.core.layer import Caret
from llmblocks.languages.ask import Ask

_LONGEST_LINE = 1 << 12


class Completion(NamedTuple):
    """Shape: `text` replaces the code points `start` to `end` of the document."""

    start: int
    end: int
    text: str
    detail: str


def complete(ask: Ask) -> list[Completion]:
    """The completions at a position, most likely first."""
    document, offset, language = ask.document, ask.position, ask.language
    line, col = document.position(offset)
    if col > _LONGEST_LINE:
        return []
    # the section of the text before the caret
    placed = document.section_at(max(offset - 1, 0))
    section, inside = placed.section, offset - placed.start
    if any(span.kind in language.comments and span.start < inside <= span.end for span in section.spans()):
        return []
    caret = Caret(section, inside, document.slice(document.line_start(line), offset))
    found = (each for layer in language.loaded for each in layer.complete(caret, ask.settings))
    return [Completion(offset - each.typed, offset, each.text, each.detail) for each in found]

"""The style of custom blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from llmblocks.core.decoded import DecodedValue
from llmblocks.core.edits import Edit
from llmblocks.core.section import Span
from llmblocks.core.style import gaps, without_gaps
from llmblocks.tags.decoded import decoded
from llmblocks.tags.editor import kinds

if TYPE_CHECKING:
    from llmblocks.tags.editor.layer import TagSettings


def edits(text: str, spans: Sequence[Span], _: TagSettings) -> Iterator[Edit]:
    """One blank between attributes, none before `>`, one blank line between blocks on lines of their own."""
    marks: list[tuple[int, bool]] = []
    for (kind, start, end), after in pairwise([*spans, Span(kinds.TEXT, len(text), len(text))]):
        if kind is kinds.GAP and text[start:end].isspace():
            yield Edit(start, end, "" if after.kind is kinds.OPENED else " ")
        elif kind in (kinds.OPENING, kinds.CLOSED, kinds.SELF_CLOSED):
            marks.append((start, True) if kind is kinds.OPENING else (end, False))
    yield from gaps(text, marks, least="\n")


def keeps(text: str, settings: TagSettings) -> object:
    """The blocks, and the text outside of blocks, except for blank lines after a block."""
    found = decoded(text, settings)
    blocks = [each for each in found if isinstance(each, DecodedValue)]
    free = "".join([each for each in found if isinstance(each, str)])
    return [(each.head, each.parts, each.content) for each in blocks], without_gaps(
        free, [each.before for each in blocks]
    )

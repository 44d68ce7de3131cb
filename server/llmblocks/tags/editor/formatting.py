"""The style of custom blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from llmblocks.contract.decoded import DecodedValue
from llmblocks.contract.style import gaps, without_gaps
from llmblocks.core.edits import Edit
from llmblocks.core.section import Span
from llmblocks.tags import kinds


def edits(text: str, spans: Iterable[Span], _: object) -> Iterator[Edit]:
    """Yield one space between attributes, none before `>`, one blank line between blocks on separate lines."""
    marks: list[tuple[int, bool]] = []
    for (kind, start, end), after in pairwise([*spans, Span(kinds.TEXT, len(text), len(text))]):
        if kind is kinds.GAP and text[start:end].isspace():
            yield Edit(start, end, "" if after.kind is kinds.OPENED else " ")
        elif kind in (kinds.OPENING, kinds.CLOSED, kinds.SELF_CLOSED):
            marks.append((start, True) if kind is kinds.OPENING else (end, False))
    yield from gaps(text, marks, least="\n")


def settled(_: Sequence[Edit]) -> bool:
    """Return true: each edit changes white space outside of values."""
    return True


def keeps(_: str, __: object, values: Sequence[DecodedValue]) -> object:
    """Return the text outside of blocks, except for blank lines after a block."""
    blocks = [each.before for each in values if each.content is not None]
    return without_gaps("".join([each.free for each in values]), blocks)

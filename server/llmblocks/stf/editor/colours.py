"""The colours of Simple Text Format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.core.paint import Paint, Painted, as_whole
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.stf.editor import kinds
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS


def _arguments(section: Section, span: Span) -> Iterator[Painted]:
    text = section.slice(span.start, span.end)
    dialect = DIALECTS.get(section.line_before(span.start).removeprefix("\ufeff")[:1])
    if dialect is None:
        return
    for item in parse_arguments(text, 0, len(text), dialect, limit=KEYSTROKE_LIMIT).items:
        yield Painted(span.start + item.key_start, span.start + item.key_end, "property")
        role = "string" if isinstance(item.value, str) else "number"
        if isinstance(item.value, str | int | float) and item.value_start < item.value_end:
            yield Painted(span.start + item.value_start, span.start + item.value_end, role)


PAINT: Final[dict[Kind, Paint]] = {
    **dict.fromkeys(
        (
            kinds.HEADER,
            kinds.ESCAPE,
            kinds.MESSAGE_NAME,
            kinds.RAW_NAME,
            kinds.BLOCK_NAME,
            kinds.LINE_NAME,
            kinds.END_NAME,
            kinds.FLUSH_NAME,
        ),
        as_whole("keyword"),
    ),
    **dict.fromkeys((kinds.COMMENT_LINE, kinds.COMMENT_OPEN, kinds.COMMENT_CLOSE, kinds.COMMENT), as_whole("comment")),
    kinds.ARGUMENTS: _arguments,
}

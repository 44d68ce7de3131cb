"""The colours of Simple Text Format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.core.paint import Paint, Painted, as_whole
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.stf.editor import kinds
from llmblocks.stf.editor.silences import DIRECTIVE
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS

_IDS: Final = {"id": ("declaration", "readonly"), "call_id": ()}
"""The arguments that hold ids, with the modifiers of these."""
_COMMENTS: Final = ("#", "//", "/*")
_FAR: Final = 64
"""The most characters behind a sign that are searched for that of a comment."""


def _arguments(section: Section, span: Span) -> Iterator[Painted]:
    text = section.slice(span.start, span.end)
    line = section.line_before(span.start).removeprefix("\ufeff")
    dialect = DIALECTS.get(line[:1])
    if dialect is None:
        return
    of_call = line[1:].strip() == "call"
    for item in parse_arguments(text, 0, len(text), dialect, limit=KEYSTROKE_LIMIT).items:
        yield Painted(span.start + item.key_start, span.start + item.key_end, "property")
        if isinstance(item.value, str | int | float) and item.value_start < item.value_end:
            role, modifiers = _value(item.key, item.value, of_call=of_call)
            yield Painted(span.start + item.value_start, span.start + item.value_end, role, modifiers)


def _value(key: str, value: str | float, *, of_call: bool) -> tuple[str, tuple[str, ...]]:
    """The role of an argument's value, and its modifiers."""
    if not isinstance(value, str):
        return "number", ()
    if key == "name" and of_call:
        return "function", ()
    if key in _IDS:
        return "variable", _IDS[key]
    return "string", ()


def _sign(section: Section, span: Span) -> Iterator[Painted]:
    """The character that a line begins with: a part of its comment, or of its command."""
    behind = section.slice(span.end, span.end + _FAR).lstrip(" \t")
    yield Painted(span.start, span.end, "comment" if behind.startswith(_COMMENTS) else "keyword")


def _comment(section: Section, span: Span) -> Iterator[Painted]:
    """A comment; one for the checker says what it does."""
    is_directive = DIRECTIVE.match(section.slice(span.start, span.end)) is not None
    yield Painted(span.start, span.end, "comment", ("documentation",) if is_directive else ())


PAINT: Final[dict[Kind, Paint]] = {
    **dict.fromkeys(
        (
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
    kinds.HEADER: _sign,
    kinds.COMMENT_LINE: _comment,
    **dict.fromkeys((kinds.COMMENT_OPEN, kinds.COMMENT_CLOSE, kinds.COMMENT), as_whole("comment")),
    kinds.ARGUMENTS: _arguments,
}

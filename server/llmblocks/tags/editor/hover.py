"""Hovers of custom blocks."""

from __future__ import annotations

from typing import Final

from llmblocks.core.layer import Describe
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.view import TagView, tags


def _tag(section: Section, span: Span) -> str | None:
    for tag in tags(section):
        if tag.start <= span.start < tag.block_end:
            return (
                _closing(tag) if span.start >= tag.content_end and tag.ended and not tag.self_closing else _opening(tag)
            )
    return None


def _opening(tag: TagView) -> str:
    lines = [f"**Custom block** `{tag.tag}`" + (" without content" if tag.self_closing else "")]
    if tag.values:
        lines.append("\n".join(f"- `{name}` = `{value}`" for name, value in tag.values.items()))
    if not tag.ended:
        lines.append("It has no `>`: the runtime takes it for text when the stream ends.")
    elif not tag.closed:
        lines.append(f"Nothing closes it with `</{tag.tag}>`: the rest of the text is its content.")
    return "\n\n".join(lines)


def _closing(tag: TagView) -> str:
    return f"**End of the custom block** `{tag.tag}`"


def _value(section: Section, span: Span) -> str | None:
    for tag in tags(section):
        for attribute in tag.attributes:
            if attribute.start <= span.start < max(attribute.end, attribute.name_end):
                return f"**Attribute** `{attribute.name}` of `{tag.tag}`: `{tag.values.get(attribute.name, '')}`"
    return None


WORDS: Final[dict[Kind, Describe]] = {
    kinds.OPENING: _tag,
    kinds.NAME: _tag,
    kinds.OPENED: _tag,
    kinds.SELF_CLOSED: _tag,
    kinds.CLOSING: _tag,
    kinds.CLOSED: _tag,
    kinds.ATTRIBUTE: _value,
    kinds.VALUE: _value,
}

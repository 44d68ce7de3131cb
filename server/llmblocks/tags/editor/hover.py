"""Hovers of custom blocks, and of pairs of tags that settings could register."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from llmblocks.contract.answers import Describe, Subject
from llmblocks.contract.markup import code, shortened
from llmblocks.core.scan import Kind
from llmblocks.tags import kinds
from llmblocks.tags.declared import TagSettings, declared_tag
from llmblocks.tags.editor.blocks import tag_near
from llmblocks.tags.syntax import NAME

_Subject = Subject[TagSettings]
_MOST = 20
_FARTHEST = 1 << 16
_TAG = re.compile(rf"</?({NAME})(?=[\s/>])[^<>\n]*>")


def _tag(subject: _Subject) -> str | None:
    tag, at = tag_near(subject.section, subject.span.start), subject.span.start
    if tag is None:
        return None
    if at >= tag.content_end and tag.ended and not tag.self_closing:
        return f"End of the custom block {code(tag.tag)}."
    lines = [f"{code(tag.tag)}: custom block" + (" without content" if tag.self_closing else "")]
    declared = declared_tag(subject.settings.declared_tags, tag.tag)
    if declared.description:
        lines.append(shortened(declared.description))
    if declared.content is not None:
        lines.append(f"Its content is {declared.content.says}.")
    if values := [f"{code(name)} = {_shown(value)}" for name, value in tag.values.items()]:
        lines.append("Attributes: " + ", ".join(values[:_MOST]))
    if missing := [code(each.name) for each in declared.attributes or () if each.name not in tag.values]:
        lines.append("Other attributes: " + ", ".join(missing[:_MOST]))
    if not tag.ended:
        lines.append("It has no `>`: the runtime reads it as text when the stream ends.")
    elif not tag.closed:
        lines.append(f"Nothing closes it with {code(f'</{tag.tag}>')}: the rest of the text is its content.")
    return "\n\n".join(lines)


def _value(subject: _Subject) -> str | None:
    tag, at = tag_near(subject.section, subject.span.start), subject.span.start
    found = [each.name for each in tag.attributes if each.start <= at < max(each.end, each.name_end)] if tag else []
    if tag is None or not found:
        return None
    lines = [f"{code(found[0])} of {code(tag.tag)}: {_shown(tag.values.get(found[0], ''))}"]
    declared = declared_tag(subject.settings.declared_tags, tag.tag).attribute(found[0])
    if declared is not None:
        lines += [shortened(declared.description)] if declared.description else []
        lines += [f"{'Required' if declared.required else 'Optional'}."]
        lines += ["Values: " + ", ".join(map(code, declared.values[:_MOST]))] if declared.values else []
    return "\n\n".join(lines)


def _shown(value: str) -> str:
    return code(value) if value else "empty"


def _content(subject: _Subject) -> str | None:
    tag = tag_near(subject.section, subject.span.start)
    declared = declared_tag(subject.settings.declared_tags, tag.tag).content if tag else None
    return declared.explained(tag.content.text, tag.content.inside(subject.offset)) if tag and declared else None


def _text(subject: _Subject) -> str | None:
    found = unregistered_at(subject.section.text, subject.offset, subject.settings.tags)
    if found is None:
        return None
    return f"{code(found[1])} is not a registered tag: it is text.\n\nA quick fix registers it in the settings."


def unregistered_at(text: str, at: int, names: Collection[str]) -> re.Match[str] | None:
    """Return the tag around an offset, its name in group 1, if it has a partner nearby and no registered name."""
    start = max(text.rfind("\n", 0, at) + 1, at - _FARTHEST)
    found = next((each for each in _TAG.finditer(text, start, at + _FARTHEST) if each.end() >= at), None)
    if found is None or found.start() > at or found[1] in names:
        return None
    first, last = max(at - _FARTHEST, 0), at + _FARTHEST
    has_partner = text.find(f"<{found[1]}", first, last) >= 0 and text.find(f"</{found[1]}>", first, last) >= 0
    return found if has_partner else None


WORDS: Final[dict[Kind, Describe[TagSettings]]] = {
    **dict.fromkeys((*kinds.BRACKETS, kinds.NAME), _tag),
    **dict.fromkeys((kinds.ATTRIBUTE, kinds.VALUE), _value),
    kinds.CONTENT: _content,
    kinds.TEXT: _text,
}

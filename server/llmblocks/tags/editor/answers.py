"""The answers about custom blocks: colours and hovers, also of tags that settings could register."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from llmblocks.contract.answers import Describe, Subject
from llmblocks.contract.markup import code, shortened
from llmblocks.contract.paint import PLAIN, Paint, Painted, as_whole
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.json5.colours import json5
from llmblocks.tags import kinds
from llmblocks.tags.declared import LANGUAGES, TagSettings, declared_tag
from llmblocks.tags.editor.blocks import open_tag, tag_near
from llmblocks.tags.syntax import NAME

_NAMED = re.compile(r"<(?:function|parameter)=([^<>\n]+)>")
_TAG = re.compile(rf"</?({NAME})[^<>\n]*>?")
PAINT: Final[dict[Kind, Paint]] = {
    **dict.fromkeys((*kinds.BRACKETS, kinds.EQUALS), as_whole("operator")),
    kinds.NAME: as_whole("type"),
    kinds.ATTRIBUTE: as_whole("property"),
    **dict.fromkeys((kinds.QUOTE, kinds.VALUE), as_whole("string")),
}


Marks = tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]
"""The names of tags, and those with declared content, each with its kind."""


def paint_over(marks: Marks) -> dict[Kind, Paint]:
    """Return the colours of unregistered tags, which editors' grammars colour like tags, and of declared contents."""
    typed = dict(marks[1])

    def paint(section: Section, span: Span) -> Iterator[Painted]:
        for found in _TAG.finditer(section.text, span.start, span.end):
            if found[1] not in marks[0]:
                yield Painted(found.start(), found.end(), PLAIN)

    def paint_content(section: Section, span: Span) -> Iterator[Painted]:
        block = tag_near(section, span.start)
        known = typed.get(block.tag if block else open_tag(section.before), ())
        if not known:
            yield from paint(section, span)
            return
        text = section.text[span.start : span.end]
        is_xml = text.lstrip().startswith("<")
        kind = next((each for each in known if is_xml == (each == "qwen-xml")), known[0])
        if kind == "qwen-xml":
            yield from [Painted(*each.span(1), "property") for each in _NAMED.finditer(section.text, *span[1:])]
        elif kind in ("json", "json5"):
            yield from json5(text, span.start)
        elif kind not in LANGUAGES and (word := text.strip()):
            start = span.start + text.index(word)
            yield Painted(start, start + len(word), "number" if kind == "number" else "string")

    return {kinds.TEXT: paint, kinds.CONTENT: paint_content if typed else paint}


_Subject = Subject[TagSettings]
_MOST = 20
_FARTHEST = 1 << 16
_WHOLE_TAG = re.compile(rf"</?({NAME})(?=[\s/>])[^<>\n]*>")


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
    found = next((each for each in _WHOLE_TAG.finditer(text, start, at + _FARTHEST) if each.end() >= at), None)
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

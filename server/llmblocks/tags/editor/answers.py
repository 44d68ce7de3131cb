"""The answers about custom blocks: colours, hovers and completions, also of tags that settings could register."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from string import ascii_letters, digits
from typing import Final

from llmblocks.contract.answers import Describe, Subject
from llmblocks.contract.caret import FAR, Caret, Suggestion, choice, quoted_value
from llmblocks.contract.markup import code, shortened
from llmblocks.contract.paint import PLAIN, Paint, Painted, as_whole
from llmblocks.core.layered import state_in
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.json5.colours import json5
from llmblocks.tags import kinds
from llmblocks.tags.editor.blocks import open_tag, tag_near
from llmblocks.tags.scanner import TagState
from llmblocks.tags.syntax import LANGUAGES, NAME, Tag, TagSettings, declared_tag, parse_attributes

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
    return "\n\n".join(filter(None, lines))


def _value(subject: _Subject) -> str | None:
    tag, at = tag_near(subject.section, subject.span.start), subject.span.start
    found = [each.name for each in tag.attributes if each.start <= at < max(each.end, each.name_end)] if tag else []
    if tag is None or not found:
        return None
    lines = [f"{code(found[0])} of {code(tag.tag)}: {_shown(tag.values.get(found[0], ''))}"]
    declared = declared_tag(subject.settings.declared_tags, tag.tag).attribute(found[0])
    if declared is not None:
        lines += [shortened(declared.description), f"{'Required' if declared.required else 'Optional'}."]
        lines += ["Values: " + ", ".join(map(code, declared.values[:_MOST]))] if declared.values else []
    return "\n\n".join(filter(None, lines))


def _shown(value: str) -> str:
    return code(value) if value else "empty"


def _content(subject: _Subject) -> str | None:
    tag = tag_near(subject.section, subject.span.start)
    declared = declared_tag(subject.settings.declared_tags, tag.tag).content if tag else None
    written = tag.content if tag else None
    return declared.explained(written, subject.offset - tag.end) if tag and declared and written else None


def _text(subject: _Subject) -> str | None:
    found = unregistered_at(subject.section.text, subject.offset, subject.settings.tags)
    says = "is not a registered tag: it is text.\n\nA quick fix registers it in the settings."
    return f"{code(found[1])} {says}" if found else None


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


_WORD = f"{ascii_letters}{digits}_-"
_TYPED_TAG = re.compile(r"<(/?)([A-Za-z0-9_-]*)$")
_LIST = re.compile(r"<([A-Za-z_][A-Za-z0-9_-]*)([ \t][^<>]*)$")
_VALUE = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)[ \t]*=[ \t]*(\"[^\"]*|'[^']*|[^ \t\"'/]*)\Z")
_CLOSED = re.compile(r"\"[^\"]*\"|'[^']*'")


def suggest(caret: Caret, names: tuple[str, ...], declared: tuple[Tag, ...]) -> Iterator[Suggestion]:
    """Yield the tags, attributes and values that match the typed text."""
    if state_in(caret.section.after, TagState) is None:
        return
    yield from _in_content(caret, declared)
    line = caret.before
    found = _TYPED_TAG.search(line) or _LIST.search(line)
    bracket = caret.offset - len(line) + found.start() if found else -1
    # the line may have begun in an earlier section, and a tag ends with its section
    if found is None or bracket < 0:
        return
    block = tag_near(caret.section, bracket)
    is_content = block is not None and block.ended and block.end <= bracket <= block.content_end
    open_tag = block.tag if block is not None and is_content and not block.self_closing else ""
    if found.re is _TYPED_TAG:
        yield from _tags(caret, found, open_tag, names, declared)
    elif found[1] in names and not open_tag:
        yield from _listed(caret, found[1], found[2], declared)


def _in_content(caret: Caret, declared: tuple[Tag, ...]) -> Iterator[Suggestion]:
    """Yield the suggestions in a block with declared content."""
    tag = tag_near(caret.section, max(caret.offset - 1, 0)) if declared else None
    content = declared_tag(declared, tag.tag).content if tag is not None else None
    written = tag.content if tag is not None and content is not None and tag.end <= caret.offset else None
    if tag is not None and content is not None and written is not None:
        yield from content.suggested(written[: caret.offset - tag.end], caret.after.partition("</")[0])


def _tags(
    caret: Caret, found: re.Match[str], open_tag: str, names: tuple[str, ...], declared: tuple[Tag, ...]
) -> Iterator[Suggestion]:
    typed, over = len(found[2]), _word_ahead(caret)
    if open_tag:
        # a tag inside a block is content: only the closing tag is possible
        closing = f"{open_tag}>" if found[1] else f"/{open_tag}>"
        more = over + caret.after.startswith(">", over) if typed or over else 0
        again = f"</{open_tag}>"
        doubled = len(again) if caret.after.startswith(again, more) else 0
        yield Suggestion(closing, typed, f"Closes the block `{open_tag}`", "tag", over=more, doubled=doubled)
    elif not found[1]:
        # `List<` begins no tag
        is_word = caret.before[: found.start()][-1:].isalnum()
        for name in names:
            if is_word and not (typed and name.startswith(found[2])):
                continue
            tag = declared_tag(declared, name)
            detail = tag.description or f"Begins a custom block `{name}`"
            snippet = "" if caret.after.strip() else _snippet(tag)
            yield Suggestion(name, typed, detail, "tag", snippet, over)


def _snippet(tag: Tag) -> str:
    """Return a tag with placeholders for its required attributes, with a choice of their allowed values."""
    listed = ""
    for number, each in enumerate([each for each in tag.attributes or () if each.required], 1):
        blank = f"${{{number}|{','.join(map(choice, each.values))}|}}" if each.values else f"${number}"
        listed += f' {each.name}="{blank}"'
    return f"{tag.name}{listed}>$0</{tag.name}>"


def _listed(caret: Caret, tag: str, written: str, declared: tuple[Tag, ...]) -> Iterator[Suggestion]:
    """Yield the attributes of a tag. `written` is the text between its name and the caret."""
    known = declared_tag(declared, tag)
    blank = _CLOSED.sub(lambda found: "x" * len(found[0]), written)
    value = _VALUE.search(blank)
    if value is not None:
        attribute, typed = known.attribute(value[1]), written[value.start(2) :]
        sign, over = quoted_value(typed, caret.after, " \t\"'/<>", "<>")
        for each in attribute.values if attribute else ():
            text = f"{sign}{each}{sign}"
            yield Suggestion(text, len(typed), f"A value of `{value[1]}`", "value", over=over, label=each)
        return
    if blank.count('"') % 2 or blank.count("'") % 2:
        return
    before, over = written.rstrip(_WORD), _word_ahead(caret)
    given = parse_attributes(f"{before} {re.split('[<>]', caret.after, maxsplit=1)[0]}")
    size, has_value = len(written) - len(before), caret.after[over:].lstrip(" \t").startswith("=")
    for one in sorted(known.attributes or (), key=lambda each: not each.required):
        detail = one.description or f"{'A required' if one.required else 'An'} attribute of `{tag}`"
        if one.name in given:
            continue
        # without placeholders, the quote that the user types next opens the list of values
        text, snippet = (one.name, "") if has_value else (f"{one.name}=", f'{one.name}="$1"')
        goes_on = bool(one.values) and not has_value
        yield Suggestion(text, size, detail, "parameter", snippet, over, one.name, goes_on=goes_on)


def _word_ahead(caret: Caret) -> int:
    return len(caret.after) - len(caret.after.lstrip(_WORD))


def closing(caret: Caret, typed: str) -> str:
    """Return the tag that closes the block whose `>` has just been typed; empty if the block has one."""
    back = caret.tokens_back()
    if typed != ">" or next(back, (None, ""))[0] is not kinds.OPENED:
        return ""
    name = next((text for kind, text in back if kind is kinds.NAME), "")
    again = re.compile(rf"<{re.escape(name)}[ \t\r\n/>]")
    for kind, text in caret.tokens_ahead():
        if kind in (kinds.CLOSING, FAR):
            return ""
        # the closing tag may belong to a block opened after the caret
        if kind is kinds.OPENING or (kind is kinds.CONTENT and again.search(text)):
            break
    return f"</{name}>"


def ended(caret: Caret) -> str:
    """Return the closing tag before the caret if it closes a block."""
    back = caret.tokens_back()
    if next(back, (None, ""))[0] is not kinds.CLOSED:
        return ""
    return f"</{next((text for kind, text in back if kind is kinds.NAME), '')}>"

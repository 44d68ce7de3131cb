"""Completion of registered tags, their attributes and values, and closing tags, also while the user types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters, digits

from llmblocks.contract.caret import FAR, Caret, Suggestion, choice, quoted_value
from llmblocks.core.layered import state_in
from llmblocks.tags import kinds
from llmblocks.tags.declared import Tag, declared_tag
from llmblocks.tags.editor.blocks import tag_near
from llmblocks.tags.scanner import TagState
from llmblocks.tags.syntax import parse_attributes

_WORD = f"{ascii_letters}{digits}_-"
_TAG = re.compile(r"<(/?)([A-Za-z0-9_-]*)$")
_LIST = re.compile(r"<([A-Za-z_][A-Za-z0-9_-]*)([ \t][^<>]*)$")
_VALUE = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)[ \t]*=[ \t]*(\"[^\"]*|'[^']*|[^ \t\"'/]*)\Z")
_CLOSED = re.compile(r"\"[^\"]*\"|'[^']*'")


def suggest(caret: Caret, names: tuple[str, ...], declared: tuple[Tag, ...]) -> Iterator[Suggestion]:
    """Yield the tags, attributes and values that match the typed text."""
    if state_in(caret.section.after, TagState) is None:
        return
    yield from _in_content(caret, declared)
    line = caret.before
    found = _TAG.search(line) or _LIST.search(line)
    bracket = caret.offset - len(line) + found.start() if found else -1
    # the line may have begun in an earlier section, and a tag ends with its section
    if found is None or bracket < 0:
        return
    block = tag_near(caret.section, bracket)
    is_content = block is not None and block.ended and block.end <= bracket <= block.content_end
    open_tag = block.tag if block is not None and is_content and not block.self_closing else ""
    if found.re is _TAG:
        yield from _tags(caret, found, open_tag, names, declared)
    elif found[1] in names and not open_tag:
        yield from _listed(caret, found[1], found[2], declared)


def _in_content(caret: Caret, declared: tuple[Tag, ...]) -> Iterator[Suggestion]:
    """Yield the suggestions in a block with declared content."""
    tag = tag_near(caret.section, max(caret.offset - 1, 0)) if declared else None
    content = declared_tag(declared, tag.tag).content if tag is not None else None
    if tag is not None and content is not None and tag.end <= caret.offset:
        found = tag.content
        yield from content.suggested(found.text[: found.inside(caret.offset)], caret.after.partition("</")[0])


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
        attribute = known.attribute(value[1])
        typed = written[value.start(2) :]
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

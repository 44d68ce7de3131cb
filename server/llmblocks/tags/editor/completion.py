"""Completion of registered tags, their attributes and values, and closing tags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from llmblocks.contract.caret import Caret, Suggestion, choice, quoted_value
from llmblocks.tags.declared import Tag, declared_attribute, declared_content, declared_tag
from llmblocks.tags.editor.blocks import open_tag_at, reads_blocks, tag_near
from llmblocks.tags.editor.contents import written
from llmblocks.tags.syntax import parse_attributes

_TAG = re.compile(r"<(/?)([A-Za-z0-9_-]*)$")
_LIST = re.compile(r"<([A-Za-z_][A-Za-z0-9_-]*)([ \t][^<>]*)$")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z|\Z")
_VALUE = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)[ \t]*=[ \t]*(\"[^\"]*|'[^']*|[^ \t\"'/]*)\Z")
_BEHIND = re.compile(r"([A-Za-z0-9_-]*)([ \t]*=)?")
_REST = re.compile(r"[A-Za-z0-9_-]*")
_CLOSED = re.compile(r"\"[^\"]*\"|'[^']*'")


def suggest(caret: Caret, names: tuple[str, ...], declared: tuple[Tag, ...]) -> Iterator[Suggestion]:
    """Yield the tags, attributes and values that match the typed text."""
    if not reads_blocks(caret.section.after):
        return
    if declared:
        yield from _in_content(caret, declared)
    line = caret.before
    found = _TAG.search(line) or _LIST.search(line)
    bracket = caret.offset - len(line) + found.start() if found else -1
    # the line may have begun in an earlier section, and a tag ends with its section
    if found is None or bracket < 0:
        return
    open_tag = open_tag_at(caret.section, bracket)
    if found.re is _TAG:
        yield from _tags(caret, found, open_tag, names, declared)
    elif found[1] in names and not open_tag:
        yield from _listed(caret, found[1], found[2], declared)


def _in_content(caret: Caret, declared: tuple[Tag, ...]) -> Iterator[Suggestion]:
    """Yield the suggestions in a block with declared content."""
    tag = tag_near(caret.section, max(caret.offset - 1, 0))
    content = declared_content(declared, tag.tag) if tag is not None else None
    if tag is None or content is None or not tag.end <= caret.offset:
        return
    found = written(tag)
    at = found.inside(caret.offset) if found else 0
    closing = caret.after.find("</")
    yield from content.suggested(found.text[:at] if found else "", caret.after[: closing if closing >= 0 else None])


def _tags(
    caret: Caret, found: re.Match[str], open_tag: str, names: tuple[str, ...], declared: tuple[Tag, ...]
) -> Iterator[Suggestion]:
    typed = len(found[2])
    rest = _REST.match(caret.after)
    over = len(rest[0]) if rest else 0
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
            detail = tag.description if tag and tag.description else f"Begins a custom block `{name}`"
            snippet = "" if caret.after.strip() else _snippet(name, tag)
            yield Suggestion(name, typed, detail, "tag", snippet, over)


def _snippet(name: str, tag: Tag | None) -> str:
    required = [each for each in (tag.attributes or ()) if each.required] if tag else []
    places = [f' {each.name}="{_blank(number, each.values)}"' for number, each in enumerate(required, 1)]
    return f"{name}{''.join(places)}>$0</{name}>"


def _blank(number: int, values: tuple[str, ...]) -> str:
    """Return the placeholder of a value in a snippet, with a choice of the allowed values."""
    return f"${{{number}|{','.join(map(choice, values))}|}}" if values else f"${number}"


def _listed(caret: Caret, tag: str, written: str, declared: tuple[Tag, ...]) -> Iterator[Suggestion]:
    """Yield the attributes of a tag. `written` is the text between its name and the caret."""
    known = declared_tag(declared, tag)
    blank = _CLOSED.sub(lambda found: "x" * len(found[0]), written)
    value = _VALUE.search(blank)
    if value is not None:
        attribute = declared_attribute(declared, tag, value[1])
        typed = written[value.start(2) :]
        sign, over = quoted_value(typed, caret.after, " \t\"'/<>", "<>")
        for each in attribute.values if attribute else ():
            detail = f"A value of `{value[1]}`"
            yield Suggestion(f"{sign}{each}{sign}", len(typed), detail, "value", over=over, label=each)
        return
    if blank.count('"') % 2 or blank.count("'") % 2 or known is None:
        return
    name = _NAME.search(blank)
    typed_name = name[0] if name else ""
    ahead = re.match(r"[^<>]*", caret.after)
    rest = written[: len(written) - len(typed_name)] + (" " + ahead[0] if ahead else "")
    given = parse_attributes(rest)
    order = sorted(known.attributes or (), key=lambda each: not each.required)
    behind = _BEHIND.match(caret.after)
    over = behind.end(1) if behind else 0
    for one in order:
        detail = one.description or f"{'A required' if one.required else 'An'} attribute of `{tag}`"
        if one.name in given:
            continue
        if behind and behind[2]:
            # if the value exists, only the name is replaced
            yield Suggestion(one.name, len(typed_name), detail, "parameter", over=over)
        else:
            # without placeholders, the quote that the user types next opens the list of values
            text, snippet = f"{one.name}=", f'{one.name}="$1"'
            goes_on = bool(one.values)
            yield Suggestion(text, len(typed_name), detail, "parameter", snippet, over, one.name, goes_on=goes_on)

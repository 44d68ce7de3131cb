"""The problems of tags, their attributes, contents and similar text; comments that silence findings."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache
from typing import Final

from llmblocks.core.distance import distance
from llmblocks.core.document import Document
from llmblocks.core.places import Related
from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.facts.silence import SIGN, Silence, Silencing, lookalikes, read_silence
from llmblocks.tags import kinds, rules
from llmblocks.tags.editor.blocks import AttributeView, TagBlock, begun_in, blocks_in
from llmblocks.tags.scanner import open_in
from llmblocks.tags.syntax import NAME, Attribute, Tag, declared_tag


@lru_cache(maxsize=16)
def facts(names: tuple[str, ...], declared: tuple[Tag, ...] = ()) -> Facts:
    """Return the facts about tags, given the registered names, and the tags declared with their attributes."""
    typed = {tag.name: tag.content for tag in declared if tag.content is not None}

    def problems(section: Section) -> Iterator[Problem]:
        if "<" not in section.text:
            return
        yield from _of_text(section, names)
        for tag in begun_in(section):
            listed = sum(span.end - span.start for span in tag.listed)
            # no other format interrupts it
            if tag.ended and listed == tag.bracket - tag.name_end:
                yield from _of_list(tag)
                yield from _against(tag, declared_tag(declared, tag.tag).attributes)
            if tag.closed and tag.inside and all(section.text[start:end].isspace() for _, start, end in tag.inside):
                yield Problem(rules.T011_BLANK_BLOCK, tag.start, tag.name_end, {"tag": tag.tag})
        if typed:
            yield from problems_of_contents(section, typed, lambda tag, text: typed[tag].problems(text))

    return Facts(rules.RULES, problems)


LONGEST: Final = 1 << 16
"""Longer contents are skipped, because each key in one checks all of it."""


# A page of HTML repeats the same few names thousands of times.
@lru_cache(maxsize=1024)
def nearest(name: str, names: tuple[str, ...]) -> str:
    """Return the closest of `names` to a different name; empty if none is close.

    A different case is closest; then one change for names of at least 4 characters, two for at least 6. Shorter names
    are HTML's: `<b>` is not a misspelt `<t1>`. Two swapped neighbours count as one change. A plural is another word:
    `<tools>` is not a misspelt `<tool>`.
    """
    best, least = "", 3
    folded = name.lower()
    for other in names:
        if other == name or f"{other.lower()}s" == folded or other.lower() == f"{folded}s":
            continue
        allowed = 2 if len(other) >= 6 else 1 if len(other) >= 4 else 0
        changes = distance(folded, other.lower(), min(allowed, least))
        if changes <= allowed and changes < least:
            best, least = other, changes
    return best


def _of_text(section: Section, names: tuple[str, ...]) -> Iterator[Problem]:
    text = section.text
    before = open_in(section.before)
    tag = before.tag if before else ""
    fences = [found.start() for found in _FENCE.finditer(text)] if _FENCE_SIGN in text else []
    for kind, start, end in section.spans():
        if kind is kinds.NAME:
            tag = text[start:end]
        elif kind is kinds.TEXT:
            yield from _in_text(text, start, end, names, fences)
        elif kind is kinds.CONTENT:
            yield from _in_content(text, start, end, tag)


def _in_text(text: str, start: int, end: int, names: tuple[str, ...], fences: list[int]) -> Iterator[Problem]:
    known = frozenset(names)
    last_bracket = text.rfind(">", start, end)
    for found in _ANY_TAG.finditer(text, start, end):
        at, behind_it = found.span()
        closing, name, behind = found.groups()
        if name in known:
            if closing and behind == ">":
                yield Problem(rules.T002_STRAY_CLOSING_TAG, at, behind_it, {"tag": name})
            elif not closing and behind:
                # It would have been found, if nothing had swallowed its bracket.
                yield Problem(rules.T009_SWALLOWED_OPENING_BRACKET, at, at + 1 + len(name), {"tag": name})
        elif not behind or (last_bracket < at and not closing) or bisect(fences, at) % 2 or _is_code(text, at, end):
            continue  # without an end it would be no tag, however it is spelt
        elif better := nearest(name, names):
            at += 1 + len(closing)
            # any word in brackets may be near a name; in prose it is a placeholder
            guess = {} if name.lower() == better.lower() else {"case": "guess"}
            yield Problem(rules.T004_MISSPELT_TAG, at, at + len(name), {"name": name, "better": better, **guess})


def _is_code(text: str, at: int, end: int) -> bool:
    """Return whether a tag is code, or mentioned in quotes."""
    before = text[max(at - 1, 0) : at]
    return before.isalnum() or before in _SIGNS or _JSX.match(text, at, end) is not None


def _in_content(text: str, start: int, end: int, tag: str) -> Iterator[Problem]:
    closing_tag = rf"<[ \t]*+/[ \t]*+{re.escape(tag)}[ \t]*+>"
    for found in re.compile(closing_tag).finditer(text, start, end):
        rule = rules.T009_SWALLOWED_OPENING_BRACKET if found[0] == f"</{tag}>" else rules.T003_SPACED_CLOSING_TAG
        yield Problem(rule, found.start(), found.end(), {"tag": tag})
    bracket = start
    for found in _ANY_TAG.finditer(text, start, end):
        closing, name, behind = found.groups()
        at = found.start() + 1 + len(closing)
        if closing and behind == ">" and name != tag and nearest(name, (tag,)):
            yield Problem(rules.T004_MISSPELT_TAG, at, at + len(name), {"name": name, "better": tag})
        elif not closing and behind and name == tag:
            if bracket < found.end():
                ends = _END_OF_TAG.search(text, found.end() - 1, end)
                bracket = ends.end() if ends else end + 1
            if bracket <= end and text[bracket - 1] == ">" and text[bracket - 2] != "/":
                yield Problem(rules.T005_NESTED_SAME_TAG, at - 1, at + len(name), {"tag": tag})


def _of_list(tag: TagBlock) -> Iterator[Problem]:
    text = tag.text
    last = tag.listed[-1] if tag.listed else None
    gap = last[1:] if last and last.kind is kinds.GAP else (tag.bracket, tag.bracket)
    spaced = None if tag.self_closing else _SPACED_SLASH.search(text, *gap)
    if spaced:
        yield Problem(rules.T010_SPACED_SELF_CLOSING, spaced.start(), tag.end, {"tag": tag.tag})
    counting: dict[str, AttributeView] = {}
    for attribute in reversed(tag.attributes):
        data: dict[str, object] = {"attribute": attribute.name}
        counts = counting.setdefault(attribute.name, attribute)
        if counts is not attribute:
            same = text[attribute.value : attribute.value_end] == text[counts.value : counts.value_end]
            related = (Related(counts.start, counts.end, "this one counts"),)
            repeated = {**data, "same": same}
            yield Problem(rules.T007_DUPLICATE_ATTRIBUTE, attribute.start, attribute.end, repeated, related)
        if attribute.quote and not attribute.closed:
            related = (Related(attribute.start, attribute.end, "the attribute"),)
            yield Problem(rules.T006_ANGLE_BRACKET_IN_ATTRIBUTE, tag.end - 1, tag.end, data, related)
        elif not attribute.quote and attribute.name_end < attribute.value and attribute.value_end < tag.bracket:
            meant = _MEANT.match(text, attribute.value_end, tag.bracket)
            if meant and not (spaced and attribute.value_end == spaced.start()):
                data["value"] = text[attribute.value : meant.end()]
                yield Problem(rules.T008_SLASH_ENDS_UNQUOTED_VALUE, attribute.value, meant.end(), data)


def _against(tag: TagBlock, declared: tuple[Attribute, ...] | None) -> Iterator[Problem]:
    """Yield the undeclared attributes of a tag, and missing required ones."""
    if declared is None:
        return
    names, given = tuple([each.name for each in declared]), {each.name for each in tag.attributes}
    for each in tag.attributes:
        if each.name not in names:
            better = nearest(each.name, names)
            hint = f"write '{better}'" if better else f"it has {', '.join(names)}" if names else "remove it"
            data = {"tag": tag.tag, "attribute": each.name, "better": better, "hint": hint}
            yield Problem(rules.T101_UNKNOWN_ATTRIBUTE, each.start, each.name_end, data)
    for missing in declared:
        if missing.required and missing.name not in given:
            data = {"tag": tag.tag, "attribute": missing.name, "value": (*missing.values, "")[0]}
            yield Problem(rules.T102_MISSING_ATTRIBUTE, tag.start, tag.end, data)


def problems_of_contents(
    section: Section, tags: Container[str], judge: Callable[[str, str], Iterable[Problem]]
) -> Iterator[Problem]:
    """Yield the problems of the contents of blocks with these tags. `judge` returns those of a tag's content."""
    for block in begun_in(section):
        if block.tag not in tags:
            continue
        content = block.content
        # a tag that begins no block is skipped
        if content is None or len(content) > LONGEST or not (content or block.has_closing_tag):
            continue
        for each in judge(block.tag, content):
            found = each.moved(block.end)
            if not content.strip():
                # only the tag can be marked
                found = found._replace(start=block.start + 1, end=block.name_end, related=())
            yield found._replace(data={**each.data, "tag": block.tag})


_FENCE_SIGN = "```"
_FENCE = re.compile(rf"^[ \t]*{_FENCE_SIGN}", re.MULTILINE)
_SIGNS = frozenset("`'\"“„‘«([{=:,.+/")
_ANY_TAG = re.compile(rf"<(/?)({NAME})([>/ \t\n\r]?)")
# a component as formatters write it: with a space before its end, or with an expression
_JSX = re.compile(r"<[A-Z](?:[^<>\n/]*+(?<= )/>|[^<>\n{]*+(?<==)\{)")
_END_OF_TAG = re.compile(r"[>\n]")
_SPACED_SLASH = re.compile(r"/[ \t\n\r]+\Z")
_MEANT = re.compile(r"/[^ \t\n\r>]*")


_COMMENT = re.compile(r"<!--([^\n]*?)(?:(-->)|(?=\n)|\Z)")
_PLAIN = re.compile(r"\n|[^ \t\r\n][^\n]*")
_WRITE = "write <!-- llmblocks: ignore[CODE] --> on one line"
_BEFORE = "in a block it is content; write it in front of the block"


def _find(lines: Section) -> tuple[Silence, ...]:
    found: list[Silence] = []
    text = lines.text
    for kind, start, end in lines.spans():
        if kind is kinds.CONTENT:
            found += [
                each._replace(unread=each.unread or text[each.start : each.end], remedy=_BEFORE)
                for each in _comments(text, start, end)
            ]
        # including the text of messages without blocks, which has another kind
        elif kind.name == kinds.TEXT.name:
            found += _comments(text, start, end)
    return (*found,)


def _comments(text: str, start: int, end: int) -> Iterator[Silence]:
    """Yield the comments in a stretch. One that does not end on its line is not valid, but may be an attempt."""
    for found in _COMMENT.finditer(text, start, end):
        first, last = found.span(1)
        if found[2]:
            words = found[1].strip(" \t")
            at = text.index(words, first)
            silence = read_silence(text, (at, at + len(words)), *found.span(), _WRITE)
            if silence is not None:
                yield silence
            continue
        yield from lookalikes(text, first, last, _WRITE)
        if last < end and found[1].strip(" \t\r") == SIGN:
            yield Silence(found.start(), found.start() + len(found[0].rstrip()), unread=SIGN, remedy=_WRITE)


def _marks(section: Section) -> Iterator[tuple[int, bool]]:
    """Yield the ends of lines; non-blank lines and blocks begin what a comment silences."""
    for kind, start, end in section.spans():
        if kind is not kinds.TEXT:
            yield start, False
        else:
            yield from ((found.end(), found[0] == "\n") for found in _PLAIN.finditer(section.text, start, end))


def _anchor(document: Document, offset: int) -> int:
    """Return the line of a place; inside a block, the line of its opening tag."""
    line, _ = document.line_at(offset)
    for placed in document.backward(line):
        part = next((each for each in reversed(blocks_in(placed.section)) if placed.start + each.start < line), None)
        if part is None or (part.ends and placed.start + part.block_end <= line):
            return line
        if part.begins:
            return document.line_at(placed.start + part.start)[0]
    return line


SILENCING: Final = Silencing(_find, _marks, _anchor, lambda _, __: ("<!-- ", " -->"), "this line or block")

"""The problems of tags and of similar text that do not depend on a whole block."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator

from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.tags import kinds
from llmblocks.tags.editor.attribute_problems import nearest
from llmblocks.tags.editor.blocks import begun_in
from llmblocks.tags.rules import (
    BLANK_BLOCK,
    MISSPELT_TAG,
    NESTED_SAME_TAG,
    SPACED_CLOSING_TAG,
    STRAY_CLOSING_TAG,
    SWALLOWED_OPENING_BRACKET,
)
from llmblocks.tags.scanner import open_in
from llmblocks.tags.syntax import NAME


def problems_of_tags(section: Section, names: tuple[str, ...]) -> Iterator[Problem]:
    """Yield the problems of text and contents of a section, given the registered names."""
    text = section.text
    before = open_in(section.before)
    tag = before.tag if before else ""
    fences = [found.start() for found in _FENCE.finditer(text)] if _FENCE_SIGN in text else []
    for kind, start, end in section.spans():
        if kind is kinds.TEXT:
            yield from _in_text(text, start, end, names, fences)
        elif kind is kinds.CONTENT:
            yield from _in_content(text, start, end, tag)
        elif kind is kinds.NAME:
            tag = text[start:end]


def _in_text(text: str, start: int, end: int, names: tuple[str, ...], fences: list[int]) -> Iterator[Problem]:
    if text.find("<", start, end) < 0:
        return
    known = frozenset(names)
    last_bracket = text.rfind(">", start, end)
    for found in _ANY_TAG.finditer(text, start, end):
        at, behind_it = found.span()
        closing, name, behind = found.groups()
        if name in known:
            if closing and behind == ">":
                yield Problem(STRAY_CLOSING_TAG, at, behind_it, {"tag": name})
            elif not closing and behind:
                # It would have been found, if nothing had swallowed its bracket.
                yield Problem(SWALLOWED_OPENING_BRACKET, at, at + 1 + len(name), {"tag": name})
        elif not behind or (last_bracket < at and not closing) or bisect(fences, at) % 2 or _is_code(text, at, end):
            continue  # without an end it would be no tag, however it is spelt
        elif better := nearest(name, names):
            at += 1 + len(closing)
            # any word in brackets may be near a name; in prose it is a placeholder
            guess = {} if name.lower() == better.lower() else {"case": "guess"}
            yield Problem(MISSPELT_TAG, at, at + len(name), {"name": name, "better": better, **guess})


def _in_content(text: str, start: int, end: int, tag: str) -> Iterator[Problem]:
    if text.find("<", start, end) < 0:
        return
    for found in _closing(tag).finditer(text, start, end):
        rule = SWALLOWED_OPENING_BRACKET if found[0] == f"</{tag}>" else SPACED_CLOSING_TAG
        yield Problem(rule, found.start(), found.end(), {"tag": tag})
    bracket = start
    for found in _ANY_TAG.finditer(text, start, end):
        closing, name, behind = found.groups()
        at = found.start() + 1 + len(closing)
        if closing and behind == ">" and name != tag and nearest(name, (tag,)):
            yield Problem(MISSPELT_TAG, at, at + len(name), {"name": name, "better": tag})
        elif not closing and behind and name == tag:
            if bracket < found.end():
                ends = _END_OF_TAG.search(text, found.end() - 1, end)
                bracket = ends.end() if ends else end + 1
            if bracket <= end and text[bracket - 1] == ">" and text[bracket - 2] != "/":
                yield Problem(NESTED_SAME_TAG, at - 1, at + len(name), {"tag": tag})


def blank_blocks(section: Section) -> Iterator[Problem]:
    """Yield the blocks with only white space."""
    if not _BLANK.search(section.text):
        return
    for block in begun_in(section):
        text = block.text
        if block.closed and block.inside and all(text[start:end].isspace() for _, start, end in block.inside):
            yield Problem(BLANK_BLOCK, block.start, block.name_end, {"tag": block.tag})


def _is_code(text: str, at: int, end: int) -> bool:
    """Return whether a tag is code, or mentioned in quotes."""
    before = text[max(at - 1, 0) : at]
    return before.isalnum() or before in _SIGNS or _JSX.match(text, at, end) is not None


_BLANK = re.compile(r">\s++</")
_FENCE_SIGN = "```"
_FENCE = re.compile(rf"^[ \t]*{_FENCE_SIGN}", re.MULTILINE)
_SIGNS = frozenset("`'\"“„‘«([{=:,.+/")


_ANY_TAG = re.compile(rf"<(/?)({NAME})([>/ \t\n\r]?)")
# a component as formatters write it: with a space before its end, or with an expression
_JSX = re.compile(r"<[A-Z](?:[^<>\n/]*+(?<= )/>|[^<>\n{]*+(?<==)\{)")
_END_OF_TAG = re.compile(r"[>\n]")


def _closing(tag: str) -> re.Pattern[str]:
    """Return the pattern of a tag's closing tag, with optional spaces."""
    return re.compile(rf"<[ \t]*+/[ \t]*+{re.escape(tag)}[ \t]*+>")

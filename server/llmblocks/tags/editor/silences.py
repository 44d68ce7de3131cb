"""Comments that silence findings: `<!-- llmblocks: ignore[T001] a reason -->`. To the runtime they are text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from llmblocks.core.document import Document
from llmblocks.core.section import Section
from llmblocks.facts.sign import SIGN
from llmblocks.facts.silence import Silence, Silencing, lookalikes, read_silence
from llmblocks.tags import kinds
from llmblocks.tags.editor.blocks import blocks_in

_LINE = re.compile(r"(?:\A|(?<=\n))[ \t]{0,8}(?=llm)[^\n]*", re.IGNORECASE)
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
                for each in _comments(text, start, end, _BEFORE)
            ]
        # including the text of messages without blocks, which has another kind
        elif kind.name == kinds.TEXT.name:
            found += sorted([*_comments(text, start, end, _WRITE), *_lines(text, start, end)])
    return (*found,)


def _comments(text: str, start: int, end: int, remedy: str) -> Iterator[Silence]:
    """Yield the comments in a stretch. One that does not end on its line is not valid, but may be an attempt."""
    at = start
    while (at := text.find("<!--", at, end)) >= 0:
        newline = text.find("\n", at, end)
        line = end if newline < 0 else newline
        close = text.find("-->", at + 4, line)
        if close < 0:
            yield from lookalikes(text, at + 4, line, remedy)
            if newline >= 0 and text[at + 4 : line].strip(" \t\r") == SIGN:
                yield Silence(at, at + len(text[at:line].rstrip()), unread=SIGN, remedy=remedy)
            at = line
            continue
        says = text[at + 4 : close]
        first, last = close - len(says.lstrip(" \t")), at + 4 + len(says.rstrip(" \t"))
        silence = read_silence(text, (first, max(first, last)), at, close + 3, remedy)
        if silence is not None:
            yield silence
        at = close + 3


def _lines(text: str, start: int, end: int) -> Iterator[Silence]:
    """Yield lines with the content of such a comment: its signs may be on the lines around them."""
    for line in _LINE.finditer(text, start, end):
        found = next(lookalikes(text, *line.span(), _WRITE), None)
        if found is not None and not text[line.start() : found.start].strip(" \t"):
            yield found._replace(bare=True)


def _stops(every: Iterator[Section], at: int, ends: Sequence[int], first: int) -> list[int | None]:
    """Return the end of each comment's scope: the next non-blank line, and the blocks that begin on it."""
    stops: list[int | None] = []
    # the indices of the first comments: before a non-blank line, still on their own line, and after the place
    word = line = passed = first
    for lines in every:
        text = lines.text
        for kind, start, end in lines.spans():
            if kind is not kinds.TEXT:
                word = line
                continue
            for found in _PLAIN.finditer(text, start, end):
                if found[0] != "\n":
                    word = line
                    continue
                stops += [at + found.end()] * (word - first - len(stops))
                while passed < len(ends) and ends[passed] <= at + found.start():
                    passed += 1
                line = passed
        at += lines.length
        if len(stops) == passed - first and (passed == len(ends) or ends[passed] > at):
            return stops
    return [*stops, *[None] * (len(ends) - first - len(stops))]


def _anchor(document: Document, offset: int) -> int:
    """Return the line of a place; inside a block, the line of its opening tag."""
    line = document.line_start(document.position(offset)[0])
    for placed in document.backward(line):
        part = next((each for each in reversed(blocks_in(placed.section)) if placed.start + each.start < line), None)
        if part is None or (part.ends and placed.start + part.block_end <= line):
            return line
        if part.begins:
            return document.line_start(document.position(placed.start + part.start)[0])
    return line


SILENCING: Final = Silencing(
    _find,
    _stops,
    ends=lambda section: kinds.TEXT in section.kinds,
    anchor=_anchor,
    signs=lambda _, __: ("<!-- ", " -->"),
    target="this line or block",
)

"""Comments that silence findings: `<!-- llmblocks: ignore[T001] a reason -->`. To the runtime they are text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.core.document import Document
from llmblocks.core.section import Section
from llmblocks.facts.silence import SIGN, Silence, Silencing, lookalikes, read_silence
from llmblocks.tags import kinds
from llmblocks.tags.editor.blocks import blocks_in

_COMMENT = re.compile(r"<!--([^\n]*?)(?:(-->)|(?=\n)|\Z)")
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
                for each in _comments(text, start, end)
            ]
        # including the text of messages without blocks, which has another kind
        elif kind.name == kinds.TEXT.name:
            found += sorted([*_comments(text, start, end), *_lines(text, start, end)])
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


def _lines(text: str, start: int, end: int) -> Iterator[Silence]:
    """Yield lines with the content of such a comment: its signs may be on the lines around them."""
    for line in _LINE.finditer(text, start, end):
        found = next(lookalikes(text, *line.span(), _WRITE), None)
        if found is not None and not text[line.start() : found.start].strip(" \t"):
            yield found._replace(bare=True)


def _marks(section: Section) -> Iterator[tuple[int, bool]]:
    """Yield the ends of lines; non-blank lines and blocks begin what a comment silences."""
    for kind, start, end in section.spans():
        if kind is not kinds.TEXT:
            yield start, False
        else:
            yield from ((found.end(), found[0] == "\n") for found in _PLAIN.finditer(section.text, start, end))


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
    _marks,
    anchor=_anchor,
    signs=lambda _, __: ("<!-- ", " -->"),
    target="this line or block",
)

"""Comments that silence findings: `@# llmblocks: ignore[S203] a reason`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.core.document import Document
from llmblocks.core.section import Section, tokens_in
from llmblocks.facts.silence import Silence, Silencing, lookalikes, read_silence
from llmblocks.stf import kinds
from llmblocks.stf.scanner import state_of

_BEGINNINGS = frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME))
_ENDS = frozenset((*_BEGINNINGS, kinds.FLUSH_NAME))
_COMMENT_SIGN = re.compile(r"(?:#|//)[ \t]*")
DIRECTIVE: Final = re.compile(_COMMENT_SIGN.pattern + "(?=llmblocks:)")
_LINE = "write llmblocks: ignore[CODE] in a comment line in front of the message"


def _find(lines: Section) -> tuple[Silence, ...]:
    found: list[Silence] = []
    text = lines.text
    for kind, start, end in lines.spans():
        if kind is kinds.COMMENT_LINE:
            sign = _COMMENT_SIGN.match(text, start, end)
            header = text.rfind("\n", 0, start) + 1
            header += text.startswith("\ufeff", header)
            says = start if sign is None else sign.end()
            remedy = f"write {text[header]}# llmblocks: ignore[CODE]"
            silence = read_silence(text, (says, end), header, end, remedy)
            if silence is not None:
                found.append(silence)
        elif kind is kinds.COMMENT:
            # a block comment silences nothing
            found += lookalikes(text, start, end, _LINE)
    return (*found,)


def _marks(section: Section) -> Iterator[tuple[int, bool]]:
    """Yield the beginnings of messages, at each of which the one before it ends."""
    for kind, start, _ in tokens_in(section, _ENDS):
        line = section.text.rfind("\n", 0, start) + 1
        yield line, True
        if kind in _BEGINNINGS:
            yield line, False


def _anchor(document: Document, offset: int) -> int:
    """Return the command line of the message around a place, or else the line of the place."""
    line = document.line_start(document.position(offset)[0] + 1)
    for placed in document.backward(offset):
        every = tokens_in(placed.section, _BEGINNINGS)
        found = [begin for _, at, _ in every if (begin := placed.start + at) < line]
        if found:
            return document.line_start(document.position(found[-1])[0])
    return document.line_start(document.position(offset)[0])


def _signs(document: Document, offset: int) -> tuple[str, str]:
    return f"{state_of(document.section_at(offset).section.after).dialect or '@'}# ", ""


SILENCING: Final = Silencing(_find, _marks, _anchor, _signs, "this message", _LINE)

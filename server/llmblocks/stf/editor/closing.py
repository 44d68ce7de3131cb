"""The block or comment block that is open at the caret, and its end: suggested, added after a new one, typed twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from llmblocks.contract.caret import FAR, Caret, Suggestion
from llmblocks.stf import kinds
from llmblocks.stf.scanner import BLOCKS, StfScanner, state_of
from llmblocks.stf.syntax.arguments import LONGEST_BLOCK
from llmblocks.stf.syntax.dialect import DIALECTS

_OPENS = re.compile(r"\ufeff?[@;][ \t]*(?:(/\*)|([a-z]+)\b)")


class BlockAtCaret(NamedTuple):
    """The commands that are open at the start of the caret's line."""

    name: str
    """The block command; empty outside of blocks."""
    header: str
    """The first character of command lines."""
    text: str
    """The data of the block before the caret; empty if they are too long to read."""
    depth: int
    """The number of open comment blocks."""


def open_block(caret: Caret) -> BlockAtCaret:
    """Return the block around the caret, even if the caret's line ends it."""
    left, section, stop = len(caret.before), caret.section, 0
    for each, end in caret.sections_back():
        section, stop = each, max(end - left, 0)
        if stop:
            break
        left -= end
    found = StfScanner().scan_up_to(section.text, 0, stop, section.length, state_of(section.before))
    state, at, parts = found.state, 0, []
    for kind, width in found.tokens:
        if kind is kinds.BODY:
            parts.append(section.text[at : at + width])
        at += width
    name = state.context if state.context in BLOCKS else ""
    text = "".join((*parts, caret.before))
    return BlockAtCaret(name, state.dialect or "@", text if name and len(text) < LONGEST_BLOCK else "", state.depth)


def close_comment(caret: Caret, dialect: str) -> Iterator[Suggestion]:
    """Yield the end of the comment block around a place, at the start of a line."""
    block = open_block(caret)
    if not caret.before:
        header = block.header if block.depth else ""
    else:
        signs = (sign for sign in DIALECTS if dialect in ("auto", sign))
        header = next((sign for sign in signs if f"{sign}*/".startswith(caret.before)), "")
    if header:
        yield Suggestion(f"{header}*/", len(caret.before), "Ends the comment block above")


def closing(caret: Caret, typed: str) -> str:
    """Return the line that ends the block begun on the line before the caret; empty if there is one already."""
    if typed != "\n" or caret.before:
        return ""
    opens = _OPENS.match(caret.section.line_before(caret.offset - 1))
    if opens is None:
        return ""
    block = open_block(caret)
    depth = block.depth
    if opens[1] and depth:
        # an end after the caret may be that of a block around this one
        for kind, _ in caret.tokens_ahead():
            depth += (kind is kinds.COMMENT_OPEN) - (kind is kinds.COMMENT_CLOSE)
            if depth <= 0 or kind is FAR:
                return ""
        return f"{block.header}*/"
    if opens[2] != block.name or block.depth:
        return ""
    for kind, _ in caret.tokens_ahead():
        if kind in (kinds.END_NAME, FAR):
            return ""
        if kind in kinds.MESSAGES:
            break
    return f"{block.header}end"


def ended(caret: Caret) -> str:
    """Return the end of a block or comment block before the caret, if the next command after the caret repeats it."""
    kind, text = next(caret.tokens_back(), (None, ""))
    if kind not in (kinds.END_NAME, kinds.COMMENT_CLOSE):
        return ""
    ahead = (kind for kind, text in caret.tokens_ahead() if text.strip() and kind is not kinds.HEADER)
    is_doubled = next(ahead, None) in (kinds.STRAY_END, kinds.STRAY_CLOSE)
    return f"{open_block(caret).header}{text}" if is_doubled else ""

"""The block or comment block that is open at the caret, and its end: suggested, added after a new one, typed twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from llmblocks.contract.caret import FAR, Caret, Suggestion
from llmblocks.core.scan import Kind
from llmblocks.stf import kinds
from llmblocks.stf.context import BLOCKS, state_of
from llmblocks.stf.scanner import StfScanner
from llmblocks.stf.syntax.arguments import LONGEST_BLOCK
from llmblocks.stf.syntax.dialect import DIALECTS

_BLOCKS = frozenset((kinds.RAW_NAME, kinds.BLOCK_NAME))


class BlockAtCaret(NamedTuple):
    """The commands that are open at the start of the caret's line."""

    name: str
    """The block command; empty outside of blocks."""
    header: str
    """The first character of command lines."""
    text: str
    """The data of the block before the caret; empty if they are too long to read."""
    in_comment: bool
    """Whether a comment block is open."""


def open_block(caret: Caret) -> BlockAtCaret:
    """Return the block around the caret, even if the caret's line ends it."""
    left, section, stop = len(caret.before), caret.section, 0
    for each, end in caret.sections_back():
        section, stop = each, max(end - left, 0)
        if stop:
            break
        left -= end
    found = StfScanner().scan_up_to(section.text, 0, stop, section.length, state_of(section.before))
    state = found.state
    if state.context not in BLOCKS:
        return BlockAtCaret("", state.dialect or "@", "", state.depth > 0)
    at, parts = 0, []
    for kind, width in found.tokens:
        if kind is kinds.BODY:
            parts.append(section.text[at : at + width])
        at += width
    text = "".join((*parts, caret.before))
    return BlockAtCaret(state.context, state.dialect, text if len(text) < LONGEST_BLOCK else "", state.depth > 0)


def close_comment(caret: Caret, dialect: str) -> Iterator[Suggestion]:
    """Yield the end of the comment block around a place, at the start of a line."""
    if not caret.before:
        block = open_block(caret)
        header = block.header if block.in_comment else ""
    else:
        signs = (sign for sign in DIALECTS if dialect in ("auto", sign))
        header = next((sign for sign in signs if f"{sign}*/".startswith(caret.before)), "")
    if header:
        yield Suggestion(f"{header}*/", len(caret.before), "Ends the comment block above")


def closing(caret: Caret, typed: str) -> str:
    """Return the line that ends the block begun on the line before the caret; empty if there is one already."""
    if typed != "\n":
        return ""
    last = next(caret.tokens_back(), (None, ""))[0]
    if last is kinds.LINE_END:
        return _end_of_block(caret)
    return _end_of_comment(caret) if last is kinds.COMMENT else ""


def ended(caret: Caret) -> str:
    """Return the end of a block or comment block before the caret, if the next command after the caret repeats it."""
    kind, text = next(caret.tokens_back(), (None, ""))
    if kind not in (kinds.END_NAME, kinds.COMMENT_CLOSE):
        return ""
    ahead = (kind for kind, text in caret.tokens_ahead() if text.strip() and kind is not kinds.HEADER)
    is_doubled = next(ahead, None) in (kinds.STRAY_END, kinds.STRAY_CLOSE)
    return f"{open_block(caret).header}{text}" if is_doubled else ""


def _end_of_block(caret: Caret) -> str:
    line = dict(takewhile(lambda each: each[0] is not kinds.HEADER, caret.tokens_back()))
    if _BLOCKS.isdisjoint(line):
        return ""
    for kind, _ in caret.tokens_ahead():
        if kind in (kinds.END_NAME, FAR):
            return ""
        if kind in kinds.MESSAGES:
            break
    return f"{open_block(caret).header}end"


def _end_of_comment(caret: Caret) -> str:
    rest = [text for _, text in takewhile(lambda each: each[0] is kinds.COMMENT, caret.tokens_back())]
    if "\n" in "".join(rest[::-1]).removesuffix("\n"):
        return ""
    # an end after the caret may be that of a block around this one
    depth = sum([_deeper(kind) for kind, _ in caret.tokens_back()])
    for kind, _ in caret.tokens_ahead():
        depth += _deeper(kind)
        if depth <= 0 or kind is FAR:
            return ""
    return f"{open_block(caret).header}*/"


def _deeper(kind: Kind) -> int:
    return (kind is kinds.COMMENT_OPEN) - (kind is kinds.COMMENT_CLOSE)

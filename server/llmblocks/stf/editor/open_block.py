"""The block command that is open at the caret."""

from __future__ import annotations

from typing import NamedTuple

from llmblocks.contract.caret import Caret
from llmblocks.core.layered import state_in
from llmblocks.core.section import Section
from llmblocks.stf import kinds
from llmblocks.stf.context import BLOCKS, StfState

_LONGEST = 1 << 13
_OPENS = frozenset((kinds.RAW_NAME, kinds.BLOCK_NAME))
_ENDS = frozenset((kinds.END_NAME, kinds.MESSAGE_NAME, kinds.LINE_NAME, kinds.FLUSH_NAME))
_READ = _OPENS | _ENDS | {kinds.HEADER, kinds.BODY}


class BlockAtCaret(NamedTuple):
    """A block at the caret."""

    name: str = ""
    """The command; empty outside of blocks."""
    header: str = "@"
    text: str = ""
    """Its data before the caret; empty if that is longer than `_LONGEST`."""


def open_block(caret: Caret) -> BlockAtCaret:
    """Return the block around the caret, even if the caret's line ends it. Reads at most a few KB."""
    name, header, data, length = None, "", "", 0
    line = len(caret.before)
    for lines, end in caret.sections_back():
        name, found, read, size = _read(lines, end, end - line)
        header, data, length, line = header or found, read + data, length + size, 0
        state = state_in(lines.before, StfState)
        if name is None and (state is None or state.context not in BLOCKS):
            return BlockAtCaret()
        if name is None and state is not None and length >= _LONGEST:
            name, header = state.context, header or state.dialect
        if name is not None:
            break
    return BlockAtCaret(name, header or "@", data if length < _LONGEST else "") if name else BlockAtCaret()


class _ReadBlock(NamedTuple):
    """The result of reading lines for the open block."""

    name: str | None
    """None if no block begins or ends."""
    header: str
    data: str
    """The data after the last beginning or end."""
    length: int


def _read(lines: Section, until: int, line: int) -> _ReadBlock:
    """Read lines up to a place. The end of a block at or after the start of `line` does not count."""
    name, header, start = None, "", 0
    parts: list[str] = []
    at = 0
    for kind, width in lines.tokens:
        if at >= until:
            break
        if kind not in _READ:
            at += width
            continue
        token = lines.text[at : min(at + width, until)]
        if kind in _OPENS and at + width < until:
            name, parts, start = token, [], at + width
        elif kind in _ENDS and not (kind is kinds.END_NAME and at >= line):
            name = ""
        elif kind is kinds.HEADER:
            header = token
        elif kind is kinds.BODY:
            parts.append(token)
        at += width
    return _ReadBlock(name, header, "".join(parts), until - start)


def is_in_comment_block(caret: Caret) -> bool:
    """Return whether the start of a line is in a comment block."""
    return next((kind for kind, _ in caret.tokens_back()), None) is kinds.COMMENT


def header_nearby(caret: Caret) -> str:
    """Return the first character of command lines near the caret."""
    state = next((state_in(lines.after, StfState) for lines, _ in caret.sections_back()), None)
    return (state.dialect if state else "") or "@"

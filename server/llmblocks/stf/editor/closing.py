"""The line that ends a block or a comment block: added after a new one, dropped if typed twice."""

from __future__ import annotations

from itertools import takewhile

from llmblocks.contract.caret import FAR, Caret
from llmblocks.core.scan import Kind
from llmblocks.stf import kinds
from llmblocks.stf.editor.open_block import header_nearby

_BLOCKS = frozenset((kinds.RAW_NAME, kinds.BLOCK_NAME))


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
    return f"{header_nearby(caret)}{text}" if is_doubled else ""


def _end_of_block(caret: Caret) -> str:
    line = dict(takewhile(lambda each: each[0] is not kinds.HEADER, caret.tokens_back()))
    if _BLOCKS.isdisjoint(line):
        return ""
    for kind, _ in caret.tokens_ahead():
        if kind in (kinds.END_NAME, FAR):
            return ""
        if kind in kinds.MESSAGES:
            break
    return f"{header_nearby(caret)}end"


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
    return f"{header_nearby(caret)}*/"


def _deeper(kind: Kind) -> int:
    return (kind is kinds.COMMENT_OPEN) - (kind is kinds.COMMENT_CLOSE)

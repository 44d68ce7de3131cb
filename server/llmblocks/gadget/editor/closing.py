"""The end marker of a call: added after a new header, dropped if typed twice."""

from __future__ import annotations

from llmblocks.contract.caret import FAR, Caret
from llmblocks.gadget import kinds


def closing(caret: Caret, typed: str, marker: str) -> str:
    """Return the end marker for the call whose first line has been typed; empty if the call has one."""
    if typed != "\n" or next(caret.tokens_back(), (None, ""))[0] is not kinds.HEADER_END:
        return ""
    return "" if has_end(caret) else marker


def has_end(caret: Caret) -> bool:
    """Return whether the call at the caret has an end marker after it."""
    for kind, _ in caret.tokens_ahead():
        if kind in (kinds.END, FAR):
            return True
        if kind is kinds.START:
            break
    return False


def ended(caret: Caret) -> str:
    """Return the end marker before the caret if it ends a call."""
    kind, text = next(caret.tokens_back(), (None, ""))
    return text if kind is kinds.END else ""

"""The closing tag of a block: added after a new opening tag, dropped if typed twice."""

from __future__ import annotations

import re

from llmblocks.contract.caret import FAR, Caret
from llmblocks.tags import kinds


def closing(caret: Caret, typed: str) -> str:
    """Return the tag that closes the block whose `>` has just been typed; empty if the block has one."""
    back = caret.tokens_back()
    if typed != ">" or next(back, (None, ""))[0] is not kinds.OPENED:
        return ""
    name = next((text for kind, text in back if kind is kinds.NAME), "")
    again = re.compile(rf"<{re.escape(name)}[ \t\r\n/>]")
    for kind, text in caret.tokens_ahead():
        if kind in (kinds.CLOSING, FAR):
            return ""
        # the closing tag may belong to a block opened after the caret
        if kind is kinds.OPENING or (kind is kinds.CONTENT and again.search(text)):
            break
    return f"</{name}>"


def ended(caret: Caret) -> str:
    """Return the closing tag before the caret if it closes a block."""
    back = caret.tokens_back()
    if next(back, (None, ""))[0] is not kinds.CLOSED:
        return ""
    return f"</{next((text for kind, text in back if kind is kinds.NAME), '')}>"

"""The nesting of messages, block commands and comment blocks."""

from __future__ import annotations

from typing import Final

from llmblocks.core.nest import Nesting
from llmblocks.stf import kinds

MESSAGE: Final = "message"
BLOCK: Final = "block"
COMMENT: Final = "comment"

NESTING: Final = Nesting(
    opens={kinds.MESSAGE_NAME: MESSAGE, kinds.RAW_NAME: BLOCK, kinds.BLOCK_NAME: BLOCK, kinds.COMMENT_OPEN: COMMENT},
    closes={kinds.END_NAME: BLOCK, kinds.COMMENT_CLOSE: COMMENT, kinds.FLUSH_NAME: MESSAGE},
    ends={MESSAGE: frozenset((MESSAGE, BLOCK)), BLOCK: frozenset((BLOCK,))},
    leads=frozenset((kinds.HEADER, kinds.BLANK)),
    runs=frozenset((MESSAGE,)),
    breaks=frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME)),
    line_comments=frozenset((kinds.COMMENT_LINE,)),
)

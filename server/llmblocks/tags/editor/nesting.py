"""The nesting of blocks."""

from __future__ import annotations

from typing import Final

from llmblocks.core.nest import Nesting
from llmblocks.tags import kinds

BLOCK: Final = "custom-block"

NESTING: Final = Nesting(
    opens={kinds.OPENING: BLOCK},
    closes={kinds.CLOSED: BLOCK, kinds.SELF_CLOSED: BLOCK},
    # Blocks do not nest: a tag in a block is its content.
    ends={BLOCK: frozenset((BLOCK,))},
)

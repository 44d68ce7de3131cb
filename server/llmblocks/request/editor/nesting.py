"""The messages of a request."""

from __future__ import annotations

from typing import Final

from llmblocks.core.nest import Nesting
from llmblocks.request.editor import kinds

MESSAGE: Final = "message"

NESTING: Final = Nesting(
    opens={kinds.ROLE: MESSAGE},
    closes={},
    ends={MESSAGE: frozenset((MESSAGE,))},
    leads=frozenset((kinds.SIGN,)),
    runs=frozenset((MESSAGE,)),
    breaks=frozenset((kinds.ROLE,)),
)

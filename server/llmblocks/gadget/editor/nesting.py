"""The nesting of calls and their arguments."""

from __future__ import annotations

from typing import Final

from llmblocks.core.nest import Nesting
from llmblocks.gadget import kinds

CALL: Final = "call"
ARGUMENT: Final = "argument"

NESTING: Final = Nesting(
    opens={kinds.START: CALL, kinds.ARG: ARGUMENT},
    closes={kinds.END: CALL},
    ends={CALL: frozenset((CALL, ARGUMENT)), ARGUMENT: frozenset((ARGUMENT,))},
)

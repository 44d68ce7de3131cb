"""The nesting of regions."""

from __future__ import annotations

from typing import Final

from llmblocks.completions import scanner
from llmblocks.core.nest import Nesting

REGION: Final = "region"
NESTING: Final = Nesting(
    opens={scanner.OPEN: REGION, scanner.OPENED: REGION},
    closes={scanner.CLOSE: REGION, scanner.CLOSED: REGION},
    # regions do not nest
    ends={REGION: frozenset((REGION,))},
    leads=frozenset((scanner.PENDING,)),
)

"""The number of random examples in tests: LLMBLOCKS_LAWS sets it, 25 while developing and 1,000 in `make test`."""

from __future__ import annotations

import os

USUAL = 100
"""The number of examples of a test that does not say another, in `make test`."""
LAWS = int(os.environ.get("LLMBLOCKS_LAWS", "25"))


def examples(most: int) -> int:
    """The number of examples of a test: all in `make test`, a fortieth during development."""
    return max(min(most * LAWS // 1000, most), 10)

"""How long a fuzzer continues: a fixed number of rounds in `make test`, the given seconds in `make fuzz`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from wire import PATIENCE_S

GIVEN = os.environ.get("LLMBLOCKS_FUZZ_SECONDS")
SECONDS = float(GIVEN or "0")
FIRST_SEED = int(os.environ.get("LLMBLOCKS_FUZZ_SEED", "1"))
LONGEST_SILENCE = float(os.environ.get("LLMBLOCKS_FUZZ_SILENCE", PATIENCE_S))


def seeds(count: int, share: float) -> Iterator[int]:
    """`count` seeds, the same in each run; or, if seconds are given, as many as fit into a share of them."""
    if not GIVEN:
        yield from range(FIRST_SEED, FIRST_SEED + count)
        return
    ends, seed = time.monotonic() + SECONDS * share, FIRST_SEED
    while time.monotonic() < ends or seed == FIRST_SEED:
        yield seed
        seed += 1

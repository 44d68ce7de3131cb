"""Everything that can be wrong in the gadget block format: codes, severities and wordings."""

from __future__ import annotations

from typing import Final

from llmblocks.core.finding import Severity
from llmblocks.core.problem import ProblemKind

DUPLICATE_POINTER: Final = ProblemKind(
    "G101",
    "duplicate-pointer",
    Severity.ERROR,
    "Duplicate pointer: {pointer}",
    "llmist rejects the whole call; first given {where}, rename or remove one",
)
ARRAY_INDEX_GAP: Final = ProblemKind(
    "G102",
    "array-index-gap",
    Severity.ERROR,
    "Array index gap: expected {expected}, got {got}",
    "llmist rejects the whole call; give the indices in order, from 0",
)
INVALID_ARRAY_INDEX: Final = ProblemKind(
    "G103",
    "invalid-array-index",
    Severity.ERROR,
    "Invalid array index: {segment}",
    "llmist rejects the whole call; an array takes whole numbers from 0",
)

"""All refactorings, in the order in which editors list them."""

from __future__ import annotations

from typing import Final

from llmblocks.refactors import dialect, json_value, renumber
from llmblocks.refactors.refactoring import Refactoring

REFACTORINGS: Final[tuple[Refactoring, ...]] = (
    json_value.SPREAD,
    json_value.COLLECT,
    renumber.RENUMBER,
    dialect.CONVERT,
)

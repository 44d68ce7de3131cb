"""The catalogue of problems with comments that silence findings."""

from __future__ import annotations

from typing import Final

from llmblocks.core.problem import Case, ProblemKind
from llmblocks.core.severity import Severity

UNUSED_SILENCE: Final = ProblemKind(
    "C010",
    "unused-silence",
    Severity.WARNING,
    "This comment silences nothing",
    "it would hide a later mistake; remove it",
    {"code": Case("{text} silences nothing here", "it would hide a later mistake; remove it")},
)
UNKNOWN_SILENCE: Final = ProblemKind(
    "C011",
    "unknown-silence",
    Severity.WARNING,
    "No rule has the code or name '{text}'",
    "nothing is silenced; {near}",
    {
        "form": Case(
            "'{text}' is not a way to silence findings",
            "nothing is silenced; {near}",
        )
    },
)
RULED: Final = (UNUSED_SILENCE, UNKNOWN_SILENCE)
"""The kinds with a rule."""

"""The outcomes of calls: one word and one predicate for each, used everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Outcome = Literal["called", "returned", "failed", "rejected", "skipped", "never ran", "no result"]
"""The outcome of a call, as the word for it."""
PREDICATES: Final[Mapping[str, str]] = {
    "called": "is called",
    "returned": "has returned",
    "failed": "has failed",
    "rejected": "is rejected",
    "skipped": "is skipped",
    "never ran": "never ran",
    "no result": "has no result",
}
STOPPED: Final[frozenset[Outcome]] = frozenset(("failed", "rejected", "skipped", "never ran"))
"""The outcomes of calls that ended a part of a session."""
Cause = tuple[str, Outcome]
"""The id and the outcome of a stopped call."""


def sentence(cause: Cause) -> str:
    """Describe a cause: `r1 is rejected`."""
    one, outcome = cause
    return f"{one} {PREDICATES[outcome]}"


def name_of(outcome: str) -> str:
    """Return the class name of an outcome, or of another kind of call, in a style sheet."""
    return outcome.replace(" ", "-")

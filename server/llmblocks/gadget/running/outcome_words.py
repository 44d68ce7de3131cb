"""The outcomes of calls: one word for each, and its predicate in a sentence, the same wherever they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Outcome = Literal["returned", "failed", "rejected", "skipped", "never ran", "no result"]
"""The outcome of a call, as the word for it."""
PREDICATES: Final[Mapping[str, str]] = {
    "returned": "has returned",
    "failed": "has failed",
    "rejected": "is rejected",
    "skipped": "is skipped",
    "never ran": "never ran",
    "no result": "has no result",
}
STOPPED: Final[frozenset[Outcome]] = frozenset(("failed", "rejected", "skipped", "never ran"))
"""The outcomes of calls that a session has not got further with."""
Cause = tuple[str, Outcome]
"""The id of a call that has stopped, and its outcome."""


def sentence(cause: Cause) -> str:
    """A cause in words: `r1 is rejected`."""
    one, outcome = cause
    return f"{one} {PREDICATES[outcome]}"


def name_of(outcome: str) -> str:
    """An outcome, or another kind of call, as the name of a class in a style sheet."""
    return outcome.replace(" ", "-")

"""The tokens of a text by the formats' descriptions, and the problems at its places."""

from __future__ import annotations

from typing import NamedTuple

RESET = "reset"
"""The kind of an empty token: after it nothing is open in the formats inside."""


class Token(NamedTuple):
    """`start` and `end` in code points of the document."""

    kind: str
    start: int
    end: int


class Reading(NamedTuple):
    """`tokens` in order; `cuts` are the places at which nothing stays open."""

    tokens: list[Token]
    cuts: set[int]


def joined(tokens: list[Token]) -> list[Token]:
    """Neighbours of a kind that is a run of characters are one token."""
    found: list[Token] = []
    for token in tokens:
        if token.start == token.end and token.kind != RESET:
            continue
        last = found[-1] if found else None
        if last and last.kind == token.kind and last.end == token.start and token.kind in _RUNS:
            found[-1] = Token(token.kind, last.start, token.end)
        else:
            found.append(token)
    return found


_RUNS = frozenset(
    [
        *("text", "plain", "untagged", "header", "ignored", "pointer", "value", "gap", "attribute", "attribute-value"),
        *("content", "body", "path", "comment", "arguments", "malformed", "comment-line"),
    ]
)


ERROR, WARNING, INFORMATION, HINT = 1, 2, 3, 4


class Found(NamedTuple):
    """`says` is a pattern that the whole message must match."""

    start: int
    end: int
    code: str
    says: str
    related: tuple[tuple[int, int], ...] = ()
    severity: int = ERROR

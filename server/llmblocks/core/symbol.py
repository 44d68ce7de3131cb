"""The names in a text, as formats state them."""

from __future__ import annotations

from typing import Literal, NamedTuple

Role = Literal["definition", "reference", "boundary"]
"""A boundary has neither kind nor name: after it, the formats inside the one that states it start over."""


class Symbol(NamedTuple):
    """A name at its place.

    Shape: `kind` says what it is a name of, in the words of its format; two names are the same where the kinds are.
           `start` and `end` are the name alone, in code points from the start of what was asked about: a piece or a
           section.
    """

    role: Role
    kind: str
    name: str
    start: int
    end: int

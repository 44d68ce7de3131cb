"""The names in a text, as formats state them."""

from __future__ import annotations

from typing import Literal, NamedTuple

Role = Literal["definition", "reference", "boundary"]
"""A boundary has neither kind nor name: after it, the formats inside its format start over."""


class Symbol(NamedTuple):
    """A name at its place."""

    role: Role
    kind: str
    """The kind of thing it names, in the words of its format. Names of different kinds are different."""
    name: str
    start: int
    """The start of the name alone, in code points from the start of its section."""
    end: int

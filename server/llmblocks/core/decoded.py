"""The values that a program reads from a text, which a fix must keep."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Scalar: TypeAlias = str | int | float | bool


class Value(NamedTuple):
    """A value for a program: a message, a call, a block.

    Shape: `head` tells all of it but its `parts`, each a name and a scalar. `accepted` is false where the runtime
           rejects it, so that a program gets none of its parts.
    """

    head: str
    parts: tuple[tuple[str, Scalar], ...] = ()
    accepted: bool = True


Decoded: TypeAlias = list[Value | str]
"""The values of a text, and the texts for the inner format, each of which is read from its start."""

"""The values that a program reads from a text, which a fix must keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

S = TypeVar("S", contravariant=True)

Scalar: TypeAlias = str | int | float | bool


class DecodedValue(NamedTuple):
    """A value for a program: a message, a call, a block.

    Shape: `head` tells all of it but its `parts`, each a name and a scalar. `accepted` is false where the runtime
           rejects it, so that a program gets none of its parts. `before` is how much of its format's free text is in
           front of it. Text that belongs to no format is the `free` text of a value without a head. `content` is the
           text inside a custom block, and `message` the text of a message; None for anything else. A call has a `name`
           and a `body`.
    """

    head: str
    parts: tuple[tuple[str, Scalar], ...] = ()
    accepted: bool = True
    before: int = 0
    free: str = ""
    content: str | None = None
    message: str | None = None
    name: str = ""
    body: str = ""


class InnerText(NamedTuple):
    """A text for the formats inside. Shape: only those with these names are in it."""

    text: str
    formats: frozenset[str]


Decoded: TypeAlias = list[DecodedValue | str | InnerText]
"""The values of a text, and the texts for the formats inside, each of which is read from its start."""
Decode: TypeAlias = Callable[[str, S], Decoded]

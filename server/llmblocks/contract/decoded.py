"""The values that a program reads from a text, which a fix must keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

S = TypeVar("S", contravariant=True)

Scalar: TypeAlias = str | int | float | bool


class DecodedValue(NamedTuple):
    """A value for a program: a message, a call, a block."""

    head: str
    """Everything about the value but its `parts`."""
    parts: tuple[tuple[str, Scalar], ...] = ()
    """Pairs of a name and a scalar."""
    accepted: bool = True
    """False if the runtime rejects the value, so that a program gets none of its parts."""
    before: int = 0
    """The length of its format's free text before it."""
    free: str = ""
    """The text of a value without a head: text that belongs to no format."""
    content: str | None = None
    """The text inside a custom block; None for other values."""
    message: str | None = None
    """The text of a message; None for other values."""
    name: str = ""
    body: str = ""


class InnerText(NamedTuple):
    """A text for the formats inside."""

    text: str
    formats: frozenset[str]
    """The names of the formats that can occur in it."""


Decoded: TypeAlias = list[DecodedValue | str | InnerText]
"""Returns the values of a text, and the texts for the formats inside, each of which is read from its start."""
Decode: TypeAlias = Callable[[str, S], Decoded]

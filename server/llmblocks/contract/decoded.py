"""The values that a program reads from a text, which fixes and the formatter must keep, and the contract of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from llmblocks.core.edits import Edit
from llmblocks.core.section import Span

S = TypeVar("S", contravariant=True)
_BLANKS = " \t\r\n"
"""Fewer than Python strips: to the reader of a text, a wide space or a form feed is a character."""
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


class Style(Protocol[S]):
    """The part of a format in formatting."""

    @property
    def keeps(self) -> Callable[[str, S], object] | None:
        """Return the values that a program reads from a text, without the content of custom blocks.

        Returns:
            A function whose results have equal `repr`s before and after formatting. None if no edit changes any of it,
            and each edit changes the text.
        """

    def edits(self, text: str, spans: Iterable[Span], settings: S) -> Iterator[Edit]:
        """Yield the edits that make a text uniform. If some may change a value, the formatter tries each."""


def gaps(text: str, marks: Iterable[tuple[int, bool]], *, least: str = "") -> Iterator[Edit]:
    """Yield one blank line between two blocks with nothing but white space between them.

    Args:
        marks: Each mark is a place, and whether a block begins there; otherwise one ends.
        least: A gap without this text in it stays.
    """
    end = -1
    for at, begins in marks:
        if begins and end >= 0:
            between = text[end:at]
            if least in between and not between.strip(_BLANKS):
                newline = "\r\n" if "\r\n" in between else "\n"
                yield Edit(end, at, newline * 2)
        end = -1 if begins else at


def without_gaps(free: str, ends: Iterable[int]) -> tuple[str, ...]:
    """Return free text, cut at blocks. White space after a block becomes empty."""
    parts, at = [], -1
    for end in (*ends, len(free)):
        part = free[max(at, 0) : end]
        parts.append(part if at < 0 or part.strip(_BLANKS) else "")
        at = end
    return (*parts,)

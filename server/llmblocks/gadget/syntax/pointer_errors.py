"""The errors of argument pointers, in the runtime's wording."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.gadget import rules

ErrorKind = Literal["duplicate_pointer", "array_gap", "bad_index", "scalar_parent", "unsafe_pointer", "nesting"]

ROWS: Final[Mapping[ErrorKind, Rule]] = {
    "duplicate_pointer": rules.DUPLICATE_POINTER,
    "array_gap": rules.ARRAY_INDEX_GAP,
    "bad_index": rules.INVALID_ARRAY_INDEX,
    "scalar_parent": rules.POINTER_CONFLICT,
    "unsafe_pointer": rules.UNSAFE_POINTER,
    "nesting": rules.POINTER_TOO_DEEP,
}
"""The rule about each kind of error."""


class PointerError(ValueError):
    """The error of a pointer.

    Attributes:
        message: The runtime's message, if it has one.
        place: The index of the wrong segment, or None for the whole pointer.
        data: The values in the message.
    """

    def __init__(
        self, kind: ErrorKind, message: str, place: int | None = None, data: Mapping[str, object] = NO_DATA
    ) -> None:
        self.kind = kind
        self.message = message
        self.place = place
        self.data = data

    def __str__(self) -> str:
        return self.message

    def span(self, pointer: str) -> tuple[int, int]:
        """Return the wrong part of the pointer."""
        if self.place is None:
            return 0, len(pointer)
        segments = pointer.split("/")
        start = sum([len(segment) + 1 for segment in segments[: self.place]])
        return start, start + len(segments[self.place])


def error(kind: ErrorKind, place: int | None, **data: object) -> PointerError:
    """Return the error of a kind, in the words of its rule."""
    row = ROWS[kind]
    # the runtime has no message for these
    is_ours = row in (rules.UNSAFE_POINTER, rules.POINTER_TOO_DEEP)
    message = str(row.message(data)) if is_ours else row.says(data)
    return PointerError(kind, message, place, data)

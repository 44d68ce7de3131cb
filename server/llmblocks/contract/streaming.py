"""The contract of a format with readers of its values, while a text arrives or at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

S = TypeVar("S", contravariant=True)
Event = dict[str, Any]
"""An event as plain JSON values."""


class FormatStream(Protocol):
    """A stream of the public library. `held` is the text held back, `held_size` its length at less cost."""

    @property
    def held(self) -> str: ...
    @property
    def held_size(self) -> int: ...
    def feed(self, text: str, /) -> Sequence[Any]:
        """Read a chunk, and return the events that it completes."""

    def close(self) -> Sequence[Any]:
        """End the text, and return the rest of the events."""


class Held(NamedTuple):
    """A text held back."""

    begin: str
    end: str
    size: int
    text: str
    at: int
    """The length of `text` that has been read."""


class TerminalEvent(NamedTuple):
    """An event on a terminal."""

    text: str
    style: str = ""
    """A style of rich."""
    own_line: bool = False
    """Whether it is set apart from the text around it."""


class Streaming(NamedTuple, Generic[S]):
    """The public stream of a format, and the content of its events."""

    open: Callable[[S], FormatStream]
    """Opens a stream."""
    free: Callable[[Any], str | None]
    """Returns the text of an event that is text outside of the format, which inner formats read. The functions below
    are called for other events only.
    """
    event: Callable[[Any], Event]
    """Returns an event as JSON values."""
    item: Callable[[Any], Event | None]
    """Returns the value that an event completes; None if it completes none."""
    why: Callable[[Held, S], str]
    """Returns the reason why text is held back; empty if another format holds it."""
    shown: Callable[[Any], TerminalEvent | None]
    whole: Callable[[str, S], Event] | None = None
    """Reads a text whose values are more than a list of items."""


def plain(event: Any) -> Event:
    """Return an event as JSON values: `event` is the name of its class, the rest are its fields."""
    return {"event": type(event).__name__} | asdict(event)

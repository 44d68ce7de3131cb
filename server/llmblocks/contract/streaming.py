"""The contract of a format with whoever reads its values, while a text arrives or at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

S = TypeVar("S", contravariant=True)
Event = dict[str, Any]
"""An event as plain JSON values."""


class FormatStream(Protocol):
    """A stream of the public library. Shape: `held` is the text held back, `held_size` its length at less cost."""

    @property
    def held(self) -> str: ...
    @property
    def held_size(self) -> int: ...
    def feed(self, text: str, /) -> Sequence[Any]:
        """Read a chunk, and return the events that it completes."""

    def close(self) -> Sequence[Any]:
        """End the text, and return the rest of the events."""


class Held(NamedTuple):
    """A text held back: its beginning, its end, and its length. Shape: `text` has been read up to `at`."""

    begin: str
    end: str
    size: int
    text: str
    at: int


class TerminalEvent(NamedTuple):
    """An event on a terminal. Shape: `style` is one of rich; `own_line` sets it apart from the text around it."""

    text: str
    style: str = ""
    own_line: bool = False


class Streaming(NamedTuple, Generic[S]):
    """The public stream of a format, and what its events say.

    Shape: `open` gives a stream. `free` is the text of an event that is text outside of the format, which the formats
           inside read; the other functions get only other events. `event` is an event as JSON values, `item` the value
           of one that completes a value, None for others. `why` is the reason for which text is held back, empty where
           it is not this format that holds it. `whole` reads a text whose values are more than a list of items.
    """

    open: Callable[[S], FormatStream]
    free: Callable[[Any], str | None]
    event: Callable[[Any], Event]
    item: Callable[[Any], Event | None]
    why: Callable[[Held, S], str]
    shown: Callable[[Any], TerminalEvent | None]
    whole: Callable[[str, S], Event] | None = None


def plain(event: Any) -> Event:
    """An event as JSON values. Shape: `event` is the name of its class, the rest are its fields."""
    return {"event": type(event).__name__} | {
        each.name: plain_value(getattr(event, each.name)) for each in fields(event)
    }


def plain_value(value: Any) -> Any:
    """A field of an event as JSON values."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain_value(getattr(value, each.name)) for each in fields(value)}
    return list(value) if isinstance(value, tuple) else value

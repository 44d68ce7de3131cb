"""What a gadget stream has to say, in order: text, calls that begin, arguments that grow, calls that end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llmblocks.gadget.reading.call import GadgetCall

# Not frozen: a frozen dataclass costs twice as much to make, and a stream makes one for every chunk.


@dataclass(slots=True)
class Text:
    """A piece of the text outside of calls."""

    text: str


@dataclass(slots=True)
class CallStarted:
    """A call's header is complete."""

    name: str
    invocation_id: str
    dependencies: tuple[str, ...]


@dataclass(slots=True)
class ArgStarted:
    """An argument's pointer is complete; its value follows."""

    pointer: str


@dataclass(slots=True)
class ArgDelta:
    """A further piece of an argument's value: what is new, never empty."""

    pointer: str
    delta: str


@dataclass(slots=True)
class ArgEnded:
    """An argument's value is complete."""

    pointer: str


@dataclass(slots=True)
class CallEnded:
    """A call is complete: by its end marker, by the next call, or by the end of the stream."""

    call: GadgetCall


# `new(ArgDelta)` gives one whose fields the stream sets: without the call of `__init__` an event costs two thirds, and
# small calls are read in 5 % less time. Everyone else calls the class.
new = object.__new__

Event = Text | CallStarted | ArgStarted | ArgDelta | ArgEnded | CallEnded

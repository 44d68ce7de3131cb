"""Gadget calls and custom blocks out of one stream."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from llmblocks.gadget import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Event, GadgetStream, Markers, Text
from llmblocks.tags import TextDelta

GadgetDelta = TextDelta | CallStarted | ArgStarted | ArgDelta | ArgEnded | CallEnded
"""What a `GadgetTransform` makes of text."""

_Other = TypeVar("_Other")


class GadgetTransform:
    """A delta transform that takes gadget calls out of text.

    Shape:  text outside of calls goes on as `TextDelta`, the events of a call as they are: `CallStarted`, `ArgStarted`,
            `ArgDelta`, `ArgEnded`, `CallEnded`. Anything that is not text passes through untouched. Put it in front of
            `CustomBlocks`: the gadget runtime searches the raw stream, so a marker counts also inside a custom block.
    Errors: `TypeError` for a text that is no delta.
    """

    __slots__ = ("_markers", "_stream")

    def __init__(self, markers: Markers | None = None) -> None:
        self._markers = markers or Markers()
        self._stream = GadgetStream(markers=self._markers)

    @overload
    def process(self, delta: TextDelta) -> list[GadgetDelta]: ...

    @overload
    def process(self, delta: _Other) -> list[GadgetDelta | _Other]: ...

    def process(self, delta: object) -> list[Any]:
        """Read one delta; return what it makes certain."""
        if not isinstance(delta, TextDelta):
            if isinstance(delta, str | bytes):
                raise TypeError(f"{delta!r} is no delta: process(TextDelta(text))")
            return [delta]
        return [_delta(event) for event in self._stream.feed(delta.delta)]

    def flush(self) -> list[GadgetDelta]:
        """End the stream: an open call is complete, as in the runtime."""
        stream, self._stream = self._stream, GadgetStream(markers=self._markers)
        return [_delta(event) for event in stream.close()]


def _delta(event: Event) -> GadgetDelta:
    return TextDelta(event.text) if isinstance(event, Text) else event

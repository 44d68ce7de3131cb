"""Gadget calls and custom blocks from one stream."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from llmblocks.gadget import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Event, GadgetStream, Markers, Text
from llmblocks.tags import TextDelta

GadgetDelta = TextDelta | CallStarted | ArgStarted | ArgDelta | ArgEnded | CallEnded
"""The deltas of a `GadgetTransform`."""

_Other = TypeVar("_Other")


class GadgetTransform:
    """A delta transform that takes gadget calls out of text.

    Text outside of calls becomes `TextDelta`, calls become `CallStarted`, `ArgStarted`, `ArgDelta`, `ArgEnded` and
    `CallEnded`. Other objects pass through unchanged. Put it before `CustomBlocks`: the gadget runtime searches the raw
    stream, so a marker counts inside a custom block too.

    Raises:
        TypeError: A delta is text.
    """

    __slots__ = ("_markers", "_stream")

    def __init__(self, markers: Markers | None = None) -> None:
        self._markers = markers or Markers()
        self._stream = GadgetStream(markers=self._markers)

    @property
    def held(self) -> str:
        """The text held back."""
        return self._stream.held

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy."""
        return self._stream.held_size

    @overload
    def process(self, delta: TextDelta) -> list[GadgetDelta]: ...

    @overload
    def process(self, delta: _Other) -> list[GadgetDelta | _Other]: ...

    def process(self, delta: object) -> list[Any]:
        """Read a delta, and return the deltas that it completes."""
        if not isinstance(delta, TextDelta):
            if isinstance(delta, str | bytes):
                raise TypeError(f"{delta!r} is not a delta: process(TextDelta(text))")
            return [delta]
        return [_delta(event) for event in self._stream.feed(delta.delta)]

    def flush(self) -> list[GadgetDelta]:
        """End the stream. An open call is then complete, as in the runtime."""
        stream, self._stream = self._stream, GadgetStream(markers=self._markers)
        return [_delta(event) for event in stream.close()]


def _delta(event: Event) -> GadgetDelta:
    return TextDelta(event.text) if isinstance(event, Text) else event

"""Gadget calls and custom blocks out of one stream."""

from __future__ import annotations

from llmblocks.gadget import GadgetStream, Markers
from llmblocks.gadget.reading.events import Text
from llmblocks.tags import TextDelta


class GadgetTransform:
    """A delta transform that takes gadget calls out of text.

    Shape:  text outside of calls goes on as `TextDelta`, the events of a call as they are: `CallStarted`, `ArgStarted`,
            `ArgDelta`, `ArgEnded`, `CallEnded`. Anything that is not text passes through untouched. Put it in front of
            `CustomBlocks`: the gadget runtime searches the raw stream, so a marker counts also inside a custom block.
    """

    __slots__ = ("_markers", "_stream")

    def __init__(self, markers: Markers | None = None) -> None:
        self._markers = markers or Markers()
        self._stream = GadgetStream(markers=self._markers)

    def process(self, delta: object) -> list[object]:
        """Read one delta; return what it makes certain."""
        if not isinstance(delta, TextDelta):
            return [delta]
        return [_delta(event) for event in self._stream.feed(delta.delta)]

    def flush(self) -> list[object]:
        """End the stream: an open call is complete, as in the runtime."""
        stream, self._stream = self._stream, GadgetStream(markers=self._markers)
        return [_delta(event) for event in stream.close()]


def _delta(event: object) -> object:
    return TextDelta(event.text) if isinstance(event, Text) else event

"""The transform that makes reasoning of `<think>`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llmblocks.tags.deltas import CustomBlock, CustomBlockDelta, CustomBlockEnd, CustomBlockStart
from llmblocks.tags.pipeline.events import ReasoningDelta
from llmblocks.tags.stream import TagHandler, TagStream


class ThinkTags:
    """A delta transform that takes `<think>` out of text and emits its content as `ReasoningDelta`s.

    `tags` stand for reasoning; their attributes are dropped. An unclosed block is reasoning up to the end.

    Source: `thinkTagTransform` of agentick 1.0.0-next.165, which loses the half of a tag at the end of such a block.
    """

    __slots__ = ("_given", "_stream")

    def __init__(self, tags: Iterable[str] = ("think",)) -> None:
        self._stream = TagStream({tag: TagHandler() for tag in tags})
        self._given = 0

    def process(self, delta: object) -> list[Any]:
        """Read a delta, and return the deltas that it completes."""
        return self._routed(self._stream.process(delta))

    def flush(self) -> list[Any]:
        """End the stream, and return the rest."""
        return self._routed(self._stream.flush())

    def _routed(self, found: list[Any]) -> list[Any]:
        out: list[Any] = []
        for delta in found:
            if isinstance(delta, CustomBlockStart):
                self._given = 0
            elif isinstance(delta, CustomBlockDelta):
                self._given += len(delta.delta)
                out.append(ReasoningDelta(delta.delta))
            elif isinstance(delta, CustomBlock):
                if rest := delta.content[self._given :]:
                    out.append(ReasoningDelta(rest))
            elif not isinstance(delta, CustomBlockEnd):
                out.append(delta)
        return out

"""Custom blocks: registered XML-like tags inside free text."""

from llmblocks.tags.deltas import (
    CustomBlock,
    CustomBlockDelta,
    CustomBlockEnd,
    CustomBlockEvent,
    CustomBlockStart,
    TextDelta,
)
from llmblocks.tags.stream import TagHandler, TagStream

__all__ = [
    "TagStream",
    "TagHandler",
    "TextDelta",
    "CustomBlock",
    "CustomBlockStart",
    "CustomBlockDelta",
    "CustomBlockEnd",
    "CustomBlockEvent",
]

"""Custom blocks: registered XML-like tags inside free text."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from llmblocks.tags.blocks import BlockDefinition, CustomBlocks
from llmblocks.tags.deltas import (
    CustomBlock,
    CustomBlockDelta,
    CustomBlockEnd,
    CustomBlockEvent,
    CustomBlockStart,
    TextDelta,
)
from llmblocks.tags.model_deltas import Finish, ReasoningDelta, ToolCall, ToolCallDelta, ToolCallEnd, ToolCallStart
from llmblocks.tags.prompt import prompt_text, with_prompt
from llmblocks.tags.stream import TagHandler, TagStream
from llmblocks.tags.transform import DeltaTransform, Pipeline, as_transform, compose

if TYPE_CHECKING:
    from llmblocks.tags.accumulator import (
        Accumulator,
        ContentDelta,
        ContentEnd,
        ContentStart,
        MessageEnd,
        MessageStart,
        StreamFailed,
    )
    from llmblocks.tags.adapter import Adapter
    from llmblocks.tags.content import CustomContentBlock, Message, TextBlock, ToolCallBlock, is_custom_block
    from llmblocks.tags.streaming import EventStream

__all__ = [
    "TagStream",
    "TagHandler",
    "TextDelta",
    "CustomBlock",
    "CustomBlockStart",
    "CustomBlockDelta",
    "CustomBlockEnd",
    "CustomBlockEvent",
    "CustomBlocks",
    "BlockDefinition",
    "prompt_text",
    "with_prompt",
    "DeltaTransform",
    "Pipeline",
    "compose",
    "as_transform",
    "ReasoningDelta",
    "ToolCall",
    "ToolCallStart",
    "ToolCallDelta",
    "ToolCallEnd",
    "Finish",
    "Accumulator",
    "MessageStart",
    "ContentStart",
    "ContentDelta",
    "ContentEnd",
    "StreamFailed",
    "MessageEnd",
    "Message",
    "TextBlock",
    "CustomContentBlock",
    "ToolCallBlock",
    "is_custom_block",
    "Adapter",
    "EventStream",
]


_LATER = {
    "accumulator": (
        "Accumulator",
        "MessageStart",
        "ContentStart",
        "ContentDelta",
        "ContentEnd",
        "StreamFailed",
        "MessageEnd",
    ),
    "adapter": ("Adapter",),
    "streaming": ("EventStream",),
    "content": ("Message", "TextBlock", "CustomContentBlock", "ToolCallBlock", "is_custom_block"),
}


def __getattr__(name: str) -> Any:
    # The models need pydantic and the adapter asyncio: each takes longer to import than everything else together.
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"llmblocks.tags.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Custom blocks: registered XML-like tags inside free text."""

from llmblocks.lazy import TYPE_CHECKING, lazily

if TYPE_CHECKING:
    from llmblocks.tags.pipeline.accumulator import Accumulator
    from llmblocks.tags.pipeline.adapter import Adapter
    from llmblocks.tags.pipeline.blocks import BlockDefinition, CustomBlocks
    from llmblocks.tags.pipeline.content import CustomContentBlock, Message, TextBlock, ToolCallBlock, is_custom_block
    from llmblocks.tags.pipeline.events import (
        ContentDelta,
        ContentEnd,
        ContentStart,
        MessageEnd,
        MessageStart,
        StreamEvent,
        StreamFailed,
    )
    from llmblocks.tags.pipeline.model_deltas import (
        Finish,
        ModelDelta,
        ReasoningDelta,
        ToolCall,
        ToolCallDelta,
        ToolCallEnd,
        ToolCallStart,
    )
    from llmblocks.tags.pipeline.prompt import prompt_text, with_prompt
    from llmblocks.tags.pipeline.streaming import EventStream
    from llmblocks.tags.pipeline.transform import DeltaTransform, Pipeline, as_transform, compose
    from llmblocks.tags.reading.deltas import (
        CustomBlock,
        CustomBlockDelta,
        CustomBlockEnd,
        CustomBlockEvent,
        CustomBlockStart,
        TagDelta,
        TextDelta,
    )
    from llmblocks.tags.reading.handler import TagHandler
    from llmblocks.tags.reading.stream import TagStream

__all__ = [
    "Accumulator",
    "Adapter",
    "BlockDefinition",
    "ContentDelta",
    "ContentEnd",
    "ContentStart",
    "CustomBlock",
    "CustomBlockDelta",
    "CustomBlockEnd",
    "CustomBlockEvent",
    "CustomBlockStart",
    "CustomBlocks",
    "CustomContentBlock",
    "DeltaTransform",
    "EventStream",
    "Finish",
    "Message",
    "MessageEnd",
    "MessageStart",
    "ModelDelta",
    "Pipeline",
    "ReasoningDelta",
    "StreamEvent",
    "StreamFailed",
    "TagDelta",
    "TagHandler",
    "TagStream",
    "TextBlock",
    "TextDelta",
    "ToolCall",
    "ToolCallBlock",
    "ToolCallDelta",
    "ToolCallEnd",
    "ToolCallStart",
    "as_transform",
    "compose",
    "is_custom_block",
    "prompt_text",
    "with_prompt",
]

# Loaded on first access: an editor needs none of this, a stream no pipeline. The models need pydantic and the adapter
# asyncio: each takes longer to import than all the rest.
__getattr__, __dir__ = lazily(
    __name__,
    {
        "reading.stream": ("TagStream",),
        "reading.handler": ("TagHandler",),
        "reading.deltas": (
            "TextDelta",
            "CustomBlock",
            "CustomBlockStart",
            "CustomBlockDelta",
            "CustomBlockEnd",
            "CustomBlockEvent",
            "TagDelta",
        ),
        "pipeline.blocks": ("CustomBlocks", "BlockDefinition"),
        "pipeline.prompt": ("prompt_text", "with_prompt"),
        "pipeline.transform": ("DeltaTransform", "Pipeline", "compose", "as_transform"),
        "pipeline.model_deltas": (
            "ReasoningDelta",
            "ToolCall",
            "ToolCallStart",
            "ToolCallDelta",
            "ToolCallEnd",
            "Finish",
            "ModelDelta",
        ),
        "pipeline.accumulator": ("Accumulator",),
        "pipeline.events": (
            "MessageStart",
            "ContentStart",
            "ContentDelta",
            "ContentEnd",
            "StreamFailed",
            "MessageEnd",
            "StreamEvent",
        ),
        "pipeline.adapter": ("Adapter",),
        "pipeline.streaming": ("EventStream",),
        "pipeline.content": ("Message", "TextBlock", "CustomContentBlock", "ToolCallBlock", "is_custom_block"),
    },
)

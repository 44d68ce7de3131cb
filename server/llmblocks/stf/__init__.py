"""Simple Text Format in both dialects: decode, encode, stream, convert.

`from llmblocks.stf import decode, encode, StfStream, Transcript, Message`; see docs/formats/stf.md.
"""

from __future__ import annotations

from llmblocks.lazy import TYPE_CHECKING, lazily

if TYPE_CHECKING:
    from llmblocks.stf.convert.anthropic import from_anthropic, to_anthropic
    from llmblocks.stf.convert.converted import Converted, Loss
    from llmblocks.stf.convert.openai import from_openai, to_openai
    from llmblocks.stf.convert.plain import from_json, from_ndjson, to_json, to_ndjson
    from llmblocks.stf.reading.decoder import decode
    from llmblocks.stf.reading.events import (
        Called,
        ContentDelta,
        Embedded,
        Event,
        Found,
        MessageEnded,
        MessageStarted,
        MetadataChanged,
    )
    from llmblocks.stf.reading.stream import StfStream
    from llmblocks.stf.syntax.dialect import Dialect, detect
    from llmblocks.stf.syntax.problems import StfError, StfFinding
    from llmblocks.stf.values.from_dict import ShapeError, message_from_dict, transcript_from_dict
    from llmblocks.stf.values.messages import EmbedPart, Message, TextPart, ToolCall, Transcript
    from llmblocks.stf.writing.encoder import encode

# Loaded on first access: a server needs none of this to answer its client.
__getattr__, __dir__ = lazily(
    __name__,
    {
        "reading.decoder": ("decode",),
        "writing.encoder": ("encode",),
        "reading.stream": ("StfStream",),
        "values.messages": ("Transcript", "Message", "TextPart", "EmbedPart", "ToolCall"),
        "syntax.problems": ("StfError", "StfFinding"),
        "reading.events": (
            "Event",
            "MessageStarted",
            "ContentDelta",
            "Called",
            "Embedded",
            "MetadataChanged",
            "MessageEnded",
            "Found",
        ),
        "convert.openai": ("to_openai", "from_openai"),
        "convert.anthropic": ("to_anthropic", "from_anthropic"),
        "convert.plain": ("to_json", "from_json", "to_ndjson", "from_ndjson"),
        "convert.converted": ("Converted", "Loss"),
        "values.from_dict": ("message_from_dict", "transcript_from_dict", "ShapeError"),
        "syntax.dialect": ("Dialect", "detect"),
    },
)

__all__ = [
    "Called",
    "ContentDelta",
    "Converted",
    "Dialect",
    "EmbedPart",
    "Embedded",
    "Event",
    "Found",
    "Loss",
    "Message",
    "MessageEnded",
    "MessageStarted",
    "MetadataChanged",
    "ShapeError",
    "StfError",
    "StfFinding",
    "StfStream",
    "TextPart",
    "ToolCall",
    "Transcript",
    "decode",
    "detect",
    "encode",
    "from_anthropic",
    "from_json",
    "from_ndjson",
    "from_openai",
    "message_from_dict",
    "to_anthropic",
    "to_json",
    "to_ndjson",
    "to_openai",
    "transcript_from_dict",
]

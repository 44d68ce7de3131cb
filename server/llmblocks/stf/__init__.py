"""Simple Text Format in both dialects: decode, encode, stream, convert.

`from llmblocks.stf import decode, encode, StfStream, Transcript, Message`; see docs/formats/stf.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from llmblocks.stf.convert.anthropic import from_anthropic, to_anthropic
    from llmblocks.stf.convert.converted import Converted, Loss
    from llmblocks.stf.convert.openai import from_openai, to_openai
    from llmblocks.stf.convert.plain import from_json, from_ndjson, to_json, to_ndjson
    from llmblocks.stf.decoder import decode
    from llmblocks.stf.dialect import Dialect, detect
    from llmblocks.stf.encoder import encode
    from llmblocks.stf.events import (
        Called,
        ContentDelta,
        Embedded,
        Event,
        Found,
        MessageEnded,
        MessageStarted,
        MetadataChanged,
    )
    from llmblocks.stf.messages import EmbedPart, Message, TextPart, ToolCall, Transcript
    from llmblocks.stf.problems import StfError, StfFinding
    from llmblocks.stf.shape import ShapeError, message_from_dict, transcript_from_dict
    from llmblocks.stf.stream import StfStream

# Loaded when first asked for: a server needs none of this to answer its client.
_MODULES = {
    "decoder": ("decode",),
    "encoder": ("encode",),
    "stream": ("StfStream",),
    "messages": ("Transcript", "Message", "TextPart", "EmbedPart", "ToolCall"),
    "problems": ("StfError", "StfFinding"),
    "events": (
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
    "shape": ("message_from_dict", "transcript_from_dict", "ShapeError"),
    "dialect": ("Dialect", "detect"),
}
_LATER = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "decode",
    "encode",
    "StfStream",
    "Transcript",
    "Message",
    "TextPart",
    "EmbedPart",
    "ToolCall",
    "StfError",
    "StfFinding",
    "Event",
    "MessageStarted",
    "ContentDelta",
    "Called",
    "Embedded",
    "MetadataChanged",
    "MessageEnded",
    "Found",
    "to_openai",
    "from_openai",
    "to_anthropic",
    "from_anthropic",
    "to_json",
    "from_json",
    "to_ndjson",
    "from_ndjson",
    "Converted",
    "Loss",
    "message_from_dict",
    "transcript_from_dict",
    "ShapeError",
    "Dialect",
    "detect",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)

"""Simple Text Format, in both dialects: decode, encode, stream, convert."""

from llmblocks.stf.convert import (
    Converted,
    Loss,
    from_anthropic,
    from_json,
    from_ndjson,
    from_openai,
    to_anthropic,
    to_json,
    to_ndjson,
    to_openai,
)
from llmblocks.stf.decode import decode
from llmblocks.stf.dialect import Dialect, detect
from llmblocks.stf.encode import encode
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

__all__ = [
    "decode",
    "encode",
    "detect",
    "message_from_dict",
    "transcript_from_dict",
    "StfStream",
    "Transcript",
    "Message",
    "TextPart",
    "EmbedPart",
    "ToolCall",
    "StfError",
    "StfFinding",
    "ShapeError",
    "Dialect",
    "Event",
    "MessageStarted",
    "ContentDelta",
    "Called",
    "Embedded",
    "MetadataChanged",
    "MessageEnded",
    "Found",
    "Converted",
    "Loss",
    "to_openai",
    "from_openai",
    "to_anthropic",
    "from_anthropic",
    "to_json",
    "from_json",
    "to_ndjson",
    "from_ndjson",
]

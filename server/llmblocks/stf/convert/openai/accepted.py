"""The keys that a chat completion request accepts, as in the types of OpenAI's SDK."""

from __future__ import annotations

from llmblocks.stf.convert.shapes import Shape, one_of, record, text

_BREAKPOINT: dict[str, Shape] = {
    "prompt_cache_breakpoint": record({"mode": one_of("explicit")}, {"ttl": one_of("30m", "12h")})
}

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
EMBEDS = {"user": ("image", "audio", "file")}
"""The allowed resources in a message, by role."""
MESSAGE: dict[str, dict[str, Shape]] = {
    "assistant": {"audio": record({"id": text}), "function_call": record({"arguments": text, "name": text})}
}
"""The keys of messages without a field in `Message`, by role."""
TEXT = _BREAKPOINT
IMAGE: dict[str, Shape] = {**_BREAKPOINT, "detail": one_of("auto", "low", "high", "original")}
AUDIO = _BREAKPOINT
FILE = _BREAKPOINT
CALL: dict[str, Shape] = {}

AUDIO_FORMATS = {"audio/wav": "wav", "audio/mpeg": "mp3"}
CALL_ID = ".{1,40}"
LONGEST_NAME = 64

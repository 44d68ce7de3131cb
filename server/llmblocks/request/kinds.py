"""The kinds of tokens in a request."""

from __future__ import annotations

from typing import Final

from llmblocks.core.scan import Kind

SIGN = Kind("sign", opaque=True)
"""The text around the role in the header of a message."""
ROLE = Kind("role", opaque=True)
LINE_END = Kind("line-end", opaque=True)
TEXT = Kind("text", merges=True)
"""The text of an assistant's message, which may contain calls."""
PROMPT = Kind("prompt", merges=True, opaque=True)
"""The text of any other message, and before the first one."""
RESULT = Kind("result", opaque=True)
RESULT_ID = Kind("result-id", opaque=True)
RESULT_END = Kind("result-end", opaque=True)
OUTPUT = Kind("output", merges=True, opaque=True)
"""The text that a call returned."""
MEDIA = Kind("media", merges=True, opaque=True)
"""A line about a returned picture or sound."""
EXAMPLE = Kind("example-marker", opaque=True)
"""A marker outside of the assistant's messages: an instruction, not a call."""
EXAMPLE_HEADER = Kind("example-header", merges=True, opaque=True)
EXAMPLE_POINTER = Kind("example-pointer", merges=True, opaque=True)

RESULT_HEAD: Final = (RESULT, RESULT_ID, RESULT_END)

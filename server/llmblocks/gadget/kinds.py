"""The kinds of tokens in the gadget block format."""

from __future__ import annotations

from typing import Final

from llmblocks.core.scan import Kind

TEXT = Kind("text", merges=True)
STRAY = Kind("stray-marker")
"""An argument or end marker outside any call: text to the runtime."""
START = Kind("start-marker")
HEADER = Kind("header", merges=True)
"""`name:id:dependencies`, the rest of the line after a start marker."""
HEADER_END = Kind("header-end")
"""The newline that ends a header: without it the runtime reads everything as text."""
IGNORED = Kind("ignored", merges=True)
"""Text between a header and the first argument, which the runtime drops."""
ARG = Kind("argument-marker")
POINTER = Kind("pointer", merges=True)
POINTER_END = Kind("pointer-end")
"""The newline between a pointer and its value."""
VALUE = Kind("value", merges=True)
END = Kind("end-marker")
CALL: Final = frozenset((START, HEADER, HEADER_END, IGNORED, ARG, POINTER, POINTER_END, VALUE, END))

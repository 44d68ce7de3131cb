"""The values in the body of a call."""

from __future__ import annotations

import re
from typing import Literal

from llmblocks.core.chunks import expect_text
from llmblocks.gadget.syntax.javascript import SPACE, finite, number

Scalar = str | int | float | bool
Expected = Literal["string", "number", "boolean", "unknown"]
"""The type in a schema of the value at a pointer, as far as coercion needs it."""

BACKTICK = "`"
FENCE = BACKTICK * 3

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_OPENING_FENCE = rf"```(?:toml|yaml|json)?[{SPACE}]*\n"
_BOOLEANS = {"true": True, "false": False}

COERCIBLE = frozenset("tf-0123456789" + SPACE)
"""The first characters of values that are not text."""


def type_of(value: Scalar) -> Literal["boolean", "number", "text"]:
    """Return the type of a value, as messages name it."""
    return "boolean" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"


def strip_fences(text: str) -> str:
    """Trim a body and remove a Markdown fence around it: an opening line and the last three backticks.

    Source: llmist does so before it splits arguments, so a last value that ends in a fence loses the fence.
    """
    text = text.strip(SPACE)
    opening = re.match(_OPENING_FENCE, text, re.IGNORECASE | re.ASCII)
    return last_value(text[opening.end() :] if opening else text).lstrip(SPACE)


def last_value(text: str) -> str:
    """Return the last value of a body, as `strip_fences` leaves it."""
    text = text.rstrip(SPACE)
    return text[:-3].removesuffix("\n").rstrip(SPACE) if text.endswith(FENCE) else text


def coerce(text: str, expected: Expected = "unknown") -> Scalar:
    """Convert a text to the type its text suggests, or that a schema expects. Never raises.

    "42" -> 42, "true" -> True, " 42 " -> 42, "42\\n" -> "42\\n" (a value of several lines stays text). With "string":
    the text itself. With "number": every finite `Number(text)`: "1e5", "0x10", ".5". A value that does not fit stays
    text, for validation to refuse.

    Source: the gadget block format, "Automatic Type Coercion" and "Schema-Aware Coercion"; numbers are JavaScript's.
    """
    expect_text(text, "coerce")
    if expected == "unknown":
        if text.isdecimal() and len(text) < 16 and text.isascii():
            return int(text)
        if "\n" in text or text[:1] not in COERCIBLE:
            return text
        trimmed = text.strip(SPACE)
        if trimmed in _BOOLEANS:
            return _BOOLEANS[trimmed]
        found = finite(trimmed) if _NUMBER.fullmatch(trimmed) else None
    elif expected == "string" or "\n" in text:
        return text
    elif expected == "boolean":
        return _BOOLEANS.get(text.strip(SPACE), text)
    else:
        found = number(text)
    return text if found is None else found

"""From the text of a call's body to the values of its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from llmblocks.gadget.syntax.javascript import SPACE, finite, number
from llmblocks.gadget.syntax.pointer import Scalar

Expected = Literal["string", "number", "boolean", "unknown"]
"""What a schema says about the value at a pointer, as far as it decides the coercion."""

BACKTICK = "`"
FENCE = BACKTICK * 3

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_OPENING_FENCE = re.compile(rf"```(?:toml|yaml|json)?[{SPACE}]*\n", re.IGNORECASE | re.ASCII)
_BOOLEANS = {"true": True, "false": False}

COERCIBLE = frozenset("tf-0123456789" + SPACE)
"""What a value begins with that has any type but text."""


class Written(NamedTuple):
    """One argument as it stands in a body: its trimmed pointer and its text without the newline that ends it."""

    pointer: str
    text: str


def strip_fences(text: str) -> str:
    """Trim a body and take off a Markdown fence around it: an opening line and the last three backticks.

    Source: llmist, which does so before it looks for arguments; a last value that ends in a fence loses that fence.
    """
    text = text.strip(SPACE)
    if FENCE not in text:
        return text
    opening = _OPENING_FENCE.match(text)
    if opening:
        text = text[opening.end() :]
    if text.endswith(FENCE):
        text = text[:-3].removesuffix("\n")
    return text.strip(SPACE)


def split_arguments(cleaned: str, arg: str) -> Iterator[Written]:
    """Split a body without fences at its argument markers; an argument with a blank pointer has an empty one."""
    parts = iter(cleaned.split(arg))
    next(parts)
    for part in parts:
        pointer, _, text = part.partition("\n")
        yield Written(pointer.strip(SPACE), text.removesuffix("\n"))


def coerce(text: str, expected: Expected = "unknown") -> Scalar:
    """Give a value the type that its text has, or that a schema expects.

    Shape:  "42" -> 42, "true" -> True, " 42 " -> 42, "42\\n" -> "42\\n" (a value of several lines stays text);
            with "string" the text itself; with "number" whatever `Number(text)` takes for finite: "1e5", "0x10", ".5".
    Errors: none; what does not fit stays text, for validation to refuse.
    Source: the gadget block format, "Automatic Type Coercion" and "Schema-Aware Coercion"; numbers are JavaScript's.
    """
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

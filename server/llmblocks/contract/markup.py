"""Text in Markdown, shortened for readers."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

LONGEST: Final = 2000
"""The maximum length of a block or a description, in characters."""
_LONGEST_SPAN = 80
_TICKS = re.compile("`+")
_FENCES = re.compile("^ *(`{3,})", re.MULTILINE)
_SPAN = re.compile("(`[^`]+`)")
_MARKS = re.compile(r"[\\`*_\[\]<>#|~&]")
_CODE = re.compile("`+ ?([^`]*?) ?`+")


def code(text: str) -> str:
    """Return a text as inline code. Line ends become spaces; a long text is cut."""
    text = " ".join(shortened(text, _LONGEST_SPAN).split())
    if not text:
        return "`\u200b`"
    ticks = "`" * (1 + max(map(len, _TICKS.findall(text)), default=0))
    space = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def block(text: str, language: str) -> str:
    """Return a text as a block of code, with a note if it is cut."""
    fence = "`" * max(3, 1 + max(map(len, _FENCES.findall(text[:LONGEST])), default=0))
    if len(text) <= LONGEST:
        return f"{fence}{language}\n{text}\n{fence}"
    return f"{fence}{language}\n{text[:LONGEST]}\n{fence}\n\nCut: {len(text) - LONGEST:,} more characters."


def prose(text: str) -> str:
    """Escape a line of text for Markdown, except code in backticks."""
    return "".join([part if _CODE.fullmatch(part) else _MARKS.sub(r"\\\g<0>", part) for part in _SPAN.split(text)])


def plain(text: str) -> str:
    """Return a text with its code in plain quotes, for readers without Markdown."""
    return _CODE.sub(r"'\1'", text)


def text_size(text: str) -> str:
    """Describe the size of a text in a few words."""
    if not text:
        return "empty text"
    rows = text.count("\n") + 1
    size = "1 character" if len(text) == 1 else f"{len(text):,} characters"
    return f"text, {size}" + (f" on {rows:,} lines" if rows > 1 else "")


def value_size(value: object) -> str:
    """Describe a JSON value in a few words, in Markdown."""
    if isinstance(value, str):
        return text_size(value)
    if isinstance(value, dict | list):
        kind = "object" if isinstance(value, dict) else "list"
        return f"{kind} of {len(value):,} item{'' if len(value) == 1 else 's'}"
    return code(json.dumps(value))


def size_of(count: int) -> str:
    """Return a readable number of bytes."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} KB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return the first names and the number of the others, for a sentence."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(names[:most]) or "none") + more


def shortened(text: str, most: int = LONGEST) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= most else f"{text[: most - 1]}…"

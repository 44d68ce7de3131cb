"""Regions in an outline."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.completions import scanner
from llmblocks.contract.headings import Heading, Title, first_words
from llmblocks.core.scan import Kind

from .nesting import REGION

_NAME = re.compile(r"""(?:"(?:tool_)?name"\s*:\s*"|functions\.|function=|name="|call:|\[TOOL_CALLS\])([\w.-]+)""")
_WORD = re.compile(r"[A-Za-z_][\w ]*")


def _title(text: str, start: int, end: int) -> Title:
    if (name := called(text, start, end)) is not None:
        return Title(name, first_words(text, end, len(text)))
    word = _WORD.search(text, start, end)
    return Title(word[0].strip() if word else "", first_words(text, end, len(text)), "block")


def called(text: str, start: int, end: int) -> str | None:
    """Return the name of the tool that a region calls, if its start shows it; None for other regions."""
    found = _NAME.search(text, start, min(end + 400, len(text)))
    if found is not None and (found.start() <= end or text[end : found.start()].strip().startswith(("{", "["))):
        return found[1]
    return None


HEADINGS: Final[dict[Kind, Heading]] = dict.fromkeys(
    (scanner.OPEN, scanner.OPENED), Heading("call", REGION, _title, called)
)

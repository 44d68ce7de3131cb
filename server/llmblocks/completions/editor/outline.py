"""Regions in an outline."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.completions import scanner
from llmblocks.completions.calls import called
from llmblocks.contract.headings import Heading, Title, first_words
from llmblocks.core.scan import Kind

from .layer import REGION

_WORD = re.compile(r"[A-Za-z_][\w ]*")


def _title(text: str, start: int, end: int) -> Title:
    if (name := called(text, start, end)) is not None:
        return Title(name, first_words(text, end, len(text)))
    word = _WORD.search(text, start, end)
    return Title(word[0].strip() if word else "", first_words(text, end, len(text)), "block")


HEADINGS: Final[dict[Kind, Heading]] = dict.fromkeys(
    (scanner.OPEN, scanner.OPENED), Heading("call", REGION, _title, called)
)

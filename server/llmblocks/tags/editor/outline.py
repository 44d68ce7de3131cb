"""Custom blocks in an outline."""

from __future__ import annotations

from typing import Final

from llmblocks.contract.headings import Heading, Title, first_words
from llmblocks.core.scan import Kind
from llmblocks.tags import kinds
from llmblocks.tags.editor.nesting import BLOCK


def _block(text: str, start: int, end: int) -> Title:
    opened = text.find(">", end)
    content = opened + 1 if opened >= 0 else len(text)
    until = text.find("</", content)
    return Title(text[start:end], first_words(text, content, until if until >= 0 else len(text)))


def _tag(text: str, start: int, end: int) -> str | None:
    return None if text.endswith("</", 0, start) else text[start:end]


HEADINGS: Final[dict[Kind, Heading]] = {kinds.NAME: Heading("block", BLOCK, _block, _tag)}

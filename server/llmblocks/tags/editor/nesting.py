"""The nesting of blocks, and their names in an outline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from llmblocks.contract.headings import Heading, Title, first_words
from llmblocks.contract.naming import NameKind
from llmblocks.core.nest import Nesting
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.tags import kinds
from llmblocks.tags.editor.blocks import begun_in

BLOCK: Final = "custom-block"

NESTING: Final = Nesting(
    opens={kinds.OPENING: BLOCK},
    closes={kinds.CLOSED: BLOCK, kinds.SELF_CLOSED: BLOCK},
    # Blocks do not nest: a tag in a block is its content.
    ends={BLOCK: frozenset((BLOCK,))},
)


def blocks_begun_in(section: Section) -> tuple[Symbol, ...]:
    """Return the opening tags."""
    return tuple([Symbol("definition", BLOCK, each.tag, each.start + 1, each.name_end) for each in begun_in(section)])


def _title(text: str, start: int, end: int) -> Title:
    opened = text.find(">", end)
    content = opened + 1 if opened >= 0 else len(text)
    until = text.find("</", content)
    return Title(text[start:end], first_words(text, content, until if until >= 0 else len(text)))


def _tag(text: str, start: int, end: int) -> str | None:
    return None if text.endswith("</", 0, start) else text[start:end]


NAME_KINDS: Final[Mapping[str, NameKind]] = {BLOCK: NameKind("block", entry="block")}
HEADINGS: Final[Mapping[Kind, Heading]] = {kinds.NAME: Heading("block", BLOCK, _title, _tag)}

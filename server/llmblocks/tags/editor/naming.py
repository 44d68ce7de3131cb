"""The kinds of names in custom blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from llmblocks.contract.naming import NameKind
from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.tags.editor.blocks import begun_in
from llmblocks.tags.editor.nesting import BLOCK


def blocks_begun_in(lines: Section) -> tuple[Symbol, ...]:
    """Return the opening tags."""
    return tuple([Symbol("definition", BLOCK, each.tag, each.start + 1, each.name_end) for each in begun_in(lines)])


NAME_KINDS: Final[Mapping[str, NameKind]] = {BLOCK: NameKind("block", entry="block")}

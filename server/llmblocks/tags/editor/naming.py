"""The kinds of names in custom blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from llmblocks.contract.naming import NameKind
from llmblocks.core.section import Section
from llmblocks.core.symbol import Symbol
from llmblocks.tags.editor.blocks import blocks_in
from llmblocks.tags.editor.nesting import BLOCK


def blocks_begun_in(lines: Section) -> tuple[Symbol, ...]:
    """Return the opening tags."""
    begun = [part for part in blocks_in(lines) if part.begins]
    return tuple([Symbol("definition", BLOCK, str(part.data["tag"]), part.start + 1, part.end) for part in begun])


NAME_KINDS: Final[Mapping[str, NameKind]] = {BLOCK: NameKind("block", entry="block")}

"""The kinds of names in custom blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from llmblocks.contract.naming import NameKind
from llmblocks.core.section import Piece
from llmblocks.core.symbol import Symbol
from llmblocks.tags.editor import kinds
from llmblocks.tags.editor.nesting import BLOCK


def blocks_of_piece(piece: Piece) -> tuple[Symbol, ...]:
    """The opening tags."""
    found: list[Symbol] = []
    at = 0
    opened = False
    for kind, width in piece.tokens:
        if opened and kind is kinds.NAME:
            found.append(Symbol("definition", BLOCK, piece.text[at : at + width], at, at + width))
        opened = kind is kinds.OPENING
        at += width
    return (*found,)


NAME_KINDS: Final[Mapping[str, NameKind]] = {BLOCK: NameKind("block", entry="block")}

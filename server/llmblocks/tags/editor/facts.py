"""The facts about custom blocks, for the names that are registered."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from llmblocks.core.section import Piece, Section
from llmblocks.facts.problem import Facts, Stated
from llmblocks.tags.editor.declared import DeclaredTag
from llmblocks.tags.editor.kinds import OPENING
from llmblocks.tags.rules import RULES

if TYPE_CHECKING:
    from llmblocks.facts.construct import Constructs
    from llmblocks.tags.editor.contents import Contents


@lru_cache(maxsize=16)
def facts(names: tuple[str, ...], declared: tuple[DeclaredTag, ...] = ()) -> Facts:
    """The facts about tags where these names are registered, and these tags declared with their attributes.

    Most texts have no tags: what judges them is loaded for those that do.
    """
    known = {tag.name: tag.attributes for tag in declared if tag.attributes is not None}
    typed = {tag.name: tag.content for tag in declared if tag.content is not None}

    @cache
    def lists() -> Constructs:
        from llmblocks.tags.editor.attribute_problems import lists_in_pieces

        return lists_in_pieces(known)

    @cache
    def contents() -> Contents:
        from llmblocks.tags.editor.contents import Contents

        return Contents("contents of blocks", typed, lambda tag, text: typed[tag].problems(text))

    def in_piece(piece: Piece) -> Iterable[Stated]:
        if "<" not in piece.text:
            return ()
        from llmblocks.tags.editor.blocks import FACTS
        from llmblocks.tags.editor.problems import problems_of_piece

        found = chain(problems_of_piece(piece, names, known), *[fact.in_piece(piece) for fact in FACTS])
        return chain(found, contents().in_piece(piece)) if typed else found

    def in_section(section: Section) -> Iterable[Stated]:
        if OPENING not in section.kinds or not (section.is_long or typed):
            return ()
        from llmblocks.tags.editor.blocks import FACTS

        found = chain(lists().in_section(section), *[fact.in_section(section) for fact in FACTS])
        return chain(found, contents().in_section(section)) if typed else found

    return Facts(RULES, in_piece, in_section)

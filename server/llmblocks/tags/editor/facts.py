"""The facts about custom blocks, for the names that are registered."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from llmblocks.core.problem import Facts, Problem, Spread
from llmblocks.core.rule import Rule
from llmblocks.core.section import Piece, Section
from llmblocks.tags.editor.declared import DeclaredTag
from llmblocks.tags.rules import RULES

if TYPE_CHECKING:
    from llmblocks.tags.editor.long_lists import LongLists


@lru_cache(maxsize=16)
def facts(names: tuple[str, ...], declared: tuple[DeclaredTag, ...] = ()) -> Facts:
    """The facts about tags where these names are registered, and these tags declared with their attributes.

    Most texts have no tags: what judges them is loaded for those that do.
    """
    known = {tag.name: tag.attributes for tag in declared if tag.attributes is not None}

    @cache
    def long_lists() -> LongLists:
        from llmblocks.tags.editor.long_lists import LongLists

        return LongLists(known)

    def local(piece: Piece) -> Iterable[Problem]:
        if "<" not in piece.text:
            return ()
        from llmblocks.tags.editor.problems import problems_of_piece

        return problems_of_piece(piece, names, known)

    def across(section: Section, wanted: Container[Rule]) -> Iterable[Spread]:
        return long_lists()(section, wanted) if section.is_long else ()

    return Facts(RULES, local, across)

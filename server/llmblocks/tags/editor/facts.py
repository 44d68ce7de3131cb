"""The facts about custom blocks with registered names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from llmblocks.core.section import Section
from llmblocks.facts.problem import Facts, Problem
from llmblocks.tags.declared import Tag
from llmblocks.tags.rules import RULES


@lru_cache(maxsize=16)
def facts(names: tuple[str, ...], declared: tuple[Tag, ...] = ()) -> Facts:
    """Return the facts about tags, given the registered names, and the tags declared with their attributes."""
    known = {tag.name: tag.attributes for tag in declared if tag.attributes is not None}
    typed = {tag.name: tag.content for tag in declared if tag.content is not None}

    def problems(section: Section) -> Iterator[Problem]:
        if "<" not in section.text:
            return
        # most texts have no tags
        from llmblocks.tags.editor.attribute_problems import problems_of_lists
        from llmblocks.tags.editor.contents import problems_of_contents
        from llmblocks.tags.editor.problems import blank_blocks, problems_of_tags

        yield from problems_of_tags(section, names)
        yield from problems_of_lists(section, known)
        yield from blank_blocks(section)
        if typed:
            yield from problems_of_contents(section, typed, lambda tag, text: typed[tag].problems(text))

    return Facts(RULES, problems)

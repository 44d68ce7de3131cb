"""The facts about custom blocks, for the names that are registered."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain

from llmblocks.facts.lines import Lines
from llmblocks.facts.problem import Fact, Facts, Stated, facts_of
from llmblocks.tags.editor.kinds import OPENING
from llmblocks.tags.editor.scanner import open_in
from llmblocks.tags.rules import RULES
from llmblocks.tags.syntax.declared import Tag

_OPENING = frozenset((OPENING,))


@lru_cache(maxsize=16)
def facts(names: tuple[str, ...], declared: tuple[Tag, ...] = ()) -> Facts:
    """The facts about tags where these names are registered, and these tags declared with their attributes.

    Most texts have no tags: what judges them is loaded for those that do.
    """
    known = {tag.name: tag.attributes for tag in declared if tag.attributes is not None}
    typed = {tag.name: tag.content for tag in declared if tag.content is not None}

    @cache
    def of_blocks() -> tuple[Fact, ...]:
        from llmblocks.tags.editor.attribute_problems import facts_of_lists
        from llmblocks.tags.editor.blocks import FACTS
        from llmblocks.tags.editor.contents import facts_of_contents

        contents = facts_of_contents(typed, lambda tag, text: typed[tag].problems(text))
        return (facts_of_lists(known), *FACTS, *[contents] * bool(typed))

    def in_lines(lines: Lines) -> Iterable[Stated]:
        if "<" not in lines.text:
            return ()
        from llmblocks.tags.editor.problems import problems_of_lines

        return chain(problems_of_lines(lines, names), *[fact.in_lines(lines) for fact in of_blocks()])

    return facts_of(RULES, in_lines, _OPENING, lambda lines: open_in(lines.after), of_blocks)

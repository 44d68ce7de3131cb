"""T007 duplicate-attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import DUPLICATE_ATTRIBUTE

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.attributes import removed_attribute

    return removed_attribute(finding, ask)


RULE = Rule(
    kind=DUPLICATE_ATTRIBUTE,
    layer="tags",
    summary="An attribute is given twice.",
    why="The last one counts, and the others are silently ignored.",
    bad='<artifact id="1" id="2">x</artifact>\n',
    good='<artifact id="2">x</artifact>\n',
    fixed='<artifact id="2">x</artifact>\n',
    fix=_fix,
    remedy="Removes the attribute that does not count. Safe if both have the same value; otherwise only the author "
    "knows which one was meant.",
)

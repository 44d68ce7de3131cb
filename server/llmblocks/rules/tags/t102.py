"""T102 missing-attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.rules.tags.examples import ARTIFACT
from llmblocks.tags.syntax.catalogue import MISSING_ATTRIBUTE

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.attributes import added_attribute

    return added_attribute(finding, ask)


RULE = Rule(
    kind=MISSING_ATTRIBUTE,
    layer="tags",
    toml=ARTIFACT,
    summary="A tag lacks an attribute that the settings require.",
    why="The program that receives the block needs the attribute. Reported for tags whose attributes the settings "
    "declare, if the tag is written on one line.",
    bad='<artifact title="A plan">x</artifact>\n',
    good='<artifact type="code" title="A plan">x</artifact>\n',
    fixed='<artifact title="A plan" type="code">x</artifact>\n',
    fix=_fix,
    remedy="Adds the attribute with the first value that the settings allow, or an empty one. Unsafe: only the author "
    "knows the value.",
    unsafe=True,
)

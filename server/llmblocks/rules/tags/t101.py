"""T101 unknown-attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.rules.tags.examples import ARTIFACT
from llmblocks.tags.syntax.catalogue import UNKNOWN_ATTRIBUTE

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.attributes import declared_name

    return declared_name(finding, ask)


RULE = Rule(
    kind=UNKNOWN_ATTRIBUTE,
    layer="tags",
    toml=ARTIFACT,
    summary="A tag has an attribute that the settings do not declare.",
    why="The runtime passes it on, but the program that receives the block expects other names. Reported for tags "
    "whose attributes the settings declare, if the tag is written on one line.",
    bad='<artifact type="code" titel="A plan">x</artifact>\n',
    good='<artifact type="code" title="A plan">x</artifact>\n',
    fixed='<artifact type="code" title="A plan">x</artifact>\n',
    fix=_fix,
    remedy="Writes the most similar declared name. Unsafe: only the author knows which one was meant.",
    unsafe=True,
)

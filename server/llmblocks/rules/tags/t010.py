"""T010 spaced-self-closing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import SPACED_SELF_CLOSING

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.closing import self_closing_tag

    return self_closing_tag(finding, ask)


RULE = Rule(
    kind=SPACED_SELF_CLOSING,
    layer="tags",
    summary="A self-closing tag has a blank inside its `/>`.",
    why="Only `/>` closes a tag at once. With a blank, the tag opens a block, and the text after it is content.",
    bad='<artifact id="1" / >\nThe answer is 4.\n</artifact>\n',
    good='<artifact id="1" />\nThe answer is 4.\n',
    fixed='<artifact id="1" />\nThe answer is 4.\n',
    fix=_fix,
    remedy="Removes the blank, so that the tag has no content. Also removes a later closing tag that is then left "
    "over. Unsafe: text from the block becomes visible.",
    unsafe=True,
)

"""T008 slash-ends-unquoted-value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import SLASH_ENDS_UNQUOTED_VALUE

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.attributes import quoted_value

    return quoted_value(finding, ask)


RULE = Rule(
    kind=SLASH_ENDS_UNQUOTED_VALUE,
    layer="tags",
    summary="An unquoted value contains `/`.",
    why="An unquoted value ends at a blank, a `/` or a `>`. Only the beginning of a path or an address is left; "
    "each word after it is read as an attribute.",
    bad="<artifact href=https://example.org/a>x</artifact>\n",
    good='<artifact href="https://example.org/a">x</artifact>\n',
    fixed='<artifact href="https://example.org/a">x</artifact>\n',
    fix=_fix,
    remedy="Puts the whole value in quotes. Unsafe: the value changes.",
    unsafe=True,
)

"""T004 misspelt-tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.rules.rule import Rule
from llmblocks.tags.syntax.catalogue import MISSPELT_TAG

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.tags.closing import registered_name

    return registered_name(finding, ask)


RULE = Rule(
    kind=MISSPELT_TAG,
    layer="tags",
    summary="A tag is almost a registered one.",
    why="Names are case-sensitive. A tag that is not registered is ordinary text, and the user sees it. A name is "
    "reported if it differs from a registered one in case, in one letter (names of at least four letters), or in two "
    "(at least six); only the case is a warning, any other word in brackets may be a placeholder. Plurals are not "
    "reported, tags in quotes or backticks neither, nor components of JSX such as `<Think />`.",
    bad="<Think>\n2 and 2\n</Think>\n",
    good="<think>\n2 and 2\n</think>\n",
    fixed="<think>\n2 and 2\n</think>\n",
    fix=_fix,
    remedy="Writes the registered name, in both tags of a block if both are misspelt. Unsafe: the tag may be meant as "
    "text.",
    unsafe=True,
)

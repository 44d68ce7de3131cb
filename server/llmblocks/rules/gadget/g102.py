"""G102 array-index-gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import ARRAY_INDEX_GAP
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.arguments import renumbering, subject_of

    subject = subject_of(finding, ask)
    expected = finding.data.get("expected")
    if subject is None or not isinstance(expected, int):
        return ()
    return renumbering(subject, finding.start - subject.offset - subject.argument.name, expected)


RULE = Rule(
    kind=ARRAY_INDEX_GAP,
    layer="gadget",
    summary="An array index is higher than the number of elements given before it.",
    why="llmist builds arrays in the order of the arguments. With a gap, the call fails with `Array index gap: "
    "expected N, got M` and the gadget does not run.",
    bad="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/2\n3\n!!!GADGET_END\n",
    good="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n3\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Gives this element the expected index, or numbers all elements of the array in their order. Unsafe: an "
    "element may be missing instead.",
    unsafe=True,
)

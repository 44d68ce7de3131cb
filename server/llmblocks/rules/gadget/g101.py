"""G101 duplicate-pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llmblocks.gadget.syntax.catalogue import DUPLICATE_POINTER
from llmblocks.rules.rule import Rule

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.languages.ask import Ask
    from llmblocks.rules.fix import Fix


def _fix(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    from llmblocks.rules.gadget.arguments import (
        has_several_repeats,
        numbering,
        removal,
        renaming,
        repetition,
        subject_of,
    )

    subject = subject_of(finding, ask)
    if subject is None:
        return ()
    repeated = repetition(subject)
    if repeated is not None:
        return (repeated,)
    # of an element of an array both are meant, of anything else one: to remove a value is the last resort
    of_array = (numbering, renaming) if has_several_repeats(subject) else (renaming, numbering)
    return tuple([fix for make in (*of_array, removal) if (fix := make(subject)) is not None])


RULE = Rule(
    kind=DUPLICATE_POINTER,
    layer="gadget",
    summary="Two arguments of one call have the same pointer.",
    why="llmist does not choose between them: the call fails with `Duplicate pointer: …` and the gadget does not run. "
    "White space around a pointer is ignored.",
    bad="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n",
    good="!!!GADGET_START:Greet\n!!!ARG:first\nAda\n!!!ARG:second\nGrace\n!!!GADGET_END\n",
    fixed="!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    fix=_fix,
    remedy="Gives the later element of an array the next free index, or numbers the elements in order; removes any "
    "other later argument. Safe if the values of an argument outside of arrays are equal; otherwise unsafe: only the "
    "author knows which value was meant.",
)

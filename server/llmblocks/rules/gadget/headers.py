"""Fixes of headers."""

from __future__ import annotations

from llmblocks.core.edits import Edit
from llmblocks.core.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Fix


def comma(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Separate two dependencies by a comma."""
    # in a chat, the text around the call is a value, too
    safe = ask.language.layers[0] == "gadget"
    return (Fix("Write a comma", (Edit(finding.start, finding.end, ","),), safe=safe),)

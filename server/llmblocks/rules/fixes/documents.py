"""Fixes of documents that embed texts."""

from __future__ import annotations

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.rules.expected import outside
from llmblocks.rules.fix import Fix


def marked(finding: Finding, _: object = None) -> tuple[Fix, ...]:
    """Mark a text that nothing reads, if there is a place for the mark."""
    mark = finding.data.get("mark")
    if not isinstance(mark, Edit):
        return ()
    edit = Edit(finding.start + mark.start, finding.start + mark.end, mark.text)
    return (Fix(str(finding.data["title"]), (edit,), outside(edit)),)

"""Fixes of attributes."""

from __future__ import annotations

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import spelt
from llmblocks.rules.fix import Fix

_BLANKS = " \t\r\n"


def removed_attribute(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove an attribute without effect. Safe if its value equals the one that counts."""
    document = ask.document
    start = finding.start
    if document.slice(finding.end, finding.end + 1) in (*_BLANKS, "/", ">"):
        while document.slice(start - 1, start) in tuple(_BLANKS):
            start -= 1
    same = bool(finding.data.get("same"))
    return (Fix("Remove this attribute", (Edit(start, finding.end, ""),), safe=same),)


def quoted_value(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Put a value in quotes that do not occur in it."""
    value = str(finding.data["value"])
    quote = next((each for each in ('"', "'") if each not in value), None)
    if quote is None:
        return ()
    edits = (Edit(finding.start, finding.start, quote), Edit(finding.end, finding.end, quote))
    return (Fix("Put the value in quotes", edits, spelt(finding, f"{quote}{value}{quote}")),)


def declared_name(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Write the declared name nearest to an unknown one."""
    better = str(finding.data["better"])
    edit = Edit(finding.start, finding.end, better)
    return (Fix(f"Write '{better}'", (edit,), spelt(finding, better)),) if better else ()


def added_attribute(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Add a required attribute at the end of a tag, with its first allowed value, if any."""
    document, name = ask.document, str(finding.data["attribute"])
    value = str(finding.data["value"])
    quote = "'" if '"' in value else '"'
    added = f" {name}={quote}{value}{quote}"
    tag = document.slice(finding.start, finding.end)
    expected = f"{tag[:-2]}{added}/>" if tag.endswith("/>") else f"{tag[:-1]}{added}>"
    end = finding.end - 1
    if document.slice(end - 1, end) == "/":
        end -= 1
    while document.slice(end - 1, end) in (" ", "\t"):
        end -= 1
    return (Fix(f"Add the attribute '{name}'", (Edit(end, end, added),), spelt(finding, expected)),)

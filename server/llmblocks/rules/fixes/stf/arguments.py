"""Fixes of arguments."""

from __future__ import annotations

import re

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import becoming, spelt
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixes.stf.spelling import nearest
from llmblocks.stf.syntax.arguments import parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS, NAME

_COMMAND = re.compile(rf"\ufeff?([@;])[ \t]*{NAME}")
_NEXT_ARGUMENT = re.compile(r"[ \t]+[A-Za-z][A-Za-z0-9_]+=")


def closed_string(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Close a quote before the next likely argument, or else at the end of the line."""
    quote = str(finding.data["quote"])
    behind = _NEXT_ARGUMENT.search(ask.document.slice(finding.start, finding.end))
    places = [finding.start + behind.start()] if behind else []
    edits = [Edit(at, at, quote) for at in (*places, finding.end)]
    return tuple([Fix(f"Close it with {quote}", (edit,), becoming(edit)) for edit in edits])


def removed_argument(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove an argument without effect. Safe if its value equals the one that counts."""
    document, start = ask.document, finding.start
    end = finding.end + int(str(finding.data["behind"]))
    while document.slice(start - 1, start) in (" ", "\t"):
        start -= 1
    return (Fix("Remove this argument", (Edit(start, end, ""),), safe=bool(finding.data["same"])),)


def removed_member(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Remove the member of an object whose key is repeated later."""
    start, end = (finding.start - int(str(finding.data[name])) for name in ("earlier", "behind"))
    return (Fix("Remove the earlier value", (Edit(start, end, ""),)),)


def nearest_key(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Write the key nearest to an unknown one, if the command has no such argument yet."""
    document = ask.document
    line, _ = document.position(finding.start)
    written = document.slice(document.line_start(line), document.line_start(line + 1)).rstrip("\r\n")
    command = _COMMAND.match(written)
    if command is None:
        return ()
    given = parse_arguments(written, command.end(), len(written), DIALECTS[command[1]])
    key = document.slice(finding.start, finding.end)
    quote = key[0] if key[0] in "'\"" else ""
    return tuple(
        [
            Fix(f"Write '{name}'", (Edit(finding.start, finding.end, new),), spelt(finding, new))
            for name in nearest(str(finding.data["key"]), str(finding.data["known"]).split(", "))
            if given.get(name) is None and (new := f"{quote}{name}{quote}")
        ]
    )


def quoted_value(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Add the opening quote to a value that has the closing one."""
    value = ask.document.slice(finding.start, finding.end)
    inside, quote = value[:-1].removeprefix(value[-1]), value[-1]
    if "\\" in inside:
        return ()  # it would escape the next character
    if quote in inside:
        inside, quote = value, '"' if quote == "'" else "'"
    if quote in inside:
        return ()
    new = f"{quote}{inside}{quote}"
    return (Fix("Put the value in quotes", (Edit(finding.start, finding.end, new),), spelt(finding, new)),)


def added_blank(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Put a space between two arguments."""
    return (Fix("Add a blank", (Edit(finding.start, finding.start, " "),), safe=True),)

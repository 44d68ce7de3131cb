"""Fixes of unmatched comment blocks."""

from __future__ import annotations

import re
from types import MappingProxyType

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import coming
from llmblocks.rules.fix import Fix
from llmblocks.rules.removal import line_removals
from llmblocks.stf.syntax.dialect import DIALECTS, NAME

_HEADER_LINES = MappingProxyType(
    {name: re.compile(rf"^{name}[ \t]*(?:(/\*)|(\*/)|({NAME}))", re.MULTILINE) for name in DIALECTS}
)
_BOM = "\ufeff"


def removed_line(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove the line of a comment end that ends nothing."""
    return tuple([Fix("Remove this line", (edit,), safe=True) for edit in line_removals(ask.document, finding.start)])


def closed_comment(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """End a comment block, and the open ones inside it."""
    document = ask.document
    text = document.slice(finding.start, len(document))
    header = str(finding.data.get("header"))
    if header not in DIALECTS:
        return ()
    newline = "\r\n" if document.slice(finding.end, finding.end + 2) == "\r\n" else "\n"
    closing = f"{header}*/"
    depth, message, depth_there = 0, -1, 0
    for found in _HEADER_LINES[header].finditer(text.replace(_BOM, header, 1) if text[:1] == _BOM else text):
        opens, closes, name = found.groups()
        if opens:
            depth += 1
        elif closes:
            depth -= 1
            if depth < depth_there:
                message, depth_there = -1, 0  # it is in a comment that is ended
        elif message < 0 and _begins_message(header, name):
            message, depth_there = found.start(), depth
    fixes = []
    if message > 0:
        edit = Edit(finding.start + message, finding.start + message, f"{closing}{newline}" * depth_there)
        fixes.append(Fix("End the comment before the next message", (edit,), coming(edit)))
    whole = text.endswith("\n")
    lines = ("" if whole else newline) + newline.join([closing] * depth)
    # in one dialect a newline at the end is content
    lines += newline if whole and header == "@" else ""
    behind = text[finding.end - finding.start :]
    edit = Edit(len(document), len(document), lines)
    fixes.append(Fix("End the comment at the end of the text", (edit,), safe=not behind.strip()))
    return (*fixes,)


def _begins_message(header: str, name: str) -> bool:
    command = DIALECTS[header].commands.get(name)
    return command is not None and command.begins_message

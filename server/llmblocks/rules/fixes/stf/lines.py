"""Fixes of command lines."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import SAME, Expected, becoming, coming, spelt
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixes.stf.spelling import nearest
from llmblocks.rules.removal import line_removals
from llmblocks.stf import kinds
from llmblocks.stf.scanner import state_of
from llmblocks.stf.syntax.dialect import AT, DIALECTS, Dialect

_BOM = "\ufeff"


def nearest_command(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Write the command whose name is nearest to an unknown one."""
    near = nearest(str(finding.data["name"]), _dialect(ask, finding.start).commands)
    return tuple([_written(finding, name, spelt(finding, name)) for name in near])


def lower_case(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Write a command in lower case."""
    return (_written(finding, str(finding.data["meant"]), safe=True),)


def _written(finding: Finding, name: str, expected: Expected = SAME, *, safe: bool = False) -> Fix:
    return Fix(f"Write '{name}'", (Edit(finding.start, finding.end, name),), expected, safe)


def escaped_line(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Turn a line that is not a command into text."""
    header = str(finding.data["header"])
    return (_as_text(finding.start, header),)


def _as_text(start: int, header: str) -> Fix:
    edit = Edit(start, start, header)
    return Fix(f"Begin the line with {header}{header}, as text", (edit,), becoming(edit))


def escaped_command(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Turn the line of an unknown command into text."""
    header = _dialect(ask, finding.start).header
    start = ask.document.line_start(ask.document.position(finding.start)[0])
    return (_as_text(start + (ask.document.slice(start, start + 1) == _BOM), header),)


def removed_end(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove the line of an `end` that ends nothing. Unsafe after an unknown command, which may begin the block."""
    safe = not any(_unknown_before(ask, finding.start))
    edits = line_removals(ask.document, finding.start)
    return tuple([Fix("Remove this line", (edit,), safe=safe) for edit in edits])


def _unknown_before(ask: Ask, offset: int) -> Iterator[str]:
    """Yield the names of unknown commands before a place, in its section."""
    placed = ask.document.section_at(offset)
    at = placed.start
    for kind, width in placed.section.tokens:
        if at >= offset:
            return
        if kind is kinds.UNKNOWN_NAME:
            yield ask.document.slice(at, at + width)
        at += width


def ended_block(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """End a block at the end of the text."""
    document = ask.document
    header, end = str(finding.data["header"]), len(document)
    text = f"{header}end"
    if document.slice(end - 1, end) != "\n":
        text = line_end(ask, end) + text
    elif header == AT.header:  # in the other dialect a newline at the end is content
        text += line_end(ask, end)
    edit = Edit(end, end, text)
    return (Fix(f"End the block with {header}end", (edit,), becoming(edit)),)


def begun_message(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Begin a message before a stray line, unless a misspelt command before it begins one."""
    document = ask.document
    start = document.line_start(document.position(finding.start)[0])
    start += document.slice(start, start + 1) == _BOM
    dialect = _dialect(ask, start)
    if any(nearest(name, dialect.commands) for name in _unknown_before(ask, start)):
        return ()
    role = "assistant" if finding.data.get("name") == "call" else "user"
    command = f"{dialect.header}{role}"
    edit = Edit(start, start, command + line_end(ask, finding.end))
    return (Fix(f"Begin a message with {command}", (edit,), coming(edit)),)


def _dialect(ask: Ask, offset: int) -> Dialect:
    """Return the dialect of a line; without a command before it, that of the text."""
    before = state_of(ask.document.section_at(offset).section.before).dialect
    return DIALECTS.get(before or state_of(ask.document.end_state).dialect, AT)


def line_end(ask: Ask, offset: int) -> str:
    """Return the line end to write near a place."""
    document = ask.document
    line, _ = document.position(offset)
    start = document.line_start(line + 1) if line < document.newlines else document.line_start(line)
    return "\r\n" if document.slice(start - 2, start) == "\r\n" else "\n"

"""Remedies of mistakes in chats that only a person chooses."""

from __future__ import annotations

import re

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import becoming, everywhere, spelt
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixes.stf.lines import line_end
from llmblocks.rules.removal import line_removals

_WORD = re.compile(r"[^\s,{}\[\]:'\"]+")


def _made(title: str, *edits: Edit) -> Fix:
    """Return a fix of a chat that expects the values of the edited text."""
    return Fix(title, edits, becoming(*edits))


def _line(finding: Finding, ask: Ask) -> tuple[int, int]:
    """Return the start and the end of the line of a finding, without its line end."""
    number, _ = ask.document.position(finding.start)
    start = ask.document.line_start(number)
    return start, start + len(ask.document.slice(start, ask.document.line_start(number + 1)).rstrip("\r\n"))


def removed_line(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove the line of a command."""
    return tuple([_made("Remove this line", edit) for edit in line_removals(ask.document, finding.start)])


def removed_embed(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove an embedded file that does not exist, with its command."""
    document = ask.document
    line, _ = document.position(finding.start)
    edit = Edit(document.line_start(line - 1), document.line_start(line + 1), "")
    return (_made("Embed nothing: remove both lines", edit),) if line else ()


def given_data(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give a call without data no arguments, or remove the line of a command without data."""
    _, end = _line(finding, ask)
    edit = Edit(end, end, f"{line_end(ask, end)}{{}}")
    calls = [_made("Call it without arguments: `{}`", edit)] if finding.data.get("name") == "call" else []
    return (*calls, *removed_line(finding, ask))


def removed_argument(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Move text to the next line, or remove it; give an argument without a value an empty one."""
    start, end = _line(finding, ask)
    before = ask.document.slice(start, finding.start)
    key = start + len(before) - len(re.split(r"[ \t]", before)[-1])
    gap = key - len(ask.document.slice(start, key)) + len(ask.document.slice(start, key).rstrip(" \t"))
    word = finding.end + len(re.match(r"[^ \t\r\n]*", ask.document.slice(finding.end, end))[0])  # type: ignore[index]
    fixes = [_made("Remove this argument", Edit(gap, word, ""))]
    if before.endswith("="):
        fixes = [_made("Give it an empty value", Edit(finding.start, finding.end, "''")), *fixes]
    elif "=" not in ask.document.slice(key, end):
        newline = line_end(ask, end)
        fixes = [_made("Move this text to the next line", Edit(gap, key, newline)), *fixes]
    return (*fixes,)


def removed_json5(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Close JSON5 that ends too early, or remove the JSON5 of a command."""
    start, end = _line(finding, ask)
    text = ask.document.slice(start, end)
    brace = text.find("{")
    if brace < 0 or not text[:1].strip("{"):
        return ()
    fixes = [_made("Close it with `}`", Edit(end, end, "}"))] if finding.start >= end else []
    gap = start + len(text[:brace].rstrip(" \t"))
    return (*fixes, _made("Remove the arguments", Edit(gap, end, "")))


def quoted(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Put a value in quotes."""
    _, end = _line(finding, ask)
    word = _WORD.match(ask.document.slice(finding.start, end))
    if word is None:
        return ()
    end = finding.start + word.end()
    edits = Edit(finding.start, finding.start, "'"), Edit(end, end, "'")
    return (Fix(f"Write it as text: `'{word[0]}'`", edits, becoming(Edit(finding.start, end, f"'{word[0]}'"))),)


def given_role(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give a message a role."""
    start, end = finding.start, finding.end
    written = ask.document.slice(start, end)
    # messages without a role take it from there
    return tuple(
        [
            Fix(f"Add {role}", (Edit(end, end, f" {role}"),), everywhere(Edit(start, end, f"{written} {role}")))
            for role in ("role=user", "role=assistant", "role=system")
        ]
    )


def other_id(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give a message an unused id."""
    name, text = str(finding.data["id"]), ask.document.text
    new = next(each for number in range(2, len(text) + 3) if (each := f"{name}_{number}") not in text)
    written = ask.document.slice(finding.start, finding.end)
    return (_made(f"Change this id to `{new}`", Edit(finding.start, finding.end, written.replace(name, new))),)


def own_dialect(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Begin a command with the character of the document's dialect."""
    header, name = str(finding.data["header"]), str(finding.data["name"])
    edit = Edit(finding.start, finding.start + 1, header)
    return (Fix(f"Write {header}{name}", (edit,), spelt(finding, f"{header}{name}")),)


def ended_before(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a command inside a block, or close the block first."""
    start, _ = _line(finding, ask)
    header = ask.document.slice(start, start + 1)
    ended = Edit(start, start, f"{header}end{line_end(ask, finding.end)}")
    return (*removed_line(finding, ask), _made("End the block before this line", ended))

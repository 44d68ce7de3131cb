"""Fixes of chats: command lines, arguments, comments and line ends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from llmblocks.core.distance import distance
from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import SAME, Fix, becoming, changing, everywhere, line_removals, replacing, rewriting
from llmblocks.stf import kinds
from llmblocks.stf.scanner import state_of
from llmblocks.stf.syntax import AT, DIALECTS, NAME, Dialect, parse_arguments

_COMMAND: Final = re.compile(rf"\ufeff?([@;])[ \t]*{NAME}")
_NEXT_ARGUMENT: Final = re.compile(r"[ \t]+[A-Za-z][A-Za-z0-9_]+=")
_COMMENTS: Final = {name: re.compile(rf"^{name}[ \t]*(?:(/\*)|(\*/)|({NAME}))", re.MULTILINE) for name in DIALECTS}
_WORD: Final = re.compile(r"[^\s,{}\[\]:'\"]+")
_BOM: Final = "\ufeff"


def nearest_command(finding: Finding, ask: Ask) -> Iterator[Fix]:
    for name in _nearest(str(finding.data["name"]), _dialect(ask, finding.start).commands):
        yield rewriting(finding, name, f"Write '{name}'")


lower_case = replacing("{meant}", "Write '{meant}'", SAME, safe=True)
removed_mark = replacing("", "Remove the byte-order mark", SAME, safe=True)


def own_dialect(finding: Finding, _: Ask) -> Iterator[Fix]:
    header, name = str(finding.data["header"]), str(finding.data["name"])
    edit = Edit(finding.start, finding.start + 1, header)
    yield becoming(f"Write {header}{name}", edit, spelling=Edit(finding.start, finding.end, f"{header}{name}"))


def escaped_line(finding: Finding, _: Ask) -> Iterator[Fix]:
    yield _as_text(finding.start, str(finding.data["header"]))


def escaped_command(finding: Finding, ask: Ask) -> Iterator[Fix]:
    yield _as_text(_line_start(ask, finding.start), _dialect(ask, finding.start).header)


def _as_text(start: int, header: str) -> Fix:
    return becoming(f"Begin the line with {header}{header}, as text", Edit(start, start, header))


def removed_line(finding: Finding, ask: Ask) -> Iterator[Fix]:
    for edit in line_removals(ask.document, finding.start):
        yield becoming("Remove this line", edit)


def removed_comment_end(finding: Finding, ask: Ask, *, safe: bool = True) -> Iterator[Fix]:
    for edit in line_removals(ask.document, finding.start):
        yield Fix("Remove this line", (edit,), safe=safe)


def removed_end(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove the line of an `end` that ends nothing. Unsafe after an unknown command, which may begin the block."""
    return removed_comment_end(finding, ask, safe=not any(_unknown_before(ask, finding.start)))


def removed_embed(finding: Finding, ask: Ask) -> Iterator[Fix]:
    start, end = ask.document.line_at(finding.start)
    if start:
        edit = Edit(ask.document.line_at(start - 1)[0], end, "")
        yield becoming("Embed nothing: remove both lines", edit)


def given_data(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Give a call without data no arguments, or remove the line of a command without data."""
    if finding.data.get("name") == "call":
        _, end = _line(finding, ask)
        yield becoming("Call it without arguments: `{}`", Edit(end, end, f"{_line_end(ask, end)}{{}}"))
    yield from removed_line(finding, ask)


def ended_before(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove a command inside a block, or close the block first."""
    start, _ = _line(finding, ask)
    ended = Edit(start, start, f"{ask.document.slice(start, start + 1)}end{_line_end(ask, finding.end)}")
    yield from removed_line(finding, ask)
    yield becoming("End the block before this line", ended)


def ended_block(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """End a block at the end of the text."""
    document = ask.document
    header, end = str(finding.data["header"]), len(document)
    text = f"{header}end"
    if document.slice(end - 1, end) != "\n":
        text = _line_end(ask, end) + text
    elif header == AT.header:  # in the other dialect a newline at the end is content
        text += _line_end(ask, end)
    yield becoming(f"End the block with {header}end", Edit(end, end, text))


def begun_message(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Begin a message before a stray line, unless a misspelt command before it begins one."""
    start = _line_start(ask, finding.start)
    dialect = _dialect(ask, start)
    if not any(_nearest(name, dialect.commands) for name in _unknown_before(ask, start)):
        role = "assistant" if finding.data.get("name") == "call" else "user"
        command = f"{dialect.header}{role}"
        edit = Edit(start, start, command + _line_end(ask, finding.end))
        # until now, nothing read the text up to the next message
        yield changing(f"Begin a message with {command}", edit, uncovers=True, come=True)


def given_role(finding: Finding, ask: Ask) -> Iterator[Fix]:
    start, end = finding.start, finding.end
    written = ask.document.slice(start, end)
    for role in ("role=user", "role=assistant", "role=system"):
        # messages without a role take it from there
        spelling = Edit(start, end, f"{written} {role}")
        yield everywhere(f"Add {role}", Edit(end, end, f" {role}"), spelling=spelling)


def other_id(finding: Finding, ask: Ask) -> Iterator[Fix]:
    name, text = str(finding.data["id"]), ask.document.text
    new = next(each for number in range(2, len(text) + 3) if (each := f"{name}_{number}") not in text)
    written = ask.document.slice(finding.start, finding.end)
    yield becoming(f"Change this id to `{new}`", Edit(finding.start, finding.end, written.replace(name, new)))


def closed_string(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Close a quote before the next likely argument, or else at the end of the line."""
    quote = str(finding.data["quote"])
    behind = _NEXT_ARGUMENT.search(ask.document.slice(finding.start, finding.end))
    for at in (*([finding.start + behind.start()] if behind else []), finding.end):
        yield becoming(f"Close it with {quote}", Edit(at, at, quote))


def removed_repetition(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove an argument without effect. Safe if its value equals the one that counts."""
    start, end = finding.start, finding.end + int(str(finding.data["behind"]))
    while ask.document.slice(start - 1, start) in (" ", "\t"):
        start -= 1
    yield Fix("Remove this argument", (Edit(start, end, ""),), safe=bool(finding.data["same"]))


def removed_member(finding: Finding, _: Ask) -> Iterator[Fix]:
    """Remove the member of an object whose key is repeated later."""
    start, end = (finding.start - int(str(finding.data[name])) for name in ("earlier", "behind"))
    yield Fix("Remove the earlier value", (Edit(start, end, ""),))


def removed_argument(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Move text to the next line, or remove it; give an argument without a value an empty one."""
    start, end = _line(finding, ask)
    before = ask.document.slice(start, finding.start)
    key = start + len(before) - len(re.split(r"[ \t]", before)[-1])
    gap = start + len(ask.document.slice(start, key).rstrip(" \t"))
    word = finding.end + len(re.match(r"[^ \t\r\n]*", ask.document.slice(finding.end, end))[0])  # type: ignore[index]
    if before.endswith("="):
        yield becoming("Give it an empty value", Edit(finding.start, finding.end, "''"))
    elif "=" not in ask.document.slice(key, end):
        yield becoming("Move this text to the next line", Edit(gap, key, _line_end(ask, end)))
    yield becoming("Remove this argument", Edit(gap, word, ""))


def removed_json5(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Close JSON5 that ends too early, or remove the JSON5 of a command."""
    start, end = _line(finding, ask)
    text = ask.document.slice(start, end)
    brace = text.find("{")
    if brace < 0 or not text[:1].strip("{"):
        return
    if finding.start >= end:
        yield becoming("Close it with `}`", Edit(end, end, "}"))
    yield becoming("Remove the arguments", Edit(start + len(text[:brace].rstrip(" \t")), end, ""))


def nearest_key(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Write the key nearest to an unknown one, if the command has no such argument yet."""
    document = ask.document
    written = document.slice(*document.line_at(finding.start)).rstrip("\r\n")
    command = _COMMAND.match(written)
    if command is None:
        return
    given = parse_arguments(written, command.end(), len(written), DIALECTS[command[1]])
    key = document.slice(finding.start, finding.end)
    quote = key[0] if key[0] in "'\"" else ""
    for name in _nearest(str(finding.data["key"]), str(finding.data["known"]).split(", ")):
        if given.get(name) is None:
            yield rewriting(finding, f"{quote}{name}{quote}", f"Write '{name}'")


def quoted_value(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Add the opening quote to a value that has the closing one."""
    value = ask.document.slice(finding.start, finding.end)
    inside, quote = value[:-1].removeprefix(value[-1]), value[-1]
    # a backslash would escape the next character
    if "\\" not in inside:
        if quote in inside:
            inside, quote = value, '"' if quote == "'" else "'"
        if quote not in inside:
            yield rewriting(finding, f"{quote}{inside}{quote}", "Put the value in quotes")


def quoted(finding: Finding, ask: Ask) -> Iterator[Fix]:
    _, end = _line(finding, ask)
    word = _WORD.match(ask.document.slice(finding.start, end))
    if word is not None:
        end = finding.start + word.end()
        edits = Edit(finding.start, finding.start, "'"), Edit(end, end, "'")
        spelling = Edit(finding.start, end, f"'{word[0]}'")
        yield becoming(f"Write it as text: `'{word[0]}'`", *edits, spelling=spelling)


def added_blank(finding: Finding, _: Ask) -> Iterator[Fix]:
    yield Fix("Add a blank", (Edit(finding.start, finding.start, " "),), safe=True)


def closed_comment(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """End a comment block, and the open ones inside it."""
    document = ask.document
    text = document.slice(finding.start, len(document))
    header = str(finding.data.get("header"))
    if header not in DIALECTS:
        return
    newline = "\r\n" if document.slice(finding.end, finding.end + 2) == "\r\n" else "\n"
    closing = f"{header}*/"
    depth, message, depth_there = 0, -1, 0
    for found in _COMMENTS[header].finditer(text.replace(_BOM, header, 1) if text[:1] == _BOM else text):
        opens, closes, name = found.groups()
        if opens:
            depth += 1
        elif closes:
            depth -= 1
            if depth < depth_there:
                message, depth_there = -1, 0  # it is in a comment that is ended
        elif message < 0 and (command := DIALECTS[header].commands.get(name)) is not None and command.begins_message:
            message, depth_there = found.start(), depth
    if message > 0:
        edit = Edit(finding.start + message, finding.start + message, f"{closing}{newline}" * depth_there)
        yield changing("End the comment before the next message", edit, come=True)
    whole = text.endswith("\n")
    lines = ("" if whole else newline) + newline.join([closing] * depth)
    # in one dialect a newline at the end is content
    lines += newline if whole and header == "@" else ""
    safe = not text[finding.end - finding.start :].strip()
    yield Fix("End the comment at the end of the text", (Edit(len(document), len(document), lines),), safe=safe)


def _unknown_before(ask: Ask, offset: int) -> Iterator[str]:
    """Yield the names of unknown commands before a place, in its section."""
    placed = ask.document.section_at(offset)
    for kind, start, end in placed.section.spans():
        if placed.start + start < offset and kind is kinds.UNKNOWN_NAME:
            yield placed.section.text[start:end]


def _dialect(ask: Ask, offset: int) -> Dialect:
    """Return the dialect of a line; without a command before it, that of the text."""
    before = state_of(ask.document.section_at(offset).section.before).dialect
    return DIALECTS.get(before or state_of(ask.document.end_state).dialect, AT)


def _line(finding: Finding, ask: Ask) -> tuple[int, int]:
    """Return the start and the end of the line of a finding, without its line end."""
    start, end = ask.document.line_at(finding.start)
    return start, start + len(ask.document.slice(start, end).rstrip("\r\n"))


def _line_start(ask: Ask, offset: int) -> int:
    start, _ = ask.document.line_at(offset)
    return start + (ask.document.slice(start, start + 1) == _BOM)


def _line_end(ask: Ask, offset: int) -> str:
    document = ask.document
    start, end = document.line_at(offset)
    end = end if document.slice(end - 1, end) == "\n" else start
    return "\r\n" if document.slice(end - 2, end) == "\r\n" else "\n"


def _nearest(name: str, names: Iterable[str]) -> list[str]:
    """Return similar names, nearest first: other in case, in one letter of at least four, or two of at least six."""
    found = []
    for other in names:
        most = 2 if len(other) >= 6 else int(len(other) >= 4)
        if (apart := distance(name.lower(), other, most)) <= most:
            found.append((apart, other))
    return [other for _, other in sorted(found)]

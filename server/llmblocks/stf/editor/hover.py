"""Hovers of Simple Text Format."""

from __future__ import annotations

import json
import re
from typing import Final

from llmblocks.contract.answers import Describe, Subject
from llmblocks.contract.markup import block, code, text_size
from llmblocks.core.scan import Kind
from llmblocks.json5.reader import read_value
from llmblocks.stf import kinds
from llmblocks.stf.editor.command_lines import command_lines
from llmblocks.stf.syntax.arguments import LONGEST_BLOCK
from llmblocks.stf.syntax.dialect import ARGUMENTS, DIALECTS

_HEADER = re.compile(r"\ufeff?([@;])")


def _command(subject: Subject[object]) -> str | None:
    name = subject.text
    header = _header_of(subject)
    command = DIALECTS[header].commands.get(name)
    if command is None:
        return None
    same = f" (the same as `{header}{command.canonical}`)" if command.canonical != name else ""
    lines = [f"`{header}{name}`{same}: {command.detail[:1].lower()}{command.detail[1:]}"]
    if command.arguments:
        lines.append("Arguments: " + ", ".join(f"`{key}`" for key in command.arguments))
    return "\n\n".join(lines)


def _unknown(subject: Subject[object]) -> str:
    header = _header_of(subject)
    name = subject.text
    known = DIALECTS[header].commands
    if name in known:
        return f"`{header}{name}` is not a command inside a block: end the block with `{header}end` first."
    other = DIALECTS[header].other
    if name in other.commands:
        return f"`{header}{name}` is a command of the `{other.header}` dialect only; this text is in `{header}`."
    names = ", ".join(f"`{header}{known_name}`" for known_name in known)
    return f"`{header}{name}` is not a command. Commands are: {names}"


def _arguments(subject: Subject[object]) -> str | None:
    line = command_lines(subject.section)[subject.span.start]
    command = line.command
    if command is None:
        return None
    for each in line.arguments.items:
        if each.key_start <= subject.offset <= each.value_end:
            known = each.key in command.arguments or command.canonical == "embed"
            of = f"`{line.dialect.header}{command.name}`"
            lines = [f"{code(each.key)} of {of}: {_kind(each.value)}"]
            lines.append(ARGUMENTS.get(each.key, "") if known else f"It has no effect: {of} does not read it.")
            written = subject.section.text[each.key_start : each.value_end]
            if not isinstance(each.value, str) or each.value not in written:
                lines.append(block(_json(each.value), "json"))
            return "\n\n".join(filter(None, lines))
    return None


def _kind(value: object) -> str:
    """Return the kind of a value as a word."""
    if isinstance(value, str):
        return text_size(value)
    if isinstance(value, dict | list):
        what, count = ("object", "member") if isinstance(value, dict) else ("array", "element")
        return f"{what}, {len(value):,} {count}{'' if len(value) == 1 else 's'}"
    return f"{'null' if value is None else 'boolean' if isinstance(value, bool) else 'number'}"


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _body(subject: Subject[object]) -> str | None:
    """Return the JSON5 of the data lines in a block, or after a call, without comments between them."""
    span = subject.span
    if span.end - span.start > LONGEST_BLOCK:
        return "Data of a command, too long to be read here."
    text = subject.text.strip()
    if not text or text[0] not in "{[":
        return None
    read = read_value(text)
    if read.error is not None:
        return f"JSON5 that cannot be read: {str(read.error).removeprefix('JSON5: ')}"
    return f"JSON5: {_kind(read.value)}\n\n{block(_json(read.value), 'json')}"


def _header_of(subject: Subject[object]) -> str:
    """Return the header character of a token's line."""
    found = _HEADER.match(subject.section.line_before(subject.span.end))
    return found[1] if found else "@"


def _sentence(subject: Subject[object]) -> str:
    return _SENTENCES[subject.span.kind].format(header=_header_of(subject))


_SENTENCES: Final[dict[Kind, str]] = {
    kinds.STRAY_END: "`{header}end` with no block command to end: decoding fails here.",
    kinds.ESCAPE: "`{header}{header}` at the start of a line is text that begins with one `{header}`.",
    kinds.COMMENT_OPEN: "Comment block: it goes up to the matching `{header}*/`, and comment blocks nest.",
    kinds.COMMENT_CLOSE: "End of a comment block: the rest of its line is ignored, too.",
    kinds.STRAY_CLOSE: "End of a comment block where none is open: decoding fails here.",
}
WORDS: Final[dict[Kind, Describe[object]]] = {
    **dict.fromkeys(_SENTENCES, _sentence),
    **dict.fromkeys(kinds.NAMES, _command),
    kinds.UNKNOWN_NAME: _unknown,
    kinds.ARGUMENTS: _arguments,
    kinds.BODY: _body,
}

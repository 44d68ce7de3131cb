"""The outline, the colours and the hovers of Simple Text Format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from llmblocks.contract.answers import Describe, Subject
from llmblocks.contract.headings import Heading, Title, first_words, said_by
from llmblocks.contract.markup import block, code, value_size
from llmblocks.contract.paint import Paint, Painted, as_whole
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.json5.colours import json5
from llmblocks.json5.reader import read_value
from llmblocks.stf import kinds
from llmblocks.stf.editor.command_lines import command_lines
from llmblocks.stf.editor.layer import BLOCK, MESSAGE
from llmblocks.stf.editor.problems import DIRECTIVE
from llmblocks.stf.syntax import ARGUMENTS, DIALECTS, KEYSTROKE_LIMIT, LONGEST_BLOCK, Dialect, parse_arguments

_LINE_END = re.compile(r"[\r\n]|\Z")
_NEXT_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)([^\r\n]*)")
_FIRST_TEXT = {
    header: re.compile(
        rf"""[^\r\n]*+
        (?:(?:\r\n?|\n)(?:[ \t]*+(?=[\r\n])|{header}[ \t]*+(?:\#|//)[^\r\n]*+)){{0,8}}+
        (?:\r\n?|\n)(?!{header}(?!{header})){header}?([^\r\n]*)""",
        re.VERBOSE,
    )
    for header in DIALECTS
}
"""The rest of a command line, blank lines and comment lines after it, and a line of text."""


def _message(text: str, start: int, end: int) -> Title:
    dialect = _dialect(text, start)
    arguments = _of_line(text, end, dialect)
    named = [arguments[key] for key in ("name", "id", "call_id") if key in arguments]
    return said_by(" ".join((_role(text, start, end), *named)), _words(_FIRST_TEXT[dialect.header], text, end))


def _role(text: str, start: int, end: int) -> str:
    dialect, name = _dialect(text, start), text[start:end]
    command = dialect.commands.get(name)
    # `@user` needs no arguments
    return (command.role if command else None) or _of_line(text, end, dialect).get("role") or name


def _block(text: str, start: int, end: int) -> Title:
    given = _of_line(text, end, _dialect(text, start)).values()
    return Title(" ".join((text[start:end], *given)), _words(_NEXT_LINE, text, end))


def _of_line(text: str, start: int, dialect: Dialect) -> dict[str, str]:
    end = _LINE_END.search(text, start)
    read = parse_arguments(text, start, end.start() if end else start, dialect, limit=KEYSTROKE_LIMIT)
    return {each.key: each.value for each in read.items if isinstance(each.value, str) and each.value.isprintable()}


def _words(line: re.Pattern[str], text: str, at: int) -> str:
    found = line.match(text, at)
    return first_words(text, *found.span(1)) if found else ""


def _dialect(text: str, start: int) -> Dialect:
    """Return the dialect of a command's name at `start`."""
    return DIALECTS.get(text[:start].rstrip(" \t")[-1:], DIALECTS["@"])


HEADINGS: Final[dict[Kind, Heading]] = {
    kinds.MESSAGE_NAME: Heading("message", MESSAGE, _message, _role),
    kinds.RAW_NAME: Heading("message", BLOCK, _block),
    kinds.BLOCK_NAME: Heading("data", BLOCK, _block),
    kinds.LINE_NAME: Heading("call", "", _block),
}


def _body_colours(section: Section, span: Span) -> Iterator[Painted]:
    if span.end - span.start <= LONGEST_BLOCK:
        yield from json5(section.text[span.start : span.end], span.start)


_IDS: Final = {"id": ("variable", ("declaration", "readonly")), "call_id": ("variable", ())}
"""The colours of ids, with their modifiers."""
_FAR: Final = 64
"""The maximum distance from a sign at which its comment is looked for, in characters."""


def _argument_colours(section: Section, span: Span) -> Iterator[Painted]:
    line = command_lines(section)[span.start]
    known = _IDS | ({"name": ("function", ())} if line.name == "call" else {})
    if line.arguments.braces:
        yield from json5(section.text[span.start : span.end], span.start)
    for item in () if line.arguments.braces else line.arguments.items:
        yield Painted(item.key_start, item.key_end, "property")
        if item.value_start < item.value_end:
            yield Painted(item.value_start, item.value_end, *known.get(item.key, ("string", ())))


def _sign(section: Section, span: Span) -> Iterator[Painted]:
    """Yield the first character of a line, as a part of its comment or command."""
    behind = section.text[span.end : span.end + _FAR].lstrip(" \t")
    yield Painted(span.start, span.end, "comment" if behind.startswith(("#", "//", "/*")) else "keyword")


def _comment(section: Section, span: Span) -> Iterator[Painted]:
    """Yield a comment; in one for the checker, also its content."""
    is_directive = DIRECTIVE.match(section.text[span.start : span.end]) is not None
    yield Painted(span.start, span.end, "comment", ("documentation",) if is_directive else ())


PAINT: Final[dict[Kind, Paint]] = {
    **dict.fromkeys((kinds.ESCAPE, *kinds.NAMES), as_whole("keyword")),
    kinds.HEADER: _sign,
    kinds.COMMENT_LINE: _comment,
    **dict.fromkeys((kinds.COMMENT_OPEN, kinds.COMMENT_CLOSE, kinds.COMMENT), as_whole("comment")),
    kinds.ARGUMENTS: _argument_colours,
    kinds.BODY: _body_colours,
}


_SIGN = re.compile(r"\ufeff?([@;])")


def _of_command(subject: Subject[object]) -> str | None:
    header, name = _header_of(subject), subject.text
    command = DIALECTS[header].commands.get(name)
    if command is None:
        return None
    same = f" (the same as `{header}{command.canonical}`)" if command.canonical != name else ""
    lines = [f"`{header}{name}`{same}: {command.detail[:1].lower()}{command.detail[1:]}"]
    if command.arguments:
        lines.append("Arguments: " + ", ".join(f"`{key}`" for key in command.arguments))
    return "\n\n".join(lines)


def _of_argument(subject: Subject[object]) -> str | None:
    line = command_lines(subject.section)[subject.span.start]
    command = line.command
    if command is None:
        return None
    for each in line.arguments.items:
        if each.key_start <= subject.offset <= each.value_end:
            known = each.key in command.arguments or command.canonical == "embed"
            of = f"`{line.dialect.header}{command.name}`"
            lines = [f"{code(each.key)} of {of}: {value_size(each.value)}"]
            lines.append(ARGUMENTS.get(each.key, "") if known else f"It has no effect: {of} does not read it.")
            written = subject.section.text[each.key_start : each.value_end]
            if not isinstance(each.value, str) or each.value not in written:
                lines.append(_json_block(each.value))
            return "\n\n".join(filter(None, lines))
    return None


def _json_block(value: object) -> str:
    return block(json.dumps(value, indent=2, ensure_ascii=False), "json")


def _of_body(subject: Subject[object]) -> str | None:
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
    return f"JSON5: {value_size(read.value)}\n\n{_json_block(read.value)}"


def _header_of(subject: Subject[object]) -> str:
    """Return the header character of a token's line."""
    found = _SIGN.match(subject.section.line_before(subject.span.end))
    return found[1] if found else "@"


_SENTENCES: Final[dict[Kind, str]] = {
    kinds.ESCAPE: "`{header}{header}` at the start of a line is text that begins with one `{header}`.",
    kinds.COMMENT_OPEN: "Comment block: it goes up to the matching `{header}*/`, and comment blocks nest.",
    kinds.COMMENT_CLOSE: "End of a comment block: the rest of its line is ignored, too.",
}
WORDS: Final[dict[Kind, Describe[object]]] = {
    **dict.fromkeys(_SENTENCES, lambda subject: _SENTENCES[subject.span.kind].format(header=_header_of(subject))),
    **dict.fromkeys(kinds.NAMES, _of_command),
    kinds.ARGUMENTS: _of_argument,
    kinds.BODY: _of_body,
}

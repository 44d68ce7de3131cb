"""Messages, data blocks and tool calls in an outline."""

from __future__ import annotations

import re
from typing import Final

from llmblocks.contract.headings import Heading, Title, first_words, said_by
from llmblocks.core.scan import Kind
from llmblocks.stf import kinds
from llmblocks.stf.editor.nesting import BLOCK, MESSAGE
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS

_LINE = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n?|\n")
_COMMENT = re.compile(r"[ \t]*(?:#|//)")
_MOST_LINES = 8


def _message(text: str, start: int, end: int) -> Title:
    header = _header(text, start)
    arguments = _arguments(text, end, header)
    role = _known_role(text, start, end, header) or arguments.get("role") or text[start:end]
    named = [arguments[key] for key in ("name", "id", "call_id") if key in arguments]
    return said_by(" ".join((role, *named)), _first_text(text, end, header))


def _role(text: str, start: int, end: int) -> str:
    header = _header(text, start)
    # `@user` needs no arguments
    return _known_role(text, start, end, header) or _arguments(text, end, header).get("role") or text[start:end]


def _known_role(text: str, start: int, end: int, header: str) -> str | None:
    command = DIALECTS[header].commands.get(text[start:end])
    return command.role if command else None


def _first_text(text: str, at: int, header: str) -> str:
    """Return the first words after a command line, up to the next command."""
    for _ in range(_MOST_LINES):
        found = _LINE_END.search(text, at)
        if found is None:
            return ""
        at = found.end()
        escaped = text.startswith(header * 2, at)
        if text.startswith(header, at) and not escaped:
            if not _COMMENT.match(text, at + 1):
                return ""
            continue
        words = first_words(text, at + escaped, _end_of_line(text, at))
        if words:
            return words
    return ""


def _block(text: str, start: int, end: int) -> Title:
    behind = _LINE_END.search(text, end)
    at = behind.end() if behind else len(text)
    return Title(text[start:end], first_words(text, at, _end_of_line(text, at)))


def _line_command(text: str, start: int, end: int) -> Title:
    arguments = _arguments(text, end, _header(text, start))
    title = _block(text, start, end)
    return Title(" ".join((title.name, *arguments.values())), title.detail)


def _arguments(text: str, at: int, header: str) -> dict[str, str]:
    read = parse_arguments(text, at, _end_of_line(text, at), DIALECTS[header], limit=KEYSTROKE_LIMIT)
    return {each.key: each.value for each in read.items if isinstance(each.value, str) and each.value.isprintable()}


def _header(text: str, start: int) -> str:
    """Return the header character before a command's name."""
    while start and text[start - 1] in " \t":
        start -= 1
    header = text[start - 1 : start]
    return header if header in DIALECTS else "@"


def _end_of_line(text: str, at: int) -> int:
    found = _LINE.match(text, at)
    return found.end() if found else len(text)


HEADINGS: Final[dict[Kind, Heading]] = {
    kinds.MESSAGE_NAME: Heading("message", MESSAGE, _message, _role),
    kinds.RAW_NAME: Heading("message", BLOCK, _block),
    kinds.BLOCK_NAME: Heading("data", BLOCK, _block),
    kinds.LINE_NAME: Heading("call", "", _line_command),
}

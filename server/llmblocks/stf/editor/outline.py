"""Messages, data blocks and tool calls in an outline."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from llmblocks.contract.headings import Heading, Title, first_words, said_by
from llmblocks.core.scan import Kind
from llmblocks.stf import kinds
from llmblocks.stf.editor.layer import BLOCK, MESSAGE
from llmblocks.stf.syntax.arguments import KEYSTROKE_LIMIT, parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS, Dialect

_LINE = re.compile(r"[^\r\n]*")
_NEXT_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)([^\r\n]*)")
_FIRST_TEXT = MappingProxyType(
    {
        header: re.compile(
            rf"""[^\r\n]*+
            (?:(?:\r\n?|\n)(?:[ \t]*+(?=[\r\n])|{header}[ \t]*+(?:\#|//)[^\r\n]*+)){{0,8}}+
            (?:\r\n?|\n)(?!{header}(?!{header})){header}?([^\r\n]*)""",
            re.VERBOSE,
        )
        for header in DIALECTS
    }
)
"""The rest of a command line, blank lines and comment lines after it, and a line of text."""


def _message(text: str, start: int, end: int) -> Title:
    dialect = _dialect(text, start)
    arguments = _arguments(text, end, dialect)
    named = [arguments[key] for key in ("name", "id", "call_id") if key in arguments]
    return said_by(" ".join((_role(text, start, end), *named)), _words(_FIRST_TEXT[dialect.header], text, end))


def _role(text: str, start: int, end: int) -> str:
    dialect, name = _dialect(text, start), text[start:end]
    command = dialect.commands.get(name)
    # `@user` needs no arguments
    return (command.role if command else None) or _arguments(text, end, dialect).get("role") or name


def _block(text: str, start: int, end: int) -> Title:
    return Title(text[start:end], _words(_NEXT_LINE, text, end))


def _line_command(text: str, start: int, end: int) -> Title:
    given = _arguments(text, end, _dialect(text, start)).values()
    return Title(" ".join((text[start:end], *given)), _words(_NEXT_LINE, text, end))


def _arguments(text: str, start: int, dialect: Dialect) -> dict[str, str]:
    line = _LINE.match(text, start)
    read = parse_arguments(text, start, line.end() if line else start, dialect, limit=KEYSTROKE_LIMIT)
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
    kinds.LINE_NAME: Heading("call", "", _line_command),
}

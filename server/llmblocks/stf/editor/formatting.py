"""The style of command lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from llmblocks.core.edits import Edit
from llmblocks.core.section import Span
from llmblocks.json5.reader import read_value
from llmblocks.stf import kinds
from llmblocks.stf.stream import keeps_byte_order_mark
from llmblocks.stf.syntax.arguments import Arguments, CommandArgument, parse_arguments
from llmblocks.stf.syntax.dialect import Dialect, detect, dialect_of

if TYPE_CHECKING:
    from llmblocks.stf.editor.settings import StfSettings

keeps: Final = None
"""No text must be read again: each edit is in one line or one JSON5 text, and keeps its meaning."""
_UNTIDY = re.compile(
    r"""^\ufeff?[@;](?![@;#/*])(?!(?!raw|meta|extra)[A-Za-z0-9]++(?:[ ][a-z_]++=(?:[^\s'"]++|"[^"\\\n]*+"))*+\r?$)""",
    re.MULTILINE,
)
"""A line that may need formatting, or that JSON5 follows."""
_JSON5 = re.compile(
    r"""/\*.*?\*/|//.*|"(?:[^"\\]|\\.)*"|'([^'"\\]*)'|'(?:[^'\\]|\\.)*'""",
    re.DOTALL,
)
"""Comments and strings. Strings that need no escapes in the other quotes have a group."""


def edits(text: str, spans: Iterable[Span], settings: StfSettings) -> Iterator[Edit]:
    """Yield one space between arguments, double quotes, no spaces at the ends of command lines."""
    if not _UNTIDY.search(text):
        return
    dialect = detect(text) if settings.dialect == "auto" else dialect_of(settings.dialect)
    bom_is_text = keeps_byte_order_mark(dialect, settings.default_role or None)
    is_command, last = True, -1
    bodies: list[Span] = []
    for span in spans:
        kind, start, end = span
        if kind is kinds.HEADER:
            # a line of the other dialect, and the text after a mark, are text
            is_command = text[start] == dialect.header and not (start == 1 and bom_is_text)
        if not is_command:
            continue
        if kind is kinds.RAW_NAME or kind is kinds.BLOCK_NAME:
            bodies = []
        elif kind is kinds.BODY:
            bodies.append(span)
        elif kind is kinds.END_NAME and len(bodies) == 1:
            yield from _body(text, bodies.pop())
        if kind is kinds.ARGUMENTS:
            yield from _arguments(text, start, end, dialect)
        elif kind is kinds.BLANK:
            last = start
            continue
        elif kind is kinds.LINE_END and last >= 0:
            yield Edit(last, start, "")
        last = -1


def _body(text: str, span: Span) -> Iterator[Edit]:
    """Yield the JSON5 of a block with nothing in between."""
    written = text[span.start : span.end]
    plain = _double_quoted(written)
    if plain != written:
        # a doubled header character is in a string or a comment, and means the same in both
        before, after = read_value(written), read_value(plain)
        if before.error is None and after.error is None and repr(before.value) == repr(after.value):
            yield Edit(*span[1:], plain)


def _arguments(text: str, start: int, end: int, dialect: Dialect) -> Iterator[Edit]:
    given = parse_arguments(text, start, end, dialect)
    written = text[start:end]
    plain = written.rstrip(" \t")
    if given.items and not given.problems:
        if given.braces:
            plain = _double_quoted(plain)
        else:
            plain = "".join([f" {each.key}={_value(text, each)}" for each in given.items])
    if dialect.crlf and plain.endswith("\r"):
        return  # it would end the line
    if plain != written and _said(parse_arguments(plain, 0, len(plain), dialect)) == _said(given):
        yield Edit(start, end, plain)


def _said(given: Arguments) -> list[tuple[str, str]]:
    return [(each.key, repr(each.value)) for each in given.items]


def _double_quoted(json5: str) -> str:
    return _JSON5.sub(lambda found: f'"{found[1]}"' if found[1] is not None else found[0], json5)


def _value(text: str, argument: CommandArgument) -> str:
    written = text[argument.value_start : argument.value_end]
    if written[0] != "'" or '"' in written or "\\" in written:
        return written
    return f'"{written[1:-1]}"'


def settled(_: Sequence[Edit]) -> bool:
    """Return true: each edit changes one token, completely."""
    return True

"""The style of command lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from llmblocks.contract.decoded import DecodedValue
from llmblocks.core.edits import Edit
from llmblocks.core.section import Span
from llmblocks.json5.reader import read_value
from llmblocks.stf.editor import kinds
from llmblocks.stf.syntax.arguments import CommandArgument, parse_arguments
from llmblocks.stf.syntax.dialect import AT, DIALECTS, Dialect

if TYPE_CHECKING:
    from llmblocks.stf.editor.settings import StfSettings

_JSON5 = re.compile(
    r"""/\*.*?\*/|//.*|"(?:[^"\\]|\\.)*"|'([^'"\\]*)'|'(?:[^'\\]|\\.)*'""",
    re.DOTALL,
)
"""Comments and strings; those that can be written in the other quotes as they are have a group."""


def edits(text: str, spans: Sequence[Span], _: StfSettings) -> Iterator[Edit]:
    """One blank between arguments, double quotes, no blanks at the ends of command lines."""
    dialect = AT
    last = -1
    bodies: list[Span] = []
    for span in spans:
        kind, start, end = span
        if kind is kinds.RAW_NAME or kind is kinds.BLOCK_NAME:
            bodies = []
        elif kind is kinds.BODY:
            bodies.append(span)
        elif kind is kinds.END_NAME and len(bodies) == 1:
            yield from _body(text, bodies.pop())
        if kind is kinds.HEADER:
            dialect = DIALECTS[text[start]]
        elif kind is kinds.ARGUMENTS:
            stop = start + len(text[start:end].rstrip("\r"))
            yield Edit(start, stop, _arguments(text, start, stop, dialect))
        elif kind is kinds.BLANK:
            last = start
            continue
        elif kind is kinds.LINE_END and last >= 0:
            yield Edit(last, start, "")
        last = -1


def _body(text: str, span: Span) -> Iterator[Edit]:
    """The JSON5 of a block with nothing in between."""
    written = text[span.start : span.end]
    plain = _double_quoted(written)
    if plain != written and read_value(written).error is None:
        yield Edit(*span[1:], plain)


def _arguments(text: str, start: int, end: int, dialect: Dialect) -> str:
    written = text[start:end].rstrip(" \t")
    given = parse_arguments(text, start, end, dialect)
    if given.problems or not given.items:
        return written
    if given.braces:
        return _double_quoted(written)
    return "".join([f" {each.key}={_value(text, each)}" for each in given.items])


def _double_quoted(json5: str) -> str:
    return _JSON5.sub(lambda found: f'"{found[1]}"' if found[1] is not None else found[0], json5)


def _value(text: str, argument: CommandArgument) -> str:
    written = text[argument.value_start : argument.value_end]
    if written[0] != "'" or '"' in written or "\\" in written:
        return written
    return f'"{written[1:-1]}"'


def settled(_: Sequence[Edit]) -> bool:
    """Each edit is of a token alone, and leaves nothing to do in it."""
    return True


def keeps(_: str, __: StfSettings, values: Sequence[DecodedValue]) -> object:
    """The metadata and the messages, their texts as they are written."""
    return [(each.head, each.message) for each in values if each is values[0] or each.message is not None]

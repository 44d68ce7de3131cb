"""The colours of Simple Text Format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.contract.paint import Paint, Painted, as_whole
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.json5.colours import json5
from llmblocks.stf import kinds
from llmblocks.stf.editor.command_lines import command_lines
from llmblocks.stf.editor.silences import DIRECTIVE
from llmblocks.stf.syntax.arguments import LONGEST_BLOCK


def _body(section: Section, span: Span) -> Iterator[Painted]:
    """Yield the data of a command in JSON5."""
    if span.end - span.start <= LONGEST_BLOCK:
        yield from json5(section.text[span.start : span.end], span.start)


_IDS: Final = {"id": ("declaration", "readonly"), "call_id": ()}
"""The arguments with ids, and the modifiers of these."""
_COMMENTS: Final = ("#", "//", "/*")
_FAR: Final = 64
"""The maximum distance from a sign at which its comment is looked for, in characters."""


def _arguments(section: Section, span: Span) -> Iterator[Painted]:
    line = command_lines(section)[span.start]
    roles = {item.value_start: _of_text(item.key, line.name == "call") for item in line.arguments.items}
    if line.arguments.braces:
        for painted in json5(section.text[span.start : span.end], span.start):
            role, modifiers = roles.get(painted.start, ("string", ()))
            yield painted._replace(role=role, modifiers=modifiers) if painted.role == "string" else painted
        return
    for item in line.arguments.items:
        yield Painted(item.key_start, item.key_end, "property")
        if item.value_start < item.value_end:
            yield Painted(item.value_start, item.value_end, *roles[item.value_start])


def _of_text(key: str, of_call: bool) -> tuple[str, tuple[str, ...]]:
    """Return the role and the modifiers of a text value of an argument."""
    if key == "name" and of_call:
        return "function", ()
    if key in _IDS:
        return "variable", _IDS[key]
    return "string", ()


def _sign(section: Section, span: Span) -> Iterator[Painted]:
    """Yield the first character of a line, as a part of its comment or command."""
    behind = section.text[span.end : span.end + _FAR].lstrip(" \t")
    yield Painted(span.start, span.end, "comment" if behind.startswith(_COMMENTS) else "keyword")


def _comment(section: Section, span: Span) -> Iterator[Painted]:
    """Yield a comment; in one for the checker, also its content."""
    is_directive = DIRECTIVE.match(section.text[span.start : span.end]) is not None
    yield Painted(span.start, span.end, "comment", ("documentation",) if is_directive else ())


PAINT: Final[dict[Kind, Paint]] = {
    **dict.fromkeys((kinds.ESCAPE, *kinds.NAMES), as_whole("keyword")),
    kinds.HEADER: _sign,
    kinds.COMMENT_LINE: _comment,
    **dict.fromkeys((kinds.COMMENT_OPEN, kinds.COMMENT_CLOSE, kinds.COMMENT), as_whole("comment")),
    kinds.ARGUMENTS: _arguments,
    kinds.BODY: _body,
}

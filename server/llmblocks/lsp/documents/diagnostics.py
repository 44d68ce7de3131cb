"""Findings as diagnostics, written as JSON text by hand: a keystroke must not pay for those that did not change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.facts.finding import PAGES, Finding
from llmblocks.facts.severity import Severity
from llmblocks.lsp.documents.columns import Encoding
from llmblocks.lsp.documents.cursor import Cursor, CursorPosition
from llmblocks.lsp.wire.rpc import encode

if TYPE_CHECKING:
    from llmblocks.core.section import Section

_BEGIN: Final = b'{"range":{"start":{"line":'
"""The first bytes of a diagnostic, and of nothing else in one."""
_UNNECESSARY, _DEPRECATED = 1, 2
ALL_TAGS: Final = frozenset((_UNNECESSARY, _DEPRECATED))


class FindingJson(NamedTuple):
    """A finding as its section sees it: two places, and what follows them in the JSON.

    Shape: `related` holds places too, so that they move with the section; each with its message as JSON.
    """

    start: CursorPosition
    end: CursorPosition
    rest: str
    related: tuple[tuple[CursorPosition, CursorPosition, str], ...]


def findings_json(section: Section, findings: Sequence[Finding], encoding: Encoding) -> list[FindingJson]:
    """The part of the JSON of findings that does not depend on the position of their section; they are in order."""
    cursor, other = Cursor(section, encoding), Cursor(section, encoding)
    return [
        FindingJson(
            cursor.place(finding.start),
            cursor.place(finding.end),
            _rest(finding),
            tuple(
                [(other.place(each.start), other.place(each.end), as_text(each.message)) for each in finding.related]
            ),
        )
        for finding in findings
    ]


def write(converted: Sequence[FindingJson], line: int, character: int, uri: str) -> bytes:
    """Diagnostics separated by commas, for a section that starts at this line and character. Shape: `uri` is JSON."""
    text = ",".join(
        f'{{"range":{_range(each.start, each.end, line, character)},{each.rest}'
        + (_related(each, line, character, uri) if each.related else "}")
        for each in converted
    )
    return text.encode("ascii")


def touches_first_line(converted: Sequence[FindingJson]) -> bool:
    """Whether any of the places is on the section's first line, so that it matters where on it the section starts."""
    return any(not each.start.line or any(not start.line for start, _, _ in each.related) for each in converted)


def write_one(finding: Finding, where: str) -> bytes:
    """A diagnostic about settings, at a range that is JSON already."""
    return f'{{"range":{where},{_rest(finding)}}}'.encode("ascii")


def notice(message: str, severity: Severity, line: int = 0) -> bytes:
    """A diagnostic of the server itself, at the start of a line."""
    here = f'{{"line":{line},"character":0}}'
    return (
        f'{{"range":{{"start":{here},"end":{here}}},"severity":{int(severity)},"source":"llmblocks",'
        f'"message":{as_text(message)}}}'
    ).encode("ascii")


def without_line(items: bytes, line: int) -> bytes:
    """Diagnostics separated by commas, without those that begin on a line of the client or reach into it."""
    begin, end = b"%d," % line, b'"end":{"line":%d,"character":' % line
    if _BEGIN + begin not in items and end not in items:
        return items
    gone = re.compile(rb'%b|\d+,"character":\d+\},%b[1-9]' % (begin, end.replace(b"{", rb"\{")))
    kept = [each for each in items.removeprefix(_BEGIN).split(b"," + _BEGIN) if not gone.match(each)]
    return _BEGIN + (b"," + _BEGIN).join(kept) if kept else b""


def _range(start: CursorPosition, end: CursorPosition, line: int, character: int) -> str:
    start_character = start.character + character if start.line == 0 else start.character
    end_character = end.character + character if end.line == 0 else end.character
    return (
        f'{{"start":{{"line":{line + start.line},"character":{start_character}}},'
        f'"end":{{"line":{line + end.line},"character":{end_character}}}}}'
    )


def _rest(finding: Finding) -> str:
    return f'"codeDescription":{{"href":"{PAGES}{finding.code}.md"}},{_stated(finding)}'


def _stated(finding: Finding) -> str:
    tags = _tags([_UNNECESSARY] * finding.unnecessary + [_DEPRECATED] * finding.deprecated)
    return (
        f'"severity":{int(finding.severity)},"code":{as_text(finding.code)},"source":"llmblocks",{tags}'
        f'"message":{as_text(finding.message)}'
    )


def _tags(numbers: Sequence[int]) -> str:
    return f'"tags":{[*numbers]},' if numbers else ""


def with_known_tags(items: bytes, known: frozenset[int]) -> bytes:
    """Diagnostics as JSON without the tags that a client does not know."""
    if known >= ALL_TAGS or b'"tags":' not in items:
        return items
    for numbers in ([_UNNECESSARY], [_DEPRECATED], [_UNNECESSARY, _DEPRECATED]):
        # in a text, these quotes would be escaped
        left = [each for each in numbers if each in known]
        items = items.replace(_tags(numbers).encode("ascii"), _tags(left).encode("ascii"))
    return items


def _related(converted: FindingJson, line: int, character: int, uri: str) -> str:
    items = ",".join(
        f'{{"location":{{"uri":{uri},"range":{_range(start, end, line, character)}}},"message":{message}}}'
        for start, end, message in converted.related
    )
    return f',"relatedInformation":[{items}]}}'


def as_text(value: str) -> str:
    """A JSON string."""
    return encode(value).decode("ascii")

"""Findings as diagnostics, written as JSON text by hand: a keystroke must not pay for those that did not change."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.contract.markup import prose
from llmblocks.facts.finding import PAGES, Finding
from llmblocks.facts.severity import Severity
from llmblocks.lsp.documents.columns import Encoding
from llmblocks.lsp.documents.cursor import Cursor, CursorPosition
from llmblocks.lsp.wire.rpc import encode

if TYPE_CHECKING:
    from llmblocks.core.section import Section
    from llmblocks.facts.message import Message
    from llmblocks.lsp.documents.name_diagnostics import PlacedTarget

_BEGIN: Final = b'{"range":{"start":{"line":'
"""The first bytes of a diagnostic, and of nothing else in one."""
_MESSAGE: Final = re.compile(rb'("source":"llmblocks",(?:"tags":\[[^]]*\],)?"message":)("(?:[^"\\]|\\.)*")')
"""The message of a diagnostic. In a text, the quotes would be escaped."""
_UNNECESSARY, _DEPRECATED = 1, 2
ALL_TAGS: Final = frozenset((_UNNECESSARY, _DEPRECATED))


class FindingJson(NamedTuple):
    """A finding as its section sees it: two places, and what follows them in the JSON.

    Shape: `related` holds places too, so that they move with the section; each with its message as JSON. `targets` are
           anywhere in the document, `elsewhere` are places in other files as JSON.
    """

    start: CursorPosition
    end: CursorPosition
    rest: str
    related: tuple[tuple[CursorPosition, CursorPosition, str], ...]
    targets: tuple[tuple[PlacedTarget, str], ...] = ()
    elsewhere: tuple[str, ...] = ()


class Form(NamedTuple):
    """Diagnostics separated by commas, apart from what moves.

    Shape: `text` has a `%d` for each number that `numbers` gives: the lines of places, counted from that on which
           everything begins, and line and character of both ends of each target.
    """

    amount: int
    text: str
    numbers: tuple[int | PlacedTarget, ...]
    has_targets: bool

    def at(self, line: int, place: Callable[[PlacedTarget], tuple[int, int, int, int]]) -> bytes:
        """The diagnostics as JSON, where everything begins on this line of the client."""
        if self.has_targets:
            numbers: list[int] = []
            for each in self.numbers:
                if isinstance(each, int):
                    numbers.append(line + each)
                else:
                    numbers += place(each)
        else:
            numbers = [line + each for each in self.numbers]  # type: ignore[operator]
        return (self.text % (*numbers,)).encode("ascii")


def join(forms: Sequence[tuple[Form, int]]) -> Form:
    """Some diagnostics behind each other, each with the line that theirs are counted from."""
    numbers: list[int | PlacedTarget] = []
    for form, line in forms:
        numbers += [line + each if isinstance(each, int) else each for each in form.numbers] if line else form.numbers
    return Form(
        sum([form.amount for form, _ in forms]),
        ",".join([form.text for form, _ in forms if form.text]),
        (*numbers,),
        any(form.has_targets for form, _ in forms),
    )


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


def form_of(converted: Sequence[FindingJson], character: int, uri: str) -> Form:
    """The diagnostics of a section that starts at this character of the client. Shape: `uri` is JSON, `%` doubled."""
    texts: list[str] = []
    numbers: list[int | PlacedTarget] = []
    for each in converted:
        numbers += [each.start.line, each.end.line]
        others: list[str] = []
        for start, end, message in each.related:
            numbers += [start.line, end.line]
            others.append(information(uri, _range(start, end, character), _doubled(message)))
        for target, message in each.targets:
            numbers.append(target)
            others.append(information(uri, _ANYWHERE, _doubled(message)))
        others += map(_doubled, each.elsewhere)
        related = f',"relatedInformation":[{",".join(others)}]' if others else ""
        texts.append(f'{{"range":{_range(each.start, each.end, character)},{_doubled(each.rest)}{related}}}')
    return Form(len(converted), ",".join(texts), (*numbers,), any(each.targets for each in converted))


def information(uri: str, span: str, message: str) -> str:
    """A related place. Shape: all are JSON."""
    return f'{{"location":{{"uri":{uri},"range":{span}}},"message":{message}}}'


def touches_first_line(converted: Sequence[FindingJson]) -> bool:
    """Whether any of the places is on the section's first line, so that it matters where on it the section starts."""
    return any(not each.start.line or any(not start.line for start, _, _ in each.related) for each in converted)


def write_one(finding: Finding, where: str) -> bytes:
    """A diagnostic about settings, at a range that is JSON already."""
    return f'{{"range":{where},{_rest(finding)}}}'.encode("ascii")


def notice(message: Message, severity: Severity, line: int = 0) -> bytes:
    """A diagnostic of the server itself, at the start of a line."""
    here = f'{{"line":{line},"character":0}}'
    return (
        f'{{"range":{{"start":{here},"end":{here}}},"severity":{int(severity)},"source":"llmblocks",'
        f'"message":{as_text(message.lines)}}}'
    ).encode("ascii")


def without_line(items: bytes, line: int) -> bytes:
    """Diagnostics separated by commas, without those that begin on a line of the client or reach into it."""
    begin, end = b"%d," % line, b'"end":{"line":%d,"character":' % line
    if _BEGIN + begin not in items and end not in items:
        return items
    gone = re.compile(rb'%b|\d+,"character":\d+\},%b[1-9]' % (begin, end.replace(b"{", rb"\{")))
    kept = [each for each in items.removeprefix(_BEGIN).split(b"," + _BEGIN) if not gone.match(each)]
    return _BEGIN + (b"," + _BEGIN).join(kept) if kept else b""


_ANYWHERE: Final = '{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}'


def _range(start: CursorPosition, end: CursorPosition, character: int) -> str:
    """A place in a section that starts at this character of the client, without its lines."""
    first = start.character + character if start.line == 0 else start.character
    last = end.character + character if end.line == 0 else end.character
    return f'{{"start":{{"line":%d,"character":{first}}},"end":{{"line":%d,"character":{last}}}}}'


def _doubled(text: str) -> str:
    return text.replace("%", "%%")


def _rest(finding: Finding) -> str:
    return f'"codeDescription":{{"href":"{PAGES}{finding.code}.md"}},{_stated(finding)}'


def _stated(finding: Finding) -> str:
    tags = _tags([_UNNECESSARY] * finding.unnecessary + [_DEPRECATED] * finding.deprecated)
    return (
        f'"severity":{int(finding.severity)},"code":{as_text(finding.code)},"source":"llmblocks",{tags}'
        f'"message":{as_text(finding.message.lines)}'
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


def with_markup(items: bytes) -> bytes:
    """Diagnostics as JSON whose messages are Markdown: a paragraph for each line."""

    def marked(found: re.Match[bytes]) -> bytes:
        headline, *rest = map(prose, json.loads(found[2]).split("\n"))
        return found[1] + encode({"kind": "markdown", "value": "\n\n".join([f"**{headline}**", *rest])})

    return _MESSAGE.sub(marked, items)


def as_text(value: str) -> str:
    """A JSON string."""
    return encode(value).decode("ascii")

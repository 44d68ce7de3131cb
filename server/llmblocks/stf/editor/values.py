"""The values of a chat: the events of its stream, what a fix must keep, and the style that keeps it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from llmblocks.contract.decoded import Decoded, DecodedValue, InnerText
from llmblocks.contract.streaming import Event, Held, Streaming, TerminalEvent, plain
from llmblocks.core.edits import Edit
from llmblocks.core.section import Span
from llmblocks.json5.reader import read_value
from llmblocks.stf import kinds
from llmblocks.stf.editor.layer import formats_in
from llmblocks.stf.reading.assembler import ContentDelta, Found, MessageEnded, MessageStarted
from llmblocks.stf.stream import StfStream, decode, keeps_byte_order_mark
from llmblocks.stf.syntax import Arguments, CommandArgument, Dialect, detect, dialect_of, parse_arguments

if TYPE_CHECKING:
    from llmblocks.stf.editor.layer import StfSettings
    from llmblocks.stf.values.messages import Transcript


def _event(event: Any) -> Event:
    if isinstance(event, MessageEnded):
        return {"event": "MessageEnded", "message": event.message.as_dict()}
    if isinstance(event, Found):
        return {"event": "Found"} | {key: getattr(event.finding, key) for key in ("line", "code", "message")}
    return plain(event)


def _why(held: Held, settings: StfSettings) -> str:
    if held.size == held.at and held.text.startswith(held.begin):
        return "no complete line has determined the dialect yet"
    _, newline, line = held.end.rpartition("\n")
    if not newline and held.size > len(held.end):
        may_be_command = held.begin.startswith(("@", ";")) and "\n" not in held.begin
    else:
        may_be_command = line.startswith(("@", ";")) and held.text.startswith(line, held.at - len(line))
    if may_be_command:
        return "the line may be a command; its end decides"
    is_return = held.end == "\r"
    return "it may be the first half of a line end" if is_return else "the body of a command is given when it ends"


def _shown(event: Any) -> TerminalEvent | None:
    if isinstance(event, ContentDelta):
        return TerminalEvent(event.delta)
    if isinstance(event, MessageStarted):
        return TerminalEvent(f"@{event.role}", "bold blue", own_line=True)
    if isinstance(event, Found):
        finding = event.finding
        return TerminalEvent(f"line {finding.line}: {finding.code} {finding.message}", "bold red", own_line=True)
    return None


def _transcript(text: str, settings: StfSettings) -> Transcript:
    return decode(text, dialect=settings.dialect, default_role=settings.default_role or None)


def decoded(text: str, settings: StfSettings) -> Decoded:
    """Return the metadata, then each message, followed by its text."""
    transcript = _transcript(text, settings)
    found: Decoded = [DecodedValue(repr((transcript.has_metadata, transcript.metadata)))]
    for message in transcript.messages:
        rest = message.as_dict()
        content = rest.pop("content")
        if not isinstance(content, str):
            # the inner formats also read the text between resources
            rest["content"] = [part | {"text": ""} if part.get("type") == "text" else part for part in content]
        found.append(DecodedValue(repr(rest), message=message.text))
        found.append(InnerText(message.text, formats_in(message.role, settings)))
    return found


STREAMING: Final[Streaming[StfSettings]] = Streaming(
    open=lambda settings: StfStream(dialect=settings.dialect, default_role=settings.default_role or None),
    free=lambda _: None,
    event=_event,
    item=lambda event: event.message.as_dict() if isinstance(event, MessageEnded) else None,
    why=_why,
    shown=_shown,
    whole=lambda text, settings: _transcript(text, settings).as_dict(),
)


keeps: Final = None
"""No text must be read again: each edit is in one line or one JSON5 text, and keeps its meaning."""
_PLAIN_LINE = r"""(?!raw|meta|extra)[A-Za-z0-9]++(?:[ ][a-z_]++=(?:[^\s'"]++|"[^"\\\n]*+"))*+\r?$"""
_UNTIDY = re.compile(rf"^\ufeff?[@;](?![@;#/*])(?!{_PLAIN_LINE})", re.MULTILINE)
"""A line that may need formatting, or that JSON5 follows."""
_JSON5 = re.compile(r"""/\*.*?\*/|//.*|"(?:[^"\\]|\\.)*"|'([^'"\\]*)'|'(?:[^'\\]|\\.)*'""", re.DOTALL)
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
            yield from _edits_of_body(text, bodies.pop())
        if kind is kinds.ARGUMENTS:
            yield from _edits_of_arguments(text, start, end, dialect)
        elif kind is kinds.BLANK:
            last = start
            continue
        elif kind is kinds.LINE_END and last >= 0:
            yield Edit(last, start, "")
        last = -1


def _edits_of_body(text: str, span: Span) -> Iterator[Edit]:
    """Yield the JSON5 of a block with nothing in between."""
    written = text[span.start : span.end]
    plain = _double_quoted(written)
    if plain != written:
        # a doubled header character is in a string or a comment, and means the same in both
        before, after = read_value(written), read_value(plain)
        if before.error is None and after.error is None and repr(before.value) == repr(after.value):
            yield Edit(*span[1:], plain)


def _edits_of_arguments(text: str, start: int, end: int, dialect: Dialect) -> Iterator[Edit]:
    given, written = parse_arguments(text, start, end, dialect), text[start:end]
    plain = written.rstrip(" \t")
    if given.items and not given.problems:
        pairs = [f" {each.key}={_quoted(text, each)}" for each in given.items]
        plain = _double_quoted(plain) if given.braces else "".join(pairs)
    if dialect.crlf and plain.endswith("\r"):
        return  # it would end the line
    if plain != written and _said(parse_arguments(plain, 0, len(plain), dialect)) == _said(given):
        yield Edit(start, end, plain)


def _said(given: Arguments) -> list[tuple[str, str]]:
    return [(each.key, repr(each.value)) for each in given.items]


def _double_quoted(json5: str) -> str:
    return _JSON5.sub(lambda found: f'"{found[1]}"' if found[1] is not None else found[0], json5)


def _quoted(text: str, argument: CommandArgument) -> str:
    written = text[argument.value_start : argument.value_end]
    return written if written[0] != "'" or '"' in written or "\\" in written else f'"{written[1:-1]}"'

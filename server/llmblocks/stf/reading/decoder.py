"""The decoder: from text to a transcript."""

from __future__ import annotations

from llmblocks.core.chunks import join_halves
from llmblocks.stf.reading.assembler import Assembler
from llmblocks.stf.reading.report import findings_in
from llmblocks.stf.rules import BYTE_ORDER_MARK
from llmblocks.stf.syntax.dialect import Dialect, detect, dialect_of
from llmblocks.stf.syntax.place import LinePlace
from llmblocks.stf.syntax.problems import StfError, check_role, check_text
from llmblocks.stf.values.messages import Message, Transcript

BOM = "\ufeff"
# Splitting 10 MB at once would double the memory for a while, and leave every cache.
_WINDOW = 32_768


def decode(text: str, *, dialect: str = "auto", default_role: str | None = None, strict: bool = False) -> Transcript:
    """Read a whole text of Simple Text Format.

    Shape: `dialect` is "@", ";", or "auto": that of the first valid command or comment. `default_role` is the role of
           data before the first message. The findings are in reading order.
    Errors: none by default, see `Transcript.findings`; with `strict`, `StfError` for a text with findings;
           `ValueError` for an unknown dialect, `TypeError` for anything but text.
    Source: simple-text-format for `@`, llm-msg-io 0.2 for `;`.
    """
    check_text(text, "decode")
    check_role(default_role)
    if not text.isascii():
        text = "".join(join_halves(text))  # as in a stream, whose result must not depend on chunks
    chosen = detect(text) if dialect == "auto" else dialect_of(dialect)
    assembler = Assembler(chosen, default_role)
    start = 0
    if text.startswith(BOM) and not keeps_byte_order_mark(chosen, default_role):
        find_byte_order_mark(assembler)
        start = 1
    _read(assembler, text, start, _end(text, start, chosen))
    assembler.close()
    findings = findings_in(text, assembler.problems)
    if strict and findings:
        raise StfError(findings)
    return Transcript(assembler.messages, assembler.metadata, findings, assembler.null_metadata)


def keeps_byte_order_mark(dialect: Dialect, default_role: str | None) -> bool:
    """Whether a byte-order mark is content: in llm-msg-io it is, so with a default role it begins a message."""
    return not dialect.crlf and default_role is not None


def find_byte_order_mark(assembler: Assembler) -> None:
    """Report a byte-order mark."""
    assembler.find(BYTE_ORDER_MARK, LinePlace(0, 1, 1))


def _end(text: str, start: int, dialect: Dialect) -> int:
    """The end of the last line, without its newline if that is not content."""
    end = len(text)
    if not dialect.final_newline_is_content and end > start and text[-1] == "\n":
        end -= 1
        if dialect.crlf and end > start and text[end - 1] == "\r":
            end -= 1
    return end


def _read(assembler: Assembler, text: str, start: int, end: int) -> None:
    """Split a text at its header lines, and pass the pieces to the assembler.

    A bare `@user` with text is read right here: nearly every message is like that, and the assembler would take five
    times as long.
    """
    header = assembler.dialect.header
    cut = "\n" + header
    if not text.startswith(header, start):
        first = _find(text, cut, start, end)
        _data(assembler, text[start:first], start, first < end)
        start = first + 1
    mixed = assembler.dialect.crlf and "\r\n" in text
    # A "\r" behind a header line belongs to the line end, unless it ends the text. Then no message is made here: only
    # the assembler's way tells the two apart.
    bare = {} if mixed and text.endswith("\r", start, end) else _bare_commands(assembler.dialect, mixed)
    messages = assembler.messages
    # Where the message that was made last was made here: the message, whether it has a line yet (then the next one
    # needs this newline before it), and its text after comments and escapes. A slow piece may still add to it.
    lone: Message | None = None
    newline = ""
    more: list[str] = []
    going_on = (header, "#", "//")
    at = start
    while at < end:
        window = _find(text, cut, at + _WINDOW, end)
        for piece in text[at + 1 : window].split(cut):
            head, newline_here, body = piece.partition("\n")
            role = bare.get(head)
            message: Message | None = None
            if role is not None:
                message = Message(role)
            elif "=" in head:
                message = _with_arguments(head[:-1] if mixed and head[-1] == "\r" else head, bare)
            if message is not None and (lone is not None or assembler.idle):
                if lone is None:
                    assembler.end_message()
                elif more:
                    _add(lone, more)
                if mixed and "\r" in body:
                    body = body.replace("\r\n", "\n")
                    if body[-1] == "\r" and at + 1 + len(piece) < end:
                        body = body[:-1]
                message.content = body
                lone = message
                newline = newline_here
                messages.append(lone)
            elif lone is not None and not mixed and head.startswith(going_on):
                if head[0] == header:
                    more.append(newline + piece)
                    newline = "\n"
                elif newline_here:
                    more.append(newline + body)
                    newline = "\n"
            else:
                if lone is not None:
                    _add(lone, more)
                    assembler.adopt(lone, newline != "")
                    lone = None
                _slow(assembler, head, newline_here, body, at, at + 1 + len(piece) < end)
            at += len(piece) + 2
    if lone is not None:
        _add(lone, more)


def _add(message: Message, more: list[str]) -> None:
    """Append the text after comments and escapes to the content of a message."""
    message.content = "".join((str(message.content), *more))
    more.clear()


def _find(text: str, cut: str, start: int, end: int) -> int:
    found = text.find(cut, start, end)
    return end if found < 0 else found


def _bare_commands(dialect: Dialect, mixed: bool) -> dict[str, str]:
    """The header lines, without the header character, that only start a message of a role."""
    bare = {command.name: command.role for command in dialect.commands.values() if command.role is not None}
    if mixed:
        bare.update({f"{name}\r": role for name, role in bare.items()})
    return bare


def _with_arguments(head: str, bare: dict[str, str]) -> Message | None:
    """The message of a header line with the simplest arguments; None for anything special."""
    if '"' in head or "'" in head or "\t" in head or "\r" in head:
        return None
    name, *pairs = head.split(" ")
    role = bare.get(name)
    if role is None:
        return None
    message = Message(role)
    for pair in pairs:
        key, _, value = pair.partition("=")
        if not value or key not in _PLAIN_KEYS or getattr(message, key) is not None:
            return None
        setattr(message, key, value)
    return message


_PLAIN_KEYS = frozenset(("id", "name", "call_id"))


def _slow(assembler: Assembler, head: str, newline: str, body: str, at: int, more: bool) -> None:
    """Read a header line or an escaped data line, and the data below it; `at` is the header character."""
    crlf = assembler.dialect.crlf
    escaped = head.startswith(assembler.dialect.header)
    line = head[:-1] if crlf and (newline or more) and head.endswith("\r") else head
    line_end = at + 1 + len(line)
    if escaped:
        assembler.text(line, at + 1, 0, True)
        assembler.end_line(line_end)
    else:
        assembler.header(line, LinePlace(at, line_end, 0))
    if newline:
        _data(assembler, body, at + len(head) + 2, more)


def _data(assembler: Assembler, body: str, at: int, more: bool) -> None:
    """Read data lines, the last one without its newline; `more`: a newline follows it."""
    if not (assembler.dialect.crlf and "\r" in body):
        assembler.text(body, at, 0, True)
        assembler.end_line(at + len(body))
        return
    # Offsets count each "\r", but the lines do not have them, so pass each line on its own.
    lines = body.split("\n")
    for index, line in enumerate(lines):
        ended = more or index != len(lines) - 1
        kept = line[:-1] if ended and line.endswith("\r") else line
        assembler.text(kept, at, 0, True)
        assembler.end_line(at + len(kept))
        at += len(line) + 1

"""The decoder of Simple Text Format: lines, made of tokens; a stream of chunks, and a whole text at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from llmblocks.core.chunks import ScannedChunks, expect_text, is_ascii, join_halves, not_text, size_of
from llmblocks.core.scan import Kind
from llmblocks.stf import kinds
from llmblocks.stf.reading.assembler import ContentDelta, Event
from llmblocks.stf.reading.commands import CommandReader
from llmblocks.stf.rules import S303_BYTE_ORDER_MARK
from llmblocks.stf.scanner import LINE_START, StfScanner
from llmblocks.stf.syntax import DIALECTS, Dialect, LinePlace, detect, dialect_of, first_decided
from llmblocks.stf.values.messages import Message, StfError, Transcript

_ONE_LINE_EACH: Final = frozenset((kinds.BODY, kinds.COMMENT))
"""The kinds whose tokens contain escapes or commands, at the start of a line."""


class LineReader(CommandReader):
    """Reads the lines of a text, token by token."""

    def __init__(self, dialect: Dialect, default_role: str | None, events: list[Event] | None = None) -> None:
        super().__init__(dialect, default_role, events)
        self.at = 0
        self.line = 1
        self.begins = True
        """Whether the next data begin a line."""
        self._header: list[str] | None = None
        """The command line that is read, after its header character, which is at `_header_at`."""
        self._header_at = 0
        self._escaped = False
        """Whether the header character that escapes the next one has been read."""
        self._return = False
        """Whether a `\\r` is held back, which may belong to a line end."""

    def token(self, kind: Kind, text: str) -> None:
        """Read a token. Tokens of other formats are data."""
        if kind is kinds.HEADER:
            self._header, self._header_at = [], self.at
            self.at += 1
        elif kind is kinds.ESCAPE:
            self._escaped = True
            self.at += 1
        elif kind is kinds.BYTE_ORDER_MARK:
            self.out.find(S303_BYTE_ORDER_MARK, LinePlace(0, 1, 1))
            self.at += 1
        elif kind is kinds.LINE_END:
            self._end_header(len(text))
        elif kind in _ONE_LINE_EACH:
            self._lines(kind, text)
        elif self._header is not None:
            self._header.append(text)
            self.at += len(text)
        else:
            self._data(text)

    def end_token(self) -> bool:
        """Pass on what is held back, at the end of the text; return whether that is a command line."""
        if self._return:
            self._return = False
            self.at -= 1
            self._pass("\r")
        if self._header is None:
            return False
        self._end_header(0)
        return True

    def _lines(self, kind: Kind, text: str) -> None:
        """Read lines in a block or in a comment, or the rest of one."""
        sign, at, size = self.dialect.header, 0, len(text)
        # in a comment, only the tokens that open or close another one matter
        skipped = 0 if kind is kinds.BODY or self.dialect.checks_commented_lines else text.rfind("\n") + 1
        while at < size:
            if self._header is not None:
                newline = text.find("\n", at)
                end = size if newline < 0 else newline
                self._header.append(text[at:end])
                self.at += end - at
                at = end
                if newline >= 0:
                    self._end_header(1)
                    at += 1
                continue
            if self.begins and not self._escaped and not self._return and text.startswith(sign, at) and at >= skipped:
                self.at += 1
                at += 1
                if kind is kinds.COMMENT and not text.startswith(sign, at):
                    self._header, self._header_at = [], self.at - 1
                    continue
                end = text.find("\n", at) + 1 or size
            elif at < skipped:
                end = skipped
            else:
                end = text.find("\n" + sign, at) + 1 or size
            self._data(text[at:end])
            at = end

    def _data(self, text: str) -> None:
        """Read data lines, or a part of one."""
        self._escaped = False
        if not self.dialect.crlf or not (self._return or "\r" in text):
            self._pass(text)
            return
        # offsets count each "\r", but the lines lack it: pass each line separately
        if self._return:
            text, self._return = "\r" + text, False
            self.at -= 1
        *lines, last = text.split("\n")
        for line in lines:
            kept = line.removesuffix("\r")
            self._pass(kept + "\n", len(line) - len(kept))
        if last.endswith("\r"):
            last, self._return = last[:-1], True
        if last:
            self._pass(last)
        self.at += self._return

    def _pass(self, text: str, returns: int = 0) -> None:
        """Pass data on. There are `returns` carriage returns between its text and its last newline."""
        # the rest of a line, whole lines, and the beginning of one, separately
        while 0 <= (newline := text.rfind("\n") if self.begins else text.find("\n")) < len(text) - 1:
            self._pass(text[: newline + 1])
            text = text[newline + 1 :]
        body = text.removesuffix("\n")
        self.text(body, self.at, self.line, self.begins)
        self.begins = len(body) < len(text)
        if self.begins:
            self.end_line(self.at + len(body))
        self.line += text.count("\n")
        self.at += len(text) + returns

    def _end_header(self, width: int) -> None:
        assert self._header is not None, "a line end ends a command line"
        place = LinePlace(self._header_at, self.at, self.line)
        text, self._header = "".join(self._header), None
        self.header(text, place)
        self.at += width
        self.line += 1
        self.begins = True


_PLAIN = {
    header: (
        re.compile(
            rf"{header}({names})(?: id=([A-Za-z0-9_-]+))?\n((?:(?!{header})[^\r\n]*\n)*+)(?={header}(?:{names})[ \n])"
        ),
        re.compile(rf"\n(?={header}(?:{names})[ \n])"),
    )
    for header, dialect in DIALECTS.items()
    for names in ["|".join([name for name, each in dialect.commands.items() if each.role])]
}
"""A plain message before another message, and the newline before a possible one."""
_new = object.__new__


def keeps_byte_order_mark(dialect: Dialect, default_role: str | None) -> bool:
    """Return whether a byte-order mark is content, as in llm-msg-io; with a default role, it then begins a message."""
    return not dialect.crlf and default_role is not None


class _TextReader(LineReader):
    """Reads a text that arrives in chunks."""

    def __init__(self, dialect: Dialect, default_role: str | None, events: list[Event] | None) -> None:
        super().__init__(dialect, default_role, events)
        self.is_inside = False
        """Whether a part of a data line has been passed on, and nothing is held back."""
        scanner = StfScanner(dialect.header, has_default=default_role is not None)
        self._chunks = ScannedChunks(scanner)
        if keeps_byte_order_mark(dialect, default_role):
            self._chunks.state = scanner.initial._replace(place=LINE_START)

    @property
    def held(self) -> str:
        body = "" if self.opened is None else self.opened.text()
        header = () if self._header is None else (self.dialect.header, *self._header)
        return "".join((body, *header, "\r" * self._return, self._chunks.held))

    @property
    def held_size(self) -> int:
        body = 0 if self.opened is None else self.opened.size
        header = 0 if self._header is None else 1 + size_of(self._header)
        return body + header + self._return + len(self._chunks.held)

    def read_all(self, text: str) -> None:
        """Read a whole text. Most messages are plain, and scanning them would take ten times as long."""
        plain, before = _PLAIN[self.dialect.header]
        commands, messages = self.dialect.commands, self.out.messages
        at, size = 0, len(text)
        while at < size:
            while self.begins and self.idle and (found := plain.match(text, at)):
                self.end_message()
                name, message_id, content = found.groups()
                messages.append(Message(commands[name].role or "", content[:-1], message_id))
                at = found.end()
            self.line += text.count("\n", self.at, at)
            self.at = at
            next_one = before.search(text, at)
            end = next_one.start() + 1 if next_one else size
            self.read(text[at:end])
            at = end

    def read(self, chunk: str, final: bool = False) -> None:
        """Read a chunk, of any size."""
        for kind, text in self._chunks.take(chunk, final):
            self.token(kind, text)
        self.is_inside = not (self.begins or self._chunks.held or self._header is not None or self._return)

    def close(self, is_last: bool = True) -> None:
        """See `CommandReader`."""
        self.read("", True)
        if not self.end_token() and (not self.begins or self.at == 0 or self.dialect.final_newline_is_content):
            if self.begins:
                self.text("", self.at, self.line, True)
            self.end_line(self.at)
        super().close()


class StfStream:
    """Reads Simple Text Format chunk by chunk: `feed` chunks, `close` at the end; both return events.

    Text is emitted as soon as it cannot be a header line, a newline with the next line. With `dialect="auto"`, nothing
    is emitted before the first valid command or comment. Messages and findings are those of `decode`. Never raises for
    any text.

    Raises:
        ValueError: The dialect is unknown, or `feed` is called after `close`.
        TypeError: A chunk is not a str.
    """

    def __init__(self, *, dialect: str = "auto", default_role: str | None = None) -> None:
        if default_role is not None:
            expect_text(default_role, "default_role")
        self._default_role = default_role
        self._events: list[Event] = []
        self._lines = None if dialect == "auto" else _TextReader(dialect_of(dialect), default_role, self._events)
        # While the dialect is unknown: the complete lines, and the pieces of the last one.
        self._undecided: list[str] = []
        self._tail: list[str] = []
        self._half = ""  # likewise, the first half of a character
        self._closed = False
        # Adds text directly to the open message; None if text goes elsewhere.
        self._append: Callable[[str], None] | None = None

    @property
    def metadata(self) -> object:
        """The metadata so far, or None."""
        return None if self._lines is None else self._lines.out.metadata

    @property
    def held(self) -> str:
        """The text held back: an unfinished command line or a command's body; all text while the dialect is unknown."""
        if self._lines is not None:
            return self._lines.held
        return "".join((*self._undecided, *self._tail, self._half))

    @property
    def held_size(self) -> int:
        """The length of `held`, without a copy."""
        if self._lines is not None:
            return self._lines.held_size
        return size_of(self._undecided) + size_of(self._tail) + len(self._half)

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk, and return its events."""
        try:
            is_plain = is_ascii(chunk)
        except TypeError:
            raise not_text(chunk) from None
        # The rest of a line of content, the most frequent case, needs no scan.
        append = self._append
        if append is not None and is_plain and chunk and "\n" not in chunk and "\r" not in chunk:
            assert self._lines is not None, "a message is open"
            self._lines.at += len(chunk)
            append(chunk)
            growth = _new(ContentDelta)  # calling the class would cost a fifth of this whole method
            growth.delta = chunk
            return [growth]
        if self._closed:
            raise ValueError("feed after close: a closed stream takes no more text; create another one")
        lines = self._lines
        if lines is not None:
            lines.read(chunk)
        elif (lines := self._decided(chunk)) is None:
            return []
        out = lines.out
        inside = out.message is not None and lines.is_inside and lines.idle
        self._append = out.pieces.append if inside else None
        return self._take()

    def close(self) -> list[Event]:
        """End the text, and return the last events. Closing again does nothing."""
        if self._closed:
            return []
        self._closed = True
        self._append = None
        if self._lines is None:
            held = self.held
            self._lines = _TextReader(detect(held), self._default_role, self._events)
            self._lines.read(held)
        self._lines.close()
        return self._take()

    def _take(self) -> list[Event]:
        events = self._events.copy()
        self._events.clear()  # the assembler keeps writing to this list
        return events

    def _decided(self, chunk: str) -> _TextReader | None:
        """Hold text back until a complete line determines the dialect."""
        if self._half or not chunk.isascii():
            chunk, self._half = join_halves(self._half + chunk)
        self._tail.append(chunk)
        if "\n" not in chunk:
            return None
        text = "".join(self._tail)
        complete = text.rfind("\n") + 1
        dialect = first_decided(text[:complete], starts_text=not self._undecided)
        if dialect is None:
            self._undecided.append(text[:complete])
            self._tail = [text[complete:]]
            return None
        self._lines = _TextReader(dialect, self._default_role, self._events)
        self._lines.read("".join((*self._undecided, text, self._half)))
        self._undecided, self._tail = [], []
        return self._lines


def decode(text: str, *, dialect: str = "auto", default_role: str | None = None, strict: bool = False) -> Transcript:
    """Read a whole text of Simple Text Format. Never raises for a text unless `strict`; see `Transcript.findings`.

    Args:
        text: The text.
        dialect: "@", ";", or "auto": that of the first valid command or comment.
        default_role: The role of data before the first message.
        strict: Raise an error for a text with findings.

    Returns:
        The transcript, with findings in reading order.

    Raises:
        StfError: The text has findings, and `strict` is true.
        ValueError: The dialect is unknown.
        TypeError: The argument is not text.

    Source: simple-text-format for `@`, llm-msg-io 0.2 for `;`.
    """
    expect_text(text, "decode")
    if default_role is not None:
        expect_text(default_role, "default_role")
    lines = _TextReader(detect(text) if dialect == "auto" else dialect_of(dialect), default_role, None)
    lines.read_all(text if text.isascii() else "".join(join_halves(text)))
    lines.close()
    out, findings = lines.out, lines.out.findings()
    if strict and findings:
        raise StfError(findings)
    return Transcript(out.messages, out.metadata, findings, out.null_metadata)

"""The lines of a text, made of the tokens of the scanner."""

from __future__ import annotations

from typing import Final

from llmblocks.core.chunks import size_of
from llmblocks.core.scan import Kind
from llmblocks.stf import kinds
from llmblocks.stf.reading.assembler import Event
from llmblocks.stf.reading.commands import CommandReader
from llmblocks.stf.rules import S303_BYTE_ORDER_MARK
from llmblocks.stf.syntax import Dialect, LinePlace

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

    @property
    def held_line(self) -> tuple[str, ...]:
        """The part of a line that is held back."""
        if self._header is None:
            return ("\r" * self._return,)
        return self.dialect.header, *self._header, "\r" * self._return

    @property
    def held_line_size(self) -> int:
        """The length of `held_line`, without a copy."""
        return self._return + (0 if self._header is None else 1 + size_of(self._header))

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

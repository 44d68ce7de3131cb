"""Simple Text Format, line by line. Source: simple-text-format, "File Structure", "Comment", "Command"."""

from __future__ import annotations

import re

from llmblocks.stf.syntax import DIALECTS, parse_arguments
from oracle.tokens import RESET, Reading, Token

MESSAGES = ("message", "msg", "user", "assistant", "ai", "system", "sys", "developer", "dev", "tool")
_BOTH = {**dict.fromkeys(MESSAGES, "message"), "raw": "raw", "end": "end"}
MODES = {
    "@": {**_BOTH, "call": "line", "embed": "path"},
    ";": {**_BOTH, "meta": "block", "extra": "block", "flush": "flush"},
}
LINE = re.compile(r"[^\n]*\n|[^\n]+")
TELLS = re.compile(r"([@;])[ \t]*(?:#|//|/\*|\*/|([A-Za-z][A-Za-z0-9]*))")


class StfReader:
    """Reads a whole text, once."""

    def __init__(self, dialect: str) -> None:
        self.dialect = "" if dialect == "auto" else dialect
        self.context = "outside"
        self.in_message = False  # around an open block, or a line command
        self.depth = 0
        self.role = ""
        self.roles: dict[int, str] = {}  # by the place after the name of the command
        self.tokens: list[Token] = []
        self.cuts: set[int] = set()

    def read(self, text: str) -> Reading:
        """Return the kinds of lines; text of inner formats is "text"."""
        at = 0
        if text.startswith("\ufeff"):
            self._add("byte-order-mark", 0, 1)
            at = 1
        for found in LINE.finditer(text, at):
            self._line(text, found.start(), found.end())
        return Reading(self.tokens, self.cuts)

    def _add(self, kind: str, start: int, end: int) -> None:
        self.tokens.append(Token(kind, start, end))

    def _line(self, text: str, start: int, end: int) -> None:
        told = TELLS.match(text, start, end)
        if told and not self.dialect and (told[2] is None or told[2] in MODES[told[1]]):
            self.dialect = told[1]
        header = self.dialect or "@"
        if text[start] != header:
            self._data(start, end)
        elif text[start + 1 : end].startswith(header):
            if self.depth:
                self._add("comment", start, end)
            else:
                self._add("body" if self.context in ("raw", "block") else "escape", start, start + 1)
                self._data(start + 1, end)
        else:
            self._header_line(text, start, end, header)

    def _data(self, start: int, end: int) -> None:
        if self.depth:
            self._add("comment", start, end)
            return
        kind = "text" if self.context == "message" else "plain"
        if self.context in ("raw", "block", "line", "path"):
            kind = "path" if self.context == "path" else "body"
        self._add(kind, start, end)
        if self.context in ("line", "path"):
            self.context = self._around

    @property
    def _around(self) -> str:
        return "message" if self.in_message else "outside"

    def _header_line(self, text: str, start: int, end: int, header: str) -> None:
        stop = end - 1 if text[end - 1] == "\n" else end
        if header == "@" and stop < end and stop > start + 1 and text[stop - 1] == "\r":
            stop -= 1
        at = start + 1
        while at < stop and text[at] in " \t":
            at += 1
        inside = self.depth > 0
        if inside:
            self._add("comment", start, at)
        else:
            self._add("sigil", start, start + 1)
            self._add("blank", start + 1, at)
        if text[at : at + 2] == "/*":
            self.depth += 1
            self._add("comment-open", at, at + 2)
            self._add("comment", at + 2, stop)
        elif text[at : at + 2] == "*/":
            self._add("comment-close" if inside else "stray-close", at, at + 2)
            self.depth = max(self.depth - 1, 0)
            self._add("comment", at + 2, stop)
        elif inside:
            self._add("comment", at, stop)
        elif text[at:stop].startswith(("#", "//")):
            self._add("comment-line", at, stop)
        else:
            name_end = at
            while name_end < stop and text[name_end].isascii() and text[name_end].isalnum():
                name_end += 1
            if name_end > at and text[at].isalpha():
                self._command(text[at:name_end], start, at, name_end, end, text[name_end:stop])
                self._add("arguments", name_end, stop)
            else:
                self._add("malformed", at, stop)
        self._add("comment" if self.depth else "line-end", stop, end)

    def _command(self, name: str, line: int, start: int, end: int, line_end: int, rest: str) -> None:
        mode = MODES[self.dialect or "@"].get(name)
        blocked = self.context in ("raw", "block")
        if self.context == "message":
            self.in_message = True
        elif self.context in ("outside", "raw"):
            self.in_message = False
        around = self._around
        kind = "name"
        meant = None if mode else MODES[self.dialect or "@"].get(name.lower())
        if meant and (not blocked or meant == "end"):
            # in the wrong case: what follows is read as was meant
            kind = "unknown-name"
            if meant in ("message", "raw", "line", "path", "block"):
                self.context = meant
            elif meant == "flush":
                self.context = "outside"
                self.cuts.add(line_end)
            else:
                if self.context == "raw":
                    self.cuts.add(line_end)
                self.context = around
        elif mode is None or (blocked and mode in ("line", "path", "flush", "block")):
            kind = "unknown-name"
            self.context = around if self.context in ("line", "path") else self.context
        elif mode in ("message", "raw"):
            kind = "message-name" if mode == "message" else "raw-name"
            self.context = mode
            self.cuts.add(line)
        elif mode == "end":
            kind = "end-name" if blocked else "stray-end"
            if self.context == "raw":
                self.cuts.add(line_end)
            self.context = around
        elif mode == "flush":
            self.context = "outside"
            self.cuts.add(line_end)
        else:
            kind = "block-name" if mode == "block" else "name"
            self.context = mode
        self._add(kind, start, end)
        if kind in ("message-name", "raw-name") or (mode == "flush" and kind == "name"):
            self._add(RESET, end, end)
            self.role = self.roles[end] = self._role(name, rest, around) if kind == "message-name" else ""

    def _role(self, name: str, rest: str, around: str) -> str:
        """Return the reading of arguments is the product's, as for colours."""
        if name not in ("message", "msg"):
            return {"ai": "assistant", "sys": "system", "dev": "developer"}.get(name, name)
        given = parse_arguments(rest, 0, len(rest), DIALECTS[self.dialect or "@"]).get("role")
        if given is not None and isinstance(given.value, str):
            return given.value
        return self.role if around == "message" else ""

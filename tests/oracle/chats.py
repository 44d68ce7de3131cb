"""The problems of the lines of a chat, read from the first to the last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from llmblocks.stf.syntax import DIALECTS, parse_arguments
from oracle import values
from oracle.stf import LINE, MODES, TELLS
from oracle.tokens import ERROR, INFORMATION, WARNING, Found

CODES = (
    *("S003", "S004", "S005", "S006", "S007", "S008", "S009", "S010"),
    *("S107", "S108", "S201", "S205", "S301", "S302", "S303"),
    *values.CODES,
)
"""The codes of what is found here."""

_COMMAND = re.compile(r"[@;][ \t]*([A-Za-z][A-Za-z0-9]*)")
_COMMENT = re.compile(r"[@;][ \t]*(/\*|\*/)")
_MESSAGE_KEYS = ("name", "id", "call_id")
_EMBED_KEYS = ("type", "mime", "data", "name", "format", "file_id")
_Place = tuple[int, int]


def findings(text: str) -> Iterator[Found]:
    """Yield the findings in a chat."""
    reader = _Reader(text)
    reader.read()
    yield from reader.found


def _told(line: str) -> str:
    """Return the dialect of a valid command or comment; empty for any other line."""
    told = TELLS.match(line)
    return told[1] if told and (told[2] is None or told[2] in MODES[told[1]]) else ""


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Found] = []
        self.dialect = ""
        self.depth = 0
        self.in_message = False
        self.told = False  # of text outside of messages
        self.waiting: tuple[str, _Place] | None = None
        self.block: tuple[str, _Place] | None = None
        self.written: list[int] = []  # the places of the characters in that

    def read(self) -> None:
        start = 0
        if self.text.startswith("\ufeff"):
            self.tell("S303", (0, 1), "Unexpected data line before a message — a byte-order mark ")
            start = 1
        converted = False
        told = [each for line in LINE.finditer(self.text, start) if (each := _told(line[0]))]
        dialect = next(iter(told), "@")
        for line in LINE.finditer(self.text, start):
            self.dialect = self.dialect or _told(line[0])
            if line[0].endswith("\r\n") and not converted:
                converted = True
                severity = ERROR if dialect == ";" else INFORMATION
                self.tell("S301", (line.end() - 2, line.end()), "CRLF line ends — ", severity=severity)
            self.line(line[0], line.start(), self.dialect or "@")
        if self.block:
            self.tell("S007", self.block[1], f"Unterminated '{self.block[0]}' command — ")
        self.missed()

    def tell(
        self, code: str, place: _Place, says: str, related: tuple[_Place, ...] = (), severity: int = ERROR
    ) -> None:
        self.found.append(Found(*place, code, re.escape(says) + ".*", related, severity))

    def line(self, line: str, start: int, header: str) -> None:
        comment = _COMMENT.match(line) if line.startswith(header) else None
        command = _COMMAND.match(line) if line.startswith(header) else None
        if not line.startswith(header) or line.startswith(2 * header):
            if not self.depth:
                self.data(line, start, header)
        elif not TELLS.match(line):
            if not self.depth or header == ";":
                end = start + len(line.removesuffix("\n").rstrip("\r"))
                self.tell("S005", (start, end), "Unknown command line — ")
        elif comment:
            self.depth = max(self.depth + (1 if comment[1] == "/*" else -1), 0)
        elif command and not self.depth:
            self.command(command[1], line, start, command.span(1), header)

    def data(self, line: str, start: int, header: str) -> None:
        escaped = line.startswith(header)
        if self.block or self.waiting:
            end = len(line.removesuffix("\n"))
            end -= header == "@" and line.endswith("\r\n")
            if self.block:
                self.written += [*range(start + escaped, start + end), start + len(line) - 1]
        if self.block:
            return
        if self.waiting:
            if self.waiting[0] == "embed":
                self.embedded(line[escaped:], start + escaped)
            elif self.in_message:
                self.found += values.of_call(line[escaped:end], start + escaped)
            self.waiting = None
            return
        if not self.in_message and not self.told:
            self.stray(line, start, header, escaped)
        self.other_dialect(line, start, header)

    def embedded(self, line: str, start: int) -> None:
        """The documents of this client are in a folder that does not exist."""
        path = line.strip()
        elsewhere = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|~|//|\\\\", path)
        if path and not elsewhere and not Path("/oracle", path).exists():
            start += len(line) - len(line.lstrip())
            self.tell("S205", (start, start + len(path)), f"File not found: {path} — ", severity=WARNING)

    def stray(self, line: str, start: int, header: str, escaped: bool) -> None:
        """A line outside of messages."""
        blank = r"[ \t]*(\r?\n)?" if header == "@" else r"[ \t]*\n?"
        if not self.told and not re.fullmatch(blank, line):
            self.told = True
            content = line.removesuffix("\n")
            ended = content != line
            size = len(content) - (header == "@" and ended and content[escaped:].endswith("\r"))
            self.tell("S009", (start + escaped, start + size), "Unexpected data line before a message — ")

    def other_dialect(self, line: str, start: int, header: str) -> None:
        other = ";" if header == "@" else "@"
        content = line.removesuffix("\n").removesuffix("\r")
        command = _COMMAND.match(content)
        if not self.dialect or command is None or command.start(1) != 1 or content[0] != other or "\r" in content:
            return
        name, rest = command[1], content[command.end() :]
        if MODES[other].get(name, "end") == "end" or (rest.strip(" \t") and rest[0] not in " \t{") or len(rest) > 200:
            return
        if not parse_arguments(content, command.end(), len(content), DIALECTS[other]).problems:
            self.tell("S302", (start, start + command.end()), f"'{other}{name}' is text here — ", severity=WARNING)

    def missed(self) -> None:
        if self.waiting and self.in_message:
            self.tell("S008", self.waiting[1], f"'{self.waiting[0]}' command requires a data line after it — ")
        self.waiting = None

    def command(self, written: str, line: str, start: int, span: _Place, header: str) -> None:
        place = (start + span[0], start + span[1])
        modes = MODES[header]
        name = written if written in modes else written.lower()
        mode = modes.get(name)
        if self.block:
            block, begin = self.block
            if name == "end":
                if written != name:
                    self.tell("S004", place, f"Unexpected command '{written}' while ", (begin,))
                if block == "raw":
                    self.found += values.of_raw("".join(self.text[at] for at in self.written[:-1]), self.written)
                else:
                    self.found += values.of_json("".join(self.text[at] for at in self.written[:-1]), self.written)
                self.block = None
                return
            says = f"Unexpected command '{written}' while a command '{block}' is being invoked — "
            if written != name or mode not in ("message", "raw"):
                self.tell("S010", place, says + "the line is dropped", (begin,))
                return
            self.tell("S010", place, says + "it ends the block")
            self.block = None
        self.missed()
        if mode is None or written != name:
            says = "commands are in lower case" if mode else ""
            self.tell("S004" if mode else "S003", place, f"Unknown command '{written}' — {says}")
        elif name == "end":
            self.tell("S006", place, "Unexpected 'end' command — ")
        if mode is None or name == "end":
            return
        stop = len(line.removesuffix("\n"))
        stop -= header == "@" and line.endswith("\r\n")
        self.arguments(name, mode, line, start, (span, stop), header)
        if mode in ("message", "raw", "flush"):
            self.in_message = mode == "message"
            self.told = False
        if name in ("call", "embed", "extra") and not self.in_message:
            self.tell("S009", place, f"'{name}' command requires an active message — ")
        if mode in ("line", "path"):
            self.waiting = name, place
        elif mode in ("raw", "block"):
            self.block, self.written = (name, place), []

    def arguments(self, name: str, mode: str, line: str, start: int, within: tuple[_Place, int], header: str) -> None:
        """The reading of arguments is the product's, as for colours."""
        span, stop = within
        read = parse_arguments(line, span[1], stop, DIALECTS[header])
        written = line[span[1] : stop]
        if written.lstrip(" \t").startswith("{"):
            begin = start + stop - len(written.lstrip(" \t"))
            self.found += values.of_json(written.strip(" \t"), range(begin, start + stop))
        is_message = name in ("message", "msg")
        if is_message and not self.in_message and not read.problems and read.get("role") is None:
            place = (start + span[0], start + span[1])
            self.tell("S201", place, "Attempt to create a new message without a role — ")
        known = _MESSAGE_KEYS if mode == "message" or name == "call" else ()
        texts = _EMBED_KEYS if name == "embed" else (*known, "role") if is_message else known
        for item in read.items:
            place = (start + item.value_start, start + item.value_end)
            if item.key in texts and not isinstance(item.value, str):
                self.tell("S107", place, f"{item.key} must be a string (was ")
            elif name == "embed" and item.key == "type" and item.value not in ("audio", "file", "image"):
                self.tell("S107", place, f'type must be "audio", "file" or "image" (was "{item.value}") — ')
        if name == "call" and not read.problems and read.get("name") is None:
            self.tell("S107", (start + span[0], start + span[1]), "name must be a string (was missing) — ")
        for item in read.items:
            is_known = item.key != "url" if name == "embed" else item.key in known
            if not is_known and not (is_message and item.key == "role"):
                place = (start + item.key_start, start + item.key_end)
                self.tell("S108", place, f"Unknown argument '{item.key}' — ", severity=WARNING)

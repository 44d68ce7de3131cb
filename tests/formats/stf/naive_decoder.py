"""Simple Text Format read line by line, straight from its document: slow, strict, and nothing of the product in it.

It stops at the first error. Where the document is silent (`raw`, `call`, `embed`, the `;` dialect), docs/formats/stf.md
speaks. JSON5 is the json5 package's.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

import json5

ROLES = {
    "user": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "system": "system",
    "sys": "system",
    "developer": "developer",
    "dev": "developer",
    "tool": "tool",
}
LINE_COMMANDS = {"@": ("call", "embed"), ";": ()}
BLOCK_COMMANDS = {"@": ("raw",), ";": ("raw", "meta", "extra")}
KEYS = {"@": r"[a-z][a-z0-9_]+", ";": r"[A-Za-z][A-Za-z0-9_]*"}
COMMAND_LINE = r"[ \t]*(#|//|/\*|\*/|[A-Za-z][A-Za-z0-9]*)(.*)"
NO_METADATA = object()


class Wrong(Exception):  # noqa: N818 - the name that reads best where it is raised
    """The first error: its kind, and the first and last line (from 1) that it may be reported on."""

    def __init__(self, kind: str, line: int, last: int = 0) -> None:
        super().__init__(kind, line)
        self.kind = kind
        self.lines = range(line, (last or line) + 1)


@dataclass
class Command:
    """A command that waits for what follows it."""

    name: str
    arguments: dict[str, Any]
    line: int


def naive_dialect(text: str) -> str:
    """Return the dialect of the first line that is a comment or a command of its dialect; `@` where none is."""
    for line in text.removeprefix("\ufeff").split("\n"):
        match = re.match(COMMAND_LINE, line[1:], re.DOTALL)
        header = line[:1]
        if match and header in LINE_COMMANDS:
            known = {*ROLES, "message", "msg", "end", *LINE_COMMANDS[header], *BLOCK_COMMANDS[header]}
            if header == ";":
                known.add("flush")
            if match[1] in known or not match[1][0].isalpha():
                return header
    return "@"


def naive_decode(text: str, dialect: str, default_role: str | None) -> tuple[list[dict[str, Any]], Any]:
    """Return the messages as plain JSON, and the metadata (or `NO_METADATA`). Raises `Wrong`."""
    header = naive_dialect(text) if dialect == "auto" else dialect
    if text.startswith("\ufeff") and not (header == ";" and default_role is not None):
        raise Wrong("unexpected_data", 1)
    decoder = Decoder(header, default_role)
    lines = text.split("\n") if header == ";" else re.split(r"\r?\n", text)
    if header == "@" and lines[-1] == "":
        lines.pop()
    for number, line in enumerate(lines, 1):
        decoder.line(line, number)
    decoder.end()
    return decoder.messages, decoder.metadata


class Decoder:
    """The text read so far."""

    def __init__(self, header: str, default_role: str | None) -> None:
        self.header = header
        self.default_role = default_role
        self.messages: list[dict[str, Any]] = []
        self.metadata: Any = NO_METADATA
        self.comments: list[int] = []
        self.blank_lines: list[str] = []
        # The open message, and its content: lists of lines, each its own text, and embedded parts.
        self.message: dict[str, Any] | None = None
        self.content: list[Any] = []
        self.waiting: Command | None = None
        self.block: Command | None = None
        self.block_lines: list[tuple[int, str]] = []

    def line(self, line: str, number: int) -> None:
        if not line.startswith(self.header):
            self.data(line, number)
            return
        if line.startswith(self.header * 2):
            self.data(line[1:], number)
            return
        match = re.fullmatch(COMMAND_LINE, line[1:], re.DOTALL)
        if match is None:
            if not self.comments or self.header == ";":
                raise Wrong("unknown_line", number)
        elif match[1] == "/*":
            self.comments.append(number)
        elif match[1] == "*/":
            if not self.comments:
                raise Wrong("comment", number)
            self.comments.pop()
        elif match[1] not in ("#", "//") and not self.comments:
            self.command(match[1], match[2], number)

    def data(self, line: str, number: int) -> None:
        if self.comments:
            return
        if self.block is not None:
            self.block_lines.append((number, line))
        elif self.waiting is not None:
            waiting, self.waiting = self.waiting, None
            self.line_command(waiting, line, number)
        elif self.message is not None:
            self.content[-1].append(line)
        elif line.strip(" \t") == "":
            self.blank_lines.append(line)
        elif self.default_role is None:
            raise Wrong("unexpected_data", number)
        else:
            self.begin(self.default_role, {})
            self.content[-1] = [*self.blank_lines, line]

    def command(self, name: str, rest: str, number: int) -> None:
        if self.block is not None:
            if name != "end":
                raise Wrong("nested_command", number)
            self.end_block(self.block, number)
            return
        if self.waiting is not None:
            raise Wrong("unterminated", self.waiting.line)
        if name == "end":
            raise Wrong("end", number)
        self.blank_lines = [] if self.message is None else self.blank_lines
        arguments = naive_arguments(rest, self.header, number)
        if name in ROLES or name in ("message", "msg"):
            self.message_command(name, arguments, number)
        elif name in LINE_COMMANDS[self.header]:
            if self.message is None:
                raise Wrong("no_message", number)
            if name == "call":
                if "name" not in strings(arguments, ("id", "call_id", "name"), number):
                    raise Wrong("schema", number)
            else:
                strings(arguments, ("type", "mime", "data", "name", "format", "file_id"), number)
                if arguments.get("type", "file") not in ("audio", "file", "image"):
                    raise Wrong("schema", number)
            self.waiting = Command(name, arguments, number)
        elif name in BLOCK_COMMANDS[self.header]:
            if name == "raw":
                self.end_message()
            elif self.message is not None:
                self.content.append([])
            self.block = Command(name, arguments, number)
            self.block_lines = []
        elif name == "flush" and self.header == ";":
            self.end_message()
        else:
            raise Wrong("unknown_command", number)

    def message_command(self, name: str, arguments: dict[str, Any], number: int) -> None:
        keys = ("id", "name", "call_id") if name in ROLES else ("role", "id", "name", "call_id")
        given = strings(arguments, keys, number)
        role = ROLES.get(name, given.pop("role", None))
        if role is None:
            role = self.message["role"] if self.message is not None else self.default_role
        if role is None:
            raise Wrong("no_role", number)
        self.end_message()
        self.begin(role, given)

    def begin(self, role: str, given: dict[str, str]) -> None:
        self.message = {"role": role, **given}
        self.content = [[]]

    def end_message(self) -> None:
        self.blank_lines = []
        if self.message is None:
            return
        texts = ["\n".join(piece) if isinstance(piece, list) else piece for piece in self.content]
        if all(isinstance(piece, str) for piece in texts):
            self.message["content"] = "".join(texts)
        else:
            self.message["content"] = [{"type": "text", "text": t} if isinstance(t, str) else t for t in texts if t]
        self.messages.append(self.message)
        self.message = None

    def line_command(self, command: Command, line: str, number: int) -> None:
        assert self.message is not None, "the command has been refused"
        if command.name == "call":
            call: dict[str, Any] = strings(command.arguments, ("id", "call_id", "name"), command.line)
            call["arguments"] = naive_call_arguments(line, number)
            self.message.setdefault("tool_calls", []).append(call)
            return
        self.content += [{"type": "file", **command.arguments, "url": line}, []]

    def end_block(self, block: Command, number: int) -> None:
        self.block = None
        first, last = (self.block_lines[0][0], self.block_lines[-1][0]) if self.block_lines else (block.line, 0)
        if block.name == "extra" and self.message is None:
            raise Wrong("no_message", block.line)
        value = naive_json5("\n".join(line for _, line in self.block_lines), Wrong("json5", first, last))
        if block.name == "raw":
            if not is_message(value):
                raise Wrong("schema", first, last)
            self.messages.append(value)
            return
        holder = self.message if block.name == "extra" and self.message is not None else {"extra": self.metadata}
        old = holder.get("extra")
        holder["extra"] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
        if block.name == "meta":
            self.metadata = holder["extra"]

    def end(self) -> None:
        if self.comments:
            raise Wrong("comment", self.comments[0])
        if self.block is not None:
            raise Wrong("unterminated", self.block.line)
        if self.waiting is not None:
            raise Wrong("unterminated", self.waiting.line)
        self.end_message()


def naive_arguments(rest: str, header: str, number: int) -> dict[str, Any]:
    rest = rest.strip(" \t")
    if rest.startswith("{"):
        value = naive_json5(rest, Wrong("json5", number))
        assert isinstance(value, dict)
        return value
    found: dict[str, Any] = {}
    while rest:
        pair = re.match(rf"({KEYS[header]})[ \t]*=[ \t]*(?=[^ \t])", rest)
        if pair is None or pair[1] in found:
            raise Wrong("args", number)
        rest = rest[pair.end() :]
        if rest[0] in "'\"":
            quoted = re.match(rf"{rest[0]}(?:\\.|[^\\])*?{rest[0]}", rest, re.DOTALL)
            if quoted is None:
                raise Wrong("args", number)
            found[pair[1]] = naive_json5(quoted[0], Wrong("args", number))
            rest = rest[quoted.end() :]
            if header == "@" and rest and rest[0] not in " \t":
                raise Wrong("args", number)
        else:
            value = re.match(r"[^ \t]*", rest)[0]  # type: ignore[index]
            rest = rest[len(value) :]
            if value[-1] in "'\"" or (header == "@" and value[-1] == "\r" and not rest):
                raise Wrong("args", number)
            found[pair[1]] = value
        rest = rest.lstrip(" \t")
    return found


def strings(arguments: dict[str, Any], keys: tuple[str, ...], number: int) -> dict[str, str]:
    given = {key: value for key, value in arguments.items() if key in keys}
    if not all(isinstance(value, str) for value in given.values()):
        raise Wrong("schema", number)
    return given


def naive_json5(text: str, wrong: Wrong) -> Any:
    try:
        # the reference says nothing of a key that is given twice, and the document neither
        return json5.loads(text, allow_duplicate_keys=False)
    except (ValueError, IndexError):
        # The package raises for an empty text, and for some numbers that it does not finish.
        raise wrong from None


def naive_call_arguments(line: str, number: int) -> str:
    try:
        if isinstance(json.loads(line, parse_constant=refuse), dict):
            naive_json5(line, Wrong("json5", number))
            return line
    except ValueError:
        pass
    value = naive_json5(line, Wrong("json5", number))
    try:
        compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise Wrong("schema", number) from None
    if not isinstance(value, dict):
        raise Wrong("schema", number)
    return compact


def refuse(name: str) -> NoReturn:
    raise ValueError(name)


def is_message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("role"), str)
        and is_content(value.get("content"))
        and all(isinstance(value.get(key, ""), str) for key in ("id", "name", "call_id"))
        and all(is_content(value.get(key, "")) for key in ("reasoning", "refusal"))
        and isinstance(value.get("tool_calls", []), list)
        and all(map(is_call, value.get("tool_calls", [])))
    )


def is_call(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(key), str) for key in ("name", "arguments"))
        and all(isinstance(value.get(key, ""), str) for key in ("id", "call_id"))
    )


def is_content(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(map(is_part, value)))


def is_part(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if value.get("type") == "text":
        return isinstance(value.get("text"), str)
    return value.get("type") in ("audio", "file", "image") and all(
        isinstance(value.get(key, ""), str) for key in ("url", "data", "name", "format", "file_id")
    )

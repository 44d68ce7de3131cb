"""The two dialects of Simple Text Format, as data: their differences, and a table of their commands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from llmblocks.core.chunks import expect_text
from llmblocks.facts.rule import Rule
from llmblocks.stf.rules import S003_UNKNOWN_COMMAND, S004_COMMAND_CASE

DialectName = Literal["@", ";"]
Mode = Literal["message", "line", "block", "end", "flush"]
EmbedType = Literal["audio", "file", "image"]
EMBED_TYPES: tuple[EmbedType, ...] = ("audio", "file", "image")


class Command(NamedTuple):
    """One spelling of a command.

    Source: simple-text-format, "Command"; `meta`, `extra` and `flush` are llm-msg-io's.
    """

    name: str
    canonical: str
    """The name that it is an alias of (`ai` -> `assistant`)."""
    mode: Mode
    """Its continuation: a new message, one data line, data lines until `end`, or nothing."""
    role: str | None = None
    """The role of the message that it starts; None if the arguments give it."""
    arguments: tuple[str, ...] = ()
    """The keys that it reads."""
    detail: str = ""

    @property
    def begins_message(self) -> bool:
        return self.mode == "message" or self.canonical == "raw"


_MESSAGE: Final = ("name", "id", "call_id")
_STARTS: Final = "Starts a new message; its role defaults to that of the previous message."
_ANY: Final = Command("message", "message", "message", None, ("role", *_MESSAGE), _STARTS)
_ROLES: Final = (("user",), ("assistant", "ai"), ("system", "sys"), ("developer", "dev"), ("tool",))
_SHARED: Final = (
    _ANY,
    _ANY._replace(name="msg"),
    *[
        Command(name, names[0], "message", names[0], _MESSAGE, f"Starts a new message with the role `{names[0]}`.")
        for names in _ROLES
        for name in names
    ],
    Command("raw", "raw", "block", detail="Adds the message in the data lines until `end`, in JSON5."),
    Command("end", "end", "end", detail="Ends a block command."),
)


def _table(*commands: Command) -> Mapping[str, Command]:
    return MappingProxyType({command.name: command for command in (*_SHARED, *commands)})


_CALLS: Final = "Adds a tool call to the current message; the next data line is a JSON5 object with its arguments."
_EMBEDS: Final = "Adds a resource to the content of the current message; the next data line is its path or URL."
AT_COMMANDS: Final = _table(
    Command("call", "call", "line", None, _MESSAGE, _CALLS),
    Command("embed", "embed", "line", None, ("type", "mime"), _EMBEDS),
)
SEMICOLON_COMMANDS: Final = _table(
    Command("meta", "meta", "block", detail="Sets the metadata of the transcript from JSON5, merging objects."),
    Command("extra", "extra", "block", detail="Sets `extra` of the current message from JSON5, merging objects."),
    Command("flush", "flush", "flush", detail="Ends the current message."),
)
ARGUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "role": "The role of the message, such as `user`.",
        "name": "The name of the author of the message, or of the tool that is called.",
        "id": "The id of the message or of the call, for references to it.",
        "call_id": "The id of the call that the message answers; of a call, its id at the model's provider.",
        "type": "The kind of the resource: `image`, `audio` or `file`.",
        "mime": "The media type of the resource, such as `image/png`.",
    }
)

# A name is read in any case, in both dialects; the table decides its meaning.
NAME = r"[A-Za-z][A-Za-z0-9]*"


class Dialect(NamedTuple):
    """A dialect, as scanner, decoder and encoder need it."""

    header: DialectName
    """The first character of every line that is not data."""
    crlf: bool
    """Whether "\\r\\n" ends a line, as "\\n" does; otherwise "\\r" is data."""
    final_newline_is_content: bool
    """Whether an empty line follows a newline at the end of the text; otherwise the newline only ends the last line."""
    checks_commented_lines: bool
    """Whether an invalid header line is an error even inside a comment block."""
    needs_blanks: bool
    """Whether an argument directly after the closing quote of another is an error."""
    key: str
    """The pattern of an argument key."""
    commands: Mapping[str, Command]

    @property
    def other(self) -> Dialect:
        """The other dialect."""
        return SEMICOLON if self.header == "@" else AT


AT = Dialect(
    header="@",
    crlf=True,
    final_newline_is_content=False,
    checks_commented_lines=False,
    needs_blanks=True,
    # The document has no "_" here, but `call_id`, an argument of messages, needs it.
    key=r"[a-z][a-z0-9_]+",
    commands=AT_COMMANDS,
)
SEMICOLON = Dialect(
    header=";",
    crlf=False,
    final_newline_is_content=True,
    checks_commented_lines=True,
    needs_blanks=False,
    key=r"[A-Za-z][A-Za-z0-9_]*",
    commands=SEMICOLON_COMMANDS,
)
DIALECTS: Mapping[str, Dialect] = {"@": AT, ";": SEMICOLON}

# The "\r" of a line end is not part of a line.
NOT_BLANK: Mapping[str, re.Pattern[str]] = {"@": re.compile(r"[^ \t\r\n]|\r(?!\n)"), ";": re.compile(r"[^ \t\n]")}
"""For each dialect, the pattern of a line that is not blank."""

_HEADER_LINE = re.compile(rf"^\ufeff?([@;])[ \t]*(?:#|//|/\*|\*/|({NAME}))", re.MULTILINE)


def dialect_of(name: str) -> Dialect:
    """Return the dialect of a header character; raise `ValueError` for any other."""
    if not isinstance(name, str) or name not in DIALECTS:
        known = "'@' or ';'" if name == "auto" else "'@', ';' or 'auto'"
        raise ValueError(f"no dialect {name!r}: use {known}")
    return DIALECTS[name]


def detect(text: str) -> Dialect:
    """Return the dialect of the first valid command or comment, or `@`.

    Only a dialect's own command names count: `;hello` is not a command of `;`.
    """
    expect_text(text, "detect")
    return first_decided(text) or AT


def first_decided(lines: str, *, starts_text: bool = True) -> Dialect | None:
    """Return the dialect of the first valid command or comment in complete lines, or None."""
    for match in _HEADER_LINE.finditer(lines):
        dialect = DIALECTS[match[1]]
        if lines[match.start()] == "\ufeff" and not (starts_text and match.start() == 0):
            continue
        if match[2] is None or match[2] in dialect.commands:
            return dialect
    return None


def unknown_name(name: str, dialect: Dialect) -> tuple[Rule, dict[str, object]]:
    """Return the rule and the data of the problem of an unknown command name."""
    meant = dialect.commands.get(name.lower())
    if meant is not None:
        return S004_COMMAND_CASE, {"name": name, "meant": meant.name}
    if name.lower() in dialect.other.commands:
        return S003_UNKNOWN_COMMAND, {"case": "other-dialect", "name": name, "other": dialect.other.header}
    return S003_UNKNOWN_COMMAND, {"name": name}

"""The two dialects of Simple Text Format: their differences, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from llmblocks.facts.rule import Rule
from llmblocks.stf.rules import COMMAND_CASE, UNKNOWN_COMMAND
from llmblocks.stf.syntax.commands import AT_COMMANDS, SEMICOLON_COMMANDS, Command

DialectName = Literal["@", ";"]

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
    """Return the dialect of a header character.

    Raises:
        ValueError: It is neither "@" nor ";".
    """
    if not isinstance(name, str) or name not in DIALECTS:
        known = "'@' or ';'" if name == "auto" else "'@', ';' or 'auto'"
        raise ValueError(f"no dialect {name!r}: use {known}")
    return DIALECTS[name]


def detect(text: str) -> Dialect:
    """Return the dialect of the first valid command or comment, or `@`.

    Only a dialect's own command names count: `;hello` is not a command of `;`.
    """
    from llmblocks.stf.syntax.problems import check_text

    check_text(text, "detect")
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
        return COMMAND_CASE, {"name": name, "meant": meant.name}
    if name.lower() in dialect.other.commands:
        return UNKNOWN_COMMAND, {"case": "other-dialect", "name": name, "other": dialect.other.header}
    return UNKNOWN_COMMAND, {"name": name}

"""The two dialects of Simple Text Format: everything in which they differ, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from llmblocks.stf.syntax.commands import AT_COMMANDS, SEMICOLON_COMMANDS, Command
from llmblocks.stf.syntax.problems import check_text

DialectName = Literal["@", ";"]

# A name is read in any case, in both dialects: only the table decides what it means.
NAME = r"[A-Za-z][A-Za-z0-9]*"


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a scanner, a decoder or an encoder must know of one dialect.

    Shape: `header` begins every line that is not data; `crlf`: "\\r\\n" ends a line as "\\n" does (where it does not,
           "\\r" is data); `final_newline_is_content`: a newline at the end of the text is followed by one more, empty
           line (where it is not, it only ends the last line); `checks_commented_lines`: a header line inside a
           comment block that is neither command nor comment is an error all the same; `needs_blanks`: an argument
           right behind the quote that ends another is an error; `key` is the pattern of an argument key.
    """

    header: DialectName
    crlf: bool
    final_newline_is_content: bool
    checks_commented_lines: bool
    needs_blanks: bool
    key: str
    commands: Mapping[str, Command]

    @property
    def other(self) -> Dialect:
        """The dialect that this one is not."""
        return SEMICOLON if self.header == "@" else AT


AT = Dialect(
    header="@",
    crlf=True,
    final_newline_is_content=False,
    checks_commented_lines=False,
    needs_blanks=True,
    # The document has no "_" here; `call_id`, which is an argument of messages, needs it.
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

_HEADER_LINE = re.compile(rf"^\ufeff?([@;])[ \t]*(?:#|//|/\*|\*/|({NAME}))", re.MULTILINE)


def dialect_of(name: str) -> Dialect:
    """The dialect that a header character names.

    Errors: `ValueError` for anything but "@" and ";".
    """
    if not isinstance(name, str) or name not in DIALECTS:
        raise ValueError(f"no dialect {name!r}: use '@', ';' or 'auto'")
    return DIALECTS[name]


def detect(text: str) -> Dialect:
    """The dialect of the first line that is a command or a comment of one of them; `@` where none is.

    Shape: only the names of a dialect's own commands count: in a text that has none, `;hello` is no command of `;`.
    """
    check_text(text, "detect")
    return first_told(text) or AT


def first_told(lines: str, *, starts_text: bool = True) -> Dialect | None:
    """The dialect that the first telling line of some complete lines tells; None where no line does."""
    for match in _HEADER_LINE.finditer(lines):
        dialect = DIALECTS[match[1]]
        if lines[match.start()] == "\ufeff" and not (starts_text and match.start() == 0):
            continue
        if match[2] is None or match[2] in dialect.commands:
            return dialect
    return None

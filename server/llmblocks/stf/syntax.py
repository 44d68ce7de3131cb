"""The syntax of command lines: the two dialects with their commands, as data, and arguments with their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

from llmblocks.core.chunks import expect_text
from llmblocks.core.places import Related
from llmblocks.facts.problem import Problem
from llmblocks.facts.rule import Rule
from llmblocks.json5.reader import RepeatedKey, ValuePlace, read
from llmblocks.stf import rules
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
    return {command.name: command for command in (*_SHARED, *commands)}


_CALL: Final = "Adds a tool call to the current message; the next data line is a JSON5 object with its arguments."
_EMBED: Final = "Adds a resource to the content of the current message; the next data line is its path or URL."
_EMBEDS: Final = Command("embed", "embed", "line", None, ("type", "mime"), _EMBED)
AT_COMMANDS: Final = _table(Command("call", "call", "line", None, _MESSAGE, _CALL), _EMBEDS)
SEMICOLON_COMMANDS: Final = _table(
    Command("meta", "meta", "block", detail="Sets the metadata of the transcript from JSON5, merging objects."),
    Command("extra", "extra", "block", detail="Sets `extra` of the current message from JSON5, merging objects."),
    Command("flush", "flush", "flush", detail="Ends the current message."),
)
ARGUMENTS: Final[Mapping[str, str]] = {
    "role": "The role of the message, such as `user`.",
    "name": "The name of the author of the message, or of the tool that is called.",
    "id": "The id of the message or of the call, for references to it.",
    "call_id": "The id of the call that the message answers; of a call, its id at the model's provider.",
    "type": "The kind of the resource: `image`, `audio` or `file`.",
    "mime": "The media type of the resource, such as `image/png`.",
}

# A name is read in any case, in both dialects; the table decides its meaning.
NAME = r"[A-Za-z][A-Za-z0-9]*"
_HEADER_LINE = re.compile(rf"^\ufeff?([@;])[ \t]*(?:#|//|/\*|\*/|({NAME}))", re.MULTILINE)


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


KEYSTROKE_LIMIT = 16_384
"""The maximum length of arguments that are read at each keystroke, in characters. The decoder has no limits."""
LONGEST_BLOCK = 65_536
"""The same for the data of a command."""

_KEYS = {header: re.compile(dialect.key) for header, dialect in DIALECTS.items()}
_PAIR = re.compile(r"[ \t]*+([^ \t=]*+)[ \t]*+(=?)[ \t]*+")
_BLANK = re.compile(r"[ \t]")
# A backslash may end the line here; the JSON5 reader validates the quoted text.
_QUOTED = re.compile(r"""'[^'\\]*+(?:\\.[^'\\]*+)*+'|"[^"\\]*+(?:\\.[^"\\]*+)*+\"""", re.DOTALL)


class LinePlace(NamedTuple):
    """A place, with the 1-based number of its line, or 0 if nobody needs it."""

    start: int
    end: int
    line: int


Find = Callable[..., None]
"""Receives a problem: its rule, place, data and related places."""


def repeated_keys(
    repeated: Iterable[RepeatedKey], place_in: Callable[[int, int], LinePlace]
) -> Iterator[tuple[Rule, LinePlace, Mapping[str, object], tuple[Related, ...]]]:
    """Yield the problems of repeated keys; `place_in` maps a part of the JSON5 to the document."""
    for each in repeated:
        place, earlier = place_in(each.start, each.end), place_in(*each.earlier)
        behind = place_in(each.behind, each.behind).start
        data = {"key": each.key, "earlier": place.start - earlier.start, "behind": place.start - behind}
        yield rules.S206_REPEATED_KEY, place, data, (Related(earlier.start, earlier.end, "the one before"),)


class CommandArgument(NamedTuple):
    """An argument, with offsets in the text."""

    key: str
    key_start: int
    key_end: int
    value: Any
    """A string, or any JSON in a JSON5 object."""
    value_start: int
    value_end: int


class Arguments(NamedTuple):
    """The arguments of a line, in order and without repetitions, and their problems."""

    items: tuple[CommandArgument, ...] = ()
    problems: tuple[Problem, ...] = ()
    braces: bool = False
    """True for the JSON5 form, false for `key=value`."""
    node: ValuePlace | None = None
    """The places inside the JSON5 object, counted from its opening brace at `at`."""
    at: int = 0
    repeated: tuple[Problem, ...] = ()
    """Its repeated keys. Unlike `problems`, they do not prevent reading."""

    def get(self, key: str) -> CommandArgument | None:
        """Return the argument with this name."""
        return next((item for item in self.items if item.key == key), None)


NO_ARGUMENTS = Arguments()


def parse_arguments(text: str, start: int, end: int, dialect: Dialect, *, limit: int | None = None) -> Arguments:
    """Read the arguments in text[start:end], the part of a command line after the name.

    Never raises: see `Arguments.problems`. Reading continues after a problem. Arguments longer than `limit` are not
    read, and are one problem.

    Source: simple-text-format, "Command"; llm-msg-io for the `;` dialect and for the wording.
    """
    written = text[start:end].rstrip(" \t")
    end = start + len(written)
    start = end - len(written.lstrip(" \t"))
    if start == end:
        return NO_ARGUMENTS
    if limit is not None and end - start > limit:
        return Arguments((), (Problem(rules.S106_INVALID_JSON5, start, end, {"case": "too-long", "limit": limit}),))
    if text[start] == "{":
        return _object(text, start, end)
    return _Pairs(text, start, end, dialect).read()


def _object(text: str, start: int, end: int) -> Arguments:
    result = read(text[start:end])
    if result.error is not None or result.node is None:
        at = min(start + result.offset, end)
        data = {"error": result.error, **({"case": "too-deep"} if result.too_deep else {})}
        problem = Problem(rules.S106_INVALID_JSON5, at, min(at + 1, end), data)
        return Arguments(problems=(problem,), braces=True)
    node, values = result.node, result.value
    # A repeated key has its last value and the place of that value.
    last = {}
    for key, a, b, of in node.items:
        last[key] = CommandArgument(str(key), start + a, start + b, values[key], start + of.start, start + of.end)
    found = repeated_keys(result.repeated, lambda a, b: LinePlace(start + a, start + b, 0))
    repeated = tuple([Problem(rule, *place[:2], data, related) for rule, place, data, related in found])
    return Arguments((*last.values(),), braces=True, node=node, at=start, repeated=repeated)


class _Pairs:
    """Reads a list of `key=value`."""

    def __init__(self, text: str, start: int, end: int, dialect: Dialect) -> None:
        self.text, self.start, self.end = text, start, end
        self.key = _KEYS[dialect.header]
        self.needs_blanks = dialect.needs_blanks
        self.last_equals = text.rfind("=", start, end)
        # a return at the end of the line belongs to no value if "\r\n" ends lines
        self.returns = start + len(text[start:end].rstrip("\r")) if dialect.crlf else end
        self.items: dict[str, CommandArgument] = {}
        self.problems: list[Problem] = []

    def read(self) -> Arguments:
        pos = self.start
        while pos < self.end:
            pos = self.pair(pos)
        return Arguments(tuple(self.items.values()), tuple(self.problems))

    def problem(self, rule: Rule, start: int, end: int, **data: object) -> None:
        self.problems.append(Problem(rule, start, end, data))

    def pair(self, pos: int) -> int:
        """Read one pair; return its end."""
        text, end = self.text, self.end
        found = _PAIR.match(text, pos, end)
        assert found is not None, "nothing need be there"
        key, equals = found.groups()
        start, key_end = found.span(1)
        good = self.key.fullmatch(key) is not None
        pos = found.end()
        if not equals:
            # Without an equals sign this is prose: report one finding, not one for each word.
            if good:
                self.problem(rules.S102_MISSING_EQUALS, key_end, key_end, key=key)
            else:
                self.bad_key(start, key_end, key)
            return end if self.last_equals < pos else key_end
        if not good:
            self.bad_key(start, max(key_end, start + 1), key)
        elif self.needs_blanks and start > self.start and text[start - 1] not in " \t":
            self.problem(rules.S110_MISSING_BLANK, start, start)
        if pos >= self.returns:
            self.problem(rules.S103_MISSING_ARGUMENT_VALUE, end, end, **({"key": key} if key else {"case": "no-key"}))
            return end
        value_end, value = self.value(pos)
        first = self.items.get(key)
        if not good or value is None:
            return value_end
        if first is None:
            self.items[key] = CommandArgument(key, start, key_end, value, pos, value_end)
        else:
            related = (Related(first.key_start, first.key_end, "the first one"),)
            data = {"key": key, "behind": value_end - key_end, "same": value == first.value}
            self.problems.append(Problem(rules.S105_DUPLICATE_ARGUMENT, start, key_end, data, related))
        return value_end

    def bad_key(self, start: int, end: int, key: str) -> None:
        case: dict[str, object] = {"case": "no-equals"} if self.key.match(key) else {}
        if not case and key[:1].isascii() and key[:1].islower():
            case = {"case": "character", "pattern": self.key.pattern}
        self.problem(rules.S101_INVALID_ARGUMENT_KEY, start, end, key=key, **case)

    def value(self, start: int) -> tuple[int, str | None]:
        """Return the value at `start`, or None if it is invalid, and its end."""
        text, quote = self.text, self.text[start]
        if quote not in "'\"":
            blank = _BLANK.search(text, start, self.returns)
            stop = blank.start() if blank else self.returns
            if text[stop - 1] not in "'\"":
                return stop, text[start:stop]
            self.problem(rules.S109_STRAY_QUOTE, start, stop)
            return stop, None
        match = _QUOTED.match(text, start, self.end)
        if match is None:
            self.problem(rules.S104_UNTERMINATED_STRING, start, self.end, quote=quote)
            return self.end, None
        result = read(match[0])
        if result.error is None:
            return match.end(), str(result.value)
        at = min(start + result.offset, match.end())
        self.problem(rules.S106_INVALID_JSON5, at, min(at + 1, match.end()), case="string", error=result.error)
        return match.end(), None

"""The catalogue of problems in Simple Text Format: codes, severities and wordings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from llmblocks.core.problem import Case, ProblemKind
from llmblocks.core.severity import Severity
from llmblocks.stf.syntax.problems import ErrorKind

_IN_BLOCK = "Unexpected command '{name}' while a command '{block}' is being invoked"
_LOWER_CASE = "commands are in lower case; write '{meant}'"
_KEPT = "the call keeps the line as text"
_NO_KEY = "'{key}' is not a key, so its value is not read; correct it"

MOST_RELATED: Final = 8
"""The most related places of a problem."""
BLOCK_BEGINS: Final = "the block begins here"
"""The message for the block around a command."""
STILL_OPEN: Final = "still open inside it"
"""The message for comment blocks inside an unterminated one."""

UNMATCHED_COMMENT_END: Final = ProblemKind(
    "S001",
    "unmatched-comment-end",
    Severity.ERROR,
    "Unexpected block comment end",
    "no comment block is open; remove this line",
)
UNTERMINATED_COMMENT: Final = ProblemKind(
    "S002",
    "unterminated-comment",
    Severity.ERROR,
    "Unterminated block comment",
    "all text from here to the end is lost; end the comment with a line `{header}*/`",
)
UNKNOWN_COMMAND: Final = ProblemKind(
    "S003",
    "unknown-command",
    Severity.ERROR,
    "Unknown command '{name}'",
    "the line is dropped; check the spelling",
    {"other-dialect": Case("Unknown command '{name}'", "only the '{other}' dialect has it; the line is dropped")},
)
COMMAND_CASE: Final = ProblemKind(
    "S004",
    "command-case",
    Severity.ERROR,
    "Unknown command '{name}'",
    _LOWER_CASE,
    {"in-block": Case(_IN_BLOCK, _LOWER_CASE)},
)
MALFORMED_COMMAND_LINE: Final = ProblemKind(
    "S005",
    "malformed-command-line",
    Severity.ERROR,
    "Unknown command line",
    "the line is dropped; to begin a data line with {header}, write {header}{header}",
)
UNEXPECTED_END: Final = ProblemKind(
    "S006",
    "unexpected-end",
    Severity.ERROR,
    "Unexpected 'end' command",
    "no block is open; remove this line",
)
UNTERMINATED_BLOCK: Final = ProblemKind(
    "S007",
    "unterminated-block",
    Severity.ERROR,
    "Unterminated '{name}' command",
    "the rest of the text becomes its data; close it with '{header}end'",
)
MISSING_DATA_LINE: Final = ProblemKind(
    "S008",
    "missing-data-line",
    Severity.ERROR,
    "'{name}' command requires a data line after it",
    "the command does nothing; write its data on the next line",
)
DATA_BEFORE_MESSAGE: Final = ProblemKind(
    "S009",
    "data-before-message",
    Severity.ERROR,
    "Unexpected data line before a message",
    "the line is lost; begin a message above it",
    {
        "line-command": Case(
            "'{name}' command requires an active message", "it is lost with its data line; begin a message above it"
        ),
        "block-command": Case(
            "'{name}' command requires an active message", "it does nothing; begin a message above it"
        ),
    },
)
COMMAND_IN_BLOCK: Final = ProblemKind(
    "S010",
    "command-in-block",
    Severity.ERROR,
    _IN_BLOCK,
    "the line is dropped; end the block before it",
    {"ends-block": Case(_IN_BLOCK, "it ends the block; write '{header}end' before it")},
)
INVALID_ARGUMENT_KEY: Final = ProblemKind(
    "S101",
    "invalid-argument-key",
    Severity.ERROR,
    "Argument key must start with [a-z]",
    _NO_KEY,
    {
        "character": Case("Argument key must match {pattern}", _NO_KEY),
        "no-equals": Case("Expected '=' after argument key", _NO_KEY),
    },
)
MISSING_EQUALS: Final = ProblemKind(
    "S102",
    "missing-equals",
    Severity.ERROR,
    "Expected '=' after argument key",
    "the argument is not read; write {key}=value, or remove it",
)
MISSING_ARGUMENT_VALUE: Final = ProblemKind(
    "S103",
    "missing-argument-value",
    Severity.ERROR,
    "Expected value after '='",
    "the argument is not read; give {key} a value",
    {"no-key": Case("Expected value after '='", "the argument is not read; give it a value")},
)
UNTERMINATED_STRING: Final = ProblemKind(
    "S104",
    "unterminated-string",
    Severity.ERROR,
    "Unterminated quoted string",
    "the rest of the line is not read; close it with {quote}",
)
DUPLICATE_ARGUMENT: Final = ProblemKind(
    "S105",
    "duplicate-argument",
    Severity.ERROR,
    "Duplicate argument key '{key}'",
    "the first one counts; remove this one",
)
INVALID_JSON5: Final = ProblemKind(
    "S106",
    "invalid-json5",
    Severity.ERROR,
    "{error}",
    "none of this JSON5 is read; correct it",
    {
        "too-deep": Case("{error}", "none of it is read"),
        "too-long": Case("arguments longer than {limit} characters are not read here", "their keys are not checked"),
        "string": Case("Invalid quoted string: {error}", "the value is not read; correct the string"),
        "block": Case("{error}", "the '{name}' command does nothing; correct the JSON5"),
    },
)
ARGUMENTS_NOT_AN_OBJECT: Final = ProblemKind(
    "S107",
    "arguments-not-an-object",
    Severity.ERROR,
    "{key} must be a string (was {was})",
    "the argument is dropped; quote its value",
    {
        "no-name": Case("name must be a string (was missing)", "the call has no name; add name=…"),
        "embed-type": Case(
            'type must be "audio", "file" or "image" (was "{was}")', 'it is read as "file"; write one of these'
        ),
    },
)
UNKNOWN_ARGUMENT: Final = ProblemKind(
    "S108",
    "unknown-argument",
    Severity.WARNING,
    "Unknown argument '{key}'",
    "its value is not read; '{name}' takes {known}",
    {
        "takes-none": Case("Unknown argument '{key}'", "its value is not read; '{name}' takes no arguments"),
        "embed-url": Case("Unknown argument '{key}'", "its value is not read: the data line is the URL; remove it"),
    },
)
STRAY_QUOTE: Final = ProblemKind(
    "S109",
    "stray-quote",
    Severity.ERROR,
    "Unquoted value cannot end with quotes",
    "the value is not read; quote all of it",
)
MISSING_BLANK: Final = ProblemKind(
    "S110",
    "missing-blank",
    Severity.WARNING,
    "Expected a blank between arguments",
    "llmblocks reads both, other programs may not; write a blank here",
)
MESSAGE_WITHOUT_ROLE: Final = ProblemKind(
    "S201",
    "message-without-role",
    Severity.ERROR,
    "Attempt to create a new message without a role",
    "the role is empty; add role=…",
)
INVALID_RAW_MESSAGE: Final = ProblemKind(
    "S202",
    "invalid-raw-message",
    Severity.ERROR,
    "{misfit}",
    "the whole message is dropped; correct this value",
)
DUPLICATE_MESSAGE_ID: Final = ProblemKind(
    "S203",
    "duplicate-message-id",
    Severity.INFORMATION,
    "Duplicate message id: {id}",
    "a program that looks up the id finds two messages; give this one an id of its own",
)
INVALID_CALL_ARGUMENTS: Final = ProblemKind(
    "S204",
    "invalid-call-arguments",
    Severity.ERROR,
    "the arguments of a call must be an object",
    "the tool may refuse them; write a JSON5 object",
    {
        "json5": Case("{error}", f"{_KEPT}; correct the JSON5"),
        "number": Case("JSON has no NaN and no Infinity", f"{_KEPT}; write null or a string"),
    },
)
EMBED_NOT_FOUND: Final = ProblemKind(
    "S205",
    "embed-not-found",
    Severity.WARNING,
    "File not found: {path}",
    "nothing is embedded; write a URL, or a path relative to the folder of this file",
)
REPEATED_KEY: Final = ProblemKind(
    "S206",
    "repeated-key",
    Severity.ERROR,
    "Repeated key '{key}'",
    "the last one counts, and the value of the one before is lost; remove one",
)
CARRIAGE_RETURN: Final = ProblemKind(
    "S301",
    "carriage-return",
    Severity.INFORMATION,
    "CRLF line ends",
    "Simple Text Format strongly recommends LF; convert the document",
    {
        "kept": Case(
            "CRLF line ends",
            "in this dialect, each line keeps its carriage return; convert the document",
            Severity.ERROR,
        )
    },
    once=True,
)
MIXED_DIALECT: Final = ProblemKind(
    "S302",
    "mixed-dialect",
    Severity.WARNING,
    "'{written}' is text here",
    "commands of this document begin with '{header}'; write {header}{name} if you mean a command",
)
BYTE_ORDER_MARK: Final = ProblemKind(
    "S303",
    "byte-order-mark",
    Severity.ERROR,
    "Unexpected data line before a message",
    "a byte-order mark hides the first line from other programs; remove it",
)

RULED: Final = (
    UNMATCHED_COMMENT_END,
    UNTERMINATED_COMMENT,
    UNKNOWN_COMMAND,
    COMMAND_CASE,
    MALFORMED_COMMAND_LINE,
    UNEXPECTED_END,
    UNTERMINATED_BLOCK,
    MISSING_DATA_LINE,
    DATA_BEFORE_MESSAGE,
    COMMAND_IN_BLOCK,
    INVALID_ARGUMENT_KEY,
    MISSING_EQUALS,
    MISSING_ARGUMENT_VALUE,
    UNTERMINATED_STRING,
    DUPLICATE_ARGUMENT,
    INVALID_JSON5,
    ARGUMENTS_NOT_AN_OBJECT,
    UNKNOWN_ARGUMENT,
    STRAY_QUOTE,
    MISSING_BLANK,
    MESSAGE_WITHOUT_ROLE,
    INVALID_RAW_MESSAGE,
    DUPLICATE_MESSAGE_ID,
    INVALID_CALL_ARGUMENTS,
    EMBED_NOT_FOUND,
    REPEATED_KEY,
    CARRIAGE_RETURN,
    MIXED_DIALECT,
    BYTE_ORDER_MARK,
)
"""The kinds with a rule, which an editor reports."""

ONLY_TOLD: Final = (UNKNOWN_ARGUMENT, DUPLICATE_MESSAGE_ID, EMBED_NOT_FOUND, CARRIAGE_RETURN, MIXED_DIALECT)
"""The kinds that decoding does not report: it reads what is there as it is written."""

_REFERENCES: Final[Mapping[ProblemKind, ErrorKind]] = {
    UNMATCHED_COMMENT_END: "comment",
    UNTERMINATED_COMMENT: "comment",
    UNKNOWN_COMMAND: "unknown_command",
    COMMAND_CASE: "unknown_command",
    MALFORMED_COMMAND_LINE: "unknown_line",
    UNEXPECTED_END: "end",
    UNTERMINATED_BLOCK: "unterminated",
    MISSING_DATA_LINE: "unterminated",
    DATA_BEFORE_MESSAGE: "unexpected_data",
    COMMAND_IN_BLOCK: "nested_command",
    INVALID_ARGUMENT_KEY: "args",
    MISSING_EQUALS: "args",
    MISSING_ARGUMENT_VALUE: "args",
    UNTERMINATED_STRING: "args",
    DUPLICATE_ARGUMENT: "args",
    INVALID_JSON5: "json5",
    ARGUMENTS_NOT_AN_OBJECT: "schema",
    STRAY_QUOTE: "args",
    MISSING_BLANK: "args",
    MESSAGE_WITHOUT_ROLE: "no_role",
    INVALID_RAW_MESSAGE: "schema",
    INVALID_CALL_ARGUMENTS: "schema",
    REPEATED_KEY: "json5",
    BYTE_ORDER_MARK: "unexpected_data",
}
_REFERENCES_OF_CASES: Final[Mapping[tuple[ProblemKind, object], ErrorKind]] = {
    (COMMAND_CASE, "in-block"): "nested_command",
    (DATA_BEFORE_MESSAGE, "line-command"): "no_message",
    (DATA_BEFORE_MESSAGE, "block-command"): "no_message",
    (INVALID_JSON5, "string"): "args",
    (INVALID_CALL_ARGUMENTS, "json5"): "json5",
}


def reference_of(kind: ProblemKind, data: Mapping[str, object]) -> ErrorKind:
    """The type of llm-msg-io's error."""
    return _REFERENCES_OF_CASES.get((kind, data.get("case"))) or _REFERENCES[kind]

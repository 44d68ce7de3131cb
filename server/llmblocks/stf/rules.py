"""The rules of Simple Text Format."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.message import Words
from llmblocks.facts.rule import Case, Rank, Rule, rules_in
from llmblocks.facts.severity import Severity

_IN_BLOCK = "Unexpected command '{name}' while a command '{block}' is being invoked"
_NO_KEY = "'{key}' is not a key, so its value is not read"
_KEPT = "the call keeps the line as text"

UNMATCHED_COMMENT_END: Final = Rule(
    "S001",
    Severity.ERROR,
    Words("Unexpected block comment end", "no comment block is open", "remove this line"),
    reference="comment",
    summary="The end of a comment block has no beginning.",
    why="Simple Text Format defines this as an error, and decoding stops there. Comment blocks nest: each `@/*` needs "
    "one `@*/`, and a `*/` at the end of the opening line ends nothing.",
    bad="@user\nHello\n@*/\n",
    good="@user\nHello\n@/* a note\nto myself\n@*/\n",
    fixed="@user\nHello\n",
    rank=Rank.STRUCTURE,
    fix="stf.comments.removed_line",
    remedy="Removes the line. Safe: the line does not belong to a message.",
)
UNTERMINATED_COMMENT: Final = Rule(
    "S002",
    Severity.ERROR,
    Words(
        "Unterminated block comment",
        "all text from here to the end is lost",
        "end the comment with a line `{header}*/`",
    ),
    reference="comment",
    unfinished=True,
    summary="A comment block is opened and never closed.",
    why="Everything after it is part of the comment, including every later message. Comment blocks nest: each `@/*` "
    "needs one `@*/` on a separate line.",
    bad="@user\nHello\n@/* a note\n@ai\nHi\n",
    good="@user\nHello\n@/* a note\n@*/\n@ai\nHi\n",
    rank=Rank.STRUCTURE,
    fix="stf.comments.closed_comment",
    remedy="Ends the comment before the next message, or at the end of the text. Safe only if the comment contains "
    "nothing but blank lines: otherwise only the author knows where it should end.",
)
UNKNOWN_COMMAND: Final = Rule(
    "S003",
    Severity.ERROR,
    Words("Unknown command '{name}'", "the line is dropped", "check the spelling"),
    cases={
        "other-dialect": Case(
            Words(
                "Unknown command '{name}'",
                "only the '{other}' dialect has it; the line is dropped",
                "use a command of this dialect",
            )
        )
    },
    reference="unknown_command",
    summary="A line names a command that does not exist.",
    why="The decoder drops the line and continues: what should have been a new message becomes part of the one above. "
    "Commands of the other dialect are unknown too.",
    bad="@user\nHello\n@assistent\nHi\n",
    good="@user\nHello\n@assistant\nHi\n",
    rank=Rank.SPELLING,
    fix="stf.lines.nearest_command",
    remedy="Writes the most similar command: one that differs only in case, in one letter if it has at least four, or "
    "in two if it has at least six. Unsafe: one message becomes two, or changes, and only the author knows which "
    "command was meant. An editor offers to double the header character too, so that the line is text: `fix` never "
    "does.",
    by_hand="stf.lines.escaped_command",
    unsafe=True,
)
COMMAND_CASE: Final = Rule(
    "S004",
    Severity.ERROR,
    Words("Unknown command '{name}'", "commands are in lower case", "write '{meant}'"),
    cases={
        "in-block": Case(
            Words(
                "Command '{name}' inside a '{block}' block",
                "commands are in lower case",
                "write '{meant}'",
                runtime=_IN_BLOCK,
            ),
            reference="nested_command",
        )
    },
    reference="unknown_command",
    summary="A command is not in lower case.",
    why="Commands are case-sensitive. llm-msg-io stops here; llmblocks reads the command that is meant.",
    bad="@User\nHello\n",
    good="@user\nHello\n",
    rank=Rank.SPELLING,
    fix="stf.lines.lower_case",
    remedy="Writes the command in lower case. Safe: llmblocks reads it as that command already.",
)
MALFORMED_COMMAND_LINE: Final = Rule(
    "S005",
    Severity.ERROR,
    Words("Unknown command line", "the line is dropped", "to begin a data line with {header}, write {header}{header}"),
    reference="unknown_line",
    summary="A line begins with the header character, but is not a command, comment or escape.",
    why="The decoder drops the line. To begin a line of text with `@`, write `@@`.",
    bad="@user\nWho is it?\n@42\n",
    good="@user\nWho is it?\n@@42\n",
    rank=Rank.STRUCTURE,
    fix="stf.lines.escaped_line",
    remedy="Doubles the header character, so that the line is text of its message. Unsafe: a command may be meant.",
    unsafe=True,
)
UNEXPECTED_END: Final = Rule(
    "S006",
    Severity.ERROR,
    Words("Unexpected 'end' command", "no block is open", "remove this line"),
    reference="end",
    summary="An `@end` has no block to end.",
    why="Only block commands, such as `@raw`, have an end. A message ends where the next one begins.",
    bad="@user\nHello\n@end\n",
    good="@raw\n{role: 'user', content: 'Hello'}\n@end\n",
    fixed="@user\nHello\n",
    rank=Rank.STRUCTURE,
    fix="stf.lines.removed_end",
    remedy="Removes the line. Safe, unless an unknown command is above it in the message: the line may end the block "
    "of that command.",
)
UNTERMINATED_BLOCK: Final = Rule(
    "S007",
    Severity.ERROR,
    Words("Unterminated '{name}' command", "the rest of the text becomes its data", "close it with '{header}end'"),
    reference="unterminated",
    unfinished=True,
    summary="A block command has no `@end`.",
    why="All lines up to the end of the text are data of the block, commands and messages included.",
    bad="@user\nHello\n@raw\n{role: 'assistant', content: 'Hi'}\n",
    good="@user\nHello\n@raw\n{role: 'assistant', content: 'Hi'}\n@end\n",
    rank=Rank.STRUCTURE,
    fix="stf.lines.ended_block",
    remedy="Ends the block at the end of the text. Unsafe: the content of the block is then read, and only the author "
    "knows whether it is complete.",
    unsafe=True,
)
MISSING_DATA_LINE: Final = Rule(
    "S008",
    Severity.ERROR,
    Words(
        "'{name}' command requires a data line after it", "the command does nothing", "write its data on the next line"
    ),
    reference="unterminated",
    summary="A line command has no data line.",
    why="`@call` and `@embed` apply to the next line. Without it they do nothing. Comments are allowed between the "
    "two, commands are not.",
    bad="@ai\nLet me look.\n@call name=look\n@user\nDo!\n",
    good="@ai\nLet me look.\n@call name=look\n{}\n@user\nDo!\n",
    by_hand="stf.choices.given_data",
)
DATA_BEFORE_MESSAGE: Final = Rule(
    "S009",
    Severity.ERROR,
    Words("Unexpected data line before a message", "the line is lost", "begin a message above it"),
    cases={
        "line-command": Case(
            Words(
                "'{name}' command requires an active message",
                "it is lost with its data line",
                "begin a message above it",
            ),
            reference="no_message",
        ),
        "block-command": Case(
            Words("'{name}' command requires an active message", "it does nothing", "begin a message above it"),
            reference="no_message",
        ),
    },
    reference="unexpected_data",
    summary="Text is outside all messages.",
    why="It belongs to no message and is lost: before the first message, and after `@raw` … `@end` and `;flush`. Only "
    "the first such line is reported. With a default role in the settings, the text is a message of that role, and "
    "nothing is reported.",
    bad="Hello\n@ai\nHi\n",
    good="@user\nHello\n@ai\nHi\n",
    rank=Rank.STRUCTURE,
    fix="stf.lines.begun_message",
    remedy="Begins a user message before the line, or an assistant message before a `@call`. Unsafe: only the author "
    "knows who wrote the text.",
    unsafe=True,
)
COMMAND_IN_BLOCK: Final = Rule(
    "S010",
    Severity.ERROR,
    Words(
        "Command '{name}' inside a '{block}' block", "the line is dropped", "end the block before it", runtime=_IN_BLOCK
    ),
    cases={
        "ends-block": Case(
            Words(
                "Command '{name}' inside a '{block}' block",
                "it ends the block",
                "write '{header}end' before it",
                runtime=_IN_BLOCK,
            )
        )
    },
    reference="nested_command",
    summary="A command comes between a block command and its `@end`.",
    why="Only comments are allowed there. A command that begins a message ends the block; any other is dropped. Often "
    "the `@end` is missing.",
    bad="@raw\n@call name=look\n{role: 'user', content: 'Hi'}\n@end\n",
    good="@raw\n{role: 'user', content: 'Hi'}\n@end\n@ai\n@call name=look\n{}\n",
    by_hand="stf.choices.ended_before",
)
INVALID_ARGUMENT_KEY: Final = Rule(
    "S101",
    Severity.ERROR,
    Words("Argument key must start with [a-z]", _NO_KEY, "correct the key"),
    cases={
        "character": Case(Words("Argument key must match {pattern}", _NO_KEY, "correct the key")),
        "no-equals": Case(Words("Expected '=' after argument key", _NO_KEY, "correct the key")),
    },
    reference="args",
    summary="The key of an argument contains invalid characters.",
    why="The argument is not read. Keys consist of lower-case letters, digits and `_`, begin with a letter and have at "
    "least two characters.",
    bad="@user Name=Ada\nHello\n",
    good="@user name=Ada\nHello\n",
    by_hand="stf.choices.removed_argument",
)
MISSING_EQUALS: Final = Rule(
    "S102",
    Severity.ERROR,
    Words("Expected '=' after argument key", "the argument is not read", "write {key}=value, or remove it"),
    reference="args",
    summary="An argument has no `=`.",
    why="The argument is not read. Text does not belong on the line of a command: write it on the next line.",
    bad="@user hello there\n",
    good="@user\nhello there\n",
    by_hand="stf.choices.removed_argument",
)
MISSING_ARGUMENT_VALUE: Final = Rule(
    "S103",
    Severity.ERROR,
    Words("Expected value after '='", "the argument is not read", "give {key} a value"),
    cases={"no-key": Case(Words("Expected value after '='", "the argument is not read", "give it a value"))},
    reference="args",
    summary="An argument has no value.",
    why="The argument is not read. Write an empty value with quotes.",
    bad="@user name=\nHello\n",
    good="@user name=''\nHello\n",
    by_hand="stf.choices.removed_argument",
)
UNTERMINATED_STRING: Final = Rule(
    "S104",
    Severity.ERROR,
    Words("Unterminated quoted string", "the rest of the line is not read", "close it with {quote}"),
    reference="args",
    unfinished=True,
    summary="A quote is opened and not closed on the same line.",
    why="The rest of the line is not read: neither this value nor the arguments after it.",
    bad="@user name='Ada id=1\nHello\n",
    good="@user name='Ada' id=1\nHello\n",
    fix="stf.arguments.closed_string",
    remedy="Closes the quote before the next `key=`, or else at the end of the line. Unsafe: only the author knows "
    "where the value ends.",
    unsafe=True,
)
DUPLICATE_ARGUMENT: Final = Rule(
    "S105",
    Severity.ERROR,
    Words("Duplicate argument key '{key}'", "the first one counts", "remove this one"),
    reference="args",
    summary="An argument is given twice.",
    why="The first one counts, and this one is lost.",
    bad="@user name=Ada name=Grace\nHello\n",
    good="@user name=Ada id=Grace\nHello\n",
    fixed="@user name=Ada\nHello\n",
    fix="stf.arguments.removed_argument",
    remedy="Removes the later argument, which has no effect. Safe if both values are equal; otherwise only the author "
    "knows which one was meant.",
)
INVALID_JSON5: Final = Rule(
    "S106",
    Severity.ERROR,
    Words("{error}", "none of this JSON5 is read", "correct it"),
    cases={
        "too-deep": Case(Words("{error}", "none of it is read", "nest the values less deeply")),
        "too-long": Case(
            Words(
                "arguments longer than {limit} characters are not read here",
                "their keys are not checked",
                "shorten them",
            )
        ),
        "string": Case(
            Words("Invalid quoted string: {error}", "the value is not read", "correct the string"), reference="args"
        ),
        "block": Case(Words("{error}", "the '{name}' command does nothing", "correct the JSON5")),
    },
    reference="json5",
    summary="The arguments, or a string among them, are not JSON5.",
    why="None of it is read. The message is the one of llm-msg-io, with line and column inside the JSON5.",
    bad="@user {name: 'Ada'\nHello\n",
    good="@user {name: 'Ada'}\nHello\n",
    by_hand="stf.choices.removed_json5",
)
ARGUMENTS_NOT_AN_OBJECT: Final = Rule(
    "S107",
    Severity.ERROR,
    Words("{key} must be a string (was {was})", "the argument is dropped", "quote its value"),
    cases={
        "no-name": Case(Words("name must be a string (was missing)", "the call has no name", "add name=…")),
        "embed-type": Case(
            Words('type must be "audio", "file" or "image" (was "{was}")', 'it is read as "file"', "write one of these")
        ),
    },
    reference="schema",
    summary="An argument has a value of the wrong type.",
    why="The arguments of messages and calls are strings. Any other value is dropped. A `@call` must have a "
    "name, and the type of an `@embed` is `audio`, `file` or `image`.",
    bad="@user {name: 5}\nHello\n@ai\n@call name=look\n{}\n",
    good="@user {name: '5'}\nHello\n@ai\n@call name=look\n{}\n",
    by_hand="stf.choices.quoted",
)
UNKNOWN_ARGUMENT: Final = Rule(
    "S108",
    Severity.WARNING,
    Words("Unknown argument '{key}'", "its value is not read", "'{name}' takes {known}"),
    cases={
        "takes-none": Case(
            Words("Unknown argument '{key}'", "its value is not read: '{name}' takes no arguments", "remove it")
        ),
        "embed-url": Case(
            Words("Unknown argument '{key}'", "its value is not read: the data line is the URL", "remove it")
        ),
    },
    summary="A command does not read one of its arguments.",
    why="The value is silently lost. Often the key is misspelt. `@embed` keeps all arguments but `url`, which its data "
    "line gives.",
    bad="@user nmae=Ada\nHello\n",
    good="@user name=Ada\nHello\n",
    fix="stf.arguments.nearest_key",
    remedy="Writes the most similar key that the command reads, unless it has that argument already. Unsafe: the "
    "message gets another value.",
    unsafe=True,
)
STRAY_QUOTE: Final = Rule(
    "S109",
    Severity.ERROR,
    Words("Unquoted value cannot end with quotes", "the value is not read", "quote all of it"),
    reference="args",
    summary="An unquoted value ends with a quote.",
    why="The value is not read. Usually the opening quote is missing.",
    bad="@user name=Ada'\nHello\n",
    good="@user name='Ada'\nHello\n",
    fix="stf.arguments.quoted_value",
    remedy="Puts the value in quotes. Unsafe: the message gets another value, and the quote may be part of it.",
    unsafe=True,
)
MISSING_BLANK: Final = Rule(
    "S110",
    Severity.WARNING,
    Words("Expected a space between arguments", "llmblocks reads both, other programs may not", "write a space here"),
    reference="args",
    summary="Nothing separates two arguments.",
    why="llmblocks reads both. Simple Text Format requires a space between arguments, and other programs may not read "
    "them.",
    bad="@message role='user'name='Ada'\nHello\n",
    good="@message role='user' name='Ada'\nHello\n",
    fix="stf.arguments.added_blank",
    remedy="Adds a space. Safe: both arguments are read already.",
)
MESSAGE_WITHOUT_ROLE: Final = Rule(
    "S201",
    Severity.ERROR,
    Words("Attempt to create a new message without a role", "the role is empty", "add role=…"),
    reference="no_role",
    summary="A message has no role.",
    why="`@message` takes the role of the message above it, unless it names a role. There is no message above "
    "the first one, nor after `@raw` … `@end` or `;flush`. The role is then empty, and most services reject the "
    "message.",
    bad="@message\nHello\n",
    good="@message role=user\nHello\n",
    by_hand="stf.choices.given_role",
)
INVALID_RAW_MESSAGE: Final = Rule(
    "S202",
    Severity.ERROR,
    Words("{misfit}", "the whole message is dropped", "correct this value"),
    reference="schema",
    summary="A raw message has the wrong shape.",
    why="The whole message is dropped. It must be an object with `role`, a string, and `content`, a string or an array "
    "of parts. The editor does not read blocks longer than 65,536 characters; decoding reads all.",
    bad="@raw\n{role: 'user', content: 5}\n@end\n",
    good="@raw\n{role: 'user', content: '5'}\n@end\n",
    by_hand="stf.choices.quoted",
)
DUPLICATE_MESSAGE_ID: Final = Rule(
    "S203",
    Severity.INFORMATION,
    Words(
        "Duplicate message id: {id}", "a program that looks up the id finds two messages", "give this one a unique id"
    ),
    summary="Two messages have the same id.",
    why="Decoding accepts it, but a program that looks up a message by its id finds two.",
    bad="@user id=q1\nHello\n@ai id=q1\nHi\n",
    good="@user id=q1\nHello\n@ai id=a1\nHi\n",
    by_hand="stf.choices.other_id",
)
INVALID_CALL_ARGUMENTS: Final = Rule(
    "S204",
    Severity.ERROR,
    Words("the arguments of a call must be an object", "the tool may refuse them", "write a JSON5 object"),
    cases={
        "json5": Case(Words("{error}", _KEPT, "correct the JSON5"), reference="json5"),
        "number": Case(Words("JSON has no NaN and no Infinity", _KEPT, "write null or a string")),
    },
    reference="schema",
    summary="The data line of a call is not a JSON5 object.",
    why="The call keeps the line as text, and the tool gets arguments that it cannot read.",
    bad="@ai\n@call name=look\n{at: holiday.png}\n",
    good="@ai\n@call name=look\n{at: 'holiday.png'}\n",
    by_hand="stf.choices.quoted",
)
EMBED_NOT_FOUND: Final = Rule(
    "S205",
    Severity.WARNING,
    Words(
        "File not found: {path}", "nothing is embedded", "write a URL, or a path relative to the folder of this file"
    ),
    summary="An embedded file does not exist.",
    why="The data line of `@embed` is a URL or a path. A relative path starts at the folder of the document. URLs, "
    "paths that begin with `~`, paths of another computer, and texts without a file name are not checked. An editor "
    "looks for the file when the path changes, when the document is opened or saved, and when a file of a common kind, "
    "such as a PNG image, is created or deleted.",
    files=(("holiday.png", ""),),
    bad="@user\n@embed type=image\nholidays.png\n",
    good="@user\n@embed type=image\nholiday.png\n@embed type=image\nhttps://example.com/holiday.png\n",
    by_hand="stf.choices.removed_embed",
)
REPEATED_KEY: Final = Rule(
    "S206",
    Severity.ERROR,
    Words("Repeated key '{key}'", "the last one counts, and the value of the one before is lost", "remove one of them"),
    reference="json5",
    summary="An object in JSON5 gives a key twice.",
    why="The last value counts, as in JavaScript, and the others are lost. That holds for arguments, for the data line "
    "of a call, and for blocks.",
    bad="@user {name: 'Ada', name: 'Grace'}\nHello\n",
    good="@user {name: 'Ada', id: 'Grace'}\nHello\n",
    fixed="@user {name: 'Grace'}\nHello\n",
    fix="stf.arguments.removed_member",
    remedy="Removes the earlier value, which has no effect. Only the author knows which one was meant.",
)
CARRIAGE_RETURN: Final = Rule(
    "S301",
    Severity.INFORMATION,
    Words("CRLF line ends", "Simple Text Format strongly recommends LF", "convert the document"),
    cases={
        "kept": Case(
            Words("CRLF line ends", "in this dialect, each line keeps its carriage return", "convert the document"),
            Severity.ERROR,
        )
    },
    once=True,
    summary="Lines end with CRLF.",
    why="The `@` dialect reads both CRLF and LF, and recommends LF: tools that split at LF keep a `\\r` at the end of "
    "each line. In the `;` dialect the `\\r` belongs to the line, so a command line has it in its last argument, and "
    "this is an error. Only the first line end of a document is reported.",
    bad="@user\r\nHello\r\n",
    good="@user\nHello\n",
    rank=Rank.LINE_ENDS,
    fix="stf.line_ends.converted",
    remedy="Ends all lines of the document with LF. In the `@` dialect no value changes; in the `;` dialect values "
    "lose their carriage returns. Unsafe: your editor, or git, may be set to write CRLF again.",
    whole=True,
    unsafe=True,
)
MIXED_DIALECT: Final = Rule(
    "S302",
    Severity.WARNING,
    Words(
        "'{written}' is text here",
        "commands of this document begin with '{header}'",
        "write {header}{name} if you mean a command",
    ),
    summary="A line of text would be a command in the other dialect.",
    why="A document has one dialect. A command of the other is text of the message around it, so two messages become "
    "one. Only complete command lines without a space after the first character are reported; `@tool wear` and `; "
    "user` count as prose or code.",
    bad="@user\nHello\n;assistant\nHi\n",
    good="@user\nHello\n@assistant\nHi\n",
    by_hand="stf.choices.own_dialect",
)
BYTE_ORDER_MARK: Final = Rule(
    "S303",
    Severity.ERROR,
    Words(
        "Unexpected data line before a message",
        "a byte-order mark hides the first line from other programs",
        "remove it",
    ),
    reference="unexpected_data",
    summary="The text begins with a byte-order mark.",
    why="llm-msg-io reads it as part of the first line, which is then no longer a command. Some editors write the "
    "mark: save the file as UTF-8 without a signature.",
    bad="\ufeff@user\nHello\n",
    good="@user\nHello\n",
    rank=Rank.LINE_ENDS,
    fix="stf.line_ends.removed_mark",
    remedy="Removes the mark. Safe: llmblocks reads the text without it.",
)
RULES: Final = rules_in(globals(), "stf")
"""All of them, in the order of their codes."""

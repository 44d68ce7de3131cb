"""The rules of Simple Text Format."""

from __future__ import annotations

from typing import Final

from llmblocks.facts.rule import Case, Rank, error, information, rules_in, warning
from llmblocks.facts.severity import Severity

_IN_BLOCK = "Unexpected command '{name}' while a command '{block}' is being invoked"
_NO_KEY = "'{key}' is not a key, so its value is not read"
_KEPT = "the call keeps the line as text"

S001_UNMATCHED_COMMENT_END: Final = error(
    "Unexpected block comment end\nno comment block is open\nremove this line",
    reference="comment",
    about="The end of a comment block has no beginning. Simple Text Format defines this as an error, and decoding "
    "stops there. Comment blocks nest: each `@/*` needs one `@*/`, and a `*/` at the end of the opening line ends "
    "nothing.",
    bad="@user\nHello\n@*/\n",
    good="@user\nHello\n@/* a note\nto myself\n@*/\n",
    fixed="@user\nHello\n",
    rank=Rank.STRUCTURE,
    fix="stf.removed_comment_end",
    remedy="Removes the line. Safe: the line does not belong to a message.",
)
S002_UNTERMINATED_COMMENT: Final = error(
    "Unterminated block comment\nall text from here to the end is lost\nend the comment with a line `{header}*/`",
    reference="comment",
    unfinished=True,
    about="A comment block is opened and never closed. Everything after it is part of the comment, including every "
    "later message. Comment blocks nest: each `@/*` needs one `@*/` on a separate line.",
    bad="@user\nHello\n@/* a note\n@ai\nHi\n",
    good="@user\nHello\n@/* a note\n@*/\n@ai\nHi\n",
    rank=Rank.STRUCTURE,
    fix="stf.closed_comment",
    remedy="Ends the comment before the next message, or at the end of the text. Safe only if the comment contains "
    "nothing but blank lines: otherwise only the author knows where it should end.",
)
S003_UNKNOWN_COMMAND: Final = error(
    "Unknown command '{name}'\nthe line is dropped\ncheck the spelling",
    cases={
        "other-dialect": "Unknown command '{name}'\nonly the '{other}' dialect has it; the line is dropped\n"
        "use a command of this dialect"
    },
    reference="unknown_command",
    about="A line names a command that does not exist. The decoder drops the line and continues: what should have been "
    "a new message becomes part of the one above. Commands of the other dialect are unknown too.",
    bad="@user\nHello\n@assistent\nHi\n",
    good="@user\nHello\n@assistant\nHi\n",
    rank=Rank.SPELLING,
    fix="stf.nearest_command",
    remedy="Writes the most similar command: one that differs only in case, in one letter if it has at least four, or "
    "in two if it has at least six. Unsafe: one message becomes two, or changes, and only the author knows which "
    "command was meant. An editor offers to double the header character too, so that the line is text: `fix` never "
    "does.",
    by_hand="stf.escaped_command",
)
S004_COMMAND_CASE: Final = error(
    "Unknown command '{name}'\ncommands are in lower case\nwrite '{meant}'",
    cases={
        "in-block": Case(
            "Command '{name}' inside a '{block}' block\ncommands are in lower case\nwrite '{meant}'",
            reference="nested_command",
            runtime=_IN_BLOCK,
        )
    },
    reference="unknown_command",
    about="A command is not in lower case. Commands are case-sensitive. llm-msg-io stops here; llmblocks reads the "
    "command that is meant.",
    bad="@User\nHello\n",
    good="@user\nHello\n",
    rank=Rank.SPELLING,
    fix="stf.lower_case",
    remedy="Writes the command in lower case. Safe: llmblocks reads it as that command already.",
)
S005_MALFORMED_COMMAND_LINE: Final = error(
    "Unknown command line\nthe line is dropped\nto begin a data line with {header}, write {header}{header}",
    reference="unknown_line",
    about="A line begins with the header character, but is not a command, comment or escape. The decoder drops the "
    "line. To begin a line of text with `@`, write `@@`.",
    bad="@user\nWho is it?\n@42\n",
    good="@user\nWho is it?\n@@42\n",
    rank=Rank.STRUCTURE,
    fix="stf.escaped_line",
    remedy="Doubles the header character, so that the line is text of its message. Unsafe: a command may be meant.",
)
S006_UNEXPECTED_END: Final = error(
    "Unexpected 'end' command\nno block is open\nremove this line",
    reference="end",
    about="An `@end` has no block to end. Only block commands, such as `@raw`, have an end. A message ends where the "
    "next one begins.",
    bad="@user\nHello\n@end\n",
    good="@raw\n{role: 'user', content: 'Hello'}\n@end\n",
    fixed="@user\nHello\n",
    rank=Rank.STRUCTURE,
    fix="stf.removed_end",
    remedy="Removes the line. Safe, unless an unknown command is above it in the message: the line may end the block "
    "of that command.",
)
S007_UNTERMINATED_BLOCK: Final = error(
    "Unterminated '{name}' command\nthe rest of the text becomes its data\nclose it with '{header}end'",
    reference="unterminated",
    unfinished=True,
    about="A block command has no `@end`. All lines up to the end of the text are data of the block, commands and "
    "messages included.",
    bad="@user\nHello\n@raw\n{role: 'assistant', content: 'Hi'}\n",
    good="@user\nHello\n@raw\n{role: 'assistant', content: 'Hi'}\n@end\n",
    rank=Rank.STRUCTURE,
    fix="stf.ended_block",
    remedy="Ends the block at the end of the text. Unsafe: the content of the block is then read, and only the author "
    "knows whether it is complete.",
)
S008_MISSING_DATA_LINE: Final = error(
    "'{name}' command requires a data line after it\nthe command does nothing\nwrite its data on the next line",
    reference="unterminated",
    about="A line command has no data line. `@call` and `@embed` apply to the next line. Without it they do nothing. "
    "Comments are allowed between the two, commands are not.",
    bad="@ai\nLet me look.\n@call name=look\n@user\nDo!\n",
    good="@ai\nLet me look.\n@call name=look\n{}\n@user\nDo!\n",
    by_hand="stf.given_data",
)
S009_DATA_BEFORE_MESSAGE: Final = error(
    "Unexpected data line before a message\nthe line is lost\nbegin a message above it",
    cases={
        "line-command": Case(
            "'{name}' command requires an active message\nit is lost with its data line\nbegin a message above it",
            reference="no_message",
        ),
        "block-command": Case(
            "'{name}' command requires an active message\nit does nothing\nbegin a message above it",
            reference="no_message",
        ),
    },
    reference="unexpected_data",
    about="Text is outside all messages. It belongs to no message and is lost, with the calls and blocks in it: "
    "before the first message, and after `@raw` … `@end` and `;flush`. Only the first such line is reported. With a "
    "default role in the settings, the text is a message of that role, and nothing is reported.",
    bad="Hello\n@ai\nHi\n",
    good="@user\nHello\n@ai\nHi\n",
    rank=Rank.STRUCTURE,
    fix="stf.begun_message",
    remedy="Begins a user message before the line, or an assistant message before a `@call`. Unsafe: only the author "
    "knows who wrote the text.",
)
S010_COMMAND_IN_BLOCK: Final = error(
    "Command '{name}' inside a '{block}' block\nthe line is dropped\nend the block before it",
    runtime=_IN_BLOCK,
    cases={
        "ends-block": Case(
            "Command '{name}' inside a '{block}' block\nit ends the block\nwrite '{header}end' before it",
            runtime=_IN_BLOCK,
        )
    },
    reference="nested_command",
    about="A command comes between a block command and its `@end`. Only comments are allowed there. A command that "
    "begins a message ends the block; any other is dropped. Often the `@end` is missing.",
    bad="@raw\n@call name=look\n{role: 'user', content: 'Hi'}\n@end\n",
    good="@raw\n{role: 'user', content: 'Hi'}\n@end\n@ai\n@call name=look\n{}\n",
    by_hand="stf.ended_before",
)
S101_INVALID_ARGUMENT_KEY: Final = error(
    "Argument key must start with [a-z]\n" + _NO_KEY + "\ncorrect the key",
    cases={
        "character": "Argument key must match {pattern}\n" + _NO_KEY + "\ncorrect the key",
        "no-equals": "Expected '=' after argument key\n" + _NO_KEY + "\ncorrect the key",
    },
    reference="args",
    about="The key of an argument contains invalid characters. The argument is not read. Keys consist of lower-case "
    "letters, digits and `_`, begin with a letter and have at least two characters.",
    bad="@user Name=Ada\nHello\n",
    good="@user name=Ada\nHello\n",
    by_hand="stf.removed_argument",
)
S102_MISSING_EQUALS: Final = error(
    "Expected '=' after argument key\nthe argument is not read\nwrite {key}=value, or remove it",
    reference="args",
    about="An argument has no `=`. The argument is not read. Text does not belong on the line of a command: write it "
    "on the next line.",
    bad="@user hello there\n",
    good="@user\nhello there\n",
    by_hand="stf.removed_argument",
)
S103_MISSING_ARGUMENT_VALUE: Final = error(
    "Expected value after '='\nthe argument is not read\ngive {key} a value",
    cases={"no-key": "Expected value after '='\nthe argument is not read\ngive it a value"},
    reference="args",
    about="An argument has no value. The argument is not read. Write an empty value with quotes.",
    bad="@user name=\nHello\n",
    good="@user name=''\nHello\n",
    by_hand="stf.removed_argument",
)
S104_UNTERMINATED_STRING: Final = error(
    "Unterminated quoted string\nthe rest of the line is not read\nclose it with {quote}",
    reference="args",
    unfinished=True,
    about="A quote is opened and not closed on the same line. The rest of the line is not read: neither this value nor "
    "the arguments after it.",
    bad="@user name='Ada id=1\nHello\n",
    good="@user name='Ada' id=1\nHello\n",
    fix="stf.closed_string",
    remedy="Closes the quote before the next `key=`, or else at the end of the line. Unsafe: only the author knows "
    "where the value ends.",
)
S105_DUPLICATE_ARGUMENT: Final = error(
    "Duplicate argument key '{key}'\nthe first one counts\nremove this one",
    reference="args",
    about="An argument is given twice. The first one counts, and this one is lost.",
    bad="@user name=Ada name=Grace\nHello\n",
    good="@user name=Ada id=Grace\nHello\n",
    fixed="@user name=Ada\nHello\n",
    fix="stf.removed_repetition",
    remedy="Removes the later argument, which has no effect. Safe if both values are equal; otherwise only the author "
    "knows which one was meant.",
)
S106_INVALID_JSON5: Final = error(
    "{error}\nnone of this JSON5 is read\ncorrect it",
    cases={
        "too-deep": "{error}\nnone of it is read\nnest the values less deeply",
        "too-long": "arguments longer than {limit} characters are not read here\ntheir keys are not checked\n"
        "shorten them",
        "string": Case("Invalid quoted string: {error}\nthe value is not read\ncorrect the string", reference="args"),
        "block": "{error}\nthe '{name}' command does nothing\ncorrect the JSON5",
    },
    reference="json5",
    about="The arguments, or a string among them, are not JSON5. None of it is read. The message is the one of "
    "llm-msg-io, with line and column inside the JSON5.",
    bad="@user {name: 'Ada'\nHello\n",
    good="@user {name: 'Ada'}\nHello\n",
    by_hand="stf.removed_json5",
)
S107_ARGUMENTS_NOT_AN_OBJECT: Final = error(
    "{key} must be a string (was {was})\nthe argument is dropped\nquote its value",
    cases={
        "no-name": "name must be a string (was missing)\nthe call has no name\nadd name=…",
        "embed-type": 'type must be "audio", "file" or "image" (was "{was}")\nit is read as "file"\nwrite one of these',
    },
    reference="schema",
    about="An argument has a value of the wrong type. The arguments of messages and calls are strings. Any other value "
    "is dropped. A `@call` must have a name, and the type of an `@embed` is `audio`, `file` or `image`.",
    bad="@user {name: 5}\nHello\n@ai\n@call name=look\n{}\n",
    good="@user {name: '5'}\nHello\n@ai\n@call name=look\n{}\n",
    by_hand="stf.quoted",
)
S108_UNKNOWN_ARGUMENT: Final = warning(
    "Unknown argument '{key}'\nits value is not read\n'{name}' takes {known}",
    cases={
        "takes-none": "Unknown argument '{key}'\nits value is not read: '{name}' takes no arguments\nremove it",
        "embed-url": "Unknown argument '{key}'\nits value is not read: the data line is the URL\nremove it",
    },
    about="A command does not read one of its arguments. The value is silently lost. Often the key is misspelt. "
    "`@embed` keeps all arguments but `url`, which its data line gives.",
    bad="@user nmae=Ada\nHello\n",
    good="@user name=Ada\nHello\n",
    fix="stf.nearest_key",
    remedy="Writes the most similar key that the command reads, unless it has that argument already. Unsafe: the "
    "message gets another value.",
)
S109_STRAY_QUOTE: Final = error(
    "Unquoted value cannot end with quotes\nthe value is not read\nquote all of it",
    reference="args",
    about="An unquoted value ends with a quote. The value is not read. Usually the opening quote is missing.",
    bad="@user name=Ada'\nHello\n",
    good="@user name='Ada'\nHello\n",
    fix="stf.quoted_value",
    remedy="Puts the value in quotes. Unsafe: the message gets another value, and the quote may be part of it.",
)
S110_MISSING_BLANK: Final = warning(
    "Expected a space between arguments\nllmblocks reads both, other programs may not\nwrite a space here",
    reference="args",
    about="Nothing separates two arguments. llmblocks reads both. Simple Text Format requires a space between "
    "arguments, and other programs may not read them.",
    bad="@message role='user'name='Ada'\nHello\n",
    good="@message role='user' name='Ada'\nHello\n",
    fix="stf.added_blank",
    remedy="Adds a space. Safe: both arguments are read already.",
)
S201_MESSAGE_WITHOUT_ROLE: Final = error(
    "Attempt to create a new message without a role\nthe role is empty\nadd role=…",
    reference="no_role",
    about="A message has no role. `@message` takes the role of the message above it, unless it names a role. There is "
    "no message above the first one, nor after `@raw` … `@end` or `;flush`. The role is then empty, and most services "
    "reject the message.",
    bad="@message\nHello\n",
    good="@message role=user\nHello\n",
    by_hand="stf.given_role",
)
S202_INVALID_RAW_MESSAGE: Final = error(
    "{misfit}\nthe whole message is dropped\ncorrect this value",
    reference="schema",
    about="A raw message has the wrong shape. The whole message is dropped. It must be an object with `role`, a "
    "string, and `content`, a string or an array of parts. The editor does not read blocks longer than 65,536 "
    "characters; decoding reads all.",
    bad="@raw\n{role: 'user', content: 5}\n@end\n",
    good="@raw\n{role: 'user', content: '5'}\n@end\n",
    by_hand="stf.quoted",
)
S203_DUPLICATE_MESSAGE_ID: Final = information(
    "Duplicate message id: {id}\na program that looks up the id finds two messages\ngive this one a unique id",
    about="Two messages have the same id. Decoding accepts it, but a program that looks up a message by its id finds "
    "two.",
    bad="@user id=q1\nHello\n@ai id=q1\nHi\n",
    good="@user id=q1\nHello\n@ai id=a1\nHi\n",
    by_hand="stf.other_id",
)
S204_INVALID_CALL_ARGUMENTS: Final = error(
    "the arguments of a call must be an object\nthe tool may refuse them\nwrite a JSON5 object",
    cases={
        "json5": Case("{error}\n" + _KEPT + "\ncorrect the JSON5", reference="json5"),
        "number": "JSON has no NaN and no Infinity\n" + _KEPT + "\nwrite null or a string",
    },
    reference="schema",
    about="The data line of a call is not a JSON5 object. The call keeps the line as text, and the tool gets arguments "
    "that it cannot read.",
    bad="@ai\n@call name=look\n{at: holiday.png}\n",
    good="@ai\n@call name=look\n{at: 'holiday.png'}\n",
    by_hand="stf.quoted",
)
S205_EMBED_NOT_FOUND: Final = warning(
    "File not found: {path}\nnothing is embedded\nwrite a URL, or a path relative to the folder of this file",
    about="An embedded file does not exist. The data line of `@embed` is a URL or a path. A relative path starts at "
    "the folder of the document. URLs, paths that begin with `~` or contain `%`, paths of another computer or system, "
    "and texts without a file name are not checked. An editor looks for the file when the path changes, when the "
    "document is opened or saved, and when a file of a common kind, such as a PNG image, is created or deleted.",
    files=(("holiday.png", ""),),
    bad="@user\n@embed type=image\nholidays.png\n",
    good="@user\n@embed type=image\nholiday.png\n@embed type=image\nhttps://example.com/holiday.png\n",
    by_hand="stf.removed_embed",
)
S206_REPEATED_KEY: Final = error(
    "Repeated key '{key}'\nthe last one counts, and the value of the one before is lost\nremove one of them",
    reference="json5",
    about="An object in JSON5 gives a key twice. The last value counts, as in JavaScript, and the others are lost. "
    "That holds for arguments, for the data line of a call, and for blocks.",
    bad="@user {name: 'Ada', name: 'Grace'}\nHello\n",
    good="@user {name: 'Ada', id: 'Grace'}\nHello\n",
    fixed="@user {name: 'Grace'}\nHello\n",
    fix="stf.removed_member",
    remedy="Removes the earlier value, which has no effect. Only the author knows which one was meant.",
)
S301_CARRIAGE_RETURN: Final = information(
    "CRLF line ends\nSimple Text Format strongly recommends LF\nconvert the document",
    cases={
        "kept": Case(
            "CRLF line ends\nin this dialect, each line keeps its carriage return\nconvert the document", Severity.ERROR
        )
    },
    once=True,
    about="Lines end with CRLF. The `@` dialect reads both CRLF and LF, and recommends LF: tools that split at LF keep "
    "a `\\r` at the end of each line. In the `;` dialect the `\\r` belongs to the line, so a command line has it in "
    "its last argument, and this is an error. Only the first line end of a document is reported.",
    bad="@user\r\nHello\r\n",
    good="@user\nHello\n",
    rank=Rank.LINE_ENDS,
    fix="texts.line_feeds",
    remedy="Ends all lines of the document with LF. In the `@` dialect no value changes; in the `;` dialect values "
    "lose their carriage returns. Unsafe: your editor, or git, may be set to write CRLF again.",
    whole=True,
)
S302_MIXED_DIALECT: Final = warning(
    "'{written}' is text here\ncommands of this document begin with '{header}'\n"
    "write {header}{name} if you mean a command",
    about="A line of text would be a command in the other dialect. A document has one dialect. A command of the other "
    "is text of the message around it, so two messages become one. Only complete command lines without a space after "
    "the first character are reported; `@tool wear` and `; user` count as prose or code.",
    bad="@user\nHello\n;assistant\nHi\n",
    good="@user\nHello\n@assistant\nHi\n",
    by_hand="stf.own_dialect",
)
S303_BYTE_ORDER_MARK: Final = error(
    "Unexpected data line before a message\na byte-order mark hides the first line from other programs\nremove it",
    reference="unexpected_data",
    about="The text begins with a byte-order mark. llm-msg-io reads it as part of the first line, which is then no "
    "longer a command. Some editors write the mark: save the file as UTF-8 without a signature.",
    bad="\ufeff@user\nHello\n",
    good="@user\nHello\n",
    rank=Rank.LINE_ENDS,
    fix="stf.removed_mark",
    remedy="Removes the mark. Safe: llmblocks reads the text without it.",
)
RULES: Final = rules_in(globals(), "stf")

"""Every sentence of the document of Simple Text Format (the `@` dialect), with its example as input."""

from __future__ import annotations

from typing import Any

import pytest

from formats.stf.stf_pieces import Streamed
from llmblocks.stf import EmbedPart, Message, TextPart, ToolCall, decode


def read(text: str, **options: Any) -> list[Message]:
    """Return the messages of a text in which nothing is wrong."""
    transcript = decode(text, dialect="@", **options)
    assert transcript.findings == ()
    return transcript.messages


def codes(text: str) -> list[tuple[str, str]]:
    """Return the code of each finding, and the text that it points at."""
    return [(f.code, text[f.start : f.end]) for f in decode(text, dialect="@").findings]


# Examples


def test_the_example_is_a_conversation() -> None:
    text = "@user\nHi! Who are you?\n@ai\nHello, I'm an AI, based on a large language model.\n"
    assert read(text) == [
        Message("user", "Hi! Who are you?"),
        Message("assistant", "Hello, I'm an AI, based on a large language model."),
    ]


# File Structure


def test_both_line_separators_end_a_line() -> None:
    assert read("@user\r\na\r\nb\nc\r\n\r\n@ai\r\nd\r\n") == [Message("user", "a\nb\nc\n"), Message("assistant", "d")]


def test_a_carriage_return_that_ends_no_line_is_content() -> None:
    assert read("@user\na\rb\r") == [Message("user", "a\rb\r")]
    assert read("@user\r\na\r") == [Message("user", "a\r")]
    assert read("@user\na\r\r\nb") == [Message("user", "a\r\nb")]


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_nothing_else_ends_a_line(separator: str) -> None:
    assert read(f"@user\na{separator}@ai") == [Message("user", f"a{separator}@ai")]


def test_the_newline_that_ends_the_last_line_is_not_a_content() -> None:
    assert read("@user\nhi\n") == read("@user\nhi") == read("@user\r\nhi\r\n") == [Message("user", "hi")]
    assert read("@user\nhi\n\n") == [Message("user", "hi\n")]
    assert read("@user\n") == read("@user\n\n") == [Message("user", "")]
    assert read("@user\n\n\n") == [Message("user", "\n")]


def test_a_line_without_the_prefix_is_data() -> None:
    assert read("@user\n user\nx @ai\n\t@ai\n") == [Message("user", " user\nx @ai\n\t@ai")]


def test_there_may_be_spaces_between_the_prefix_and_others() -> None:
    assert read("@ \t user\na\n@\t# c\n@ /*\n@\t*/\n@ \tai\nb") == [Message("user", "a"), Message("assistant", "b")]


def test_a_doubled_prefix_is_data_that_begins_with_one() -> None:
    assert read("@user\n@@ai\n@@@\n@@\na@@b") == [Message("user", "@ai\n@@\n@\na@@b")]
    assert codes("@user\n@ @x\n") == [("S005", "@ @x")]


# Comment


@pytest.mark.parametrize("data", ["user", "/*", "*/", "@a"])
def test_a_doubled_prefix_in_the_data_of_a_call_is_one(data: str) -> None:
    (message,) = decode(f"@ai\n@call name=f\n@@{data}\n").messages
    assert message.tool_calls == [ToolCall("f", f"@{data}")]


def test_the_example_of_comments_keeps_what_is_not_ignored() -> None:
    text = (
        "@user\n"
        "@# This is a comment.\n"
        "@ // This is also a comment.\n"
        "# This is *NOT* a comment.\n"
        "\n"
        "@ /* A comment block is starting.\n"
        "This line is ignored.\n"
        "@/* A nested comment block is starting.\n"
        "This line is ignored.\n"
        "@*/\n"
        "Still inside a comment block.\n"
        "@ */ Any text on a command line ending a comment block is also ignored.\n"
        "This line is not ignored.\n"
    )
    assert read(text) == [Message("user", "# This is *NOT* a comment.\n\nThis line is not ignored.")]


def test_a_comment_does_not_break_a_message() -> None:
    assert read("@user\n@# c\nb") == read("@user\n@/*\n@*/\nb") == read("@user\nb\n@# c") == [Message("user", "b")]
    assert read("@user\na\n@# c\nb\n@/*\nx\n@*/\n\n@// d\nc") == [Message("user", "a\nb\n\nc")]


def test_commands_inside_a_comment_block_are_ignored() -> None:
    assert read("@/*\n@ai\n@nonsense =\n@!!\n@\n@@*/\n@# */\n@*/\n@user\nx") == [Message("user", "x")]


def test_a_comment_that_ends_on_its_own_line_is_still_open() -> None:
    assert read("@/* c */\n@user\n@*/\n@ai\nx") == [Message("assistant", "x")]


def test_an_unmatched_comment_end_is_an_error() -> None:
    assert codes("@user\n@*/\n@/*\n@*/\n@ */ x\n") == [("S001", "@*/"), ("S001", "@ */ x")]


def test_a_comment_that_never_ends_is_reported_where_the_outermost_open_one_begins() -> None:
    assert codes("@/* a\n@*/\n@/* b\n@/* c\n@/* d\n@*/\n") == [("S002", "@/* b")]


# Command


@pytest.mark.parametrize(
    ("command", "role"),
    [
        ("user", "user"), ("assistant", "assistant"), ("ai", "assistant"), ("system", "system"), ("sys", "system"),
        ("developer", "developer"), ("dev", "developer"), ("tool", "tool"),
        ("message role=x", "x"), ("msg role=x", "x"),
    ],
)  # fmt: skip
def test_every_command_of_the_list_starts_its_message(command: str, role: str) -> None:
    assert read(f"@{command}\nx\n") == [Message(role, "x")]


def test_names_are_in_lower_case() -> None:
    text = "@USER\nx\n@Ai\ny\n"
    assert codes(text) == [("S004", "USER"), ("S004", "Ai")]
    assert decode(text).messages == [Message("user", "x"), Message("assistant", "y")]


def test_a_name_that_no_command_has_is_an_error() -> None:
    text = "@user\na\n@users\n@user2 =\nb"
    assert codes(text) == [("S003", "users"), ("S101", "="), ("S103", ""), ("S003", "user2")]
    assert decode(text).messages == [Message("user", "a\nb")]


@pytest.mark.parametrize("name", ["meta", "extra", "flush"])
def test_a_command_that_only_the_other_dialect_has_is_reported_as_that(name: str) -> None:
    (finding,) = decode(f"@user\n@{name}\n").findings
    assert str(finding.message).startswith(f"Unknown command '{name}' — only the ';' dialect has it")


@pytest.mark.parametrize("line", ["@", "@ ", "@1user", "@-user", "@_user", "@éuser", "@/", "@ @x", "@*", "@*x/"])
def test_a_line_that_is_not_a_command_is_an_error(line: str) -> None:
    assert codes(f"@user\n{line}\nx\n") == [("S005", line)]
    assert decode(f"@user\n{line}\nx\n").messages == [Message("user", "x")]


def test_the_three_ways_to_start_a_user_message_are_the_same() -> None:
    assert read("@user\n") == read("@msg role=user\n") == read("@msg {role:'user'}\n") == [Message("user")]


# Arguments


def test_arguments_are_a_list_separated_by_spaces() -> None:
    (message,) = read("@msg \trole=user\t name=Jo  id=1 call_id=c\t \nx")
    assert message == Message("user", "x", id="1", name="Jo", call_id="c")


def test_arguments_without_a_blank_between_them_are_an_error_and_are_read() -> None:
    text = "@msg role='user'name='x'\nhi\n"
    (finding,) = decode(text).findings
    assert (finding.code, finding.start, finding.line) == ("S110", text.index("name"), 1)
    assert decode(text).messages == [Message("user", "hi", name="x")]
    assert Streamed(list(text)).findings == (finding,)
    assert decode(text.replace("@", ";"), dialect=";").findings == ()


def test_there_may_be_spaces_before_a_key_around_equals_and_after_a_value() -> None:
    assert read("@msg   role =\tuser   name= 'x'  \n") == [Message("user", name="x")]


@pytest.mark.parametrize("key", ["Name", "NAME", "n", "_name", "1name", "na-me", "é", "na.me"])
def test_a_key_that_does_not_match_is_an_error(key: str) -> None:
    text = f"@user {key}=x id=1\n"
    assert codes(text) == [("S101", key)]
    assert decode(text).messages == [Message("user", id="1")]


@pytest.mark.parametrize("value", ["a", "a=b", "{a}", 'a"b', "#", "//", "\\", "日本", "\u00a0", "[1]", "1,", "@"])
def test_a_value_is_any_string_without_spaces(value: str) -> None:
    assert read(f"@user name={value} id=1\n") == [Message("user", name=value, id="1")]


@pytest.mark.parametrize(
    ("quoted", "value"),
    [
        ("'a b'", "a b"), ('"a\tb"', "a\tb"), ('"a\\"b\\n\\u0041\\x41"', 'a"b\nAA'), ("''", ""), ("'\"'", '"'),
        ("'\\'", None), ('"ab', None), ("'", None), ("'a b", None), ('"\\', None),
    ],
)  # fmt: skip
def test_a_value_in_quotes_is_a_json5_string(quoted: str, value: str | None) -> None:
    text = f"@user name={quoted}\n"
    if value is None:
        assert codes(text) == [("S104", quoted)]
    else:
        assert read(text) == [Message("user", name=value)]


def test_a_quoted_value_stays_on_one_line() -> None:
    assert codes('@user name="a\\\nb"\n') == [("S104", '"a\\')]


def test_a_quoted_value_that_is_not_a_json5_is_reported_where_it_goes_wrong() -> None:
    assert codes("@user name='a\\u00'\n") == [("S106", "'")]
    assert codes("@user name='a\\1'\n") == [("S106", "1")]
    (finding,) = decode(";user name='a\\1'").findings
    assert finding.kind == "args"
    assert str(finding.message).startswith("Invalid quoted string: JSON5: invalid character '1' at 1:4")


def test_a_value_that_only_ends_in_a_quote_is_an_error() -> None:
    assert codes("@user name=ab' id=1\n") == [("S109", "ab'")]


def test_what_is_missing_is_reported_where_it_should_be() -> None:
    assert [(f.code, f.start, f.end) for f in decode("@user name\n").findings] == [("S102", 10, 10)]
    assert [(f.code, f.start, f.end) for f in decode("@user name= \n").findings] == [("S103", 11, 11)]


def test_prose_after_a_command_is_one_error() -> None:
    assert codes("@user hello there, how are you\n") == [("S102", "")]


def test_the_first_of_two_equal_keys_counts() -> None:
    text = "@user name=a name=b\n"
    (finding,) = decode(text).findings
    assert (finding.code, text[finding.start : finding.end]) == ("S105", "name")
    assert [text[r.start : r.end] for r in finding.related] == ["name"]
    assert finding.start > finding.related[0].start
    assert decode(text).messages == [Message("user", name="a")]


def test_arguments_may_be_a_json5_object_with_comments() -> None:
    assert read("@msg {role:'user', /* c */ \"name\": 'x',} // t\nx") == [Message("user", "x", name="x")]
    assert read("@msg{role:'user'}\n") == [Message("user")]


def test_a_role_given_to_a_command_that_has_one_counts_for_nothing() -> None:
    assert read("@user role=ai\n@user {role:5}\n") == [Message("user"), Message("user")]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("{role:", ("S106", "")),
        ("{role:'user'} x", ("S106", "x")),
        ("{role:'user'", ("S106", "")),
        ("{role:5}", ("S107", "5")),
        ("{role:'u', name:{a:[1]}}", ("S107", "{a:[1]}")),
        ("[1]", ("S101", "[1]")),
        ("'role'", ("S101", "'role'")),
    ],
)
def test_what_is_not_an_object_of_strings_is_reported(arguments: str, found: tuple[str, str]) -> None:
    assert codes(f"@msg {arguments}\nx\n") == [found]


# Modes


def test_a_message_command_starts_a_message() -> None:
    assert read("@user\na\n@user\nb\n@user\n") == [Message("user", "a"), Message("user", "b"), Message("user")]


def test_a_message_without_a_role_has_the_role_before_it() -> None:
    assert read("@msg role=critic name=A\na\n@msg\nb") == [Message("critic", "a", name="A"), Message("critic", "b")]
    assert codes("@msg\nx\n") == [("S201", "msg")]
    assert decode("@msg\nx\n").messages == [Message("", "x")]


@pytest.mark.parametrize("name", ["call name=n", "embed type=image"])
def test_a_line_command_needs_a_data_line(name: str) -> None:
    word = name.split()[0]
    assert codes(f"@ai\n@{name}\n@user\nx\n") == [("S008", word)]
    assert codes(f"@ai\n@{name}\n") == [("S008", word)]
    assert codes(f"@ai\n@{name}\n@# only a comment\n") == [("S008", word)]


@pytest.mark.parametrize("comment", ["@# c\n", "@// c\n", "@/*\nx\n@call\n@*/\n"])
def test_comments_may_stand_between_a_line_command_and_its_line(comment: str) -> None:
    assert read(f"@ai\n@call name=n\n{comment}{{}}\nx\n") == [
        Message("assistant", "x", tool_calls=[ToolCall("n", "{}")])
    ]


def test_the_end_command_ends_a_block() -> None:
    assert read("@raw\n{role:'u',\ncontent:'c'}\n@end of it\n") == [Message("u", "c")]
    assert codes("@user\nx\n@end\n") == [("S006", "end")]


def test_a_block_without_an_end_is_reported_and_read_as_far_as_it_goes() -> None:
    text = "@raw\n{role:'u',content:'c'}\n"
    assert codes(text) == [("S007", "raw")]
    assert decode(text).messages == [Message("u", "c")]


def test_a_command_inside_a_block_is_an_error() -> None:
    text = "@raw\n{role:'u',content:'c'}\n@user\nx\n"
    assert codes(text) == [("S010", "user")]
    assert decode(text).messages == [Message("u", "c"), Message("user", "x")]
    text = "@raw\n{role:'u',\n@call\ncontent:'c'}\n@End\n"
    assert codes(text) == [("S010", "call"), ("S004", "End")]
    assert decode(text).messages == [Message("u", "c")]


# raw


def test_a_raw_message_may_hold_anything_that_a_message_holds() -> None:
    text = """@user
a
@raw
{
  role: 'assistant', // comments of JSON5
@# and of the format
  content: [{type: 'text', text: 'x'}, {type: 'image', url: 'u', mime: 'image/png', x: 1}],
  tool_calls: [{name: 'n', arguments: '{}', id: 'c'}],
  reasoning: 'r', refusal: 'f', extra: {a: [1]}, foo: NaN,
}
@end
@msg role=x
"""
    user, raw, last = read(text)
    assert (user, last) == (Message("user", "a"), Message("x"))
    assert raw.content == [TextPart("x"), EmbedPart("image", "u", "image/png", more={"x": 1})]
    assert raw.tool_calls == [ToolCall("n", "{}", id="c")]
    assert (raw.reasoning, raw.refusal, raw.extra) == ("r", "f", {"a": [1]})
    assert raw.more is not None
    assert list(raw.more) == ["foo"]


def test_a_raw_message_ends_the_one_before_it_and_itself() -> None:
    text = "@user\na\n@raw\n{role:'u',content:'c'}\n@end\nb\n@msg\nc\n"
    assert codes(text) == [("S009", "b"), ("S201", "msg")]


def test_what_is_wrong_in_a_raw_message_is_reported_in_its_place() -> None:
    text = "@raw\n{role:1,\n@# c\n content:[{type:'nope'}]}\n@end\n"
    assert codes(text) == [("S202", "1"), ("S202", "'nope'")]
    assert [f.line for f in decode(text).findings] == [2, 4]
    text = "@raw\n{role:'u',\n@# c\n@@}\n@end\n"
    assert codes(text) == [("S106", "@")]
    assert decode(text).findings[0].line == 4
    assert codes("@raw\r\n{role:'u',\r\n;}\r\n@end\r\n") == [("S106", ";")]


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ("{role:'u',content:{}}", "content must be a string or an array (was an object)"),
        ("{role:'u',content:5}", "content must be a string or an object (was a number)"),
        ("{role:'u',content:'',reasoning:{}}", "reasoning must be a string or an array (was an object)"),
        ("{role:[],content:''}", "role must be a string (was an array)"),
    ],
)
def test_a_complaint_names_what_must_be_there_and_what_is(message: str, complaint: str) -> None:
    (finding,) = decode(f"@raw\n{message}\n@end\n").findings
    assert str(finding.message) == f"{complaint} — the whole message is dropped; correct this value"


# call


def test_a_call_takes_the_next_data_line_as_its_arguments() -> None:
    text = """@ai
Let me see.
@call name=look id=c1
{"at":  1}
@call {name:'wait', call_id:'c2'}
{for: 'it', n: +1,}
Done.
"""
    assert read(text) == [
        Message(
            "assistant",
            "Let me see.\nDone.",
            tool_calls=[ToolCall("look", '{"at":  1}', id="c1"), ToolCall("wait", '{"for":"it","n":1}', call_id="c2")],
        )
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [("{a:", ("S204", "")), ("", ("S204", "")), ("[1]", ("S204", "[1]")), ("{a:NaN}", ("S204", "{a:NaN}"))],
)
def test_a_data_line_that_is_not_an_object_is_reported(line: str, found: tuple[str, str]) -> None:
    text = f"@ai\n@call name=n\n{line}\n@user\n"
    assert codes(text) == [found]
    (call,) = decode(text).messages[0].tool_calls or []
    assert call.arguments == line


def test_a_call_needs_a_name_and_a_message() -> None:
    assert codes("@ai\n@call id=1\n{}\n") == [("S107", "call")]
    assert codes("@call name=n\n{}\n") == [("S009", "call")]


# embed


def test_an_embed_is_a_part_of_the_content_in_its_place() -> None:
    text = "@user\nLook at\nthis:\n@embed type=image mime=image/png detail=low\n@@a b.png\n@embed\nc.pdf\n\nWell?\n"
    assert read(text) == [
        Message(
            "user",
            [
                TextPart("Look at\nthis:"),
                EmbedPart("image", "@a b.png", "image/png", more={"detail": "low"}),
                EmbedPart("file", "c.pdf"),
                TextPart("\nWell?"),
            ],
        )
    ]


def test_a_blank_line_beside_an_embed_is_not_a_part() -> None:
    assert read("@user\n\n@embed type=image\nu\n\n@embed type=audio\nv\n\n") == [
        Message("user", [EmbedPart("image", "u"), EmbedPart("audio", "v")])
    ]


def test_an_embed_of_another_type_is_an_error() -> None:
    assert codes("@user\n@embed type=video\nu\n") == [("S107", "video")]
    assert codes("@user\n@embed {type:1}\nu\n") == [("S107", "1")]
    assert codes("@embed type=image\nu\n") == [("S009", "embed")]


# Data outside messages, and what stands before everything


def test_blank_lines_may_stand_before_a_message() -> None:
    assert read(" \n\n\t\n@user\nx") == [Message("user", "x")]
    assert read("") == read("\n") == read(" \t\n\r\n") == []


def test_the_first_data_line_outside_a_message_is_an_error() -> None:
    assert codes("\na\nb\n@user\nx\n") == [("S009", "a")]
    assert codes("\r\na\r\nb\r\n") == [("S009", "a")]


def test_a_default_role_takes_data_that_is_before_a_message() -> None:
    assert read("\nx\n@# c\ny\n@ai\nz", default_role="user") == [Message("user", "\nx\ny"), Message("assistant", "z")]
    assert read(" \n\n", default_role="user") == []


def test_a_byte_order_mark_is_reported_and_skipped() -> None:
    text = "\ufeff@user\nx"
    assert codes(text) == [("S303", "\ufeff")]
    assert decode(text).messages == [Message("user", "x")]
    assert decode(text, default_role="user").messages == [Message("user", "x")]

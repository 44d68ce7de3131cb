"""Every sentence of the document of Simple Text Format (the `@` dialect), with its example as input."""

from __future__ import annotations

import pytest

from llmblocks.stf import EmbedPart, Message, TextPart, ToolCall, decode

U = Message("user")
COMMENTS = """@user
@# This is a comment.
@ // This is also a comment.
# This is *NOT* a comment.

@ /* A comment block is starting.
This line is ignored.
@/* A nested comment block is starting.
This line is ignored.
@*/
Still inside a comment block.
@ */ Any text on a command line ending a comment block is also ignored.
This line is not ignored.
"""
CALLS = """@ai
Let me see.
@call name=look id=c1
{"at":  1}
@call {name:'wait', call_id:'c2'}
{for: 'it', n: +1,}
Done.
"""
EMBEDS = "@user\nLook at\nthis:\n@embed type=image mime=image/png detail=low\n@@a b.png\n@embed\nc.pdf\n\nWell?\n"
RAW = """@user
a
@raw
{
  role: 'assistant', // comments of JSON5
@# and of the format
  content: [{type: 'text', text: 'x'}, {type: 'image', url: 'u', mime: 'image/png', x: 1}],
  tool_calls: [{name: 'n', arguments: '{}', id: 'c'}],
  reasoning: 'r', refusal: 'f', extra: {a: [1]},
}
@end
@msg role=x
"""

READ: dict[str, list[tuple[str, list[Message]]]] = {
    "lines": [
        ("@user\nHi! Who?\n@ai\nHello.\n", [Message("user", "Hi! Who?"), Message("assistant", "Hello.")]),
        ("@user\r\na\r\nb\nc\r\n\r\n@ai\r\nd\r\n", [Message("user", "a\nb\nc\n"), Message("assistant", "d")]),
        ("@user\na\rb\r", [Message("user", "a\rb\r")]),
        ("@user\na\r\r\nb", [Message("user", "a\r\nb")]),
        ("@user\na\x0b@ai\x0c@ai\x1c@ai\x85@ai\u2028@ai\u2029@ai",
         [Message("user", "a\x0b@ai\x0c@ai\x1c@ai\x85@ai\u2028@ai\u2029@ai")]),
        ("@user\nhi", [Message("user", "hi")]),
        ("@user\nhi\n\n", [Message("user", "hi\n")]),
        ("@user\n\n", [U]),
        ("@user\n\n\n", [Message("user", "\n")]),
        ("@user\n user\nx @ai\n\t@ai\n", [Message("user", " user\nx @ai\n\t@ai")]),
        ("@ \t user\na\n@\t# c\n@ /*\n@\t*/\n@ \tai\nb", [Message("user", "a"), Message("assistant", "b")]),
        ("@user\n@@ai\n@@@\n@@\na@@b", [Message("user", "@ai\n@@\n@\na@@b")]),
        (" \n\n\t\n@user\nx", [Message("user", "x")]),
        (" \t\n\r\n", []),
    ],
    "comments": [
        (COMMENTS, [Message("user", "# This is *NOT* a comment.\n\nThis line is not ignored.")]),
        ("@/*\n@ai\n@nonsense =\n@!!\n@\n@@*/\n@# */\n@*/\n@user\nx", [Message("user", "x")]),
    ],
    "commands": [
        ("@user\n@assistant\n@ai\n@system\n@sys\n@developer\n@dev\n@tool\n@msg role=x\n@message role=y", [
            *(U, *[Message("assistant")] * 2, *[Message("system")] * 2, *[Message("developer")] * 2),
            *(Message("tool"), Message("x"), Message("y"))]),
        ("@msg {role:'user'}\n@user role=ai\n@user {role:5}\n", [U, U, U]),
        ("@msg role=critic name=A\na\n@msg\nb", [Message("critic", "a", name="A"), Message("critic", "b")]),
    ],
    "arguments": [
        ("@msg \trole=user\t name=Jo  id=1 call_id=c\t \nx", [Message("user", "x", id="1", name="Jo", call_id="c")]),
        ("@msg {role:'user', /* c */ \"name\": 'x',} // t\nx", [Message("user", "x", name="x")]),
        ("@user name=J\ro", [Message("user", name="J\ro")]),
        ("@user\r\n@ai name=\rJ\ro\r\n", [U, Message("assistant", name="\rJ\ro")]),
    ],
    "blocks, calls and embeds": [
        (RAW, [Message("user", "a"), Message(
            "assistant", [TextPart("x"), EmbedPart("image", "u", "image/png", more={"x": 1})],
            tool_calls=[ToolCall("n", "{}", id="c")], reasoning="r", refusal="f", extra={"a": [1]}), Message("x")]),
        (CALLS, [Message("assistant", "Let me see.\nDone.", tool_calls=[
            ToolCall("look", '{"at":  1}', id="c1"), ToolCall("wait", '{"for":"it","n":1}', call_id="c2")])]),
        ("@ai\n@call name=n\n@# c\n@// c\n@/*\nx\n@call\n@*/\n{}\nx\n",
         [Message("assistant", "x", tool_calls=[ToolCall("n", "{}")])]),
        (EMBEDS, [Message("user", [
            TextPart("Look at\nthis:"), EmbedPart("image", "@a b.png", "image/png", more={"detail": "low"}),
            EmbedPart("file", "c.pdf"), TextPart("\nWell?")])]),
        ("@user\n\n@embed type=image\nu\n\n@embed type=audio\nv\n\n",
         [Message("user", [EmbedPart("image", "u"), EmbedPart("audio", "v")])]),
    ],
}  # fmt: skip

FOUND: dict[str, list[tuple[str, list[tuple[str, str]]]]] = {
    "comments": [
        ("@user\n@*/\n@/*\n@*/\n@ */ x\n", [("S001", "@*/"), ("S001", "@ */ x")]),
        ("@/* a\n@*/\n@/* b\n@/* c\n@/* d\n@*/\n", [("S002", "@/* b")]),
    ],
    "commands": [
        ("@USER\nx\n@Ai\ny\n", [("S004", "USER"), ("S004", "Ai")]),
        ("@user\na\n@users\n@user2 =\nb", [("S003", "users"), ("S101", "="), ("S103", ""), ("S003", "user2")]),
        *[
            (f"@user\n{line}\nx\n", [("S005", line)])
            for line in ("@", "@ ", "@1user", "@-user", "@_user", "@éuser", "@/", "@ @x", "@*", "@*x/")
        ],
    ],
    "arguments": [
        *[
            (f"@user {key}=x id=1\n", [("S101", key)])
            for key in ("Name", "NAME", "n", "_name", "1name", "na-me", "é", "na.me")
        ],
        *[(f"@user name={quoted}\n", [("S104", quoted)]) for quoted in ("'\\'", '"ab', "'", "'a b", '"\\')],
        ('@user name="a\\\nb"\n', [("S104", '"a\\')]),
        ("@user name='a\\u00'\n", [("S106", "'")]),
        ("@user name='a\\1'\n", [("S106", "1")]),
        ("@user name=ab' id=1\n", [("S109", "ab'")]),
        ("@msg role='user'name='x'\nhi\n", [("S110", "")]),
        ("@user id=1 id=2 id=3\n", [("S105", "id"), ("S105", "id")]),
        ("@user id=1 id='2 id=3\n", [("S104", "'2 id=3")]),
        ("@user =1 id=2\n", [("S101", "=")]),
        ("@user id='a'name = 'b'call_id='c'\n", [("S110", ""), ("S110", "")]),
        ("@user id='a'name=\n", [("S110", ""), ("S103", "")]),
        ("@user id='a''b'\n", [("S101", "'b'")]),
        ("@user {id:'a'}name=b\n", [("S106", "n")]),
        ("@msg {role:'u', name:{a:[1]}}\nx\n", [("S107", "{a:[1]}")]),
        ("@msg 'role'\nx\n", [("S101", "'role'")]),
    ],
    "blocks": [
        ("@raw\n{role:'u',content:'c'}\n@user\nx\n", [("S010", "user")]),
        ("@raw\n{role:'u',\n@call\ncontent:'c'}\n@End\n", [("S010", "call"), ("S004", "End")]),
        ("@user\na\n@raw\n{role:'u',content:'c'}\n@end\nb\n@msg\nc\n", [("S009", "b"), ("S201", "msg")]),
        ("@raw\n{role:1,\n@# c\n content:[{type:'nope'}]}\n@end\n", [("S202", "1"), ("S202", "'nope'")]),
        ("@raw\n{role:'u',\n@# c\n@@}\n@end\n", [("S106", "@")]),
        ("@raw\r\n{role:'u',\r\n;}\r\n@end\r\n", [("S106", ";")]),
    ],
    "calls and embeds": [
        ("@ai\n@call name=n\n@user\nx\n", [("S008", "call")]),
        ("@ai\n@embed type=image\n@# only a comment\n", [("S008", "embed")]),
        ("@ai\n@call name=n\n{a:\n@user\n", [("S204", "")]),
        ("@ai\n@call name=n\n[1]\n@user\n", [("S204", "[1]")]),
        ("@ai\n@call name=n\n{a:NaN}\n@user\n", [("S204", "{a:NaN}")]),
        ("@ai\n@call id=1\n{}\n", [("S107", "call")]),
        ("@call name=n\n{}\n", [("S009", "call")]),
        ("@user\n@embed type=video\nu\n", [("S107", "video")]),
        ("@user\n@embed {type:1}\nu\n", [("S107", "1")]),
        ("@embed type=image\nu\n", [("S009", "embed")]),
    ],
    "text before everything": [
        ("\na\nb\n@user\nx\n", [("S009", "a")]),
        ("\r\na\r\nb\r\n", [("S009", "a")]),
        ("\ufeff@user\nx", [("S303", "\ufeff")]),
    ],
}


@pytest.mark.parametrize("section", READ)
def test_a_text_in_which_nothing_is_wrong_has_these_messages(section: str) -> None:
    for text, messages in READ[section]:
        transcript = decode(text, dialect="@")
        assert (transcript.findings, transcript.messages) == ((), messages), text


@pytest.mark.parametrize("section", FOUND)
def test_a_text_has_these_findings_at_these_places(section: str) -> None:
    for text, expected in FOUND[section]:
        findings = decode(text, dialect="@").findings
        assert [(each.code, text[each.start : each.end]) for each in findings] == expected, text
        assert [each.line for each in findings] == [text.count("\n", 0, each.start) + 1 for each in findings], text


GOES_ON: list[tuple[str, list[Message]]] = [
    ("@USER\nx\n@Ai\ny\n", [Message("user", "x"), Message("assistant", "y")]),
    ("@user\na\n@users\n@ @x\nb", [Message("user", "a\nb")]),
    ("@user na-me=x id=1\n", [Message("user", id="1")]),
    ("@user name=a name=b\n", [Message("user", name="a")]),
    ("@msg role='user'name='x'\nhi\n", [Message("user", "hi", name="x")]),
    ("@msg\nx\n", [Message("", "x")]),
    ("@raw\n{role:'u',content:'c'}\n@user\nx\n", [Message("u", "c"), Message("user", "x")]),
    ("@raw\n{role:'u',\n@call\ncontent:'c'}\n@End\n", [Message("u", "c")]),
    ("@ai\n@call name=n\n@@a\n", [Message("assistant", tool_calls=[ToolCall("n", "@a")])]),
    ("\ufeff@user\nx", [Message("user", "x")]),
]


def test_a_text_with_mistakes_is_read_as_far_as_it_goes() -> None:
    for text, messages in GOES_ON:
        assert decode(text).messages == messages, text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@user\n@meta\n", "Unknown command 'meta' — only the ';' dialect has it"),
        (";user\n;call\n", "Unknown command 'call' — only the '@' dialect has it"),
        (";user name='a\\1'", "Invalid quoted string: JSON5: invalid character '1' at 1:4"),
        ("@raw\n{role:'u',content:{}}\n@end\n", "content must be a string or an array (was an object) — the whole"),
        ("@raw\n{role:'u',content:5}\n@end\n", "content must be a string or an object (was a number) — the whole"),
        ("@raw\n{role:[],content:''}\n@end\n", "role must be a string (was an array) — the whole message is dropped"),
    ],
)
def test_a_finding_has_these_words(text: str, message: str) -> None:
    (finding,) = decode(text).findings
    assert str(finding.message).startswith(message)


def test_the_first_of_two_equal_keys_is_related() -> None:
    (finding,) = decode("@user name=a name=b\n").findings
    assert [(each.start, each.end) for each in finding.related] == [(6, 10)]


def test_a_default_role_takes_data_that_is_before_a_message() -> None:
    messages = [Message("user", "\nx\ny"), Message("assistant", "z")]
    assert decode("\nx\n@# c\ny\n@ai\nz", default_role="user").messages == messages
    assert decode(" \n\n", default_role="user").messages == []
    assert decode("\ufeff@user\nx", default_role="user").messages == [Message("user", "x")]

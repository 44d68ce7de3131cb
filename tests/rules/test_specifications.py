"""The examples of the formats' documents: correct ones have no finding, the others the one that is meant."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check
from llmblocks.facts.severity import Severity
from llmblocks.gadget import Markers

CALLS = {
    "basic structure": """\
!!!GADGET_START:GadgetName
!!!ARG:parameter_name
parameter_value
!!!ARG:another_param
another_value
!!!GADGET_END
""",
    "calculator gadget": """\
!!!GADGET_START:Calculator
!!!ARG:operation
multiply
!!!ARG:a
15
!!!ARG:b
23
!!!GADGET_END
""",
    "file writing with code": """\
!!!GADGET_START:WriteFile
!!!ARG:filePath
src/utils/calculator.ts
!!!ARG:content
export class Calculator {
  add(a: number, b: number): number {
    return a + b;
  }

  multiply(a: number, b: number): number {
    return a * b;
  }
}
!!!GADGET_END
""",
    "multiple gadgets in sequence": """\
I'll perform both calculations for you.

!!!GADGET_START:Calculator
!!!ARG:operation
add
!!!ARG:a
5
!!!ARG:b
3
!!!GADGET_END

Now let me multiply those values:

!!!GADGET_START:Calculator
!!!ARG:operation
multiply
!!!ARG:a
8
!!!ARG:b
4
!!!GADGET_END

The results are 8 and 32.
""",
    "complete example": """\
!!!GADGET_START:WriteFile:write_1
!!!ARG:filePath
src/calculator.ts
!!!ARG:content
export function add(a: number, b: number): number {
  return a + b;
}
!!!GADGET_END
""",
    "parallel execution": """\
!!!GADGET_START:FetchData:fetch_users
!!!ARG:url
https://api.example.com/users
!!!GADGET_END
!!!GADGET_START:FetchData:fetch_orders
!!!ARG:url
https://api.example.com/orders
!!!GADGET_END
!!!GADGET_START:MergeData:merge_1:fetch_users,fetch_orders
!!!ARG:format
json
!!!GADGET_END
""",
    "dependencies, on the site": """\
!!!GADGET_START:FetchData:fetch_users
!!!ARG:url
/api/users
!!!GADGET_END

!!!GADGET_START:FetchData:fetch_orders
!!!ARG:url
/api/orders
!!!GADGET_END

!!!GADGET_START:MergeData:merge_all:fetch_users,fetch_orders
!!!ARG:format
json
!!!GADGET_END
""",
    "a name and an id": "!!!GADGET_START:Calculator:calc_1\n!!!GADGET_END\n",
}
ARGUMENTS = {
    "simple parameters": "!!!ARG:filename\ncalculator.ts\n!!!ARG:language\ntypescript\n",
    "nested objects": "!!!ARG:config/timeout\n30\n!!!ARG:config/retries\n3\n",
    "arrays": "!!!ARG:items/0\nfirst\n!!!ARG:items/1\nsecond\n!!!ARG:items/2\nthird\n",
    "arrays of objects": (
        "!!!ARG:users/0/name\nAlice\n!!!ARG:users/0/age\n25\n!!!ARG:users/1/name\nBob\n!!!ARG:users/1/age\n30\n"
    ),
    "deeply nested structures": (
        "!!!ARG:data/settings/notifications/email/enabled\ntrue\n"
        "!!!ARG:data/settings/notifications/email/frequency\ndaily\n"
    ),
    "multiline values": (
        '!!!ARG:code\nfunction hello() {\n  console.log("Hello, World!");\n  return { key: "value" };\n}\n'
        "!!!ARG:filename\nexample.ts\n"
    ),
    "coerced values": "".join(
        f"!!!ARG:v{number}\n{value}\n"
        for number, value in enumerate(("true", "false", "42", "3.14", "-17", "-5", "hello"))
    ),
}
OWN_MARKERS = {
    "calculator": "<<<START:Calculator\n@param:a\n5\n@param:b\n3\n<<<END:\n",
    "floppy disk, on the site": "<<<START:FloppyDisk\n@param:filename\nDOOM.ZIP\n@param:megabytes\n50\n<<<END:\n",
}
CHATS = {
    "a chat": "@user\nHi! Who are you?\n@ai\nHello, I'm an AI, based on a large language model.\n",
    "arguments": "@user\n@msg role=user\n@msg {role:'user'}\n",
}
COMMENTS = """\
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
BLOCKS = {
    "overview": "<interpretation>insight</interpretation> or <done/>",
    "passthrough": 'text<citation url="...">quote</citation>more',
    "tag remapping": "<debug-info>x</debug-info>",
}
REGISTERED = Settings(tags=("interpretation", "done", "citation", "debug-info"))


def codes(text: str, language_id: str, settings: Settings | None = None) -> list[str]:
    return [each.code for each in check(text, language_id, settings)]


def called(arguments: str) -> str:
    return f"!!!GADGET_START:Example\n{arguments}!!!GADGET_END\n"


@pytest.mark.parametrize("name", CALLS)
def test_a_call_of_the_documents_has_no_finding(name: str) -> None:
    assert codes(CALLS[name], "gadget") == []
    assert codes(f"@user\nPlease.\n@ai\n{CALLS[name]}@user\nThanks.\n", "stf") == []


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_of_the_documents_have_no_finding_in_a_call(name: str) -> None:
    assert codes(called(ARGUMENTS[name]), "gadget") == []


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_of_the_documents_outside_any_call_are_rightly_g004(name: str) -> None:
    # the documents leave the call out
    assert codes(ARGUMENTS[name], "gadget") == ["G004"] * ARGUMENTS[name].count("!!!ARG:")


@pytest.mark.parametrize("name", OWN_MARKERS)
def test_a_call_with_the_markers_of_the_documents_has_no_finding(name: str) -> None:
    own = Settings(markers=Markers("<<<START:", "<<<END:", "@param:"))
    assert codes(OWN_MARKERS[name], "gadget", own) == []
    assert codes(OWN_MARKERS[name], "gadget") == []


def test_a_header_with_dependencies_that_nothing_gives_is_rightly_g111() -> None:
    header = "!!!GADGET_START:Summarize:sum_1:fetch_1,fetch_2\n!!!GADGET_END\n"
    given = "".join(f"!!!GADGET_START:Fetch:fetch_{number}\n!!!GADGET_END\n" for number in (1, 2))
    assert codes(header, "gadget") == ["G111", "G111"]
    assert codes(given + header, "gadget") == []


@pytest.mark.parametrize("name", CALLS)
def test_an_end_marker_that_is_left_out_is_not_a_mistake(name: str) -> None:
    # "The end marker is optional": G008 alone, which is not a warning
    found = check(CALLS[name].replace("!!!GADGET_END\n", ""), "gadget")
    assert {each.code for each in found} == {"G008"}
    assert {each.severity for each in found} <= {Severity.INFORMATION, Severity.HINT}


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ("!!!ARG:name\nAlice\n!!!ARG:name\nBob\n", "G101", "Duplicate pointer: name"),
        ("!!!ARG:items/0\nfirst\n!!!ARG:items/2\nthird\n", "G102", "Array index gap: expected 1, got 2"),
    ],
)
def test_an_error_of_the_documents_is_reported_in_their_words(arguments: str, code: str, says: str) -> None:
    (found,) = check(called(arguments), "gadget")
    assert (found.code, str(found.message).startswith(f"{says} — ")) == (code, True)


def test_markers_in_another_case_are_g003() -> None:
    assert codes("!!!gadget_start:G\n", "gadget") == ["G003"]
    assert (
        codes("!!!GADGET_START:G\n!!!ARG:a\n1\n!!!Arg:b\n2\n!!!GADGET_end\n!!!GADGET_END\n", "gadget") == ["G003"] * 2
    )


@pytest.mark.parametrize("name", CHATS)
def test_a_chat_of_the_document_has_no_finding(name: str) -> None:
    assert codes(CHATS[name], "stf") == []


def test_the_comments_of_the_document_have_no_finding_in_a_message_and_are_rightly_s009_outside() -> None:
    assert codes("@user\n" + COMMENTS, "stf") == []
    (found,) = check(COMMENTS, "stf")
    assert (found.code, COMMENTS[found.start : found.end]) == ("S009", "# This is *NOT* a comment.")


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("language_id", ["custom-blocks", "gadget", "stf"])
def test_a_block_of_the_document_has_no_finding(name: str, language_id: str) -> None:
    text = ("@ai\n" if language_id == "stf" else "") + BLOCKS[name]
    assert codes(text, language_id, REGISTERED) == []
    assert codes(text, language_id) == []

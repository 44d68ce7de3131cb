"""The roles whose messages hold gadget calls and custom blocks."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check, fix

CALL = "!!!GADGET_START:G\n!!!ARG:a/1\nx\n!!!GADGET_END\n"
BLOCK = "</think>\n"


def codes(text: str, calls: tuple[str, ...] = ("*",), blocks: tuple[str, ...] = ("*",), role: str = "") -> set[str]:
    found = check(text, "stf", Settings(gadget_roles=calls, block_roles=blocks, default_role=role))
    return {each.code for each in found}


@pytest.mark.parametrize(
    ("command", "holds"),
    [
        ("@ai\n", True),
        ("@assistant name=x\n", True),
        ("@user\n", False),
        ("@tool\n", False),
        ("@message role=ai\n", False),
        ("@message role=assistant\n", True),
        ("@message {role: 'assistant'}\n", True),
        ("@msg  role='user'\n", False),
        ("@ai\nx\n@msg\n", True),
        ("@ai\nx\n@call name=f\n@msg id=x\n", True),
        ("@user\nx\n@message id=x\n", False),
        ("@ai\nx\n@raw\n{role: 'user', content: ''}\n@end\n@message\n", False),
        (";ai\nx\n;flush\n;user\n", False),
        (";message role=assistant\n", True),
        (";ai\n;extra\n{}\n;end\n", True),
        ("@ai\n@# note\n", True),
    ],
)
def test_the_role_of_a_message_says_what_it_holds(command: str, holds: bool) -> None:
    assert ("G102" in codes(command + CALL, calls=("ai",))) is holds
    assert ("T002" in codes(command + BLOCK, blocks=("assistant",))) is holds
    assert "G102" in codes(command + CALL, blocks=("ai",))
    assert "T002" in codes(command + BLOCK, calls=("ai",))


def test_text_outside_of_messages_has_the_default_role() -> None:
    assert codes(CALL, calls=("ai",)) == {"S009"}
    assert codes(CALL, calls=("ai",), role="user") == set()
    assert "G102" in codes(CALL, calls=("ai",), role="assistant")
    assert codes("@message\n" + BLOCK, blocks=("ai",), role="user") == set()


@pytest.mark.parametrize("text", ["!!!GADGET_STRAT:G\n", "!!!gadget_start:G\n", "!!!GADGET_END\n", "!!!ARG:a\n"])
def test_what_is_nearly_a_marker_is_text_where_no_calls_are(text: str) -> None:
    assert codes(f"@user\nsee\n{text}", calls=("ai",)) == set()
    assert codes(f"@user\nsee <think>x</think>\n{text}", calls=("ai",)) == set()
    assert codes(f"@ai\nsee\n{text}", calls=("ai",)) != set()


def test_a_call_ends_with_its_message_though_the_next_one_or_no_role_holds_any() -> None:
    text = "@ai\n!!!GADGET_START:G\n!!!ARG:a\n1\n@user\n!!!ARG:a\n2\n<think>\n@ai\nx\n"
    assert codes(text, calls=("ai",), blocks=()) == {"G008"}
    assert codes("@ai\n" + CALL + BLOCK, calls=(), blocks=()) == set()


def test_a_fix_leaves_what_is_not_a_call() -> None:
    text = "@user\n!!!ARG:a\n1\n@usr\n"
    found = fix(text, "stf", unsafe=True, settings=Settings(gadget_roles=("ai",)))
    assert [each.finding.code for each in found.applied] == ["S003"]

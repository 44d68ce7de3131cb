"""Whole completions as messages, and their mistakes; most are in tests/rules/completions.md."""

from __future__ import annotations

import json

import pytest

from laws.completions import GOOD
from llmblocks import fix
from llmblocks.completions import Template, find_template, parse, rules
from llmblocks.facts.severity import Severity
from llmblocks.gadget import Gadgets, read_gadgets

QWEN = "<tool_call>\n<function=get>\n{}</function>\n</tool_call>"


def codes(text: str, name: str = "hermes", schemas: Gadgets | None = None) -> list[tuple[str, str]]:
    found = parse(text, find_template(name).template, schemas=schemas).findings
    return [(each.code, text[each.start : each.end]) for each in found]


def test_a_message_has_the_shape_of_openai() -> None:
    message = parse(GOOD["qwen3-coder"][0] + "It is 4.", find_template("qwen3-coder").template)
    assert message.openai() == {
        "role": "assistant",
        "content": "It is 4.",
        "reasoning_content": "I look.",
        "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "get", "arguments": '{"city": "Paris", "n": 3}'}}
        ],
    }
    assert message.findings == ()


def test_the_prompt_is_read_and_its_places_are_negative() -> None:
    message = parse("Hm</think>4", find_template("think").template, prefix="<|im_start|>assistant\n<think>")
    assert (message.reasoning, message.content, message.findings) == ("Hm", "4", ())
    message = parse("4", find_template("think").template, prefix="<|im_start|>assistant\nx</think>")
    assert [(each.code, each.start, each.end) for each in message.findings] == [("M003", -8, 0)]


def test_tools_give_arguments_their_types_and_a_field_that_must_be_there_is_missing() -> None:
    template = find_template("hermes").template
    tools = [{"name": "get", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    text = '<tool_call>{"name": "get", "arguments": {"n": "3"}}</tool_call>'
    assert parse(text, template, tools).tool_calls[0]["function"]["arguments"] == '{"n": 3}'
    strict = Template({"start_anchor": "x", "fields": {"content": {"open": "<a>", "optional": False}}})
    assert parse("", strict).missing == ("content",)


SPLIT = '<tool_call>\n{"name": "write", "arguments": {"text": "the end is </tool_call> is it?"}}\n</tool_call>'


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("qwen3-coder", QWEN.format("<a>\n1\n</a>\n"), [("M006", "<a>\n1")]),
        ("gemma", "<|tool_call>call:get{a:1}<tool_call|", [("M008", "<tool_call|")]),
    ],
)
def test_a_mistake_is_found_at_its_place(name: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert codes(text, name) == expected


def test_a_delimiter_in_a_string_is_escaped_by_its_fix() -> None:
    found = fix(SPLIT, "completion", unsafe=True, select=("M005",))
    assert (found.text, found.left) == (SPLIT.replace("</tool_call> is", r"<\/tool_call> is"), ())
    (call,) = parse(found.text, find_template("hermes").template).tool_calls
    assert json.loads(call["function"]["arguments"]) == {"text": "the end is </tool_call> is it?"}


def test_a_wrong_header_is_shown_without_the_text_after_it() -> None:
    header = "<|channel|>commentary to=functions.get to=functions.get<|message|>"
    (found,) = parse(
        f'<|start|>assistant{header}{{"city": "Paris"}}<|call|>', find_template("gpt-oss").template
    ).findings
    assert (found.code, found.severity) == ("M010", Severity.WARNING)
    assert f"{header} opens no region; the program does not get the text after it" in found.message.note
    (found,) = parse("Hi<|START_RESPONSE|>4<|END_RESPONSE|>", find_template("cohere").template).findings
    assert (found.code, found.severity) == ("M010", Severity.INFORMATION)


def test_an_argument_is_marked_where_it_is_written() -> None:
    schemas = Gadgets(read_gadgets(rules.M206_BROKEN_CONSTRAINT.gadgets).gadgets)
    for name, text in (
        ("qwen3-coder", "<tool_call><function=get><parameter=citty>a</parameter></function></tool_call>"),
        ("mistral", '[TOOL_CALLS][{"name": "get", "arguments": {"citty": "a"}}]</s>'),
        ("mistral-v11", '[TOOL_CALLS]get[ARGS]{"citty": "a"}</s>'),
        ("llama3", '{"name": "get", "parameters": {"citty": "a"}}<|eom_id|>'),
        ("cohere", '<|START_ACTION|>[{"tool_name": "get", "parameters": {"citty": "a"}}]<|END_ACTION|>'),
    ):
        assert sorted(codes(text, name, schemas)) == [("M202", "citty"), ("M203", "get")], name

"""The calls that a completion tries to make: those that `parse` gives, and the lost ones."""

from __future__ import annotations

import json
from time import process_time

import pytest

from laws.test_linear_told import steps
from llmblocks.completions import find_template
from llmblocks.completions.message import read_calls
from llmblocks.gadget import Gadgets, read_gadgets

CALL = '<tool_call>{"name": "get", "arguments": {"city": "Paris"}}</tool_call>'
SCHEMA = '[{"name": "get", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}]'
TOOLS = Gadgets(read_gadgets(SCHEMA).gadgets)


def calls_of(text: str, template: str = "hermes") -> list[tuple[str, object, str, bool]]:
    calls, _ = read_calls(text, find_template(template).template)
    return [(call.name, call.parameters, call.error, call.is_lost) for call in calls]


def test_a_malformed_call_is_rejected() -> None:
    assert calls_of(CALL + CALL.replace("}}", "}")) == [
        ("get", {"city": "Paris"}, "", False),
        ("get", None, "M005 Not JSON: the text ends too early", False),
    ]


@pytest.mark.parametrize(
    ("text", "template", "error"),
    [
        ("<tool_call>{}</tool_call>", "hermes", "it names no tool"),
        (CALL[:40], "hermes", "M001 <tool_call> is never closed"),
        ('[TOOL_CALLS][{"nam": "b", "arguments": {}}]', "mistral", "M007 The text of tool_calls has no 'name'"),
    ],
)
def test_a_call_without_a_value_is_rejected(text: str, template: str, error: str) -> None:
    ((_, parameters, found, _),) = calls_of(text, template)
    assert (parameters, found) == (None, error)


def test_a_call_inside_reasoning_is_lost() -> None:
    why = "M004 <tool_call> inside thinking is text"
    calls, message = read_calls(f"<think>a{CALL}b{CALL[:30]}</think>Hi", find_template("hermes").template)
    assert [(call.name, call.parameters_raw, call.error, call.is_lost) for call in calls] == [
        ("get", CALL[11:-12], why, True),
        ("get", CALL[11:30], why, True),
    ]
    assert message.content == "Hi"


def test_a_call_that_a_later_one_replaces_is_lost() -> None:
    call = '[TOOL_CALLS][{"name": "NAME", "arguments": {}}]</s>'
    assert calls_of(call.replace("NAME", "a") + call.replace("NAME", "b"), "mistral") == [
        ("a", None, "a later region replaces it", True),
        ("b", {}, "", False),
    ]


def test_each_call_of_a_region_is_judged_by_its_schema() -> None:
    text = "[TOOL_CALLS]" + json.dumps([{"name": "get", "arguments": {"n": each}} for each in (1, "x", 2)])
    calls, _ = read_calls(text, find_template("mistral").template, TOOLS)
    assert [call.error for call in calls] == ["", "M204 'n' has the wrong type", ""]
    assert [call.invocation_id for call in calls] == ["call_1", "call_2", "call_3"]


@pytest.mark.parametrize(
    ("template", "before", "unit", "after"),
    [
        ("hermes", "", CALL, ""),
        ("hermes", "", CALL[:50], ""),
        ("hermes", "<think>", CALL, "</think>"),
        ("hermes", "<think>", "<tool_call>", ""),
        ("mistral", "[TOOL_CALLS][", '{"name": "get", "arguments": {"n": "x"}}, ', "{}]"),
        ("mistral", "", '[TOOL_CALLS][{"name": "get", "arguments": {}}]</s>', ""),
    ],
)
def test_many_calls_take_linear_work(template: str, before: str, unit: str, after: str) -> None:
    def work(units: int) -> int:
        text = before + unit * units + after
        return steps(lambda: read_calls(text, find_template(template).template, TOOLS))

    work(1)
    assert work(400) < 2.5 * work(200)


@pytest.mark.parametrize(
    ("template", "before", "unit", "after"),
    [
        ("qwen3-coder", "<tool_call><function=get>", "<parameter=a>x\n", "</function></tool_call>"),
        (
            *("deepseek-v3.2", '<｜DSML｜invoke name="get">', '<｜DSML｜parameter name="a" string="true">x\n'),
            "</｜DSML｜invoke>",
        ),
    ],
)
def test_many_arguments_that_are_never_closed_take_linear_time(
    template: str, before: str, unit: str, after: str
) -> None:
    def seconds(units: int) -> float:
        text, found = before + unit * units + after, list[float]()
        for _ in range(3):
            begun = process_time()
            read_calls(text, find_template(template).template)
            found.append(process_time() - begun)
        return min(found)

    # regular expressions do the work: 64 times the time, if each argument searched for its end
    assert seconds(2000) < 24 * seconds(250)

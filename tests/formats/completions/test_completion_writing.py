"""Messages as completions, and `convert` between the formats of single messages."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from examples import LAWS
from llmblocks.cli.commands import main
from llmblocks.completions.message import parse
from llmblocks.completions.shipped import find_template, template_names
from llmblocks.completions.template import Template
from llmblocks.completions.writing import write

PARTS = ("Paris", "3", " x", "true", "", '"', "a\nb", "é😀", "{}", "</think>", "<tool_call>", "[ARGS]")


@pytest.mark.parametrize("name", template_names())
def test_a_message_is_written_as_the_template_reads_it(name: str) -> None:
    template = find_template(name).template
    fields = {field.name for field in template.fields}
    arguments = {"city": "Paris", "n": 3, "text": "3", "list": [1, {"a": None}], "yes": True}
    written = write("Hi there", "I look.", [("get", arguments), ("b", {})], template)
    message = parse(written.text, template)
    assert not message.findings
    lost = {"thinking": ("reasoning",), "tool_calls": ("tool_calls[0]", "tool_calls[1]")}
    assert written.lost == tuple(each for field, parts in lost.items() if field not in fields for each in parts)
    if "tool_calls" in fields:
        assert [json.loads(each["function"]["arguments"]) for each in message.tool_calls] == [arguments, {}]


@pytest.mark.parametrize("name", template_names())
def test_all_that_a_text_does_not_give_back_is_lost(name: str) -> None:
    random, template = Random(name), find_template(name).template
    values = (*PARTS, 1, None, [2])
    for _ in range(LAWS):
        content, reasoning = (random.choice((None, "".join(random.choices(PARTS, k=2)))) for _ in range(2))
        calls = [
            (random.choice(("get", "b")), {random.choice("ab"): random.choice(values)})
            for _ in range(random.randrange(3))
        ]
        written = write(content, reasoning, calls, template)
        back = parse(written.text, template)
        for part, wanted, found in (("content", content, back.content), ("reasoning", reasoning, back.reasoning)):
            assert part in written.lost or (found or "") == (wanted or "").strip()
        for number, call in enumerate(calls):
            if f"tool_calls[{number}]" not in written.lost:
                function = back.tool_calls[number]["function"]
                assert (function["name"], json.loads(function["arguments"])) == call


def test_patterns_and_contents_of_any_template_are_written() -> None:
    function = {"name": "{name}", "arguments": "{content}"}
    calls = {
        "open_pattern": r"<call[ ]name=(?P<name>\w+)(?: id=\d+)?>",
        "close_pattern": r"</call>|\n\n",
        "content": "kv-lines",
        "content_args": {"value_parser": {"name": "json"}},
        "transform": {"type": "function", "function": function},
        "repeats": True,
    }
    fields: dict[str, Any] = {"tool_calls": calls, "content": {}}
    template = Template({"start_anchor": "x", "fields": fields})
    written = write(None, None, [("get", {"a": 1, "b": [2]})], template)
    assert written == ("<call name=get>a: 1\nb: [2]</call>", ())


MESSAGE = {
    "role": "assistant",
    "content": "Hi",
    "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get", "arguments": '{"city": "Paris"}'}}],
}
QWEN = 'Hi<tool_call>\n{"name": "get", "arguments": {"city": "Paris"}}\n</tool_call>\n'
GADGET = "Hi\n!!!GADGET_START:get:call_1\n!!!ARG:city\nParis\n!!!GADGET_END\n"


def convert(folder: Path, name: str, text: str, *arguments: str) -> tuple[int, str]:
    (folder / name).write_text(text, encoding="utf-8")
    status = main(["convert", str(folder / name), *arguments, "--output-file", str(folder / "out")])
    return status, (folder / "out").read_text(encoding="utf-8")


def test_a_completion_is_converted_to_each_format_and_back(tmp_path: Path) -> None:
    assert convert(tmp_path, "a.completion", QWEN, "--to", "gadget") == (0, GADGET)
    assert convert(tmp_path, "a.gadget", GADGET, "--to", "completion") == (0, QWEN)
    status, openai = convert(tmp_path, "a.completion", QWEN, "--to", "openai")
    assert (status, json.loads(openai)) == (0, [MESSAGE])
    assert convert(tmp_path, "a.json", openai, "--from", "openai", "--to", "completion") == (0, QWEN)
    status, anthropic = convert(tmp_path, "a.completion", QWEN, "--to", "anthropic")
    assert json.loads(anthropic)["messages"][0]["content"][1]["input"] == {"city": "Paris"}
    assert convert(tmp_path, "b.json", anthropic, "--from", "anthropic", "--to", "completion") == (0, QWEN)
    status, stf = convert(tmp_path, "a.completion", QWEN, "--to", "stf")
    assert convert(tmp_path, "a.stf", stf, "--to", "completion") == (0, QWEN)
    call = '<|channel|>commentary to=functions.get<|message|>{"city": "Paris"}<|call|>'
    status, found = convert(tmp_path, "a.completion", QWEN, "--to", "completion", "--template", "hermes")
    assert (status, found) == (0, QWEN)
    assert convert(tmp_path, "a.stf", stf, "--to", "completion", "--template", "gpt-oss") == (
        *(0, f"<|channel|>final<|message|>Hi<|end|>{call}\n"),
    )


def test_what_is_lost_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = QWEN.replace('"get",', '"get"').replace("Hi", "<think>I look</think>Hi")
    status, _ = convert(tmp_path, "a.completion", broken, "--to", "gadget")
    lost = capsys.readouterr().err
    assert status == 1
    assert "lost: line 2: M005 Not JSON: a comma is missing" in lost
    assert "lost: reasoning: a response has no place for it" in lost
    status, _ = convert(tmp_path, "a.gadget", f"{GADGET}!!!GADGET_START:b:c:call_1\n!!!GADGET_END\n", "--to", "openai")
    assert "lost: c: no chat says that a call waits for call_1" in capsys.readouterr().err
    status, _ = convert(tmp_path, "b.stf", "@user\nHi\n@ai\nA <think> b\n", "--to", "completion")
    lost = capsys.readouterr().err
    assert "lost: messages[0]: a completion is one message" in lost
    assert "lost: content: the text, read again, does not give it back" in lost
    with pytest.raises(SystemExit):
        main(["convert", str(tmp_path / "b.stf"), "--to", "completion", "--template", "hermis"])
    assert "no template 'hermis'" in capsys.readouterr().err

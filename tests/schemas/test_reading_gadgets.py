"""Gadget definitions from each source; `tests/cli/schemas.md` has what is wrong in them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.gadget.schemas.reading import decoded_text, read_gadgets

PATH: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
WORDS = {"name": "Read", "description": "Reads a file"}
INFO = {**WORDS, "schema": PATH, "timeoutMs": 3, "examples": [{"params": {}}]}
MCP = {**WORDS, "inputSchema": PATH}
OPENAI = {**WORDS, "parameters": PATH}
SOURCES = {
    "one gadget of llmist": INFO,
    "an array": [INFO, {"name": "Now", "description": "The time"}],
    "MCP's result": {"tools": [MCP], "nextCursor": "x"},
    "MCP's response": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}},
    "OpenAI's chat completions": {"model": "gpt", "tools": [{"type": "function", "function": OPENAI}]},
    "OpenAI's responses": [{"type": "function", **OPENAI}, {"type": "web_search"}],
    "OpenAI's functions": {"functions": [OPENAI]},
    "Anthropic": {"tools": [{**WORDS, "input_schema": PATH}]},
}


def assert_placed(text: str, gadget: GadgetSchema) -> None:
    assert gadget.source is not None
    assert text[gadget.source.start : gadget.source.end] == f'"{gadget.name}"'
    assert text[: gadget.source.start].count("\n") == gadget.source.line


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("indent", [None, 2])
def test_each_source_is_read(source: str, indent: int | None) -> None:
    text = json.dumps(SOURCES[source], indent=indent)
    found = read_gadgets(text, "tools.json")
    assert found.findings == ()
    read = found.gadgets[0]
    assert (read.name, read.description) == ("Read", "Reads a file")
    assert read.parameters == {**PATH, "additionalProperties": False}
    assert_placed(text, read)
    assert read.source is not None
    assert read.source.file == "tools.json"


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("between", ["\n", "", "\r\n\r\n"])
def test_json_lines_and_outputs_one_after_the_other_are_read(indent: int | None, between: str) -> None:
    text = between.join(json.dumps({**INFO, "name": name}, indent=indent) for name in "ABC") + between
    found = read_gadgets(text)
    assert [each.name for each in found.gadgets] == ["A", "B", "C"]
    for each in found.gadgets:
        assert_placed(text, each)


def test_a_gadget_without_a_schema_takes_anything() -> None:
    (found,) = read_gadgets('{"name": "Now", "description": "The time"}').gadgets
    assert (found.parameters, found.prepared) == (None, None)


def test_json_that_is_nested_too_deeply_is_reported() -> None:
    (found,) = read_gadgets("[" * 100_000).findings
    assert (found.code, found.message.headline) == ("C003", "the JSON is nested too deeply")


def test_a_gadget_with_an_unusable_schema_is_still_known_and_the_others_are_read() -> None:
    found = read_gadgets('[{"name": "A", "schema": 3}, {"name": "B", "schema": {}}]')
    assert [(each.name, each.parameters) for each in found.gadgets] == [("A", None), ("B", {})]
    assert len(found.findings) == 1


def test_a_key_given_twice_before_a_mistake_is_no_error_of_the_reader() -> None:
    (found,) = read_gadgets('{"name": "A", "schema": {"a": {"b": 1, "b": 2} 3}}').findings
    assert "invalid JSON" in str(found.message)


def test_a_schema_that_leads_to_itself_is_sound() -> None:
    tree = {"type": "object", "properties": {"child": {"$ref": "#"}, "v": {"$ref": "#/$defs/v"}}, "$defs": {"v": {}}}
    assert read_gadgets(json.dumps({"name": "A", "schema": tree})).findings == ()


def test_objects_are_closed_as_in_llmist_unless_they_say_otherwise() -> None:
    inner = {"type": "object", "properties": {"x": {}}}
    schema = {
        "properties": {
            "o": inner,
            "list": {"items": inner},
            "open": {**inner, "additionalProperties": True},
            "named": {"patternProperties": {"^x": {}}, "properties": {"y": {}}},
            "either": {"anyOf": [inner, {"type": "null"}]},
            "any": {"type": "object"},
        }
    }
    (found,) = read_gadgets(json.dumps({"name": "A", "inputSchema": schema})).gadgets
    shut = {**inner, "additionalProperties": False}
    parts = schema["properties"]
    assert found.parameters == {
        "properties": {**parts, "o": shut, "list": {"items": shut}, "either": {"anyOf": [shut, {"type": "null"}]}},
        "additionalProperties": False,
    }
    joined = {"allOf": [inner, {"properties": {"y": {}}}]}
    (found,) = read_gadgets(json.dumps({"name": "A", "inputSchema": joined})).gadgets
    assert found.parameters == joined


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_the_encodings_of_shells_are_read(encoding: str) -> None:
    text = '{"name": "Ünï"}'
    assert decoded_text(text.encode(encoding)) == text


def test_gadgets_are_found_in_any_case_and_the_later_definition_counts() -> None:
    first, second = (read_gadgets(f'[{{"name": "{name}"}}]', name).gadgets for name in ("Read", "READ"))
    gadgets = Gadgets((*first, *second))
    assert gadgets.find("rEAD") is second[0]
    assert gadgets.names == ("READ",)
    assert gadgets.find("Write") is None
    assert gadgets.nearest("Raed") is second[0]


def test_gadgets_are_equal_if_their_definitions_and_places_are() -> None:
    one, other, moved = (
        Gadgets(read_gadgets(text, "a").gadgets) for text in ('{"name":"A"}', '{"name":"A"}', ' {"name":"A"}')
    )
    assert (one == other, hash(one) == hash(other), one == moved) == (True, True, False)
    assert (bool(one), bool(Gadgets())) == (True, False)


def test_a_list_of_tools_with_a_name_is_a_list() -> None:
    read = read_gadgets('{"name": "files", "tools": [{"name": "a"}, {"name": "b", "inputSchema": {}}]}')
    assert [gadget.name for gadget in read.gadgets] == ["a", "b"]
    (gadget,) = read_gadgets('{"name": "a", "schema": {}, "tools": [{"name": "b"}]}').gadgets
    assert gadget.name == "a"

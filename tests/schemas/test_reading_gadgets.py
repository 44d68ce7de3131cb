"""Gadget definitions from each source, TypeScript too; `tests/cli/schemas.md` has what is wrong in them."""

from __future__ import annotations

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from llmblocks.gadget.editor.answers import definition_place
from llmblocks.gadget.running.schema import ParameterSchema
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


needs_code = pytest.mark.skipif(find_spec("tree_sitter_typescript") is None, reason="llmblocks[code] is not installed")
PEERS = Path(__file__).parent.parent / "peers"
CODE = """\
import { createGadget, Gadget, z } from "llmist";
const City = z.object({ city: z.string().describe("The \\"city\\"."), days: z.number().int().default(3) });
export class Calculator extends Gadget({
  description: `Adds.`,
  schema: z.object({ op: z.enum(["add", "sub"]), a: z.number() }),
}) { execute() {} }
export const weather = createGadget({ name: "weather", schema: City as any });
createGadget({ name: `x${1}`, schema: City });
createGadget({ description: "no name is known" });
export default class Late extends Gadget({ name: "Early", schema: imported }) {}
"""
SCHEMAS = (
    *("z.string().min(2)", "z.string().max(3).optional()", "z.string().length(1)"),
    *("z.string().nonempty().nullable()", "z.number()", "z.number().int().min(1).max(4)"),
    *("z.int().positive()", "z.number().gt(1).lt(3)", "z.boolean().default(true)", "z.enum(['a', 'b'])"),
    *("z.literal('a')", "z.literal(1)", "z.null()", "z.array(z.string()).min(1)", "z.string().array()"),
    *("z.array(z.number()).nonempty()", "z.union([z.string(), z.number()])", "z.string().or(z.boolean())"),
    *("z.record(z.string(), z.number())", "z.object({ b: z.string() })"),
    "z.object({ b: z.string().optional(), c: z.number().nullish() })",
    *("z.object({ b: z.string() }).partial()", "z.object({ b: z.string() }).extend({ c: z.number() })"),
    *("z.looseObject({ b: z.string() })", "z.object({ b: z.any(), c: z.unknown() })"),
    *("z.optional(z.string())", "z.nullable(z.number())", "z.coerce.number()", "z.any()"),
    *("z.string().refine(() => true).describe('x')", "z.string().transform((text) => text.length)"),
)
VALUES: tuple[Any, ...] = (
    *("", "a", "ab", "abcd", 0, 1, 2, 2.5, 4, 5, True, False, None, [], ["a"], [1], {}),
    *({"b": "x"}, {"b": 1}, {"b": "x", "c": 1}, {"c": None}, {"c": "x"}),
)


@needs_code
@pytest.mark.slow
def test_a_schema_takes_what_zod_takes(tmp_path: Path) -> None:
    program = f"""
        import {{ z }} from {json.dumps((PEERS / "node_modules/llmist/dist/index.js").as_uri())};
        const schemas = [{", ".join(SCHEMAS)}];
        const values = {json.dumps(VALUES)};
        const wraps = schemas.map((each) => z.object({{ a: each }}));
        console.log(JSON.stringify(wraps.map((each) => [
            each.safeParse({{}}).success, ...values.map((value) => each.safeParse({{ a: value }}).success)])));
    """
    (tmp_path / "ask.mjs").write_text(program, "utf-8")
    asked = subprocess.run(["node", tmp_path / "ask.mjs"], capture_output=True, text=True, check=True)
    for written, expected in zip(SCHEMAS, json.loads(asked.stdout), strict=True):
        code = f"createGadget({{ name: 'G', schema: z.object({{ a: {written} }}) }})"
        (gadget,) = read_gadgets(code, "a.ts").gadgets
        schema = ParameterSchema(gadget.parameters or {})
        for given, takes in zip([{}, *[{"a": value} for value in VALUES]], expected, strict=True):
            takes_here = not schema.check(given).issues
            # what literals do not tell is taken
            assert takes_here or not takes, (written, given)
            assert takes_here == takes or any(each in written for each in ("coerce", "any()")), (written, given)


@needs_code
def test_gadgets_are_found_with_their_names_descriptions_and_places() -> None:
    for name in ("a.ts", "a.tsx"):
        read = read_gadgets(CODE, name)
        found = [(each.name, each.description, each.parameters is not None) for each in read.gadgets]
        assert found == [("Calculator", "Adds.", True), ("weather", "", True), ("Early", "", False)]
        assert read.findings == ()
        for each in read.gadgets:
            assert each.source is not None
            assert CODE[each.source.start : each.source.end].strip('"') == each.name
            assert each.source.line == CODE.count("\n", 0, each.source.start)
    weather = read.gadgets[1].parameters or {}
    assert weather["properties"]["city"]["description"] == 'The "city".'
    assert weather["required"] == ["city"]


@needs_code
@pytest.mark.parametrize("text", ["", "const a = 1;", "createGadget(", "Gadget({name: f(), schema: z})", "{" * 500])
def test_code_without_gadgets_is_reported(text: str) -> None:
    read = read_gadgets(text, "a.js")
    assert read.gadgets == ()
    assert [str(each.message) for each in read.findings] == [
        "no gadget is declared with createGadget(…) or Gadget(…) — the rules about schemas do without it; "
        "correct it, or leave it out of gadget.schemas"
    ]


@needs_code
def test_a_definition_leads_to_the_code(tmp_path: Path) -> None:
    path = tmp_path / "a.ts"
    path.write_text(CODE, "utf-8")
    source = read_gadgets(CODE, str(path)).gadgets[0].source
    assert source is not None
    for pointer in ("", "op"):
        place = definition_place(source, pointer)
        assert place is not None
        assert (place.line, place.text) == (2, "Calculator")

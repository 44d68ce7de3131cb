"""The schemas of MCP tools: what llmist makes of them, and what it leaves to the server."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from examples import examples
from formats.gadget.gadget_cases import arguments
from formats.gadget.llmist_peer import run_llmist
from formats.gadget.test_gadget_zod_words import VALUES
from llmblocks import Settings, check
from llmblocks.gadget import Gadgets, ParameterSchema, read_gadgets
from llmblocks.gadget.call import read_body

Json = Any
TYPES = ("string", "number", "integer", "boolean", "null")
LIMITS: tuple[Json, ...] = (
    {"minimum": 3}, {"maxLength": 1}, {"pattern": "^x"}, {"format": "email"}, {"const": "x"}, {"minItems": 2},
    {"additionalProperties": False}, {"additionalProperties": True}, {"required": ["a", "e"]}, {"nullable": True},
    {"description": "It is."}, {"multipleOf": 2}, {"if": {"const": 1}, "then": False},
)  # fmt: skip


def schema(random: Random, depth: int = 0) -> Json:
    match random.randrange(8 if depth < 3 else 4):
        case 0:
            found: Json = {"type": random.sample(TYPES, random.randrange(1, 4))}
        case 1:
            found = {"enum": random.sample(["x", "y", 1, 2.5, True, None], random.randrange(1, 4))}
            found |= random.choice([{}, {"type": "string"}, {"type": "integer"}])
        case 2:
            found = {"type": random.choice(TYPES)}
        case 3 if depth == 1:
            return {"type": "string", "default": "x"}
        case 3:
            found = {"type": "string"}
        case 4:
            found = {random.choice(["anyOf", "oneOf"]): [schema(random, depth + 1) for _ in range(2)]}
        case 5:
            found = {"type": "array", **random.choice([{}, {"items": schema(random, depth + 1)}])}
        case 6:
            found = {"type": "object", "additionalProperties": schema(random, depth + 1)}
        case _:
            found = objects(random, depth)
    return {**found, **(random.choice(LIMITS) if random.random() < 0.4 else {})}


def objects(random: Random, depth: int) -> Json:
    names = random.sample("abcd", random.randrange(1, 4))
    needed = random.sample("abce", random.randrange(3))
    return {"type": "object", "properties": {name: schema(random, depth + 1) for name in names}, "required": needed}


def call(random: Random) -> str:
    pointers = random.sample(["a", "b", "c", "d", "a/0", "b/0", "c/a", "d/b", "x"], random.randrange(1, 6))
    kept = [each for each in pointers if not any(other != each and each.startswith(other) for other in pointers)]
    return arguments(*((pointer, random.choice(VALUES)) for pointer in kept))


@pytest.mark.parametrize("seed", range(examples(20)))
def test_a_call_of_an_mcp_tool_is_typed_and_refused_as_llmist_does_it(seed: int) -> None:
    random = Random(seed)
    cases = [(objects(random, 0), call(random)) for _ in range(40)]
    sent = [{"chunks": [text], "options": {"jsonSchema": tool}} for tool, text in cases]
    for (tool, text), result in zip(cases, run_llmist(sent), strict=True):
        theirs = result["events"][-1]["call"]
        ready = ParameterSchema(tool, mcp=True)
        typed, _ = read_body(theirs["parametersRaw"], "!!!ARG:").decoded(ready.expected)
        assert typed == theirs["schemaParameters"], (tool, text)
        checked = ready.check(typed or {})
        assert [(one.pointer, one.message) for one in checked.issues] == [(*each,) for each in theirs["issues"]], (
            tool,
            text,
        )
        assert checked.issues or checked.parameters == theirs["validParameters"], (tool, text)
        assert not (checked.issues and checked.of_server)


def told(properties: str, *pairs: tuple[str, str]) -> list[tuple[str, str, str]]:
    """Return the code, severity and message of each finding. `properties` are those of an MCP tool, as JSON."""
    tools = f'{{"tools": [{{"name": "G", "inputSchema": {{"type": "object", {properties}}}}}]}}'
    read = read_gadgets(tools)
    assert read.findings == ()
    found = check(arguments(*pairs), "gadget", Settings(gadgets=Gadgets(read.gadgets)))
    return [(each.code, each.severity.name.lower(), str(each.message)) for each in found]


N = '"properties": {"n": {%s}}'
HELP = {
    "G203": "add this argument",
    "G204": "give a value of the expected type",
    "G205": "give an allowed value",
    "G206": "change the value",
}
SENT = "llmist does not check this and sends the call of G, which the MCP server may reject"


@pytest.mark.parametrize(
    ("properties", "value", "code", "words"),
    [
        (N % '"type": "number", "minimum": 3', "1", "G206", "n: Too small: expected number to be >=3"),
        (N % '"type": "string", "pattern": "^x"', "y", "G206", "n: Invalid string: must match pattern /^x/"),
        (N % '"type": "string", "format": "email"', "y", "G206", "n: Invalid email address"),
        (N % '"type": "string", "const": "x"', "y", "G205", 'n: Invalid input: expected "x"'),
        (N % "" + ', "required": ["m"]', "y", "G203", "m: Invalid input: expected nonoptional, received undefined"),
        # llmist itself refuses these
        (N % '"anyOf": [{"type": "string"}, {"type": "null"}]', "42", "G204", "n: Invalid input"),
        (N % '"type": ["integer", "string"]', "abc", "G204", "n: Invalid input: expected number, received string"),
    ],
)
def test_a_warning_has_other_words_if_only_the_server_of_a_tool_looks_for_it(
    properties: str, value: str, code: str, words: str
) -> None:
    severity, who = ("error", "llmist does not run G") if code == "G204" else ("warning", SENT)
    assert told(properties, ("n", value)) == [(code, severity, f"{words} — {who}; {HELP[code]}")]


def test_a_tool_that_llmist_refuses_is_judged_by_all_of_its_schema() -> None:
    schema = {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"minimum": 3}}}
    assert [one.pointer for one in ParameterSchema(schema, mcp=True).check({"n": 1}).issues] == ["n"]

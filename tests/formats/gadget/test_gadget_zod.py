"""The words of zod, and the schemas of MCP tools: generated ones, with values that llmist and we refuse alike."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from examples import examples
from formats.gadget.gadget_cases import arguments
from formats.gadget.llmist_peer import run_llmist
from llmblocks import Settings, check
from llmblocks.gadget import Checked, Gadgets, ParameterSchema, read_gadgets
from llmblocks.gadget.call import read_body

Dsl = Any
Json = Any
Pairs = list[tuple[str, str]]
FORMATS = (
    *("email", "url", "uuid", "guid", "ipv4", "ipv6", "cidrv4", "cidrv6", "iso.date", "iso.datetime", "iso.time"),
    *("iso.duration", "emoji", "base64", "base64url", "jwt", "e164", "nanoid", "cuid", "cuid2", "ulid", "xid", "ksuid"),
)
VALUES = (
    *("", "x", "yy", "a b", "é😀", "ab\ncd", "a@b.co", "true", "false", "null", "eyJhbGciOiJIUzI1NiJ9.e30.x", "12:30"),
    *("0", "1", "-3", "2.5", "7", "12345", "1e300", "-1e300", "2024-02-29", "::1", "127.0.0.1", "https://a.b/c"),
)
NAMES = "abcd"


def scalar(random: Random) -> Dsl:
    """Return a schema of one value, with checks that may contradict each other."""
    match random.randrange(9):
        case 0:
            return "boolean"
        case 1:
            return {"enum": random.sample(["x", "y", "z", "0"], random.randrange(1, 4))}
        case 2:
            return {"lit": random.choice(["x", 'q"\\', 7, 2.5, True])}
        case 3:
            return {"format": random.choice(FORMATS)}
        case 4 | 5:
            base = random.choice(["number", "int"])
            checks: list[list[Any]] = [
                [[random.choice(["min", "gt"]), random.randrange(-2, 9)], ["positive"], ["nonnegative"]],
                [[random.choice(["max", "lt"]), random.randrange(-2, 9)], ["negative"]],
                [["multipleOf", random.choice([3, 0.5, 0.01])]],
            ]
        case _:
            base = "string"
            checks = [
                [["min", random.randrange(1, 3)], ["nonempty"]],
                [["max", random.randrange(3, 5)]],
                [["regex", {"regex": random.choice(["^x", "y$", "^a/b$", "\\d"])}], ["startsWith", "x"],
                 ["endsWith", "y."], ["includes", "q"]],
            ]  # fmt: skip
            if random.random() < 0.2:
                checks = [[["length", random.randrange(4)]]]
    # in the order in which a JSON Schema is read: it does not say in which they were given
    chosen = [random.choice(each) for each in checks if random.random() < 0.4]
    return {"with": [base, chosen]} if chosen else base


def schema(random: Random, depth: int = 0) -> Dsl:
    def part() -> Dsl:
        return schema(random, depth + 1)

    match random.randrange(16 if depth < 3 else 5):
        case 5 | 6:
            return objects(random, depth)
        case 7 | 8:
            checks = [["min", random.randrange(4)], ["max", random.randrange(3)], ["length", random.randrange(3)]]
            return {"with": [{"arr": part()}, random.sample(checks, random.randrange(2))]}
        case 9:
            return {"tup": [part() for _ in range(random.randrange(1, 4))]}
        case 11:
            members = [part() for _ in range(random.randrange(2, 4))]
            # of equal members, a JSON Schema has one
            distinct = [each for at, each in enumerate(members) if each not in members[:at]]
            return {"union": distinct} if len(distinct) > 1 else distinct[0]
        case 10 | 12 | 13 as kind:
            return {{10: "rec", 12: "null", 13: "opt"}[kind]: part()}
        case 14:
            members = [{"obj": {"t": {"lit": tag}, **objects(random, depth + 1)["obj"]}} for tag in ("x", "y")]
            return {"one": ["t", members]}
        case 15:
            return {"rest": [[part()], part()]}
        case _:
            return scalar(random)


def objects(random: Random, depth: int) -> Dsl:
    return {"obj": {name: schema(random, depth + 1) for name in random.sample(NAMES, random.randrange(1, 4))}}


def given(random: Random, dsl: Dsl, pointer: str = "") -> Pairs:
    """Arguments that more or less follow a schema."""
    if random.random() < 0.1 and pointer:
        return []
    if random.random() < 0.15:
        dsl = random.choice(["string", {"obj": {"a": "string"}}, {"arr": "string"}])
    word: str
    value: Any
    word, value = next(iter(dsl.items())) if isinstance(dsl, dict) else (dsl, None)
    below = f"{pointer}/" if pointer else ""
    elements: list[Dsl] = []
    members: list[tuple[str, Dsl]] = []
    match word:
        case "obj":
            members = [*value.items()]
        case "rec":
            members = [(name, value) for name in random.sample(NAMES, 2)]
        case "arr":
            elements = [value] * random.randrange(4)
        case "tup":
            elements = value
        case "rest":
            elements = [value[0][0], *[value[1]] * random.randrange(3)]
        case "union" | "one":
            return given(random, random.choice(value if word == "union" else value[1]), pointer)
        case "null" | "opt":
            return given(random, value, pointer)
        case "with" if isinstance(value[0], dict):
            return given(random, value[0], pointer)
        case "enum" if random.random() < 0.5:
            return [(pointer, random.choice(value))]
        case "lit" if random.random() < 0.7:
            return [(pointer, str(value))]
        case _:
            return [(pointer, random.choice(VALUES))]
    found = [pair for name, member in members for pair in given(random, member, below + name)]
    for at, each in enumerate(elements):
        # without an element, the next one would leave a gap
        found += given(random, each, f"{below}{at}") or [(f"{below}{at}", "x")]
    return found


def judged(schema: ParameterSchema, result: Json, case: object, *, in_words: bool = True) -> Checked:
    """Compare types, errors and valid values with llmist's: not `in_words` for patterns with flags, which are lost."""
    theirs = result["events"][-1]["call"]
    typed, _ = read_body(theirs["parametersRaw"], "!!!ARG:").decoded(schema.expected)
    assert typed == theirs["schemaParameters"], case
    checked = schema.check(typed or {})
    found = [(one.pointer, one.message) for one in checked.issues]
    assert found == [(*each,) for each in theirs["issues"]] if in_words else bool(found) != theirs["valid"], case
    assert checked.issues or checked.parameters == theirs["validParameters"], case
    return checked


@pytest.mark.parametrize("seed", range(examples(20)))
def test_what_is_wrong_is_said_in_the_words_of_zod_and_in_its_order(seed: int) -> None:
    random = Random(seed)
    cases = []
    for _ in range(40):
        dsl = objects(random, 0)
        cases.append((dsl, arguments(*(given(random, dsl) or [("a", "x")]))))
    sent = [{"chunks": [text], "options": {"schemaDsl": dsl}} for dsl, text in cases]
    refused = 0
    for (dsl, text), result in zip(cases, run_llmist(sent), strict=True):
        refused += bool(judged(ParameterSchema(result["jsonSchema"]), result, (dsl, text)).issues)
    assert refused > 20


TYPES = ("string", "number", "integer", "boolean", "null")
LIMITS: tuple[Json, ...] = (
    {"minimum": 3}, {"maxLength": 1}, {"pattern": "^x"}, {"format": "email"}, {"const": "x"}, {"minItems": 2},
    {"additionalProperties": False}, {"additionalProperties": True}, {"required": ["a", "e"]}, {"nullable": True},
    {"description": "It is."}, {"multipleOf": 2}, {"if": {"const": 1}, "then": False},
)  # fmt: skip


def tool_part(random: Random, depth: int = 0) -> Json:
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
            found = {random.choice(["anyOf", "oneOf"]): [tool_part(random, depth + 1) for _ in range(2)]}
        case 5:
            found = {"type": "array", **random.choice([{}, {"items": tool_part(random, depth + 1)}])}
        case 6:
            found = {"type": "object", "additionalProperties": tool_part(random, depth + 1)}
        case _:
            found = tool_of(random, depth)
    return {**found, **(random.choice(LIMITS) if random.random() < 0.4 else {})}


def tool_of(random: Random, depth: int) -> Json:
    names = random.sample("abcd", random.randrange(1, 4))
    needed = random.sample("abce", random.randrange(3))
    return {"type": "object", "properties": {name: tool_part(random, depth + 1) for name in names}, "required": needed}


def call(random: Random) -> str:
    pointers = random.sample(["a", "b", "c", "d", "a/0", "b/0", "c/a", "d/b", "x"], random.randrange(1, 6))
    kept = [each for each in pointers if not any(other != each and each.startswith(other) for other in pointers)]
    return arguments(*((pointer, random.choice(VALUES)) for pointer in kept))


@pytest.mark.parametrize("seed", range(examples(20)))
def test_a_call_of_an_mcp_tool_is_typed_and_refused_as_llmist_does_it(seed: int) -> None:
    random = Random(seed)
    cases = [(tool_of(random, 0), call(random)) for _ in range(40)]
    sent = [{"chunks": [text], "options": {"jsonSchema": tool}} for tool, text in cases]
    for (tool, text), result in zip(cases, run_llmist(sent), strict=True):
        checked = judged(ParameterSchema(tool, mcp=True), result, (tool, text))
        assert not (checked.issues and checked.of_server)


PARTS: dict[str, tuple[Json, str, str, str]] = {
    "a": ({"type": "number", "minimum": 3}, "1", "G206", "Too small: expected number to be >=3"),
    "b": ({"type": "string", "pattern": "^x"}, "y", "G206", "Invalid string: must match pattern /^x/"),
    "c": ({"type": "string", "format": "email"}, "y", "G206", "Invalid email address"),
    "d": ({"type": "string", "const": "x"}, "y", "G205", 'Invalid input: expected "x"'),
    "e": ({}, "", "G203", "Invalid input: expected nonoptional, received undefined"),
    # llmist itself refuses these
    "f": ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "42", "G204", "Invalid input"),
    "g": ({"type": ["integer", "string"]}, "abc", "G204", "Invalid input: expected number, received string"),
}
"""Properties of a tool, each with a value, and the code and the words of its finding."""
HELP = {"G203": "add this argument", "G204": "give a value of the expected type", "G205": "give an allowed value"}


def test_a_warning_has_other_words_if_only_the_server_of_a_tool_looks_for_it() -> None:
    for name, (part, value, code, words) in PARTS.items():
        schema = {"type": "object", "properties": {name: part} if part else {}, "required": [name]}
        read = read_gadgets(json.dumps({"tools": [{"name": "G", "inputSchema": schema}]}))
        text = arguments((name, value)) if part else arguments()
        (found,) = check(text, "gadget", Settings(gadgets=Gadgets(read.gadgets)))
        sent = "llmist does not check this and sends the call of G, which the MCP server may reject"
        severity, who = ("ERROR", "llmist does not run G") if code == "G204" else ("WARNING", sent)
        assert (found.code, found.severity.name) == (code, severity)
        assert str(found.message) == f"{name}: {words} — {who}; {HELP.get(code, 'change the value')}"


def test_a_tool_that_llmist_refuses_is_judged_by_all_of_its_schema() -> None:
    schema = {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"minimum": 3}}}
    assert [one.pointer for one in ParameterSchema(schema, mcp=True).check({"n": 1}).issues] == ["n"]

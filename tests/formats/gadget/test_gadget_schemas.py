"""JSON Schema as JavaScript has it: patterns, formats, numbers, and what llmist leaves out or fills in."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from formats.gadget.gadget_cases import arguments
from formats.gadget.llmist_peer import run_llmist
from formats.gadget.test_gadget_execute import call, run
from formats.gadget.test_gadget_parameters import raw
from llmblocks import check
from llmblocks.gadget import Gadget, Gadgets, ParameterError, ParameterSchema, Started, parse_parameters, read_gadgets
from llmblocks.gadget.call import read_body
from llmblocks.gadget.running.patterns import pattern
from llmblocks.settings.values import Settings

DRAFTS = ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"]


def admits(schema: dict[str, Any], value: Any, draft: str = DRAFTS[0]) -> bool:
    whole = {"$schema": draft, "properties": {"v": {"$ref": "#/definitions/v"}}, "definitions": {"v": schema}}
    return not ParameterSchema(whole).check({"v": value}).issues


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        (r"^\p{L}+$", "Ünï", True), (r"^\p{L}+$", "a1", False), (r"^\d$", "１", False), (r"^\w$", "é", False),
        (r"^a$", "a\n", False), (r"^.$", "😀", True), (r"^\u{1F600}$", "😀", True), (r"^[\w-.]+$", "a-b", True),
        (r"\-", "-", True), (r"\s", "\ufeff", True), (r"\s", "\x1c", False), (r"^(?<y>a)\k<y>$", "aa", True),
        (r"(?<=a)b", "ab", True), (r"^[^]$", "\n", True), (r"^.$", "\u2028", False), (r"^.$", "\ud800", True),
        (r"^\cA$", "\x01", True), (r"\/", "/", True), (r"^$", "", True),
    ],
)  # fmt: skip
def test_a_pattern_is_one_of_javascript(source: str, text: str, found: bool) -> None:
    assert pattern(source)(text) is found
    for draft in DRAFTS:
        assert admits({"type": "string", "pattern": source}, text, draft) is found
        closed = {"patternProperties": {source: {}}, "additionalProperties": {"type": "null"}}
        assert admits(closed, {text: 1}, draft) is found
    closed = {"patternProperties": {source: {}}, "unevaluatedProperties": {"type": "null"}}
    assert admits(closed, {text: 1}, DRAFTS[1]) is found
    names = {"type": "object", "patternProperties": {source: {"type": "string"}}}
    assert ParameterSchema(names).expected(text) == ("string" if found and "/" not in text and text else "unknown")


@pytest.mark.parametrize("source", ["[", "(?i)a", "(?P<a>b)", "a**", r"(?<a>.)(?<a>.)"])
def test_a_pattern_that_is_none_of_javascript_is_not_a_schema(source: str) -> None:
    with pytest.raises(ValueError, match="not a JSON Schema, at definitions/v/pattern"):
        admits({"pattern": source}, "")
    with pytest.raises(ValueError, match="not a JavaScript regular expression"):
        pattern(source)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", "2024-02-29", "2023-02-29"),
        ("date-time", "2024-02-29T10:00:00Z", "2024-02-29 10:00"),
        ("time", "10:00:00Z", "25:00:00Z"),
        ("email", "a@b.c", "a.b.c"),
        ("uri", "https://example.org/a?b#c", "example.org"),
        ("uri-reference", "../a", "a b"),
        ("hostname", "example.org", "-a-.org"),
        ("ipv4", "127.0.0.1", "127.0.0.256"),
        ("ipv6", "::1", ":::1"),
        ("regex", r"\p{L}", "["),
        ("uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08"),
    ],
)
def test_a_format_is_checked(name: str, good: str, bad: str) -> None:
    assert admits({"format": name}, good, DRAFTS[1])
    assert not admits({"format": name}, bad, DRAFTS[1])
    assert admits({"format": "shoe-size"}, bad)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"minimum": 9007199254740993}, 9007199254740992),
        ({"maximum": 12345678901234567890}, 12345678901234567000),
        ({"const": 9007199254740993}, 9007199254740992),
        ({"enum": [12345678901234567890]}, 12345678901234567000),
        ({"maximum": 10**400}, 5),
        ({"multipleOf": 0.01}, 1.15),
    ],
)
def test_numbers_are_float64_on_both_sides(schema: dict[str, Any], value: float) -> None:
    assert admits(schema, value)


def test_a_default_is_a_float64() -> None:
    schema = {"properties": {"n": {"default": 9007199254740993}}}
    assert parse_parameters("", schema=schema) == {"n": 9007199254740992}


CASES: list[tuple[Any, list[str]]] = [
    ({"obj": {"v": {"mult": 0.01}}}, ["1.15", "2.03", "1.005", "0.1", "7", "-1.15", "0", "1e300", "1e-300"]),
    ({"obj": {"v": {"mult": 0.07}}}, ["2.03", "0.07", "0.08", "7", "1e16"]),
    ({"obj": {"v": {"max": 9007199254740993}}}, ["9007199254740993", "9007199254740994", "1"]),
    ({"obj": {"v": {"match": ["^\\p{L}+$", "u"]}}}, ["é", "1", "éa", ""]),
    ({"obj": {"w": {"opt": "string"}}}, ["dropped"]),
    ({"obj": {"v": {"def": [{"union": ["string", "number"]}, 4]}, "w": {"def": [{"tup": ["string"]}, ["a"]]}}}, ["1"]),
]
NESTED: list[tuple[Any, list[tuple[str, str]]]] = [
    ({"obj": {"o": {"obj": {"s": "string"}}}}, [("o/s", "1"), ("o/x", "2"), ("y", "3"), ("z/0", "4")]),
    ({"obj": {"a": {"arr": {"obj": {"s": "string"}}}}}, [("a/0/s", "1"), ("a/0/x", "2"), ("a/1/s", "3")]),
    ({"obj": {"t": {"tup": ["string", {"def": ["number", 5]}]}}}, [("t/0", "a")]),
    ({"obj": {"t": {"tup": ["string", {"def": ["number", 5]}, "string"]}}}, [("t/0", "a")]),
    ({"obj": {"u": {"union": [{"obj": {"k": {"def": ["number", 1]}, "t": {"lit": "x"}}}, "string"]}}}, [("u/t", "x")]),
    ({"obj": {"u": {"union": [{"obj": {"t": {"lit": "x"}}}, {"obj": {"t": {"lit": "y"}, "v": "number"}}]}}},
     [("u/t", "x"), ("u/v", "1")]),
    ({"obj": {"i": {"and": [{"obj": {"a": "string"}}, {"obj": {"b": "string"}}]}}},
     [("i/a", "x"), ("i/b", "y"), ("i/c", "z")]),
    ({"obj": {"r": {"rec": "number"}}}, [("r/a", "1"), ("r/b", "2")]),
]  # fmt: skip


def test_what_a_gadget_gets_is_what_llmist_gives_it() -> None:
    cases = [(dsl, [("v", value)]) for dsl, values in CASES for value in values] + NESTED
    sent = [{"chunks": [arguments(*pairs)], "options": {"schemaDsl": dsl}} for dsl, pairs in cases]
    for (dsl, pairs), result in zip(cases, run_llmist(sent), strict=True):
        theirs = result["events"][-1]["call"]
        schema = ParameterSchema(result["jsonSchema"])
        typed, _ = read_body(theirs["parametersRaw"], "!!!ARG:").decoded(schema.expected)
        assert typed is not None
        checked = schema.check(typed)
        assert (not checked.issues) == theirs["valid"], (dsl, pairs)
        assert checked.issues or checked.parameters == theirs["validParameters"], (dsl, pairs)


CLOSED = {"type": "object", "additionalProperties": False}


async def test_what_a_schema_does_not_admit_is_left_out_and_said() -> None:
    got: list[dict[str, Any]] = []

    async def keep(**given: Any) -> None:
        got.append(given)

    inner = {**CLOSED, "properties": {"s": {"type": "string"}}}
    schema = {
        **CLOSED,
        "properties": {"o": inner, "l": {"type": "array", "items": inner}},
        "patternProperties": {"^x": {}},
    }
    given = call("K:a", o__s="1", o__t="2", l__0__s="3", l__0__u="4", extra__deep="5", x1="6")
    started, finished = await run([given], {"K": Gadget(keep, schema)})
    assert got == [{"o": {"s": "1"}, "l": [{"s": "3"}], "x1": 6}]
    assert isinstance(started, Started)
    assert sorted(started.ignored) == ["extra", "l/0/u", "o/t"]
    assert type(finished).__name__ == "Finished"


def test_a_model_that_forbids_more_refuses_it() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(extra="forbid")
        a: int

    with pytest.raises(ParameterError) as refused:
        parse_parameters(raw(a="1", b="2"), schema=Strict)
    assert [(one.kind, one.pointer) for one in refused.value.errors] == [("unknown", "b")]


def test_what_another_part_of_an_intersection_knows_is_not_left_out() -> None:
    parts = [{"properties": {name: {}}, "additionalProperties": False} for name in "ab"]
    with pytest.raises(ParameterError) as refused:
        parse_parameters(raw(a="1", b="2", c="3"), schema={"allOf": parts})
    assert {one.pointer for one in refused.value.errors} == {"a", "b"}


@pytest.mark.parametrize("schema", [5, None, True, "{}", b"{}", int, [{}]])
def test_a_schema_of_another_type_is_refused_by_name(schema: Any) -> None:
    with pytest.raises(TypeError, match="a schema is a JSON Schema as a dict, or a pydantic model class, not "):
        ParameterSchema(schema)


def test_a_schema_judges_a_value_without_the_carriage_return_of_its_chat() -> None:
    read = read_gadgets('{"name": "Sort", "schema": {"properties": {"order": {"enum": ["asc"]}, "by": {}}}}')
    chosen = Settings(gadgets=Gadgets(read.gadgets))
    text = "@ai\n!!!GADGET_START:Sort\n!!!ARG:order\nasc\n!!!ARG:by\nx\n!!!GADGET_END\n".replace("\n", "\r\n")
    assert [each.code for each in check(text, "stf", settings=chosen) if each.code.startswith("G")] == []

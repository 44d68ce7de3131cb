"""Parameters by schema: types, defaults, validation; patterns, formats and numbers are JavaScript's."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from formats.gadget.gadget_cases import arguments, calls_of
from formats.gadget.llmist_peer import run_llmist
from formats.gadget.test_gadget_execute import call, run
from formats.gadget.test_gadget_zod import judged
from llmblocks import Settings, check
from llmblocks.gadget import (
    Finished,
    Gadget,
    Gadgets,
    ParameterError,
    ParameterSchema,
    Started,
    coerce,
    decode_pointer,
    parse_parameters,
    read_gadgets,
)
from llmblocks.gadget.running.patterns import pattern


def raw(**values: str) -> str:
    return "\n".join(f"!!!ARG:{name.replace('__', '/')}\n{value}" for name, value in values.items())


TEXT = {"type": "string"}


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("part", "text", "value"),
    [
        # zod writes no types but these as a list, and no references but to recursive parts
        ({"type": ["string", "null"]}, "1", "1"),
        ({"oneOf": [{"type": "null"}, {"type": "number"}]}, "1e1", 10),
        ({"type": ["string", "number"]}, "1", 1),
        ({"enum": [1, 2]}, "1e0", 1),
        (True, "1", 1),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "1", "1"),
        ({"allOf": [{"$ref": "#/$defs/name"}]}, "1", "1"),
        ({"$ref": "#/$defs/same"}, "1", "1"),
        ({"$ref": "#/definitions/old~1one"}, "1", "1"),
    ],
)
def test_a_schema_decides_the_type(part: Any, text: str, value: Any) -> None:
    whole = {
        **schema(a=part),
        "$defs": {"name": TEXT, "same": {"$ref": "#/$defs/name"}},
        "definitions": {"old/one": TEXT},
    }
    got = parse_parameters(raw(a=text), schema=whole)
    assert got == {"a": value}
    assert type(got["a"]) is type(value)


def test_a_schema_decides_inside_lists_tuples_records_and_objects() -> None:
    text = TEXT
    whole = schema(
        list={"type": "array", "items": text},
        tuple={"type": "array", "prefixItems": [text, {"type": "number"}], "items": text},
        old={"type": "array", "items": [text, {"type": "number"}], "additionalItems": text},
        record={"type": "object", "additionalProperties": text},
        pattern={"type": "object", "patternProperties": {"^x": text}},
        both={"allOf": [schema(a=text), schema(b=text)]},
        deep={"$ref": "#/properties/list"},
        maybe={"anyOf": [schema(a=text), {"type": "null"}]},
    )
    pointers = ["list/0", "list/1", "tuple/0", "tuple/1", "tuple/2", "record/k", "record/0", "pattern/x1", "pattern/y"]
    pointers += ["both/a", "both/b", "both/c", "deep/0", "maybe/a", "old/0", "old/1", "old/2"]
    whole["$schema"] = "https://json-schema.org/draft/2019-09/schema"
    ready = ParameterSchema(whole)
    assert [pointer for pointer in pointers if ready.expected(pointer) != "string"] == [
        "tuple/1", "tuple/2", "pattern/y", "both/c", "old/1", "old/2",
    ]  # fmt: skip


def test_parameters_too_deep_to_be_validated_are_refused() -> None:
    tree = {**schema(child={"$ref": "#"}), "additionalProperties": False}
    with pytest.raises(ParameterError, match="nested too deeply to be validated"):
        parse_parameters(f"!!!ARG:{'child/' * 999}child\n1", schema=tree)


def test_missing_properties_get_their_defaults() -> None:
    whole = schema(
        n={"type": "number", "default": 9007199254740993},
        o={"type": "object", "properties": {"x": {"default": [1]}, "y": {"type": "string"}}},
        r={"$ref": "#/$defs/r"},
    )
    whole["$defs"] = {"r": {"type": "string", "default": "d"}}
    assert parse_parameters(raw(o__y="1"), schema=whole) == {"n": 9007199254740992, "o": {"x": [1], "y": "1"}, "r": "d"}
    first = parse_parameters(raw(o__y="1"), schema=whole)
    first["o"]["x"].append(2)
    assert whole["properties"]["o"]["properties"]["x"]["default"] == [1]


def test_every_error_has_its_pointer() -> None:
    whole = {
        **schema(
            n={"type": "number", "minimum": 4},
            e={"enum": ["a", "b"]},
            o={**schema(k={"type": "string"}), "required": ["k", "l"], "additionalProperties": False},
            l={"type": "array", "items": {"type": "integer"}},
        ),
        "required": ["n", "must"],
    }
    with pytest.raises(ParameterError) as refused:
        parse_parameters(raw(n="1", e="c", o__k="1", o__z="1", l__0="1", l__1="x"), schema=whole)
    assert refused.value.parameters == {"n": 1, "e": "c", "o": {"k": "1", "z": 1}, "l": [1, "x"]}
    assert sorted((error.kind, error.pointer) for error in refused.value.errors) == [
        ("choice", "e"), ("constraint", "n"), ("missing", "must"), ("missing", "o/l"),
        ("type", "l/1"),
    ]  # fmt: skip


def test_arguments_that_cannot_be_read_are_all_reported() -> None:
    with pytest.raises(ParameterError, match=r"^Duplicate pointer: a$") as refused:
        parse_parameters("!!!ARG:a\n1\n!!!ARG:a\n2\n!!!ARG:b/1\n3", schema=schema())
    assert [(error.kind, error.pointer) for error in refused.value.errors] == [
        ("duplicate_pointer", "a"), ("array_gap", "b/1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "bad", [{"type": "strin"}, {"properties": []}, {"required": "a"}, {"$ref": "#/x", "x": {"minLength": "a"}}]
)
def test_what_is_not_a_schema_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a JSON Schema"):
        parse_parameters(raw(a="1"), schema=bad)


def test_a_reference_that_leads_out_of_the_schema_is_refused_and_not_fetched() -> None:
    with pytest.raises(ValueError, match="which is not in it"):
        parse_parameters(raw(a="1"), schema=schema(a={"$ref": "http://127.0.0.1:9/schema.json"}))


class Item(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    count: int = 1


class Order(BaseModel):
    id: str
    items: list[Item] = Field(default_factory=list)
    kind: Literal["a", "b"] = "a"
    note: str | None = None
    either: int | str = 0
    alias: str = Field("x", alias="call-me")


def test_a_model_types_and_completes_parameters() -> None:
    text = raw(id="007", items__0__name="12", items__1__name="x", items__1__count="2", note="1") + "\n!!!ARG:call-me\n5"
    assert parse_parameters(text, schema=Order) == {
        "id": "007",
        "items": [{"name": "12", "count": 1}, {"name": "x", "count": 2}],
        "kind": "a",
        "note": "1",
        "either": 0,
        "call-me": "5",
    }


def test_a_models_errors_have_their_pointers() -> None:
    with pytest.raises(ParameterError) as refused:
        parse_parameters(raw(items__0__count="x", items__0__z="1", kind="c", either__a="1"), schema=Order)
    assert [(error.kind, error.pointer) for error in refused.value.errors] == [
        ("missing", "id"), ("missing", "items/0/name"), ("type", "items/0/count"), ("unknown", "items/0/z"),
        ("choice", "kind"), ("type", "either"), ("type", "either"),
    ]  # fmt: skip


def test_pointers_are_split_into_keys_and_indices() -> None:
    assert decode_pointer("users/0/name") == ("users", 0, "name")
    assert decode_pointer("") == ()
    assert decode_pointer("a/01/1a/-1/ 1/\u0661/10") == ("a", "01", "1a", "-1", " 1", "\u0661", 10)
    assert decode_pointer("/") == ("", "")


def test_coerce_gives_text_its_type() -> None:
    assert [coerce(text) for text in ("42", " 42 ", "true", "42\n", "1e5")] == [42, 42, True, "42\n", "1e5"]
    assert (coerce("1e5", "number"), coerce("", "number"), coerce("42", "string")) == (100000, "", "42")


def test_a_call_that_is_nested_deeper_than_python_prints_still_has_a_repr() -> None:
    assert "'i'" in repr(calls_of(arguments(("a/" * 999 + "a", "x"))))


def test_a_schema_that_is_changed_between_two_calls_is_prepared_again() -> None:
    given = schema(a={"type": "string"})
    assert parse_parameters("!!!ARG:a\n1", schema=given) == {"a": "1"}
    given["properties"]["a"]["type"] = "number"
    assert parse_parameters("!!!ARG:a\n1", schema=given) == {"a": 1}


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
    names = {"type": "object", "patternProperties": {source: {"type": "string"}}}
    assert ParameterSchema(names).expected(text) == ("string" if found and "/" not in text and text else "unknown")


@pytest.mark.parametrize("source", ["[", "(?i)a", "(?P<a>b)", "a**", r"(?<a>.)(?<a>.)"])
def test_a_pattern_that_is_none_of_javascript_is_not_a_schema(source: str) -> None:
    with pytest.raises(ValueError, match="not a JSON Schema, at definitions/v/pattern"):
        admits({"pattern": source}, "")
    with pytest.raises(ValueError, match="not a JavaScript regular expression"):
        pattern(source)


FORMATS = {
    "date": ("2024-02-29", "2023-02-29"), "date-time": ("2024-02-29T10:00:00Z", "2024-02-29 10:00"),
    "time": ("10:00:00Z", "25:00:00Z"), "email": ("a@b.c", "a.b.c"), "hostname": ("example.org", "-a-.org"),
    "uri": ("https://example.org/a?b#c", "example.org"), "uri-reference": ("../a", "a b"),
    "ipv4": ("127.0.0.1", "127.0.0.256"), "ipv6": ("::1", ":::1"), "regex": (r"\p{L}", "["),
    "uuid": ("2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_checked(name: str) -> None:
    good, bad = FORMATS[name]
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


CASES: list[tuple[Any, list[str]]] = [
    ({"obj": {"v": {"mult": 0.01}}}, ["1.15", "2.03", "1.005", "0.1", "7", "-1.15", "0", "1e300", "1e-300"]),
    ({"obj": {"v": {"mult": 0.07}}}, ["2.03", "0.08", "1e16"]),
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
        judged(ParameterSchema(result["jsonSchema"]), result, (dsl, pairs), in_words="match" not in str(dsl))


CLOSED = {"type": "object", "additionalProperties": False}


async def test_what_a_schema_does_not_admit_is_left_out_and_said() -> None:
    got: list[dict[str, Any]] = []

    async def keep(**given: Any) -> None:
        got.append(given)

    inner = {**CLOSED, "properties": {"s": TEXT}}
    outer = {"properties": {"o": inner, "l": {"type": "array", "items": inner}}, "patternProperties": {"^x": {}}}
    given = call("K:a", o__s="1", o__t="2", l__0__s="3", l__0__u="4", extra__deep="5", x1="6")
    started, finished = await run([given], {"K": Gadget(keep, {**CLOSED, **outer})})
    assert got == [{"o": {"s": "1"}, "l": [{"s": "3"}], "x1": 6}]
    assert isinstance(started, Started)
    assert sorted(started.ignored) == ["extra", "l/0/u", "o/t"]
    assert isinstance(finished, Finished)


def test_what_another_part_of_an_intersection_knows_is_not_left_out() -> None:
    parts = [{"properties": {name: {}}, "additionalProperties": False} for name in "ab"]
    with pytest.raises(ParameterError) as refused:
        parse_parameters(raw(a="1", b="2", c="3"), schema={"allOf": parts})
    assert {one.pointer for one in refused.value.errors} == {"a", "b"}


def test_a_schema_judges_a_value_without_the_carriage_return_of_its_chat() -> None:
    read = read_gadgets('{"name": "Sort", "schema": {"properties": {"order": {"enum": ["asc"]}, "by": {}}}}')
    chosen = Settings(gadgets=Gadgets(read.gadgets))
    text = "@ai\n!!!GADGET_START:Sort\n!!!ARG:order\nasc\n!!!ARG:by\nx\n!!!GADGET_END\n".replace("\n", "\r\n")
    assert [each.code for each in check(text, "stf", settings=chosen) if each.code.startswith("G")] == []

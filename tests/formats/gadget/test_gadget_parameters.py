"""Parameters by schema: types, defaults, validation."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from llmblocks.gadget import (
    GadgetStream,
    ParameterError,
    ParameterSchema,
    coerce,
    decode_pointer,
    parse_parameters,
)


def raw(**values: str) -> str:
    return "\n".join(f"!!!ARG:{name.replace('__', '/')}\n{value}" for name, value in values.items())


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("part", "text", "value"),
    [
        ({"type": "string"}, "007", "007"),
        ({"type": "string"}, "true", "true"),
        ({"type": "number"}, "1e3", 1000),
        ({"type": "integer"}, "0x10", 16),
        ({"type": "boolean"}, " true ", True),
        ({"type": ["string", "null"]}, "1", "1"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "1", "1"),
        ({"oneOf": [{"type": "null"}, {"type": "number"}]}, "1e1", 10),
        ({"type": ["string", "number"]}, "1", 1),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "1", 1),
        ({"type": "string", "default": "x"}, "1", "1"),
        ({"enum": ["1", "2"]}, "1", "1"),
        ({"enum": [1, 2]}, "1e0", 1),
        ({"const": "1"}, "1", "1"),
        ({"const": True}, "true", True),
        ({}, "1", 1),
        (True, "1", 1),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "1", "1"),
        ({"allOf": [{"$ref": "#/$defs/name"}]}, "1", "1"),
        ({"$ref": "#/$defs/name"}, "1", "1"),
        ({"$ref": "#/$defs/same"}, "1", "1"),
        ({"$ref": "#/definitions/old~1one"}, "1", "1"),
        ({"$ref": "#anchored"}, "1", "1"),
    ],
)
def test_a_schema_decides_the_type(part: Any, text: str, value: Any) -> None:
    whole = {
        **schema(a=part),
        "$defs": {
            "name": {"type": "string"},
            "same": {"$ref": "#/$defs/name"},
            "x": {"$anchor": "anchored", "type": "string"},
        },
        "definitions": {"old/one": {"type": "string"}},
    }
    got = parse_parameters(raw(a=text), schema=whole)
    assert got == {"a": value}
    assert type(got["a"]) is type(value)


def test_a_schema_decides_inside_lists_tuples_records_and_objects() -> None:
    text = {"type": "string"}
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
        n={"type": "integer", "default": 3},
        o={"type": "object", "properties": {"x": {"default": [1]}, "y": {"type": "string"}}},
        r={"$ref": "#/$defs/r"},
    )
    whole["$defs"] = {"r": {"type": "string", "default": "d"}}
    assert parse_parameters(raw(o__y="1"), schema=whole) == {"n": 3, "o": {"x": [1], "y": "1"}, "r": "d"}
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


@pytest.mark.parametrize("bad", [{"type": "strin"}, {"properties": []}, {"required": "a"}])
def test_what_is_not_a_schema_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a JSON Schema"):
        parse_parameters(raw(a="1"), schema=bad)


def test_a_reference_that_leads_out_of_the_schema_is_refused_and_not_fetched() -> None:
    with pytest.raises(ValueError, match="refers to something outside it"):
        parse_parameters(raw(a="1"), schema=schema(a={"$ref": "http://127.0.0.1:9/schema.json"}))


class Item(BaseModel):
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
        parse_parameters(raw(items__0__count="x", kind="c", either__a="1"), schema=Order)
    assert [(error.kind, error.pointer) for error in refused.value.errors] == [
        ("missing", "id"),
        ("missing", "items/0/name"),
        ("type", "items/0/count"),
        ("choice", "kind"),
        ("type", "either"),
        ("type", "either"),
    ]


def test_pointers_are_split_into_keys_and_indices() -> None:
    assert decode_pointer("users/0/name") == ("users", 0, "name")
    assert decode_pointer("") == ()
    assert decode_pointer("a/01/1a/-1/ 1/\u0661/10") == ("a", "01", "1a", "-1", " 1", "\u0661", 10)
    assert decode_pointer("/") == ("", "")


def test_coerce_gives_text_its_type() -> None:
    assert [coerce(text) for text in ("42", " 42 ", "true", "42\n", "1e5")] == [42, 42, True, "42\n", "1e5"]
    assert [coerce(text, "number") for text in ("1e5", "", "x")] == [100000, "", "x"]
    assert [coerce(text, "string") for text in ("42", "true")] == ["42", "true"]


def test_a_call_that_is_nested_deeper_than_python_prints_still_has_a_repr() -> None:
    stream = GadgetStream()
    events = stream.feed("!!!GADGET_START:Deep\n!!!ARG:" + "/".join(["a"] * 999) + "\nx\n!!!GADGET_END\n")
    assert "Deep" in repr(events)


def test_a_schema_that_is_changed_between_two_calls_is_prepared_again() -> None:
    given = schema(a={"type": "string"})
    assert parse_parameters("!!!ARG:a\n1", schema=given) == {"a": "1"}
    given["properties"]["a"]["type"] = "number"
    assert parse_parameters("!!!ARG:a\n1", schema=given) == {"a": 1}

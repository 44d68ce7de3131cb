"""Texts of the grammar of gadget calls have no error and allowed values; they do not include what a rule reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grammars.engines import ask
from llmblocks import Settings, check
from llmblocks.cli.explain import settings_of
from llmblocks.completions import find_template, template_names
from llmblocks.completions.grammar import grammar_of as completions
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.gadget import Gadgets, GadgetSchema, Markers, read_gadgets
from llmblocks.gadget.grammar import grammar_of
from llmblocks.gadget.rules import RULES
from llmblocks.gadget.stream import read_calls
from llmblocks.grammars.expression import Grammar
from llmblocks.grammars.notation import bnf, lark

SCHEMAS: dict[str, dict[str, Any]] = {
    "Search": {
        "type": "object",
        "required": ["query"],
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1},
            "order": {"enum": ["newest", "oldest", 3]},
            "near": {
                "type": "object",
                "required": ["lat"],
                "properties": {"lat": {"type": "number"}, "exact": {"type": "boolean"}},
            },
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 8}, "maxItems": 3, "minItems": 2},
            "by": {"anyOf": [{"type": "integer", "minimum": 2, "maximum": 12}, {"const": "all"}]},
            "code": {"type": "string", "pattern": "^[a-z]{2,4}-[0-9]+$"},
        },
    },
    "Stop": {"type": "object", "properties": {}},
    "Search_all": {
        "type": "object",
        "required": ["rows"],
        "properties": {
            "rows": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["a"],
                    "properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/B"}},
                },
            }
        },
        "$defs": {"B": {"type": ["boolean", "null"]}},
    },
}
GADGETS = [GadgetSchema(name, parameters=schema) for name, schema in SCHEMAS.items()]
WORDS = (
    *("Search", "Search_all", "Stop", "query", "limit", "hello", "12", "newest", "near", "lat", "tags/0"),
    *("```", "true"),
)
# a session decides the last three, and a grammar does not compare two calls; it writes at most 15 digits, not 16
NOT_OF_A_GRAMMAR = ("G118", "G122", "G301", "G302", "G303")


@pytest.mark.slow
@pytest.mark.parametrize(
    "markers",
    [Markers(), Markers("<<CALL ", "<<DONE", "<<WITH "), Markers("~", "%%", "^^")],
    ids=lambda each: each.start,
)
def test_texts_of_the_grammar_have_no_error_and_allowed_values(markers: Markers) -> None:
    ids = ("r1", "r2", "r3")
    liked = [*WORDS, *markers, *[f"\n{each}" for each in markers], ":r1", ":r2"]
    drawn = ask(grammar_of(GADGETS, markers, ids), draw=60, liked=liked).drawn
    settings = Settings()._replace(gadgets=Gadgets(GADGETS), markers=markers)
    called = set[str]()
    for text in drawn:
        findings = check(text, "gadget", settings)
        assert not [each for each in findings if each.severity is Severity.ERROR], text
        for call in read_calls(text, markers)[0]:
            called.add(call.name)
            prepared = Gadgets(GADGETS).schema(call.name)
            assert prepared is not None
            values = call.typed(prepared.expected)
            assert not [*Draft202012Validator(SCHEMAS[call.name]).iter_errors(values)], text
    assert called == {*SCHEMAS}


@pytest.mark.slow
@pytest.mark.parametrize(
    "rule", [each for each in RULES if each.code not in NOT_OF_A_GRAMMAR], ids=lambda each: each.code
)
def test_good_examples_are_accepted_and_bad_ones_refused(rule: Rule) -> None:
    ids = [*dict.fromkeys([call.invocation_id for call in read_calls(rule.good)[0]])]
    known = [*(settings_of(rule).gadgets or _of_calls(rule.good))]
    accepted = ask(
        grammar_of(known, ids=[each for each in ids if not each.startswith("gadget_")]), [rule.good, rule.bad]
    )
    assert accepted.accepted == [True, False]


def _of_calls(text: str) -> list[GadgetSchema]:
    """Gadgets that accept the calls of a text."""
    found: dict[str, dict[str, Any]] = {}
    for call in read_calls(text)[0]:
        schema = _schema_of(call.parameters)
        found.setdefault(call.name, schema)["properties"].update(schema["properties"])
    return [GadgetSchema(name, parameters=schema) for name, schema in found.items()]


def _schema_of(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {"type": "object", "properties": {name: _schema_of(each) for name, each in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": _schema_of(value[0])}
    return {"type": "number" if isinstance(value, int | float) else "string"}


@pytest.mark.slow
def test_a_call_depends_on_earlier_ids_alone() -> None:
    def chat(*headers: str) -> str:
        return "".join([f"!!!GADGET_START:Stop:{each}\n!!!GADGET_END\n" for each in headers])

    texts = [chat("r1", "r2:r1", "r3:r1,r2"), chat("r1:r2"), chat("r2"), chat("r1", "r1"), chat("r1", "r2:r1,r1")]
    assert ask(grammar_of(GADGETS, ids=("r1", "r2", "r3")), texts).accepted == [True] + 4 * [False]


@pytest.mark.slow
def test_a_value_cannot_hold_a_marker() -> None:
    def call(value: str) -> str:
        return f"!!!GADGET_START:Search\n!!!ARG:query\n{value}\n!!!GADGET_END\n"

    good = [call("a"), call("a\n\nb!"), call("!!"), call("see !!!ARG")]
    bad = [
        call("a !!!ARG:b"),
        call("!!!GADGET_END"),
        call("!!!arg:b"),
        call("!!!GADGET_STRAT:b"),
        call("a  "),
        call("```"),
    ]
    assert ask(grammar_of(GADGETS), [*good, *bad]).accepted == [True] * len(good) + [False] * len(bad)


def test_what_the_grammar_leaves_out_is_noted() -> None:
    given = [
        {
            "name": "A",
            "parameters": {
                "type": "object",
                "properties": {"free": {"type": "object"}, "n": {"type": "number", "maximum": 3}},
            },
        },
        {
            "name": "B",
            "parameters": {"type": "object", "required": ["free"], "properties": {"free": {"type": "object"}}},
        },
    ]
    assert grammar_of(read_gadgets(json.dumps(given)).gadgets).notes == (
        "A/n: `maximum` is not enforced",
        "A/free: left out: the format cannot carry it",
        "B: left out: the format cannot carry its name or a required parameter",
    )


def test_names_that_hold_a_marker_are_left_out() -> None:
    gadgets = [
        GadgetSchema("Sum", parameters={"properties": {"to": {}, "total": {}, "a/b": {}, "": {}, "toString": {}}})
    ]
    found = grammar_of([*gadgets, GadgetSchema("a:b"), GadgetSchema("Sta")], Markers("ta", "bb", "cc"))
    assert found.notes == (
        "Sum/: left out: the format cannot carry it",
        "Sum/a/b: left out: the format cannot carry it",
        "Sum/total: left out: the format cannot carry it",
        "a:b: left out: the format cannot carry its name or a required parameter",
        "Sta: left out: the format cannot carry its name or a required parameter",
    )


def test_no_gadget_that_can_be_called_is_an_error() -> None:
    with pytest.raises(ValueError, match="no gadget can be called"):
        grammar_of([])


@pytest.mark.parametrize(
    "schema",
    [
        {"minimum": float("inf"), "maximum": float("nan"), "type": "integer"},
        {"enum": [float("inf"), [1], {"a": 1}, None], "type": "integer"},
        {"$ref": "#/properties/a"},
        {"anyOf": [{"$ref": "#"}, 1, False]},
        {"type": "string", "pattern": "^(["},
        {"type": "string", "minLength": 9, "maxLength": 3},
        {"type": "array", "items": {"$ref": "#/properties/a"}, "minItems": 99},
        {"properties": {each: {"$ref": "#/properties/a"} for each in "cdefgh"}},
        {"properties": [], "required": {"b": 1}},
        {"type": ["object", 3, "array"], "allOf": [{"type": "object"}, 7]},
    ],
    ids=str,
)
def test_any_schema_has_a_grammar_or_a_reason(schema: dict[str, Any]) -> None:
    parameters = {"properties": {"a": schema, "b": {"type": "string"}}}
    found: list[Callable[[], Grammar]] = [lambda: grammar_of([GadgetSchema("f", parameters=parameters)])]
    found += [partial(completions, find_template(name).template, {"f": parameters}) for name in template_names()]
    for make in found:
        with suppress(ValueError):
            grammar = make()
            assert bnf(grammar).startswith("root ::= ")
            assert lark(grammar).startswith("start: ")

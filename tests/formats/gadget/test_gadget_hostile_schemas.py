"""Nothing that a schema says takes long, nor its patterns: counted in steps of Python, far below what took minutes."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

import pytest

from llmblocks import Settings, check
from llmblocks.gadget import Gadgets, ParameterError, ParameterSchema, parse_parameters, read_gadgets
from llmblocks.gadget.running import patterns
from llmblocks.gadget.running.patterns import matcher
from llmblocks.gadget.running.schema import TOO_DEEP

Json = Any
MOST_CALLS = 3_000_000
"""Calls and returns: a few tenths of a second."""
REF = "#/$defs/{}"
SIDES: Json = {side: {"$ref": "#/$defs/E"} for side in "lr"}
EXPRESSION: Json = {
    "$defs": {
        "E": {
            "anyOf": [
                {"type": "number"},
                *(
                    {"properties": {"op": {"const": op}, **SIDES}, "required": ["op", "l", "r"], "type": "object"}
                    for op in ("add", "mul")
                ),
            ]
        }
    },
    "type": "object",
    "properties": {"e": {"$ref": "#/$defs/E"}},
}


def expression(depth: int, leaf: str) -> str:
    """Return the arguments of an expression that is `depth` deep on its right side."""
    rows = "".join(f"!!!ARG:e{'/r' * at}/op\nmul\n!!!ARG:e{'/r' * at}/l\n1\n" for at in range(depth))
    return f"{rows}!!!ARG:e{'/r' * depth}\n{leaf}\n"


def nested(word: str, width: int, depth: int, last: Json) -> Json:
    """Unions of references to unions of references."""
    definitions = {str(at): {word: [{"$ref": REF.format(at + 1)}] * width} for at in range(depth)}
    return {"$defs": {**definitions, str(depth): last}, "$ref": REF.format(0)}


def calls(run: Callable[[], object]) -> int:
    """Return the calls and returns in a run. Raises `AssertionError` where there are too many, at once."""
    count = 0

    def counted(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += 1
        if count > MOST_CALLS:
            sys.setprofile(None)
            raise AssertionError(f"more than {MOST_CALLS} calls")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def judged(schema: Json, body: str) -> int:
    """Return the calls that it takes to read a schema, and to judge parameters against it."""

    def run() -> None:
        read_gadgets(json.dumps({"name": "G", "schema": schema}))
        with contextlib.suppress(ParameterError):
            parse_parameters(body, schema=schema)

    return calls(run)


@pytest.mark.parametrize("leaf", ["1", "x"])
def test_a_recursive_union_costs_its_size(leaf: str) -> None:
    judged(EXPRESSION, expression(1, leaf))
    costs = [judged(EXPRESSION, expression(depth, leaf)) for depth in (4, 8, 16)]
    assert costs[2] - costs[1] < 2.5 * (costs[1] - costs[0])


def test_a_deep_expression_is_read() -> None:
    found = parse_parameters(expression(12, "7"), schema=EXPRESSION)["e"]
    for _ in range(12):
        found = found["r"]
    assert found == 7


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("last", [{"required": ["zz"]}, {"properties": {"a": {}}}])
def test_references_in_references_are_judged_once(word: str, last: Json) -> None:
    # as in a file, each reference is its own object
    schema = json.loads(json.dumps(nested(word, 10, 12, last)))
    assert judged(schema, "!!!ARG:a\n1\n") < MOST_CALLS
    assert not any("too complex" in each.message for each in ParameterSchema(schema).check({"a": 1}).issues)


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {f"p{at}": {"type": "string", "description": f"text {at}"} for at in range(5000)}},
        {"properties": {f"p{at}": {} for at in range(4000)}, "required": [f"p{at}" for at in range(4000)]},
        {"properties": {"a": {"enum": [f"value {at}" for at in range(50_000)]}}},
        {"properties": {"a": {"anyOf": [{"type": "array", "minItems": at} for at in range(5000)]}}},
        {"properties": {"a": {"anyOf": [True] * 5000 + [{"type": "array"}] * 5000}}},
        {"allOf": [{"$ref": "#"}, {"$ref": "#"}]},
        {"anyOf": [{"$ref": "#"}, {"not": {"$ref": "#"}}]},
    ],
    ids=lambda schema: str(schema)[:40],
)
def test_a_large_schema_is_read_and_used_in_linear_time(schema: Json) -> None:
    body = "".join(f"!!!ARG:a/{at}/b\n{at}\n" for at in range(300))
    assert judged(schema, body) < MOST_CALLS


WORDS = ("allOf", "anyOf", "oneOf", "not", "if", "items", "properties", "additionalProperties", "$ref")
PLAIN: tuple[Json, ...] = (
    {"type": "string"},
    {"type": ["null", "object"]},
    {"required": ["a", "b"]},
    {"const": 1},
    {"minProperties": 3},
    {"uniqueItems": True},
    {"pattern": "^(a+)+$"},
    {"default": {"a": {"a": 1}}},
    True,
    False,
    {},
)


def hostile(random: Random, names: list[str], depth: int = 0) -> Json:
    """Return a schema that refers to parts of itself at every turn."""
    word = random.choice(WORDS)
    if depth > 3 or word == "$ref":
        return {"$ref": REF.format(random.choice(names))} if random.random() < 0.7 else random.choice(PLAIN)
    if word in ("allOf", "anyOf", "oneOf"):
        return {word: [hostile(random, names, depth + 1) for _ in range(random.randrange(1, 5))]}
    if word == "if":
        return {name: hostile(random, names, depth + 1) for name in ("if", "then", "else")}
    if word == "properties":
        return {word: {name: hostile(random, names, depth + 1) for name in "abc"}, **random.choice(PLAIN[2:6])}
    return {word: hostile(random, names, depth + 1)}


def test_what_several_members_say_is_said_once() -> None:
    (issue,) = ParameterSchema(nested("allOf", 3, 3, {"required": ["zz"]})).check({}).issues
    assert issue.pointer == "zz"


def test_a_schema_that_never_ends_is_too_deep_wherever_the_stack_ends(capfd: pytest.CaptureFixture[str]) -> None:
    again = {"$ref": REF.format(0)}
    inner = {"not": {"oneOf": [{"required": ["c"]}, again, again]}}
    schema = ParameterSchema(
        {"$defs": {"0": {"oneOf": [{"not": {"required": ["b"]}}, {"allOf": [inner, again]}]}}, **again}
    )

    def below(calls: int) -> Json:
        return below(calls - 1) if calls else schema.check({"a": "", "b": ""}).issues

    # a library in Rust panics, and says so, if its part of the stack is the last
    for calls in range(60):
        assert below(calls) == (TOO_DEEP,)
    assert capfd.readouterr().err == ""


def chosen(schema: Json) -> Settings:
    return Settings(gadgets=Gadgets(read_gadgets(json.dumps({"name": "G", "schema": schema})).gadgets))


needs_processes = pytest.mark.skipif(not patterns._HELPER.works, reason="processes cannot be waited for here")
CATASTROPHIC = "^(a+)+$"


@needs_processes
def test_a_match_in_another_process_is_the_same() -> None:
    for source, text, found in (
        (r"^(?:\w+\.)*\w+@\w+$", "some.long.name@example", True),
        (r"^(?:\w+\.)*\w+@\w+$", "some.long.name.example", False),
        (r"^\p{L}+ \p{L}+\n$", "Ünïcödé äöüÄÖÜß\n", True),
        ("x*y*", "\ud800" * 2000, True),
        ("^[^]*x[^]*$", "a line\n" * 20_000, False),
    ):
        assert matcher(source)(text) is found


@pytest.mark.slow
@needs_processes
def test_a_pattern_that_takes_too_long_is_unknown_and_the_next_works_even_if_the_process_has_died() -> None:
    assert matcher(CATASTROPHIC)("a" * 60 + "b") is None
    assert matcher("^(b+)+$")("b" * 60) is True
    assert matcher("^(?:a|b)+c+$")("b" * 60) is False
    process = patterns._HELPER._process
    assert process is not None
    process.kill()
    process.wait()
    assert matcher("^(d+)+$")("b") is False


@needs_processes
def test_an_editor_does_not_wait_for_a_pattern() -> None:
    schema = {"properties": {"v": {"type": "string", "pattern": CATASTROPHIC}, "w": {"pattern": "^(c+)+$"}}}
    text = f"!!!GADGET_START:G\n!!!ARG:v\n{'a' * 60}b\n!!!ARG:w\n{'d' * 60}\n!!!GADGET_END\n"
    (found,) = check(text, "gadget", chosen(schema))
    assert found.message.headline == "w: Invalid string: must match pattern /^(c+)+$/"


@pytest.mark.slow
@needs_processes
def test_a_library_call_is_refused_where_a_pattern_takes_too_long_and_the_next_is_not() -> None:
    schema = ParameterSchema({"properties": {"v": {"pattern": "^(e+)+$"}}})
    (issue,) = schema.check({"v": "e" * 60 + "!"}).issues
    assert issue.message == "the pattern /^(e+)+$/ takes too long to match"
    assert schema.check({"v": "e" * 60}).issues == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "source", ["^(a{1,20}){1,20}$", r"^(\w|\d)+$", "^(a|a?)+$", "^(((a*)*)*)*$", "a*a*a*a*a*a*a*b"]
)
@pytest.mark.parametrize("word", ["pattern", "patternProperties", "additionalProperties"])
@needs_processes
def test_no_pattern_is_taken_for_harmless(source: str, word: str) -> None:
    long = "a" * 60 + "!"
    schema: dict[str, object] = {"properties": {"v": {"pattern": source}}}
    if word != "pattern":
        schema = {"properties": {}, "patternProperties": {source: {}}, "additionalProperties": word != "pattern"}
    text = f"!!!GADGET_START:G\n!!!ARG:{long}\n1\n!!!ARG:v\n{long}\n!!!GADGET_END\n"
    before = time.process_time()
    check(text, "gadget", chosen(schema))
    with contextlib.suppress(ValueError):
        parse_parameters(f"!!!ARG:{long}\n1\n!!!ARG:v\n{long}\n", schema=schema)
    # not a measurement: this takes minutes, or it takes no time here
    assert time.process_time() - before < 20

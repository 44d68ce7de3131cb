"""Patterns that may take long, and those that do."""

from __future__ import annotations

import contextlib
import json
import time

import pytest

from llmblocks import Settings, check
from llmblocks.gadget import Gadgets, ParameterSchema, parse_parameters, read_gadgets
from llmblocks.gadget.running import patterns
from llmblocks.gadget.running.patterns import matcher

pytestmark = pytest.mark.skipif(not patterns._HELPER.works, reason="processes cannot be waited for on this system")
CATASTROPHIC = "^(a+)+$"


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        (r"^(?:\w+\.)*\w+@\w+$", "some.long.name@example", True),
        (r"^(?:\w+\.)*\w+@\w+$", "some.long.name.example", False),
        (r"^\p{L}+ \p{L}+\n$", "Ünïcödé äöüÄÖÜß\n", True),
        ("x*y*", "\ud800" * 2000, True),
        ("^[^]*x[^]*$", "a line\n" * 20_000, False),
    ],
)
def test_a_match_in_another_process_is_the_same(source: str, text: str, found: bool) -> None:
    assert matcher(source)(text) is found


@pytest.mark.slow
def test_a_pattern_that_takes_too_long_is_unknown_and_the_next_works() -> None:
    assert matcher(CATASTROPHIC)("a" * 60 + "b") is None
    assert matcher("^(b+)+$")("b" * 60) is True
    assert matcher("^(?:a|b)+c+$")("b" * 60) is False
    assert matcher("^(d+)+$")("b") is False


@pytest.mark.slow
def test_a_process_that_has_died_is_started_again() -> None:
    assert matcher("^x+y+$")("x" * 20) is False
    process = patterns._HELPER._process
    assert process is not None
    process.kill()
    process.wait()
    assert matcher("^x+y+$")("x" * 20) is False


def test_an_editor_does_not_wait_for_a_pattern() -> None:
    schema = {"properties": {"v": {"type": "string", "pattern": CATASTROPHIC}, "w": {"pattern": "^(c+)+$"}}}
    definition = f'{{"name": "G", "schema": {str(schema).replace(chr(39), chr(34))}}}'
    chosen = Settings(gadgets=Gadgets(read_gadgets(definition).gadgets))
    text = f"!!!GADGET_START:G\n!!!ARG:v\n{'a' * 60}b\n!!!ARG:w\n{'d' * 60}\n!!!GADGET_END\n"
    assert [str(each.message).split(" — ")[0] for each in check(text, "gadget", chosen)] == [
        "w: Invalid string: must match pattern /^(c+)+$/"
    ]


@pytest.mark.slow
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
def test_no_pattern_is_taken_for_harmless(source: str, word: str) -> None:
    long = "a" * 60 + "!"
    schema: dict[str, object] = {"properties": {"v": {"pattern": source}}}
    if word != "pattern":
        schema = {"properties": {}, "patternProperties": {source: {}}, "additionalProperties": word != "pattern"}
    definition = json.dumps({"name": "G", "schema": schema})
    chosen = Settings(gadgets=Gadgets(read_gadgets(definition).gadgets))
    text = f"!!!GADGET_START:G\n!!!ARG:{long}\n1\n!!!ARG:v\n{long}\n!!!GADGET_END\n"
    before = time.process_time()
    check(text, "gadget", chosen)
    with contextlib.suppress(ValueError):
        parse_parameters(f"!!!ARG:{long}\n1\n!!!ARG:v\n{long}\n", schema=schema)
    # not a measurement: this takes minutes, or it takes no time here
    assert time.process_time() - before < 20

"""Patterns that may take long, and those that do."""

from __future__ import annotations

import json
import signal

import pytest

from llmblocks import Settings, check
from llmblocks.gadget import Gadgets, ParameterSchema, read_gadgets
from llmblocks.gadget.running import matching
from llmblocks.gadget.running.matching import timed_pattern

pytestmark = pytest.mark.skipif(not matching._HELPER.works, reason="processes cannot be waited for on this system")
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
    assert timed_pattern(source)(text) is found


def test_a_pattern_that_takes_too_long_matches_and_the_next_works() -> None:
    assert timed_pattern(CATASTROPHIC)("a" * 60 + "b") is True
    assert timed_pattern("^(b+)+$")("b" * 60) is True
    assert timed_pattern("^(?:a|b)+c+$")("b" * 60) is False
    assert timed_pattern(CATASTROPHIC)("b") is False


def test_the_time_of_a_match_is_processor_time() -> None:
    """On a busy machine a match that is no trouble may be late: nobody ends its process for that."""
    process = matching._HELPER._start()
    with process:
        asked = json.dumps([CATASTROPHIC, "a" * 60 + "b"]).encode() + b"\n"
        assert process.communicate(asked)[0] == b"1"
        assert process.returncode == -signal.SIGPROF


def test_a_process_that_has_died_is_started_again() -> None:
    assert timed_pattern("^x+y+$")("x" * 20) is False
    process = matching._HELPER._process
    assert process is not None
    process.kill()
    process.wait()
    assert timed_pattern("^x+y+$")("x" * 20) is False


def test_an_editor_does_not_wait_for_a_pattern() -> None:
    schema = {"properties": {"v": {"type": "string", "pattern": CATASTROPHIC}, "w": {"pattern": "^(c+)+$"}}}
    definition = f'{{"name": "G", "schema": {str(schema).replace(chr(39), chr(34))}}}'
    chosen = Settings(gadgets=Gadgets.of(read_gadgets(definition).gadgets))
    text = f"!!!GADGET_START:G\n!!!ARG:v\n{'a' * 60}b\n!!!ARG:w\n{'d' * 60}\n!!!GADGET_END\n"
    assert [each.message.split(" — ")[0] for each in check(text, "gadget", chosen)] == [
        "w: Invalid string: must match pattern /^(c+)+$/"
    ]


def test_a_library_call_matches_in_its_own_process() -> None:
    assert ParameterSchema({"properties": {"v": {"pattern": "^(a+)+$"}}}).check({"v": "a" * 30}).issues == ()

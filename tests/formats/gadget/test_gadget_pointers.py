"""Pointers below what is not a dict or list: what they say, and what they cost."""

from __future__ import annotations

import pytest

from formats.gadget.gadget_cases import arguments, calls_of
from formats.gadget.llmist_peer import run_llmist
from llmblocks.gadget import GadgetCall
from llmblocks.gadget.syntax.pointer import INHERITED
from llmblocks.gadget.syntax.values import METHODS


def read(*pairs: tuple[str, str]) -> GadgetCall:
    return calls_of(arguments(*pairs))[0]


@pytest.mark.parametrize(
    ("value", "pointer"),
    [("text", "a/at/x"), ("5", "a/toFixed/x"), ("1.5", "a/toFixed/x"), ("text", "a/0/at/x"), ("text", "a/at/0"),
     ("text", "a/length/toFixed/x"), ("text", "a/at/prototype/x"), ("true", "a/valueOf/x")],
)  # fmt: skip
def test_a_pointer_into_a_method_is_unsafe(value: str, pointer: str) -> None:
    call = read(("a", value), (pointer, "2"))
    assert call.error_kind == "unsafe_pointer"
    assert call.error is not None
    assert call.error.startswith(f"Unsafe pointer: {pointer} — ")
    assert call.arguments[1].problem == (call.error_kind, call.error)


@pytest.mark.parametrize(("value", "pointer"), [("text", "a/toFixed/x"), ("5", "a/at/x"), ("true", "a/toFixed/x")])
def test_a_method_of_another_type_is_none(value: str, pointer: str) -> None:
    assert read(("a", value), (pointer, "2")).error_kind == "scalar_parent"


def test_llmist_writes_into_every_method_that_is_refused() -> None:
    kinds = ((str, "text"), (int, "5"), (bool, "true"))
    pairs = [(value, name) for kind, value in kinds for name in sorted(METHODS[kind] | INHERITED)]
    cases = [{"chunks": [arguments(("a", value), (f"a/{name}/x", "2"))], "options": {}} for value, name in pairs]
    for (value, name), result in zip(pairs, run_llmist(cases), strict=True):
        assert result["events"][-1]["call"]["parseError"] is None, (value, name)


def test_a_quoted_text_is_shortened() -> None:
    call = read(("s", "x" * 1000), ("s/b", "1"), ("s/1", "1"))
    shown = "x" * 99 + "…"
    assert [problem.message for problem in call.problems] == [
        f"Cannot create property 'b' on string '{shown}'",
        f"Cannot assign to read only property '1' of string '{shown}'",
    ]


@pytest.mark.parametrize("text", ["ab", "éa", "a😀", "\ud800x"])
def test_the_characters_of_a_text_are_those_of_utf_16(text: str) -> None:
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    call = read(("s", text), *((f"s/{number}", "1") for number in range(units + 1)), ("s/length/x", "1"))
    assert [problem.message.split(" '")[0] for problem in call.problems] == [
        *["Cannot assign to read only property"] * units, *["Cannot create property"] * 2,
    ]  # fmt: skip
    assert call.problems[-1].message == f"Cannot create property 'x' on number '{units}'"

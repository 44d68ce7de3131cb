"""Writing calls, and what the format cannot carry."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.gadget.gadget_cases import written
from formats.gadget.gadget_model import events_of
from formats.gadget.gadget_pieces import PIECES, texts
from llmblocks.gadget import CallEnded, GadgetCall, Markers, RenderError, parse_parameters, render


def parsed(text: str, markers: Markers | None = None) -> list[GadgetCall]:
    return [event.call for _, event in events_of([text], markers) if isinstance(event, CallEnded)]


def test_a_call_is_written_with_each_argument_on_its_own_lines() -> None:
    parameters = {"path": "x.py", "items": [{"n": 1, "ok": True}, "two\nlines"], "t": 1.5}
    assert render(written(name="Write", invocation_id="w1", dependencies=("a", "b"), parameters=parameters)) == (
        "!!!GADGET_START:Write:w1:a,b\n!!!ARG:path\nx.py\n!!!ARG:items/0/n\n1\n!!!ARG:items/0/ok\ntrue\n"
        "!!!ARG:items/1\ntwo\nlines\n!!!ARG:t\n1.5\n!!!GADGET_END\n"
    )


@given(texts)
def test_what_can_be_written_comes_back(text: str) -> None:
    for call in parsed(text):
        with suppress(RenderError):
            (back,) = parsed(render(call))
            assert (back.name, back.invocation_id, back.dependencies, back.parameters) == (
                *(call.name, call.invocation_id, call.dependencies),
                call.parameters,
            )


keys = st.sampled_from(["a", "b", "0", "1", "", "x y", "__proto__", "toString", "~0", "é", "a/b", " s"])
values = st.recursive(
    st.one_of(
        st.integers(), st.floats(allow_nan=False), st.booleans(), st.none(), st.sampled_from(PIECES),
        st.lists(st.sampled_from(PIECES), max_size=3).map("".join),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(
    st.dictionaries(keys, values, max_size=4),
    st.sampled_from([Markers(), Markers("[", "]", "~"), Markers("S", "E", " `")]),
)
def test_any_parameters_come_back_or_are_refused(parameters: dict[str, Any], markers: Markers) -> None:
    with suppress(RenderError):
        (back,) = parsed(render(written(parameters=parameters), markers=markers), markers)
        assert back.parameters == parameters


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"a": "x !!!GADGET_END"}, "a: it holds the marker '!!!GADGET_END', which would end it"),
        ({"a!!!ARG:": 1}, "holds the marker '!!!ARG:'"),
        ({"a": "code\n```"}, "a: the last value ends in a code fence"),
        ({"a": "text \n"}, "a: the last value ends in white space"),
        ({"a": "42"}, "a: '42' would come back as 42; a schema"),
        ({"a": 2**53 + 1}, "a: 9007199254740993 would come back as 9007199254740992"),
        ({"a": {"x/y": 1}}, "holds a slash"),
        ({"a": None}, "a: null has no way to be written"),
        ({"a": float("inf")}, "a: inf has no way to be written"),
        ({"a": []}, "a: an empty list or dict"),
        ({"a": {"0": 1}}, "would come back as a list"),
        ({"__proto__": 1}, "inherited by every object"),
        ({" a": 1}, "white space, which is trimmed"),
        ({"": 1}, "the pointer is empty"),
        *[({"n": number}, "n: the number is past float64") for number in (10**309, -(10**309), 10**4300)],
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_the_format_cannot_carry_is_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(RenderError) as refused:
        render(written(parameters=parameters))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("part", "given"),
    [
        *(("name", "a:b"), ("name", "a\nb"), ("invocation_id", " i")),
        *[("dependencies", given) for given in (("a", "a"), ("a,b",), ("",))],
    ],
)
def test_a_header_that_would_come_back_otherwise_is_refused(part: str, given: Any) -> None:
    with pytest.raises(RenderError, match=r"the header .* would come back as"):
        render(written(**{part: given}))


def test_with_a_schema_text_that_looks_like_a_number_is_carried() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    (back,) = parsed(render(written(parameters={"a": "007"}), schema=schema))
    assert parse_parameters(back.parameters_raw, schema=schema) == {"a": "007"}


def test_a_call_with_an_error_is_refused() -> None:
    with pytest.raises(RenderError, match="the call has an error"):
        render(parsed("!!!GADGET_START:G:i\n!!!ARG:a/1\n1")[0])


def test_a_call_that_is_nested_as_deep_as_can_be_comes_back() -> None:
    text = "!!!GADGET_START:G:i\n!!!ARG:" + "/".join(["a", "0"] * 500) + "\n1\n!!!GADGET_END\n"
    (call,) = parsed(text)
    assert call.error is None
    assert render(call) == text


def test_a_dict_whose_first_key_is_an_index_is_written_from_another_key_on() -> None:
    call = written(parameters={"d": {"0": 1, "a": 2, "1": {"2": "x", "b": "y"}}})
    assert render(call).split("\n")[1:-2] == [
        "!!!ARG:d/a", "2", "!!!ARG:d/0", "1", "!!!ARG:d/1/b", "y", "!!!ARG:d/1/2", "x",
    ]  # fmt: skip
    assert parsed(render(call))[0].parameters == call.parameters

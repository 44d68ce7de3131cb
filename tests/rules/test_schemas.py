"""The rules about schemas, as the library and llmist: places and fixes are in `tests/cli/rules-about-schemas.md`."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import examples
from formats.gadget.llmist_peer import run_llmist
from llmblocks import Finding, Settings, check
from llmblocks.gadget import CallEnded, Gadgets, GadgetStream, ParameterError, parse_parameters, read_gadgets

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "s": {"type": "string"},
        "n": {"type": "number", "minimum": 1},
        "b": {"type": "boolean"},
        "e": {"enum": ["newest", "oldest", 3]},
        "word": {"type": "string", "maxLength": 3},
        "o": {"type": "object", "properties": {"x": {"type": "number"}, "y": {}}, "required": ["x"]},
        "a": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "number"}}}, "maxItems": 2},
        "open": {"type": "object", "properties": {"x": {}}, "additionalProperties": True},
    },
    "required": ["s"],
}
TOOLS = json.dumps({"tools": [{"name": "Do", "schema": SCHEMA}, {"name": "Now", "description": "The time"}]})
GADGETS = Gadgets(read_gadgets(TOOLS).gadgets)
CHOSEN = Settings(gadgets=GADGETS)


def of_schemas(text: str) -> list[Finding]:
    return [each for each in check(text, "gadget", CHOSEN) if each.code.startswith("G2")]


POINTERS = (
    *("s", "n", "b", "e", "word", "o/x", "o/y", "o/z", "o", "a/0/x", "a/1/x", "a/1/y", "a/2/x", "a"),
    *("open/q", "zz", "zz/0", " s ", ""),
)
VALUES = (
    *("x", "5", "0", "-1", "true", "newest", "oldest", "3", "", " 5 ", "1e3", "abcd", "5\n", "multi\nline", "```"),
    "\r",
)
one_call = st.builds(
    lambda name, pairs, end: f"!!!GADGET_START:{name}\n" + "".join(f"!!!ARG:{a}\n{b}\n" for a, b in pairs) + end,
    st.sampled_from(("Do", "do", "Now", "Other")),
    st.lists(st.tuples(st.sampled_from(POINTERS), st.sampled_from(VALUES)), max_size=6),
    st.sampled_from(("!!!GADGET_END\n", "", "!!!GADGET_END text ", "\n```\n!!!GADGET_END\n")),
)
documents = st.lists(one_call, min_size=1, max_size=4).map("".join)
LAW = settings(max_examples=examples(300), deadline=None, suppress_health_check=list(HealthCheck))
KINDS = {"G203": {"missing"}, "G204": {"type"}, "G205": {"choice"}, "G206": {"constraint"}}


def calls_of(text: str) -> list[Any]:
    stream = GadgetStream()
    return [event.call for event in [*stream.feed(text), *stream.close()] if isinstance(event, CallEnded)]


def by_call(text: str) -> list[list[Finding]]:
    """Return the findings of each call."""
    starts = [at for at in range(len(text)) if text.startswith("!!!GADGET_START:", at) and "\n" in text[at:]]
    found: list[list[Finding]] = [[] for _ in starts]
    for each in of_schemas(text):
        found[max(number for number, start in enumerate(starts) if start <= each.start)].append(each)
    return found


@LAW
@given(documents)
def test_an_editor_shows_what_the_library_says(text: str) -> None:
    for call, found in zip(calls_of(text), by_call(text), strict=True):
        told = [each for each in found if each.code in KINDS]
        gadget = GADGETS.find(call.name)
        assert (gadget is None) == any(each.code == "G201" for each in found)
        if gadget is None or gadget.parameters is None or call.error is not None:
            assert told == []
            continue
        errors: list[tuple[str, str, str]] = []
        ignored = gadget.prepared.check(call.typed(gadget.prepared.expected)).ignored if gadget.prepared else ()
        try:
            parse_parameters(call.parameters_raw, schema=gadget.parameters)
        except ParameterError as refused:
            # llmist continues about the size of a value of another type: once is enough for a reader
            mistyped = {one.pointer for one in refused.errors if one.kind == "type"}
            errors = [
                (one.kind, one.pointer, one.message)
                for one in refused.errors
                if one.kind != "constraint" or one.pointer not in mistyped
            ]
        assert sorted(errors) == sorted(
            (kind, str(each.data["pointer"]), str(each.data["message"])) for each in told for kind in KINDS[each.code]
        )
        assert {each.data["pointer"] for each in found if each.code == "G202"} == set(ignored)
        for each in told:
            path, reason = str(each.data["pointer"]).replace("/", ".") or "root", str(each.data["message"])
            if each.data.get("case") == "no-value":
                assert each.message.headline == f"{path} has no value"
                assert each.message.note.startswith(reason)
            else:
                assert str(each.message).startswith(f"{path}: {reason}")
        for each in found:
            if each.code == "G202":
                assert text[each.start : each.end] == each.data["name"]


DSL: Any = {
    "obj": {
        "s": "string", "n": {"opt": {"from": 1}}, "b": {"opt": "boolean"}, "e": {"opt": {"enum": ["newest", "oldest"]}},
        "word": {"opt": {"chars": [1, 3]}}, "o": {"opt": {"obj": {"x": "number", "y": {"opt": "string"}}}},
        "a": {"opt": {"arr": {"obj": {"x": "number"}}}},
    }
}  # fmt: skip


@pytest.mark.slow
def test_a_call_has_a_finding_exactly_when_llmist_refuses_it() -> None:
    chance = random.Random(1)
    sent: list[dict[str, Any]] = []
    for _ in range(500):
        pointers = [each for each in chance.sample(POINTERS[:-3], chance.randint(0, 5)) if each != "s"]
        pairs = [("s", "x")] * chance.randint(0, 1) + [(each, chance.choice(VALUES)) for each in pointers]
        body = "".join(f"!!!ARG:{pointer}\n{value}\n" for pointer, value in pairs)
        sent.append({"chunks": [f"!!!GADGET_START:Do:i\n{body}!!!GADGET_END"], "options": {"schemaDsl": DSL}})
    refused = 0
    for case, result in zip(sent, run_llmist(sent), strict=True):
        theirs = result["events"][-1]["call"]
        definition = {"name": "Do", "schema": result["jsonSchema"]}
        chosen = Settings(gadgets=Gadgets(read_gadgets(json.dumps(definition)).gadgets))
        (text,) = case["chunks"]
        found = [each for each in check(text, "gadget", chosen) if each.code in KINDS]
        if theirs["parameters"] is None:
            assert found == []
            continue
        assert bool(found) is not theirs["valid"], text
        told = sorted((str(each.data["pointer"]), str(each.data["message"])) for each in found)
        assert told == sorted(map(tuple, theirs["issues"])), text
        refused += not theirs["valid"]
    assert 100 < refused < 450

"""The rules about schemas: what they mark, that they agree with the library and with llmist, and what they cost."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import examples
from formats.gadget.llmist_peer import run_llmist
from llmblocks import Finding, Settings, check, fix
from llmblocks.gadget import CallEnded, Gadgets, GadgetStream, Markers, ParameterError, parse_parameters, read_gadgets
from marked import unmark

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
START = "!!!GADGET_START:Do\n"


def of_schemas(text: str, chosen: Settings = CHOSEN, language_id: str = "gadget") -> list[Finding]:
    return [each for each in check(text, language_id, chosen) if each.code.startswith("G2")]


def assert_marks(marked: str, language_id: str = "gadget", chosen: Settings = CHOSEN) -> list[Finding]:
    text, marks = unmark(marked)
    found = of_schemas(text, chosen, language_id)
    assert [(each.code, each.start, each.end) for each in found] == [tuple(mark) for mark in marks]
    return found


def test_each_problem_is_marked_where_it_stands() -> None:
    found = assert_marks(
        """\
!!!GADGET_START:Doo:a
                ^^^ G201
!!!ARG:anything
1
!!!GADGET_END
!!!GADGET_START:do:b:a
                ^^^^^^ G203
!!!ARG:n
 0
 ^ G206
!!!ARG: b
yes
^^^ G204
!!!ARG:e
 newst
 ^^^^^ G205
!!!ARG:o/z
         ^ G202
1
!!!ARG:o/x
many
^^^^ G204
!!!ARG:word
1
^ G207
!!!GADGET_END
!!!GADGET_START:Now
!!!ARG:anything
1
!!!GADGET_END
"""
    )
    assert [str(each.message) for each in found] == [
        "Error: Gadget 'Doo' not found. — nothing runs; did you mean `Do`?",
        "s: Invalid input: expected string, received undefined — llmist does not run Do without this argument; add it",
        "n: Too small: expected number to be >=1 — llmist does not run Do; change the value",
        "b: Invalid input: expected boolean, received string — llmist does not run Do; "
        "give a value of the expected type",
        'e: Invalid option: expected one of "newest"|"oldest"|3 — llmist does not run Do; give an allowed value',
        "'z' is not a parameter — llmist drops the value and runs Do without it; the parameters are x, y",
        "o.x: Invalid input: expected number, received string — llmist does not run Do; "
        "give a value of the expected type",
        "word is a text — the schema of Do says so; without a schema, llmist makes it a number; "
        "correct the schema if Do needs a number",
    ]


def test_a_problem_of_an_object_or_array_is_marked_at_the_first_pointer_into_it() -> None:
    assert_marks(
        START
        + "!!!ARG:s/x\n       ^ G204\n1\n!!!ARG:a/0/x\n       ^ G206\n1\n!!!ARG:a/1/x\n1\n!!!ARG:a/2/x\n1\n"
        + "!!!ARG:more/0\n       ^^^^ G202\n1\n!!!GADGET_END\n"
    )


def test_without_gadgets_the_rules_are_silent() -> None:
    text = "!!!GADGET_START:Nothing\n!!!ARG:n\nx\n!!!GADGET_END\n"
    assert of_schemas(text, Settings()) == []
    assert [each.code for each in of_schemas(text)] == ["G201"]


def test_white_space_after_a_name_belongs_to_it() -> None:
    text = "!!!GADGET_START:Do :a\n!!!ARG:s\nx\n!!!GADGET_END\n"
    (found,) = of_schemas(text)
    assert (found.code, text[found.start : found.end]) == ("G201", "Do ")
    assert fix(text, "gadget", unsafe=True, settings=CHOSEN).text == text.replace("Do :", "Do:")


def test_other_markers_and_a_call_in_a_chat_with_comments_and_escapes() -> None:
    chosen = Settings(gadgets=GADGETS, markers=Markers("<<<CALL:", "<<<END", "@arg:"))
    text = "@ai\n<<<CALL:Do\n@@arg:n\n@# a comment\n5x\n@/* another\n@*/\n@@arg:s\na\n<<<END\n@user\nx\n"
    found = of_schemas(text, chosen, "stf")
    assert [(each.code, text[each.start : each.end]) for each in found] == [("G204", "5x")]


def test_fixes_name_what_they_do_and_are_never_safe() -> None:
    text = START + "!!!ARG:e\nnewst\n!!!ARG:q\n1\n!!!GADGET_END\n"
    assert fix(text, "gadget", settings=CHOSEN).text == text
    found = fix(text, "gadget", unsafe=True, settings=CHOSEN)
    assert found.text == START + "!!!ARG:s\n\n!!!ARG:e\nnewest\n!!!ARG:q\n1\n!!!GADGET_END\n"
    assert [each.code for each in found.left if each.code.startswith("G2")] == ["G202"]
    assert [applied.fix.title for applied in found.applied] == ["Add the argument `s`", "Change this value to `newest`"]


@pytest.mark.parametrize(
    ("written", "fixed", "left"),
    [
        ("Doo\n!!!ARG:ss\nx\n", "Do\n!!!ARG:s\nx\n", []),
        ("Doo\n!!!ARG:s\n5\n!!!ARG:e\nnewst\n", "Do\n!!!ARG:s\n5\n!!!ARG:e\nnewest\n", ["G207"]),
        ("Doo\n", "Do\n!!!ARG:s\n\n", []),
        ("Do\n!!!ARG:ss\n5\n", "Do\n!!!ARG:s\n5\n", ["G207"]),
        ("Do\n!!!ARG:o/xx\na\n!!!ARG:s\nx\n", "Do\n!!!ARG:o/x\na\n!!!ARG:s\nx\n", ["G204"]),
        ("Do\n!!!ARG:wrod\nlong\n!!!ARG:s\nx\n", "Do\n!!!ARG:word\nlong\n!!!ARG:s\nx\n", ["G206"]),
        # another argument has the name already
        ("Do\n!!!ARG:s\nx\n!!!ARG:ss\ny\n", "Do\n!!!ARG:s\nx\n!!!ARG:ss\ny\n", ["G202"]),
    ],
)
def test_what_is_misspelt_is_fixed_although_the_schema_then_judges_more(
    written: str, fixed: str, left: list[str]
) -> None:
    begin, end = "!!!GADGET_START:", "!!!GADGET_END\n"
    found = fix(begin + written + end, "gadget", unsafe=True, settings=CHOSEN)
    assert found.text == begin + fixed + end
    assert [each.code for each in found.left if each.code != "G004"] == left


def test_a_missing_object_is_given_what_it_requires() -> None:
    schema = {"properties": {"o": SCHEMA["properties"]["o"]}, "required": ["o"]}
    chosen = Settings(gadgets=Gadgets(read_gadgets(json.dumps({"name": "Do", "schema": schema})).gadgets))
    assert fix(START + "!!!GADGET_END", "gadget", unsafe=True, settings=chosen).text == (
        START + "!!!ARG:o/x\n0\n!!!GADGET_END"
    )


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

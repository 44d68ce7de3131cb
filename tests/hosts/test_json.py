"""Strings of JSON and JSON Lines as texts of ours: their places, findings and fixes, and what is wrong with a row."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from hosts.test_hosted import BAD, CALL
from llmblocks import Settings, check
from llmblocks.core.edits import Edit, edited
from llmblocks.hosts.hosted import edits_outside
from llmblocks.hosts.json_data import JsonData
from llmblocks.json5.path import Items, steps
from llmblocks.settings.rules import DATA_RULES

PATHS = {"text": "gadget", "chat": "stf", "raw": "completion", "parts[*].said": "custom-blocks"}
NAMED = Settings(strings={"*": PATHS})  # type: ignore[arg-type]
KEYS = {"gadget": "text", "stf": "chat", "completion": "raw"}
BLANKS = st.sampled_from(("", "", " ", "  ", "\t"))


def row(**values: Any) -> str:
    return json.dumps(values) + "\n"


def said(text: str, role: str = "assistant") -> str:
    return row(messages=[{"role": "user", "content": "!!!ARG:x"}, {"role": role, "content": text}])


def codes(text: str, language_id: str = "jsonl", given: Settings | None = None) -> list[tuple[str, str]]:
    return [(each.code, text[each.start : each.end]) for each in check(text, language_id, given)]


def strings(text: str) -> st.SearchStrategy[str]:
    """Strings of JSON for a text, with escapes as any program may write them."""
    plain, known = json.dumps(text, ensure_ascii=False), json.dumps(text)
    escaped = [re.sub(signs, lambda found: f"\\u{ord(found[0]):04X}", plain) for signs in ("[g-m]", "[ -!#-.]|[G-Z]")]
    return st.sampled_from([plain, known, known.replace("/", "\\/"), *escaped])


@st.composite
def rows(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    """Return a row with texts, and these."""
    texts = draw(st.lists(st.sampled_from(BAD), min_size=1, max_size=2, unique_by=lambda each: each[0]))
    members = [(f'"other{number}"', "[1, {}, null]") for number in range(draw(st.integers(0, 1)))]
    for language_id, text in texts:
        string = draw(strings(text))
        if language_id == "custom-blocks":
            members.append(('"parts"', f'[{{"said": {string}}}, {{}}]'))
        else:
            members.append((draw(strings(KEYS[language_id])), string))
    parts = [f"{draw(BLANKS)}{key}{draw(BLANKS)}:{draw(BLANKS)}{value}{draw(BLANKS)}" for key, value in members]
    return f"{draw(BLANKS)}{{{','.join(parts)}}}{draw(BLANKS)}", texts


@st.composite
def hosts(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    """Return a file with its texts."""
    found = draw(st.lists(rows(), min_size=1, max_size=3))
    ends = [draw(st.sampled_from(("\n", "\r\n", "\n\n"))) for _ in found]
    lines = "".join([f"{line}{end}" for (line, _), end in zip(found, ends, strict=True)])
    return draw(st.sampled_from(("", "\ufeff"))) + lines, [each for _, texts in found for each in texts]


HOST = JsonData.of(NAMED, by_line=True)


@settings(max_examples=examples(200), deadline=None)
@given(hosts())
def test_a_row_has_the_texts_that_a_program_reads_and_their_places(drawn: tuple[str, list[tuple[str, str]]]) -> None:
    text, texts = drawn
    found = HOST.find(text)
    assert [(each.language_id, each.text) for each in found] == texts
    for each in found:
        inner = each.text
        for offset in range(len(inner)):
            start, end = each.span(offset, offset + 1)
            assert json.loads(f'"{text[start:end]}"') == inner[offset]
            assert {each.inside(place) for place in range(start, end)} == {offset}
        assert [each.inside(place) for place in (each.outside(0), each.outside(len(inner)))] == [0, len(inner)]


def test_what_an_edit_writes_is_escaped_as_the_file_is() -> None:
    for text, expected in ((row(text="a"), r'"\"\u00e9\n"'), (row(text="a").replace("{", '{"é": 1, '), r'"\"é\n"')):
        (found,) = HOST.find(text)
        made = edited(text, edits_outside(text, HOST, [(found, [Edit(0, 1, '"é\n')])]))
        assert expected in made


TWICE = ("G101", "path")
TURN = {"type": "text", "text": CALL}
ROWS = json.dumps([{"text": "Hi"}, {"text": CALL}, 3], indent=2)


@pytest.mark.parametrize(
    ("text", "language_id", "settings", "expected"),
    [
        # in data sets that a look knows, only the assistant is read
        (said(CALL), "jsonl", None, [TWICE]),
        (said(CALL, "system"), "jsonl", None, []),
        (row(messages=[{"role": "assistant", "content": [TURN, {"type": "image"}]}]), "jsonl", None, [TWICE]),
        (row(conversations=[{"from": "human", "value": CALL}, {"from": "gpt", "value": CALL}]), "jsonl", None, [TWICE]),
        (said(CALL), "json", None, []),
        # a key that is given twice has two texts
        (f'{{"text": {json.dumps(CALL)}, "text": {json.dumps(f"Hi{chr(10)}{CALL}")}}}', "jsonl", NAMED, [TWICE] * 2),
        # other JSON
        *[(text, each, None, []) for text in ("", "\n", '{"text": 1}\n', "[", "1") for each in ("json", "jsonl")],
        *[(text, "jsonl", None, []) for text in ('{"a": [}\n', '{"messages": [{"role": "x"}]}')],
        # a row without texts may be right
        (said("Hi") + '{"messages": []}\n', "jsonl", None, []),
        (said("Hi") + '{"messages": [{"role": "assistant", "content": null}], "n": 1}\n', "jsonl", None, []),
        # a number of any length is JSON
        (f'{said("Hi")}{said("Hi")[:-2]}, "n": {"9" * 10_000}}}\n', "jsonl", None, []),
        # JSON may be a list of rows
        (ROWS, "json", NAMED, [TWICE, ("D002", "3")]),
        (f"{ROWS} x", "json", NAMED, [TWICE, ("D002", "3"), ("D001", "x")]),
        ('[{"text": }]', "json", NAMED, [("D001", "}")]),
        (json.dumps({"text": CALL}, indent=2), "json", NAMED, [TWICE]),
        ("[]", "json", NAMED, []),
    ],
)
def test_a_text_of_json_has_these_findings(
    text: str, language_id: str, settings: Settings | None, expected: list[tuple[str, str]]
) -> None:
    assert codes(text, language_id, settings) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", ("D001", "")),
        ('{"messages": [}', ("D001", "}")),
        ('{"messages": []} {}', ("D001", "{")),
        ('{"messages": [NaN]}', ("D001", "{")),
        ('{"messages": ["a\tb"]}', ("D001", "\t")),
        ("[" * 100_000, ("D001", "[")),
        ('{"mesages": []}', ("D002", "{")),
        ("[]", ("D002", "[")),
        ('{"messages": {}}', ("D002", "{}")),
        ('{"messages": [{"role": "assistant", "content": 3}]}', ("D002", "3")),
        ('{"messages": [{"role": "bot", "content": "a"}]}', ("D003", '"bot"')),
        ('{"messages": [{"content": "a"}]}', ("D003", "{")),
        ('{"messages": [3]}', ("D003", "3")),
    ],
)
def test_what_is_wrong_with_a_row_is_reported_at_its_place(line: str, expected: tuple[str, str]) -> None:
    assert codes(f"{said('Hi')}\n{line}\n{said(CALL)}") == [expected, ("G101", "path")]


def test_half_a_character_is_one_that_can_be_written() -> None:
    (found,) = HOST.find('{"text": "a\\ud83d\\n\\ud83d\\ude00\\ude00"}')
    assert found.text == "a\ufffd\n😀\ufffd"


@pytest.mark.parametrize("rule", DATA_RULES, ids=lambda rule: rule.code)
def test_the_examples_of_the_rules_are_true(rule: Any) -> None:
    assert [code for code, _ in codes(rule.bad)] == [rule.code]
    assert codes(rule.good) == []
    assert codes(rule.bad, given=Settings(ignore=(rule.code,))) == []


def test_a_path_leads_through_names_and_lists() -> None:
    assert steps("a.b[*][k=v].c d") == ["a", "b", Items(), Items("k", "v"), "c d"]
    assert steps("[*].a") == [Items(), "a"]
    for wrong in ("", ".", "a.", "a[", "a[]", "a[*]b", "a..b", "a[1]"):
        with pytest.raises(ValueError, match="such as messages"):
            steps(wrong)
    with pytest.raises(ValueError, match="such as messages"):
        Settings(strings={"*": {"a[": "gadget"}})  # type: ignore[arg-type]

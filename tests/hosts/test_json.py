"""Strings of JSON and JSON Lines as texts of ours: their places, findings and fixes, and what is wrong with a row."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from hosts.json_texts import strings
from llmblocks import Settings, check
from llmblocks.core.edits import Edit, edited
from llmblocks.hosts.hosted import edits_outside
from llmblocks.hosts.json_data import JsonData
from llmblocks.json5.path import Items, steps
from llmblocks.languages.registry import LANGUAGES, language_with
from llmblocks.settings.rule_names import RULES
from llmblocks.settings.rules import DATA_RULES

CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!ARG:path\na\n!!!GADGET_END\n"
PATHS = {"text": "gadget", "chat": "stf", "raw": "completion", "parts[*].said": "custom-blocks"}
NAMED = Settings(strings={"*": PATHS})  # type: ignore[arg-type]
KEYS = {"gadget": "text", "stf": "chat", "completion": "raw"}
BAD = [
    (language_with(rule.layer).id, rule.bad) for rule in RULES if rule.layer in {each.layers[0] for each in LANGUAGES}
]
BLANKS = st.sampled_from(("", "", " ", "  ", "\t"))


def row(**values: Any) -> str:
    return json.dumps(values) + "\n"


def said(text: str, role: str = "assistant") -> str:
    return row(messages=[{"role": "user", "content": "!!!ARG:x"}, {"role": role, "content": text}])


def codes(text: str, language_id: str = "jsonl", given: Settings | None = None) -> list[tuple[str, str]]:
    return [(each.code, text[each.start : each.end]) for each in check(text, language_id, given)]


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
            assert each.inside(start) == offset
        assert [each.inside(place) for place in (each.outside(0), each.outside(len(inner)))] == [0, len(inner)]


def test_what_an_edit_writes_is_escaped_as_the_file_is() -> None:
    for text, expected in ((row(text="a"), r'"\"\u00e9\n"'), (row(text="a").replace("{", '{"é": 1, '), r'"\"é\n"')):
        (found,) = HOST.find(text)
        made = edited(text, edits_outside(text, HOST, [(found, [Edit(0, 1, '"é\n')])]))
        assert expected in made


def test_only_the_assistant_is_read_in_data_sets_that_a_look_knows() -> None:
    assert codes(said(CALL)) == [("G101", "path")]
    assert codes(said(CALL, "system")) == []
    parts = row(messages=[{"role": "assistant", "content": [{"type": "text", "text": CALL}, {"type": "image"}]}])
    assert codes(parts) == [("G101", "path")]
    turns = row(conversations=[{"from": "human", "value": CALL}, {"from": "gpt", "value": CALL}])
    assert codes(turns) == [("G101", "path")]


def test_a_key_that_is_given_twice_has_two_texts() -> None:
    one, other = json.dumps(CALL), json.dumps(f"Hi\n{CALL}")
    text = f'{{"text": {one}, "text": {other}, "chat": null}}\n'
    assert [each.text for each in HOST.find(text)] == [CALL, f"Hi\n{CALL}"]
    assert codes(text, given=NAMED) == [("G101", "path")] * 2


@pytest.mark.parametrize("text", ["", "\n", '{"text": 1}\n', "[", '{"a": [}\n', '{"messages": [{"role": "x"}]}', "1"])
def test_nothing_is_reported_of_other_json(text: str) -> None:
    assert codes(text) == codes(text, "json") == []
    assert codes(said(CALL), "json") == []


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


@pytest.mark.parametrize("line", ['{"messages": []}', '{"messages": [{"role": "assistant", "content": null}], "n": 1}'])
def test_a_row_without_texts_may_be_right(line: str) -> None:
    assert codes(f"{said('Hi')}{line}\n{{}}".replace("{}", "")) == []


def test_a_number_of_any_length_is_json() -> None:
    assert codes(f'{said("Hi")}{said("Hi")[:-2]}, "n": {"9" * 10_000}}}\n') == []


def test_json_may_be_a_list_of_rows() -> None:
    text = json.dumps([{"text": "Hi"}, {"text": CALL}, 3], indent=2)
    assert codes(text, "json", NAMED) == [("G101", "path"), ("D002", "3")]
    assert codes(f"{text} x", "json", NAMED)[-1] == ("D001", "x")
    assert codes('[{"text": }]', "json", NAMED) == [("D001", "}")]
    assert codes(json.dumps({"text": CALL}, indent=2), "json", NAMED) == [("G101", "path")]
    assert codes("[]", "json", NAMED) == []


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

"""Response templates as checked values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from llmblocks.cli.commands import main
from llmblocks.completions import template_rules
from llmblocks.completions.pattern import Pattern
from llmblocks.completions.shipped import find_template, template_names
from llmblocks.completions.template import Template, faults_of
from llmblocks.facts.rule import Rule
from llmblocks.grammars.expression import PatternError
from llmblocks.lsp.client.config import Config


@pytest.mark.parametrize("rule", template_rules.RULES, ids=lambda rule: rule.code)
def test_a_rule_of_templates_finds_its_bad_example_alone(rule: Rule) -> None:
    assert [fault.rule for fault in faults_of(json.loads(rule.bad))] == [rule]
    assert not faults_of(json.loads(rule.good))


def test_a_template_in_a_file_has_its_mistakes_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = next(rule.bad for rule in template_rules.RULES if rule.code == "M101")
    file = tmp_path / "tokenizer_config.json"
    file.write_text(f'{{"eos_token": "</s>",\n"response_template": {bad}}}\n', encoding="utf-8")
    (tmp_path / "a.completion").write_text("Hi\n", encoding="utf-8")
    settings = tmp_path / "llmblocks.toml"
    named = '[completion]\ntemplate = "tokenizer_config.json"\n'
    settings.write_text(named, encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 2
    out = capsys.readouterr().out
    assert "tokenizer_config.json:2:97: error M101 Unknown key 'closes'" in out
    assert "llmblocks.toml:2:1: error C001" in out
    config = Config()
    config.take_roots([str(tmp_path)])
    config.of((tmp_path / "a.completion").as_uri())
    [found] = config.files()[file].findings
    assert file.read_text(encoding="utf-8")[found.start : found.end] == "closes"
    settings.write_text(f'{named}[rules]\nignore = ["M101"]\n', encoding="utf-8")
    main(["check", str(tmp_path)])
    assert "M101" not in capsys.readouterr().out


@pytest.mark.parametrize("name", template_names())
def test_a_template_of_the_package_has_no_faults_and_says_where_it_is_from(name: str) -> None:
    found = find_template(name)
    assert not faults_of(found.template.value)
    assert found.source.startswith("https://")
    assert found.models
    assert (found.version, len(found.date)) == (1, 10)


def test_an_unknown_name_of_a_template_names_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"no template 'hermis': use one of cohere, .*hermes"):
        find_template("hermis")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"version": 2}, ("version",)),
        ({"defaults": []}, ("defaults",)),
        ({"fields": {}}, ("fields",)),
        ({"start_anchor": []}, ("start_anchor",)),
        *[
            ({"fields": {"a": field}}, ("fields", "a", *path))
            for field, path in (
                (1, ()),
                ({"content": "xml"}, ("content",)),
                ({"join": ""}, ("join",)),
                ({"repeats": 1}, ("repeats",)),
                ({"content": "xml-inline"}, ("content_args", "tag_pattern")),
                ({"open_pattern": "("}, ("open_pattern",)),
                ({"open": "<a>", "transform": ["{b}"]}, ("transform", 0)),
                ({"content_args": {"value_parser": {"name": "x"}}}, ("content_args", "value_parser")),
                ({"content_args": {"string_delims": ["x"]}}, ("content_args", "string_delims")),
            )
        ],
    ],
)
def test_a_fault_has_the_path_to_the_value(change: dict[str, Any], path: tuple[str | int, ...]) -> None:
    template = {"start_anchor": "x", "fields": {"a": {}}, **change}
    assert [fault.path for fault in faults_of(template)] == [path]
    with pytest.raises(ValueError, match="no response template"):
        Template(template)


@pytest.mark.parametrize("value", [None, [], "x", 1, {"fields": []}, {"fields": {"a": {"open": {}, "close": 3}}}])
def test_anything_is_input_for_the_check(value: object) -> None:
    assert faults_of(value)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"a(?!b)", "look-arounds"),
        (r"(?<=a)b", "look-arounds"),
        (r"(a+)+b", "longer than"),
        (r"(a)\1", "back-references"),
        (r"a\b", "boundaries"),
        (r"a$", "last newline"),
        (r"a*", "empty text"),
        (r"(?i)a", "flags"),
        (r"[^<]*<a>", "held back"),
        (r"(?:<x>)?.*<a>", "held back"),
        (r"a(?=b)c", "at the end"),
        (r"a{3000}", "longer than"),
    ],
)
def test_a_pattern_that_needs_more_than_a_bounded_look_ahead_says_why(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError, match=reason):
        Pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"<tool_call>\s*<function=(?P<name>\w+)>", "<tool_call>\n <function=get>"),
        (
            r"<\|channel\|>commentary to=functions\.(?P<name>\w+).*?<\|message\|>",
            "<|channel|>commentary to=functions.a b<|message|>",
        ),
        (r"(?:a|bc[de]{2,3})\.?f", "bcdedf"),
        (r"x(?=yz)", "xyz"),
        (r"x[^]a\]]+?b", "xccb"),
    ],
)
def test_every_beginning_of_a_match_may_become_one(pattern: str, text: str) -> None:
    found = Pattern(pattern)
    assert found.match(text)
    for end in range(1, len(text)):
        assert found.begins(text[:end]) or found.match(text[:end]), text[:end]
    assert not found.begins(f"~{text}")


def test_the_last_anchor_of_a_prompt_begins_the_answer() -> None:
    template = Template({"start_anchor": ["<a>", "<ab>"], "fields": {"content": {}}})
    assert template.response_of("<a>1<ab>2") == "2"
    assert template.response_of("none") == "none"
    assert Template({"start_anchor_pattern": "<.>", "fields": {"content": {}}}).response_of("<a>1<b>2") == "2"


def test_templates_with_the_same_json_are_equal() -> None:
    value = {"start_anchor": "x", "fields": {"content": {}}}
    assert {Template(value)} == {Template(dict(reversed(value.items())))}
    assert Template(value) != Template({**value, "start_anchor": "y"})

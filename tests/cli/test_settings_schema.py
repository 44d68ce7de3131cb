"""The JSON Schemas of the settings files: they accept what the checker accepts."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft7Validator

from examples import examples
from fuzz.odd_settings import some_settings
from llmblocks.languages.registry import language_ids
from llmblocks.settings.check import check_settings
from llmblocks.settings.given import as_given
from llmblocks.settings.rule_names import NAMES
from llmblocks.settings.schema import published

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA: dict[str, Any] = json.loads((DOCS / "settings.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft7Validator(SCHEMA)
ACCEPTED: list[Any] = [
    {},
    {"extend": "../base.toml", "gadget": {"markersFrom": "~/.llmist/cli.toml", "schemas": {"*.response": ["a.json"]}}},
    {"rules": {"select": ["G", "g1", "S001", " T002 ", "duplicate-pointer"], "severity": {"G1": "off"}}},
    {"rules": {"perFileIgnores": {"a/*": ["array-index-gap"]}}, "files": {"languages": {"*.txt": "custom-blocks"}}},
    {"tags": {"declared": {"a": {}, "b": {"attributes": {"c": {"required": True, "values": ["x"]}}}}}},
    {"stf": {"dialect": ";", "defaultRole": ""}, "files": {"exclude": [], "extendExclude": ["!a"], "maxSizeMB": 1}},
]
REFUSED: list[Any] = [
    {"stff": {}},
    {"stf": {"dialct": "@"}},
    {"stf": {"dialect": "%"}},
    {"rules": {"select": ["nonsense"]}},
    {"rules": {"severity": {"nonsense": "off"}}},
    {"rules": {"severity": {"G1": "loud"}}},
    {"rules": {"perFileIgnores": {"a": "G1"}}},
    {"files": {"languages": {"*.txt": "stff"}}},
    {"files": {"maxSizeMB": 0}},
    {"tags": {"names": [""]}},
    {"tags": {"declared": {"a": {"attributes": {"b": {"need": True}}}}}},
    {"gadget": {"schemas": {"*": [3]}}},
    {"extend": ""},
]


def accepts(given: Any) -> bool:
    try:
        # JSON has no NaN, and Python prints no number of thousands of digits
        json.dumps(given, allow_nan=False)
    except ValueError:
        return False
    return VALIDATOR.is_valid(given)


def test_the_schemas_are_schemas_of_draft_7() -> None:
    for name in ("settings.schema.json", "pyproject.schema.json"):
        schema = json.loads((DOCS / name).read_text(encoding="utf-8"))
        Draft7Validator.check_schema(schema)
        assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"


def test_every_rule_and_language_is_known_to_the_schema() -> None:
    names = SCHEMA["definitions"]["Rule"]["anyOf"][0]["enum"]
    assert {*NAMES, *NAMES.values()} <= {*names}
    assert SCHEMA["properties"]["files"]["properties"]["languages"]["additionalProperties"]["enum"] == [*language_ids()]


@pytest.mark.parametrize("given", ACCEPTED, ids=range(len(ACCEPTED)))
def test_what_the_checker_accepts_the_schema_accepts(given: Any) -> None:
    assert check_settings(given, language_ids()).problems == ()
    assert [*VALIDATOR.iter_errors(given)] == []


@pytest.mark.parametrize("given", REFUSED, ids=range(len(REFUSED)))
def test_what_the_schema_refuses_the_checker_refuses(given: Any) -> None:
    assert check_settings(given, language_ids()).problems != ()
    assert not VALIDATOR.is_valid(given)


def test_the_schema_and_the_checker_agree_on_random_settings() -> None:
    accepted = 0
    for seed in range(examples(400)):
        given = as_given(some_settings(Random(seed))) or {}
        # markers that are prefixes of others, and patterns that are not one, are not matter of a schema
        checked = check_settings(given, language_ids())
        valid = checked.given
        assert VALIDATOR.is_valid(valid), seed
        accepted += bool(valid)
        kinds = {problem.rule.code for problem in checked.problems}
        if accepts(given):
            assert kinds <= {"C004"}, seed
    assert accepted > examples(400) // 4


@pytest.mark.parametrize(
    "content", ["gadget", ["gadget"], ["json", "qwen-xml"], ["json", "gadget"], ["text", "json"], 3]
)
def test_the_schema_and_the_checker_agree_on_contents(content: Any) -> None:
    given = {"tags": {"declared": {"call": {"content": content}}}}
    assert VALIDATOR.is_valid(given) == (not check_settings(as_given(given), language_ids()).problems)


def test_a_setting_may_be_called_like_a_keyword_of_ours() -> None:
    shown = published({"properties": {"format": {"type": "string", "format": "schema", "field": "style"}}})
    assert shown["properties"] == {"format": {"type": "string", "format": "schema", "field": "style"}}
    assert published(shown["properties"]) == shown["properties"]
    assert published(shown["properties"]["format"]) == {"type": ["string", "object"]}

"""Texts of the grammar of a template have no error and allowed values; they do not include what a rule reports."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grammars.engines import ask
from llmblocks import check
from llmblocks.cli.explain import settings_of
from llmblocks.completions import find_template, parse, template_names
from llmblocks.completions.grammar import grammar_of
from llmblocks.completions.rules import RULES
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.gadget import Gadgets, GadgetSchema
from llmblocks.settings.values import DEFAULTS

ROW = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
ROWS = {"type": "array", "minItems": 1, "maxItems": 2, "items": {"$ref": "#/$defs/Row"}}
CITY = {
    "city": {"type": "string", "maxLength": 20},
    "unit": {"enum": ["c", "f", "12"]},
    "days": {"type": "integer", "minimum": 1, "maximum": 14},
    "user-id": {"type": "string"},
    "at": {"type": ["number", "null"]},
}
ALL = {
    "rows": ROWS,
    "code": {"type": "string", "pattern": "^[a-z]{2,4}-[0-9]+$"},
    "any": {},
    "how": {"anyOf": [{"type": "boolean"}, {"const": "auto"}]},
}
TOOLS: dict[str, dict[str, Any]] = {
    "get": {"type": "object", "required": ["city"], "properties": CITY},
    "get_all": {"type": "object", "properties": ALL, "$defs": {"Row": ROW}},
}
GADGETS = Gadgets([GadgetSchema(name, parameters=schema) for name, schema in TOOLS.items()])
OPENAI = [{"type": "function", "function": {"name": name, "parameters": schema}} for name, schema in TOOLS.items()]
WORDS = ("get", "city", "12", '"', "{", "}", "true", "ab-1", "<parameter=", '<|"|>')
# an end of a turn that is missing, as its own token; a tag in a text that is another template's; the start of an
# argument in the text of another one
LIKELY = ("M001", "M009", "M004")
# a number that is written as a text is cast by transformers; a grammar has no such text
CAST = ("M204",)


@pytest.mark.slow
@pytest.mark.parametrize("name", template_names())
def test_texts_of_the_grammar_have_no_error_and_allowed_values(name: str) -> None:
    template = find_template(name).template
    drawn = ask(grammar_of(template, TOOLS), draw=60, liked=WORDS).drawn
    settings = DEFAULTS._replace(template=name, gadgets=GADGETS)
    called = set[str]()
    for text in drawn:
        findings = check(text, "completion", settings)
        assert {each.code for each in findings if each.severity <= Severity.WARNING} <= {*LIKELY}, text
        for call in parse(text, template, OPENAI).tool_calls:
            function = call["function"]
            called.add(function["name"])
            assert Draft202012Validator(TOOLS[function["name"]]).is_valid(json.loads(function["arguments"])), text
    assert called == ({*TOOLS} if name != "think" else set())


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=lambda each: each.code)
def test_good_examples_are_accepted_and_bad_ones_refused(rule: Rule) -> None:
    settings = settings_of(rule)
    known = settings.gadgets or [GadgetSchema("get", parameters={"properties": {"city": {"type": "string"}}})]
    template = find_template(settings.template).template
    grammar = grammar_of(template, {gadget.name: gadget.parameters for gadget in known})
    assert ask(grammar, [rule.good, rule.bad]).accepted == [rule.code not in CAST, False]


def test_the_programs_of_the_page_hold() -> None:
    page = (Path(__file__).parents[2] / "docs/grammars.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(program, {})

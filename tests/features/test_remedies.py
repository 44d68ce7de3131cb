"""Fixes for findings that only a person can decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks import Settings, check, parse
from llmblocks.cli.explain import settings_of
from llmblocks.completions.rules import M201_UNKNOWN_TOOL
from llmblocks.core.edits import edited
from llmblocks.facts.rule import Rule
from llmblocks.features.fixes import quick_fixes
from llmblocks.gadget import Gadgets, read_gadgets
from llmblocks.gadget.rules import SEARCH
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language, language_with
from llmblocks.rules.project import Project
from llmblocks.settings.rule_names import RULES
from marked import cursor

WITHOUT = {
    "G207": "nothing is wrong: it says what the gadget receives",
    "G301": "the call has run: no edit of its text changes the result",
    "G302": "the same",
    "G303": "the same",
}
"""The rules for whose findings there is nothing to do in the text, with the reason."""


def remedies(text: str, language_id: str, chosen: Settings, at: int, name: str | None = None) -> dict[str, str]:
    """Return the actions at a place by their titles, each with the text after it."""

    def findings(start: int, end: int) -> list[object]:
        return [each for each in check(text, language_id, chosen, name=name) if each.start <= end and each.end >= start]

    ask = Ask(
        parse(text, language_id, chosen),
        find_language(language_id),
        chosen,
        at,
        at,
        known_findings=findings,  # type: ignore[arg-type]
    )
    return {each.fix.title: edited(text, each.fix.edits) for each in quick_fixes(ask)}


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.code not in WITHOUT], ids=lambda rule: rule.code)
def test_the_bad_example_of_a_rule_has_a_remedy(rule: Rule, tmp_path: Path) -> None:
    language_id = language_with(rule.layer).id
    for beside, text in rule.files:
        (tmp_path / beside).write_text(text)
    name = str(tmp_path / rule.file) if rule.files else None
    found = [each for each in check(rule.bad, language_id, settings_of(rule), name=name) if each.code == rule.code]
    offered = [*remedies(rule.bad, language_id, settings_of(rule), found[0].start, name)]
    chosen = [title for title in offered if not title.startswith("Ignore")]
    assert chosen
    # to ignore a finding is the last choice
    assert offered[: len(chosen)] == chosen


def test_the_rules_without_a_remedy_are_those_with_a_reason() -> None:
    assert {rule.code for rule in RULES if not (rule.fix or rule.by_hand)} == {*WITHOUT}


def at_cursor(marked: str, language_id: str = "gadget", gadgets: str = "") -> dict[str, str]:
    text, at = cursor(marked)
    chosen = Settings(gadgets=Gadgets(read_gadgets(gadgets).gadgets)) if gadgets else Settings()
    return remedies(text, language_id, chosen, at)


def test_of_two_arguments_with_a_pointer_either_is_removed_or_one_renamed() -> None:
    call = "!!!GADGET_START:Greet\n{}{}!!!GADGET_END\n"
    first, second = "!!!ARG:name\nAda\n", "!!!ARG:name\nGrace\n"
    assert at_cursor(call.format(first, second.replace("name", "$0name"))) == {
        "Remove this argument `name`": call.format(first, ""),
        "Remove the first argument `name`": call.format("", second),
        "Rename this argument to `name_2`": call.format(first, second.replace("name", "name_2")),
    }


def test_an_unknown_parameter_is_removed_or_becomes_one_that_the_call_lacks() -> None:
    call = "!!!GADGET_START:Search\n!!!ARG:query\nbees\n{}!!!GADGET_END\n"
    assert at_cursor(call.format("!!!ARG:$0colour\nnewest\n"), gadgets=SEARCH) == {
        "Remove this argument `colour`": call.format(""),
        "Change this parameter to `limit`": call.format("!!!ARG:limit\nnewest\n"),
        "Change this parameter to `order`": call.format("!!!ARG:order\nnewest\n"),
    }


def test_a_required_argument_of_the_wrong_type_is_not_removed() -> None:
    schema = SEARCH.replace('"required": ["query"]', '"required": ["limit"]')
    offered = at_cursor("!!!GADGET_START:Search\n!!!ARG:limit\n$0a few\n!!!GADGET_END\n", gadgets=schema)
    assert [*offered] == ["Change this value to `1`"]


def test_a_dependency_without_a_near_id_is_removed() -> None:
    offered = at_cursor("!!!GADGET_START:Read:r1:$0zebra\n!!!ARG:a\n1\n!!!GADGET_END\n")
    assert offered == {"Remove this dependency `zebra`": "!!!GADGET_START:Read:r1\n!!!ARG:a\n1\n!!!GADGET_END\n"}


@pytest.mark.parametrize(
    ("text", "title", "becomes"),
    [
        ("@user hello$0 there\n", "Move this text to the next line", "@user\nhello there\n"),
        ("@user name=$0\nx\n", "Give it an empty value", "@user name=''\nx\n"),
        ("@message$0\nx\n", "Add role=user", "@message role=user\nx\n"),
        ("@user\na\n;$0ai\nb\n", "Write @ai", "@user\na\n@ai\nb\n"),
        ("@user {name: $05}\nx\n", "Write it as text: `'5'`", "@user {name: '5'}\nx\n"),
        ("@ai\n@$0call name=x\n", "Call it without arguments: `{}`", "@ai\n@call name=x\n{}\n"),
    ],
)
def test_a_mistake_in_a_chat_has_remedies(text: str, title: str, becomes: str) -> None:
    assert at_cursor(text, "stf")[title] == becomes


def test_of_two_equal_calls_either_is_removed() -> None:
    call = "!!!GADGET_START:Send:{}\n!!!ARG:text\nHello\n!!!GADGET_END\n"
    first, second = call.format("s1"), call.format("s2")
    marked = first + second.replace("Send", "Se$0nd")
    assert at_cursor(marked) == {"Remove this call `s2`": first, "Remove the first call `s1`": second}
    # another call counts on the first one
    waits = call.replace("Hello", "Bye").format("m1:s1")
    assert at_cursor(marked + waits) == {"Remove this call `s2`": first + waits}
    # the ids that the runtime gives would be others
    counted = call.replace(":{}", "")
    assert at_cursor(counted + counted.replace("Send", "Se$0nd") + waits.replace("s1", "gadget_1")) == {}
    # the line end is content of the block
    inside = at_cursor(f"<think>\n{marked}</think>\n")
    assert inside["Remove this call `s2`"] == f"<think>\n{first}\n</think>\n"


def test_a_call_on_which_a_later_response_counts_is_not_removed(tmp_path: Path) -> None:
    call = "!!!GADGET_START:Send:{}\n!!!ARG:text\nHello\n!!!GADGET_END\n"
    (tmp_path / "0002.response").write_text(call.format("m1:s2"))
    name, text = str(tmp_path / "0001.response"), call.format("s1") + call.format("s2")
    (tmp_path / "0001.response").write_text(text)
    other_files = Project(settings=Settings()).other_files(find_language("gadget"), name)
    at = text.rindex("Send")
    ask = Ask(parse(text, "gadget"), find_language("gadget"), Settings(), at, at, other_files=other_files)
    assert [each.fix.title for each in quick_fixes(ask)] == ["Remove the first call `s1`"]


JSON_CALL = '<tool_call>\n{{"name": "{}", "arguments": {{{}}}}}\n</tool_call>\n'
TAGS_CALL = "<tool_call>\n<function=get>\n{}</function>\n</tool_call>\n"
TAG = "<parameter={}>\n{}\n</parameter>\n"
ROME = JSON_CALL.format("get", '"city": "Rome"')
CITY = TAG.format("city", "Rome")


def completed(marked: str, template: str) -> dict[str, str]:
    text, at = cursor(marked)
    gadgets = Gadgets(read_gadgets(M201_UNKNOWN_TOOL.gadgets).gadgets)
    return remedies(text, "completion", Settings(template=template, gadgets=gadgets), at)


@pytest.mark.parametrize(
    ("name", "arguments", "title", "becomes"),
    [
        ("g$0et", "", "Add the argument `city`", '"city": ""'),
        ("get", '"city": "Rome", "da$0y": 1', "Change this parameter to `days`", '"city": "Rome", "days": 1'),
        ("get", '"town$0": 1, "city": "Rome"', "Remove this argument `town`", '"city": "Rome"'),
        ("get", '"city": "Rome", "unit": "k$0"', 'Change this value to `"c"`', '"city": "Rome", "unit": "c"'),
        ("get", f'"city": "{"x" * 20}$0y"', "Shorten it to 20 characters", f'"city": "{"x" * 20}"'),
        ("$0fetch", '"city": "Rome"', "Call `get`", '"city": "Rome"'),
    ],
)
def test_a_mistake_in_a_call_of_a_completion_has_remedies(name: str, arguments: str, title: str, becomes: str) -> None:
    assert completed(JSON_CALL.format(name, arguments), "hermes")[title] == JSON_CALL.format("get", becomes)


@pytest.mark.parametrize(
    ("body", "title", "becomes"),
    [
        ("$0", "Add the argument `city`", TAG.format("city", "")),
        (CITY + TAG.format("unit", "$0k"), "Remove this argument `unit`", CITY),
        ("<parameter=$0city>\nRome\n", "Close it with </parameter>", CITY),
        (
            "<parameter=city>\nRome\n<para$0meter=unit>\nc\n</parameter>\n",
            "End `city` here with </parameter>",
            CITY + TAG.format("unit", "c"),
        ),
        (f"{CITY}$0</parameter>\n", "Remove this text", CITY),
    ],
)
def test_a_mistake_in_a_call_of_tags_has_remedies(body: str, title: str, becomes: str) -> None:
    marked = TAGS_CALL.format(body) if body != "$0" else TAGS_CALL.format("").replace("get", "g$0et")
    assert completed(marked, "qwen3-coder")[title] == TAGS_CALL.format(becomes)


@pytest.mark.parametrize(
    ("template", "text", "title", "becomes"),
    [
        (
            "hermes",
            f"<think>\nI call it.\n$0{ROME}</think>\nDone.\n",
            "End `thinking` here with </think>",
            f"<think>\nI call it.\n</think>\n{ROME}Done.\n",
        ),
        (
            "mistral",
            '[TOOL_CALLS][{"name": "get", "ar$0gs": {"city": "Rome"}}]</s>',
            "Rename `args` to `arguments`",
            '[TOOL_CALLS][{"name": "get", "arguments": {"city": "Rome"}}]</s>',
        ),
    ],
)
def test_a_mistake_around_a_call_of_a_completion_has_remedies(
    template: str, text: str, title: str, becomes: str
) -> None:
    assert completed(text, template)[title] == becomes

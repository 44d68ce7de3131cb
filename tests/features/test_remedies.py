"""What a person is offered for a finding where only they can decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks import Settings, check, parse
from llmblocks.cli.rule_page import settings_of
from llmblocks.core.edits import edited
from llmblocks.facts.rule import Rule
from llmblocks.features.fixes import quick_fixes
from llmblocks.gadget import Gadgets, read_gadgets
from llmblocks.gadget.rules import SEARCH
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language, language_with
from llmblocks.settings.rule_names import RULES
from marked import cursor

WITHOUT = {
    "G122": "only the author knows whether the gadget is to run twice: else, the lines of one call are deleted",
    "G207": "nothing is wrong: it says what the gadget receives",
    "G301": "the call has run: no edit of its text changes the result",
    "G302": "the same",
    "G303": "the same",
    "M004": "only the model knows where the region around it should end",
    "M006": "only the model knows where the argument ends",
    "M007": "only the model knows what is missing",
    "M201": "only the model knows which tool it means, unless a name is near",
    "M202": "the same, of parameters",
    "M203": "only the model knows the value",
    "M204": "the same",
    "M205": "the same",
    "M206": "the same",
}
"""The rules for whose findings there is nothing to do in the text, with the reason."""


def remedies(text: str, language_id: str, chosen: Settings, at: int, name: str | None = None) -> dict[str, str]:
    """The actions at a place by their titles, each with the text after it."""

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
    chosen = Settings(gadgets=Gadgets.of(read_gadgets(gadgets).gadgets)) if gadgets else Settings()
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

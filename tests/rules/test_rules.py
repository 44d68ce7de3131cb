"""Every rule, on its own examples and on texts with marked places."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks import check
from llmblocks.cli.explain import settings_of
from llmblocks.completions.template_rules import RULES as TEMPLATES
from llmblocks.facts.finding import Finding
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.languages.ask import ask_all
from llmblocks.languages.language import Language
from llmblocks.languages.registry import LANGUAGES, find_language, language_with
from llmblocks.rules.checker import Checker
from llmblocks.rules.fixing import suggested
from llmblocks.settings.rule_names import NAMES, RULES
from llmblocks.settings.rules import COMMENT_RULES, DATA_RULES, DOCUMENT_RULES, SETTINGS_RULES
from llmblocks.settings.values import DEFAULTS, Settings


def findings(text: str, language_id: str, settings: Settings | None = None) -> list[Finding]:
    language, settings = find_language(language_id), settings or DEFAULTS
    return list(Checker(language, settings).all(language.open(text, settings)))


every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


@every_rule
def test_a_rule_finds_its_bad_example_and_nothing_in_its_good_one(rule: Rule, tmp_path: Path) -> None:
    language_id = language_with(rule.layer).id
    for number, text in enumerate((rule.bad, rule.good)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for file, beside in (*rule.files, (rule.file, text)):
            (folder / file).write_text(beside, "utf-8", newline="")
        name = str(folder / rule.file) if rule.files else None
        codes = {each.code for each in check(text, language_id, settings_of(rule), name)}
        assert codes == (set() if number else {rule.code})


@every_rule
def test_a_fixed_example_has_no_finding(rule: Rule) -> None:
    assert not rule.fix or findings(rule.after_fix, language_with(rule.layer).id, settings_of(rule)) == []


def test_codes_are_in_order_and_stand_once() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))


def test_a_format_states_what_its_rules_are_about_and_nothing_else() -> None:
    stated = {
        (layer.name, kind)
        for language in LANGUAGES
        for layer in language.loaded
        if layer.facts is not None
        for kind in layer.facts(DEFAULTS).rules
    }
    of_comments = set(COMMENT_RULES)
    assert stated == {(rule.layer, rule) for rule in RULES if rule not in of_comments}
    assert of_comments <= set(RULES)


def test_every_rule_can_be_named_in_settings() -> None:
    assert {
        rule.code: rule.name for rule in (*SETTINGS_RULES, *TEMPLATES, *DATA_RULES, *DOCUMENT_RULES, *RULES)
    } == NAMES


@pytest.mark.parametrize(
    ("text", "language_id", "messages"),
    [
        (
            "!!!GADGET_START:G\n!!!ARG:name\nAda\n!!!ARG:a\n\n!!!ARG:name\nGrace\n!!!GADGET_END\n",
            "gadget",
            ["Duplicate pointer: name — llmist rejects the whole call; "],
        ),
        (
            "!!!GADGET_START:G\n!!!ARG:a/1\n1\n!!!ARG:b/0\n1\n!!!ARG:b/2\n1\n!!!GADGET_END\n",
            "gadget",
            ["Array index gap: expected 0, got 1 — ", "Array index gap: expected 1, got 2 — "],
        ),
        (
            "!!!GADGET_START:G\n!!!ARG:a/0\n1\n!!!ARG:a/last\n1\n!!!GADGET_END\n",
            "gadget",
            ["Invalid array index: last — "],
        ),
        ("!!!GADGET_END\n", "gadget", ["`!!!GADGET_END` outside any call — "]),
        ("@user\n@*/\n", "stf", ["Unexpected block comment end"]),
    ],
)
def test_message_begins_with_the_words_of_the_runtime(text: str, language_id: str, messages: list[str]) -> None:
    found = [str(each.message) for each in findings(text, language_id)]
    assert [each[: len(begins)] for each, begins in zip(found, messages, strict=True)] == messages


def test_finding_leads_to_the_other_places() -> None:
    text = "!!!GADGET_START:G\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n"
    (found,) = findings(text, "gadget")
    assert str(found.message).endswith("; first given 2 lines above")
    assert [(text[each.start : each.end], each.start) for each in found.related] == [("name", text.index("name"))]
    (found,) = findings("@user\n@/* open\n@ai\n@/* closed\n@*/\n@/* open inside\n", "stf")
    assert len(found.related) == 1
    (found,) = findings(2 * "!!!GADGET_START:Send\n!!!ARG:a\n1\n!!!GADGET_END\n", "gadget")
    assert [each.start for each in found.related] == [16]


def test_custom_markers_are_looked_for_instead_of_the_defaults() -> None:
    from llmblocks.gadget.syntax.markers import Markers

    settings = Settings(markers=Markers("<<<START:", "<<<END:", "@param:"))
    text = "<<<START:G\n@param:a\n1\n@param:a\n2\n<<<END:\n!!!GADGET_START:H\n!!!ARG:b\n1\n!!!ARG:b\n2\n"
    assert [(each.code, text[each.start : each.end]) for each in findings(text, "gadget", settings)] == [("G101", "a")]


@pytest.mark.parametrize(
    ("text", "end"),
    [("@user\n@/* a\n", "`@*/`"), ("@ /* a\n", "`@*/`"), (";user\n;/* a\n", "`;*/`"), ("\ufeff;/* a\n", "`;*/`")],
)
def test_an_unterminated_comment_is_to_be_ended_in_its_own_dialect(text: str, end: str) -> None:
    found = findings(text, "stf")[-1]
    assert found.code == "S002"
    assert str(found.message).endswith(f"end the comment with a line {end}")


def test_crlf_ends_lines_and_is_not_a_part_of_a_mark() -> None:
    text = "@user\r\nhi\r\n@*/ x\r\n"
    assert [(each.code, text[each.start : each.end]) for each in findings(text, "stf")] == [
        ("S301", "\r\n"),
        ("S001", "@*/ x"),
    ]


@pytest.mark.parametrize(
    ("settings", "severities"),
    [
        (Settings(), {"S001": Severity.ERROR, "S002": Severity.ERROR}),
        (Settings(ignore=("S001",)), {"S002": Severity.ERROR}),
        (Settings(ignore=("S",)), {}),
        (Settings(select=("S002", "G")), {"S002": Severity.ERROR}),
        (Settings(severity=(("S", "hint"), ("S002", "off"))), {"S001": Severity.HINT}),
        (Settings(severity=(("S002", "warning"), ("S0", "information"))), {"S001": 3, "S002": Severity.WARNING}),
    ],
)
def test_settings_choose_rules_and_severities(settings: Settings, severities: dict[str, int]) -> None:
    found = findings("@*/\n@/*\n", "stf", settings)
    assert {each.code: each.severity for each in found} == severities


def test_a_command_after_a_byte_order_mark_is_a_command() -> None:
    text = "\ufeff@/* a note\n@*/\n@user\nhi\n"
    assert [each.code for each in findings(text, "stf")] == ["S303"]
    assert [each.code for each in findings("x" + text, "stf")] == ["S009", "S001"]


def test_comments_that_are_ended_together_are_none_of_them_open() -> None:
    lines = "a line of the comment\n" * 2000
    text = f"@user\n@/* one\n{lines}@/* two\n{lines}@*/\n@*/\n"
    assert findings(text, "stf") == []
    assert [each.code for each in findings(text.replace("@*/\n", "", 1), "stf")] == ["S002"]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.id)
def test_the_sections_without_findings_are_not_checked_again(language: Language) -> None:
    call = "!!!GADGET_START:G:i{}\n!!!ARG:a/0\n1\n!!!GADGET_END\n"
    text = "@ai\n" + "".join(f"{call.format(number)}text\n<think>x</think>\n@user\n" for number in range(9))
    checker = Checker(language, DEFAULTS)
    document = language.open(text, DEFAULTS, checker.count_findings)
    quiet = [section for section in document.sections if not section.finding_count]
    before = [section.memory for section in quiet]
    assert quiet
    assert [*checker.all(document)] == findings(text, language.id)
    assert [section.memory for section in quiet] == before


@pytest.mark.parametrize(
    ("first", "last", "cycle"),
    [
        ("a:b", "b:a", ["a", "b"]),
        ("a:b", "b:c0", []),
        ("a:gadget_1", "gadget_1:a", ["a", "gadget_1"]),
        ("a:nobody", "a:c9", []),
    ],
)
def test_a_cycle_is_found_among_many_calls_that_look_back(first: str, last: str, cycle: list[str]) -> None:
    needs = ["", *[f":c{number}" for number in range(299)]]
    ids = [first, *[f"c{number}{need}" for number, need in enumerate(needs)], last]
    text = "".join(f"!!!GADGET_START:G:{each}\n!!!GADGET_END\n" for each in ids)
    assert [each.data["id"] for each in findings(text, "gadget") if each.code == "G112"] == cycle


def test_a_dependency_is_not_corrected_to_the_call_itself_or_to_one_that_it_waits_for() -> None:
    def remedies(header: str) -> list[str]:
        text = f"!!!GADGET_START:A:r1\n!!!GADGET_END\n!!!GADGET_START:B:{header}\n!!!GADGET_END\n"
        gadget = find_language("gadget")
        ask = ask_all(gadget.open(text, DEFAULTS), gadget, DEFAULTS)
        return [fix.title for each in findings(text, "gadget") if each.code == "G111" for fix in suggested(each, ask)]

    assert remedies("r2:r3") == ["Depend on `r1`"]
    assert remedies("r2:r3,r1") == remedies("r2:r1,r3") == []

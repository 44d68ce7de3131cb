"""The three parts of a message: a headline, what happens because of it, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from llmblocks import check
from llmblocks.cli.explain import settings_of
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import LONGEST_HEADLINE, FindingMessage, fitted, headed, written
from llmblocks.facts.rule import Rule
from llmblocks.gadget.schemas.reading import read_gadgets
from llmblocks.languages.registry import language_ids, language_with
from llmblocks.settings.rule_names import ALL_RULES, RULES
from llmblocks.settings.rules import SCHEMAS, SETTINGS_RULES
from llmblocks.settings.sources import read_settings_text

DUPLICATE = "!!!GADGET_START:Greet\n!!!ARG:{0}\nAda\n!!!ARG:{0}\nGrace\n!!!GADGET_END\n"


class OrdinaryData(dict[str, object]):
    """The data of headlines, as long as in a usual text: most values are as long as their names."""

    def __missing__(self, name: str) -> str:
        return name


ORDINARY = OrdinaryData(
    circular="w1, w2",
    delimiter="<tool_call>",
    digits="9007199254740993",
    error="JSON5: invalid character 'H' at 1:13",
    file="0001.response",
    literal="<tool_call>",
    longer="<tool_calls>",
    marker="!!!GADGET_START:",
    message="Invalid input: expected string, received undefined",
    missing="r9",
    misfit="content must be a string or an array (was 5)",
    paths="messages[].content",
    pattern="[a-z][a-z0-9_]+",
    pointer="users/0/address/street",
    reason="Expecting value",
    setting="stf.dialect",
    text="ignore[G101]",
    what="invocation id",
    written=";assistant",
)


def assert_short_and_complete(found: Iterable[Finding]) -> None:
    for each in found:
        headline, note, remedy = each.message
        assert len(headline) <= LONGEST_HEADLINE
        assert "\n" not in headline
        assert "…" not in headline
        assert note
        assert remedy


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_message_of_an_example_is_short_and_has_the_words_of_the_runtime(rule: Rule, tmp_path: Path) -> None:
    for file, beside in (*rule.files, (rule.file, rule.bad)):
        (tmp_path / file).write_text(beside, "utf-8", newline="")
    found = check(rule.bad, language_with(rule.layer).id, settings_of(rule), str(tmp_path / rule.file))
    assert_short_and_complete(found)
    for each in found if rule.reference else ():
        words = rule.says(each.data)
        assert each.message.headline == words or each.message.note.startswith(words)


@pytest.mark.parametrize("rule", SETTINGS_RULES, ids=lambda rule: rule.code)
def test_a_rule_about_settings_finds_its_bad_example_with_a_short_message(rule: Rule) -> None:
    def findings(text: str) -> tuple[Finding, ...]:
        read = read_gadgets(text) if rule.layer == SCHEMAS else read_settings_text(text, language_ids())
        return read.findings

    assert ({each.code for each in findings(rule.bad)}, findings(rule.good)) == ({rule.code}, ())
    assert_short_and_complete(findings(rule.bad))


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.code)
def test_a_headline_with_ordinary_data_is_not_cut(rule: Rule) -> None:
    for words in (rule.words, *rule.cases.values()):
        headline = (words if isinstance(words, str) else words.words).partition("\n")[0]
        assert len(headline.format_map(ORDINARY)) <= LONGEST_HEADLINE, headline


@pytest.mark.parametrize("size", [1, 20, 60, 200, 100_000])
@pytest.mark.parametrize("character", ["a", "😀", "…", " "])
def test_a_long_name_is_shortened_in_the_headline_and_whole_in_the_note(size: int, character: str) -> None:
    name = f"x{character * size}x"
    (found,) = [each for each in check(DUPLICATE.format(name), "gadget") if each.code == "G101"]
    headline, note, remedy = found.message
    whole = f"Duplicate pointer: {name}"
    assert len(headline) <= LONGEST_HEADLINE
    if len(whole) <= LONGEST_HEADLINE:
        assert (headline, note) == (whole, "llmist rejects the whole call")
    else:
        assert headline.startswith("Duplicate pointer: x")
        assert headline.endswith("…")
        assert note == f"{whole}; llmist rejects the whole call"
    assert remedy.startswith("rename or remove one of them")


def test_the_longest_values_of_a_headline_are_shortened_first() -> None:
    shown = fitted("'{a}' and '{b}' of {c}", {"a": "short", "b": "b" * 100, "c": 5, "d": "d" * 1000})
    assert shown == f"'short' and '{'b' * 40}…' of 5"
    both = fitted("'{a}' and '{b}'", {"a": "a" * 100, "b": "b" * 200})
    assert len(both) <= LONGEST_HEADLINE
    assert both.startswith("'aaaaaaaa")
    assert "' and 'bbbbbbbb" in both


def test_a_headline_without_long_values_is_cut_at_its_end() -> None:
    assert fitted("x" * 100, {}) == f"{'x' * 59}…"
    assert headed("x" * 100, "because", "do") == FindingMessage(f"{'x' * 59}…", f"{'x' * 100}; because", "do")


def test_a_headline_is_one_line_and_the_words_of_the_runtime_are_kept() -> None:
    found = written("{error}\nthe call fails\ncorrect it", {"error": "a\nb"})
    assert found == FindingMessage("a b", "a\nb; the call fails", "correct it")
    own = written("{error} failed\nit is over", {"error": "{x}"}, "Error: {error}")
    assert own == FindingMessage("{x} failed", "Error: {x}; it is over")


def test_a_message_is_one_line_in_a_log_and_three_for_people() -> None:
    assert str(FindingMessage("a")) == FindingMessage("a").lines == "a"
    assert str(FindingMessage("a", "b")) == "a — b"
    assert str(FindingMessage("a", help="c")) == "a — c"
    whole = FindingMessage("a", "b", "c")
    assert f"{whole}" == "a — b; c"
    assert whole.lines == "a\nnote: b\nhelp: c"

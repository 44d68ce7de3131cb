"""Fixes at a place: of rules, by a choice, or a comment that silences the finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from examples import LAWS
from llmblocks import Settings, check, fix, parse
from llmblocks.cli.explain import settings_of
from llmblocks.completions.rules import M201_UNKNOWN_TOOL
from llmblocks.core.edits import edited
from llmblocks.facts.rule import Rule
from llmblocks.features import fixes
from llmblocks.features.fixes import QuickFix, fix_all
from llmblocks.gadget import Gadgets, read_gadgets
from llmblocks.gadget.rules import SEARCH
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language, language_with
from llmblocks.rules.fixing import Applied, TextReader, by_hand
from llmblocks.rules.project import Project
from llmblocks.settings.rule_names import RULES
from llmblocks.settings.values import DEFAULTS
from llmblocks.workspace.memory import EarlierResponses
from marked import cursor, whole
from oracle.texts import texts

DOCUMENTS = max(LAWS // 4, 25)
"""A quarter of those of the other laws: each document is read once for each of its fixes."""
CALL = "!!!GADGET_START:G\n!!!ARG:i/0\n1\n!!!ARG:i/0\n2\n!!!GADGET_END\n"
FIRST, SECOND = "!!!ARG:name\nAda\n", "!!!ARG:name\nGrace\n"
GREET = "!!!GADGET_START:Greet\n{}{}!!!GADGET_END\n"
SEARCHED = "!!!GADGET_START:Search\n!!!ARG:query\nbees\n{}!!!GADGET_END\n"
SEND = "!!!GADGET_START:Send:{}\n!!!ARG:text\nHello\n!!!GADGET_END\n"
EARLIER = ("a", "b", "c", "d_1", "q", "r1", "s1_1", "gadget_1")
"""The ids of earlier responses."""


def asked(
    text: str, language_id: str, start: int, end: int, known: tuple[str, ...] = (), chosen: Settings = DEFAULTS
) -> Ask:
    others = EarlierResponses(text, known, {}, chosen.markers)
    return Ask(parse(text, language_id, chosen), find_language(language_id), chosen, start, end, other_files=others)


def quick_fixes(ask: Ask) -> list[QuickFix]:
    """The findings of rules, without the comments that silence them."""
    return [each for each in fixes.quick_fixes(ask) if not each.fix.title.startswith("Ignore ")]


def at_cursor(marked: str, language_id: str = "gadget", chosen: Settings = DEFAULTS) -> dict[str, str]:
    """Return the texts after fixes by their titles, best first."""
    text, at = cursor(marked)
    found = quick_fixes(asked(text, language_id, at, at, chosen=chosen))
    # the fixes for a person are never preferred
    assert not any(each.preferred for each in found[1:])
    return {each.fix.title: edited(text, each.fix.edits) for each in found}


def with_tools(schemas: str, template: str = "") -> Settings:
    gadgets = Gadgets(read_gadgets(schemas).gadgets)
    return Settings(gadgets=gadgets, template=template) if template else Settings(gadgets=gadgets)


WITHOUT = {
    "G207": "nothing is wrong: it says what the gadget receives",
    "G301": "the call has run: no edit of its text changes the result",
    "G302": "the same",
    "G303": "the same",
}
"""The rules for whose findings there is nothing to do in the text, with the reason."""


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.code not in WITHOUT], ids=lambda rule: rule.code)
def test_the_bad_example_of_a_rule_has_a_remedy(rule: Rule, tmp_path: Path) -> None:
    language, chosen = language_with(rule.layer), settings_of(rule)
    for beside, text in rule.files:
        (tmp_path / beside).write_text(text)
    name = str(tmp_path / rule.file) if rule.files else None
    found = [each for each in check(rule.bad, language.id, chosen, name=name) if each.code == rule.code]
    place = found[0].start, found[0].end
    ask = Ask(parse(rule.bad, language.id, chosen), language, chosen, *place, known_findings=lambda *_: found)
    offered = [each.fix.title.startswith("Ignore") for each in fixes.quick_fixes(ask)]
    assert False in offered
    # to ignore a finding is the last choice
    assert offered == sorted(offered)


def test_the_rules_without_a_remedy_are_those_with_a_reason() -> None:
    assert {rule.code for rule in RULES if not (rule.fix or rule.by_hand)} == {*WITHOUT}


TWICE = SEND.format("s1") + SEND.format("s2").replace("Send", "Se$0nd")
WAITS = SEND.replace("Hello", "Bye").replace("{}", "m1:{}")
NUMBERED = CALL.replace("i/0\n2", "i/1\n2")
LIMITED = SEARCH.replace('"required": ["query"]', '"required": ["limit"]')


@pytest.mark.parametrize(
    ("marked", "schemas", "offered"),
    [
        (
            CALL.replace("i/0\n2", "i/$0" + "0\n2"),
            "",
            {
                "Rename this argument to `i/1`": NUMBERED,
                "Number the elements of `i` from 0, in their order": NUMBERED,
                "Remove this argument `i/0`": CALL.replace("!!!ARG:i/0\n2\n", ""),
                "Remove the first argument `i/0`": CALL.replace("!!!ARG:i/0\n1\n", ""),
            },
        ),
        (
            GREET.format(FIRST, SECOND.replace("name", "$0name")),
            "",
            {
                "Remove this argument `name`": GREET.format(FIRST, ""),
                "Remove the first argument `name`": GREET.format("", SECOND),
                "Rename this argument to `name_2`": GREET.format(FIRST, SECOND.replace("name", "name_2")),
            },
        ),
        (
            SEARCHED.format("!!!ARG:$0colour\nnewest\n"),
            SEARCH,
            {
                "Remove this argument `colour`": SEARCHED.format(""),
            },
        ),
        # a required argument is not removed
        (
            "!!!GADGET_START:Search\n!!!ARG:limit\n$0a few\n!!!GADGET_END\n",
            LIMITED,
            {"Change this value to `1`": "!!!GADGET_START:Search\n!!!ARG:limit\n1\n!!!GADGET_END\n"},
        ),
        # without a near id, a dependency is removed
        (SEND.format("r1:$0zebra"), "", {"Remove this dependency `zebra`": SEND.format("r1")}),
        (TWICE, "", {"Remove this call `s2`": SEND.format("s1")}),
        # another call counts on the first one
        (TWICE + WAITS.format("s1"), "", {"Remove this call `s2`": SEND.format("s1") + WAITS.format("s1")}),
        # the ids that the runtime gives would be others
        (SEND.replace(":{}", "") + SEND.replace("Send:{}", "Se$0nd") + WAITS.format("gadget_1"), "", {}),
    ],
)
def test_all_fixes_of_a_mistake_are_offered_with_the_best_first(
    marked: str, schemas: str, offered: dict[str, str]
) -> None:
    found = at_cursor(marked, chosen=with_tools(schemas) if schemas else DEFAULTS)
    assert [*found.items()] == [*offered.items()]


MESSAGE = "@user id=one\nHello\n"
ROLES = ["Add role=user", "Add role=assistant", "Add role=system"]
END = ["Write `!!!GADGET_END` after the last argument"]


@pytest.mark.parametrize(
    ("language_id", "marked", "titles"),
    [
        ("gadget", f"$0{CALL}", []),
        ("stf", "$0", []),
        # from either end of the finding
        ("stf", "@user\n$0@*/\nx\n", ["Remove this line"]),
        ("stf", "@user\n@*/$0\nx\n", ["Remove this line"]),
        ("stf", "@user\nHello\n@assis$0tent\nHi\n", ["Write 'assistant'", "Begin the line with @@, as text"]),
        # closing the comment early would bring a message back whose id another one has by now
        (
            "stf",
            f"{MESSAGE}@user\nHello\n@$0/* a note\n@ai\nHi\n{MESSAGE}",
            ["End the comment at the end of the text"],
        ),
        # the line end after the new end marker would be text of the block
        ("gadget", "!!!GADGET_START:$0A\n!!!GADGET_START:B\n!!!GADGET_END\n", END),
        ("gadget", "<think>\n!!!GADGET_START:$0A\n!!!GADGET_START:B\n!!!GADGET_END\n</think>\n", []),
        ("gadget", "Hello\n!!!GADGET_START:$0A\n", END),
        ("gadget", "<think>\n!!!GADGET_START:$0A\n", []),
        # without its command line a message has no values that could change
        ("stf", "@user\nHello\n<think>!!!$0GADGET_END", []),
        ("stf", "@user\nHello\n!!!$0GADGET_END", ["Remove this marker"]),
        # where a comment may silence what is far from it, the whole chat is read
        (
            "stf",
            "@m$0essage\nHello\n@message name=ada\nHi\n@ai\nBye\n@# llmblocks: ignore[S004]\n@User\nHey\n",
            ROLES,
        ),
    ],
)
def test_what_is_offered_is_tried_on_the_whole_text(language_id: str, marked: str, titles: list[str]) -> None:
    assert [*at_cursor(marked, language_id)] == titles


@pytest.mark.parametrize(
    ("text", "line", "becomes"),
    [
        ("@user\nHello\n@todo: buy milk\n", "@todo: buy milk", "@@todo: buy milk"),
        ("@user\r\nHello\r\n@media print\r\n", "@media print", "@@media print"),
        (";user\nHello\n;todo buy milk\n", ";todo", ";;todo"),
    ],
)
def test_only_a_person_makes_text_of_an_unknown_command(text: str, line: str, becomes: str) -> None:
    at = text.index(line) + 2
    found = quick_fixes(asked(text, "stf", at, at))
    assert [(each.finding.code, each.preferred) for each in found] == [("S003", False)]
    result = edited(text, found[0].fix.edits)
    assert result == text.replace(line, becomes)
    assert "S003" not in {each.code for each in check(result, "stf")}
    assert becomes not in fix(text, "stf", unsafe=True).text


def test_the_misspelt_markers_of_a_call_are_corrected_from_its_start_on() -> None:
    call = "!!!gadget_start:B\n!!!arg:a\n1\n!!!gadget_end\n"
    begun = call.replace("gadget_start", "GADGET_START")
    assert at_cursor(f"$0{call}")["Change this to `!!!GADGET_START:`"] == begun
    corrected = begun.replace("arg", "ARG").replace("gadget_end", "GADGET_END")
    assert fix(3 * call, "gadget", unsafe=True).text == 3 * corrected


def test_a_finding_is_fixed_from_anywhere_on_its_line() -> None:
    twice = CALL.rindex("!!!ARG")
    for start, end, found in ((twice, twice, 4), (twice, twice + 1, 4), (twice - 1, twice - 1, 0), (0, 22, 0)):
        assert len(quick_fixes(fixes.of_line(asked(CALL, "gadget", start, end)))) == found
    assert [each.preferred for each in quick_fixes(asked(CALL, "gadget", twice, len(CALL)))] == [True] + [False] * 3
    # what is at the place itself is all that is meant
    ask = asked(CALL, "gadget", CALL.rindex("i/0"), CALL.rindex("i/0"))
    assert fixes.of_line(ask) is ask


def test_only_what_is_in_the_range_is_looked_at() -> None:
    text = "@*/\n@user\n@*/\n@ai\n@*/\n"
    found = [*quick_fixes(asked(text, "stf", 10, 13))]
    assert [each.finding.start for each in found] == [10]


@pytest.mark.parametrize(
    ("language_id", "before", "behind"),
    [
        ("gadget", "!!!GADGET_START:Read\n!!!ARG:path\na.py", "\n\n\n!!!GADGET_END\n"),
        ("stf", "@ai\r\n!!!GADGET_START:Read\r\n!!!ARG:path\r\na.py", "  \r\n  \r\n!!!GADGET_END\r\n"),
        ("stf", "@ai\n!!!GADGET_START:Read\n!!!ARG:path\na.py", " \n@# the last\n!!!GADGET_END\n"),
    ],
)
def test_a_person_can_remove_the_white_space_after_a_last_value(language_id: str, before: str, behind: str) -> None:
    text = before + behind
    [found] = [each.fix for each in quick_fixes(asked(text, language_id, 0, len(text))) if "white" in each.fix.title]
    assert edited(text, found.edits) == before + behind.lstrip(" \r\n").join(("\r\n" if "\r" in text else "\n", ""))
    assert fix(text, language_id, unsafe=True, select=["G116"]).text == text


def test_all_safe_fixes_are_edits_of_the_document() -> None:
    text = "@*/\n@user\n@*/\n@ai\n" + CALL + "@*/\n"
    found, _ = fix_all(whole(text, "stf"))
    assert [text[edit.start : edit.end] + edit.text for edit in found] == ["@*/\n"] * 3
    assert edited(text, found) == fix(text, "stf").text


@pytest.mark.parametrize(
    ("language_id", "known"), [("gadget", ()), ("gadget", EARLIER), ("stf", ()), ("custom-blocks", ())]
)
def test_a_look_at_the_sections_around_a_finding_says_what_a_look_at_all_of_the_text_says(
    language_id: str, known: tuple[str, ...]
) -> None:
    language = find_language(language_id)

    @settings(max_examples=DOCUMENTS, deadline=None, suppress_health_check=list(HealthCheck))
    @given(texts(language_id, 10))
    def law(text: str) -> None:
        whole = TextReader(language, DEFAULTS, EarlierResponses(text, known, {}, DEFAULTS.markers)).read(text)
        for finding in whole.findings[:4]:
            ask = asked(text, language_id, finding.start, finding.end, known)
            every = *whole.fixes(finding, unsafe=True), *by_hand(finding, whole.ask)
            wanted = [each for each in every if whole.after([Applied(finding, each)])]
            titles = list(dict.fromkeys(each.title for each in wanted))
            found = [each.fix for each in quick_fixes(ask) if each.finding == finding]
            assert [each.title for each in found] == titles
            assert all(each.edits in [one.edits for one in wanted if one.title == each.title] for each in found)

    law()


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("!!!arg:to\nAda\n", "Change this to `!!!ARG:`"),
        ("!!!ARG:to\nAda\n!!!ARG:to\nAda\n", "Remove this argument `to`"),
    ],
)
def test_a_correct_call_may_turn_out_to_repeat_the_one_before(line: str, title: str) -> None:
    call = "!!!GADGET_START:Send\n!!!ARG:text\nHi\n{}!!!GADGET_END\n"
    right = call.format("!!!ARG:to\nAda\n")
    text = right + call.format(line)
    at = text.rindex("to")
    ask = asked(text, "gadget", at, at)
    assert [edited(text, each.fix.edits) for each in quick_fixes(ask) if each.fix.title == title] == [right * 2]
    fixed = fix(text, "gadget", unsafe=True)
    assert (fixed.text, [each.code for each in fixed.left]) == (right * 2, ["G122"])


def test_the_fixes_of_ids_know_the_earlier_responses_of_a_session() -> None:
    call = "!!!GADGET_START:Read:{}\n!!!ARG:path\n{}\n!!!GADGET_END\n"
    text = call.format("r1", "a") + call.format("r1", "b") + call.format("m1:zebar", "c")
    known = (call.format("r2", "x") + call.format("r3", "y"), "zebra")
    for needle, title, new in (("r1", "Change this id to `r4`", "r4"), ("zebar", "Depend on `zebra`", "zebra")):
        at = text.rindex(needle)
        found = {each.fix.title: each.fix.edits for each in quick_fixes(asked(text, "gadget", at, at, known))}
        assert edited(text, found[title]) == text[:at] + new + text[at + len(needle) :]
    fixed = fix(text, "gadget", unsafe=True, known=known)
    assert (fixed.left, "Read:r4\n" in fixed.text, "m1:zebra" in fixed.text) == ((), True, True)


def test_fixes_come_before_the_comments_that_ignore_findings() -> None:
    text = "@ai\n!!!GADGET_START:G\n!!!ARG:a\n\xff\n!!!GADGET_END\n@*/\n@ai\n" + CALL
    found = [*fixes.quick_fixes(asked(text, "stf", 0, len(text)))]
    ignored = [each.fix.title.startswith("Ignore ") for each in found]
    assert len({each.finding for each in found}) > 1
    assert ignored == sorted(ignored)
    assert [each.preferred for each in found if each.fix.title.startswith("Ignore ")] == [False] * sum(ignored)


JSON_CALL = '<tool_call>\n{{"name": "{}", "arguments": {{{}}}}}\n</tool_call>\n'
TAGS_CALL = "<tool_call>\n<function=get>\n{}</function>\n</tool_call>\n"
TAG = "<parameter={}>\n{}\n</parameter>\n"
ROME = JSON_CALL.format("get", '"city": "Rome"')
CITY = TAG.format("city", "Rome")
IN_CHATS = (
    ("@user hello$0 there\n", "Move this text to the next line", "@user\nhello there\n"),
    ("@user name=$0\nx\n", "Give it an empty value", "@user name=''\nx\n"),
    ("@message$0\nx\n", "Add role=user", "@message role=user\nx\n"),
    ("@user\na\n;$0ai\nb\n", "Write @ai", "@user\na\n@ai\nb\n"),
    ("@user {name: $05}\nx\n", "Write it as text: `'5'`", "@user {name: '5'}\nx\n"),
    ("@ai\n@$0call name=x\n", "Call it without arguments: `{}`", "@ai\n@call name=x\n{}\n"),
)
IN_JSON = (
    ("g$0et", "", "Add the argument `city`", '"city": ""'),
    ("get", '"city": "Rome", "da$0y": 1', "Change this parameter to `days`", '"city": "Rome", "days": 1'),
    ("get", '"town$0": 1, "city": "Rome"', "Remove this argument `town`", '"city": "Rome"'),
    ("get", '"city": "Rome", "unit": "k$0"', 'Change this value to `"c"`', '"city": "Rome", "unit": "c"'),
    ("get", f'"city": "{"x" * 20}$0y"', "Shorten it to 20 characters", f'"city": "{"x" * 20}"'),
    ("$0fetch", '"city": "Rome"', "Call `get`", '"city": "Rome"'),
)
IN_TAGS = (
    (CITY + TAG.format("unit", "$0k"), "Remove this argument `unit`", CITY),
    ("<parameter=$0city>\nRome\n", "Close it with </parameter>", CITY),
    (
        "<parameter=city>\nRome\n<para$0meter=unit>\nc\n</parameter>\n",
        "End `city` here with </parameter>",
        CITY + TAG.format("unit", "c"),
    ),
    (f"{CITY}$0</parameter>\n", "Remove this text", CITY),
)
AROUND_CALLS = (
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
)


@pytest.mark.parametrize(
    ("language_id", "template", "marked", "title", "becomes"),
    [
        *[("stf", "", *row) for row in IN_CHATS],
        *[
            ("completion", "hermes", JSON_CALL.format(name, given), title, JSON_CALL.format("get", becomes))
            for name, given, title, becomes in IN_JSON
        ],
        (
            *("completion", "qwen3-coder", TAGS_CALL.format("").replace("get", "g$0et"), "Add the argument `city`"),
            TAGS_CALL.format(TAG.format("city", "")),
        ),
        *[
            ("completion", "qwen3-coder", TAGS_CALL.format(body), title, TAGS_CALL.format(becomes))
            for body, title, becomes in IN_TAGS
        ],
        *[("completion", *row) for row in AROUND_CALLS],
        # the line end is content of the block
        (
            *("gadget", "", f"<think>\n{TWICE}</think>\n", "Remove this call `s2`"),
            f"<think>\n{SEND.format('s1')}\n</think>\n",
        ),
    ],
)
def test_a_mistake_has_a_remedy(language_id: str, template: str, marked: str, title: str, becomes: str) -> None:
    chosen = with_tools(M201_UNKNOWN_TOOL.gadgets, template) if template else DEFAULTS
    assert at_cursor(marked, language_id, chosen)[title] == becomes


def test_a_call_on_which_a_later_response_counts_is_not_removed(tmp_path: Path) -> None:
    name, text = str(tmp_path / "0001.response"), SEND.format("s1") + SEND.format("s2")
    (tmp_path / "0002.response").write_text(SEND.format("m1:s2"))
    (tmp_path / "0001.response").write_text(text)
    other_files = Project(settings=DEFAULTS).other_files(find_language("gadget"), name)
    at = text.rindex("Send")
    ask = Ask(parse(text, "gadget"), find_language("gadget"), DEFAULTS, at, at, other_files=other_files)
    assert [*quick_fixes(ask)] == []


def ignored(marked: str, language_id: str) -> dict[str, str]:
    """Return the texts that comments make, by the titles of their actions."""
    text, at = cursor(marked)
    found = [
        each for each in fixes.quick_fixes(asked(text, language_id, at, at)) if each.fix.title.startswith("Ignore ")
    ]
    assert not any(each.preferred for each in found)
    return {each.fix.title: edited(text, each.fix.edits) for each in found}


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ("@user id=q\nHi\n@user id=$0q\nHi\n", "@user id=q\nHi\n@# llmblocks: ignore[S203]\n@user id=q\nHi\n"),
        ("@ai\r\n@user\r\n@*/$0\r\n", "@ai\r\n@# llmblocks: ignore[S001]\r\n@user\r\n@*/\r\n"),
        (";user\n;*/$0\n", ";# llmblocks: ignore[S001]\n;user\n;*/\n"),
        ("@# a\n@*/$0", "@# a\n@# llmblocks: ignore[S001]\n@*/"),
        (
            f"@# llmblocks: ignore[S001] why\n@ai\n@*/\n{CALL.replace('i/0', 'i/$00', 1)}".replace("$00", "0").replace(
                "i/0\n2", "i/0$0\n2"
            ),
            f"@# llmblocks: ignore[S001, G101] why\n@ai\n@*/\n{CALL}",
        ),
    ],
)
def test_a_finding_in_a_chat_is_ignored_for_its_message(marked: str, wanted: str) -> None:
    found = ignored(marked, "stf")
    (title,) = [each for each in found if each.endswith("for this message")]
    assert found[title] == wanted
    # the line ends are what they were
    assert {each.code for each in check(wanted, "stf")} == ({"S301"} if "\r" in marked else set())


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ("a\n</think$0>\n", "a\n<!-- llmblocks: ignore[T002] -->\n</think>\n"),
        ("<think>\na\n<think$0>\n</think>\n", "<!-- llmblocks: ignore[T005] -->\n<think>\na\n<think>\n</think>\n"),
        ("a <think x=1\n>$0", "<!-- llmblocks: ignore[T001] -->\na <think x=1\n>"),
        (
            "<!-- llmblocks: ignore[T002] -->\n</think> <answer$0>\n",
            "<!-- llmblocks: ignore[T002, T001] -->\n</think> <answer>\n",
        ),
    ],
)
def test_a_finding_in_custom_blocks_is_ignored_for_its_line_or_block(marked: str, wanted: str) -> None:
    found = ignored(marked.replace(" x=1\n>$0", "$0 x=1\n>"), "custom-blocks")
    (title,) = [each for each in found if each.endswith("for this line or block")]
    assert found[title] == wanted
    assert check(wanted, "custom-blocks") == ()


def test_a_byte_order_mark_stays_before_the_comment() -> None:
    assert ignored("\ufeff@user\n@*/$0\n", "stf") == {
        "Ignore S001 for this message": "\ufeff@# llmblocks: ignore[S001]\n@user\n@*/\n",
        "Ignore S001 in this file": "\ufeff@# llmblocks: ignore-file[S001]\n@user\n@*/\n",
    }


def test_no_comment_ignores_a_finding_in_a_file_of_calls_or_about_a_comment() -> None:
    assert ignored(CALL.replace("i/0\n2", "i/0$0\n2"), "gadget") == {}
    assert ignored("@# llmblocks: $0ignore\n@user\n", "stf") == {}


@pytest.mark.parametrize("language_id", ["stf", "custom-blocks"])
def test_a_comment_silences_its_finding_and_changes_nothing_else(language_id: str) -> None:
    @settings(max_examples=DOCUMENTS // 2, deadline=None)
    @given(texts(language_id, 8))
    def law(text: str) -> None:
        before = check(text, language_id)
        for finding in before[:3]:
            for each in fixes.quick_fixes(asked(text, language_id, finding.start, finding.end)):
                if each.finding == finding and each.fix.title.startswith("Ignore "):
                    after = check(edited(text, each.fix.edits), language_id)
                    assert len(after) < len(before)
                    assert {one.code for one in after} <= {one.code for one in before}

    law()


def test_only_the_comment_on_the_line_in_front_gets_another_code() -> None:
    file = "@# llmblocks: ignore-file[S301]\n"
    for front in (file, "@# llmblocks: ignore[S105]\n" + file, "@# llmblocks: ignore[S105]\n@# why\n"):
        (text, _) = ignored(f"{front}@user\n@*/$0\n", "stf").values()
        assert text == f"{front}@# llmblocks: ignore[S001]\n@user\n@*/\n"

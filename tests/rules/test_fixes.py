"""Fixes of each rule's example, of texts around them, and of texts that they must not change."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from llmblocks import Settings, check, fix
from llmblocks.cli.explain import settings_of
from llmblocks.core.edits import Edit, Shift, edited
from llmblocks.facts.finding import Finding
from llmblocks.facts.rule import Rule
from llmblocks.gadget import Markers
from llmblocks.languages.ask import Ask
from llmblocks.languages.registry import find_language, language_with
from llmblocks.rules import fixing
from llmblocks.rules.fix import Fix
from llmblocks.settings.rule_names import RULES
from llmblocks.stf import decode

START = "!!!GADGET_START:G\n"


def fixed(text: str, language_id: str = "gadget") -> str:
    # without the fixes of line ends, which change all of a text
    return fix(text, language_id, unsafe=True, settings=Settings(ignore=("G117", "S301"))).text


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.fix], ids=lambda rule: rule.code)
def test_the_fixed_example_is_what_the_fix_makes_of_the_bad_one(rule: Rule) -> None:
    found = fix(rule.bad, language_with(rule.layer).id, unsafe=True, settings=settings_of(rule))
    assert found.text == rule.after_fix
    assert [applied.finding.code for applied in found.applied] == [rule.code]
    assert found.left == ()
    assert rule.remedy


@pytest.mark.parametrize("rule", [rule for rule in RULES if not (rule.fix or rule.files)], ids=lambda rule: rule.code)
def test_a_rule_without_a_fix_leaves_its_example(rule: Rule) -> None:
    found = fix(rule.bad, language_with(rule.layer).id, unsafe=True, settings=settings_of(rule))
    assert (found.text, found.applied) == (rule.bad, ())
    assert {finding.code for finding in found.left} == {rule.code}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("!!!ARG:a\n1\n!!!ARG:a\n2\n!!!ARG:b\n3\n!!!GADGET_END\n", "!!!ARG:a\n1\n!!!ARG:b\n3\n!!!GADGET_END\n"),
        ("!!!ARG:a\n1\n!!!ARG:a\n2", "!!!ARG:a\n1\n"),
        ("!!!ARG:a\r\n\U0001f600\r\n!!!ARG: a \r\n\u2028\r\n!!!GADGET_END", "!!!ARG:a\r\n\U0001f600\r\n!!!GADGET_END"),
        ("!!!ARG:a\nx\ry\n!!!ARG:a\n\r2\n!!!GADGET_END", "!!!ARG:a\nx\ry\n!!!GADGET_END"),
        ("!!!ARG:a\n1 !!!ARG:a\n2 !!!GADGET_END z", "!!!ARG:a\n1 \n!!!GADGET_END z"),
        ("!!!ARG:a\n1\n" + "!!!ARG:a\n2\n" * 40, "!!!ARG:a\n1\n"),
    ],
)
def test_a_later_argument_is_removed_and_all_else_is_kept(text: str, wanted: str) -> None:
    found = fix(START + text, "gadget", unsafe=True, settings=Settings(ignore=("G008", "G117")))
    assert found.text == START + wanted


def test_an_argument_is_kept_whose_removal_would_change_another_value() -> None:
    # the runtime trims the end of the last value
    text = START + "!!!ARG:a\nx  \n!!!ARG:a\ny\n!!!GADGET_END\n"
    assert fixed(text) == text


@pytest.mark.parametrize(
    ("text", "language_id"),
    [
        (START + "!!!ARG:a\nHello\r\n  \r\n!!!ARG:b\r\n1\n!!!GADGET_END", "gadget"),
        ("a\r\n" + START + "!!!ARG:a\nx\r\ny\r\r\nz\n!!!GADGET_END\r\nb\rc\r\n", "gadget"),
        ("@user\r\nHello\r\n@ai\n" + START + "!!!ARG:a\r\nx\r\ny\r\n!!!GADGET_END\n", "stf"),
    ],
)
def test_line_ends_are_converted_and_lone_returns_are_kept(text: str, language_id: str) -> None:
    found = fix(text, language_id, unsafe=True, select=("G117", "S301"))
    assert found.text == re.sub("\r+\n", "\n", text)
    assert {each.fix.title for each in found.applied} == {"End all lines with LF"}
    assert fix(text, language_id, select=("G117", "S301")).text == text


def test_a_carriage_return_inside_a_line_of_a_value_is_not_for_a_fix_to_judge() -> None:
    text = START + "!!!ARG:a\nx\ry\r\nz\n!!!GADGET_END\n"
    assert fix(text, "gadget", unsafe=True).text == text


def test_line_ends_are_converted_before_a_fix_that_adds_a_line() -> None:
    found = fix("Hello\r\n", "stf", unsafe=True)
    assert found.text == "@user\nHello\n"
    assert [applied.finding.code for applied in found.applied] == ["S301", "S009"]


def test_a_new_line_makes_no_line_end_of_a_carriage_return() -> None:
    text = "@ai\nHi\n\r\na\r!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n"
    assert fix(text, "stf", unsafe=True, select=("G006",)).text == text


def test_line_ends_of_thousands_of_values_are_converted_at_once() -> None:
    text = START + "".join(f"!!!ARG:a{n}\nx\r\n" for n in range(2000)) + "!!!GADGET_END\n!!!GADGET_END\n"
    found = fix(text, "gadget", unsafe=True)
    assert sorted(each.finding.code for each in found.applied) == ["G005", "G117"]
    assert "\r" not in found.text


def test_custom_markers_are_kept() -> None:
    settings = Settings(markers=Markers("<<<CALL:", "<<<END", "@param:"))
    text = "<<<CALL:G\n@param:a\n1\n@param:a\n2\n<<<END !!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n1\n"
    found = fix(text, "gadget", unsafe=True, settings=settings).text
    assert found == "<<<CALL:G\n@param:a\n1\n<<<END !!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n1\n"


def test_comments_and_escapes_around_an_argument_in_a_chat_are_kept() -> None:
    text = "@ai\r\nSo:\r\n!!!GADGET_START:G\r\n!!!ARG:a\r\n1\r\n@# one\r\n!!!ARG:a\r\n@@2\r\n@/* two\r\n@*/\r\nx\r\n"
    after = "!!!GADGET_END\r\n@user\r\nThanks\r\n"
    kept = "@ai\r\nSo:\r\n!!!GADGET_START:G\r\n!!!ARG:a\r\n1\r\n@# one\r\n@/* two\r\n@*/\r\n"
    assert fix(text + after, "stf", unsafe=True, select=("G",)).text == kept + after


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("a\r\n \t!!!GADGET_END \r\nb", "a\r\nb"), ("a\n!!!GADGET_END", "a\n"), ("!!!GADGET_END!!!GADGET_END", "")],
)
def test_an_end_marker_outside_calls_is_removed_but_not_safely(text: str, wanted: str) -> None:
    assert fix(text, "gadget", unsafe=True, select=("G005",)).text == wanted
    assert fix(text, "gadget").text == text


def test_an_end_marker_in_a_chat_is_removed_where_no_command_comes_of_it() -> None:
    text = "@ai\nHi\n!!!GADGET_END\n@# note\n!!!GADGET_END@user\n@user\n"
    assert fixed(text, "stf") == text.replace("!!!GADGET_END\n", "")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@user\nHi\n@*/\nthere\n", "@user\nHi\nthere\n"),
        ("@user\r\nHi\r\n@ */ x\r\n", "@user\r\nHi\r\n"),
        ("@user\nHi\n@*/", "@user\nHi\n"),
        (";user\nHi\n;*/", ";user\nHi"),
        ("\ufeff@*/\n@user\nHi", "\ufeff@user\nHi"),
        ("@*/\n@*/\n@user\n@*/\n@*/\n", "@user\n"),
        ("@*/\ra\n@user\nx\ry", "@user\nx\ry"),
        (f"@ai\n{START}!!!ARG:a\n1\n@*/\n2\n!!!GADGET_END\n", f"@ai\n{START}!!!ARG:a\n1\n2\n!!!GADGET_END\n"),
    ],
)
def test_a_comment_end_that_ends_nothing_is_removed_safely(text: str, wanted: str) -> None:
    found = fix(text, "stf", select=("S001",))
    assert found.text == wanted
    assert {each.code for each in found.left} <= {"S301", "S303"}
    assert decode(found.text).as_dict() == decode(text).as_dict()


def test_a_line_that_tells_the_dialect_is_kept() -> None:
    text = "@*/\n;user\nHi\n@user\n"
    assert fix(text, "stf", unsafe=True, select=("S001",)).text == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@user\nHi\n@/* a\n@user\n", "@user\nHi\n@/* a\n@*/\n@user\n"),
        ("@user\r\n@/* a\r\nb\r\n@msg {role: 'user'}\r\n", "@user\r\n@/* a\r\nb\r\n@*/\r\n@msg {role: 'user'}\r\n"),
        ("@/* a\n@/* b\n@ai\n@*/\nx\n@user\nHi", "@/* a\n@/* b\n@ai\n@*/\nx\n@*/\n@user\nHi"),
        ("@/* a\n@/* b\n@user\nHi", "@/* a\n@/* b\n@*/\n@*/\n@user\nHi"),
        (";user\n;/* a\n;ai\nHi", ";user\n;/* a\n;*/\n;ai\nHi"),
        ("@user\nHi\n@/* a\nb", "@user\nHi\n@/* a\nb\n@*/"),
        (";user\nHi\n;/* a\nb\n", ";user\nHi\n;/* a\nb\n;*/"),
    ],
)
def test_a_comment_is_ended_where_that_loses_least_but_not_safely(text: str, wanted: str) -> None:
    assert fix(text, "stf", unsafe=True, select=("S002",)).text == wanted
    assert fix(text, "stf", select=("S002",)).text == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@user\nHi\n@/* a\n", "@user\nHi\n@/* a\n@*/\n"),
        ("@user\r\nHi\r\n@/* a", "@user\r\nHi\r\n@/* a\n@*/"),
        ("@user\r\nHi\r\n@/* a\r\n \r\n", "@user\r\nHi\r\n@/* a\r\n \r\n@*/\r\n"),
        (";user\nHi\n;/* a\n", ";user\nHi\n;/* a\n;*/"),
    ],
)
def test_a_comment_that_holds_nothing_is_ended_safely(text: str, wanted: str) -> None:
    found = fix(text, "stf", select=("S002",))
    assert found.text == wanted
    assert {each.code for each in found.left} <= {"S301"}
    assert decode(wanted).as_dict() == decode(text).as_dict()


def test_rules_are_chosen_by_the_caller_and_by_settings() -> None:
    text = "@*/\n@user\n" + START + "!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
    codes = [
        [applied.finding.code for applied in fix(text, "stf", unsafe=True, select=select, settings=settings).applied]
        for select, settings in (
            ((), None),
            (("G",), None),
            (("unmatched-comment-end",), None),
            ((), Settings(ignore=("G",))),
            ((), Settings(severity=(("S", "off"),))),
            (("G",), Settings(select=("S",))),
        )
    ]
    assert codes == [["S001", "G101"], ["G101"], ["S001"], ["S001"], ["G101"], []]


def test_a_fix_is_refused_that_causes_what_the_settings_are_silent_about() -> None:
    # without the rule about gaps, the next free index would be one
    text = START + "!!!ARG:i/0\n1\n!!!ARG:i/0\n2\n!!!ARG:i/0/x\n!!!ARG:i/1\n3\n!!!GADGET_END\n"
    assert "i/2\n2" not in fix(text, "gadget", unsafe=True, settings=Settings(ignore=("G102",))).text


def test_a_refused_fix_is_made_after_another_that_makes_it_possible() -> None:
    # a block that is in no message, for want of a command line, is not ended
    text = "Hello <answer>\n@User\nhello\n"
    found = fix(text, "stf", unsafe=True)
    assert found.text == "@user\nHello <answer></answer>\n@user\nhello\n"
    assert [applied.finding.code for applied in found.applied] == ["S004", "S009", "T001"]
    assert found.left == ()
    # an end marker would cut the blank line off the second argument, which goes
    assert fixed(START + "!!!ARG:a\n1\n!!!ARG:a\n\n\n") == START + "!!!ARG:a\n1\n!!!GADGET_END\n"


def test_of_two_fixes_of_the_same_text_the_first_may_leave_nothing_to_the_other() -> None:
    # with another id, the call does not depend on itself
    first = "!!!GADGET_START:Read:r1\n!!!GADGET_END\n"
    text = first + "!!!GADGET_START:Read:r1:r1\n!!!GADGET_END\n"
    assert fixed(text) == first + "!!!GADGET_START:Read:r2:r1\n!!!GADGET_END\n"


def tries(text: str) -> int:
    """Count the trials of fixes of a text."""
    count = 0

    def pause() -> None:
        nonlocal count
        count += 1

    fixing.fixed(text, find_language("gadget"), Settings(), unsafe=True, pause=pause)
    return count


def test_a_fix_of_the_whole_document_is_tried_once_for_all_its_findings() -> None:
    call = START + "!!!ARG:a\nx\ry\r\nz\n!!!GADGET_END\n"
    assert tries(call) == tries(20 * call) == 1


def test_a_refused_fix_is_tried_again_only_after_all_others() -> None:
    # an end marker before the second call would change the block; converted line ends move that place
    call = START + "!!!ARG:a\nx\r\ny\n!!!GADGET_END\n"
    # the end marker, the line ends, the end marker again
    assert tries(f"Hi\r\n<think>\n{START}{call}</think>\n") == 3


@pytest.mark.parametrize("call", [fix, check])
def test_misuse_says_what_to_pass(call: object) -> None:
    assert callable(call)
    with pytest.raises(TypeError, match="takes a str, not bytes"):
        call(b"", "stf")
    with pytest.raises(ValueError, match="no language 'x': use one of gadget, "):
        call("", "x")


def test_an_unknown_rule_is_reported_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="no rule has the code or name 'duplicate-pinter'; did you mean duplicate-po"):
        fix("", "stf", select=("duplicate-pinter",))


def test_check_gives_what_an_editor_shows() -> None:
    text = "@#\U0001f600@*/\n@*/\n"
    assert [(each.code, each.start, each.end) for each in check(text, "stf")] == [("S001", 7, 10)]
    assert check(text, "stf", Settings(ignore=("S",))) == ()
    assert [each.code for each in check(text, None, name="chats/a.stf")] == ["S001"]
    with pytest.raises(ValueError, match=r"the name 'a\.txt' does not determine a language: use one of gadget, "):
        check(text, None, name="a.txt")


def test_places_follow_edits() -> None:
    edits = [Edit(2, 4, ""), Edit(6, 6, "xyz"), Edit(8, 9, "Q")]
    assert edited("0123456789", edits) == "0145xyz67Q9"
    shift = Shift(edits)
    assert [shift.span(start, end) for start, end in ((0, 2), (2, 4), (4, 6), (6, 7), (3, 7), (8, 10))] == [
        (0, 2),
        (2, 2),
        (2, 4),
        (7, 8),
        (2, 8),
        (9, 11),
    ]


def test_an_end_marker_stays_while_the_misspelt_start_of_its_call_can_be_corrected() -> None:
    gap = "!!!GADGET_START:Save:s1\n!!!ARG:tags/0\na\n!!!ARG:tags/{}\nb\n!!!GADGET_END\n"
    read = "!!!GADGET_{}:Read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
    assert fixed(gap.format(2) + read.format("STRT")) == gap.format(1) + read.format("START")


def test_a_misspelt_start_marker_is_corrected_though_its_call_has_other_mistakes() -> None:
    twice = "!!!GADGET_{}:Read:r1\n!!!ARG:path\na.txt\n{}!!!GADGET_END\n"
    assert fixed(twice.format("STRT", "!!!ARG:path\nb.txt\n")) == twice.format("START", "")


def test_a_repeated_argument_is_removed_safely_in_a_chat() -> None:
    text = "@user\nHello\n@ai\n!!!GADGET_START:Read\n!!!ARG:path\na.txt\n{}!!!GADGET_END\n"
    assert fix(text.format("!!!ARG:path\na.txt\n"), "stf").text == text.format("")


def test_an_argument_is_not_removed_safely_from_what_may_be_two_calls() -> None:
    call = "!!!GADGET_{}:Read\n!!!ARG:path\na.txt\n!!!GADGET_{}\n"
    text = call.format("START", "EDN") + call.format("STRT", "END")
    assert fix(text, "gadget").text == text
    assert fixed(text) == call.format("START", "END") * 2


def test_a_call_gets_its_own_id_before_its_dependencies_are_judged() -> None:
    call = "!!!GADGET_START:Read:{}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
    assert fixed(call.format("r1") + call.format("r1:r1")) == call.format("r1") + call.format("r2:r1")


REQUEST = "=== USER ===\nRead a.txt.\n\n=== ASSISTANT ===\n"
FOUND_IN_REQUESTS = [
    # what a request repeats of earlier responses may lack an id or its end: such rules are not judged there
    rule
    for rule in RULES
    if rule.fix and rule.layer in ("gadget", "tags") and rule.code not in ("G008", "G110", "G111", "T001")
]


@pytest.mark.parametrize("rule", FOUND_IN_REQUESTS, ids=lambda rule: rule.code)
def test_a_mistake_in_a_request_is_fixed(rule: Rule) -> None:
    done = fix(REQUEST + rule.bad, "request", unsafe=True, settings=settings_of(rule))
    assert (done.text, done.left) == (REQUEST + rule.after_fix, ())


def test_a_fix_in_a_request_leaves_prompts_and_results_alone() -> None:
    text = REQUEST + "!!!GADGET_STRT:A:a\n!!!GADGET_END\n\n=== USER ===\nResult (a): !!!GADGET_STRT:A\n"
    assert fix(text, "request", unsafe=True).text == text.replace("STRT", "START", 1)


@pytest.mark.parametrize("behind", ["<think>b</think>\n", "A paragraph.\n\n<think>b</think>\n", "x", " "])
def test_a_fix_of_a_tag_that_deletes_what_is_after_it_is_refused(behind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from llmblocks.rules.fixes import tags

    text = f"<Think>a</Think>\n{behind}"
    honest = tags.registered_name

    def greedy(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
        rest = text.index("</Think>")
        edits = Edit(finding.start, finding.end, "think"), Edit(rest, len(text), "</think>\n")
        return tuple([replace(each, edits=edits) for each in honest(finding, ask)])

    assert fixed(text, "custom-blocks") == f"<think>a</think>\n{behind}"
    monkeypatch.setattr(tags, "registered_name", greedy)
    assert fix(text, "custom-blocks", unsafe=True, select=("T004",)).text == text

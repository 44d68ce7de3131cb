"""Fixes of each rule's example, and of texts that a Markdown file cannot hold. The others are in G101.md and so on."""

from __future__ import annotations

import re

import pytest

from llmblocks import Settings, check, fix
from llmblocks.cli.explain import settings_of
from llmblocks.core.edits import Edit, Shift, edited
from llmblocks.facts.rule import Rule
from llmblocks.languages.registry import find_language, language_with
from llmblocks.rules import fixing
from llmblocks.settings.rule_names import RULES
from llmblocks.stf import decode

START = "!!!GADGET_START:G\n"


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.fix], ids=lambda rule: rule.code)
def test_the_fixed_example_is_what_the_fix_makes_of_the_bad_one(rule: Rule) -> None:
    found = fix(rule.bad, language_with(rule.layer).id, unsafe=True, settings=settings_of(rule))
    assert found.text == rule.after_fix
    assert [applied.finding.code for applied in found.applied] == [rule.code]
    assert found.left == ()
    assert rule.remedy
    if rule.unsafe:
        assert fix(rule.bad, language_with(rule.layer).id, settings=settings_of(rule)).text == rule.bad


@pytest.mark.parametrize("rule", [rule for rule in RULES if not (rule.fix or rule.files)], ids=lambda rule: rule.code)
def test_a_rule_without_a_fix_leaves_its_example(rule: Rule) -> None:
    found = fix(rule.bad, language_with(rule.layer).id, unsafe=True, settings=settings_of(rule))
    assert (found.text, found.applied) == (rule.bad, ())
    assert {finding.code for finding in found.left} == {rule.code}


CHAT_CALL = (
    "@ai\r\nSo:\r\n!!!GADGET_START:G\r\n!!!ARG:a\r\n1\r\n@# one\r\n{}@/* two\r\n@*/\r\n{}"
    "!!!GADGET_END\r\n@user\r\nThanks\r\n"
)
SAFE = (
    ("S001", "@user\r\nHi\r\n@ */ x\r\n", "@user\r\nHi\r\n"),
    ("S001", "@user\nHi\n@*/", "@user\nHi\n"),
    ("S001", ";user\nHi\n;*/", ";user\nHi"),
    ("S001", "\ufeff@*/\n@user\nHi", "\ufeff@user\nHi"),
    ("S001", "@*/\ra\n@user\nx\ry", "@user\nx\ry"),
    # a comment that holds nothing
    ("S002", "@user\r\nHi\r\n@/* a", "@user\r\nHi\r\n@/* a\n@*/"),
    ("S002", "@user\r\nHi\r\n@/* a\r\n \r\n", "@user\r\nHi\r\n@/* a\r\n \r\n@*/\r\n"),
    ("S002", ";user\nHi\n;/* a\n", ";user\nHi\n;/* a\n;*/"),
    ("S004", ";# note\n;User\nHello\n", ";# note\n;user\nHello\n"),
    ("S303", "\ufeff@user\nHello\n", "@user\nHello\n"),
    ("S006", ";user\nHello\n;end", ";user\nHello"),
    ("S006", "@end\r\n@ai\r\nHi\r\n", "@ai\r\nHi\r\n"),
    ("S006", "@end\r\n@ai\nHi\r\n", "@ai\nHi\r\n"),
    ("C010", ";user\na\n;# llmblocks: ignore", ";user\na"),
)
UNSAFE = (
    (
        "G101",
        START + "!!!ARG:a\r\n\U0001f600\r\n!!!ARG: a \r\n\u2028\r\n!!!GADGET_END",
        START + "!!!ARG:a\r\n\U0001f600\r\n!!!GADGET_END",
    ),
    ("G101", START + "!!!ARG:a\nx\ry\n!!!ARG:a\n\r2\n!!!GADGET_END", START + "!!!ARG:a\nx\ry\n!!!GADGET_END"),
    ("G101", START + "!!!ARG:a\n1\n" + "!!!ARG:a\n2\n" * 40, START + "!!!ARG:a\n1\n"),
    ("G101", CHAT_CALL.format("!!!ARG:a\r\n@@2\r\n", "x\r\n"), CHAT_CALL.format("", "")),
    ("G005", "a\r\n \t!!!GADGET_END \r\nb", "a\r\nb"),
    ("G005", "a\n!!!GADGET_END", "a\n"),
    # a new line makes no line end of a carriage return
    (
        "G006",
        "@ai\nHi\n\r\na\r!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n",
        "@ai\nHi\n\r\na\r!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!GADGET_END\n",
    ),
    ("G008", "!!!GADGET_START:G\r\n!!!ARG:a\r\nx\r\n", "!!!GADGET_START:G\r\n!!!ARG:a\r\nx\r\n!!!GADGET_END\r\n"),
    (
        "G0",
        "so !!!GADGET_START:G\r\n!!!ARG:a !!!ARG:b\r\nfoo !!!ARG:c\r\n1 !!!GADGET_ENDx\r\n",
        "so \n!!!GADGET_START:G\r\n!!!ARG:a \n!!!ARG:b\r\nfoo \n!!!ARG:c\r\n1 \n!!!GADGET_END\nx\r\n",
    ),
    ("S002", "@user\r\n@/* a\r\nb\r\n@msg {role: 'user'}\r\n", "@user\r\n@/* a\r\nb\r\n@*/\r\n@msg {role: 'user'}\r\n"),
    ("S002", ";user\nHi\n;/* a\nb\n", ";user\nHi\n;/* a\nb\n;*/"),
    ("S004", ";User\r\nHello\n;# note\n", ";User\r\nHello\n;# note\n"),
    ("S007", "@raw\r\n{role: 'user', content: 'x'}", "@raw\r\n{role: 'user', content: 'x'}\r\n@end"),
    ("S007", ";user\nx\n;extra\n{a: 1}\n", ";user\nx\n;extra\n{a: 1}\n;end"),
    ("S007", ";meta\n{a: 1}\n", ";meta\n{a: 1}\n;end"),
    ("S009", "@# note\r\nHello\r\n@ai\r\n", "@# note\r\n@user\r\nHello\r\n@ai\r\n"),
    ("S009", "Hello\r\n@ai\r\nHi\r\n", "@user\r\nHello\r\n@ai\r\nHi\r\n"),
    ("S301", "@user\r\nHello\nyou\r\n\r\n", "@user\nHello\nyou\n\n"),
    ("S301", "@user\r\na\rb\n", "@user\na\rb\n"),
    # a carriage return that is text would become part of a line end, and be lost
    ("S301", "@user\r\na\r\r\n", "@user\r\na\r\r\n"),
    ("S301", ";user name=Ada\r\nHi\r\n;extra\r\n{a: 1}\r\n;end\r\n", ";user name=Ada\nHi\n;extra\n{a: 1}\n;end\n"),
    ("S301", "Hello\r\n;user\r\nx", "Hello\n;user\nx"),
    # a carriage return inside a line of a value is not for a fix to judge
    ("G", START + "!!!ARG:a\nx\ry\r\nz\n!!!GADGET_END\n", START + "!!!ARG:a\nx\ry\r\nz\n!!!GADGET_END\n"),
    ("T001", "a <think>b", "a <think>b</think>"),
    ("T001", "<think>b\n\n", "<think>b\n\n</think>"),
    # the bracket would take that of the closing tag along
    ("T001", "<think>b<", "<think>b<"),
)
OF = {"G": "gadget", "S": "stf", "C": "stf", "T": "custom-blocks"}


@pytest.mark.parametrize(
    ("code", "text", "wanted", "safe"), [*[(*row, True) for row in SAFE], *[(*row, False) for row in UNSAFE]]
)
def test_line_ends_and_ends_of_texts_are_kept(code: str, text: str, wanted: str, safe: bool) -> None:
    language_id = "stf" if text[0] == "@" else OF[code[0]]
    found = fix(text, language_id, unsafe=True, select=(code,))
    assert found.text == wanted
    assert fix(text, language_id, select=(code,)).text == (wanted if safe else text)
    if safe:
        assert {each.code for each in found.left} <= {"S301", "S303"}
        assert decode(found.text).as_dict() == decode(text).as_dict()


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


def test_line_ends_are_converted_before_a_fix_that_adds_a_line() -> None:
    found = fix("Hello\r\n", "stf", unsafe=True)
    assert (found.text, [applied.finding.code for applied in found.applied]) == ("@user\nHello\n", ["S301", "S009"])


def test_line_ends_of_thousands_of_values_are_converted_at_once() -> None:
    text = START + "".join(f"!!!ARG:a{n}\nx\r\n" for n in range(2000)) + "!!!GADGET_END\n!!!GADGET_END\n"
    found = fix(text, "gadget", unsafe=True)
    assert sorted(each.finding.code for each in found.applied) == ["G005", "G117"]
    assert "\r" not in found.text


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

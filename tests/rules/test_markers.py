"""The rules of markers and headers: fixes, grades, what a Markdown file cannot hold. See G001.md to G012.md."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check, fix
from llmblocks.facts.severity import Severity

END = "\n!!!GADGET_END\n"


def test_header_ends_before_its_carriage_return() -> None:
    text = "x !!!GADGET_START: \t: i \r\n!!!GADGET_END"
    assert [text[each.start : each.end] for each in check(text, "gadget") if each.code == "G001"] == [
        "!!!GADGET_START: \t: i"
    ]


def test_message_quotes_the_name_as_it_is_written() -> None:
    (found,) = check("!!!GADGET_START:a b" + END, "gadget")
    assert str(found.message).startswith("Invalid gadget name: `a b` — llmist uses it exactly as written")


def test_a_header_that_ends_with_the_text_is_marked() -> None:
    text = "!!!GADGET_START:G\n!!!GADGET_END\n!!!GADGET_START:no newline !!!GADGET_END \t"
    assert [(each.code, text[each.start : each.end]) for each in check(text, "gadget")] == [
        ("G010", "!!!GADGET_START:no newline !!!GADGET_END")
    ]


@pytest.mark.parametrize(
    "text", ["@ai\n!!!GADGET_START: \n!!!GADGET_END\n", "@ai\n!!!ARG:\n", "@ai\nx !!!GADGET_START:G"]
)
def test_a_message_is_checked_as_a_response_is(text: str) -> None:
    assert [each.code for each in check(text, "stf")] == [
        each.code for each in check(text.removeprefix("@ai\n"), "gadget")
    ]


@pytest.mark.parametrize("between", ["\n", "", " \t", "\n \n  ", " \r\n"])
def test_call_may_follow_an_end_marker_and_spaces(between: str) -> None:
    call = "!!!GADGET_START:G\n!!!GADGET_END"
    assert check(f"{between}{call}{between}{call}{between}", "gadget") == ()


OPEN = "!!!GADGET_START:G \n!!!ARG:a\n" + "some text\n" * 9
HINT, INFORMATION = Severity.HINT, Severity.INFORMATION


@pytest.mark.parametrize(
    ("text", "language_id", "severities"),
    [
        (OPEN, "gadget", [HINT]),
        (OPEN + OPEN, "gadget", [INFORMATION, HINT]),
        (OPEN + "!!!GADGET_START:H" + END + "text", "gadget", [INFORMATION]),
        ("!!!GADGET_START:G\n", "gadget", [HINT]),
        (f"@ai\n{OPEN}", "stf", [HINT]),
        (f"@ai\n{OPEN}@/*\nnote\n@*/\n{OPEN}@# note\n", "stf", [INFORMATION, HINT]),
        (f"@ai\n{OPEN}@user\n", "stf", [INFORMATION]),
        (f"@ai\n{OPEN}@user\n{OPEN}", "stf", [INFORMATION, HINT]),
        (f";ai\n{OPEN};flush\n", "stf", [INFORMATION]),  # the message is over
        (f";ai\n{OPEN};flush\n;ai\n{OPEN}", "stf", [INFORMATION, HINT]),
        (OPEN + "!!!GADGET_END", "gadget", []),
        (OPEN + "text!!!GADGET_END", "gadget", []),
        ("!!!GADGET_START:G", "gadget", []),
        ("!!!ARG:a\n!!!gadget_start:G\n", "gadget", []),
        (f"@ai\n{OPEN}@# note\n!!!GADGET_END\n@user\n", "stf", []),
    ],
)
def test_a_call_without_an_end_marker_is_a_hint_only_where_it_may_grow(
    text: str, language_id: str, severities: list[Severity]
) -> None:
    found = check(text, language_id, Settings(select=("G008",)))
    assert [each.severity for each in found] == severities
    assert {text[each.start : each.end] for each in found} <= {"!!!GADGET_START:G"}


def test_a_call_that_may_grow_is_graded_by_settings_alone() -> None:
    (found,) = check(OPEN, "gadget", Settings(severity=(("G008", "warning"),)))
    assert found.severity == Severity.WARNING


def test_an_end_marker_has_the_line_end_of_its_call() -> None:
    text = "!!!GADGET_START:G\r\n!!!ARG:a\r\nx\r\n"
    assert fix(text, "gadget", select=("G008",), unsafe=True).text == f"{text}!!!GADGET_END\r\n"


def test_a_new_line_changes_no_value() -> None:
    text = "so !!!GADGET_START:G\r\n!!!ARG:a !!!ARG:b\r\nfoo !!!ARG:c\r\n1 !!!GADGET_ENDx\r\n"
    found = fix(text, "gadget", unsafe=True)
    assert found.text == ("so \n!!!GADGET_START:G\r\n!!!ARG:a \n!!!ARG:b\r\nfoo \n!!!ARG:c\r\n1 \n!!!GADGET_END\nx\r\n")
    assert found.left == ()
    assert fix(text, "gadget").text == text


def test_spaces_before_an_argument_marker_stay() -> None:
    text = "!!!GADGET_START:G\n!!!ARG:a\n1\n  !!!ARG:b\n1\n!!!GADGET_END\n"
    assert fix(text, "gadget", unsafe=True).text == text
    (found,) = check(text, "gadget")
    assert str(found.message).startswith("`!!!ARG:` after spaces — llmist adds the spaces to the value")


def test_text_before_the_arguments_is_marked_as_one_and_faded() -> None:
    text = "!!!GADGET_START:G\n\n {\n  'a': 1 \n }\n\n!!!ARG:a\n1\n!!!GADGET_END and behind\n"
    (found,) = check(text, "gadget")
    assert (found.code, text[found.start : found.end]) == ("G011", "{\n  'a': 1 \n }")
    assert found.unnecessary
    assert str(found.message).startswith(
        "Text before the arguments — llmist ignores it; write it after an argument marker, `!!!ARG:`, "
    )


def test_blank_lines_before_the_arguments_are_nothing() -> None:
    assert check("!!!GADGET_START:G\r\n\n \t\r\n!!!ARG:a\n1\n!!!GADGET_END\n", "gadget") == ()


def test_ignored_text_of_many_lines_is_one_finding() -> None:
    text = "!!!GADGET_START:G\n" + "a line of JSON\n" * 20 + "!!!ARG:a\n1\n!!!GADGET_END\n"
    assert len(check(text, "gadget")) == 1


@pytest.mark.parametrize(
    ("line", "code", "marked", "marker"),
    [
        ("!!!gadget_start:G", "G003", "!!!gadget_start:", "!!!GADGET_START:"),
        ("!!!Arg:a", "G003", "!!!Arg:", "!!!ARG:"),
        ("!!!GADGET_end", "G003", "!!!GADGET_end", "!!!GADGET_END"),
        ("!!!GADGET_STRAT:G", "G012", "!!!GADGET_STRAT:", "!!!GADGET_START:"),
        ("!!!GADGET_START G", "G012", "!!!GADGET_START ", "!!!GADGET_START:"),
        ("!!!GADGT_STRT:G", "G012", "!!!GADGT_STRT:", "!!!GADGET_START:"),
        ("!!GADGET_END", "G012", "!!GADGET_END", "!!!GADGET_END"),
        ("!!!gadget_edn and on", "G012", "!!!gadget_edn", "!!!GADGET_END"),
        ("!!!AGR:a", "G012", "!!!AGR:", "!!!ARG:"),
        ("!!!ARGS:a", "G012", "!!!ARGS:", "!!!ARG:"),
        ("!!ARG:a", "G012", "!!ARG:", "!!!ARG:"),
        ("!!! ARG:a", "G012", "!!! ARG:", "!!!ARG:"),
        ("!!!ARG", "G012", "!!!ARG", "!!!ARG:"),
    ],
)
@pytest.mark.parametrize(("before", "after"), [("", ""), ("text\n", "\ntext"), ("\r\n", "\r\n")])
def test_what_is_nearly_a_marker_is_marked(
    line: str, code: str, marked: str, marker: str, before: str, after: str
) -> None:
    text = f"{before}{line}{after}"
    (found,) = check(text, "gadget")
    assert (found.code, text[found.start : found.end], found.start) == (code, marked, len(before))
    assert f"write `{marker}`" in str(found.message)


def test_all_markers_of_a_misspelt_call_are_written() -> None:
    text = "So:\n!!!gadget_start:G:i\n!!!agr:a\n1\n!!GADGET_END\nDone\n"
    wanted = "So:\n!!!GADGET_START:G:i\n!!!ARG:a\n1\n!!!GADGET_END\nDone\n"
    found = fix(text, "gadget", unsafe=True)
    assert (found.text, found.left) == (wanted, ())
    assert fix(text, "gadget").text == text


def test_a_misspelt_start_marker_explains_markers_up_to_its_end() -> None:
    text = "!!!GADGET_STRT:Read\n" + "!!!ARG:path\na.txt\n" * 200 + "!!!GADGET_END\n" + "!!!ARG:path\na.txt\n" * 200
    assert [each.code for each in check(text, "gadget")] == ["G012"] + ["G004"] * 200

"""Findings that comments silence: what Markdown cannot hold. See C010.md and C011.md."""

from __future__ import annotations

import pytest

from llmblocks import Settings, check, fix
from llmblocks.languages.registry import find_language
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS

CALL = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
TWO = "@user id=q\nHello\n{}@user id=q\nHello\n"


def codes(text: str, language_id: str = "stf", settings: Settings | None = None) -> list[str]:
    return [each.code for each in check(text, language_id, settings)]


def test_a_comment_before_a_carriage_return_silences() -> None:
    assert codes(TWO.format("@ #llmblocks:ignore [ S203 ]\r\n")) == ["S301"]


def test_what_only_looks_like_a_comment_reaches_nothing() -> None:
    first, second = "@# llmblocks: ignore S203\n@user id=a\nx\n", "@# llmblocks: ignore[S203]\n@user id=a\ny\n"
    assert codes(f"{first}{second}@user id=a\nz\n") == ["C011", "S203"]


def test_a_comment_in_a_message_that_holds_no_blocks_is_found_too() -> None:
    text = "@ai\nHi\n<!-- llmblocks: ignore[T002] -->\n"
    for roles in (("assistant",), ("user",)):
        assert [each.code for each in check(text, "stf", Settings(block_roles=roles))] == ["C011"]


def test_what_to_write_instead_is_reported() -> None:
    for text, language_id, remedy in (
        ("@# llmblocks: ignore S203, G101\n@user\n", "stf", "write ignore[S203, G101]"),
        (";# llmblock: ignore[S203]\n;user\n", "stf", "write ;# llmblocks: ignore[CODE]"),
        ("@user\n<!-- llmblocks: ignore -->\n", "stf", "in a comment line in front of the message"),
        ("<!-- llmblocks: ignore\n-->", "custom-blocks", "write <!-- llmblocks: ignore[CODE] --> on one line"),
        ("<think><!-- llmblocks: ignore --></think>", "custom-blocks", "in a block it is content"),
    ):
        found = [each for each in check(text, language_id) if each.code == "C011"]
        assert [remedy in str(each.message) for each in found] == [True], (text, found)


def test_a_comment_silences_what_inner_formats_find() -> None:
    text = f"@# llmblocks: ignore[G101, T002]\n@ai\n{CALL}</think>\n@ai\n{CALL}"
    assert codes(text) == ["G101"]


def test_the_other_dialect_has_these_comments_too() -> None:
    assert codes(f";# llmblocks: ignore[G101]\n;ai\n{CALL};flush\n") == []
    assert codes(f";# llmblocks: ignore[G101]\n;ai\nx\n;flush\n;ai\n{CALL}") == ["C010", "G101"]


def test_a_comment_for_the_file_may_stand_anywhere() -> None:
    text = TWO.format("") + TWO.format("") + "@# llmblocks: ignore-file[S203]\n"
    assert codes(text) == []


def test_a_comment_late_in_a_long_line_silences() -> None:
    assert codes("a " * 20_000 + "<!-- llmblocks: ignore[T002] --></think>\n", "custom-blocks") == []


def test_gadget_files_have_no_comments() -> None:
    text = f"<!-- llmblocks: ignore-file -->\n@# llmblocks: ignore-file\n{CALL}"
    assert codes(text, "gadget") == ["G101"]


def test_a_comment_for_a_rule_that_is_off_is_not_unused() -> None:
    text = "@# llmblocks: ignore[S203]\n@user\nHello\n"
    assert codes(text) == ["C010"]
    assert codes(text, settings=Settings(ignore=("S203",))) == []
    assert codes(text, settings=Settings(ignore=("C010",))) == []


def test_what_is_wrong_with_a_comment_is_marked() -> None:
    text = "@user\n@# llmblocks: ignore[S203, X9, G101] why\n@user\n" + CALL
    found = check(text, "stf")
    assert [(each.code, text[each.start : each.end]) for each in found] == [("C010", "S203"), ("C011", "X9")]
    assert "did you mean" in str(found[1].message) or "llmblocks explain" in str(found[1].message)
    text = "@# llmblocks: ignore why\r\n@user\n"
    found = check(text, "stf", Settings(ignore=("S301",)))
    assert [text[each.start : each.end] for each in found] == ["@# llmblocks: ignore why"]


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        # the nearest comment silences, for whatever codes it is
        ("<!-- llmblocks: ignore --><!-- llmblocks: ignore[T002] -->\n</think>\n", 0),
        ("<!-- llmblocks: ignore[T002] --><!-- llmblocks: ignore -->\n</think>\n", 0),
        # of comments for the file, it is the one with the longest code, and of these the first
        ("<!-- llmblocks: ignore-file --><!-- llmblocks: ignore-file[T002] -->\n</think>\n", 0),
        ("<!-- llmblocks: ignore-file[T002] -->\n<!-- llmblocks: ignore-file[T002] -->\n</think>\n", 1),
    ],
)
def test_of_two_comments_for_one_finding_the_one_that_is_not_needed_is_found(text: str, unused: int) -> None:
    found = check(text, "custom-blocks")
    starts = [text.index("<!--"), text.rindex("<!--")]
    assert [(each.code, each.start) for each in found] == [("C010", starts[unused])]


def test_an_unused_comment_at_the_very_end_is_removed() -> None:
    assert fix(";user\na\n;# llmblocks: ignore", "stf").text == ";user\na"


def test_what_is_silenced_is_not_fixed() -> None:
    text = f"@# llmblocks: ignore[G101]\n@ai\n{CALL}"
    assert fix(text, "stf", unsafe=True).applied == ()


def test_a_comment_in_custom_blocks_is_removed_but_not_safely() -> None:
    text = "<!-- llmblocks: ignore -->\na\n"
    assert fix(text, "custom-blocks").applied == ()
    assert fix(text, "custom-blocks", unsafe=True).text == "a\n"


@pytest.mark.parametrize("comment", ["ignore-file[G101]", "ignore[G101]"])
def test_a_document_that_counts_no_findings_has_the_same(comment: str) -> None:
    language = find_language("stf")
    text = f"@# llmblocks: {comment}\n@ai\n{CALL}"
    assert list(Checker(language, DEFAULTS).all(language.open(text, DEFAULTS))) == []


@pytest.mark.parametrize("comment", ["<!-- llmblocks: -->", "<!--llmblocks:-->", "<!-- llmblocks:\rall -->"])
def test_a_comment_that_says_nothing_silences_nothing(comment: str) -> None:
    assert codes(f"{comment}\n<think>a", "custom-blocks") == ["C011", "T001"]
    assert codes("@# llmblocks:\n@user id=1\n@/*\n") == ["C011", "S002"]


@pytest.mark.parametrize("comment", ["mblocks: ignoxre", "llmbocks: ignre", "llmblocks: ignre"])
def test_whether_a_comment_looks_like_one_does_not_depend_on_the_text_around(comment: str) -> None:
    other = "<!-- llmblocks: ignor -->\n"
    alone = codes(f"<!-- {comment} -->\n", "custom-blocks")
    assert codes(f"<!-- {comment} -->\n{other}", "custom-blocks") == [*alone, "C011"]


def test_where_no_rule_is_about_names_comments_silence_the_others() -> None:
    text = "@# llmblocks: ignore[S001]\n@user\n@*/\n@ai\n@*/\n"
    assert [each.code for each in check(text, "stf", Settings(select=("S001",)))] == ["S001"]


def test_a_comment_for_the_file_does_not_shorten_the_reach_of_another() -> None:
    text = "@# llmblocks: ignore-file[T]\n@user\n</think>\n@ai\n@# llmblocks: ignore[S001]\n@user\n@*/\n"
    assert check(text, "stf") == ()


def test_of_two_codes_for_one_finding_the_longer_one_silences_it() -> None:
    for listed, unused in (("S2, S203", "S2"), ("S203, S2", "S2")):
        text = TWO.format(f"@# llmblocks: ignore[{listed}]\n")
        assert [(each.code, text[each.start : each.end]) for each in check(text, "stf")] == [("C010", unused)]


def test_a_finding_at_the_very_end_is_silenced() -> None:
    text = "@user name="
    assert [(each.code, each.start) for each in check(text, "stf")] == [("S103", len(text))]
    assert codes(f"@# llmblocks: ignore[S103]\n{text}") == []

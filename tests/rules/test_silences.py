"""Findings that comments silence."""

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


@pytest.mark.parametrize(
    "comment",
    [
        "@# llmblocks: ignore[S203]\n",
        "@// llmblocks: ignore[S203] the same question again\n",
        "@ #llmblocks:ignore [ S203 ]\r\n",
        "@# llmblocks: ignore[G101, s203]\n",
        "@# llmblocks: ignore[S2]\n",
        "@# llmblocks: ignore[duplicate-message-id]\n",
        "@# llmblocks: ignore\n",
        "@# llmblocks: ignore a reason\n",
        "@# llmblocks: ignore[S203] because of G101\n",
        "@# llmblocks: ignore-file[S203]\n",
        "@# llmblocks: ignore-file\n",
        "@# llmblocks: ignore[S203]\n@# another comment\n\n",
    ],
)
def test_a_comment_silences_what_is_found_in_the_next_message(comment: str) -> None:
    assert codes(TWO.format("")) == ["S203"]
    assert [code for code in codes(TWO.format(comment)) if code not in ("C010", "S301")] == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        # a comment about another rule, before another message, or that is not a comment of ours
        (TWO.format("@# llmblocks: ignore[S105]\n"), ["C010", "S203"]),
        ("@# llmblocks: ignore[S203]\n" + TWO.format(""), ["C010", "S203"]),
        (TWO.format("llmblocks: ignore[S203]\n"), ["S203"]),
        (TWO.format("@@# llmblocks: ignore[S203]\n"), ["S203"]),
        # only the next message
        (TWO.format("@# llmblocks: ignore[S203]\n@ai\nHi\n"), ["C010", "S203"]),
        # what cannot be read
        (TWO.format("@# llmblocks: ignore[X1]\n"), ["C011", "S203"]),
        (TWO.format("@# llmblocks: ignore[]\n"), ["C011", "S203"]),
        (TWO.format("@# llmblocks: ingore[S203]\n"), ["C011", "S203"]),
        (TWO.format("@# llmblocks: ignore[S203\n"), ["C011", "S203"]),
        (TWO.format("@# llmblocks: ignore[X1, S203]\n"), ["C011"]),
        # the nearest comment is the one that counts
        (TWO.format("@# llmblocks: ignore[S203]\n@# llmblocks: ignore[S203]\n"), ["C010"]),
    ],
)
def test_a_comment_silences_nothing_else(text: str, left: list[str]) -> None:
    assert codes(text) == left


@pytest.mark.parametrize(
    "comment",
    [
        # brackets forgotten
        "@# llmblocks: ignore S203",
        "@# llmblocks: ignore-file S203",
        "@# llmblocks: ignore duplicate-message-id here",
        "@# llmblocks: ignore the S203 below",
        "@# llmblocks: ignore S999",
        "@# llmblocks: ignore (S203)",
        # another name, case or sign
        "@# llmblocks ignore[S203]",
        "@# llmblocks; ignore[S203]",
        "@# llmblock: ignore[S203]",
        "@# llmbolcks: ignore[S203]",
        "@# lmblock: ignore[S203]",
        "@# llmblocks: igmroe[S203]",
        "@# xxmblocks: Ignore[S203]",
        "@# llm-blocks: ignore[S203]",
        "@# llm blocks: ignore",
        "@# LLMBLOCKS: ignore[S203]",
        "@# LLMBLOCKS: IGNORE[S203]",
        "@# llmblocks: Ignore[S203]",
        "@# llmblocks: ignored[S203]",
        "@# llmblocks ingore [S203]",
        "@# llmblocks - ignore [S203]",
        "@## llmblocks: ignore[S203]",
        "@//// llmblocks: ignore[S203]",
        # text in front, or a block around it
        "@# why; llmblocks: ignore[S203]",
        "@# see llmblocks: ignore[S203]",
        "@/* llmblocks: ignore[S203]\n@*/",
        "@/*\nllmblocks: ignore[S203]\n@*/",
        "@/*\n@# llmblocks: ignore[S203]\n@*/",
        # a comment of another format, in the text of the message
        "<!-- llmblocks: ignore[S203] -->",
        "<!-- llmblocks ignore[S203] -->",
    ],
)
def test_what_only_looks_like_a_comment_that_silences_is_found_and_silences_nothing(comment: str) -> None:
    assert codes(TWO.format(f"{comment}\n")) == ["C011", "S203"]


@pytest.mark.parametrize(
    "comment",
    [
        "@# llmblocks is a program that may ignore things",
        "@# ignore llmblocks: it is new",
        "@# please ignore: this message",
        # too far from our words: three characters of one, or the beginnings of both
        "@# mblock: ignore[S203]",
        "@# llmblocks; igxxxe[S203]",
        "@# xlmblocks: xignore[S203]",
        "@# llmblocks, into the night",
        "@@# llmblocks: ignore[S203]",
        "llmblocks: ignore[S203]",
    ],
)
def test_other_comments_are_those_of_people(comment: str) -> None:
    assert codes(TWO.format(f"{comment}\n")) == ["S203"]


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- llmblocks: ignore T002 -->",
        "<!-- llmblocks ignore[T002] -->",
        "<!-- LLMBLOCKS: ignore[T002] -->",
        "<!-- why, llmblocks: ignore[T002] -->",
        "<!-- <!-- llmblocks: ignore[T002] -->",
        "<!--llmblock: ignore[T002] -->",
        "<!--llmblocks: ignore[T002] ",
        "<!-- llmblocks: ignore[T002]\n-->",
        "<!--\nllmblocks: ignore[T002]\n-->",
        "<!-- why\n  llmblocks: ignore[T002] -->",
        "<!-- llmblocks:\n  ignore[T002] -->",
        "llmblocks: ignore[T002]",
        "<think>\n<!-- llmblocks: ignore[T002] -->\n</think>",
        "<think>\n<!-- llmblock: ignore[T002] -->\n</think>",
    ],
)
def test_what_only_looks_like_a_comment_in_custom_blocks_is_found(comment: str) -> None:
    assert codes(f"{comment}\n</think>\n", "custom-blocks") == ["C011", "T002"]


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


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<!-- llmblocks: ignore[T002] -->\na</think>\nb</think>\n", ["T002"]),
        ("<!-- llmblocks: ignore[T002] a reason -->\n\n \na</think>\n", []),
        ("<!-- llmblocks: ignore[T002] --> </think>\n</think>\n", []),
        ("<!-- llmblocks: ignore[T002] --></think>\n", []),
        ("<!-- llmblocks: ignore[T002] -->\n</think>\n</think>\n", ["T002"]),
        ("a " * 20_000 + "<!-- llmblocks: ignore[T002] --></think>\n", []),
        ("<!-- llmblocks: ignore[T005] -->\n<think>\na\n<think>\n</think> <think><think></think>\n", []),
        ("<!-- llmblocks: ignore[T005] -->\n<think>\na\n</think>\n<think><think></think>\n", ["C010", "T005"]),
        ("<!-- llmblocks: ignore -->\n<think>\n", []),
        ("<!-- llmblocks: ignore-file[T002] -->\n</think>\n\n</think>\n", []),
        # in a block it is content
        ("<think>\n<!-- llmblocks: ignore[T005] -->\n<think>\n</think>\n", ["C011", "T005"]),
        ("<!-- llmblocks: ignore[T002]\n</think>\n", ["C011", "T002"]),
    ],
)
def test_a_comment_in_custom_blocks_silences_the_next_line_or_block(text: str, left: list[str]) -> None:
    assert codes(text, "custom-blocks") == left


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


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@# llmblocks: ignore[S203, G101] why\n@ai\n" + CALL, "@# llmblocks: ignore[G101] why\n@ai\n" + CALL),
        ("@# llmblocks: ignore[G101 , S203]\n@ai\n" + CALL, "@# llmblocks: ignore[G101]\n@ai\n" + CALL),
        ("@# llmblocks: ignore[S1,G101,S203]\n@ai\n" + CALL, "@# llmblocks: ignore[G101]\n@ai\n" + CALL),
        ("@user\na\n@# llmblocks: ignore\n", "@user\na\n"),
        (";user\na\n;# llmblocks: ignore", ";user\na"),
    ],
)
def test_what_silences_nothing_is_removed(text: str, wanted: str) -> None:
    assert fix(text, "stf").text == wanted


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

"""Quick fixes that write a comment which silences a finding."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from features.test_fixes import CALL, DOCUMENTS, asked
from llmblocks import check
from llmblocks.core.edits import edited
from llmblocks.features.fixes import quick_fixes
from marked import cursor
from oracle.texts import texts


def offered(marked: str, language_id: str) -> dict[str, str]:
    """Return the texts that comments make, by the titles of their actions."""
    text, at = cursor(marked)
    found = [each for each in quick_fixes(asked(text, language_id, at, at)) if each.fix.title.startswith("Ignore ")]
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
    found = offered(marked, "stf")
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
    ],
)
def test_a_finding_in_custom_blocks_is_ignored_for_its_line_or_block(marked: str, wanted: str) -> None:
    found = offered(marked.replace(" x=1\n>$0", "$0 x=1\n>"), "custom-blocks")
    (title,) = [each for each in found if each.endswith("for this line or block")]
    assert found[title] == wanted
    assert check(wanted, "custom-blocks") == ()


def test_a_byte_order_mark_stays_before_the_comment() -> None:
    found = offered("\ufeff@user\n@*/$0\n", "stf")
    assert found["Ignore S001 for this message"] == "\ufeff@# llmblocks: ignore[S001]\n@user\n@*/\n"


def test_a_finding_is_ignored_in_the_whole_file() -> None:
    found = offered("\ufeff@user\n@*/$0\n", "stf")
    assert found["Ignore S001 in this file"] == "\ufeff@# llmblocks: ignore-file[S001]\n@user\n@*/\n"


def test_gadget_files_have_no_comments() -> None:
    assert offered(CALL.replace("i/0\n2", "i/0$0\n2"), "gadget") == {}


def test_a_finding_about_a_comment_is_not_ignored_by_another() -> None:
    assert offered("@# llmblocks: $0ignore\n@user\n", "stf") == {}


@pytest.mark.parametrize("language_id", ["stf", "custom-blocks"])
def test_a_comment_silences_its_finding_and_changes_nothing_else(language_id: str) -> None:
    @settings(max_examples=DOCUMENTS // 2, deadline=None)
    @given(texts(language_id, 8))
    def law(text: str) -> None:
        before = check(text, language_id)
        for finding in before[:3]:
            for each in quick_fixes(asked(text, language_id, finding.start, finding.end)):
                if each.finding == finding and each.fix.title.startswith("Ignore "):
                    after = check(edited(text, each.fix.edits), language_id)
                    assert len(after) < len(before)
                    assert {one.code for one in after} <= {one.code for one in before}

    law()


def test_only_the_comment_on_the_line_in_front_gets_another_code() -> None:
    file = "@# llmblocks: ignore-file[S301]\n"
    for front in (file, "@# llmblocks: ignore[S105]\n" + file, "@# llmblocks: ignore[S105]\n@# why\n"):
        (text, _) = offered(f"{front}@user\n@*/$0\n", "stf").values()
        assert text == f"{front}@# llmblocks: ignore[S001]\n@user\n@*/\n"

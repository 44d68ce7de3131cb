"""Findings, their grades and words in texts that a Markdown file cannot hold. The others are in G001.md and so on."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks import check
from marked import unmark


@pytest.mark.parametrize(
    ("language_id", "marked"),
    [
        (
            "gadget",
            "x !!!GADGET_START: \t: i \r\n  ^^^^^^^^^^^^^^^^^^^^^^ G001\n  ^^^^^^^^^^^^^^^^ G007\n!!!GADGET_END",
        ),
        ("gadget", "\r\n!!!GADGET_START:G\n!!!GADGET_END \r\n!!!GADGET_START:G\n!!!GADGET_END \r\n"),
        ("gadget", "!!!GADGET_START:G\r\n\n \t\r\n!!!ARG:a\n1\n!!!GADGET_END\n"),
        ("gadget", "!!!GADGET_START:G\n!!!ARG:\n^^^^^^^ G106\na\rb\n!!!GADGET_END\n"),
        # trimmed, both
        ("gadget", "!!!GADGET_START:G\n!!!ARG:a\r\n42\r\n!!!ARG:b\r\nx\r\n!!!GADGET_END\n"),
        # too large for a number: it stays text
        ("gadget", f"!!!GADGET_START:G\n!!!ARG:a\n{'1' * 310}\n!!!GADGET_END\n"),
        ("stf", "\r\n^ S301\n@user\r\nx\r\n"),
        ("stf", "@user\nx\ry\n@ai\nx\r"),
        ("stf", ";user\nx\r"),
        ("stf", "@user\n\ufeff\nx\ufeff\n"),
        ("stf", "\ufeff\n^ S303\n@user\nx\n"),
        ("stf", "@user id=q\na\r\n ^^ S301\n@ #llmblocks:ignore [ S203 ]\r\n@user id=q\na\n"),
        ("stf", "@user name=\n           ^ S103\n"),
        ("stf", "@# llmblocks: ignore[S103]\n@user name="),
        ("custom-blocks", f"{'a ' * 20_000}<!-- llmblocks: ignore[T002] --></think>\n"),
        ("custom-blocks", "<!-- llmblocks:\rall -->\n^^^^^^^^^^^^^^^ C011\n<think>a\n^^^^^^ T001\n"),
    ],
)
def test_the_findings_of_a_text_are_those_that_are_marked(language_id: str, marked: str) -> None:
    text, marks = unmark(marked)
    found = [(each.code, each.start) for each in check(text, language_id)]
    assert found == [(mark.code, mark.start) for mark in marks]


def test_ignored_text_is_faded() -> None:
    (found,) = check("!!!GADGET_START:G\nx\n!!!ARG:a\n1\n!!!GADGET_END\n", "gadget")
    assert found.unnecessary


def missing(text: str, folder: Path) -> list[str]:
    findings = check(text, "stf", name=str(folder / "chat.stf"))
    return [text[each.start : each.end] for each in findings if each.code == "S205"]


def test_a_file_url_is_followed(tmp_path: Path) -> None:
    (tmp_path / "b c.png").touch()
    there, gone = ((tmp_path / name).as_uri() for name in ("b c.png", "d.png"))
    assert missing(f"@user\n@embed\n{there}\n@embed\n{gone}\n", tmp_path) == [gone]


@pytest.mark.parametrize("path", ["\0", "x" * 4000, "a.png/b", "\ud800", " \ta.txt \r"])
def test_a_path_that_no_system_can_have_leads_nowhere(path: str, tmp_path: Path) -> None:
    (tmp_path / "a.png").touch()
    assert missing(f"@user\n@embed\n{path}\n", tmp_path) == [path.strip()]
    # a longer one cannot be followed
    assert missing(f"@user\n@embed\n{path * 5000}\n", tmp_path) == []

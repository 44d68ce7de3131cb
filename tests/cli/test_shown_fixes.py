"""The fixes that the terminal counts, and those in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import run
from llmblocks.core.edits import Edit, edited

SAFE = "@user\nHi\n@*/\n"
UNSAFE = "!!!GADGET_START:A\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"


def found_in(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(folder, "check", "--output-format", "json", *arguments).stdout)
    return found


def fixed_by(finding: dict[str, Any], text: str) -> str:
    return edited(text, [Edit(each["start"], each["end"], each["text"]) for each in finding["fix"]["edits"]])


@pytest.mark.parametrize(
    ("name", "text", "code", "after"),
    [
        ("a.stf", SAFE, "S001", "@user\nHi\n"),
        ("a.md", "é\n\n- ```stf\n  @*/\n  @user\n  ```\n", "S001", "é\n\n- ```stf\n  @user\n  ```\n"),
        ("a.md", f"```\n{UNSAFE}```\n", "D004", f"```gadget\n{UNSAFE}```\n"),
        ("a.jsonl", '{"x": "é"}\n{"x": "@user\\nHi\\n@*/\\n"}\n', "S001", '{"x": "é"}\n{"x": "@user\\nHi\\n"}\n'),
    ],
)
def test_json_has_the_fix_and_the_page_of_a_finding(
    name: str, text: str, code: str, after: str, tmp_path: Path
) -> None:
    (tmp_path / "llmblocks.toml").write_text('[files.strings."*.jsonl"]\nx = "stf"\n', "utf-8")
    (tmp_path / name).write_text(text, "utf-8")
    (finding,) = found_in(tmp_path, "--select", code)
    assert finding["url"].endswith(f"/docs/rules/{code}.md")
    assert finding["fix"]["safe"] == (code != "D004")
    assert fixed_by(finding, text) == after
    (line,) = {each["line"] for each in finding["fix"]["edits"]}
    assert line in (finding["line"], finding["endLine"] + 1)


def test_json_says_where_there_is_not_a_fix(tmp_path: Path) -> None:
    (tmp_path / "a.gadget").write_text("!!!GADGET_START:\n!!!GADGET_END\n", "utf-8")
    (tmp_path / "none.stf").symlink_to("nowhere")
    found = [(each["code"], each["fix"], each["url"] is None) for each in found_in(tmp_path)]
    assert found == [("G001", None, False), (None, None, True)]

"""docs/embedded.md: its commands print what it shows, for the files that it shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from llmblocks import check
from llmblocks.cli.commands import main

PAGE = (Path(__file__).parents[2] / "docs" / "embedded.md").read_text("utf-8")
BROKEN = "!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!ARG:path\nb.py\n!!!GADGET_END\n"
RIGHT = "!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!GADGET_END\n"


def row(*said: tuple[str, str]) -> str:
    return json.dumps({"messages": [{"role": role, "content": content} for role, content in said]}) + "\n"


def of(language: str) -> list[str]:
    return re.findall(rf"^(?:```|````){language}\n(.*?)^(?:```|````)$", PAGE, re.DOTALL | re.MULTILINE)


FILES = {
    "prompts.md": of("markdown")[0],
    "train/a.jsonl": row(("user", "Go"), ("assistant", RIGHT))
    + row(("user", "Read it"), ("assistant", BROKEN))
    + row(("assitant", "Hi")),
}


@pytest.mark.parametrize(
    ("name", "shown"), re.findall(r"^\$ llmblocks check (\S+)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
)
def test_a_command_prints_what_the_page_shows(
    name: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(FILES[name], encoding="utf-8", newline="\n")
    (tmp_path / "llmblocks.toml").write_text(of("toml")[0], encoding="utf-8", newline="\n")
    main(["check", name])
    assert "".join(capsys.readouterr()) == shown


def test_the_strings_of_the_page_are_read_as_calls() -> None:
    pytest.importorskip("tree_sitter")
    for language in ("python", "typescript"):
        (text,) = of(language)[:1]
        assert check(text, language) == ()
        assert [
            each.code for each in check(text.replace("!!!GADGET_END", "!!!ARG:x\n!!!ARG:x\n!!!GADGET_END"), language)
        ]

"""docs/embedded.md: its commands print what it shows, for the files that it shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from commands import run
from folders import write
from llmblocks import check

PAGE = (Path(__file__).parents[2] / "docs" / "embedded.md").read_text("utf-8")
BROKEN = "!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!ARG:path\nb.py\n!!!GADGET_END\n"
RIGHT = BROKEN.replace("!!!ARG:path\nb.py\n", "")


def of(language: str) -> list[str]:
    return re.findall(rf"^(?:```|````){language}\n(.*?)^(?:```|````)$", PAGE, re.DOTALL | re.MULTILINE)


ROWS = [("user", "Go"), ("assistant", RIGHT)], [("user", "Read it"), ("assistant", BROKEN)], [("assitant", "Hi")]
MESSAGES = [{"messages": [{"role": role, "content": content} for role, content in row]} for row in ROWS]
FILES = {
    "prompts.md": of("markdown")[0],
    "train/a.jsonl": "".join([f"{json.dumps(each)}\n" for each in MESSAGES]),
    "llmblocks.toml": of("toml")[0],
}


@pytest.mark.parametrize(
    ("name", "shown"), re.findall(r"^\$ llmblocks check (\S+)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
)
def test_a_command_prints_what_the_page_shows(name: str, shown: str, tmp_path: Path) -> None:
    done = run(write(tmp_path, FILES), "check", name)
    assert done.stdout + done.stderr == shown


def test_the_strings_of_the_page_are_read_as_calls() -> None:
    pytest.importorskip("tree_sitter")
    for language in ("python", "typescript"):
        text = of(language)[0]
        assert check(text, language) == ()
        assert check(text.replace("!!!GADGET_END", "!!!ARG:x\n!!!ARG:x\n!!!GADGET_END"), language)

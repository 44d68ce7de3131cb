"""Texts of ours in Markdown, code and data in a real Helix, beside another server, as docs/editors/helix.md says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from editors.embedded_texts import BESIDE, CODE, NOTES
from editors.helix.conftest import PAGE
from editors.helix.helix_install import Helix
from editors.helix.test_helix import opened

[LANGUAGE] = re.findall(r"```toml\n(\[\[language\]\]\nname = \"markdown\"\n.*?)```", PAGE, re.DOTALL)
[OF_CODE] = re.findall(r"```toml\n(\[\[language\]\]\nname = \"python\"\n.*?)```", PAGE, re.DOTALL)
OTHER = f"[language-server.marksman]\ncommand = {json.dumps(BESIDE[0])}\nargs = {json.dumps(BESIDE[1:])}\n"


def test_a_fence_has_findings_hover_and_completion_beside_another_server(
    helix: Helix, configuration: Path, tmp_path: Path
) -> None:
    file = tmp_path / "notes.md"
    file.write_text(NOTES, encoding="utf-8")
    with opened(helix, configuration, tmp_path, file, more=f"\n{LANGUAGE}{OTHER}") as terminal:
        terminal.until(lambda: {"from beside", "Array index gap"} <= {*_said(terminal.drawn)}, "both findings")
        terminal.press("4ggfR k")
        terminal.shows("beside, in line 4")
        terminal.press("\x1b")
        terminal.rests(0.05)
        terminal.press("6ggA\r> !!!A")
        terminal.shows("!!!ARG:path/3")
        terminal.press("\x1b")
        terminal.shows("NOR")
        terminal.press(":quit!\r")
        terminal.end()


@pytest.mark.parametrize("language", ["python", "jsonl"])
def test_strings_of_code_and_rows_of_data_have_findings(
    helix: Helix, configuration: Path, tmp_path: Path, language: str
) -> None:
    name, text = CODE[language]
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    other = OTHER.replace("marksman", "ruff")
    with opened(helix, configuration, tmp_path, file, more=f"\n{OF_CODE}{other}") as terminal:
        wanted = {"Array index gap"} | ({"from beside"} if language == "python" else set())
        terminal.until(lambda: wanted <= {*_said(terminal.drawn)}, "the findings")
        terminal.press(":quit!\r")
        terminal.end()


def _said(drawn: str) -> list[str]:
    return re.findall("from beside|Array index gap", drawn)

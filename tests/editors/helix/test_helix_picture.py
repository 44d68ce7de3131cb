"""The picture of Helix in the docs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from editors.flow import prepare
from editors.helix.helix_install import Helix
from editors.helix.test_helix import opened
from editors.screen import SIZE, TEXT, is_as_accepted


def test_the_picture_of_the_docs_is_what_a_person_sees(helix: Helix, configuration: Path, tmp_path: Path) -> None:
    if not shutil.which("cc"):
        pytest.skip("no C compiler to build the grammars with")
    prepare(tmp_path)
    file = tmp_path / "answer.gadget"
    file.write_text(TEXT, encoding="utf-8")
    version = subprocess.run([helix.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    with opened(helix, configuration, tmp_path, file, size=SIZE) as terminal:
        terminal.shows("Invalid option")
        terminal.press("geo!")
        terminal.shows("function")
        terminal.press("\x0e")
        terminal.shows("Required")
        is_as_accepted(terminal, "helix-session-gadget", version, tmp_path / "taken.svg")

"""Homes of editors: files, an environment that keeps everything inside, and the programs of a page that set them up."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from editors.debian import ROOT

EXAMPLES = ROOT / "docs" / "examples"


def environment_of(home: Path, *, server: bool = True, **more: str) -> dict[str, str]:
    """Return the environment of an editor that keeps everything inside `home`, with or without our program on PATH."""
    homes = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])) if server else "/usr/bin:/bin"
    return os.environ | homes | {"HOME": str(home), "PATH": path} | more


def programs_of(page: str, language: str) -> list[str]:
    """Return the code blocks of a page that are in a language, for this checkout."""
    text = (ROOT / page).read_text("utf-8").replace("/path/to/llmblocks", str(ROOT))
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)

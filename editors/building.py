"""Shared by the builds: a lock, since several processes may build at once; pip; the first look of a playground."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Let one process at a time through, where the system can do that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def pins(folder: Path) -> Path:
    """Write the group `dev` of pyproject.toml into a folder, as the constraints that pip reads."""
    groups = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    folder.mkdir(parents=True, exist_ok=True)
    # whole at once: several threads and builds ask for it
    with NamedTemporaryFile("w", dir=folder, delete=False) as made:
        made.write("\n".join(groups["dev"]))
    return Path(made.name).replace(folder / "pins.txt")


def pip(*arguments: str) -> None:
    """Run pip of this environment, quietly."""
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})


def foreseen(text: str, language_id: str) -> dict[str, Any]:
    """Return the findings and the colours of a text: a playground shows them until its server runs.

    A colour is its start and its end, in UTF-16, and its role.
    """
    from llmblocks import check, findings_as_json, open_document
    from llmblocks.features.marks import paint
    from llmblocks.languages.registry import find_language
    from llmblocks.settings.values import DEFAULTS

    def utf16(characters: int) -> int:
        return len(text[:characters].encode("utf-16-le")) // 2

    colours = [
        (utf16(placed.start + start), utf16(placed.start + end), role)
        for placed in open_document(text, language_id).onward(0)
        for start, end, role, _ in paint(placed.section, find_language(language_id).paints(DEFAULTS).by_kind)
    ]
    return {"findings": findings_as_json(check(text, language_id), text), "colours": colours}

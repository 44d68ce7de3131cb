"""Files, and the folders around them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def written(file: Path, text: str) -> Path:
    """Write a file with these line ends, and the folders around it; return it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files, by their paths from a folder, which it returns."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        written(folder / name, text)
    return folder

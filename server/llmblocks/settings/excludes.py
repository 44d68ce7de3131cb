"""The files and folders that are skipped in a folder."""

from __future__ import annotations

import os

from llmblocks.settings.values import NOT_CHECKED

_READ = (".llmist",)
_NOT_READ = ("node_modules", "__pycache__")


def is_excluded(patterns: tuple[str, ...], path: str, folder: str, *, is_folder: bool) -> bool:
    """Return whether an absolute path inside a folder is skipped.

    `patterns` are those of `Settings.exclude`; the default ones are relative to the folder.
    """
    name = os.path.basename(path)
    if patterns == NOT_CHECKED:
        # equivalent to the patterns, without the library that reads them
        return name in _NOT_READ or (name.startswith(".") and name not in _READ)
    from llmblocks.settings.globs import anchored, matches

    if patterns[: len(NOT_CHECKED)] == NOT_CHECKED:
        patterns = (*[anchored(each, folder) for each in NOT_CHECKED], *patterns[len(NOT_CHECKED) :])
    return matches(patterns, path, is_folder=is_folder)


def is_left_out(patterns: tuple[str, ...], path: str, folder: str, *, is_folder: bool = False) -> bool:
    """Return whether an absolute path below a folder is skipped, or a folder between the two."""
    while path != folder:
        if is_excluded(patterns, path, folder, is_folder=is_folder):
            return True
        path, is_folder = os.path.dirname(path), True
    return False

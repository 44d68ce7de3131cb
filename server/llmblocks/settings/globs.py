"""Glob patterns as in .gitignore, for the paths of files, and the files and folders that are skipped in a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_KEPT = 128
NOT_CHECKED = (".*", "!.llmist", "node_modules", "__pycache__")
_IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


class GlobError(ValueError):
    pass


@lru_cache(maxsize=_KEPT)
def compile_globs(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Return the matcher of some patterns; the last one that matches decides. Raises `GlobError`."""
    from pathspec import GitIgnoreSpec

    try:
        spec = GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise GlobError(str(error)) from error
    # blank patterns and comments do not count, "[" matches nothing
    if len(spec.patterns) < len(patterns) or any(pattern.include is None for pattern in spec.patterns):
        raise GlobError("a pattern that matches nothing")
    return spec


def anchored(pattern: str, folder: str) -> str:
    """Return a pattern relative to a folder as one for absolute paths."""
    sign = "!" if pattern.startswith("!") else ""
    body = pattern.removeprefix(sign)
    between = "/" if "/" in body.rstrip("/") else "/**/"
    return sign + _escaped(_posix(folder)).rstrip("/") + between + body.lstrip("/")


def matches(patterns: Iterable[str], path: str, *, is_folder: bool = False) -> bool:
    """Return whether an absolute path matches patterns from `anchored`; the last one that matches decides."""
    return compile_globs((*patterns,)).match_file(_posix(path).lstrip("/") + ("/" if is_folder else ""))


def _posix(path: str) -> str:
    return PurePath(os.path.normpath(path)).as_posix()


def _escaped(text: str) -> str:
    return "".join(f"\\{each}" if each in "\\*?[]!# " else each for each in text)


def is_import_path(text: str) -> bool:
    """Return whether a text names an object in a Python module: `package.module:Name`."""
    return _IMPORT_PATH.fullmatch(text) is not None


def anchored_path(path: str, folder: str) -> str:
    """Return the absolute path of a file that settings name; `~` is the home of the user."""
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path)))


def is_excluded(patterns: tuple[str, ...], path: str, folder: str, *, is_folder: bool) -> bool:
    """Return whether an absolute path inside a folder is skipped.

    `patterns` are those of `Settings.exclude`; the default ones are relative to the folder.
    """
    name = os.path.basename(path)
    if patterns == NOT_CHECKED:
        # equivalent to the patterns, without the library that reads them
        return name in NOT_CHECKED or (name.startswith(".") and f"!{name}" not in NOT_CHECKED)
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

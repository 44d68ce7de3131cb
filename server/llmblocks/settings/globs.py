"""Glob patterns as in .gitignore, for the paths of files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_KEPT = 128


class GlobError(ValueError):
    """An invalid glob pattern."""


@lru_cache(maxsize=_KEPT)
def compile_globs(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Return the matcher of some patterns; the last one that matches decides.

    Raises:
        GlobError: A pattern is invalid.
    """
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

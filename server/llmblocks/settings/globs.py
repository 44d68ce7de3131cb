"""Glob patterns as in .gitignore, for the paths of files, and the files and folders that settings or git skip."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from llmblocks.core.system import parents

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_KEPT = 128
NOT_CHECKED = (".*", "!.llmist", "node_modules", "__pycache__")
_IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


@lru_cache(maxsize=_KEPT)
def compile_globs(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Return the matcher of some patterns; the last one that matches decides. Raises `ValueError`."""
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines(patterns)
    # blank patterns and comments do not count, "[" matches nothing
    if len(spec.patterns) < len(patterns) or any(pattern.include is None for pattern in spec.patterns):
        raise ValueError("a pattern that matches nothing")
    return spec


def anchored(pattern: str, folder: str) -> str:
    """Return a pattern relative to a folder as one for absolute paths."""
    sign = "!" if pattern.startswith("!") else ""
    body = pattern.removeprefix(sign)
    between = "/" if "/" in body.rstrip("/") else "/**/"
    escaped = re.sub(r"[\\*?\[\]!# ]", r"\\\g<0>", _posix(folder))
    return sign + escaped.rstrip("/") + between + body.lstrip("/")


def matches(patterns: Iterable[str], path: str, *, is_folder: bool = False) -> bool:
    """Return whether an absolute path matches patterns from `anchored`; the last one that matches decides."""
    return compile_globs((*patterns,)).match_file(_posix(path).lstrip("/") + ("/" if is_folder else ""))


def _posix(path: str) -> str:
    return os.path.normpath(path).replace(os.sep, "/")


def is_import_path(text: str) -> bool:
    """Return whether a text names an object in a Python module: `package.module:Name`."""
    return _IMPORT_PATH.fullmatch(text) is not None


def anchored_path(path: str, folder: str) -> str:
    """Return the absolute path of a file that settings name; `~` is the home of the user."""
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path)))


def is_excluded(patterns: tuple[str, ...], path: str, folder: str, *, is_folder: bool) -> bool:
    """Return whether an absolute path is skipped by `Settings.exclude`, whose defaults start at a folder."""
    name = os.path.basename(path)
    if patterns == NOT_CHECKED:
        # equivalent to the patterns, without the library that reads them
        return name in NOT_CHECKED or (name.startswith(".") and f"!{name}" not in NOT_CHECKED)
    if patterns[: len(NOT_CHECKED)] == NOT_CHECKED:
        patterns = (*[anchored(each, folder) for each in NOT_CHECKED], *patterns[len(NOT_CHECKED) :])
    return matches(patterns, path, is_folder=is_folder)


_GIT = ".git"
_NAMES = (os.path.join(_GIT, "info", "exclude"), ".gitignore")
_LIST = ("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
_WHOLE = "./"
"""Git's answer in a folder that is ignored itself."""
_Rules = tuple[frozenset[str] | None, tuple[str, ...]]
"""The entries that git has listed; or None, and the patterns of the folders from the top on."""


class Ignores:
    """The entries of a folder that git ignores. In a folder that is ignored itself, only the files in it count."""

    def __init__(self, top: str) -> None:
        self._top = os.path.abspath(top)
        self._found: dict[str, _Rules] = {}

    def ignores(self, folder: str, name: str, *, is_folder: bool) -> bool:
        folder = os.path.abspath(folder)
        path, (listed, patterns) = os.path.join(folder, name), self._rules(folder)
        if listed is not None:
            return path in listed
        return bool(patterns) and matches(patterns, path, is_folder=is_folder)

    def _rules(self, folder: str) -> _Rules:
        if folder not in self._found:
            self._found[folder] = self._read(folder)
        return self._found[folder]

    def _read(self, folder: str) -> _Rules:
        above = os.path.dirname(folder)
        is_top = folder in (self._top, above)
        root = _root(folder) if is_top or os.path.exists(os.path.join(folder, _GIT)) else None
        if root is not None and (inner := _listed(folder)) is not None:
            return inner, ()
        listed, patterns = (None, _around(folder, root)) if is_top else self._rules(above)
        return listed, patterns if listed is not None else patterns + _patterns(folder)


def _root(folder: str) -> str | None:
    around = (folder, *parents(folder))
    return next((each for each in around if os.path.exists(os.path.join(each, _GIT))), None)


def _around(folder: str, root: str | None) -> tuple[str, ...]:
    """Return the patterns of the folders from a repository to one in it, unless they ignore that."""
    above = [each for each in parents(folder) if root is not None and len(each) >= len(root)]
    patterns = tuple([each for one in reversed(above) for each in _patterns(one)])
    return () if patterns and matches(patterns, folder, is_folder=True) else patterns


def _listed(folder: str) -> frozenset[str] | None:
    """Return the entries below a folder that git ignores; None where it does not tell, or ignores the folder itself."""
    import subprocess

    # a hook of git names its own repository
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(("git", *_LIST), cwd=folder, env=environment, capture_output=True, check=True)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    listed = os.fsdecode(done.stdout).split("\0")
    if _WHOLE in listed:
        return None
    return frozenset([os.path.join(folder, os.path.normpath(each)) for each in listed if each])


def _patterns(folder: str) -> tuple[str, ...]:
    """Return the patterns of a folder, as `anchored` makes them; git skips those that it cannot read."""
    found = []
    for name in _NAMES:
        # most folders have none
        with suppress(OSError), open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            for line in file.read().splitlines():
                with suppress(ValueError):
                    compile_globs((line,))
                    found.append(anchored(line, folder))
    return (*found,)

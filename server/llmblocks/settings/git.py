"""What git ignores: the .gitignore files of a folder, of those inside it, and of those around it in its repository."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.settings.nearest import parents

if TYPE_CHECKING:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_GIT = ".git"
_NAME = ".gitignore"
# how pathspec marks that a pattern matches a folder, and with it what is inside
_IN_FOLDER = "ps_d"
_ANY_FOLDER = f"(?P<{_IN_FOLDER}>/)"
_EXCLUDE = os.path.join(_GIT, "info", "exclude")


class _Patterns(NamedTuple):
    folder: str
    patterns: tuple[GitIgnoreSpecPattern, ...]


class Ignores:
    """What git ignores in a folder.

    Shape: a folder that is ignored itself is searched nevertheless: who names it wants to see it. Then only the files
           in it count.
    """

    def __init__(self, top: str) -> None:
        top = os.path.abspath(top)
        around = [*parents(top)]
        root = next((folder for folder in (top, *around) if os.path.exists(os.path.join(folder, _GIT))), top)
        found: tuple[_Patterns, ...] = ()
        if root != top:
            for folder in reversed(around[: around.index(root) + 1]):
                found += _read(folder)
                if _is_ignored(found, _next_to(folder, top), is_folder=True):
                    found = ()
                    break
        self._around = found
        self._top = top
        self._found: dict[str, tuple[_Patterns, ...]] = {}

    def ignores(self, folder: str, name: str, *, is_folder: bool) -> bool:
        """Return whether git ignores an entry of a folder. Shape: the folders above it have been asked for before."""
        found = self._found.get(folder)
        if found is None:
            path = os.path.abspath(folder)
            above = self._around if path == self._top else self._found.get(os.path.dirname(folder), self._around)
            found = self._found[folder] = above + _read(path)
        return bool(found) and _is_ignored(found, os.path.join(os.path.abspath(folder), name), is_folder=is_folder)


def is_ignored(file: str, top: str) -> bool:
    """Whether git ignores a file or a folder around it, in the repository of the file; without one, in a folder."""
    root = next((each for each in parents(file) if os.path.exists(os.path.join(each, _GIT))), os.path.realpath(top))
    git, folder = Ignores(root), root
    steps = os.path.relpath(file, root).split(os.sep)
    if steps[0] == os.pardir:
        return False
    for left, step in zip(range(len(steps) - 1, -1, -1), steps, strict=True):
        if git.ignores(folder, step, is_folder=left > 0):
            return True
        folder = os.path.join(folder, step)
    return False


def _next_to(folder: str, below: str) -> str:
    """Return the entry of a folder through which the way to one below it leads."""
    rest = os.path.relpath(below, folder).split(os.sep)
    return os.path.join(folder, rest[0])


def _read(folder: str) -> tuple[_Patterns, ...]:
    found = []
    for name in (_EXCLUDE, _NAME):
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            # most folders have none
            continue
        if patterns := _compiled(lines):
            found.append(_Patterns(folder, patterns))
    return (*found,)


def _compiled(lines: list[str]) -> tuple[GitIgnoreSpecPattern, ...]:
    from pathspec import GitIgnoreSpec

    found: list[GitIgnoreSpecPattern] = []
    for line in lines:
        # git passes over what it does not understand
        with suppress(ValueError):
            found += GitIgnoreSpec.from_lines([line]).patterns
    return (*found,)


def _is_ignored(found: tuple[_Patterns, ...], path: str, *, is_folder: bool) -> bool:
    for folder, patterns in reversed(found):
        inside = os.path.relpath(path, folder).replace(os.sep, "/") + ("/" if is_folder else "")
        for pattern in reversed(patterns):
            if pattern.include is not None and _matches(pattern, inside):
                return pattern.include
    return False


def _matches(pattern: GitIgnoreSpecPattern, path: str) -> bool:
    """Return whether a pattern matches an entry itself: those of pathspec also match what is inside of a folder.

    In git, `!/a` takes back nothing inside of a, and `a/**` does not ignore a.
    """
    regex = pattern.regex
    found = regex.search(path) if regex is not None else None
    if regex is None or found is None:
        return False
    if _IN_FOLDER in regex.groupindex:
        return regex.fullmatch(path) is not None or (regex.pattern == _ANY_FOLDER and path.endswith("/"))
    return found.end() < len(path) or not path.endswith("/") or found[0] != path

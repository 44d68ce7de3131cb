"""The settings of each file: the project's, as in an editor, overridden by the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from llmblocks.cli.files import STDIN
from llmblocks.cli.report import Reported
from llmblocks.core.lines import Lines
from llmblocks.settings.given import Given, merged
from llmblocks.settings.nearest import find_settings_file, parents
from llmblocks.settings.values import DEFAULTS, Settings

if TYPE_CHECKING:
    from llmblocks.settings.file import SettingsFile

_REPOSITORIES = (".git", ".hg", ".jj", ".svn")


class Project:
    """Settings by file. A settings file is read once.

    Shape: `file` is the settings file for everything, or None: then the nearest `llmblocks.toml` from a file's folder
           upwards applies, up to the root of its repository. `over` has the settings of the command line; its
           `ignore` is added to the file's.
    """

    def __init__(self, file: str | None = None, over: dict[str, Given] | None = None) -> None:
        self._file = file
        self._over = over or {}
        self._here = os.getcwd()
        self._read: dict[str, SettingsFile] = {}
        self._nearest: dict[str, str | None] = {}
        self._built: dict[str | None, Settings] = {}
        self._untold: list[Reported] = []
        if self._file is not None:
            self._given(self._file)

    def settings_for(self, name: str) -> Settings:
        """The settings of a file."""
        file = self._file or self._nearest_to(name)
        if file not in self._built:
            self._built[file] = self._build(file)
        return self._built[file]

    def problems(self) -> Iterator[Reported]:
        """The findings of the settings files read since the last call."""
        untold, self._untold = self._untold, []
        yield from untold

    def _build(self, file: str | None) -> Settings:
        below = {} if file is None else self._given(file)
        given = merged(below, self._over)
        if ignored := [*_ignored(below), *_ignored(self._over)]:
            given = merged(given, {"rules": {"ignore": ignored}})
        if not given:
            return DEFAULTS
        from llmblocks.rules.names import KNOWN
        from llmblocks.settings.check import check_settings

        return check_settings(given, KNOWN).settings

    def _given(self, file: str) -> dict[str, Given]:
        if file not in self._read:
            from pathlib import Path

            from llmblocks.rules.names import KNOWN
            from llmblocks.settings.file import read_settings_file

            self._read[file] = found = read_settings_file(Path(file), KNOWN)
            lines = Lines(found.text)
            shown = os.path.relpath(file, self._here) if self._here in parents(file) else file
            self._untold += [Reported(shown, "toml", finding, lines) for finding in found.findings]
        return self._read[file].given

    def _nearest_to(self, name: str) -> str | None:
        folder = self._here if name == STDIN else os.path.dirname(os.path.abspath(name))
        if folder not in self._nearest:
            *around, top = (folder, *parents(folder))
            root = next(filter(_is_repository, around), top)
            self._nearest[folder] = find_settings_file(folder, (root,))
        return self._nearest[folder]


def _ignored(given: dict[str, Given]) -> list[str]:
    found: list[str] = given.get("rules", {}).get("ignore", [])
    return found


def _is_repository(folder: str) -> bool:
    return any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORIES)

"""Which settings hold for which file: the project's, as in an editor, and over them those of the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from llmblocks.cli.files import STDIN
from llmblocks.cli.place import Lines
from llmblocks.cli.report import Reported
from llmblocks.rules.registry import NAMES
from llmblocks.settings.file import SettingsFile, find_settings_file, read_settings_file
from llmblocks.settings.given import Given, merged
from llmblocks.settings.values import DEFAULTS, Settings

_REPOSITORIES = (".git", ".hg", ".jj", ".svn")


class Project:
    """Settings by file. A settings file is read once.

    Shape: `file` is the settings file to use for everything; where it is None, the nearest `llmblocks.toml` from a
           file's folder upwards is used, no further up than the root of a repository.
           `over` is what the command line sets; what it ignores is added to what the file ignores.
    """

    def __init__(self, file: str | None = None, over: dict[str, Given] | None = None) -> None:
        self._file = None if file is None else Path(file)
        self._over = over or {}
        self._here = Path.cwd()
        self._read: dict[Path, SettingsFile] = {}
        self._nearest: dict[Path, Path | None] = {}
        self._built: dict[Path | None, Settings] = {}
        self._untold: list[Reported] = []
        if self._file is not None:
            self._given(self._file)

    def settings_for(self, name: str) -> Settings:
        """The settings that hold for a file."""
        file = self._file or self._nearest_to(name)
        if file not in self._built:
            self._built[file] = self._build(file)
        return self._built[file]

    def problems(self) -> Iterator[Reported]:
        """What is wrong in the settings files that were read since this was asked last."""
        untold, self._untold = self._untold, []
        yield from untold

    def _build(self, file: Path | None) -> Settings:
        below = {} if file is None else self._given(file)
        given = merged(below, self._over)
        if ignored := [*_ignored(below), *_ignored(self._over)]:
            given = merged(given, {"rules": {"ignore": ignored}})
        if not given:
            return DEFAULTS
        from llmblocks.settings.model import check_settings

        return check_settings(given, NAMES).settings

    def _given(self, file: Path) -> dict[str, Given]:
        if file not in self._read:
            self._read[file] = found = read_settings_file(file, NAMES)
            lines = Lines(found.text)
            shown = os.path.relpath(file, self._here) if file.is_relative_to(self._here) else str(file)
            self._untold += [Reported(shown, "toml", finding, lines) for finding in found.findings]
        return self._read[file].given

    def _nearest_to(self, name: str) -> Path | None:
        folder = self._here if name == STDIN else Path(os.path.abspath(name)).parent
        if folder not in self._nearest:
            root = next((each for each in (folder, *folder.parents) if _is_repository(each)), Path(folder.anchor))
            self._nearest[folder] = find_settings_file(folder, (root,))
        return self._nearest[folder]


def _ignored(given: dict[str, Given]) -> list[str]:
    found: list[str] = given.get("rules", {}).get("ignore", [])
    return found


def _is_repository(folder: Path) -> bool:
    return any(os.path.exists(folder / name) for name in _REPOSITORIES)

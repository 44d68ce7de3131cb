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

_REPOSITORY = ".git"


class Project:
    """Settings by file. A settings file is read once.

    Shape: `file` is the settings file to use for everything; where it is None, the nearest `llmblocks.toml` from a
           file's folder upwards is used, no further up than the repository and the working directory.
           `over` is what the command line sets.
    """

    def __init__(self, file: str | None = None, over: dict[str, Given] | None = None) -> None:
        self._file = None if file is None else Path(file)
        self._over = over or {}
        self._here = Path.cwd()
        self._read: dict[Path, SettingsFile] = {}
        self._nearest: dict[Path, Path | None] = {}
        self._built: dict[Path | None, Settings] = {}
        self._untold: list[Reported] = []

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
        given = merged({} if file is None else self._given(file), self._over)
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
            repository = next((each for each in (folder, *folder.parents) if (each / _REPOSITORY).exists()), folder)
            self._nearest[folder] = find_settings_file(folder, (folder, repository, self._here))
        return self._nearest[folder]

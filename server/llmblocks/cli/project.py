"""The settings of each file: the project's, as in an editor, overridden by the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from llmblocks.cli.files import STDIN
from llmblocks.cli.report import Reported
from llmblocks.core.lines import Lines
from llmblocks.settings.nearest import find_settings_file, parents
from llmblocks.settings.values import DEFAULTS, Settings

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.settings.given import Given
    from llmblocks.settings.sources import Sources

COMMAND_LINE = "the command line"
_REPOSITORIES = (".git", ".hg", ".jj", ".svn")


class Project:
    """Settings by file. A settings file is read once.

    Shape: `file` is the settings file for everything, or None: then the nearest one from a file's folder upwards
           applies, up to the root of its repository. `over` has the settings of the command line.
    """

    def __init__(self, file: str | None = None, over: dict[str, Given] | None = None) -> None:
        self._file = None if file is None else os.path.abspath(file)
        self._over = over or {}
        self._here = os.getcwd()
        self._sources: Sources | None = None
        self._nearest: dict[str, str | None] = {}
        self._built: dict[str | None, Settings] = {}
        self._told: set[tuple[str, Finding]] = set()
        if self._file is not None:
            self._read_sources().layers_of_file(self._file)

    def settings_for(self, name: str) -> Settings:
        """The settings of a file."""
        file = self._file or self._nearest_to(name)
        if file not in self._built:
            self._built[file] = self._build(file)
        return self._built[file]

    def problems(self) -> Iterator[Reported]:
        """The findings of the settings files read since the last call."""
        for path, file in {} if self._sources is None else self._sources.files().items():
            lines = Lines(file.text)
            shown = os.path.relpath(path, self._here) if self._here in parents(path) else path
            for finding in file.findings:
                if (path, finding) not in self._told:
                    self._told.add((path, finding))
                    yield Reported(shown, "toml", finding, lines)

    def _build(self, file: str | None) -> Settings:
        if file is None and not self._over:
            return DEFAULTS
        from llmblocks.settings.check import check_settings
        from llmblocks.settings.layers import Layer

        sources = self._read_sources()
        below = () if file is None else sources.layers_of_file(file)
        given = sources.combined((*below, Layer(COMMAND_LINE, self._over))).given
        return check_settings(given, sources.known).settings

    def _read_sources(self) -> Sources:
        if self._sources is None:
            from llmblocks.rules.names import KNOWN
            from llmblocks.settings.sources import Sources

            self._sources = Sources(KNOWN)
        return self._sources

    def _nearest_to(self, name: str) -> str | None:
        folder = self._here if name == STDIN else os.path.dirname(os.path.abspath(name))
        if folder not in self._nearest:
            *around, top = (folder, *parents(folder))
            root = next(filter(_is_repository, around), top)
            self._nearest[folder] = find_settings_file(folder, (root,))
        return self._nearest[folder]


def _is_repository(folder: str) -> bool:
    return any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORIES)

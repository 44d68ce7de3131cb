"""Which settings hold for which document: those of the client, and over them those of the project's file."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from llmblocks.core.finding import Finding
from llmblocks.lsp.client.client import path_of
from llmblocks.settings.file import SettingsFile, find_settings_file, read_settings_file
from llmblocks.settings.given import Given, as_given, merged

if TYPE_CHECKING:
    from llmblocks.lsp.documents.text import Languages
    from llmblocks.settings.values import Settings

logger = logging.getLogger(__name__)


class Config:
    """Settings by document. A settings file is read once, and again when told that it has changed.

    Shape: `findings` are what is wrong with the client's own settings.
    """

    def __init__(self) -> None:
        self.findings: tuple[Finding, ...] = ()
        self._client: dict[str, Given] = {}
        self._roots: tuple[Path, ...] = ()
        self._files: dict[Path, SettingsFile] = {}
        self._nearest: dict[Path, Path | None] = {}
        self._languages: dict[Settings, Languages] = {}

    def take_client(self, value: Given) -> None:
        """Take the settings that the client gives, whatever they are."""
        given = as_given(value)
        self.findings, self._client = (), given or {}
        self._languages.clear()
        if given == {}:
            return
        from llmblocks.rules.registry import NAMES
        from llmblocks.settings.model import check_settings

        checked = check_settings(value if given is None else given, NAMES)
        self._client = checked.given
        self.findings = tuple(
            Finding(problem.code, 0, 0, f"in the editor's settings: {problem.message}", problem.severity)
            for problem in checked.problems
        )
        for problem in checked.problems:
            logger.warning("%s: %s", problem.code, problem.message)

    def take_roots(self, folders: Iterable[str]) -> None:
        """Take the workspace's folders: settings files are looked for in these and nowhere else."""
        self._roots = tuple(Path(folder) for folder in folders)
        self.forget_files()

    def forget_files(self) -> None:
        """Look for settings files anew, and read them anew."""
        self._files.clear()
        self._nearest.clear()

    def languages_for(self, uri: str) -> Languages:
        """The formats with the settings that hold for a document."""
        file = self._file_for(uri)
        given = self._client if file is None else merged(self._client, self.file(file).given)
        from llmblocks.lsp.documents.text import Languages
        from llmblocks.settings.values import DEFAULTS

        settings = DEFAULTS
        if given:
            from llmblocks.rules.registry import NAMES
            from llmblocks.settings.model import check_settings

            # two halves that are right may be wrong together, e.g. a marker of each
            settings = check_settings(given, NAMES).settings
        if settings not in self._languages:
            self._languages[settings] = Languages(settings)
        return self._languages[settings]

    def files(self) -> dict[Path, SettingsFile]:
        """The settings files in use."""
        return dict(self._files)

    def file(self, path: Path) -> SettingsFile:
        """What a settings file says."""
        if path not in self._files:
            from llmblocks.rules.registry import NAMES

            self._files[path] = read_settings_file(path, NAMES)
        return self._files[path]

    def _file_for(self, uri: str) -> Path | None:
        if not self._roots:
            return None
        name = path_of(uri)
        if name is None:
            return None
        folder = Path(name).parent
        if folder not in self._nearest:
            self._nearest[folder] = find_settings_file(folder, self._roots)
        return self._nearest[folder]

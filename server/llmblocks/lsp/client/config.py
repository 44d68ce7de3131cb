"""The settings of each document: the client's, overridden by the project's file."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.finding import Finding
from llmblocks.lsp.wire.uris import identity, path_of
from llmblocks.settings.given import Given, as_given, merged
from llmblocks.settings.nearest import NAME, find_settings_file

if TYPE_CHECKING:
    from llmblocks.lsp.documents.text import Languages
    from llmblocks.settings.check import InvalidSetting
    from llmblocks.settings.file import SettingsFile
    from llmblocks.settings.values import Settings

logger = logging.getLogger(__name__)


class Scoped(NamedTuple):
    """The client's settings for all documents, a folder or a document, and their problems."""

    given: dict[str, Given]
    findings: tuple[Finding, ...]


class Resolved(NamedTuple):
    """The settings of a document; `findings` are those that belong to no file."""

    languages: Languages
    findings: tuple[Finding, ...]


_NOTHING = Scoped({}, ())


class Config:
    """The settings of each document. Files are cached until the client reports a change."""

    def __init__(self) -> None:
        self._client = _NOTHING
        self._folders: dict[Path, Scoped] = {}
        self._documents: dict[str, Scoped] = {}
        self._roots: tuple[Path, ...] = ()
        self._files: dict[Path, SettingsFile] = {}
        self._nearest: dict[Path, Path | None] = {}
        self._languages: dict[Settings, Languages] = {}
        self._resolved: dict[str, Resolved] = {}

    def take_client(self, value: Given, scopes: Mapping[str, Given] | None = None) -> None:
        """Replace all settings of the client.

        Shape: `scopes` are those of folders and documents, by URI; null means those of all documents.
        """
        self._client = scoped = _scoped(value)
        for finding in scoped.findings:
            logger.warning("%s %s", finding.code, finding.message)
        self._folders.clear()
        self._documents.clear()
        self._languages.clear()
        self._resolved.clear()
        folders = {root.as_uri(): root for root in self._roots}
        for uri, given in (scopes or {}).items():
            scoped = self._client if given is None else _scoped(given)
            if scoped == self._client:
                continue
            if uri in folders:
                self._folders[folders[uri]] = scoped
            else:
                self._documents[identity(uri)] = scoped

    def take_document(self, uri: str, value: Given) -> bool:
        """Replace the client's settings for a document; returns whether its settings have changed."""
        before = self._scope_for(uri)
        if value is None or (scoped := _scoped(value)) == before:
            return False
        self._documents[identity(uri)] = scoped
        self._resolved.pop(identity(uri), None)
        return True

    def forget_document(self, uri: str) -> None:
        """Forget a closed document."""
        self._documents.pop(identity(uri), None)
        self._resolved.pop(identity(uri), None)

    def take_roots(self, folders: Iterable[str]) -> None:
        """Set the workspace's folders, the only ones with settings files."""
        self._roots = tuple(Path(folder) for folder in folders)
        self.forget_files()

    @property
    def roots(self) -> tuple[Path, ...]:
        return self._roots

    def forget_files(self) -> None:
        """Find and read all settings files again."""
        self._files.clear()
        self._nearest.clear()
        self._resolved.clear()

    def languages_for(self, uri: str) -> Languages:
        """The formats with the settings of a document."""
        return self._for(uri).languages

    def findings_for(self, uri: str) -> tuple[Finding, ...]:
        """The findings about the client's settings for a document, alone or together with the project's."""
        return self._for(uri).findings

    def files(self) -> dict[Path, SettingsFile]:
        """The settings files in use."""
        return dict(self._files)

    def file(self, path: Path) -> SettingsFile:
        """The checked settings file."""
        if path not in self._files:
            from llmblocks.rules.names import KNOWN
            from llmblocks.settings.file import read_settings_file

            self._files[path] = read_settings_file(path, KNOWN)
        return self._files[path]

    def _for(self, uri: str) -> Resolved:
        key = identity(uri)
        found = self._resolved.get(key)
        if found is None:
            found = self._resolved[key] = self._resolve(uri)
        return found

    def _resolve(self, uri: str) -> Resolved:
        from llmblocks.lsp.documents.text import Languages
        from llmblocks.settings.values import DEFAULTS

        scoped, file = self._scope_for(uri), self._file_for(uri)
        given = scoped.given if file is None else merged(scoped.given, self.file(file).given)
        settings, findings = DEFAULTS, scoped.findings
        if given:
            from llmblocks.rules.names import KNOWN
            from llmblocks.settings.check import check_settings

            checked = check_settings(given, KNOWN)
            settings = checked.settings
            # two valid halves may be invalid together, e.g. a marker of each
            findings += _findings(f"in the editor's settings and {NAME} together", checked.problems)
        if settings not in self._languages:
            self._languages[settings] = Languages(settings)
        return Resolved(self._languages[settings], findings)

    def _scope_for(self, uri: str) -> Scoped:
        scoped = self._documents.get(identity(uri)) if self._documents else None
        if scoped is not None or not self._folders or (name := path_of(uri)) is None:
            return scoped or self._client
        return next((self._folders[folder] for folder in Path(name).parents if folder in self._folders), self._client)

    def _file_for(self, uri: str) -> Path | None:
        name = path_of(uri) if self._roots else None
        if name is None:
            return None
        folder = Path(name).parent
        if folder not in self._nearest:
            found = find_settings_file(str(folder), map(str, self._roots))
            self._nearest[folder] = None if found is None else Path(found)
        return self._nearest[folder]


def _scoped(value: Given) -> Scoped:
    given = as_given(value)
    if given == {}:
        return _NOTHING
    from llmblocks.rules.names import KNOWN
    from llmblocks.settings.check import check_settings

    checked = check_settings(value if given is None else given, KNOWN)
    return Scoped(checked.given, _findings("in the editor's settings", checked.problems))


def _findings(where: str, problems: Iterable[InvalidSetting]) -> tuple[Finding, ...]:
    return tuple(Finding(each.code, 0, 0, f"{where}: {each.message}", each.severity) for each in problems)

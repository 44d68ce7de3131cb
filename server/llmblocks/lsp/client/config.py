"""The settings of each document: the client's, overridden by the project's file."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.facts.finding import Finding
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.wire.uris import identity, path_of
from llmblocks.rules.project import FallbackSettings, Project
from llmblocks.settings.files import NAME, NAMES, table_in
from llmblocks.settings.given import Given, as_given

if TYPE_CHECKING:
    from llmblocks.discovery.find import DeclarationOffer
    from llmblocks.lsp.documents.text import Languages
    from llmblocks.settings.baseline import Baseline
    from llmblocks.settings.check import InvalidSetting
    from llmblocks.settings.gadgets import SchemaFile
    from llmblocks.settings.given import Combined
    from llmblocks.settings.ignoring import Insertion
    from llmblocks.settings.sources import SettingsFile
    from llmblocks.settings.values import Settings

logger = logging.getLogger(__name__)
EDITOR = "the editor's settings"
_ALL = "\0"
"""The scope of the settings for all documents; others are folders."""
_MOST_OFFERED = 32
"""The number of recently offered edits of settings files that are kept."""


class SettingsEdit(NamedTuple):
    """A text to insert into a settings file at an offset of its content."""

    path: str
    is_new: bool
    before: str
    offset: int
    text: str

    @property
    def after(self) -> str:
        return self.before[: self.offset] + self.text + self.before[self.offset :]


class Resolved(NamedTuple):
    """The formats with the settings of a document."""

    languages: Languages
    language_id: str | None
    """The language that the settings give it."""
    findings: tuple[Finding, ...]
    """The findings about settings that belong to no file."""


class _Scoped(NamedTuple):
    """The client's settings for all documents or a folder, and their problems."""

    given: dict[str, Given]
    findings: tuple[Finding, ...]


_NOTHING = _Scoped({}, ())


class Config:
    """The settings of each document: those of its project above the client's.

    `project` caches files until the client reports a change.
    """

    def __init__(self) -> None:
        # a browser has one thread
        self.project = Project(lambda _: map(str, self.roots))
        self.project.extensions.remedy = "trust the folder, or set the initialization option trusted"
        self.client = Client()
        """As described in `initialize`."""
        self._given = {_ALL: _NOTHING}
        self.roots: tuple[Path, ...] = ()
        """The workspace's folders, the only ones with settings files."""
        self._reported: set[str] = set()
        self._offered: deque[SettingsEdit] = deque(maxlen=_MOST_OFFERED)
        self._languages: dict[Settings, Languages] = {}
        self._resolved: dict[str, Resolved] = {}

    def take_client(self, value: Given, scopes: Mapping[str, Given] | None = None) -> None:
        """Replace the client's settings. `scopes` are those of folders by URI, null for those of all."""
        self._given = {_ALL: _scoped(value)}
        for finding in self._given[_ALL].findings:
            logger.warning("%s %s", finding.code, finding.message)
        folders = {root.as_uri(): str(root) for root in self.roots}
        for uri, given in (scopes or {}).items():
            # a folder may be gone since it was asked for
            if given is not None and uri in folders:
                self._given[folders[uri]] = _scoped(given)
        self._languages.clear()
        self._resolved.clear()

    def forget_document(self, uri: str) -> None:
        self._resolved.pop(identity(uri), None)

    def take_roots(self, folders: Iterable[str]) -> None:
        self.roots = tuple(Path(folder) for folder in folders)
        self.forget_files()

    def forget_files(self) -> None:
        """Find and read all settings files again."""
        if self.project.schemas.named:
            # results for old schemas are useless
            self._languages.clear()
        self.project.forget_files()
        self._resolved.clear()

    def took_edit(self, path: str, text: str) -> bool:
        """Apply an open settings file early if it equals the result of an offered edit; return whether it does.

        This lasts until the file is saved or closed, or the edit is undone. Other edits apply once they are saved.
        """
        edits = [each for each in self._offered if each.path == path]
        now = self.project.texts.get(path)
        # the text after one edit is that before the next
        if text in [each.after for each in edits]:
            now = text
        elif text in [each.before for each in edits]:
            now = None
        return self._set_text(path, now)

    def saved(self, paths: Iterable[str]) -> bool:
        """Apply saved files; return whether that changes anything."""
        news = [self._set_text(path, None) for path in paths]
        return any(news)

    def _set_text(self, path: str, text: str | None) -> bool:
        known = self.project.texts.pop(path, None)
        if text is not None:
            self.project.texts[path] = text
        if known != text:
            self.forget_files()
        return known != text

    def take_files(self, paths: Iterable[str]) -> None:
        """Check settings files that a client has reported, even if no open document uses them."""
        self._reported.update(path for path in paths if os.path.basename(path) in NAMES)

    def of(self, uri: str) -> Resolved:
        """Return the settings of a document, cached until the client changes or closes it."""
        key = identity(uri)
        found = self._resolved.get(key)
        if found is None:
            found = self._resolved[key] = self.of_file(uri)
        return found

    def of_file(self, uri: str) -> Resolved:
        """Return the same for a closed file, uncached."""
        from llmblocks.lsp.documents.text import Languages

        under = self._under(uri)
        around = self.project.built(self._file_for(uri), under)
        path = self._name_of(uri)
        settings = self.project.with_gadgets(around.settings.for_file(path), around.folder)
        # two valid halves may be invalid together, e.g. a marker of each
        both = f"in {EDITOR}" + (f" and {os.path.basename(around.file)} together" if around.file else "")
        findings = (
            *self._given_for(uri).findings,
            *_findings(f"in {EDITOR}", around.problems),
            *self._of_models(settings),
            *_findings(both, around.together),
        )
        if findings:
            from llmblocks.rules.project import graded

            findings = graded(findings, settings)
        if settings not in self._languages:
            self._languages[settings] = Languages(settings)
        return Resolved(self._languages[settings], around.settings.language_of(path), findings)

    def baseline(self, uri: str) -> tuple[Baseline, str] | None:
        """Return the baseline of a document, and the path of the document, or None."""
        found = self.project.baseline(self.of(uri).languages.settings)
        return None if found is None else (found, path_of(uri) or "")

    def settings_in(self, folder: str) -> Settings:
        """Return the settings of a folder. Some depend on the path of a file in it."""
        uri = Path(folder, "a").as_uri()
        return self.project.built(self._file_for(uri), self._under(uri)).settings

    def checked_folders(self, folders: Iterable[str]) -> tuple[str, ...]:
        """Return the folders in which all files are checked."""
        return tuple([folder for folder in folders if self.settings_in(folder).workspace_diagnostics])

    def effective(self, uri: str) -> Combined:
        return self.project.effective_of(self._file_for(uri), self._under(uri))

    def files(self) -> dict[Path, SettingsFile | SchemaFile]:
        """Return the settings files and schema files in use."""
        found: dict[Path, SettingsFile | SchemaFile] = {}
        self._reported = {path for path in self._reported if self.project.file_in(os.path.dirname(path)) == path}
        for path in self._reported:
            self.project.sources.layers_of_file(path)
        for path, file in self.project.judged():
            from llmblocks.settings.globs import is_import_path

            # problems of a model that no file names have no place
            if not is_import_path(path):
                found[Path(path)] = file
        return found

    def judged_text(self, uri: str, text: str) -> SettingsFile | None:
        """Return the text of an open settings file with its findings; None outside of the workspace."""
        path = path_of(uri)
        if path is None or not any(root in Path(path).parents for root in self.roots):
            return None
        if os.path.basename(path) != NAME and self.project.file_in(os.path.dirname(path)) != path:
            return None
        return self.project.judged_text(path, text)

    def _of_models(self, settings: Settings) -> tuple[Finding, ...]:
        """Return the findings of a document's models that no settings file names."""
        models = self.project.schemas.models()
        wrong = {name for each in settings.schemas for name in each.values if name in models and models[name].findings}
        if not wrong:
            return ()
        from llmblocks.rules.project import schemas_named_by

        wrong -= schemas_named_by(self.project.sources)
        return tuple([finding for name in sorted(wrong) for finding in models[name].findings])

    def import_models(self, seconds: float) -> bool | None:
        """Wait at most this long for models: True if one loaded, False if pending, None if idle."""
        if not self.project.schemas.imports:
            return None
        if not self.project.schemas.advance(seconds):
            return False
        self._resolved.clear()
        return True

    def end(self) -> None:
        """End the work in other processes."""
        if self.project.schemas.named:
            self.project.schemas.end()

    def offered(self, uri: str, pause: Callable[[], None]) -> DeclarationOffer:
        """Return the declarations in the code around a document that its settings lack. Raises `ValueError`."""
        from llmblocks.discovery.find import find, offered

        file = self._file_for(uri)
        folder = self._base_for(uri) if file is None else os.path.dirname(file)
        return offered(find(folder, pause), self.of(uri).languages.settings, folder)

    def edit(self, uri: str, make: Callable[[str, tuple[str, ...], str, str], Insertion | None]) -> SettingsEdit | None:
        """Return an edit of the settings file of a document; None outside of the workspace.

        `make` gets the text of the file, the table of the settings in it, its folder, and the path of the document.
        """
        path, file = path_of(uri), self._file_for(uri)
        folder = self._base_for(uri) if file is None else os.path.dirname(file)
        parents = () if path is None else Path(path).parents
        if path is None or Path(folder) not in parents or not any(root in parents for root in self.roots):
            return None
        known = None if file is None else self.project.sources.files().get(file)
        text = "" if known is None else known.text
        if file is not None and (known is None or (known.findings and not text)):
            # nobody can read it
            return None
        made = make(text, table_in(file or NAME), folder, str(path))
        if made is None:
            return None
        edit = SettingsEdit(os.path.join(folder, NAME) if file is None else file, file is None, text, *made)
        if edit not in self._offered:
            self._offered.append(edit)
        return edit

    def _file_for(self, uri: str) -> str | None:
        return self.project.file_in(os.path.dirname(self._name_of(uri))) if self.roots else None

    def _name_of(self, uri: str) -> str:
        """Return the path of a document; an unsaved one belongs to the folder of the workspace."""
        return path_of(uri) or os.path.join(self._base_for(uri), "untitled")

    def _under(self, uri: str) -> FallbackSettings:
        return FallbackSettings(self._given_for(uri).given, self._base_for(uri), EDITOR)

    def _given_for(self, uri: str) -> _Scoped:
        """Return the client's settings for a document: those of the nearest folder, or of all documents."""
        name = path_of(uri)
        folders = () if name is None else map(str, Path(name).parents)
        return next(self._given[scope] for scope in (*folders, _ALL) if scope in self._given)

    def _base_for(self, uri: str) -> str:
        """Return the base folder of relative paths in the client's settings for a document."""
        name = path_of(uri)
        around = [root for root in self.roots if name is None or root in Path(name).parents]
        return str(max(around, key=lambda root: len(root.parts), default=Path(name or os.sep).anchor))


def _scoped(value: Given) -> _Scoped:
    given = as_given(value)
    if given == {}:
        return _NOTHING
    from llmblocks.languages.registry import language_ids
    from llmblocks.settings.check import check_settings

    checked = check_settings(value if given is None else given, language_ids())
    return _Scoped(checked.given, _findings(f"in {EDITOR}", checked.problems))


def _findings(where: str, problems: Iterable[InvalidSetting]) -> tuple[Finding, ...]:
    """Return the findings about invalid settings without a place in a file."""
    found = (each.finding(0, 0) for each in problems)
    return tuple(
        each.__replace__(message=each.message._replace(note=f"{where}: {each.message.note}")) for each in found
    )

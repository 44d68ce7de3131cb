"""The files of the workspace and the names in them, read in the background."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from llmblocks.languages.registry import LANGUAGES, language_of
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.session.progress import Progress
from llmblocks.lsp.wire.limits import (
    MAX_FILES,
    MAX_LOG_BYTES,
    MAX_SEARCHED_FOLDERS,
)
from llmblocks.lsp.wire.uris import path_of, root_of

if TYPE_CHECKING:
    from llmblocks.languages.language import Language
    from llmblocks.settings.values import Settings
    from llmblocks.workspace.names import StoredNames

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class WorkspaceFiles:
    """The names in all files of our languages in the workspace."""

    _config: Config
    _progress: Progress
    _schedule: Callable[[Iterator[None]], None]
    """Takes background work."""
    paths: dict[str, None] = field(default_factory=dict)
    is_busy: bool = False
    """Whether some are still to be found."""
    _left: list[str] = field(default_factory=list)
    _roots: tuple[str, ...] = ()
    _known: dict[str, tuple[Language, StoredNames]] = field(default_factory=dict)
    _folders: int = 0
    _done: int = 0
    _due: dict[str, None] = field(default_factory=dict)
    _settings: dict[str, Settings] = field(default_factory=dict)
    _is_full: bool = False

    def __iter__(self) -> Iterator[tuple[Language, str, StoredNames]]:
        for file, (language, names) in self._known.items():
            yield language, file, names

    def take_roots(self, roots: tuple[str, ...]) -> None:
        """Read the files below the folders of the workspace, and forget those of removed folders."""
        if roots != self._roots:
            self._roots = roots
            self._read_all()

    def reconfigured(self) -> None:
        """Read all files again if the settings of a known folder have changed."""
        if any(self._config.settings_in(folder) != known for folder, known in self._settings.items()):
            self._read_all()

    def files_changed(self, uris: Iterable[str]) -> None:
        """Register that files on disk were created, changed or deleted."""
        from llmblocks.settings.globs import is_left_out

        for path in filter(None, map(path_of, uris)):
            root = root_of(path, self._roots)
            if root is None or self._id_of(path) is None or os.path.isdir(path):
                continue
            is_searched = not is_left_out(self._settings_in(root).exclude, path, root)
            if not os.path.isfile(path):
                self.paths.pop(path, None)
            elif is_searched:
                self._take(path)
            if path in self._known:
                self._due[path] = None
        self._start()

    def _read_all(self) -> None:
        self._known.clear()
        self._settings.clear()
        self.paths.clear()
        self._folders = 0
        self._is_full = False
        self._due.clear()
        self._left = [*self._roots]
        self._start()

    def _start(self) -> None:
        if (self._due or self._left) and not self.is_busy:
            self.is_busy = True
            self._schedule(self._work())

    def _work(self) -> Iterator[None]:
        """Read all due folders and files, in steps."""
        try:
            while (self._due or self._left) and not self._progress.is_cancelled:
                while self._left:
                    self._look_into(self._left.pop())
                    yield
                if self._due and not self._progress.is_cancelled:
                    yield from self._read(self._due.popitem()[0])
                    self._done += 1
                    self._progress.report(self._done, self._done + len(self._due))
                yield
        finally:
            self._due.clear()
            self._left.clear()
            self._progress.end()
            self.is_busy, self._done = False, 0

    def _look_into(self, folder: str) -> None:
        """List the files and the folders in a folder."""
        from llmblocks.settings.globs import is_excluded

        root = root_of(folder, self._roots)
        if root is None or self._is_full:
            return
        self._folders += 1
        if self._folders > MAX_SEARCHED_FOLDERS * len(self._roots):
            self._fill(f"more than {MAX_SEARCHED_FOLDERS} folders")
            return
        exclude = self._settings_in(root).exclude
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    is_folder = entry.is_dir(follow_symlinks=False)
                    is_ours = is_folder or (self._id_of(entry.path) is not None and entry.is_file())
                    if not is_ours or is_excluded(exclude, entry.path, root, is_folder=is_folder):
                        continue
                    if is_folder:
                        self._left.append(entry.path)
                    else:
                        self._take(entry.path)
        except OSError as error:
            logger.info("%s cannot be searched: %s", folder, error.strerror)
        self._progress.start("llmblocks: reading the workspace", len(self._due))

    def _take(self, path: str) -> None:
        if len(self.paths) < MAX_FILES or path in self.paths:
            self.paths[path] = None
            if self._language_of(path) is not None:
                self._due[path] = None
        else:
            self._fill(f"more than {MAX_FILES} files")

    def _read(self, file: str) -> Iterator[None]:
        from llmblocks.workspace.names import read_names

        self._known.pop(file, None)
        language = self._language_of(file)
        if language is None:
            return
        settings = self._settings_in(os.path.dirname(file))
        try:
            names = yield from read_names(file, language, settings, MAX_LOG_BYTES)
        except OSError as error:
            logger.info("the names in %s are not known: %s", file, error.strerror)
            return
        if names is not None and settings is self._settings.get(os.path.dirname(file)):
            # otherwise the settings have changed, and all files are read again
            self._known[file] = language, names

    def _fill(self, reason: str) -> None:
        if not self._is_full:
            logger.warning("the workspace has %s: the rest is not read", reason)
        self._is_full = True

    def _language_of(self, path: str) -> Language | None:
        """Return the language of a file with names; None for other files, and for requests, which repeat them."""
        known = self._id_of(path)
        return next((each for each in LANGUAGES if each.id == known and not each.repeats), None)

    def _id_of(self, path: str) -> str | None:
        return language_of(path, self._settings_in(os.path.dirname(path)) if self._config.roots else None)

    def _settings_in(self, folder: str) -> Settings:
        known = self._settings.get(folder)
        if known is None:
            known = self._settings[folder] = self._config.settings_in(folder)
        return known

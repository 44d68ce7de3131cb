"""The files of the workspace, found once, and the names in them, read for the first search."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.languages.registry import LANGUAGES, language_of
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.wire.limits import MAX_FILES, MAX_LOG_BYTES, MAX_SEARCHED_FOLDERS

if TYPE_CHECKING:
    from llmblocks.languages.language import Language
    from llmblocks.settings.values import Settings
    from llmblocks.workspace.names import StoredNames

logger = logging.getLogger(__name__)


class _Found(NamedTuple):
    """A file, with the id of its language and the settings of its folder."""

    path: str
    language_id: str
    settings: Settings


@dataclass(eq=False)
class WorkspaceFiles:
    """All files of our languages in the workspace, logs included."""

    _config: Config
    _found: dict[str, _Found] | None = None
    """None if they must be searched."""
    _known: dict[str, tuple[_Found, StoredNames]] = field(default_factory=dict)

    def reconfigured(self) -> None:
        self._found = None

    def files_changed(self, paths: Iterable[str]) -> None:
        """Register that files on disk were created, changed or deleted."""
        known = self._found
        if known is not None and any((path in known) != os.path.isfile(path) for path in paths):
            self._found = None

    def find(self) -> Iterator[_Found | None]:
        """Yield all files. None is a pause."""
        if self._found is None:
            found: dict[str, _Found] = {}
            for each in self._search():
                if each is None:
                    yield None
                elif len(found) < MAX_FILES:
                    found[each.path] = each
                else:
                    logger.warning("the workspace has more than %d files: the rest is not read", MAX_FILES)
                    break
            self._found = found
        yield from [*self._found.values()]

    def names(self, pause: Callable[[], None]) -> Iterator[tuple[Language, str, StoredNames]]:
        """Yield the names in each file, but not in requests, which repeat them. Only changed files are read again."""
        from llmblocks.workspace.listing import finished
        from llmblocks.workspace.names import is_as_read, read_names

        languages = {each.id: each for each in LANGUAGES if not each.repeats}
        for file in self.find():
            pause()
            if file is None or (language := languages.get(file.language_id)) is None:
                continue
            before, names = self._known.get(file.path, (None, None))
            if names is None or before != file or not is_as_read(file.path, names.stamp):
                try:
                    names = finished(read_names(file.path, language, file.settings, MAX_LOG_BYTES))
                except OSError as error:
                    logger.info("the names in %s are not known: %s", file.path, error.strerror)
            if names is not None:
                self._known[file.path] = file, names
                yield language, file.path, names
        for gone in self._known.keys() - (self._found or {}).keys():
            del self._known[gone]

    def _search(self) -> Iterator[_Found | None]:
        """Yield the files below the folders of the workspace. None is a pause."""
        from llmblocks.settings.globs import is_excluded

        for root in self._config.client.folders:
            searched, folders, exclude = 0, [root], self._config.settings_in(root).exclude
            while folders:
                yield None
                folder, searched = folders.pop(), searched + 1
                if searched > MAX_SEARCHED_FOLDERS:
                    logger.warning("%s has more than %d folders: the rest is not read", root, MAX_SEARCHED_FOLDERS)
                    break
                settings = self._config.settings_in(folder)
                try:
                    with os.scandir(folder) as entries:
                        for entry in entries:
                            is_folder = entry.is_dir(follow_symlinks=False)
                            language_id = None if is_folder else language_of(entry.path, settings)
                            is_ours = is_folder or (language_id is not None and entry.is_file())
                            if not is_ours or is_excluded(exclude, entry.path, root, is_folder=is_folder):
                                continue
                            if language_id is None:
                                folders.append(entry.path)
                            else:
                                yield _Found(entry.path, language_id, settings)
                except OSError as error:
                    logger.info("%s cannot be searched: %s", folder, error.strerror)

"""The sessions of checked files, on disk."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from llmblocks.contract.other_files import CallOutcome, OtherFiles
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings
from llmblocks.workspace.listing import LogPlace, finished, listing, log_place
from llmblocks.workspace.log_folder import LogFolder, OtherLogs, unlisted
from llmblocks.workspace.names import read_names

if TYPE_CHECKING:
    from llmblocks.workspace.live_session import LiveSession

_MOST_FOLDERS = 16
SettingsFor = Callable[[str], Settings]
"""Returns the settings of the file with a path."""


class DiskLogs:
    """The sessions of checked files. A file is read once, when another one first depends on it."""

    def __init__(self, settings_for: SettingsFor) -> None:
        self._settings_for = settings_for
        self._folders: dict[tuple[str, str], tuple[LogFolder, deque[tuple[str, int]]]] = {}
        self._sessions: dict[str, LiveSession] = {}

    def other_files(self, language: Language, name: str, path: str) -> OtherFiles:
        """Return the other files of the session of a file. `path` is absolute, with `/`."""
        place = log_place(language, path)
        if place is None:
            return unlisted(language, path)
        folder, base = os.path.split(name)
        # findings need the outcomes of calls, without their results
        ran = partial(self.ran, language, folder, base)
        return OtherLogs(partial(self.folder, language, LogPlace(folder, place.number)), place.number, ran=ran)

    def folder(self, language: Language, place: LogPlace, *, later: bool) -> LogFolder:
        """Return a folder with the names of all files before a place, or also of all after it."""
        key = language.id, place.folder
        if key not in self._folders:
            folder = LogFolder()
            with suppress(OSError):
                folder.take_list(*finished(listing(place.folder)).numbers)
            if len(self._folders) == _MOST_FOLDERS:
                # sessions are checked in turn: the first one is complete
                del self._folders[next(iter(self._folders))]
            self._folders[key] = folder, deque(folder.unread())
        folder, left = self._folders[key]
        while left and (later or left[0][1] < place.number):
            self._read(folder, *left.popleft(), language)
        return folder

    def ran(self, language: Language, folder: str, name: str, one: str) -> Sequence[CallOutcome]:
        """Return the outcomes of the calls with an id in a file of a folder."""
        return self.session(language, folder, name).ran(name, one)

    def session(self, language: Language, folder: str, name: str) -> LiveSession:
        """Return the session in a folder, with the settings of the file with a name."""
        session = self._sessions.get(folder)
        if session is None:
            from llmblocks.workspace.live_session import LiveSession

            if len(self._sessions) == _MOST_FOLDERS:
                del self._sessions[next(iter(self._sessions))]
            settings = self._settings_for(os.path.join(folder, name))
            known = self.folder(language, LogPlace(folder, 0), later=True)
            session = self._sessions[folder] = LiveSession(folder, language, settings, known.index)
            finished(session.update())
        return session

    def _read(self, folder: LogFolder, file: str, number: int, language: Language) -> None:
        found = None
        with suppress(OSError):
            found = finished(read_names(file, language, self._settings_for(file)))
        if found is None:
            folder.lose(file)
        else:
            folder.put(file, number, found)

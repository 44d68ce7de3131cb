"""Sessions on disk: the only module here that reads files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress

from llmblocks.core.finding import Elsewhere
from llmblocks.core.index import Around
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings
from llmblocks.workspace.log_folder import FileAround, LogFolder
from llmblocks.workspace.names import StoredNames
from llmblocks.workspace.place import LogPlace, agent_number, log_place, unlisted

SettingsFor = Callable[[str], Settings]
"""The settings of the file with a path."""


def listed(language: Language, folder: str) -> tuple[dict[str, int], list[int]]:
    """The numbered files of a folder, with their numbers, and the numbers of its sub-agents.

    Errors: `OSError` if it cannot be read.
    """
    files: dict[str, int] = {}
    agents: list[int] = []
    with os.scandir(folder or os.curdir) as entries:
        for entry in entries:
            place, agent = log_place(language, entry.name), agent_number(entry.name)
            if place is not None and entry.is_file():
                files[os.path.join(folder, entry.name)] = place.number
            elif agent is not None and entry.is_dir():
                agents.append(agent)
    return files, agents


def read_names(file: str, language: Language, settings: Settings) -> Generator[None, None, StoredNames | None]:
    """Read the names of a file, some of them at each step; None if it cannot be read, or is larger than allowed."""
    most = int(settings.max_size_mb * 1e6)
    try:
        with open(file, "rb") as opened:
            data = opened.read(most + 1)
        text = "" if len(data) > most else data.decode("utf-8")
    except (OSError, ValueError):
        return None
    if len(data) > most:
        return None
    found = StoredNames(file)
    yield from found.read(text, language.scanner(settings), language.symbols)
    return found


class DiskLogs:
    """The sessions of files that are checked: a file is read when another one first depends on it, and once."""

    def __init__(self, settings_for: SettingsFor) -> None:
        self._settings_for = settings_for
        self._folders: dict[tuple[str, str], tuple[LogFolder, deque[tuple[str, int]]]] = {}

    def around(self, language: Language, name: str) -> Around | None:
        """The other files of the session of a file; None for a copy, of which no names are judged."""
        path = os.path.abspath(name).replace(os.sep, "/")
        place = log_place(language, path)
        if place is None:
            return unlisted(language, path)
        return _DiskAround(self, language, LogPlace(os.path.dirname(name), place.number))

    def folder(self, language: Language, place: LogPlace, *, later: bool) -> LogFolder:
        """A folder with the names of all files before a place, or of all behind it, too."""
        key = language.id, place.folder
        if key not in self._folders:
            folder = LogFolder()
            with suppress(OSError):
                folder.take_list(*listed(language, place.folder))
            self._folders[key] = folder, deque(folder.unread())
        folder, left = self._folders[key]
        while left and (later or left[0][1] < place.number):
            self._read(folder, *left.popleft(), language)
        return folder

    def _read(self, folder: LogFolder, file: str, number: int, language: Language) -> None:
        reading = read_names(file, language, self._settings_for(file))
        try:
            while True:
                next(reading)
        except StopIteration as end:
            if end.value is None:
                folder.lose(file)
            else:
                folder.put(file, number, end.value)


class _DiskAround:
    """The other files of a session, which are read when something depends on them."""

    __slots__ = ("_language", "_logs", "_place")

    def __init__(self, logs: DiskLogs, language: Language, place: LogPlace) -> None:
        self._logs = logs
        self._language = language
        self._place = place

    @property
    def is_known(self) -> bool:
        return self._around().is_known

    def has_earlier(self, kind: str, name: str) -> bool:
        return self._around().has_earlier(kind, name)

    def later(self, kind: str, name: str) -> Elsewhere | None:
        return self._around(later=True).later(kind, name)

    def _around(self, *, later: bool = False) -> FileAround:
        return FileAround(self._logs.folder(self._language, self._place, later=later), self._place.number)

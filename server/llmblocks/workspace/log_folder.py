"""The numbered files of one folder, on disk or in an editor, and the names that each inherits from those before it."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from llmblocks.contract.other_files import ALONE, UNKNOWN, Answer, CallOutcome, OtherFiles, SameName
from llmblocks.core.places import Elsewhere
from llmblocks.core.symbol import Role
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings
from llmblocks.workspace.listing import LogPlace, finished, listing, log_place
from llmblocks.workspace.names import FileEntry, FileNames, FilesIndex, TouchedNames, read_names

if TYPE_CHECKING:
    from llmblocks.workspace.results import LiveSession


_INVOCATION = "invocation"
"""The kind of the names of calls, as in the format."""
_FIRST = 1
"""llmist numbers from 1; a folder that begins with another number lacks the earlier files."""


class LogFolder:
    """The files of the session of one agent. It reads nothing: its callers pass it the files.

    `index` has the files whose names are known. Other files name places in `mentioned` files.
    """

    __slots__ = ("_agents", "_known", "_lost", "_numbers", "_outdated", "index", "mentioned")

    def __init__(self) -> None:
        self.index = FilesIndex()
        self.mentioned: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._lost: set[str] = set()
        self._outdated: set[str] = set()
        self._agents: frozenset[int] | None = None
        self._known: int | None = None

    @property
    def files(self) -> dict[str, int]:
        """All existing files, with their numbers, even those whose names are unknown."""
        return {**self._numbers}

    def take_list(self, files: Mapping[str, int], agents: Iterable[int]) -> TouchedNames:
        """Register the existing files with their numbers, and the numbers of sub-agents.

        Return the names of removed files.
        """
        gone: TouchedNames = {}
        for file in [each for each in self._numbers if each not in files]:
            for kind, names in self.index.remove(file).items():
                gone.setdefault(kind, set()).update(names)
        self._numbers = {**files}
        self._agents, self._known = frozenset(agents), None
        self._lost.intersection_update(files)
        self._outdated.intersection_update(files)
        return gone

    def put(self, file: str, number: int, names: FileNames) -> TouchedNames:
        """Register the names of a file, and return those that were added or removed."""
        self._numbers[file] = number
        self._lost.discard(file)
        self._outdated.discard(file)
        self._known = None
        return self.index.put(file, number, names)

    def lose(self, file: str) -> TouchedNames:
        """Register a file that exists but cannot be read."""
        self._known = None
        self._lost.add(file)
        self._outdated.discard(file)
        return self.index.remove(file)

    def forget(self, file: str) -> TouchedNames:
        """Register a file that must be read."""
        self._known = None
        self._lost.discard(file)
        return self.index.remove(file)

    def remove(self, file: str) -> TouchedNames:
        """Register that a file was removed."""
        self._numbers.pop(file, None)
        self._outdated.discard(file)
        return self.forget(file)

    def outdate(self, file: str) -> None:
        """Register that a file has changed and will be read again. Until then, its old names count."""
        self._outdated.add(file)

    def missing(self) -> str:
        """Return the reason why names of the session, or their places, are unknown; empty if all are known."""
        if self._agents is None or self.unread() or self._outdated:
            return "the other files of this session have not been read yet: try again in a moment"
        lost = min(self._lost, default="")
        return f"`{os.path.basename(lost)}` of this session cannot be read, and may have this name too" if lost else ""

    def unread(self) -> list[tuple[str, int]]:
        """Return the files that must still be read, with their numbers, in this order."""
        left = [each for each in self._numbers.items() if each[0] not in self.index and each[0] not in self._lost]
        return sorted(left, key=lambda each: (each[1], each[0]))

    def known_until(self) -> int:
        """Return the first unknown number: later files may depend on missing ones.

        A number without a response may be that of a lost one, so no number can be skipped.
        """
        if self._agents is None:
            return -1
        if self._known is None:
            unread = [number for file, number in self._numbers.items() if file not in self.index]
            there = {*self._numbers.values(), *self._agents}.difference(unread)
            number = min([_FIRST, *unread])
            while number in there:
                number += 1
            self._known = number
        return self._known


def unlisted(language: Language, path: str) -> OtherFiles:
    """Return the other files of a session, as far as a path shows."""
    return UNKNOWN if language.is_log(path) and not language.repeats else ALONE


class OtherLogs(OtherFiles):
    """The other files of a folder, from the view of one. Names in a log never refer to files outside the session."""

    __slots__ = ("_answer", "_files", "_number", "_ran")

    def __init__(
        self,
        files: Callable[..., LogFolder],
        number: int,
        answer: Callable[[str, int], Answer | None] = lambda name, count: None,
        ran: Callable[[str], Sequence[CallOutcome]] | None = None,
    ) -> None:
        """Create the view of a file. `files` returns the folder, read up to that file, or also `later` ones."""
        self._files = files
        self._number = number
        self._answer = answer
        self._ran = ran

    @property
    def is_known(self) -> bool:
        return self._number <= self._files(later=False).known_until()

    def has_earlier(self, kind: str, name: str) -> bool:
        first = self._files(later=False).index.first("definition", kind, name)
        return first is not None and first.number < self._number

    def earlier(self, kind: str) -> Iterator[str]:
        names = self._files(later=False).index.names("definition", kind)
        return (name for name in names if self.has_earlier(kind, name))

    def later(self, kind: str, name: str) -> Elsewhere | None:
        folder = self._files(later=True)
        index = folder.index
        later = index.first("definition", kind, name, self._number + 1)
        found = None if later is None else index.names_of(later.file)
        if later is None or found is None:
            return None
        folder.mentioned.add(later.file)
        return found.places("definition", kind, name)[0]

    @property
    def unread(self) -> str:
        return self._files(later=True).missing()

    def has(self, kind: str, name: str) -> bool:
        index = self._files(later=True).index
        return bool(index.with_name("definition", kind, name) or index.with_name("reference", kind, name))

    def same(self, kind: str, name: str, *, own: bool) -> SameName:
        """Return the places of a name with the same meaning. A file that defines it again begins another meaning."""
        index = self._files(later=True).index
        defining = index.with_name("definition", kind, name)
        first = self._number
        if not own:
            first = max([each.number for each in defining if each.number < first], default=-1)
        if first < 0:
            return SameName()
        last = min([each.number for each in defining if each.number > first], default=math.inf)
        referring = [each for each in index.with_name("reference", kind, name) if first <= each.number < last]
        return SameName(
            (*self._places("definition", kind, name, [each for each in defining if each.number == first]),),
            (*self._places("reference", kind, name, referring),),
        )

    def answer(self, name: str, count: int) -> Answer | None:
        return self._answer(name, count)

    @property
    def is_session(self) -> bool:
        return self._ran is not None

    def ran(self, name: str) -> Sequence[CallOutcome]:
        """Return the outcomes of the calls of this file with an id, with the places of the calls that they repeat."""
        found = self._ran(name) if self._ran is not None else ()
        return [each if each.before is None else each._replace(place=self._place_of(*each.before)) for each in found]

    def _place_of(self, name: str, one: str) -> Elsewhere | None:
        """Return the place of a call in another file."""
        folder = self._files(later=False)
        file = next((each for each in folder.files if os.path.basename(each) == name), "")
        names = folder.index.names_of(file)
        places = () if names is None else names.places("definition", _INVOCATION, one)
        folder.mentioned.add(file)
        return places[0] if places else None

    def _places(self, role: Role, kind: str, name: str, entries: Iterable[FileEntry]) -> Iterator[Elsewhere]:
        for number, file in entries:
            names = self._files(later=True).index.names_of(file)
            if number != self._number and names is not None:
                yield from names.places(role, kind, name)


class CallsBefore(OtherFiles):
    """The responses before a request, which repeats their calls. The names in it are not checked."""

    __slots__ = ("_folder", "_number")

    def __init__(self, folder: LogFolder, number: int) -> None:
        self._folder = folder
        self._number = number

    def same(self, kind: str, name: str, *, own: bool) -> SameName:
        """Return the call whose result the request reports: the last one with the id."""
        index = self._folder.index
        before = [each for each in index.with_name("definition", kind, name) if each.number < self._number]
        if not before:
            return SameName()
        found = index.names_of(max(before).file)
        return SameName((*found.places("definition", kind, name)[:1],) if found is not None else ())


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
            from llmblocks.workspace.results import LiveSession

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

"""The other files of a session, as one of its files sees them; and the sessions of the files of a command."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from llmblocks.contract.other_files import ALONE, UNKNOWN, Answer, CallOutcome, OtherFiles, SameName
from llmblocks.core.places import Elsewhere
from llmblocks.core.symbol import Role
from llmblocks.gadget.editor.calls import INVOCATION
from llmblocks.languages.language import Language
from llmblocks.settings.values import Settings
from llmblocks.workspace.listing import finished, listing, log_number
from llmblocks.workspace.log_folder import FileEntry, LogFolder
from llmblocks.workspace.names import read_names

if TYPE_CHECKING:
    from llmblocks.workspace.results import LiveSession


def unlisted(language: Language, path: str) -> OtherFiles:
    """Return the other files of a session, as far as a path shows."""
    return UNKNOWN if language.is_log(path) and not language.repeats else ALONE


@dataclass(eq=False)
class OtherLogs(OtherFiles):
    """The other files of a folder, from the view of one. Names in a log never refer to files outside the session."""

    _folder: Callable[[], LogFolder]
    """Returns the folder, with the names of its files."""
    _number: int
    _answer: Callable[[str, int], Answer | None] = lambda name, count: None
    _ran: Callable[[str], Sequence[CallOutcome]] | None = None

    @property
    def is_known(self) -> bool:
        return self._number <= self._folder().known_until()

    def has_earlier(self, kind: str, name: str) -> bool:
        first = self._folder().first(kind, name)
        return first is not None and first.number < self._number

    def earlier(self, kind: str) -> Iterator[str]:
        return (name for name in self._folder().defined(kind) if self.has_earlier(kind, name))

    def later(self, kind: str, name: str) -> Elsewhere | None:
        folder = self._folder()
        later = folder.first(kind, name, self._number + 1)
        found = None if later is None else folder.names_of(later.file)
        if later is None or found is None:
            return None
        folder.mentioned.add(later.file)
        return found.places("definition", kind, name)[0]

    @property
    def unread(self) -> str:
        return self._folder().missing()

    def has(self, kind: str, name: str) -> bool:
        folder = self._folder()
        return bool(folder.with_name("definition", kind, name) or folder.with_name("reference", kind, name))

    def same(self, kind: str, name: str, *, own: bool) -> SameName:
        """Return the places of a name with the same meaning. A file that defines it again begins another meaning."""
        folder = self._folder()
        defining = folder.with_name("definition", kind, name)
        first = self._number
        if not own:
            first = max([each.number for each in defining if each.number < first], default=-1)
        if first < 0:
            return SameName()
        last = min([each.number for each in defining if each.number > first], default=math.inf)
        referring = [each for each in folder.with_name("reference", kind, name) if first <= each.number < last]
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
        folder = self._folder()
        file = next((each for each in folder.files if os.path.basename(each) == name), "")
        names = folder.names_of(file)
        places = () if names is None else names.places("definition", INVOCATION, one)
        folder.mentioned.add(file)
        return places[0] if places else None

    def _places(self, role: Role, kind: str, name: str, entries: Iterable[FileEntry]) -> Iterator[Elsewhere]:
        for number, file in entries:
            names = self._folder().names_of(file)
            if number != self._number and names is not None:
                yield from names.places(role, kind, name)


@dataclass(eq=False)
class CallsBefore(OtherFiles):
    """The responses before a request, which repeats their calls. The names in it are not checked."""

    _folder: LogFolder
    _number: int

    def same(self, kind: str, name: str, *, own: bool) -> SameName:
        """Return the call whose result the request reports: the last one with the id."""
        before = [each for each in self._folder.with_name("definition", kind, name) if each.number < self._number]
        if not before:
            return SameName()
        found = self._folder.names_of(max(before).file)
        return SameName((*found.places("definition", kind, name)[:1],) if found is not None else ())


_MOST_FOLDERS = 16
"""Sessions are checked in turn: with another one, the first is complete."""
SettingsFor = Callable[[str], Settings]
"""Returns the settings of the file with a path."""


class DiskLogs:
    """The sessions of checked files. The files of a folder are read once, when one of them first depends on others.

    `session(language, folder)` returns the session in a folder.
    """

    def __init__(self, settings_for: SettingsFor) -> None:
        self._folder = lru_cache(_MOST_FOLDERS)(partial(_read, settings_for))
        self.session = lru_cache(_MOST_FOLDERS)(partial(_judged, settings_for, self._folder))

    def other_files(self, language: Language, name: str, path: str) -> OtherFiles:
        """Return the other files of the session of a file. `path` is absolute, with `/`."""
        number = log_number(language, path)
        if number is None:
            return unlisted(language, path)
        folder, base = os.path.split(name)

        def ran(one: str) -> Sequence[CallOutcome]:
            # findings need the outcomes of calls, without their results
            return self.session(language, folder).ran(base, one)

        return OtherLogs(partial(self._folder, language, folder), number, _ran=ran)


def _read(settings_for: SettingsFor, language: Language, path: str) -> LogFolder:
    folder = LogFolder()
    with suppress(OSError):
        folder.take_list(*finished(listing(path)).numbers)
    for file, number in folder.unread():
        found = None
        with suppress(OSError):
            found = finished(read_names(file, language, settings_for(file)))
        if found is None:
            folder.lose(file)
        else:
            folder.put(file, number, found)
    return folder


def _judged(
    settings_for: SettingsFor, folder_of: Callable[[Language, str], LogFolder], language: Language, path: str
) -> LiveSession:
    from llmblocks.workspace.results import LiveSession

    settings = settings_for(os.path.join(path, "0001.response"))
    session = LiveSession(path, language, settings, folder_of(language, path).names_of)
    finished(session.update())
    return session

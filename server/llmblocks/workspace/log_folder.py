"""The numbered files of one folder: what each of them knows of the ones before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from llmblocks.core.around import ALONE, UNKNOWN, Around
from llmblocks.core.finding import Elsewhere
from llmblocks.languages.language import Language
from llmblocks.workspace.index import FilesIndex, Touched
from llmblocks.workspace.names import FileNames

_FIRST = 1
"""llmist numbers from 1; a folder that begins with another number lacks the files before that."""


class LogFolder:
    """The files of the session of one agent. It reads nothing: it is told what is there.

    Shape: `index` has the files whose names are known; of `mentioned` ones, another file tells places.
    """

    __slots__ = ("_agents", "_known", "_lost", "_numbers", "index", "mentioned")

    def __init__(self) -> None:
        self.index = FilesIndex()
        self.mentioned: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._lost: set[str] = set()
        self._agents: frozenset[int] | None = None
        self._known: int | None = None

    @property
    def files(self) -> dict[str, int]:
        """All files that are there, whether their names are known or not, with their numbers."""
        return {**self._numbers}

    def take_list(self, files: Mapping[str, int], agents: Iterable[int]) -> Touched:
        """Take in what is there: files with their numbers, and the numbers of sub-agents.

        Gives the names of the files that are there no longer.
        """
        gone: Touched = {}
        for file in [each for each in self._numbers if each not in files]:
            for kind, names in self.index.remove(file).items():
                gone.setdefault(kind, set()).update(names)
        self._numbers = {**files}
        self._agents, self._known = frozenset(agents), None
        self._lost.intersection_update(files)
        return gone

    def put(self, file: str, number: int, names: FileNames) -> Touched:
        """Take in the names of a file; gives those that have come or gone."""
        self._numbers[file] = number
        self._lost.discard(file)
        self._known = None
        return self.index.put(file, number, names)

    def lose(self, file: str) -> Touched:
        """Take in that a file is there, and nobody can read it."""
        self._known = None
        self._lost.add(file)
        return self.index.remove(file)

    def forget(self, file: str) -> Touched:
        """Take in that a file is there, and has to be read."""
        self._known = None
        self._lost.discard(file)
        return self.index.remove(file)

    def remove(self, file: str) -> Touched:
        """Take in that a file is there no longer."""
        self._numbers.pop(file, None)
        return self.forget(file)

    def unread(self) -> list[tuple[str, int]]:
        """The files that are still to be read, with their numbers, in this order."""
        left = [each for each in self._numbers.items() if each[0] not in self.index and each[0] not in self._lost]
        return sorted(left, key=lambda each: (each[1], each[0]))

    def known_until(self) -> int:
        """The first number that nothing is known of: what comes later may depend on what is missing.

        A number without a response may be that of one that was lost, and so is nothing that can be skipped.
        """
        if self._agents is None:
            return -1
        if self._known is None:
            unread = [number for file, number in self._numbers.items() if file not in self.index]
            there = {*self._numbers.values(), *self._agents}.difference(unread)
            number = min(_FIRST, min([*there, *unread], default=_FIRST))
            while number in there:
                number += 1
            self._known = number
        return self._known


def unlisted(language: Language, path: str) -> Around | None:
    """What is around a file as far as its path tells; None for a copy, of which no names are judged."""
    if language.is_copy(path):
        return None
    return UNKNOWN if language.is_log(path) else ALONE


class FileAround:
    """The other files of a folder, as one of them sees them. It is the `Around` of the index of that file."""

    __slots__ = ("_folder", "_number")

    def __init__(self, folder: LogFolder, number: int) -> None:
        self._folder = folder
        self._number = number

    @property
    def is_known(self) -> bool:
        """Whether the names of all earlier files are known."""
        return self._number <= self._folder.known_until()

    def has_earlier(self, kind: str, name: str) -> bool:
        """Whether an earlier file defines a name."""
        first = self._folder.index.first("definition", kind, name)
        return first is not None and first.number < self._number

    def later(self, kind: str, name: str) -> Elsewhere | None:
        """The first place in a later file that defines a name."""
        index = self._folder.index
        later = index.first("definition", kind, name, self._number + 1)
        found = None if later is None else index.names_of(later.file)
        if later is None or found is None:
            return None
        self._folder.mentioned.add(later.file)
        return found.places("definition", kind, name)[0]

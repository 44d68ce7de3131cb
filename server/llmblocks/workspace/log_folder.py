"""The numbered files of one folder, on disk or in an editor, and the names in each of them."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from llmblocks.core.symbol import Role
from llmblocks.workspace.names import FileNames

_FIRST = 1
"""llmist numbers from 1; a folder that begins with another number lacks the earlier files."""
_ROLES: tuple[Role, ...] = ("definition", "reference")
_Name = tuple[Role, str, str]
"""A name with its role and kind."""


class FileEntry(NamedTuple):
    """A file in its order. Files with one number are ordered by their names."""

    number: int
    file: str


class LogFolder:
    """The files of the session of one agent, and an index of their names. It reads nothing: its callers pass the files.

    Replacing a file costs its names; noting an edit in an open one, the names that it touched; a lookup, the files with
    the name. Other files name places in `mentioned` files.
    """

    __slots__ = ("_agents", "_found", "_known", "_lost", "_numbers", "_outdated", "_rows", "mentioned")

    def __init__(self) -> None:
        self.mentioned: set[str] = set()
        self._found: dict[str, tuple[FileEntry, FileNames]] = {}
        self._rows: dict[tuple[Role, str, str], list[FileEntry]] = {}
        self._numbers: dict[str, int] = {}
        self._lost: set[str] = set()
        self._outdated: set[str] = set()
        self._agents: frozenset[int] | None = None
        self._known: int | None = None

    @property
    def files(self) -> dict[str, int]:
        """All existing files, with their numbers, even those whose names are unknown."""
        return {**self._numbers}

    def names_of(self, file: str) -> FileNames | None:
        """Return the names of a file, if known."""
        return self._found[file][1] if file in self._found else None

    def take_list(self, files: Mapping[str, int], agents: Iterable[int]) -> None:
        """Register the existing files with their numbers, and the numbers of sub-agents."""
        for file in self._numbers.keys() - files:
            self._take_out(file)
        self._numbers = {**files}
        self._agents, self._known = frozenset(agents), None
        self._lost.intersection_update(files)
        self._outdated.intersection_update(files)

    def put(self, file: str, number: int, names: FileNames) -> None:
        """Register the names of a file."""
        before, entry = self._names_in(file), FileEntry(number, file)
        self._numbers[file], self._known = number, None
        self._lost.discard(file)
        self._outdated.discard(file)
        self._found[file] = entry, names
        for each in before ^ self._names_in(file):
            self._set(entry, each, each not in before)

    def lose(self, file: str) -> None:
        """Register a file that exists but cannot be read."""
        self.forget(file)
        self._lost.add(file)
        self._outdated.discard(file)

    def forget(self, file: str) -> None:
        """Register a file that must be read."""
        self._known = None
        self._lost.discard(file)
        self._take_out(file)

    def remove(self, file: str) -> None:
        """Register that a file was removed."""
        self._numbers.pop(file, None)
        self._outdated.discard(file)
        self.forget(file)

    def outdate(self, file: str) -> None:
        """Register that a file has changed and will be read again. Until then, its old names count."""
        self._outdated.add(file)

    def note(self, file: str, touched: Mapping[str, Iterable[str]]) -> None:
        """Record that some names of an open file may have been added or removed."""
        entry, found = self._found[file]
        for role, kind in [(role, kind) for role in _ROLES for kind in touched]:
            have = found.names(role, kind)
            for name in touched[kind]:
                self._set(entry, (role, kind, name), name in have)

    def missing(self) -> str:
        """Return the reason why names of the session, or their places, are unknown; empty if all are known."""
        if self._agents is None or self.unread() or self._outdated:
            return "the other files of this session have not been read yet: try again in a moment"
        lost = min(self._lost, default="")
        return f"`{os.path.basename(lost)}` of this session cannot be read, and may have this name too" if lost else ""

    def unread(self) -> list[tuple[str, int]]:
        """Return the files that must still be read, with their numbers, in this order."""
        left = [each for each in self._numbers.items() if each[0] not in self._found and each[0] not in self._lost]
        return sorted(left, key=lambda each: (each[1], each[0]))

    def known_until(self) -> int:
        """Return the first unknown number: later files may depend on missing ones.

        A number without a response may be that of a lost one, so no number can be skipped.
        """
        if self._agents is None:
            return -1
        if self._known is None:
            unread = [number for file, number in self._numbers.items() if file not in self._found]
            there = {*self._numbers.values(), *self._agents}.difference(unread)
            number = min([_FIRST, *unread])
            while number in there:
                number += 1
            self._known = number
        return self._known

    def with_name(self, role: Role, kind: str, name: str) -> list[FileEntry]:
        """Return the files that define or reference a name, in order."""
        return [*self._rows.get((role, kind, name), ())]

    def first(self, kind: str, name: str, number: int = -1) -> FileEntry | None:
        """Return the first file from a number on that defines a name."""
        entries = self._rows.get(("definition", kind, name), [])
        at = bisect_left(entries, (number, ""))
        return entries[at] if at < len(entries) else None

    def defined(self, kind: str) -> list[str]:
        """Return all defined names of a kind."""
        return [name for role, of, name in self._rows if role == "definition" and of == kind]

    def _take_out(self, file: str) -> None:
        for each in self._names_in(file):
            self._set(self._found[file][0], each, False)
        self._found.pop(file, None)

    def _names_in(self, file: str) -> set[_Name]:
        found = self.names_of(file)
        if found is None:
            return set()
        return {(role, kind, name) for role, kind in found.kinds() for name in found.names(role, kind)}

    def _set(self, entry: FileEntry, name: _Name, wanted: bool) -> None:
        entries = self._rows.setdefault(name, [])
        at = bisect_left(entries, entry)
        has = entries[at : at + 1] == [entry]
        if wanted and not has:
            entries.insert(at, entry)
        elif has and not wanted:
            del entries[at]
        if not entries:
            del self._rows[name]

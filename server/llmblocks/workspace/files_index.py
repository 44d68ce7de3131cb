"""The names of several files, with the files that define or reference each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from llmblocks.core.symbol import Role
from llmblocks.workspace.names import FileNames

TouchedNames = dict[str, set[str]]
"""Names, by kind."""


class FileEntry(NamedTuple):
    """A file in its order. Files with one number are ordered by their names."""

    number: int
    file: str


class FilesIndex:
    """The names of several files of one language, by name.

    Replacing a file costs its names; noting an edit in an open one, the names that it touched; a lookup, the files with
    the name.
    """

    __slots__ = ("_entries", "_found", "_rows")

    def __init__(self) -> None:
        self._entries: dict[str, FileEntry] = {}
        self._found: dict[str, FileNames] = {}
        self._rows: dict[tuple[Role, str], dict[str, list[FileEntry]]] = {}

    def __contains__(self, file: str) -> bool:
        return file in self._entries

    def files(self) -> list[str]:
        """Return the files, in order."""
        return [entry.file for entry in sorted(self._entries.values())]

    def names_of(self, file: str) -> FileNames | None:
        """Return the names of a file."""
        return self._found.get(file)

    def put(self, file: str, number: int, names: FileNames) -> TouchedNames:
        """Add or replace a file, and return the names that were added or removed."""
        before = self._names_in(file)
        self._entries[file] = entry = FileEntry(number, file)
        self._found[file] = names
        after = self._names_in(file)
        for each in before - after:
            self._set(entry, *each, False)
        for each in after - before:
            self._set(entry, *each, True)
        return _by_kind(before ^ after)

    def remove(self, file: str) -> TouchedNames:
        """Remove a file, and return its names."""
        gone = self._names_in(file)
        for each in gone:
            self._set(self._entries[file], *each, False)
        self._entries.pop(file, None)
        self._found.pop(file, None)
        return _by_kind(gone)

    def note(self, file: str, touched: Mapping[str, Iterable[str]]) -> None:
        """Record that some names of a file may have been added or removed."""
        entry, found = self._entries[file], self._found[file]
        for kind, names in touched.items():
            for role in _ROLES:
                have = found.names(role, kind)
                for name in names:
                    self._set(entry, role, kind, name, name in have)

    def with_name(self, role: Role, kind: str, name: str) -> list[FileEntry]:
        """Return the files that define or reference a name, in order."""
        return [*self._rows.get((role, kind), {}).get(name, ())]

    def first(self, role: Role, kind: str, name: str, number: int = -1) -> FileEntry | None:
        """Return the first file from a number on that defines or references a name."""
        entries = self._rows.get((role, kind), {}).get(name, [])
        at = bisect_left(entries, (number, ""))
        return entries[at] if at < len(entries) else None

    def names(self, role: Role, kind: str) -> Iterable[str]:
        """Return all names of a role and a kind."""
        return self._rows.get((role, kind), {}).keys()

    def _names_in(self, file: str) -> set[tuple[Role, str, str]]:
        found = self._found.get(file)
        if found is None:
            return set()
        return {(role, kind, name) for role, kind in found.kinds() for name in found.names(role, kind)}

    def _set(self, entry: FileEntry, role: Role, kind: str, name: str, wanted: bool) -> None:
        row = self._rows.setdefault((role, kind), {})
        entries = row.get(name, [])
        at = bisect_left(entries, entry)
        has = at < len(entries) and entries[at] == entry
        if wanted and not has:
            entries.insert(at, entry)
            row[name] = entries
        elif has and not wanted:
            del entries[at]
            if not entries:
                del row[name]


_ROLES: tuple[Role, ...] = ("definition", "reference")


def _by_kind(names: Iterable[tuple[Role, str, str]]) -> TouchedNames:
    found: TouchedNames = {}
    for _, kind, name in names:
        found.setdefault(kind, set()).add(name)
    return found

"""The findings of earlier runs, by the content of the file, its settings, and the version."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import suppress
from hashlib import blake2b

from llmblocks import __version__
from llmblocks.cli.checking import Checked
from llmblocks.cli.files import Source
from llmblocks.cli.report.reported import from_row, to_row
from llmblocks.cli.schedule import FOLDER
from llmblocks.core.finding import Severity
from llmblocks.languages.registry import find_language
from llmblocks.settings.values import Settings

_FILE = "findings.sqlite3"
_SHAPE = 1
"""Raised when the rows change."""
_MOST = 200_000
_AT_ONCE = 500


class Cache:
    """The findings of earlier runs. A cache that cannot be used holds nothing and forgets everything.

    Shape: SQLite keeps it whole when two runs share it, or one is killed.
    """

    def __init__(self, folder: str, *, detailed: bool) -> None:
        self._detailed = detailed
        self._prints: dict[int, tuple[Settings, bytes]] = {}
        self._stamps: dict[str, bytes] = {}
        self._new: list[tuple[bytes, str]] = []
        self._database = _opened(folder)

    def key(self, source: Source, digest: bytes, settings: Settings) -> bytes:
        """The key of a file's findings. Shape: `digest` is that of its content."""
        language = find_language(source.language_id)
        path = os.path.abspath(source.name)
        made = blake2b(digest, digest_size=20)
        made.update(f"\0{_SHAPE}\0{__version__}\0{source.language_id}\0{self._detailed}\0".encode())
        made.update(self._print(settings))
        if language.is_log(path.replace(os.sep, "/")):
            # its findings depend on the files beside it
            made.update(os.fsencode(path))
            made.update(self._stamp(os.path.dirname(path)))
        return made.digest()

    def get(self, source: Source, key: bytes) -> Checked | None:
        """The outcome for a file with this key."""
        if self._database is None:
            return None
        try:
            row = self._database.execute("SELECT found FROM findings WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            if not row[0]:
                return Checked()
            found, counts = json.loads(row[0])
            return Checked(
                tuple([from_row(source.name, source.language_id, each) for each in found]),
                tuple([(str(code), Severity(severity), int(number)) for code, severity, number in counts]),
            )
        except (sqlite3.Error, ValueError, TypeError, IndexError):
            return None

    def put(self, key: bytes, checked: Checked) -> None:
        """Keep the outcome for a file."""
        clean = not checked.counts
        self._new.append((key, "" if clean else json.dumps([[*map(to_row, checked.found)], checked.counts])))
        if len(self._new) == _AT_ONCE:
            self._write()

    def close(self) -> None:
        """Write what is new."""
        self._write()
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.execute(
                    "DELETE FROM findings WHERE rowid <= (SELECT max(rowid) FROM findings) - ?", (_MOST,)
                )
                self._database.commit()
            self._database.close()

    def _write(self) -> None:
        if self._database is not None and self._new:
            # another run may be writing, or the disk be full
            with suppress(sqlite3.Error):
                self._database.executemany("INSERT OR REPLACE INTO findings (key, found) VALUES (?, ?)", self._new)
                self._database.commit()
        self._new.clear()

    def _print(self, settings: Settings) -> bytes:
        known = self._prints.get(id(settings))
        if known is None or known[0] is not settings:
            if len(self._prints) > _AT_ONCE:
                self._prints.clear()
            self._prints[id(settings)] = known = (
                settings,
                blake2b(repr(settings).encode("utf-8", "backslashreplace")).digest(),
            )
        return known[1]

    def _stamp(self, folder: str) -> bytes:
        """A value that changes with the files of a folder."""
        if folder not in self._stamps:
            made = blake2b()
            with suppress(OSError), os.scandir(folder) as entries:
                for entry in sorted(entries, key=lambda each: each.name):
                    told = repr(entry.name)
                    if entry.is_file():
                        found = entry.stat()
                        told += f" {found.st_size} {found.st_mtime_ns}"
                    if entry.name != FOLDER:
                        made.update(f"{told}\n".encode())
            self._stamps[folder] = made.digest()
        return self._stamps[folder]


def _opened(folder: str) -> sqlite3.Connection | None:
    path = os.path.join(folder, _FILE)
    try:
        _make(folder)
    except OSError:
        return None
    for _ in range(2):
        try:
            return _connected(path)
        except sqlite3.OperationalError:
            # locked, or nowhere to write
            return None
        except sqlite3.DatabaseError:
            # no database, or half of one
            try:
                os.unlink(path)
            except OSError:
                return None
    return None


def _connected(path: str) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=1)
    try:
        # whole after the death of a process; after that of the machine, it is begun again
        database.execute("PRAGMA synchronous = OFF")
        database.execute("CREATE TABLE IF NOT EXISTS findings (key BLOB PRIMARY KEY, found TEXT NOT NULL)")
        database.commit()
    except BaseException:
        database.close()
        raise
    return database


def _make(folder: str) -> None:
    if os.path.isdir(folder):
        return
    os.makedirs(folder)
    with open(os.path.join(folder, ".gitignore"), "w", encoding="utf-8") as file:
        file.write("*\n")
